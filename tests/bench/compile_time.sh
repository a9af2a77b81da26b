#!/usr/bin/env bash
# How long the hello server takes to compile without optimisation, beside a file that only includes Boost.JSON: median of five
# rounds each, in turn, user seconds. The framework's promise is a ratio of at most 2.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
compiler=${CXX:-g++}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo '#include <boost/json.hpp>' >"$folder/boost_json.cpp"

user_seconds() { { TIMEFORMAT=%U; time "$compiler" -std=c++20 -O0 -Iframework/include -c "$1" -o "$folder/out.o"; } 2>&1; }
median() { sort -n | sed -n 3p; }

for _ in 1 2 3 4 5; do
  user_seconds "$folder/boost_json.cpp" >>"$folder/boost_json"
  user_seconds servers/hello/main.cpp >>"$folder/hello"
done
alone=$(median <"$folder/boost_json")
hello=$(median <"$folder/hello")
echo "$compiler: hello $hello s, <boost/json.hpp> alone $alone s, ratio $(awk "BEGIN { printf \"%.2f\", $hello / $alone }")"
