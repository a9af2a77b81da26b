#!/usr/bin/env bash
# Measures the schema validator beside valijson and Ajv, in one run, and prints the table of framework/src/schema/README.md.
#
# usage: run.sh [BUILD-FOLDER] [MILLISECONDS]     a configured release build (default build/release); time a measurement (200)
#
# Needs the network once: it unpacks Debian's package libvalijson-dev into the build folder (installing it would pull in
# hundreds of packages) and installs the pinned Ajv there with npm.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd)
work=$build/bench-schema
mkdir -p "$work"

if [[ ! -d $work/valijson/usr/include/valijson ]]; then
  echo "unpacking libvalijson-dev into $work/valijson" >&2
  (cd "$work" && apt-get download libvalijson-dev >&2 && dpkg-deb -x libvalijson-dev_*.deb valijson)
fi
command -v npm >/dev/null || { echo "run.sh: npm is missing (Debian's package npm has it)" >&2; exit 1; }
cp "$here"/*.mjs "$here/package.json" "$here/package-lock.json" "$work"
if ! cmp -s "$here/package-lock.json" "$work/installed"; then
  (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
  cp "$here/package-lock.json" "$work/installed"
fi
cmake -S "$root" -B "$build" -DTOOLWIRE_BUILD_BENCHMARKS=ON >/dev/null
cmake --build "$build" --target toolwire-bench-schema >&2
cd "$work"
exec node compare.mjs "$build/bin/toolwire-bench-schema" "${2:-200}"
