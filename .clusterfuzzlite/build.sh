#!/bin/bash
# Builds each fuzz target of the repository for libFuzzer. Targets are found in the sources: a new
# one needs no line here. It runs in the image of the Dockerfile beside it.
set -euo pipefail

# The sources are moved about below, which must not reach a checkout that is mounted.
rm -rf "$WORK/gwplan" "$WORK/go"
mkdir -p "$WORK/gwplan"
cp -r "$SRC/gwplan/." "$WORK/gwplan"
cd "$WORK/gwplan"
module=$(go list -m)

# A toolchain that go.mod asks for comes as a module, and nothing in a module can be overlaid, as
# compile_native_go_fuzzer_v2 does with package testing. A copy of it can.
if [[ $(go env GOROOT) == "$(go env GOMODCACHE)"/* ]]; then
  cp -r "$(go env GOROOT)" "$WORK/go"
  chmod -R u+w "$WORK/go"
  export GOROOT=$WORK/go GOTOOLCHAIN=local PATH=$WORK/go/bin:$PATH
fi

declaration='^func \(Fuzz[A-Za-z0-9_]*\)(f \*testing\.F).*'
count=0
for dir in $(grep -rl --include='*_test.go' "$declaration" . | xargs -n 1 dirname | sort -u); do
  path=${dir#./}
  name=${path//\//_}
  outer=fuzz/$name # of the tests in a package of their own, PACKAGE_test, which no program can import
  mkdir -p "$outer"
  for file in "$dir"/*_test.go; do
    if grep -q '^package [a-z0-9_]*_test$' "$file"; then
      sed "s/^package .*_test\$/package $name/" "$file" > "$outer/$(basename "$file" _test.go)_outer.go"
      rm "$file" # or it would be taken for a file of the package itself
    fi
  done
  if [[ -d $dir/testdata ]]; then
    cp -r "$dir/testdata" "$outer/" # for what they embed
  fi
  for from in "$outer" "$path"; do
    for function in $(sed -n "s/$declaration/\\1/p" "$from"/*.go); do
      compile_native_go_fuzzer_v2 "$module/$from" "$function" "${name}_$function"
      test -x "$OUT/${name}_$function" # the script may fail without saying so
      count=$((count + 1))
    done
  done
done
echo "$count fuzz targets"
test "$count" -gt 0
