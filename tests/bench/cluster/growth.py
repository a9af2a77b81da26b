"""How a cluster grows: calls in a second and how long they take, with more replicas and more workers. What has a part
of a CPU is in a control group, so that two cores show what many machines would; the rest shares the two cores."""

import contextlib
import json
import os
import pathlib
import subprocess
import time

from cluster import Cluster

GROUPS = pathlib.Path("/sys/fs/cgroup/cpu")
PERIOD = 100_000  # microseconds: of each, a member runs for its part and then stands still
ECHO = {"parameters": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}}
CONNECTIONS = (1, 4, 16, 64)


class Part:
    """A part of a CPU, for one process. Needs root and control groups of version 1 or 2."""

    def __init__(self, pid, part):
        self._folder = (GROUPS if GROUPS.is_dir() else pathlib.Path("/sys/fs/cgroup")) / f"toolwire-{pid}"
        self._folder.mkdir()
        quota = int(part * PERIOD)
        if GROUPS.is_dir():
            (self._folder / "cpu.cfs_period_us").write_text(str(PERIOD))
            (self._folder / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (self._folder / "cpu.max").write_text(f"{quota} {PERIOD}")
        (self._folder / "cgroup.procs").write_text(str(pid))

    def end(self):
        with contextlib.suppress(OSError):
            self._folder.rmdir()


def parts_can_be_had():
    if os.geteuid() != 0:
        return False
    return GROUPS.is_dir() or "cpu" in pathlib.Path("/sys/fs/cgroup/cgroup.subtree_control").read_text()


def kind_of(name):
    return name.split()[0]


def busy_cores():
    """Seconds of all CPUs that were not idle so far."""
    ticks = [int(one) for one in pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def measure_point(cluster, load, connections, milliseconds):
    """{rate, mean, p50, p99 (microseconds), cpu: {kind: microseconds of all of them for a call}, others: how many CPUs
    were busy with something else meanwhile}"""
    before = {name: member.cpu() for name, member in cluster.members.items()}
    began, busy = time.monotonic(), busy_cores()
    command = [str(load), str(cluster.entry), str(connections), str(milliseconds)]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        raise RuntimeError(ran.stderr + cluster.logs())
    said = json.loads(ran.stdout)
    took, busy = time.monotonic() - began, busy_cores() - busy
    cpu = {"client": said["cpu"]}
    for name, member in cluster.members.items():
        cpu[kind_of(name)] = cpu.get(kind_of(name), 0) + member.cpu() - before[name]
    return {"connections": connections, **{name: said[name] for name in ("rate", "mean", "p50", "p99")},
            "cpu": {kind: round(seconds / said["calls"] * 1e6, 1) for kind, seconds in cpu.items()},
            "others": round(max(0.0, (busy - sum(cpu.values())) / took), 2)}


def points_of(program, load, milliseconds, replicas, workers, connections, part=None, whose=None):
    """`part` of a CPU for each replica, or for each worker (`whose`)."""
    echo = {"echo": (ECHO, {"constant": {"result": "{text}"}})}
    at = {"tools": echo} if workers else {"own_tools": echo}
    points, parts = [], []
    settings = {"calls_per_minute": 1_000_000}
    with Cluster(program, replicas=replicas, workers=workers, settings=settings, append_only="everysec", **at) as cluster:
        warm_up(cluster, load)
        try:
            if part:
                parts = [Part(member.process.pid, part) for member in cluster.named(whose)]
            for count in connections:
                points.append({"replicas": replicas, "workers": workers, "part": part, "of": whose,
                               **measure_point(cluster, load, count, milliseconds)})
        finally:
            cluster.close()
            for one in parts:
                one.end()
    return points


def warm_up(cluster, load):
    """Until replicas know the tools of their workers."""
    until = time.monotonic() + 30
    while True:
        done = subprocess.run([str(load), str(cluster.entry), "8", "250"], capture_output=True, text=True)
        if done.returncode == 0:
            return
        if time.monotonic() > until:
            raise RuntimeError(done.stderr)
        time.sleep(0.2)


def measure(program, binaries, is_quick):
    """[points]"""
    load = binaries / "toolwire-bench-load"
    milliseconds = 250 if is_quick else 4000
    points = []
    for replicas in (1, 2, 3):
        points += points_of(program, load, milliseconds, replicas, 0, (16,) if is_quick else CONNECTIONS)
    for workers in (1, 2, 4):
        points += points_of(program, load, milliseconds, 3, workers, (16,) if is_quick else CONNECTIONS)
    if not parts_can_be_had():
        print("growth: SKIPPED members with a part of a CPU, which need root and control groups")
        return points
    for replicas in (1, 2, 3):
        points += points_of(program, load, milliseconds, replicas, 0, (32,), 0.1, "replica")
    for workers in (1, 2, 4):
        points += points_of(program, load, milliseconds, 3, workers, (32,), 0.1, "worker")
    return points


def table(points):
    print("| replicas | workers | part of a CPU | connections | calls/s | p50 ms | p99 ms | CPU µs a call | CPUs busy elsewhere |")
    print("|" + "---|" * 9)
    for one in points:
        part = f"{one['part']} for each {one['of']}" if one["part"] else ""
        cpu = ", ".join(f"{kind} {value:.0f}" for kind, value in one["cpu"].items() if value >= 0.5)
        print(f"| {one['replicas']} | {one['workers']} | {part} | {one['connections']} | {one['rate']:.0f} | "
              f"{one['p50'] / 1000:.2f} | {one['p99'] / 1000:.2f} | {cpu} | {one['others']:.1f} |")
