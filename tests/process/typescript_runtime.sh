#!/usr/bin/env bash
# Builds the TypeScript runtime in DIR, with the packages its lock file names, and runs its tests. The source tree stays
# untouched.
#
# usage: typescript_runtime.sh build DIR     typescript_runtime.sh test DIR
set -euo pipefail
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../bridge/runtimes/typescript" && pwd)
what=$1
target=$2

build() {
  command -v npm >/dev/null || { echo "typescript_runtime.sh: npm is missing (Debian's package npm has it)" >&2; exit 1; }
  local hash
  hash=$(cat "$source_dir/package.json" "$source_dir/package-lock.json" | sha256sum | cut -d' ' -f1)
  mkdir -p "$target"
  cd "$target"
  exec 9>lock
  flock 9  # two test runs may share DIR
  rm -rf src test dist
  cp -r "$source_dir"/{package.json,package-lock.json,tsconfig.json,src,test} .
  if [[ $(cat installed 2>/dev/null || true) != "$hash" ]]; then
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error 9>&-
    echo "$hash" >installed
  fi
  node node_modules/typescript/bin/tsc -p .
}

case $what in
  build) build ;;
  test) cd "$target" && node --test test/runtime.test.mjs test/schema.test.mjs ;;
  *) echo "typescript_runtime.sh: expected build or test, found \"$what\"" >&2; exit 2 ;;
esac
