#!/usr/bin/env bash
# Installs what is missing, then configures, builds and tests. Goes on after a failure; ends with 1 if anything failed.
#
# usage: run.sh [SUITE...]      release, asan and tsan without an argument:
#   release  g++, static and stripped programs: everything but mutated conversations
#   asan     clang, address and undefined-behaviour sanitizers; mutated conversations and fuzz targets, each for 20 seconds
#   tsan     clang, thread sanitizer
#   dev      g++ without optimisation, as one works: what release runs, but for hosts and the installed package
#   tidy     clang-tidy on the files that differ from the upstream branch, from the commit in TIDY_BASE, or since a day before
#            the newest commit; for ten minutes at most
#   tidy-all clang-tidy on every file
#
# Uses two cores. Writes below build/ only, and what it keeps of compilers and of curl below ~/.cache.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

suites=("$@")
[[ $# -gt 0 ]] || suites=(release asan tsan)
declare -A tests_of=(
  [tidy]="--minutes 10"
  [tidy-all]="--all"
  [release]="--label-exclude conversations"
  [asan]="--label-exclude hosts|consumer|mutants"
  [tsan]="--label-exclude hosts|consumer|mutants|conversations"
  [dev]="--label-exclude hosts|consumer|conversations"
)
for suite in "${suites[@]}"; do
  [[ -v tests_of[$suite] ]] || { echo "run.sh: unknown suite \"$suite\", expected release, asan, tsan, dev, tidy or tidy-all" >&2; exit 2; }
done

bash tests/support/install.sh build tests sanitizers hosts packages browsers || exit 1

export ASAN_OPTIONS=detect_stack_use_after_return=1
export LSAN_OPTIONS=suppressions=$PWD/tests/support/lsan_suppressions.txt:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS="second_deadlock_stack=1 die_after_fork=0 atexit_sleep_ms=20 suppressions=$PWD/tests/support/tsan_suppressions.txt"
export BOOST_TEST_COLOR_OUTPUT=0
export BOOST_TEST_LOG_LEVEL=test_suite  # in which case a test was that is killed
# A fresh clone finds what another one has compiled, but for tests, which are compiled with the paths of programs; the three
# suites take more than the usual 5 GB.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-15G}
# The thread sanitizer of clang 14 cannot start where the kernel randomizes more address bits than it knows.
fixed_addresses=()
setarch "$(uname -m)" -R true 2>/dev/null && fixed_addresses=(setarch "$(uname -m)" -R)

# Judges the sources with clang-tidy, which needs the compiler commands of the preset tidy and nothing built.
run_tidy() {
  cmake --preset tidy --log-level=WARNING || return 1
  python3 -B tests/support/tidy.py "$@" 2>&1 | tee "$folder/tidy.log"
  local status=${PIPESTATUS[0]}
  tail -n 1 "$folder/tidy.log" >"$folder/summary"
  return "$status"
}

# The end of what each test that failed has said. A long run's own output may be cut where it is kept.
show_failed() {
  local tests=$1/Testing/Temporary
  [[ -s $tests/LastTestsFailed.log && -s $tests/LastTest.log ]] || return 0
  awk -v suite="${1#build/}" '
    NR == FNR { sub(/^[0-9]+:/, ""); failed[$0] = 1; next }
    / Testing: / { name = $NF; count = 0; inside = 0 }
    /^<end of output>/ && inside {
      inside = 0
      if (!(name in failed)) next
      printf "== %s: the end of %s\n", suite, name
      for (i = count > 60 ? count - 60 : 0; i < count; ++i) print substr(line[i], 1, 400)
    }
    inside { line[count++] = $0 }
    /^Output:$/ { getline; inside = 1 }
  ' "$tests/LastTestsFailed.log" "$tests/LastTest.log"
}

# The lines that say why, of each test that failed: what comes last is read first.
show_reasons() {
  local tests=$1/Testing/Temporary
  [[ -s $tests/LastTestsFailed.log && -s $tests/LastTest.log ]] || return 0
  awk -v suite="${1#build/}" '
    NR == FNR { sub(/^[0-9]+:/, ""); failed[$0] = 1; next }
    / Testing: / { name = $NF; count = 0 }
    (name in failed) && count < 8 && /ERROR: |SUMMARY: |WARNING: ThreadSanitizer|runtime error: |error: in |does not hold|CHECK failed/ {
      ++count
      printf "%s %s: %s\n", suite, name, substr($0, 1, 240)
    }
  ' "$tests/LastTestsFailed.log" "$tests/LastTest.log"
}

# Runs one suite; leaves its last line in build/<suite>/summary.
run_suite() {
  local suite=$1 folder=build/$1 selection status
  read -ra selection <<<"${tests_of[$suite]}"
  mkdir -p "$folder"
  rm -f "$folder"/Testing/Temporary/LastTest*.log  # which ctest leaves from runs before
  echo "$suite: did not build" >"$folder/summary"
  echo "== $suite"
  if [[ $suite == tidy* ]]; then
    run_tidy "${selection[@]}"
    return
  fi
  local began=$SECONDS
  cmake --preset "$suite" --log-level=WARNING && cmake --build "$folder" --parallel 2 || return 1
  times+=", $suite $((SECONDS - began))"
  began=$SECONDS
  # Three times as many as two cores: many tests wait most of their time.
  "${fixed_addresses[@]}" ctest --test-dir "$folder" --parallel 6 --output-on-failure --no-tests=error --no-label-summary \
    "${selection[@]}" 2>&1 | tee "$folder/ctest.log"
  status=${PIPESTATUS[0]}
  times+=" + $((SECONDS - began)) s"
  grep -E '^[0-9]+% tests passed|^No tests were found' "$folder/ctest.log" >"$folder/summary" ||
    echo "ctest ended with $status and no summary" >"$folder/summary"
  return "$status"
}

times=
before=$(git status --porcelain 2>/dev/null)
failed=0
for suite in "${suites[@]}"; do
  run_suite "$suite" || failed=1
  printf '%s\n\n' "$(<"build/$suite/summary")"
done

if [[ $(git status --porcelain 2>/dev/null) != "$before" ]]; then
  echo "run.sh: the tests changed the source tree:" >&2
  git status --short >&2
  failed=1
fi
for suite in "${suites[@]}"; do show_failed "build/$suite"; done
echo "== times: build + tests${times:-, none}"
for suite in "${suites[@]}"; do show_reasons "build/$suite"; done
echo "== summary"
for suite in "${suites[@]}"; do printf '%-8s %s\n' "$suite" "$(<"build/$suite/summary")"; done
exit "$failed"
