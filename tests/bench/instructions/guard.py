#!/usr/bin/env python3
"""Counts the instructions of one request of each kind and holds them against the committed figures.

usage: guard.py PROGRAM [--record]

PROGRAM is an optimized toolwire-bench-instructions. The count of a request is the difference between a long and a short run,
divided by the requests between them, so that the start of the process is not in it. Fails if a figure has grown by more than a
tenth; says so if one has shrunk by as much, and is to be recorded anew. --record writes figures.json.
"""
import json
import pathlib
import re
import subprocess
import sys

FIGURES = pathlib.Path(__file__).with_name("figures.json")
FEW, MANY = 200, 1200
FEW_LARGE, MANY_LARGE = 3, 13  # requests of 1 MiB


def instructions(program: str, case: str, count: int) -> int:
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, case, str(count)],
        capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"{program} {case} {count} ended with {run.returncode}:\n{run.stderr}")
    return int(found.group(1))


def lengths(case: str) -> tuple[int, int]:
    """The requests of the short and of the long run."""
    return (FEW_LARGE, MANY_LARGE) if case.startswith("large") else (FEW, MANY)


def per_request(program: str, case: str) -> int:
    few, many = lengths(case)
    return round((instructions(program, case, many) - instructions(program, case, few)) / (many - few))


def main() -> int:
    program, record = sys.argv[1], "--record" in sys.argv[2:]
    committed = json.loads(FIGURES.read_text())
    counted = {case: per_request(program, case) for case in committed}
    if record:
        FIGURES.write_text(json.dumps(counted, indent=2) + "\n")
    grown = False
    for case, now in counted.items():
        ratio = now / committed[case] if committed[case] else 1.0
        grown |= ratio > 1.1
        verdict = "GROWN by more than a tenth" if ratio > 1.1 else "smaller: record it" if ratio < 0.9 else ""
        print(f"{case:14} {now:9} instructions, committed {committed[case]:9}, {ratio:5.3f} {verdict}".rstrip())
    return 1 if grown and not record else 0


if __name__ == "__main__":
    sys.exit(main())
