#!/usr/bin/env bash
# Runs gwplan once; writes its reports, the job summary and the step's outputs.
#
# All inputs come by environment and are handed on as separate arguments, never
# as text of a script; one that makes no sense ends the step. What gwplan says
# does not: the Action's last step applies its exit code, after the reports have
# been delivered.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=runner.sh
. "$here/runner.sh"
# shellcheck source=report.sh
. "$here/report.sh"
# shellcheck source=deepen.sh
. "$here/deepen.sh"
# shellcheck source=revisions.sh
. "$here/revisions.sh"

# The runner drops a summary of more than 1,024 KiB as a whole.
readonly summary_limit=$((900 * 1024))

# plain NAME VALUE refuses a value that would be read as an option, or that
# holds control characters.
plain() {
  case $2 in
    -*) tell error "the input $1 begins with a dash; write a branch as refs/heads/NAME, a path as ./NAME" ;;
    *[[:cntrl:]]*) tell error "the input $1 holds control characters; give one plain value" ;;
    *) return 0 ;;
  esac
  return 2
}

# word NAME VALUE PATTERN refuses a value that does not match as a whole.
word() {
  [[ $2 =~ ^($3)$ ]] && return
  tell error "the input $1 must match $3"
  return 2
}

# lines VALUE sets the array `lines` to the lines of a value that are not empty.
lines() {
  local line
  lines=()
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%$'\r'}
    [ -z "$line" ] || lines+=("$line")
  done <<<"$1"
}

validate() {
  plain base "${GWPLAN_BASE:-}" && plain head "${GWPLAN_HEAD:-}" &&
    plain config "${GWPLAN_CONFIG:-}" && plain working-directory "${GWPLAN_DIRECTORY:-}" &&
    word fail-on "$GWPLAN_FAIL_ON" 'none|note|warning|error' &&
    word no-new-access "$GWPLAN_NO_NEW_ACCESS" 'true|false' &&
    word comment "$GWPLAN_COMMENT" 'auto|always|never' &&
    word comment-parts "$GWPLAN_COMMENT_PARTS" '[1-9]' &&
    word comment-mode "$GWPLAN_COMMENT_MODE" 'update|delete|hide|new' &&
    word comment-id "$GWPLAN_COMMENT_ID" '[A-Za-z0-9._-]{1,64}' &&
    word sarif "$GWPLAN_SARIF" 'auto|true|false' &&
    word summary "$GWPLAN_SUMMARY" 'true|false' &&
    flags "${GWPLAN_ARGS:-}"
}

# flags VALUE refuses the end of flags among the extra arguments.
flags() {
  local lines
  lines "$1"
  case $'\n'$(printf '%s\n' ${lines[@]+"${lines[@]}"})$'\n' in
    *$'\n--\n'*) tell error 'the input args holds --; name paths in the input paths' ;;
    *) return 0 ;;
  esac
  return 2
}

