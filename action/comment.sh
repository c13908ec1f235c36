#!/usr/bin/env bash
# Keeps the comment of a pull request up to date with the report, or several where
# the report is allowed more parts than one.
#
# Ours is a comment that begins with the marker of its part, was written by the token's own
# user and is not minimised: anybody can write the marker. A comment whose text
# would not change is left alone, since an edit notifies everybody. A run without a
# result adds one line to it, and takes nothing from it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=runner.sh
. "$here/runner.sh"
# shellcheck source=report.sh
. "$here/report.sh"
# shellcheck source=api.sh
. "$here/api.sh"

# The step down of a report that GitHub finds too long.
readonly smaller=30000

# Of a report in more parts than that, comments would be left behind: a part is one digit.
readonly most_parts=9

# The login of a bot has the suffix [bot] for the viewer and none for an author,
# so that the author must be a bot where the viewer is one.
# shellcheck disable=SC2016 # these dollars are variables of GraphQL and jq
readonly find='
query($owner: String!, $name: String!, $number: Int!, $endCursor: String) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: 100, after: $endCursor) {
        nodes { id url body isMinimized author { __typename login } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}'
# shellcheck disable=SC2016
readonly ours='
[.[].data
  | .viewer.login as $viewer
  | .repository.pullRequest.comments.nodes[]
  | select((.isMinimized | not)
      and (.body | split("\n")[0] // "" | rtrimstr("\r") | . == "\($marker) -->" or (startswith("\($marker):") and test(":[2-9] -->$")))
      and .author.login == ($viewer | rtrimstr("[bot]"))
      and (.author.__typename == "Bot") == ($viewer | endswith("[bot]")))]'

# failed says why there is no comment. A read-only token is expected on pull
# requests from forks; anything else fails the step only where a comment is
# asked for by all means.
failed() {
  if refused; then
    tell notice 'the token may not comment here (a pull request from a fork, or no pull-requests: write); the report is in the job summary'
    return 0
  fi
  tell warning "GitHub did not take the comment (tried: $tries); the report is in the job summary"
  sed 's/^/gh said: /' "$work/error" >&2
  [ "$GWPLAN_COMMENT" != always ]
}

# mutate QUERY VARIABLE... runs a mutation; variables are NAME=TEXT or NAME@FILE.
mutate() {
  local query=$1 variable variables=()
  shift
  for variable in "$@"; do
    case $variable in
      body@*) variables+=(--rawfile body "${variable#body@}") ;;
      *) variables+=(--arg "${variable%%=*}" "${variable#*=}") ;;
    esac
  done
  jq -n --arg query "$query" "${variables[@]}" '{query: $query, variables: ($ARGS.named | del(.query))}' >"$work/request.json"
  api /dev/null graphql --input "$work/request.json"
}

# shellcheck disable=SC2016
update() {
  mutate 'mutation($id: ID!, $body: String!) { updateIssueComment(input: {id: $id, body: $body}) { issueComment { id } } }' \
    id="$1" body@"$report"
}

# shellcheck disable=SC2016
delete() {
  mutate 'mutation($id: ID!) { deleteIssueComment(input: {id: $id}) { clientMutationId } }' id="$1"
}

# shellcheck disable=SC2016
hide() {
  mutate 'mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { clientMutationId } }' id="$1"
}

# create writes a new comment and prints its address.
create() {
  jq -n --rawfile body "$report" '{body: $body}' >"$work/request.json"
  api "$work/created.json" --method POST "repos/$GITHUB_REPOSITORY/issues/$PR_NUMBER/comments" --input "$work/request.json" || return
  jq -r .html_url "$work/created.json"
}

# previous writes our comments on the pull request, oldest first, to a file.
# shellcheck disable=SC2016
previous() {
  local cursor=''
  : >"$work/pages.json"
  while :; do
    jq -n --arg query "$find" --arg owner "${GITHUB_REPOSITORY%%/*}" --arg name "${GITHUB_REPOSITORY#*/}" \
      --arg number "$PR_NUMBER" --arg cursor "$cursor" '{query: $query, variables: {
        owner: $owner, name: $name, number: ($number | tonumber),
        endCursor: (if $cursor == "" then null else $cursor end)}}' >"$work/request.json"
    api "$work/page.json" graphql --input "$work/request.json" || return
    cat "$work/page.json" >>"$work/pages.json"
    cursor=$(jq -r '.data.repository.pullRequest.comments.pageInfo | select(.hasNextPage) | .endCursor' "$work/page.json") || return
    [ -n "$cursor" ] || break
  done
  jq -s --arg marker "<!-- gwplan:$GWPLAN_COMMENT_ID" "$ours" "$work/pages.json" >"$work/all.json"
}

# of_part N selects our comments that hold this part.
# shellcheck disable=SC2016
of_part() {
  local suffix=''
  [ "$1" -eq 1 ] || suffix=":$1"
  jq --arg marker "<!-- gwplan:$GWPLAN_COMMENT_ID$suffix -->" \
    '[.[] | select((.body | split("\n")[0] // "" | rtrimstr("\r")) == $marker)]' "$work/all.json" >"$work/ours.json"
}

