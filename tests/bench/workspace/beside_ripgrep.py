#!/usr/bin/env python3
"""Measures search_text of the workspace server beside ripgrep on a tree: full scans, in turn, wall time and CPU time.

usage: beside_ripgrep.py WORKSPACE --tree DIR --rare TEXT [--rounds N] [--cold] [--rg RG]
       beside_ripgrep.py WORKSPACE --make large|deep

TEXT is one that few lines have. The server is asked over a session that is open already, and ripgrep is a process for
each query, as an agent has them; `start` is what the server's own start took, once a session. Both search everything,
hidden and ignored files too. Prints medians of ours and of the ratios of each pair, as a table; status 1 if the two do
not find the same number of lines. With --cold the caches of the kernel are dropped before each query (as root).
"""

import argparse
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from bench import Session, WORDS, lines_in

LIMIT = 2000


def queries(rare):
    inner = rare[2:-2]
    return [
        {"name": "no match", "pattern": "there is no such text at all"},
        {"name": "rare literal", "pattern": re.escape(rare)},
        {"name": "the same, any case", "pattern": rare.swapcase(), "rg": ["-i"], "ours": {"ignoreCase": True}},
        {"name": "expression with a word in it", "pattern": r"\w+" + inner + r"\w+\s*\W"},
        {"name": "expression without a word", "pattern": r"[A-Z][a-z]{3,}\([0-9]{5}\)"},
        {"name": "one of three words", "pattern": f"({rare}|SomeOtherRareWord|NeverSeenName)"},
    ]


def make_tree(kind, top):
    """12 files of 65 MB, or 18 000 small ones in 180 chains of 20 folders; some lines have rare_needle."""
    chance = random.Random(1)
    lines = ["  " * chance.randint(0, 3) + " ".join(chance.choices(WORDS, k=chance.randint(3, 12))) +
             f"_{chance.randint(0, 99999)};\n" for _ in range(20000)]
    if kind == "large":
        for number in range(12):
            with open(os.path.join(top, f"log_{number}.txt"), "w", encoding="utf-8") as file:
                for part in range(40):
                    file.writelines(chance.choices(lines, k=30000))
                    file.write(f"rare_needle_{number};\n" if part == 20 else "")
        return
    for chain in range(180):
        folder = os.path.join(top, f"chain_{chain}")
        for level in range(20):
            folder = os.path.join(folder, f"level_{level}")
            os.makedirs(folder)
            for number in range(5):
                with open(os.path.join(folder, f"file_{number}.c"), "w", encoding="utf-8") as file:
                    file.writelines(chance.choices(lines, k=chance.randint(20, 180)))
                    file.write(f"rare_needle_{chain};\n" if chain % 5 == 0 and level + number == 9 else "")


def server_cpu(session):
    """Seconds of the whole process, those of threads that have ended included (clock_getcpuclockid(3))."""
    return time.clock_gettime((~session.process.pid << 3) | 2)


def ask_server(session, query):
    arguments = {"pattern": query["pattern"], "limit": LIMIT, "includeIgnored": True, **query.get("ours", {})}
    before, start = server_cpu(session), time.perf_counter()
    text = session.call("search_text", arguments)
    return time.perf_counter() - start, server_cpu(session) - before, len(lines_in(text))


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ask_ripgrep(rg, top, query):
    command = [rg, "--no-config", "-n", "--no-heading", "-uu", *query.get("rg", []), "-e", query["pattern"], "."]
    before, start = children_cpu(), time.perf_counter()
    done = subprocess.run(command, cwd=top, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start, children_cpu() - before, done.stdout.count(b"\n")


def drop_caches():
    os.sync()
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
        file.write("3")


def measure(session, options, top, query):
    ours, theirs = [], []
    for number in range(options.rounds + (0 if options.cold else 1)):
        asked = [(ours, lambda: ask_server(session, query)), (theirs, lambda: ask_ripgrep(options.rg, top, query))]
        for results, ask in asked if number % 2 == 0 else reversed(asked):
            if options.cold:
                drop_caches()
            results.append(ask())
    warm = 0 if options.cold else 1  # the first round only warms up
    return ours[warm:], theirs[warm:]


def row(query, ours, theirs):
    median = statistics.median
    ratio = [median(a[i] / b[i] for a, b in zip(ours, theirs)) for i in (0, 1)]
    figures = [f"{median(a[0] for a in side) * 1000:.0f} ms, {median(a[1] for a in side) * 1000:.0f} ms"
               for side in (ours, theirs)]
    same = {a[2] for a in ours} == {b[2] for b in theirs}
    print(f"| {query['name']} | {figures[0]} | {figures[1]} | {ratio[0]:.2f} | {ratio[1]:.2f} |" +
          ("" if same else " NOT THE SAME"), flush=True)
    return same


def compare(options, top, rare):
    start = time.perf_counter()
    session = Session([os.path.abspath(options.workspace), "--root", top])
    print(f"start: {(time.perf_counter() - start) * 1000:.0f} ms; {options.rounds} rounds, "
          f"{'cold' if options.cold else 'warm'}; load {os.getloadavg()[0]:.0f} on {os.cpu_count()} processors")
    print("| | ours: time, CPU | ripgrep: time, CPU | time, ratio | CPU, ratio |\n|---|---|---|---|---|")
    good = all([row(query, *measure(session, options, top, query)) for query in queries(rare)])
    session.close()
    return 0 if good else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workspace")
    parser.add_argument("--tree")
    parser.add_argument("--make", choices=["large", "deep"])
    parser.add_argument("--rare", default="rare_needle")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--rg", default=shutil.which("rg"))
    options = parser.parse_args()
    if not options.rg or (options.tree is None) == (options.make is None):
        parser.error("expected ripgrep on the path, and either --tree or --make")
    if options.tree:
        return compare(options, options.tree, options.rare)
    with tempfile.TemporaryDirectory(prefix="toolwire-bench-") as top:
        make_tree(options.make, top)
        return compare(options, top, options.rare)


if __name__ == "__main__":
    sys.exit(main())
