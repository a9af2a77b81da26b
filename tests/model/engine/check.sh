#!/usr/bin/env bash
# Checks the model of the engine: all states of a number of situations, each fault put into it, and larger situations at random.
#
# usage: check.sh FOLDER build      makes the searching program in FOLDER; everything but `stress` needs it
#        check.sh FOLDER holds      searches all states of the situations below
#        check.sh FOLDER more       searches larger ones, for some minutes and with up to 4 GB
#        check.sh FOLDER fault N    the model with fault N must be refused
#        check.sh FOLDER faults     all of them
#        check.sh FOLDER stress [RUNS]   walks at random with three sources, five calls and three threads for tools
# Ends with 77 where spin or a C compiler is missing.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:?check.sh: expected a folder to build in}
what=${2:?check.sh: expected build, holds, more, fault N, faults or stress}
for tool in spin gcc; do
  command -v "$tool" >/dev/null || { echo "SKIPPED: $tool is not installed (tests/support/install.sh tests)"; exit 77; }
done
mkdir -p "$folder" && cd "$folder" || exit 1
failed=0

build() {
  # One function has all transitions: -O1 takes gcc minutes, and the search is a quarter slower with this.
  spin -a "$here/engine.pml" && gcc -Og -DCOLLAPSE -DVECTORSZ=1024 -DSAFETY -DMEMLIM=4000 -w -o pan pan.c
}

# search FAULT SCENARIO SOURCES KINDS WHERE HARD RELEASE_ON ALL_TICKS: leaves spin's report in $report. Two searches may run at once.
search() {
  local own; own=$(mktemp -d -p .)
  report=$(cd "$own" && FAULT=$1 SCENARIO=$2 SOURCES=$3 KINDS=$4 WHERE=$5 HARD=$6 RELEASE_ON=$7 ALL_TICKS=$8 ../pan -m1000000 -n -w22 2>&1)
  rm -r "$own"
}

# holds SCENARIO SOURCES KINDS WHERE HARD RELEASE_ON ALL_TICKS: all states were seen, and none is wrong
holds() {
  search 0 "$@"
  local states; states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' <<<"$report")
  if grep -q 'errors: 0$' <<<"$report" && ! grep -qE 'Search not completed|too small|out of memory|memory limit' <<<"$report"; then
    printf 'holds    scenario %2s, sources %s, calls %s on %s, bound %s, let go on %s, all ticks %s: %s states\n' "$@" "$states"
  else
    printf 'WRONG    scenario %2s, sources %s, calls %s on %s, bound %s, let go on %s, all ticks %s\n%s\n' "$@" "$report"
    failed=1
  fi
}

# found FAULT SCENARIO SOURCES KINDS WHERE HARD RELEASE_ON WHAT: the model with this fault is refused
found() {
  [[ -z $only || $only == "$1" ]] || return
  seen=1
  search "${@:1:7}" 0
  if grep -qE '^pan:1: (invalid end state|assertion violated)' <<<"$report"; then
    printf 'found    fault %2s: %s\n' "$1" "$8"
  else
    printf 'MISSED   fault %2s: %s\n%s\n' "$1" "$8" "$report"
    failed=1
  fi
}

# The calls, a digit each: 0 quick, 1 until it is let go, 2 answered from outside, 3 protocol, 4 a large message. Then the source of
# each. What lets go comes on the source named, 3: never. Scenarios are in engine_parts.pml.
small() {
  holds 0 1 10 00 0 0 0
  holds 0 1 20 00 0 3 0
  holds 0 1 33 00 0 3 1
  holds 0 2 33 01 0 3 1
  holds 0 2 33 00 0 3 0
  holds 0 2 30 01 0 3 0
  holds 0 2 13 01 0 1 0
  holds 0 2 23 01 0 3 0
  holds 0 2 43 00 0 3 0
  holds 0 2 14 00 0 0 0
  holds 1 1 10 00 0 0 0
  holds 2 1 33 00 0 3 0
  holds 3 1 10 00 0 0 0
  holds 4 1 03 01 0 3 0
  holds 4 2 33 02 0 3 0
  holds 5 1 33 00 0 3 0
  holds 5 1 31 00 0 3 0
  holds 5 2 33 01 0 3 0
  holds 5 2 33 01 1 3 0
  holds 5 2 31 01 0 3 0
  holds 6 2 20 12 0 3 0
  holds 6 2 33 12 0 3 0
  holds 7 2 33 11 0 0 0
  holds 8 2 33 01 0 3 0
  holds 8 2 33 00 0 3 0
  holds 9 1 10 00 0 3 0
  holds 10 2 33 01 0 3 0
  holds 11 1 10 00 0 3 0
}

large() {
  holds 0 2 00 01 0 3 0
  holds 1 2 10 01 0 1 0
  holds 2 1 20 00 0 3 0
  holds 5 2 32 01 0 3 0
  holds 5 2 34 01 0 3 0
  holds 8 1 23 00 0 3 0
  holds 9 1 33 00 0 3 0
  holds 9 2 13 01 0 3 0
  holds 11 2 12 01 0 3 0
}

