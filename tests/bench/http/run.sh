#!/usr/bin/env bash
# What a call over HTTP costs, beside a raw loop that parses nothing: builds the release preset and prints a table.
#
# usage: run.sh [--quick]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
(cd "$root" && cmake --preset release --log-level=WARNING >&2)
cmake --build "$root/build/release" --target toolwire-bench-http >&2
exec "$root/build/release/bin/toolwire-bench-http" "$@"
