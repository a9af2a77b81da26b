#!/usr/bin/env bash
# `toolwire install` and our plugins with the hosts that npm carries: installs these into build/host-agents (2 GB), puts `workspace`
# into each, has it listed and called, and takes it out again. Linux on x86-64.
#
# usage: run.sh BIN [--plugins FOLDER] [HOST...]     BIN: the folder of the programs; FOLDER: build/release/packages/plugins
set -euo pipefail

programs=$(realpath "$1")
shift
if [[ ${1:-} == --plugins ]]; then
  set -- --plugins "$(realpath "$2")" "${@:3}"
fi
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$source_dir/../../../build/host-agents
mkdir -p "$target/bin"
cp "$source_dir"/*.json "$source_dir"/*.mjs "$source_dir/../expect.mjs" "$target"
cd "$target"
# Not `npm ci`, which wants the programs of other machines in the lock file, too.
npm install --ignore-scripts --no-audit --no-fund --loglevel=error >&2
# What their own scripts would do after the installation.
ln -sf ../node_modules/@anthropic-ai/claude-code-linux-x64/claude bin/claude
ln -sf ../node_modules/opencode-linux-x64/bin/opencode bin/opencode
exec node_modules/.bin/node installed.mjs --programs "$programs" "$@"
