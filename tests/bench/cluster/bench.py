#!/usr/bin/env python3
"""What a cluster bears, and what it costs: replicas, workers, Redis, NATS and a balancer on loopback, in five measures.

usage: bench.py BIN [--quick] [--only MEASURE]... [--fault TEXT] [--careless] [--json FILE]

BIN: the folder with toolwire-cluster and the programs of this folder. Prints a table for each measure. The status is 1,
with the reasons, where something is not as it has to be; times are not judged.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

import faults
import growth
import rate
import restart
from cluster import Cluster

FILES = 20_000  # descriptors: of the clients, and inherited by all members


def measure_faults(given):
    return faults.measure(given.program, given.bin, given.quick, given.fault, given.careless)


def measure_restart(given):
    return restart.measure(given.program, given.quick)


def measure_rate(given):
    return rate.measure(given.program, given.bin, given.quick)


def measure_growth(given):
    points = growth.measure(given.program, given.bin, given.quick)
    growth.table(points)
    return points, []


def measure_hops(given):
    with Cluster(given.program, replicas=0, workers=0, balancer=None, append_only=None, open_nats=True) as cluster:
        command = [str(given.bin / "toolwire-bench-hops"), cluster.redis_socket, f"127.0.0.1:{cluster.ports['nats']}"]
        command += ["--quick"] * given.quick
        table = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    print(table, end="")
    return table.splitlines(), []


MEASURES = {"faults": measure_faults, "restart": measure_restart, "rate": measure_rate, "growth": measure_growth,
            "hops": measure_hops}


def main():
    parser = argparse.ArgumentParser(description="What a cluster bears, and what it costs")
    parser.add_argument("bin", type=pathlib.Path, help="where the programs are")
    parser.add_argument("--quick", action="store_true", help="little of everything: shows that it works")
    parser.add_argument("--only", action="append", choices=MEASURES, help="this measure (repeatable)")
    parser.add_argument("--fault", default="", help="of the faults those with this text in their names")
    parser.add_argument("--careless", action="store_true",
                        help="clients repeat what may have been done: effects are to be seen twice")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file too")
    given = parser.parse_args()
    given.program = given.bin / "toolwire-cluster"
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, FILES)), hard))
    figures, wrong = {}, []
    for name in given.only or MEASURES:
        print(f"\n{name}, load {os.getloadavg()[0]:.1f}", flush=True)
        began = time.monotonic()
        figures[name], found = MEASURES[name](given)
        wrong += [f"{name}: {text}" for text in found]
        print(f"({time.monotonic() - began:.0f} s)", flush=True)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n")
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
