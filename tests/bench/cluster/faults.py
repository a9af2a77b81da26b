"""What becomes of calls, tasks and streams while each member of a cluster is killed or stopped, and while the disk
under Redis is full."""

import asyncio
import collections
import dataclasses
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

import client
from cluster import Cluster

NAMED = {"type": "object", "required": ["call"], "properties": {"call": {"type": "string", "pattern": "^[a-z0-9]+$"}}}
DISK = "64m"  # of Redis: room for all that a run writes


@dataclasses.dataclass
class Load:
    """`seconds`: over which calls and tasks are begun. `takes`: milliseconds of a call; `task_takes`: of a task."""
    calls: int
    tasks: int
    streams: int
    seconds: float
    takes: int
    task_takes: int
    stopped: float  # seconds a member is stopped, or the disk is full
    careless: bool = False  # clients call again though nobody knows whether it was done


FULL = Load(calls=1000, tasks=200, streams=50, seconds=15, takes=1000, task_takes=8000, stopped=10)
QUICK = Load(calls=40, tasks=8, streams=4, seconds=1, takes=200, task_takes=600, stopped=1)
OVER = ("completed", "failed", "cancelled", "interrupted")  # tasks


class Effects:
    """How often each was done."""

    def __init__(self, file):
        self.file = file
        with sqlite3.connect(file) as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("CREATE TABLE effects (call TEXT PRIMARY KEY, times INTEGER)")

    def of(self, run):
        with sqlite3.connect(self.file) as database:
            return dict(database.execute("SELECT call, times FROM effects WHERE call GLOB ?", (run + "x*",)))


class Stream:
    """One that listens, and listens again whenever that has ended."""

    def __init__(self, port, counts):
        self._port, self._counts = port, counts
        self.is_open, self.heard = False, 0

    async def listen(self):
        while True:
            try:
                await self._once()
            except client.NotSent:
                pass
            except client.Cut:
                self._counts["cut"] += self.is_open
            self._counts["again"] += self.is_open
            self.is_open = False
            await asyncio.sleep(client.PAUSE)

    async def _once(self):
        wanted = {"notifications": {"toolsListChanged": True}}
        async with client.Exchange(self._port, "subscriptions/listen", wanted) as exchange:
            status, kind = await exchange.head()
            if "event-stream" not in kind:
                return
            async for message in exchange.events():
                method = message.get("method", "")
                if "id" in message:
                    self._counts["ended"] += self.is_open
                    return
                self.is_open |= method.endswith("acknowledged")
                self.heard += method.endswith("list_changed")
            raise client.Cut("no result at the end")


