#!/usr/bin/env bash
# How long small servers take to compile at -O2, in CPU seconds, beside a file that only includes the same standard headers and
# <boost/json/value.hpp>: the least of nine rounds each, in turn.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
compiler=${CXX:-g++}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cpu_seconds() {
  { TIMEFORMAT='%U %S'; time "$compiler" -std=c++20 -O2 -Iframework/include -c "$1" -o "$folder/out.o"; } 2>&1 | awk '{ print $1 + $2 }'
}
# What a program includes by way of ours, that is not ours.
included_by() {
  "$compiler" -std=c++20 -Iframework/include -M "$1" | tr ' \\' '\n\n' | grep '^framework/' | sort -u |
    xargs grep -hoE '^#include <([a-z_]+|boost/[^>]+)>' "$1" | sort -u
}

for program in servers/hello/main.cpp framework/examples/short_tool.cpp framework/examples/testing.cpp; do
  included_by "$program" >"$folder/headers.cpp"
  : >"$folder/ours"
  : >"$folder/theirs"
  for _ in 1 2 3 4 5 6 7 8 9; do
    cpu_seconds "$folder/headers.cpp" >>"$folder/theirs"
    cpu_seconds "$program" >>"$folder/ours"
  done
  ours=$(sort -n "$folder/ours" | head -n 1)
  theirs=$(sort -n "$folder/theirs" | head -n 1)
  echo "$program ($(wc -l <"$program") lines): $ours s, its standard headers and Boost.JSON $theirs s, $(awk "BEGIN { printf \"%.2f\", $ours / $theirs }") x"
done
