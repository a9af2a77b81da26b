#!/usr/bin/env bash
# Puts the servers of this folder, and what package-lock.json pins for them (Node among it), into FOLDER. Needs the
# network once, about 200 MB. Ends with 1 without npm, and elsewhere than on x86-64.
#
# usage: install.sh FOLDER
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$1

[[ $(uname -m) == x86_64 ]] && command -v npm >/dev/null || exit 1
mkdir -p "$work"
cp "$here"/*.mjs "$here"/package.json "$here"/package-lock.json "$work"
if ! cmp -s "$here/package-lock.json" "$work/installed"; then
  (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
  cp "$here/package-lock.json" "$work/installed"
fi