class Run:
    """One fault, in the middle of a load."""

    def __init__(self, cluster, effects, streams, counts, load, number):
        self.cluster, self.effects, self.streams, self.counts, self.load = cluster, effects, streams, counts, load
        self.name = f"r{number}"
        self.fates, self.tasks = {}, {}

    async def play(self, fault):
        self.counts.clear()
        load = self.load
        begun = time.monotonic()
        work = self._spread(self._call, "c", load.calls) + self._spread(self._task, "t", load.tasks)
        await asyncio.sleep(load.seconds / 4)
        await self._under_way(begun + load.seconds)
        await fault()
        await asyncio.gather(*work)
        self.took = time.monotonic() - begun
        self.deaf = await self._deaf()

    async def _under_way(self, until):
        """Returns once something has been done, so that the fault is in the middle of work on a slow machine, too."""
        while not self.effects.of(self.name) and time.monotonic() < until:
            await asyncio.sleep(0.01)

    def _spread(self, do, letter, count):
        pause = self.load.seconds / count
        return [asyncio.create_task(self._later(i * pause, do(f"{self.name}x{letter}{i}"))) for i in range(count)]

    async def _later(self, seconds, what):
        await asyncio.sleep(seconds)
        await what

    def _until(self):
        return time.monotonic() + client.PATIENCE

    async def _call(self, call):
        fate = await client.call(self.cluster.entry, "mark", {"call": call}, give_up=self._until())
        if self.load.careless and fate.what == "unknown":
            fate = await client.call(self.cluster.entry, "mark", {"call": call}, give_up=self._until())
        self.fates[call] = fate

    async def _task(self, call):
        """Of which the client is told that it is there."""
        fate = await client.call(self.cluster.entry, "job", {"call": call}, client.TASKS, self._until())
        if fate.what != "answered":
            self.tasks[call] = (fate.what, fate)
            return
        if "taskId" not in fate.answer:
            self.tasks[call] = ("no task", fate)
            return
        until = self._until()
        while True:
            try:
                state = await client.look_at_task(self.cluster.entry, fate.answer["taskId"])
            except TimeoutError:
                state = {"status": "hung"}
            if state is None:
                self.tasks[call] = ("lost", fate)
                return
            if state["status"] not in ("working", "input_required") or time.monotonic() > until:
                self.tasks[call] = (self._end_of(state), state)
                return
            await asyncio.sleep(0.5)

    @staticmethod
    def _end_of(state):
        if state["status"] == "completed" and state["result"].get("isError"):
            return "failed"
        is_interrupted = state["status"] == "failed" and state["error"].get("data", {}).get("code") == "interrupted"
        return "interrupted" if is_interrupted else state["status"]

    async def _deaf(self):
        """How many streams do not hear of a change that is made now."""
        before = [stream.heard for stream in self.streams]
        until = time.monotonic() + 30
        deaf = range(len(self.streams))
        while deaf and time.monotonic() < until:
            self.cluster.describe("sign", f"Version {time.monotonic()}")
            for _ in range(10):
                if any(self.streams[i].heard == before[i] for i in deaf):
                    await asyncio.sleep(0.1)
            deaf = [i for i in deaf if self.streams[i].heard == before[i]]
        return len(deaf)

    def row(self):
        return counted(self.fates, self.tasks, self.effects.of(self.name)) | {
            "ended": self.counts["ended"], "cut": self.counts["cut"], "again": self.counts["again"], "deaf": self.deaf,
            "seconds": round(self.took, 1)}

    def wrong(self):
        return wrong_with(self.fates, self.tasks, self.effects.of(self.name), self.deaf)


def counted(fates, tasks, effects):
    """`fates`: {call: client.Fate}; `tasks`: {call: (its end, what was said of it)}; `effects`: {call: how often}."""
    whats = collections.Counter(fate.what for fate in fates.values())
    ends = collections.Counter(what for what, _ in tasks.values())
    return {**{what: whats[what] for what in ("answered", "unknown", "refused", "hung")},
            "repeated": sum(fate.attempts - 1 for fate in fates.values()),
            "twice": sum(times > 1 for times in effects.values()),
            **{f"tasks {end}": ends[end] for end in (*OVER, "unknown", "lost")},
            "why unknown": dict(collections.Counter(fate.why for fate in fates.values() if fate.what == "unknown"))}


def wrong_with(fates, tasks, effects, deaf):
    """What must not be, in words."""
    found = [f"{call} was done {times} times" for call, times in effects.items() if times > 1]
    for call, fate in fates.items():
        done = effects.get(call, 0)
        if fate.what == "hung":
            found.append(f"{call} was neither answered nor refused")
        elif fate.what == "answered" and not done:
            found.append(f"{call} was answered and not done")
        elif fate.what == "refused":
            found.append(f"{call} was refused for good, and {'done' if done else 'not done'}: {fate.why} {fate.answer}")
    for call, (what, said) in tasks.items():
        if what not in (*OVER, "unknown"):
            found.append(f"{call}, a task: {what} {said}")
        elif what == "completed" and not effects.get(call, 0):
            found.append(f"{call}, a task, is completed and was not done")
    if deaf:
        found.append(f"{deaf} streams did not hear of a change")
    return found


class Faults:
    """What is done to the members of a cluster."""

    def __init__(self, cluster, load):
        self.cluster, self.load = cluster, load

    async def nothing(self):
        pass

    async def kill(self, member):
        await asyncio.to_thread(member.kill)
        await asyncio.sleep(1)  # until whoever looks after it starts it again
        await asyncio.to_thread(member.start)

    async def stop(self, member):
        member.signal(signal.SIGSTOP)
        await asyncio.sleep(self.load.stopped)
        member.signal(signal.SIGCONT)

    async def fill(self, disk, redis):
        """Redis ends with appendfsync always, and is started again, again and again."""
        filler = pathlib.Path(disk) / "filler"
        with open(filler, "wb") as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
                    file.flush()
            except OSError:
                pass
        until = time.monotonic() + self.load.stopped
        ends = 0
        while time.monotonic() < until:
            if not redis.runs():
                ends += 1
                redis.start(wait=False)
            await asyncio.sleep(0.5)
        filler.unlink()
        if not redis.runs():
            await asyncio.to_thread(redis.start)
        if ends == 0:
            raise RuntimeError("Redis did not notice that its disk was full")


