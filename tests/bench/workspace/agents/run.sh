#!/usr/bin/env bash
# Ten tasks of an agent with `workspace`, in two agents of npm: installs them into build/bench-agents (about 700 MB) and
# prints a table for each. Needs git and universal-ctags. Linux on x86-64.
#
# usage: run.sh WORKSPACE [--runs N] [--agent NAME]
set -euo pipefail

workspace=$(realpath "$1")
shift
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$source_dir/../../../.." && pwd)
target=$repository/build/bench-agents
mkdir -p "$target"
cp "$source_dir"/*.json "$source_dir"/*.mjs "$repository"/tests/hosts/{agent_tasks,expect,agents/dialects,agents/scripted_model}.mjs "$target"
cd "$target"
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
exec node_modules/.bin/node measure.mjs "$workspace" "$repository" "$@"
