#!/usr/bin/env bash
# Builds the TypeScript runtime in DIR, with the packages its lock file names, and beside it, in DIR/language_tools, the
# tools that are written alike in every language; runs the runtime's own tests. The source tree stays untouched.
#
# usage: typescript_runtime.sh build DIR     typescript_runtime.sh test DIR
set -euo pipefail
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../bridge/runtimes/typescript" && pwd)
tools_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../support/data/language_tools/typescript" && pwd)
what=$1
target=$2

# Of the files' names and contents.
hash_of() { find "$@" -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1; }

build() {
  command -v npm >/dev/null || { echo "typescript_runtime.sh: npm is missing (Debian's package npm has it)" >&2; exit 1; }
  local sources packages_hash hash
  sources=("$source_dir"/{package.json,package-lock.json,tsconfig.json,README.md,src,test})
  packages_hash=$(hash_of "${sources[@]:0:2}")
  hash=$(hash_of "${sources[@]}" "$tools_dir" "${BASH_SOURCE[0]}")
  mkdir -p "$target"
  cd "$target"
  exec 9>lock
  flock 9  # two test runs may share DIR: the second finds what it wants, and leaves it to whoever is reading it
  if [[ $(cat built 2>/dev/null || true) == "$hash" ]]; then return; fi
  rm -rf built src test dist language_tools language_tools_source
  cp -r "${sources[@]}" .
  cp -r "$tools_dir" language_tools_source  # here "@toolwire/runtime" and "zod" are found, by the compiler as well
  if [[ $(cat installed 2>/dev/null || true) != "$packages_hash" ]]; then
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error 9>&-
    echo "$packages_hash" >installed
  fi
  npm run build
  node node_modules/typescript/bin/tsc --target es2022 --module nodenext --types node --strict --noUnusedLocals \
    --skipLibCheck --rootDir language_tools_source --outDir language_tools language_tools_source/*.ts
  echo "$hash" >built
}

case $what in
  build) build ;;
  test) cd "$target" && npm test ;;
  *) echo "typescript_runtime.sh: expected build or test, found \"$what\"" >&2; exit 2 ;;
esac