def faults_of(cluster, load, disk, is_quick):
    """[(name, what is done)]"""
    faults = Faults(cluster, load)
    members = cluster.members.values()
    if is_quick:
        members = [cluster.members[name] for name in ("replica 1", "worker 1", "redis", "nats", "nginx")]
    every = [] if is_quick else [("nothing", faults.nothing)]
    every += [(f"kill {one.name}", lambda one=one: faults.kill(one)) for one in members]
    every += [(f"stop {one.name}", lambda one=one: faults.stop(one)) for one in members if not is_quick]
    if disk:
        every.append(("full disk", lambda: faults.fill(disk, cluster.members["redis"])))
    return every


class Disk:
    """A file system of its own, which can be filled; None without the right to have one."""

    def __enter__(self):
        self._folder = tempfile.mkdtemp(prefix="toolwire-disk-")
        command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", self._folder]
        mounted = subprocess.run(command, capture_output=True)
        self._is_mounted = mounted.returncode == 0
        if not self._is_mounted:
            print("faults: SKIPPED the full disk, which needs root")
        return self._folder if self._is_mounted else None

    def __exit__(self, *_):
        if self._is_mounted:
            subprocess.run(["umount", "-l", self._folder], check=True)
        shutil.rmtree(self._folder, ignore_errors=True)


def tools_of(effect, database, load):
    def counted(milliseconds, **metadata):
        return ({"parameters": NAMED, "metadata": metadata},
                {"process": {"argv": [str(effect), str(database), "{call}", str(milliseconds)]}})
    mark, job = counted(load.takes), counted(load.task_takes, long_running=True)
    return {"mark": mark, "sign": ({}, {"constant": {"result": "x"}})}, {"job": job}


async def play(cluster, effects, load, disk, is_quick, only):
    counts = collections.Counter()
    streams = [Stream(cluster.entry, counts) for _ in range(load.streams)]
    listening = [asyncio.create_task(stream.listen()) for stream in streams]
    rows, wrong = {}, []
    while not all(stream.is_open for stream in streams):
        await asyncio.sleep(0.05)
    for number, (name, fault) in enumerate(faults_of(cluster, load, disk, is_quick)):
        if only and only not in name:
            continue
        run = Run(cluster, effects, streams, counts, load, number)
        await run.play(fault)
        rows[name] = run.row()
        wrong += [f"{name}: {text}" for text in run.wrong()]
        print(f"{name}: {rows[name]}", flush=True)
    for one in listening:
        one.cancel()
    return rows, wrong


COLUMNS = {"answered": "answered", "unknown": "unknown", "repeated": "repeated", "twice": "done twice",
           "tasks completed": "tasks completed", "tasks interrupted": "interrupted", "tasks failed": "failed",
           "tasks unknown": "unknown whether begun", "tasks lost": "lost", "ended": "streams ended", "cut": "cut",
           "again": "begun again", "deaf": "deaf"}


def measure(program, binaries, is_quick, only="", is_careless=False):
    """({fault: figures}, [what is wrong])"""
    load = dataclasses.replace(QUICK if is_quick else FULL, careless=is_careless)
    with Disk() as disk, tempfile.TemporaryDirectory() as folder:
        effects = Effects(os.path.join(folder, "effects"))
        tools, own_tools = tools_of(binaries / "toolwire-bench-effect", effects.file, load)
        settings = {"calls_per_minute": 1_000_000}  # each call is counted in Redis
        with Cluster(program, tools=tools, own_tools=own_tools, redis_folder=disk, settings=settings) as cluster:
            rows, wrong = asyncio.run(play(cluster, effects, load, disk, is_quick, only))
            if wrong:
                print(cluster.logs())
    print("| | " + " | ".join(COLUMNS.values()) + " |\n|" + "---|" * (len(COLUMNS) + 1))
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(str(row[column]) for column in COLUMNS) + " |")
    return rows, wrong
