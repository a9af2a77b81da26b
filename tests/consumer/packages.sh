#!/usr/bin/env bash
# The Debian packages of a build: made twice with the same bytes, judged by lintian, unpacked somewhere and used there.
# With a folder of a fresh Debian 12 (debootstrap), also from_nothing.sh.
#
# usage: packages.sh BUILD WORK [FRESH_ROOT]
set -euo pipefail
build=$1 work=$2 fresh=${3:-}

rm -rf "$work"
mkdir -p "$work"
export SOURCE_DATE_EPOCH=1700000000
for run in 1 2; do
  cpack --config "$build/CPackConfig.cmake" -B "$work/$run" >"$work/cpack.$run" 2>&1 || { cat "$work/cpack.$run"; exit 1; }
done
tools=$(echo "$work"/1/toolwire-tools_*.deb) library=$(echo "$work"/1/libtoolwire-dev_*.deb)
for package in "$tools" "$library"; do
  cmp "$package" "$work/2/$(basename "$package")"
  echo "$(basename "$package"): $(stat -c %s "$package") bytes"
done

if command -v lintian >/dev/null; then
  lintian --fail-on error,warning,info "$tools" "$library"
else
  echo "NOT JUDGED: lintian is missing"
fi

/usr/bin/python3 -B "$(dirname "$0")/packed/published.py" debian "$work/1"

handshake='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"packages","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}'
list='{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
# talk LINE WORD COMMAND...: its answer to LINE has WORD in it.
talk() {
  local line=$1 word=$2
  shift 2
  if ! "$@" <<<"$handshake"$'\n'"$line" >"$work/said" 2>"$work/errors" || ! grep -qF "$word" "$work/said"; then
    echo "$*: expected $word"
    cat "$work/said" "$work/errors"
    exit 1
  fi
}

# What is unpacked serves from wherever it is.
dpkg-deb -x "$tools" "$work/unpacked"
for file in toolwire.cdx.json third-party-licences.txt; do
  [[ -s $work/unpacked/usr/share/doc/toolwire-tools/$file ]] || { echo "expected $file among the documents"; exit 1; }
done
mv "$work/unpacked/usr" "$work/moved"
bin=$work/moved/bin
XDG_STATE_HOME=$(mktemp -d)  # of a short name: sockets are in it
export XDG_STATE_HOME XDG_RUNTIME_DIR=
trap 'rm -rf "$XDG_STATE_HOME"' EXIT
for program in toolwire toolwire-attach toolwire-bridge toolwire-conformance toolwire-schema; do
  "$bin/$program" --version | grep -qx "$program [0-9.]*" || { echo "$program: expected its version"; exit 1; }
done
[[ $("$bin/toolwire" bridge --version) == "$("$bin/toolwire-bridge" --version)" ]]
mkdir "$work/files" "$work/python"
echo hello >"$work/files/note.txt"
talk "$list" '"read_file"' "$bin/workspace" --root "$work/files"
talk "$list" '"read_file"' "$bin/toolwire" bridge attach --idle-seconds 1 -- "$bin/workspace" --root "$work/files"
cat >"$work/python/shout.py" <<'PYTHON'
def tool_info():
    return {"name": "shout", "description": "Says it loudly"}


def tool_function(text: str) -> str:
    return text.upper()
PYTHON
talk '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"shout","arguments":{"text":"here"}}}' HERE \
  "$bin/toolwire-bridge" serve --runtime "py=$work/python"
for program in "$bin"/*; do
  if grep -qaF "$(cd "$(dirname "$0")/../.." && pwd)/" "$program"; then
    echo "$program: expected no path of where it was built"
    exit 1
  fi
done

[[ -n $fresh ]] || exit 0
bash "$(dirname "$0")/from_nothing.sh" "$work/1" "$fresh"
