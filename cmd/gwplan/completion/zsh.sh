#compdef gwplan
_gwplan() {
  local -a candidates
  candidates=("${(@f)$(gwplan __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=(${candidates:#})
  if (( ${#candidates} )); then compadd -- "${candidates[@]}"; else _files; fi
}
if [ "$funcstack[1]" = "_gwplan" ]; then _gwplan "$@"; else compdef _gwplan gwplan; fi
