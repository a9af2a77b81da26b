#!/usr/bin/env bash
# Builds all packages of this repository into build/release/packages. Packed twice, a build gives the same bytes.
#
# usage: build.sh [OPTION of make_packages.py...]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
bash tests/support/install.sh packages >&2
# What is packed bears the time of the last commit, or of these sources where there is no repository.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)}
export SOURCE_DATE_EPOCH
cmake --preset release --log-level=WARNING >&2
cmake --build build/release --target toolwire_packed toolwire_static >&2
cpack --config build/release/CPackConfig.cmake -B build/release/packages >&2
rm -rf build/release/installed
cmake --install build/release --component tools --prefix "$PWD/build/release/installed" >/dev/null
/usr/bin/python3 framework/packaging/make_packages.py --programs build/release/installed --out build/release/packages "$@" >/dev/null
/usr/bin/python3 framework/packaging/make_static_archive.py --build build/release --programs build/release/installed \
  --out build/release/packages >/dev/null
(cd build/release/packages && find . -path ./_CPack_Packages -prune -o -path './plugins/*/*' -prune -o -type f -print | sort)
