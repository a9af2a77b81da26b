#!/usr/bin/env bash
# Shows toolwire at work: a real MCP client starts the workspace server on this repository, lists its tools, searches
# the sources and reads a file. Ends with the line to paste into an editor.
#
# Works from any directory. Installs what is missing on Debian 12 and newer first and says so; in the repository it writes below
# build/ only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bash tests/support/install.sh build hosts

echo "== building the workspace server in build/release"
# Without the tests, for they need packages that the demonstration does not; tests/run.sh turns them on again.
cmake --preset release -DTOOLWIRE_BUILD_TESTS=OFF -DTOOLWIRE_BUILD_BENCHMARKS=OFF --log-level=WARNING >/dev/null
cmake --build build/release --parallel 2 --target workspace

bash tests/hosts/install.sh build/hosts --only-v2
cp servers/demo/demo.mjs build/hosts/
exec build/hosts/node_modules/.bin/node build/hosts/demo.mjs "$PWD/build/release/bin/workspace" "$PWD"
