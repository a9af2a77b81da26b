#!/usr/bin/env bash
# Holds the release build's server to the lines of ../README.md, beside two raw C loops and a server of the TypeScript
# SDK v2.
#
# usage: run.sh [OPTION...]      those of toolwire-bench-lines: --line NAME (only this one), --names, --rounds N, --json FILE
#
# Builds into build/release. Needs the network once: npm installs the SDK below the build folder (see
# ../typescript/install.sh). Without npm, or elsewhere than on x86-64, the lines beside it are left out.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/build/release
work=$build/bench-typescript

(cd "$root" && cmake --preset release --log-level=WARNING >&2)
cmake --build "$build" --target toolwire-bench-lines >&2
beside=()
if bash "$here/../typescript/install.sh" "$work"; then
  beside=(--typescript "'$work/node_modules/.bin/node' '$work/stdio.mjs'")
else
  echo "run.sh: no TypeScript server to measure beside ours; its lines are left out" >&2
fi
exec "$build/bin/toolwire-bench-lines" "${beside[@]}" "$@"
