#!/usr/bin/env bash
# Installs the pinned MCP clients, and the Node that runs them, into DIR. The source tree stays untouched.
#
# usage: install.sh DIR [--only-v2]     --only-v2 leaves out the v1 client and the Inspector, which the demonstration does not need
#
# Copies the runners (*.mjs) there as well, for they find the clients beside themselves. Installs nothing when DIR
# already holds what the lock file asks for. The packages' own install scripts are not run.
set -euo pipefail

if [[ $# -lt 1 || $# -gt 2 || ( $# -eq 2 && $2 != --only-v2 ) ]]; then
  echo "usage: install.sh DIR [--only-v2]" >&2
  exit 2
fi
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$1
packages=${2:-everything}
hash=$(cat "$source_dir/package.json" "$source_dir/package-lock.json" | sha256sum | cut -d' ' -f1)

mkdir -p "$target"
cd "$target"
exec 9>lock
flock 9  # two test runs may share DIR
cp -u "$source_dir"/*.mjs "$source_dir"/official_known.json .
installed=$(cat installed 2>/dev/null || true)
[[ $installed == "$hash everything" || $installed == "$hash $packages" ]] && exit 0

command -v npm >/dev/null || { echo "install.sh: npm is missing (Debian's package npm has it)" >&2; exit 1; }
echo "installing the MCP clients that tests/hosts/package.json names into $target"
rm -f installed
cp "$source_dir/package.json" "$source_dir/package-lock.json" .
# Debian's Node is older than some packages ask for. npm would only warn: they run on the Node that is installed here.
npm ci $([[ $packages == everything ]] || echo --omit=dev) --ignore-scripts --no-audit --no-fund --loglevel=error 9>&-
node_modules/.bin/node --version >/dev/null || {
  echo "install.sh: npm installed a Node that does not run here; expected Linux with glibc on x86-64" >&2
  exit 1
}
echo "$hash $packages" >installed
