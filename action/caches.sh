#!/usr/bin/env bash
# Names the caches of Go for a build of gwplan. actions/setup-go takes its key
# from files of the workspace only, and those are not ours; its folders are those
# of the user's own builds.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=runner.sh
. "$here/runner.sh"

sum=$(cat go.mod go.sum | git hash-object --stdin)
output folder "$RUNNER_TEMP/gwplan-go"
output prefix "gwplan-$RUNNER_OS-$RUNNER_ARCH-$sum-"
output key "gwplan-$RUNNER_OS-$RUNNER_ARCH-$sum-$(LC_ALL=C tr -c 'A-Za-z0-9._-' _ <<<"${GWPLAN_REF:-local}" | cut -c 1-100)"
