# Which two revisions the Action compares. Sourced, never run.
# shellcheck shell=bash

# commit REV prints the id of a revision, or nothing.
commit() {
  git -C "$directory" rev-parse --verify --quiet --end-of-options "$1^{commit}" 2>/dev/null || true
}

# present REV fails with the way out where a shallow clone lacks a revision.
present() {
  [ -n "$(commit "$1")" ] && return
  tell error "$1 is not in this clone; set fetch-depth: 0 on actions/checkout, or the inputs base and head"
  return 3
}

# revisions sets the array `revisions` to the arguments for gwplan diff.
revisions() {
  local head=${GWPLAN_HEAD:-HEAD}
  if [ -n "${GWPLAN_BASE:-}" ]; then
    revisions=("$GWPLAN_BASE" "$head")
    return
  fi
  case $GITHUB_EVENT_NAME in
    pull_request) of_pull_request "$head" ;;
    merge_group | push) since "$EVENT_BASE" "$head" ;;
    pull_request_target)
      # Its default checkout is the base, so that there is nothing to compare,
      # and a checkout of head would put the token next to untrusted files.
      tell error "pull_request_target has no safe default; use the pull_request event, or set the input base"
      return 2
      ;;
    *) since '' "$head" ;;
  esac
}

# of_pull_request HEAD compares what is there with the base that it goes into.
of_pull_request() {
  # actions/checkout leaves the merge of base and head. Its first parent is the
  # base as it is merged into, which may be newer than the event's.
  if [ "$1" = HEAD ] && [ -n "$EVENT_HEAD" ] && [ "$(commit 'HEAD^2')" = "$EVENT_HEAD" ]; then
    revisions=('HEAD^1' HEAD)
    return
  fi
  present "$EVENT_BASE" || return
  revisions=("$EVENT_BASE...$1")
}

# since BASE HEAD compares with a commit; a new branch has none, or zeros, and
# is compared with its first parent.
since() {
  local base=$1
  [ -n "${base//0/}" ] || base="$2^1"
  present "$base" || return
  revisions=("$base" "$2")
}
