#!/usr/bin/env bash
# Unpacks a release archive of toolwire-conformance, if it is the one that is meant.
#
# usage: install.sh URL SHA256 FOLDER    FOLDER/bin/toolwire-conformance is the program then
# Exit status: 0 it is there and starts, 1 it could not be had or is another archive, 2 the usage
set -euo pipefail

if [[ $# -ne 3 || ! $2 =~ ^[0-9a-f]{64}$ ]]; then
  echo "install.sh: expected URL SHA256 FOLDER, the SHA-256 with 64 digits (0-9, a-f)" >&2
  exit 2
fi
archive=$(mktemp)
trap 'rm -f "$archive"' EXIT
curl --fail --silent --show-error --location --retry 3 --output "$archive" "$1" || exit 1
if ! sha256sum --check --status <<<"$2  $archive"; then
  echo "install.sh: $1: expected the SHA-256 $2, found $(sha256sum <"$archive" | cut -d ' ' -f 1)" >&2
  exit 1
fi
mkdir -p "$3"
tar --extract --gzip --file "$archive" --directory "$3" --strip-components 1
"$3/bin/toolwire-conformance" --version
