# The released gwplan for the ref that a workflow pins. Sourced, never run.
# shellcheck shell=bash
#
# Each function sets `reason` where it fails. That there is no such thing is
# answered by `absent`; whatever else is wrong must not be used.
readonly absent=10 wrong=1

# platform prints the system and architecture of the runner as releases name them.
platform() {
  case $RUNNER_OS in
    Linux) printf linux ;;
    macOS) printf darwin ;;
    Windows) printf windows ;;
    *) return 1 ;;
  esac
  case $RUNNER_ARCH in
    X64) printf _amd64 ;;
    ARM64) printf _arm64 ;;
    *) return 1 ;;
  esac
}

# tagged REF sets `tag` and `digest`: the version that a ref is, and its commit.
# A commit, a branch and v1 are the version whose tag is at the same commit. The
# list of tags is public; no credentials are sent.
tagged() {
  local refs
  reason="the tags of $GWPLAN_REPOSITORY cannot be listed"
  refs=$(cd "$RUNNER_TEMP" && GIT_TERMINAL_PROMPT=0 GIT_ASKPASS='' git -c credential.helper= ls-remote --quiet \
    "$GITHUB_SERVER_URL/$GWPLAN_REPOSITORY" 2>/dev/null) || return "$absent"
  # An annotated tag is followed by a line for its commit, with ^{}.
  digest=$1
  [[ $1 =~ ^[0-9a-f]{40}$ ]] || digest=$(awk -v ref="$1" '
    $2 == "refs/heads/" ref && !tag { id = $1 }
    $2 == "refs/tags/" ref || $2 == "refs/tags/" ref "^{}" || $2 == ref || $2 == ref "^{}" { id = $1; tag = 1 }
    END { print id }' <<<"$refs")
  tag=$(awk -v id="$digest" '
    { name = $2; sub(/\^\{\}$/, "", name); at[name] = $1 }
    END { for (name in at) if (at[name] == id && name ~ /^refs\/tags\/v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$/) print substr(name, 11) }' \
    <<<"$refs" | sort | tail -n 1)
  reason="$1 is no released version"
  [ -n "$tag" ] || return "$absent"
}

# again COMMAND runs gh up to three times: what it asks may be down for a moment.
again() {
  local try
  for try in 1 2 4; do
    "$@" >"$work/said" 2>&1 && return
    ! grep -qE 'not found|no assets|HTTP 40[0-9]' "$work/said" || return 1
    [ "$try" -eq 4 ] || sleep "$try"
  done
  return 1
}

# download brings the archive and the list of checksums.
download() {
  again gh release download "$tag" --repo "$GWPLAN_REPOSITORY" --dir "$work/assets" --clobber \
    --pattern "$archive" --pattern checksums.txt && [ -s "$work/assets/$archive" ] && return
  reason="release $tag of $GWPLAN_REPOSITORY gave no $archive"
  return "$absent"
}

# sum FILE prints its SHA-256.
sum() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

# matches compares the archive with the list of checksums.
matches() {
  local want=''
  [ ! -s "$work/assets/checksums.txt" ] ||
    want=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$work/assets/checksums.txt")
  reason="the checksum of $archive in release $tag is not the one in checksums.txt"
  [[ $want =~ ^[0-9a-f]{64}$ ]] && [ "$want" = "$(sum "$work/assets/$archive")" ] || return "$wrong"
}

# attested asks for the provenance of the archive: made by the release workflow
# of this repository, from the very commit that is pinned.
attested() {
  reason='this gh cannot verify attestations; it is too old'
  [[ $(gh attestation verify --help 2>&1) == *--source-digest* ]] || return "$absent"
  reason="the attestation of $archive in release $tag cannot be verified"
  again gh attestation verify "$work/assets/$archive" --repo "$GWPLAN_REPOSITORY" \
    --signer-workflow "$GWPLAN_REPOSITORY/.github/workflows/release.yml" \
    --source-ref "refs/tags/$tag" --source-digest "$digest" --deny-self-hosted-runners || return "$wrong"
}

# unpack FILE FOLDER takes the program out of the archive, and nothing else.
unpack() {
  reason="$archive holds no gwplan"
  case $archive in
    *.zip) unzip -q -o "$work/assets/$archive" gwplan.exe -d "$1" ;;
    *) tar -xzf "$work/assets/$archive" -C "$1" gwplan ;;
  esac >/dev/null 2>&1 || return "$wrong"
}

# release FOLDER puts the released gwplan there, once all of it is verified.
release() {
  local tag digest archive on
  reason='the ref of the Action is not known'
  [[ $GWPLAN_REPOSITORY =~ ^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$ && $GWPLAN_REF =~ ^[A-Za-z0-9_][A-Za-z0-9_./-]*$ ]] || return "$absent"
  reason="there are no releases for $RUNNER_OS on $RUNNER_ARCH"
  on=$(platform) || return "$absent"
  reason='there is no gh on this runner'
  command -v gh >/dev/null || return "$absent"
  tagged "$GWPLAN_REF" || return
  archive=gwplan_${tag#v}_$on.tar.gz
  [ "$RUNNER_OS" != Windows ] || archive=${archive%.tar.gz}.zip
  download && matches && attested && unpack "$1"
}
