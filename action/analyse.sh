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
# shellcheck source=revisions.sh
. "$here/revisions.sh"

# The runner drops a summary of more than 1,024 KiB as a whole.
readonly summary_limit=$((900 * 1024))
readonly comment_limit=60000

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
    word comment-mode "$GWPLAN_COMMENT_MODE" 'update|delete|hide|new' &&
    word comment-id "$GWPLAN_COMMENT_ID" '[A-Za-z0-9._-]{1,64}' &&
    word sarif "$GWPLAN_SARIF" 'auto|true|false' &&
    word summary "$GWPLAN_SUMMARY" 'true|false' &&
    word install "$GWPLAN_INSTALL" 'source|none' &&
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
  "$GWPLAN_BINARY" "${arguments[@]}" 2>&1 || code=$?
  printf '\n::%s::\n' "$resume"
  return "$code"
}

# without_result writes the report of a run that gave none, so that an older
# comment does not go on saying what is no longer known.
without_result() {
  printf '<!-- gwplan:%s -->\n### gwplan: no result\n\nThe analysis ended with exit code %d; [the log](%s) says why.\n' \
    "$GWPLAN_COMMENT_ID" "$1" "$(run_url)" >"$reports/report.md"
}

# numbers prints the counts of the plan in one line, and nothing else.
numbers() {
  jq -r '.summary
    | [.changes, .policyChanges, .findings.error, .findings.warning, .findings.note, .targets]
    | map(if type == "number" then floor else error("not a number") end)
    | @tsv' "$reports/plan.json"
}

# results sets the outputs: counts, booleans and our own paths, never text of
# the plan.
results() {
  local counts changes others errors warnings notes targets changed=false noteworthy=false
  counts=$(numbers)
  read -r changes others errors warnings notes targets <<<"$counts"
  [ $((changes + others)) -eq 0 ] || changed=true
  [ $((changes + others + errors + warnings + notes)) -eq 0 ] || noteworthy=true
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

# whole renders the plan once more, with the room that a summary has.
whole() {
  [ -s "$reports/plan.json" ] &&
    "$GWPLAN_BINARY" diff --color=never --from="$reports/plan.json" -o markdown="$reports/summary.md" \
      --comment-id="$GWPLAN_COMMENT_ID" --max-bytes="$summary_limit" \
      --repository-url="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" >/dev/null 2>&1
}

summary() {
  local report=$reports/report.md
  [ "$GWPLAN_SUMMARY" = true ] || return 0
  if whole; then report=$reports/summary.md; fi
  if [ "$(wc -c <"$report")" -gt "$summary_limit" ]; then
    printf 'The report of gwplan is larger than a job summary may be; it is the output `report` of the Action.\n'
  else
    cat "$report"
  fi >>"$GITHUB_STEP_SUMMARY"
}

main() {
  local reports directory=${GWPLAN_DIRECTORY:-.} arguments code=0
  validate || exit
  reports=$(mktemp -d "$RUNNER_TEMP/gwplan.XXXXXXXX")
  if command_line; then
    analyse || code=$?
  else
    code=$?
  fi
  output exit-code "$code"
  if [ -s "$reports/plan.json" ] && [ -s "$reports/report.md" ]; then
    results
  else
    without_result "$code"
    output upload false
    output noteworthy false
  fi
  output report "$reports/report.md"
  summary
}

main
