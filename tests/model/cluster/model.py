#!/usr/bin/env python3
"""How a cluster grows, as a closed network of queues: so many hosts, each of which calls, waits for the answer and
thinks for a while. README.md says what it is and how far it is from what was measured.

usage: model.py [--measured FILE]      prints both, and what it predicts
       model.py --record FILE          keeps what `bench.py --json FILE` has measured
"""

import argparse
import json
import pathlib
from dataclasses import dataclass

MEASURED = pathlib.Path(__file__).resolve().parent / "measured.json"
CORES = 2  # of the machine that was measured
NO_PART_IN_A_CALL = 2  # microseconds: who takes less keeps its connections, and no more


@dataclass
class Need:
    """Seconds of CPU that a call takes of all members of a kind together. `waking`: more of them for whoever has
    nothing to do when something comes; who has a queue wakes once for all of it."""
    steady: float
    waking: float = 0.0
    members: int = 1

    def at(self, present):
        """`present`: how many calls are at all members together, on average."""
        return self.steady + self.waking / (1 + present / self.members)


@dataclass
class Station:
    """Where calls wait for each other. `needs`: {kind of member: Need} of those that work here. `servers`: CPUs, or the
    part of one, which share one queue. `copies`: there are so many stations like this one; each call goes to one."""
    name: str
    needs: dict
    servers: float = 1.0
    copies: int = 1

    def demand(self, present=0.0, shares=None):
        """Seconds of CPU for a call; {kind: part of it}. `present`: calls that are here, in all copies."""
        shares = shares or {kind: 1 / len(self.needs) for kind in self.needs}
        for _ in range(5):
            needs = {kind: need.at(present * shares[kind]) for kind, need in self.needs.items()}
            total = sum(needs.values())
            shares = {kind: need / total for kind, need in needs.items()}
        return total, shares

    def capacity(self):
        """Calls in a second, at most."""
        return self.copies * self.servers / sum(need.steady for need in self.needs.values())


@dataclass
class Solution:
    """`rate`: calls in a second. `response`: seconds of a call. `present`: {station: calls that are there}."""
    rate: float
    response: float
    present: dict


def solve(stations, hosts, think=0.0):
    """Mean value analysis (Reiser and Lavenberg, 1980): of so many hosts each finds the stations as they are on average
    with one host fewer. A station of m servers is one that is m times as fast, behind which a call spends the rest of
    its time without waiting (Seidmann and others, 1987)."""
    present, rate, response = [0.0] * len(stations), 0.0, 0.0
    shares = [None] * len(stations)
    for count in range(1, hosts + 1):
        times = []
        for i, station in enumerate(stations):
            demand, shares[i] = station.demand(present[i], shares[i])
            waited = demand / station.servers * (1 + present[i] / station.copies)
            times.append(waited + demand * max(0.0, 1 - 1 / station.servers))
        response = sum(times)
        rate = count / (response + think)
        present = [rate * time for time in times]
    return Solution(rate, response, {station.name: calls for station, calls in zip(stations, present)})


def bottleneck(stations):
    return min(stations, key=Station.capacity)


# The machine that was measured: all members share two cores, but for those that have a part of a CPU for themselves

def need(idle, busy, queue):
    """Of a kind with one member that takes `idle` microseconds for a call where it is alone, and `busy` where `queue`
    calls are at it."""
    at_idle = 1.0  # one call goes from member to member and finds nobody else
    waking = max(0.0, (idle - busy) / (at_idle - 1 / (1 + queue)))
    return Need(max(0.0, idle - waking) / 1e6, waking / 1e6)


def needs_of(points):
    """{"replica" or "worker": needs of calls that run there}, from two points each: one of each kind of member that
    the calls need at least, with the fewest connections and with the most."""
    found = {}
    for kind, least in (("replica", lambda one: one["workers"] == 0 and one["replicas"] == 1),
                        ("worker", lambda one: one["workers"] == 1)):
        some = sorted((one for one in points if least(one) and not one["part"]), key=lambda one: one["connections"])
        idle, busy = some[0], some[-1]
        total = sum(busy["cpu"].values())
        found[kind] = {one: need(idle["cpu"][one], cpu, busy["connections"] * cpu / total)
                       for one, cpu in busy["cpu"].items() if cpu >= NO_PART_IN_A_CALL}
    return found


def station_of(needs, replicas, workers, cores=CORES):
    """`cores`: those that nobody else used meanwhile."""
    members = {"replica": replicas, "worker": max(workers, 1)}
    return Station("the two cores", {kind: Need(one.steady, one.waking, members.get(kind, 1))
                                     for kind, one in needs.items()}, cores)


