# bash completion for gwplan
_gwplan() {
  local IFS=$'\n'
  COMPREPLY=($(gwplan __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _gwplan gwplan
