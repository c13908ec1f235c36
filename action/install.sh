#!/usr/bin/env bash
# Decides where gwplan comes from, and brings a released one. What is built from
# source is left to the steps that follow.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=runner.sh
. "$here/runner.sh"
# shellcheck source=api.sh
. "$here/api.sh"
# shellcheck source=release.sh
. "$here/release.sh"

# from BINARY SOURCE sets the outputs.
from() {
  output binary "$1"
  output source "$2"
}

main() {
  local work reason='' code=0 folder=$RUNNER_TEMP/gwplan-bin
  case $GWPLAN_INSTALL in
    none) from gwplan false && return ;;
    source) from "$folder/gwplan" true && return ;;
    auto | binary) ;;
    *) tell error 'the input install must match auto|binary|source|none' && return 2 ;;
  esac
  host
  work=$(mktemp -d "$RUNNER_TEMP/gwplan-install.XXXXXXXX")
  mkdir -p "$folder"
  release "$folder" || code=$?
  if [ "$code" -eq 0 ]; then
    printf 'gwplan is the released one, with its checksum and attestation verified\n'
    from "$folder/gwplan" false
  elif [ "$code" -eq "$absent" ] && [ "$GWPLAN_INSTALL" = auto ]; then
    printf 'gwplan is built from source: %s\n' "$reason"
    from "$folder/gwplan" true
  else
    # What gh said may hold anything that a server sends.
    [ ! -s "$work/said" ] || sed 's/^/gh said: /' "$work/said"
    tell error "$reason"
    return 1
  fi
}

main
