#!/usr/bin/env bash
# How many tokens tools/list costs with and without a search, for servers of npm: installs them into
# build/bench-search (about 250 MB) and prints a table.
#
# usage: run.sh TOOLWIRE_BRIDGE
set -euo pipefail

bridge=$(realpath "$1")
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$(cd "$source_dir/../../.." && pwd)/build/bench-search
mkdir -p "$target"
cp "$source_dir"/package.json "$source_dir"/package-lock.json "$source_dir"/measure.mjs "$target"
cd "$target"
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
exec node_modules/.bin/node measure.mjs "$bridge"
