#!/usr/bin/env bash
# Builds gwplan from the source of the Action, in whose folder it runs.
set -euo pipefail

# Nothing of the user's own builds is used or left behind.
export CGO_ENABLED=0 GOWORK=off GOFLAGS='-mod=readonly -modcacherw'
export GOMODCACHE=$RUNNER_TEMP/gwplan-go/mod GOCACHE=$RUNNER_TEMP/gwplan-go/build

flags='-s -w'
# The source comes without its history, so that Go knows no version.
if [[ ${GWPLAN_REF:-} =~ ^[A-Za-z0-9_][A-Za-z0-9_./+-]{0,99}$ ]]; then
  flags+=" -X main.ref=$GWPLAN_REF"
fi
mkdir -p "$RUNNER_TEMP/gwplan-bin"
go build -trimpath -buildvcs=false -ldflags "$flags" -o "$RUNNER_TEMP/gwplan-bin/gwplan" ./cmd/gwplan
