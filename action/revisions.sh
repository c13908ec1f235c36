# Which two revisions the Action compares. Sourced, never run.
# shellcheck shell=bash

# missing WHAT DEPTH says that a revision is not there, and what to write into
# the workflow. The reason also stands in the comment.
missing() {
  reason="$1 is not in this checkout; write fetch-depth: $2 below with: of actions/checkout, or set the inputs base and head"
  [ -z "${fetched:-}" ] || reason+=" (git fetch did not bring it${fetch_error:+: $fetch_error})"
  tell error "$reason"
  return 3
}

# revisions sets the array `revisions` to the arguments for gwplan diff, and
# `remark` where they are not what one expects.
revisions() {
  local head=${GWPLAN_HEAD:-HEAD}
  if [ -n "${GWPLAN_BASE:-}" ]; then
    revisions=("$GWPLAN_BASE" "$head")
    return
  fi
  case $GITHUB_EVENT_NAME in
    pull_request) of_pull_request "$head" ;;
    merge_group) since "$EVENT_BASE" "$head" ;;
    push) of_push "$head" ;;
    workflow_dispatch) of_branch "$head" ;;
    pull_request_target)
      # Its default checkout is the base, so that there is nothing to compare,
      # and a checkout of head would put the token next to untrusted files.
      reason='pull_request_target has no safe default; use the pull_request event, or set the input base'
      tell error "$reason"
      return 2
      ;;
    *) since_parent "$head" ;;
  esac
}

# of_pull_request HEAD compares what is there with the base that it goes into.
of_pull_request() {
  local merge first
  # actions/checkout leaves the merge of base and head. Its first parent is the
  # base as it is merged into, which may be newer than the event's.
  merge=$(parents "$1")
  first=${merge%%$'\n'*}
  if [ "$1" = HEAD ] && [ -n "$EVENT_HEAD" ] && [ "$merge" = "$first"$'\n'"$EVENT_HEAD" ]; then
    since "$first" HEAD 2
    return
  fi
  if [ -z "$(fork "$EVENT_BASE" "$1")" ] && [[ $EVENT_BASE =~ ^[0-9a-f]{40,64}$ ]]; then
    whole "$EVENT_BASE" || true
  fi
  [ -n "$(commit "$EVENT_BASE")" ] || { missing "the base ${EVENT_BASE:-of the pull request}" 0 || return; }
  [ -n "$(fork "$EVENT_BASE" "$1")" ] || { missing "the merge base of $EVENT_BASE and $1" 0 || return; }
  revisions=("$EVENT_BASE...$1")
}

# of_push HEAD compares with the commit before the push. A new branch has none,
# and after a forced push it may be gone.
of_push() {
  if [ -z "${EVENT_BASE//0/}" ]; then
    of_branch "$1"
  elif gone; then
    remark="the commit before this push, ${EVENT_BASE:0:12}, is gone"
    of_branch "$1"
  else
    since "$EVENT_BASE" "$1"
  fi
}

# gone says whether nobody has the commit before the push any more. That it only
# could not be fetched is another matter: to compare with a newer commit would
# hide changes.
gone() {
  [[ $EVENT_BASE =~ ^[0-9a-f]{40,64}$ ]] && [ -z "$(commit "$EVENT_BASE")" ] || return
  [ "$EVENT_FORCED" != true ] && shallow || return 0
  ! bring "$EVENT_BASE" && lost || return
  # That fetch brought nothing.
  fetched='' fetch_error=''
}

# of_branch HEAD compares with the place where HEAD left the default branch; the
# default branch itself, and what is in it, with its first parent.
of_branch() {
  local default=refs/heads/$EVENT_DEFAULT tracking=refs/remotes/origin/$EVENT_DEFAULT base
  if [ "$GITHUB_REF" = "$default" ] || [ -z "$EVENT_DEFAULT" ] || ! git check-ref-format "$default"; then
    since_parent "$1"
    return
  fi
  base=$(fork "$tracking" "$1")
  if [ -z "$base" ]; then
    whole "+$default:$tracking" || true
    base=$(fork "$tracking" "$1")
  fi
  [ -n "$base" ] || { missing "the merge base with $EVENT_DEFAULT" 0 || return; }
  if [ "$base" = "$(commit "$1")" ]; then
    since_parent "$1"
    return
  fi
  remark="${remark:+$remark; }compared with ${base:0:12}, the merge base with $EVENT_DEFAULT"
  revisions=("$base" "$1")
}

since_parent() {
  local base
  base=$(parents "$1")
  base=${base%%$'\n'*}
  if [ -z "$base" ]; then
    reason="$1 has no commit before it; set the input base"
    tell error "$reason"
    return 3
  fi
  [ -z "${remark:-}" ] || remark+="; compared with ${base:0:12}, the commit before"
  since "$base" "$1" 2
}

# since BASE HEAD [DEPTH] compares with a commit; DEPTH is what a checkout needs
# to hold it.
since() {
  [ -n "$(commit "$1")" ] || bring "$1" || true
  [ -n "$(commit "$1")" ] || { missing "the commit $1" "${3:-0}" || return; }
  revisions=("$1" "$2")
}
