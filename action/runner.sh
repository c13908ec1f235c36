# How a step talks to the runner that starts it. Sourced, never run.
# shellcheck shell=bash

# random prints a word that no input can guess.
random() {
  od -An -N16 -tx1 /dev/urandom | tr -d ' \n'
}

# output NAME VALUE sets an output of the step. The delimiter is random, so that
# no value can end itself and set another output; it is made once for each step.
delimiter=''
output() {
  [ -n "$delimiter" ] || delimiter="gwplan_$(random)"
  printf '%s<<%s\n%s\n%s\n' "$1" "$delimiter" "$2" "$delimiter" >>"$GITHUB_OUTPUT"
}

# tell LEVEL MESSAGE annotates the run; LEVEL is notice, warning or error.
# Escaped as actions/toolkit does (command.ts).
tell() {
  local message=$2
  message=${message//'%'/%25}
  message=${message//$'\r'/%0D}
  message=${message//$'\n'/%0A}
  printf '::%s title=gwplan::%s\n' "$1" "$message"
}

# run_url prints the address of this workflow run.
run_url() {
  printf '%s/%s/actions/runs/%s' "$GITHUB_SERVER_URL" "$GITHUB_REPOSITORY" "$GITHUB_RUN_ID"
}
