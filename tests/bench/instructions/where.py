#!/usr/bin/env python3
"""Prints where the instructions of one request go: by stage, and of these how many to memory, copying and locks.

usage: where.py PROGRAM [CASE] [--functions | --paths] [--stage STAGE]

PROGRAM is an optimized toolwire-bench-instructions with its symbols; CASE is call (default), modern, validated, list, large,
large_escaped or large_wide.
callgrind keeps for each function by whom it was called; an instruction belongs to the innermost caller that begins a
stage. As in guard.py, the figures are the difference between a long and a short run, divided by the requests between.
--functions lists the costliest functions of every stage, or of one; --paths the same with the callers between.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

from guard import lengths
from stages import KINDS, STAGES

Costs = dict[tuple[str, str], float]  # (stage, path of functions below it) -> instructions


def profile(program: str, case: str, count: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "callgrind.out")
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--separate-callers=60", "--separate-recs=1", "--compress-pos=no",
             f"--callgrind-out-file={out}", program, case, str(count)], capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{program} {case} {count} ended with {run.returncode}:\n{run.stderr}")
        return out.read_text()


def stage_of(chain: list[str]) -> tuple[str, str]:
    for depth, function in enumerate(chain):
        for stage, pattern in STAGES:
            if pattern.search(function):
                return stage, " < ".join(chain[:depth + 1])
    return "outside", " < ".join(chain[:3])


def self_costs(text: str) -> Costs:
    """Adds up what each function spends itself; lines after `calls=` repeat what its callees have spent."""
    names: dict[str, str] = {}
    costs: Costs = collections.defaultdict(float)
    current, inclusive = ("outside", ""), False
    for line in text.splitlines():
        if found := re.match(r"c?fn=(\(\d+\))(?: (.*))?", line):
            if found[2] is not None:
                names[found[1]] = found[2]
            if line.startswith("fn="):
                current = stage_of(names[found[1]].split("'"))
        elif line.startswith("calls="):
            inclusive = True
        elif found := re.match(r"(?:0x[0-9a-f]+|\d+) (\d+)$", line):
            if not inclusive:
                costs[current] += int(found[1])
            inclusive = False
    return costs


def per_request(program: str, case: str) -> Costs:
    short, long = lengths(case)
    few, many = (self_costs(profile(program, case, count)) for count in (short, long))
    return {key: (many[key] - few.get(key, 0)) / (long - short) for key in many}


def kind_of(path: str) -> str:
    for function in path.split(" < "):
        for kind, pattern in KINDS:
            if pattern.search(function):
                return kind
    return "the rest"


def print_table(costs: Costs) -> None:
    table: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for (stage, path), cost in costs.items():
        table[stage][kind_of(path)] += cost
    kinds = [kind for kind, _ in KINDS] + ["the rest"]
    total = sum(sum(row.values()) for row in table.values())
    print("| stage | instructions | share | " + " | ".join(kinds) + " |\n" + "|---|" + "---|" * (len(kinds) + 2))
    order = list(dict.fromkeys(stage for stage, _ in STAGES)) + ["outside"]
    for stage in (stage for stage in order if sum(table[stage].values()) >= 0.5):
        row = table[stage]
        print(f"| {stage} | {sum(row.values()):.0f} | {sum(row.values()) / total:.1%} | "
              + " | ".join(f"{row[kind]:.0f}" for kind in kinds) + " |")
    of_kinds = [sum(row[kind] for row in table.values()) for kind in kinds]
    print(f"| all | {total:.0f} | | " + " | ".join(f"{cost:.0f}" for cost in of_kinds) + " |")


def shortened(function: str) -> str:
    """Without parameters, template arguments and the namespaces everything is in."""
    nested = r"<[^<>]*>|\([^()]*\)( const)?|\[[^\[\]]*\]"
    while (shorter := re.sub(nested, "", function)) != function and shorter.strip():
        function = shorter
    return re.sub(r"\b(toolwire|std|__gnu_cxx|boost|core)::|^(char const\*|void|bool|auto) ", "", function).strip()


def print_functions(costs: Costs, only: str | None, paths: bool) -> None:
    stages: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for (stage, path), cost in costs.items():
        names = [shortened(function) for function in path.split(" < ")]
        stages[stage][" < ".join(names) if paths else names[0]] += cost
    for stage, functions in stages.items():
        if only not in (None, stage) or sum(functions.values()) < 0.5:
            continue
        print(f"\n{stage}")
        for function, cost in functions.most_common(20):
            if cost >= 0.5:
                print(f"  {cost:8.1f}  {function}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("case", nargs="?", default="call")
    arguments.add_argument("--functions", action="store_true")
    arguments.add_argument("--paths", action="store_true")
    arguments.add_argument("--stage")
    given = arguments.parse_args()
    costs = per_request(given.program, given.case)
    print_table(costs)
    if given.functions or given.paths or given.stage:
        print_functions(costs, given.stage, given.paths)


if __name__ == "__main__":
    main()
