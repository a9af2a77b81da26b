"""What one caller may call in a minute, at three replicas whose clocks differ by half a minute."""

import asyncio
import collections
import datetime
import os
import pathlib
import tempfile

import client
from cluster import Cluster

LIMIT, WINDOW = 100, 60
SHIFTS = (-30, 0, 30)
TOKEN, TOKEN_OF_ANOTHER = "one-of-a-caller-that-is-measured", "one-of-a-caller-who-looks-at-clocks"


async def call(cluster, port, taken, refused):
    params = {"name": "fixed", "arguments": {}}
    answer = await client.ask(port, "tools/call", params, "fixed", token=TOKEN, host=cluster.entry)
    said = client.said_of(answer)
    if said is None:
        taken.append(answer)
    else:
        refused[said.get("code", "")] += 1


async def counted(cluster, seen):
    """Adds to `seen` when calls were counted, in microseconds by the clock of Redis: {window: moments}. Each stays there
    for a window."""
    async def said(*words):
        asked = await asyncio.create_subprocess_exec("redis-cli", "-p", str(cluster.ports["redis"]), *words,
                                                     stdout=asyncio.subprocess.PIPE)
        return (await asked.communicate())[0].decode().split()
    for window in await said("--raw", "KEYS", "toolwire:rate:*"):
        seen[window].update(int(moment) for moment in await said("--raw", "LRANGE", window, "0", "-1"))


async def offer(cluster, calls, seconds):
    """([when calls that were done were counted], how many were refused, by why)"""
    taken, refused, seen = [], collections.Counter(), collections.defaultdict(set)
    ports = cluster.replica_ports()

    async def look():
        while True:
            await counted(cluster, seen)
            await asyncio.sleep(WINDOW / 6)

    async def later(i):
        await asyncio.sleep(i * seconds / calls)
        await call(cluster, ports[i % len(ports)], taken, refused)
    looking = asyncio.create_task(look())
    await asyncio.gather(*(later(i) for i in range(calls)))
    looking.cancel()
    await counted(cluster, seen)
    return taken, refused, sorted(max(seen.values(), key=len))


async def clocks(cluster):
    """By how many seconds the clock of each replica is late or early: a task says when it was made."""
    shifts = []
    for port in cluster.replica_ports():
        answer = await client.ask(port, "tools/call", {"name": "job", "arguments": {}}, "job", client.TASKS,
                                  TOKEN_OF_ANOTHER, cluster.entry)
        made = datetime.datetime.fromisoformat(answer.message["result"]["createdAt"])
        shifts.append(round((made - datetime.datetime.now(datetime.timezone.utc)).total_seconds()))
    return shifts


def densest(moments):
    """The most of these moments (microseconds) in any window."""
    moments, first, most = sorted(moments), 0, 0
    for i, moment in enumerate(moments):
        while moment - moments[first] >= WINDOW * 1_000_000:
            first += 1
        most = max(most, i - first + 1)
    return most


def judge(taken, moments, refused, shifts, calls, seconds):
    wrong = []
    if any(abs(shift - meant) > 5 for shift, meant in zip(shifts, SHIFTS)):
        wrong.append(f"the clocks of replicas are {shifts} s late, and were meant to be {SHIFTS}")
    if densest(moments) > LIMIT:
        wrong.append(f"{densest(moments)} calls were counted in {WINDOW} s, by the clock of Redis")
    if len(moments) != len(taken):
        wrong.append(f"{len(taken)} calls were done, and {len(moments)} counted")
    if set(refused) - {"rate_limited"}:
        wrong.append(f"calls failed: {dict(refused)}")
    if len(taken) + sum(refused.values()) != calls:
        wrong.append("some calls have no answer")
    # A new hundred begins as the first one leaves the window; the last second may be lost to a busy machine.
    due = LIMIT if seconds < WINDOW else LIMIT + min(LIMIT, int((seconds - WINDOW - 1) * calls / seconds))
    if len(taken) < due:
        wrong.append(f"only {len(taken)} calls were done, of at least {due} that may be")
    return wrong


def measure(program, binaries, is_quick):
    """(figures, [what is wrong])"""
    calls, seconds = (200, 3) if is_quick else (1000, 70)
    library = str(binaries / "libshifted_clock.so")
    preload = {f"replica {number}": {"LD_PRELOAD": library, "SHIFTED_SECONDS": str(shift)}
               for number, shift in enumerate(SHIFTS, 1)}
    with tempfile.TemporaryDirectory() as folder:
        tokens = pathlib.Path(folder) / "tokens"
        tokens.write_text(f"caller {TOKEN}\nanother {TOKEN_OF_ANOTHER}\n")
        os.chmod(tokens, 0o600)
        own = {"fixed": ({}, {"constant": {"result": "x"}}),
               "job": ({"metadata": {"long_running": True}}, {"process": {"argv": ["true"]}})}
        with Cluster(program, workers=0, balancer=None, own_tools=own, settings={"calls_per_minute": LIMIT},
                     preload=preload, arguments=["--token-file", str(tokens)]) as cluster:
            shifts = asyncio.run(clocks(cluster))
            taken, refused, moments = asyncio.run(offer(cluster, calls, seconds))
    row = {"offered": calls, "seconds": seconds, "done": len(taken), "rate_limited": refused["rate_limited"],
           f"most in {WINDOW} s": densest(moments), "clocks": shifts}
    print("| " + " | ".join(row) + " |\n|" + "---|" * len(row) + "\n| " + " | ".join(map(str, row.values())) + " |")
    return row, judge(taken, moments, refused, shifts, calls, seconds)
