#!/usr/bin/env bash
# Builds the packages of this repository into build/release/packages. Packed twice, a build gives the same bytes.
#
# usage: build.sh
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
bash tests/support/install.sh packages >&2
# What is packed bears the time of the last commit, or of these sources where there is no repository.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)}
export SOURCE_DATE_EPOCH
cmake --preset release --log-level=WARNING >&2
cmake --build build/release --target toolwire_packed >&2
cpack --config build/release/CPackConfig.cmake -B build/release/packages >&2
ls -l build/release/packages/*.deb
