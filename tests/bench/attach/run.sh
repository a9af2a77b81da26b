#!/usr/bin/env bash
# What a bridge costs that many hosts share, and what it saves: builds the release preset, installs the servers of npm
# that the crowd shares, and prints a table.
#
# usage: run.sh [OPTION...]      those of toolwire-bench-attach: --rounds N, --quick, --json FILE, --proxy WORD...
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
(cd "$root" && cmake --preset release --log-level=WARNING >&2)
cmake --build "$root/build/release" --target toolwire-bench-attach >&2
bash "$root/tests/hosts/install.sh" "$root/build/hosts" >&2
exec "$root/build/release/bin/toolwire-bench-attach" --npm "$root/build/hosts" "$@"