# command_line sets the array `arguments`.
command_line() {
  local revisions lines
  revisions || return
  arguments=(
    diff --color=never --fail-on="$GWPLAN_FAIL_ON" -C "$directory"
    -o text -o markdown="$reports/report.md" -o sarif="$reports/plan.sarif" -o json="$reports/plan.json"
    --comment-id="$GWPLAN_COMMENT_ID" --max-bytes="$comment_limit"
    --repository-url="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"
  )
  [ "$GWPLAN_COMMENT_PARTS" -eq 1 ] || arguments+=(--part="1/$GWPLAN_COMMENT_PARTS")
  [ "$GWPLAN_NO_NEW_ACCESS" != true ] || arguments+=(--no-new-access)
  [ -z "${GWPLAN_CONFIG:-}" ] || arguments+=(--config="$GWPLAN_CONFIG")
  lines "${GWPLAN_ARGS:-}"
  arguments+=(${lines[@]+"${lines[@]}"} "${revisions[@]}")
  lines "${GWPLAN_PATHS:-}"
  [ ${#lines[@]} -eq 0 ] || arguments+=(-- "${lines[@]}")
}

# analyse runs gwplan. What it prints holds text from untrusted files, so the
# runner looks for no commands in it until it meets a word that they cannot know.
analyse() {
  local resume code=0
  resume=$(random)
  printf '::stop-commands::%s\n' "$resume"
  "$GWPLAN_BINARY" "${arguments[@]}" 2>"$reports/stderr" || code=$?
  cat "$reports/stderr"
  grep -E '^gwplan: --[a-z-]+' "$reports/stderr" | cut -d ' ' -f 2- >"$reports/reasons" || true
  printf '\n::%s::\n' "$resume"
  [ "$code" -eq 0 ] || reason=$(why "$code")
  return "$code"
}

# why CODE says in one line why gwplan gave no result: its first error, or the
# first line of a crash.
why() {
  local said
  said=$(grep -m 1 -E '^(gwplan|panic|fatal error|runtime): ?' "$reports/stderr" || true)
  if [ -n "$said" ]; then
    printf '%s' "${said#gwplan: }"
  elif [ "$1" -gt 128 ]; then
    printf 'gwplan was ended by signal %d' $(($1 - 128))
  else
    printf 'gwplan ended with exit code %d' "$1"
  fi
}

# without_result writes what a run that gave none has to say: a report of its
# own, and a line for the comment that is there already.
without_result() {
  local commit
  commit=${EVENT_HEAD:-$(commit "${GWPLAN_HEAD:-HEAD}")}
  commit=${commit:-${GITHUB_SHA:-}}
  no_result "$commit" "${reason:-}" >"$reports/report.md"
  note "$commit" "${reason:-}" >"$reports/note.md"
  output note "$reports/note.md"
  output upload false
  output noteworthy true
}

# numbers prints the counts of the plan in one line, and nothing else.
numbers() {
  jq -r '.summary
    | [.changes, .findings.error, .findings.warning, .findings.note, .targets]
    | map(if type == "number" then floor else error("not a number") end)
    | @tsv' "$reports/plan.json"
}

# conclusion prints what the plan comes to in one word, and nothing else.
conclusion() {
  jq -r '.summary.conclusion
    | if IN("none", "changed", "unknown", "incomplete") then . else error("not a conclusion") end' "$reports/plan.json"
}

# results COUNTS CONCLUSION sets the outputs: counts, words that we know and our own
# paths, never text of the plan. Silence on a pull request says that nothing
# changes, and so does changed=false to a workflow: what is not known is neither.
results() {
  local changes errors warnings notes targets changed=false noteworthy=true
  read -r changes errors warnings notes targets <<<"$1"
  case $2 in
    changed | unknown) changed=true ;;
    none) [ $((errors + warnings + notes)) -gt 0 ] || noteworthy=false ;;
  esac
  output conclusion "$2"
  output changed "$changed"
  output noteworthy "$noteworthy"
  output changes "$changes"
  output findings $((errors + warnings + notes))
  output errors "$errors"
  output warnings "$warnings"
  output affected-targets "$targets"
  output incomplete "$(jq '.incomplete != false' "$reports/plan.json")"
  output json "$reports/plan.json"
  output sarif "$reports/plan.sarif"
  upload
}

# upload decides whether code scanning gets the SARIF file.
upload() {
  local upload=$GWPLAN_SARIF
  if [ "$upload" = auto ]; then
    upload=true
    if [[ $GITHUB_EVENT_NAME == pull_request* ]] && [ "$EVENT_REPOSITORY" != "$GITHUB_REPOSITORY" ]; then
      upload=false
      tell notice 'the token of a pull request from a fork cannot upload SARIF; the findings are in the job summary'
    fi
  fi
  output upload "$upload"
}

summary() {
  local report=$reports/report.md
  [ "$GWPLAN_SUMMARY" = true ] || return 0
  # A summary has more room than a comment.
  if [ -s "$reports/plan.json" ] && render "$reports/plan.json" "$reports/summary.md" "$summary_limit"; then
    report=$reports/summary.md
  fi
  if [ "$(wc -c <"$report")" -gt "$summary_limit" ]; then
    printf 'The report of gwplan is larger than a job summary may be; it is the output `report` of the Action.\n'
  else
    cat "$report"
  fi >>"$GITHUB_STEP_SUMMARY"
  [ -z "${remark:-}" ] || printf '\nRevisions: %s.\n' "$(code "$remark")" >>"$GITHUB_STEP_SUMMARY"
}

# version prints which gwplan runs, in the words that also stand in the footer.
version() {
  "$GWPLAN_BINARY" version 2>/dev/null | LC_ALL=C sed -n '1s/^gwplan \([!-~]\{1,100\}\)$/\1/p' || true
}

main() {
  local reports directory=${GWPLAN_DIRECTORY:-.} arguments code=0 counts='' came_to=''
  validate || exit
  reports=$(mktemp -d "$RUNNER_TEMP/gwplan.XXXXXXXX")
  output version "$(version)"
  if command_line; then
    [ -z "${remark:-}" ] || tell notice "$remark"
    analyse || code=$?
  else
    code=$?
  fi
  output exit-code "$code"
  output reasons "$reports/reasons"
  # A crash may leave a plan that is not whole.
  if [ "$code" -le 3 ] && [ -s "$reports/report.md" ] && counts=$(numbers 2>/dev/null) && [ -n "$counts" ] &&
    came_to=$(conclusion 2>/dev/null); then
    results "$counts" "$came_to"
  else
    rm -f "$reports/plan.json"
    without_result
  fi
  output report "$reports/report.md"
  summary
}

main