# annotate puts the note of a run without a result on top of our newest comment,
# in place of an older note. A comment that holds no result is replaced.
# shellcheck disable=SC2016
annotate() {
  jq -e 'length > 0 and (last.body | split("\n")[1] // "" | rtrimstr("\r")) != "### gwplan: no result"' \
    "$work/ours.json" >/dev/null || return 0
  jq -j --rawfile note "$GWPLAN_NOTE" '
    last.body | gsub("\r"; "") | split("\n") | .[0] as $marker | .[1:]
    | if (.[0] // "" | endswith("<!-- gwplan:note -->")) then .[2:] else . end
    | [$marker, ($note | rtrimstr("\n")), ""] + . | join("\n")' "$work/ours.json" >"$work/noted.md" || return
  report=$work/noted.md
}

# unchanged says whether our newest comment has this very text. GitHub may have
# changed line ends, and trims the end.
unchanged() {
  jq -e --rawfile body "$report" '
    def text: gsub("\r"; "") | sub("\\s+$"; "");
    length > 0 and (last.body | text) == ($body | text)' "$work/ours.json" >/dev/null
}

# deliver brings the comment of one part up to date and sets its address, url. What
# is wanted is written before what is outdated goes, so that a failure loses
# nothing, and a second try finds what the first one did.
deliver() {
  local id
  url=$(jq -r 'last.url // ""' "$work/ours.json")
  id=$(jq -r 'last.id // ""' "$work/ours.json")
  if [ -n "$id" ] && { [ "$GWPLAN_COMMENT_MODE" = update ] || [ -n "${GWPLAN_NOTE:-}" ]; }; then
    unchanged || update "$id" || return
  elif [ "$wanted" = true ] && { { [ "$GWPLAN_COMMENT_MODE" = new ] && [ "$tries" -eq 1 ]; } || ! unchanged; }; then
    url=$(create) || return
    retract '.[].id' || return
  elif [ "$wanted" = true ]; then
    retract '.[:-1][].id' || return
  elif [ "$GWPLAN_COMMENT_MODE" != new ]; then
    url=''
    retract '.[].id' || return
  fi
}

# retract WHICH deletes or hides comments that were there before, as the mode says.
retract() {
  local id
  case $GWPLAN_COMMENT_MODE in
    delete | hide) ;;
    *) return 0 ;;
  esac
  for id in $(jq -r "$1" "$work/ours.json"); do
    "$GWPLAN_COMMENT_MODE" "$id" || return
  done
}

# retire deletes or hides the comments of a part that the report has no more.
retire() {
  local id way=$GWPLAN_COMMENT_MODE
  case $way in
    update) way=delete ;;
    new) return 0 ;;
  esac
  for id in $(jq -r '.[].id' "$work/ours.json"); do
    "$way" "$id" || return
  done
}

# divided says whether there are parts beside the first, in the report or among our comments.
divided() {
  [ -e "$work/part-2.md" ] || jq -es '(.[0] | length) > (.[1] | length)' "$work/all.json" "$work/first.json" >/dev/null
}

# attempt brings all parts up to date. A run without a result leaves all but the
# first as they are.
attempt() {
  local part report url=''
  previous || return
  of_part 1 && cp "$work/ours.json" "$work/first.json" || return
  report=$first
  [ -z "${GWPLAN_NOTE:-}" ] || annotate || return
  deliver || return
  output comment-url "$url"
  if [ -n "${GWPLAN_NOTE:-}" ] || ! divided; then
    return 0
  fi
  for part in $(seq 2 "$most_parts"); do
    of_part "$part" || return
    report=$work/part-$part.md
    if [ -s "$report" ]; then
      deliver || return
    else
      retire || return
    fi
  done
}

# numbered N prints which part of how many, or nothing where all is in one.
numbered() {
  [ "$GWPLAN_COMMENT_PARTS" -eq 1 ] || printf '%d/%d' "$1" "$GWPLAN_COMMENT_PARTS"
}

# divide BYTES renders the parts after the first, as far as there are any.
divide() {
  local part
  rm -f "$work"/part-*.md
  [ -z "${GWPLAN_NOTE:-}" ] && [ -s "${GWPLAN_PLAN:-}" ] || return 0
  for part in $(seq 2 "$GWPLAN_COMMENT_PARTS"); do
    render "$GWPLAN_PLAN" "$work/part-$part.md" "$1" "$(numbered "$part")" || return
    [ -s "$work/part-$part.md" ] || break
  done
}

# shrink renders the report once more, a step down the ladder of sizes.
shrink() {
  [ -z "${GWPLAN_NOTE:-}" ] && [ -s "${GWPLAN_PLAN:-}" ] && render "$GWPLAN_PLAN" "$work/smaller.md" "$smaller" "$(numbered 1)" &&
    divide "$smaller" || return
  first=$work/smaller.md
  printf 'GitHub finds the report too long; trying a shorter one\n'
}

main() {
  local work tries=0 wanted=$GWPLAN_NOTEWORTHY first=$GWPLAN_REPORT
  if ! [[ ${PR_NUMBER:-} =~ ^[0-9]+$ ]]; then
    tell notice 'this event belongs to no pull request, so there is nothing to comment on'
    return 0
  fi
  [ "$GWPLAN_COMMENT" != always ] || wanted=true
  host
  work=$(mktemp -d "$RUNNER_TEMP/gwplan-comment.XXXXXXXX")
  touch "$work/error" "$work/headers" "$work/body"
  divide "$comment_limit" || tell warning 'the parts of the report after the first could not be written; the whole report is in the job summary'
  persist attempt || { too_large && shrink && persist attempt; } || failed
}

main
