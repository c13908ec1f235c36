# How a step talks to GitHub: by gh, and again where that helps. Sourced, never
# run.
# shellcheck shell=bash

# What a step may wait in all, in seconds, and how often it tries.
readonly patience=180
readonly most_tries=6

# host tells gh about a server of one's own, for which it reads other names.
host() {
  if [ "$GITHUB_SERVER_URL" != https://github.com ]; then
    export GH_HOST=${GITHUB_SERVER_URL#*://} GH_ENTERPRISE_TOKEN=$GH_TOKEN
  fi
}

# api FILE ARGUMENTS runs gh api; the body goes to FILE, and status, headers and
# messages to where failed and pause look for them.
api() {
  local body=$1 code=0
  shift
  gh api --include "$@" 2>"$work/error" | tr -d '\r' >"$work/response" || code=$?
  LC_ALL=C sed '/^$/q' "$work/response" >"$work/headers"
  LC_ALL=C sed '1,/^$/d' "$work/response" >"$work/body"
  cat "$work/body" >"$body"
  return "$code"
}

# status prints the HTTP status of the last answer, or nothing where none came.
status() {
  sed -n '1s/^HTTP[^ ]* \([0-9][0-9][0-9]\).*/\1/p' "$work/headers"
}

# header NAME prints a header of the last answer if it is a number.
header() {
  LC_ALL=C awk -v name="$1" -F ': *' 'tolower($1) == name && $2 ~ /^[0-9]+$/ && length($2) < 12 { print $2; exit }' "$work/headers"
}

# says PATTERN looks for a word in the last answer.
says() {
  grep -qiE "$1" "$work/error" "$work/body"
}

# limited says whether the last answer was a rate limit: 429, or 403 and one of
# the signs that GitHub documents. GraphQL answers 200.
limited() {
  case $(status) in
    429) return 0 ;;
    403) [ -n "$(header retry-after)" ] || [ "$(header x-ratelimit-remaining)" = 0 ] || says 'secondary rate limit|rate limit exceeded' ;;
    200) says '"RATE_LIMITED"|secondary rate limit' ;;
    *) return 1 ;;
  esac
}

# refused says whether the token may not do this, now or later.
refused() {
  ! limited && { [ "$(status)" = 403 ] || says 'Resource not accessible'; }
}

# too_large says whether GitHub found the text too long.
too_large() {
  [ "$(status)" = 422 ] || says 'body is too long|"UNPROCESSABLE"'
}

# outage says whether the server failed, or none could be reached.
outage() {
  case $(status) in
    5??) return 0 ;;
    200) says 'something went wrong while executing your query' ;;
    '') ! says 'GH_TOKEN|gh auth login' ;;
    *) return 1 ;;
  esac
}

# pause TRIES prints how many seconds to wait after so many tries, and fails
# where another is of no use.
pause() {
  local wait reset
  if limited; then
    wait=$(header retry-after)
    reset=$(header x-ratelimit-reset)
    if [ -z "$wait" ] && [ "$(header x-ratelimit-remaining)" = 0 ] && [ -n "$reset" ]; then
      wait=$((reset - $(date +%s) + 1))
    fi
    # GitHub asks for a minute where it does not say how long.
    wait=${wait:-60}
  elif outage; then
    wait=$((1 << $1))
  else
    return 1
  fi
  [ "$wait" -gt 0 ] || wait=1
  printf '%d' "$wait"
}

# persist COMMAND runs it until it succeeds, waiting longer each time, as long
# as that helps and patience lasts. `tries` says how often it was run.
persist() {
  local waited=0 wait
  tries=1
  until "$@"; do
    wait=$(pause "$tries") || return 1
    waited=$((waited + wait))
    [ "$tries" -lt "$most_tries" ] && [ "$waited" -le "$patience" ] || return 1
    printf 'GitHub did not answer as it should%s; trying again in %d seconds\n' "$(status | sed 's/^/: HTTP /')" "$wait"
    sleep "$wait"
    tries=$((tries + 1))
  done
}