def rate_of(point, needed):
    """Calls in a second. Who has a part of a CPU runs for that part of the time and then stands still. While it runs the
    queues are as they are where nobody stands still, and a call needs of it what it needs there."""
    station = station_of(needed, point["replicas"], point["workers"], max(0.1, CORES - point["others"]))
    found = solve([station], point["connections"])
    if not point["part"]:
        return found.rate
    present = found.present[station.name]
    apart = station.needs[point["of"]]
    busy = apart.at(present * station.demand(present)[1][point["of"]])
    return min(found.rate, apart.members * point["part"] / busy)


def compared(points, needs=None):
    """[(point, calls in a second as predicted)]"""
    needs = needs or needs_of(points)
    return [(one, rate_of(one, needs["worker" if one["workers"] else "replica"])) for one in points]


# What was not measured

@dataclass
class Size:
    """A cluster on machines of its own. `nginx` and `nats`: the CPUs that they may use; Redis has one thread."""
    hosts: int = 10_000
    replicas: int = 100
    workers: int = 1_000
    cores_of_replica: int = 2
    cores_of_worker: int = 2
    nginx: int = 1
    nats: int = 1

    def stations(self, needs):
        """Hosts have CPUs of their own."""
        places = {"nginx": (self.nginx, 1), "replica": (self.cores_of_replica, self.replicas), "redis": (1, 1),
                  "nats": (self.nats, 1), "worker": (self.cores_of_worker, self.workers)}
        return [Station(kind, {kind: Need(needs[kind].steady, needs[kind].waking)}, *place)
                for kind, place in places.items() if kind in needs]


CONNECTIONS_OF_NGINX = 8192  # of each of its processes, in the example
MESSAGES_OF_CALL = 5  # offer, take, work, say, and a beat or a wait now and then: bridge/nats/README.md
PAUSES = (60, 10, 1, 0.1)  # seconds between two calls of a host


def predictions(needs, size):
    """Lines of text."""
    lines = []
    for kind, where in (("replica", "tools of replicas"), ("worker", "tools of workers")):
        stations = size.stations(needs[kind])
        slowest_first = sorted(stations, key=Station.capacity)
        lines.append(f"{where}: at most " + ", ".join(f"{one.name} {one.capacity():,.0f}/s" for one in slowest_first))
        for pause in PAUSES:
            found = solve(stations, size.hosts, pause)
            used = max(stations, key=lambda one: found.rate / one.capacity())
            lines.append(f"  {pause:g} s between two calls of a host: {found.rate:,.0f} calls/s, "
                         f"{found.response * 1e3:,.1f} ms, {used.name} {min(1, found.rate / used.capacity()):.0%} busy")
    message = needs["worker"]["nats"].steady / MESSAGES_OF_CALL
    listening = CONNECTIONS_OF_NGINX // 2
    lines.append(f"hosts that listen through one process of nginx: {listening:,} of {size.hosts:,}")
    told = size.replicas ** 2
    lines.append(f"a change of tools that all replicas find and tell: {told:,} messages, {told * message:.1f} s of NATS")
    lists = size.workers * size.replicas
    lines.append(f"all workers started again, and listed by all replicas: {lists:,} lists, "
                 f"{lists * message * MESSAGES_OF_CALL:.0f} s of NATS")
    return lines


def record(points, into):
    """One point a line."""
    into.write_text('{"points": [\n' + ",\n".join(json.dumps(one) for one in points) + "\n]}\n")


def main():
    parser = argparse.ArgumentParser(description="How a cluster grows")
    parser.add_argument("--measured", type=pathlib.Path, default=MEASURED)
    parser.add_argument("--record", type=pathlib.Path, help="figures of the benchmark, which are to be kept")
    given = parser.parse_args()
    if given.record:
        record(json.loads(given.record.read_text())["growth"], given.measured)
    points = json.loads(given.measured.read_text())["points"]
    needs = needs_of(points)
    print("| replicas | workers | part of a CPU | connections | calls/s | predicted | |\n" + "|---" * 7 + "|")
    for one, rate in compared(points, needs):
        part = f"{one['part']:g} for each {one['of']}" if one["part"] else ""
        print(f"| {one['replicas']} | {one['workers']} | {part} | {one['connections']} | {one['rate']:.0f} | {rate:.0f} | "
              f"{rate / one['rate'] - 1:+.0%} |")
    for line in predictions(needs, Size()):
        print(line)


if __name__ == "__main__":
    main()