faults() {
  only=${1:-}
  seen=0
  # Those of the crew that the engine replaces
  found  1 0 1 10 00 0 0 "bytes that come do not wake the monitor"
  found  2 0 1 10 00 0 0 "the monitor says that it sleeps only after it has let go of the lock"
  found  3 0 1 10 00 0 0 "nobody is woken to take the driver's role"
  found  4 0 1 10 00 0 0 "a driver that was replaced goes on as driver"
  found  5 0 1 20 00 0 3 "a write from outside that makes room for work tells nobody"
  found  6 8 1 23 00 0 3 "the output is looked at before the calls that are unanswered"
  found  7 3 1 10 00 0 0 "a read that was broken off does not begin a turn"
  found  8 8 2 33 00 0 3 "a hang-up ends the input while messages are unread"
  found  9 0 1 20 00 0 3 "a write that would have to wait is left to nobody"
  found 10 1 1 10 00 0 0 "a job that is posted wakes nobody"
  found 11 0 1 10 00 0 0 "a member does not write the answers of its jobs"
  found 12 5 1 33 00 0 3 "the engine ends while a turn is being handled"
  found 13 2 1 33 00 0 3 "an earlier timer does not wake the monitor"
  found 14 9 1 10 00 0 3 "what begins in the turn in which the stop comes is not cancelled"
  # Those of several sources
  found 15 4 1 03 01 0 3 "a second source does not interrupt the plain read of the first"
  found 16 4 1 03 01 0 3 "the interrupt of a plain read, which may miss it, is not repeated"
  found 17 4 1 03 01 0 3 "nobody wakes the monitor to repeat it"
  found 18 4 2 33 02 0 3 "a source that is added while the driver waits for all is not waited for"
  found 19 5 2 33 01 0 3 "a source that is removed is closed while a thread reads it"
  found 20 0 1 33 00 0 3 "a driver that waits is replaced: two drivers"
  found 21 5 1 33 00 0 3 "a source that is removed does not end the plain read of it"
  found 22 5 2 31 01 0 3 "a channel ends while its jobs run, and they are not told"
  found 23 6 2 20 12 0 3 "a late reply goes to the channel that has the descriptor now"
  found 24 8 2 33 01 0 3 "an output that becomes writable after the end of the input is not waited for"
  found 25 5 2 33 01 1 3 "a plain read is chosen while an output waits to be writable"
  found 26 6 2 33 12 0 3 "an event that is out of date reaches the source that has the descriptor now"
  found 27 0 2 43 00 0 3 "a source is not read again after its large message"
  found 28 0 2 43 00 0 3 "a source is read while its large message is parsed"
  found 29 0 2 33 00 0 3 "a source that was not read because of its output is not read again"
  found 30 5 2 31 01 0 3 "what is read from a source while it is removed is not cancelled"
  found 31 7 2 33 11 0 0 "a source is read by a new driver while the one before is still in its handler"
  found 32 5 1 31 00 0 3 "the engine ends while jobs of a channel that is gone run"
  found 33 5 2 33 01 0 3 "the last source is removed, and nobody wakes the monitor"
  # A stop in each state
  found 34 9 1 10 00 0 3 "a stop does not interrupt a plain read"
  found 35 9 1 10 00 0 3 "a stop does not wake the monitor"
  found 36 9 1 10 00 0 3 "the drain has no end"
  found 37 11 1 10 00 0 3 "on_stuck is not called"
  found 38 0 2 33 01 0 3 "the driver that waits for all is not told of the end"
  # Found by a walk at random first, as a fault of the design
  found 39 0 2 14 00 0 0 "a large message waits until a job of its channel has ended"
  if ((!seen)); then echo "check.sh: expected the number of a fault, 1 to 39, got '$only'" >&2; exit 2; fi
}

# Walks at random: a walk ends well when every process has ended, and the model asserts what it does everywhere.
stress() {
  local runs=$1 scenario walk report own
  own=$(mktemp -d -p .) && cd "$own" || exit 1  # spin writes files of the same names for every model it reads
  for scenario in 0 1 2 5 8 9 10; do
    for ((walk = 1; walk <= runs; walk++)); do
      report=$(spin -DSIMULATION -DSCENARIO="$scenario" -DSOURCES=3 -DHARD=1 -DRELEASE_ON=0 -DTHREADS=3 -DCALLS=5 -n"$((1000 * scenario + walk))" -u200000 -b \
        "$here/engine.pml" 2>&1)
      if ! grep -q 'processes created' <<<"$report" || grep -qE 'timeout|assertion|Error|error|depth-limit' <<<"$report"; then
        printf 'WRONG    scenario %s, seed %s\n%s\n' "$scenario" "$((1000 * scenario + walk))" "$report"
        failed=1
      fi
    done
    printf 'walked   scenario %2s, three sources, three threads, five calls: %s times\n' "$scenario" "$runs"
  done
  cd .. && rm -r "$own"
}

case $what in
build) build || failed=1 ;;
holds) small ;;
more) large ;;
fault) faults "${3:?check.sh: expected the number of a fault}" ;;
faults) faults ;;
stress) stress "${3:-50}" ;;
*) echo "check.sh: expected build, holds, more, fault N, faults or stress, got '$what'" >&2; exit 2 ;;
esac
exit "$failed"
