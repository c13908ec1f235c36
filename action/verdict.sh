#!/usr/bin/env bash
# The last step: says what went wrong, and ends with gwplan's exit code.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=runner.sh
. "$here/runner.sh"

if [ "$GWPLAN_UPLOAD" = failure ]; then
  tell notice 'code scanning did not take the SARIF file (not enabled, or no security-events: write); the findings are in the job summary'
fi

# reasons annotates the run with what gwplan says of each flag that fails it.
reasons() {
  local line
  [ -s "${GWPLAN_REASONS:-}" ] || return 1
  while IFS= read -r line; do
    tell error "$line"
  done < <(head -n 5 "$GWPLAN_REASONS")
}

case $GWPLAN_EXIT_CODE in
  0) ;;
  1 | 3) reasons && exit "$GWPLAN_EXIT_CODE" ;;
esac
case $GWPLAN_EXIT_CODE in
  0) ;;
  1) tell error 'there are new findings at or above fail-on, new access, or the changes that --exit-code asks about' ;;
  2) tell error 'gwplan was called or configured wrongly; the log of the analysis says how' ;;
  *) tell error 'gwplan could not analyse; the log of the analysis says why' ;;
esac
exit "$GWPLAN_EXIT_CODE"
