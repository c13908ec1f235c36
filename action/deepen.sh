# Brings what a shallow checkout lacks, by one fetch. Sourced, never run.
# shellcheck shell=bash

# commit REV prints the id of a revision, or nothing.
commit() {
  git -C "$directory" rev-parse --verify --quiet --end-of-options "$1^{commit}" 2>/dev/null || true
}

# parents REV prints the ids of its parents, also of those that a shallow
# checkout lacks.
parents() {
  local id
  id=$(commit "$1")
  [ -z "$id" ] || git -C "$directory" cat-file commit "$id" | sed -n '/^$/q; s/^parent //p'
}

# fork A B prints the merge base of two revisions, or nothing.
fork() {
  git -C "$directory" merge-base "$1" "$2" 2>/dev/null || true
}

shallow() {
  [ "$(git -C "$directory" rev-parse --is-shallow-repository 2>/dev/null)" = true ]
}

# fetch WHAT... fetches once, with the credentials that actions/checkout left in
# the repository, if any. It asks for none, and a server that is silent for a
# minute has failed. What git says is kept in `fetch_error`, in one line and
# without what stands before the host of an address.
fetch() {
  local said
  [ -z "${fetched:-}" ] || return
  fetched=true
  if said=$(env -u GIT_TRACE -u GIT_TRACE_CURL -u GIT_TRACE_PACKET -u GIT_CURL_VERBOSE \
    GIT_TERMINAL_PROMPT=0 GIT_ASKPASS='' SSH_ASKPASS='' GCM_INTERACTIVE=never \
    git -C "$directory" -c core.hooksPath=/dev/null -c http.lowSpeedLimit=1 -c http.lowSpeedTime=60 \
    fetch --quiet --no-tags --no-recurse-submodules --no-write-fetch-head "$@" 2>&1); then
    return
  fi
  fetch_error=$(printf '%s' "$said" | sed -e 's#://[^/@ ]*@#://#g' | grep -m 1 -E '^(fatal|error|remote):' || true)
  return 1
}

# bring ID fetches one commit, without its history.
bring() {
  [[ $1 =~ ^[0-9a-f]{40,64}$ ]] && fetch --depth=1 origin "$1"
}

# lost says whether the last fetch failed because the server has no such commit.
lost() {
  case ${fetch_error:-} in
    *'not our ref'* | *"couldn't find remote ref"* | *'unadvertised object'*) return 0 ;;
    *) return 1 ;;
  esac
}

# whole REFSPEC... fetches revisions and all that a shallow checkout left out.
whole() {
  if shallow; then fetch --unshallow origin "$@"; else fetch origin "$@"; fi
}
