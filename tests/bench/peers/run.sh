#!/usr/bin/env bash
# What many peers of one server cost, and what each notices of the others: builds the release preset and prints a table.
#
# usage: run.sh [OPTION...]      those of toolwire-bench-peers: --rounds N, --quick, --json FILE
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
(cd "$root" && cmake --preset release --log-level=WARNING >&2)
cmake --build "$root/build/release" --target toolwire-bench-peers >&2
exec "$root/build/release/bin/toolwire-bench-peers" "$@"
