# What the Action writes about a plan, and about a run that gave none. Sourced,
# never run.
# shellcheck shell=bash

# How many bytes of a report go into a comment.
readonly comment_limit=60000

# render PLAN FILE BYTES [PART] renders a plan once more, or a part of it such as 2/3.
render() {
  "$GWPLAN_BINARY" diff --color=never --from="$1" -o markdown="$2" \
    --comment-id="$GWPLAN_COMMENT_ID" --max-bytes="$3" ${4:+--part="$4"} \
    --repository-url="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" >/dev/null 2>&1
}

# code TEXT prints a text as a code span of one line. It may hold names of
# untrusted files: nothing in it is a link, a mention or the end of the span.
code() {
  printf '`%s`' "$(printf '%s' "$1" | LC_ALL=C tr '`\n' "' " | LC_ALL=C tr -c ' -~' '?' | cut -c 1-300)"
}

# no_result COMMIT REASON prints the report of a run that gave none.
no_result() {
  printf '<!-- gwplan:%s -->\n### gwplan: no result\n\nCommit `%s` could not be analysed: %s\n\n[The log](%s) says more.\n' \
    "$GWPLAN_COMMENT_ID" "${1:0:12}" "$(code "$2")" "$(run_url)"
}

# note COMMIT REASON prints the line that goes on top of an older report.
note() {
  printf '> **Commit `%s` could not be analysed**: %s ([log](%s)). What follows is older. <!-- gwplan:note -->\n' \
    "${1:0:12}" "$(code "$2")" "$(run_url)"
}
