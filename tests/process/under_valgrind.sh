#!/usr/bin/env bash
# A server says under valgrind what it says without: valgrind knows no long doubles, which bounds of numbers are.
#
# usage: under_valgrind.sh PROGRAM TOOL ARGUMENTS
set -euo pipefail
program=$1 tool=$2 arguments=$3

conversation='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"'$tool'","arguments":'$arguments'}}'

expected=$("$program" <<<"$conversation" | sort)
found=$(valgrind --tool=none -q "$program" <<<"$conversation" | sort) || { echo "it ends with $? under valgrind"; exit 1; }
[[ $(wc -l <<<"$expected") == 3 && $expected == *'"id":3'* ]] || { printf 'expected three answers:\n%s\n' "$expected"; exit 1; }
[[ $found == "$expected" ]] || { printf 'expected:\n%s\nfound under valgrind:\n%s\n' "$expected" "$found"; exit 1; }
