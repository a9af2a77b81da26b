#!/usr/bin/env bash
# Checks the model of the crew exhaustively, and that each fault put into it is found.
#
# usage: check.sh FOLDER [more]     builds in FOLDER; `more`: larger searches too, some minutes and 3 GB
# Ends with 77 where spin or a C compiler is missing.
set -uo pipefail
model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/crew.pml
folder=${1:?check.sh: expected a folder to build in}
for tool in spin gcc; do
  command -v "$tool" >/dev/null || { echo "SKIPPED: $tool is not installed (tests/support/install.sh tests)"; exit 77; }
done
mkdir -p "$folder" && cd "$folder" || exit 1
spin -a "$model" && gcc -O2 -DVECTORSZ=2048 -DSAFETY -w -o pan pan.c || exit 1
failed=0

# search FAULT SCENARIO SCRIPT HARD ALL_TICKS: leaves spin's report in $report
search() { report=$(FAULT=$1 SCENARIO=$2 SCRIPT=$3 HARD=$4 ALL_TICKS=$5 ./pan -m500000 -n 2>&1); }

# holds SCENARIO SCRIPT HARD ALL_TICKS: all states were seen, and none is wrong
holds() {
  search 0 "$@"
  local states; states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' <<<"$report")
  if grep -q 'errors: 0$' <<<"$report" && ! grep -qE 'Search not completed|too small|out of memory' <<<"$report"; then
    printf 'holds    scenario %s, script %2s, bound %s, all ticks %s: %s states\n' "$@" "$states"
  else
    printf 'WRONG    scenario %s, script %2s, bound %s, all ticks %s\n%s\n' "$@" "$report"
    failed=1
  fi
}

# found FAULT SCENARIO SCRIPT WHAT: the model with this fault is refused
found() {
  search "$1" "$2" "$3" 0 0
  if grep -qE '^pan:1: (invalid end state|assertion violated)' <<<"$report"; then
    printf 'found    fault %2s: %s\n' "$1" "$4"
  else
    printf 'MISSED   fault %2s: %s\n%s\n' "$1" "$4" "$report"
    failed=1
  fi
}

# Scripts: 4 * first + second, or 16 + the only one, of: 0 quick, 1 until it is let go, 2 answered from outside, 3 protocol.
holds 0 4 0 0
holds 0 4 0 1
holds 0 3 1 0
holds 0 15 0 0
holds 0 18 0 0
holds 1 4 0 0
holds 2 17 0 0
holds 3 4 0 0
holds 4 4 0 0
holds 5 4 0 0
holds 5 3 0 0
holds 5 18 0 0
holds 6 17 0 0
holds 7 17 0 0
if [[ ${2:-} == more ]]; then
  holds 0 8 0 0
  holds 0 9 1 0
  holds 0 0 0 1
  holds 1 4 1 1
  holds 2 4 0 0
  holds 4 3 0 0
  holds 5 11 0 0
  holds 5 4 0 1
  holds 6 4 0 0
  holds 6 5 0 0
  holds 7 4 1 0
fi

found 1 0 4 "bytes that come do not wake the monitor"
found 2 0 4 "the monitor says that it sleeps only after it has let go of the lock"
found 3 0 4 "nobody is woken to take the driver's role"
found 4 0 4 "a driver that was replaced goes on as driver"
found 5 0 8 "a write from outside that makes room for work tells nobody"
found 6 5 18 "the output is looked at before the calls that are unanswered"
found 7 3 4 "a read that was broken off does not begin a turn"
found 8 5 3 "a hang-up ends the input while messages are unread"
found 9 2 17 "a write that would have to wait is left to nobody"
found 10 1 4 "work that is posted wakes nobody"
found 11 0 4 "a member does not write the answers of its work"
found 12 6 0 "the crew ends while a turn is being handled"
found 13 2 17 "an earlier timer does not wake the monitor"
found 14 6 17 "what begins in the turn in which the stop comes is not cancelled"
exit "$failed"
