#!/usr/bin/env bash
# What a call over HTTP costs, beside a raw loop that parses nothing, a server in the shape of Boost.Beast's examples, and
# one of the TypeScript SDK (see ../typescript/install.sh; left out without npm): builds the release preset and prints
# tables.
#
# usage: run.sh [--quick]
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$root/build/release/bench-typescript
(cd "$root" && cmake --preset release --log-level=WARNING >&2)
cmake --build "$root/build/release" --target toolwire-bench-http >&2
beside=()
if bash "$here/../typescript/install.sh" "$work"; then
  beside=("$work/node_modules/.bin/node" "$work/http.mjs")
else
  echo "run.sh: no TypeScript server to measure beside ours" >&2
fi
exec "$root/build/release/bin/toolwire-bench-http" "$@" "${beside[@]}"
