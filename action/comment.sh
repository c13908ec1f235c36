#!/usr/bin/env bash
# Keeps one comment of a pull request up to date with the report.
#
# Ours is a comment that begins with the marker, was written by the token's own
# user and is not minimised: anybody can write the marker. A comment whose text
# would not change is left alone, since an edit notifies everybody.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=runner.sh
. "$here/runner.sh"

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
      and (.body | split("\n")[0] | rtrimstr("\r")) == $marker
      and .author.login == ($viewer | rtrimstr("[bot]"))
      and (.author.__typename == "Bot") == ($viewer | endswith("[bot]")))]'

# api ARGUMENTS runs gh api. Its error message goes to a file, for failed.
api() {
  gh api "$@" 2>"$work/error"
}

# failed says why there is no comment. A read-only token is expected on pull
# requests from forks; anything else fails the step only where a comment is
# asked for by all means.
failed() {
  if grep -qE 'HTTP 403|Resource not accessible' "$work/error" && ! grep -q 'rate limit' "$work/error"; then
    tell notice 'the token may not comment here (a pull request from a fork, or no pull-requests: write); the report is in the job summary'
    return 0
  fi
  tell warning 'GitHub did not take the comment; the report is in the job summary'
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
  api graphql --input "$work/request.json" >/dev/null
}

# shellcheck disable=SC2016
update() {
  mutate 'mutation($id: ID!, $body: String!) { updateIssueComment(input: {id: $id, body: $body}) { issueComment { id } } }' \
    id="$1" body@"$GWPLAN_REPORT"
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
  jq -n --rawfile body "$GWPLAN_REPORT" '{body: $body}' >"$work/request.json"
  api --method POST "repos/$GITHUB_REPOSITORY/issues/$PR_NUMBER/comments" --input "$work/request.json" >"$work/created.json" || return
  jq -r .html_url "$work/created.json"
}

# previous writes our comments on the pull request, oldest first, to a file.
previous() {
  api graphql --paginate -f query="$find" -F number="$PR_NUMBER" \
    -f owner="${GITHUB_REPOSITORY%%/*}" -f name="${GITHUB_REPOSITORY#*/}" >"$work/pages.json" || return
  jq -s --arg marker "<!-- gwplan:$GWPLAN_COMMENT_ID -->" "$ours" "$work/pages.json" >"$work/ours.json"
}

# unchanged says whether our newest comment has this very text. GitHub may have
# changed line ends, and trims the end.
unchanged() {
  jq -e --rawfile body "$GWPLAN_REPORT" '
    def text: gsub("\r"; "") | sub("\\s+$"; "");
    length > 0 and (last.body | text) == ($body | text)' "$work/ours.json" >/dev/null
}

# deliver brings the comment up to date and sets its address. What is wanted is
# written before what is outdated goes, so that a failure loses nothing.
deliver() {
  local id url='' wanted=$1
  url=$(jq -r 'last.url // ""' "$work/ours.json")
  id=$(jq -r 'last.id // ""' "$work/ours.json")
  if [ "$GWPLAN_COMMENT_MODE" = update ] && [ -n "$id" ]; then
    unchanged || update "$id" || return
  elif [ "$wanted" = true ] && { [ "$GWPLAN_COMMENT_MODE" = new ] || ! unchanged; }; then
    url=$(create) || return
    retract || return
  elif [ "$wanted" = false ] && [ "$GWPLAN_COMMENT_MODE" != new ]; then
    url=''
    retract || return
  fi
  output comment-url "$url"
}

# retract deletes or hides the comments that were there before, as the mode says.
retract() {
  local id
  case $GWPLAN_COMMENT_MODE in
    delete | hide) ;;
    *) return 0 ;;
  esac
  for id in $(jq -r '.[].id' "$work/ours.json"); do
    "$GWPLAN_COMMENT_MODE" "$id" || return
  done
}

main() {
  local work wanted=$GWPLAN_NOTEWORTHY
  if ! [[ ${PR_NUMBER:-} =~ ^[0-9]+$ ]]; then
    tell notice 'this event belongs to no pull request, so there is nothing to comment on'
    return 0
  fi
  [ "$GWPLAN_COMMENT" != always ] || wanted=true
  # gh reads other names for the token of a server of one's own.
  if [ "$GITHUB_SERVER_URL" != https://github.com ]; then
    export GH_HOST=${GITHUB_SERVER_URL#*://} GH_ENTERPRISE_TOKEN=$GH_TOKEN
  fi
  work=$(mktemp -d "$RUNNER_TEMP/gwplan-comment.XXXXXXXX")
  : >"$work/error"
  if ! { previous && deliver "$wanted"; }; then
    failed
  fi
}

main
