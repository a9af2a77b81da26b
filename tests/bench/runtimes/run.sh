#!/usr/bin/env bash
# The runtimes for Python and TypeScript, each behind the bridge, beside servers of npm: from the start to the first
# answer, and a call. Builds into build/release; needs the network once, for npm.
#
# usage: run.sh [OPTION...]      those of toolwire-bench-runtimes: --rounds N, --calls N
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/build/release
work=$build/bench-runtimes

(cd "$root" && cmake --preset release --log-level=WARNING >&2)
cmake --build "$build" --target toolwire-bench-runtimes toolwire-bridge >&2
bash "$root/tests/process/typescript_runtime.sh" build "$build/runtimes/typescript" >&2
mkdir -p "$work/runtimes"
cp "$here"/servers/* "$work"
(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
ln -sfn "$root/bridge/runtimes/python" "$work/runtimes/python"
ln -sfn "$build/runtimes/typescript" "$work/runtimes/typescript"
TOOLWIRE_RUNTIMES=$work/runtimes exec "$build/bin/toolwire-bench-runtimes" --npm "$work" --programs "$build/bin" "$@"
