#!/usr/bin/env bash
# Holds the release build's server to the lines of ../README.md, beside two raw C loops and a server of the TypeScript
# SDK v2.
#
# usage: run.sh [OPTION...]      those of toolwire-bench-lines: --line NAME (only this one), --names, --rounds N, --json FILE
#
# Builds into build/release. Needs the network once: npm installs what typescript/package-lock.json pins below the build
# folder (about 200 MB, most of it Node). Without npm, or elsewhere than on x86-64, the lines beside it are left out.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/build/release
work=$build/bench-typescript

install_typescript() {
  [[ $(uname -m) == x86_64 ]] && command -v npm >/dev/null || return 1
  mkdir -p "$work"
  cp "$here"/typescript/{echo.mjs,package.json,package-lock.json} "$work"
  cmp -s "$here/typescript/package-lock.json" "$work/installed" && return 0
  (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2) || return 1
  cp "$here/typescript/package-lock.json" "$work/installed"
}

(cd "$root" && cmake --preset release --log-level=WARNING >&2)
cmake --build "$build" --target toolwire-bench-lines >&2
beside=()
if install_typescript; then
  beside=(--typescript "'$work/node_modules/.bin/node' '$work/echo.mjs'")
else
  echo "run.sh: no TypeScript server to measure beside ours; its lines are left out" >&2
fi
exec "$build/bin/toolwire-bench-lines" "${beside[@]}" "$@"
