"""All replicas are restarted in turn, as systemd does it, while clients call: no call fails, whatever the balancer.
Nothing is repeated here: 502, 503 and 504 are failures."""

import asyncio
import collections

import client
from cluster import Cluster, health
from faults import Stream

SLOW = 0.2  # seconds of the tool that is under way when a replica is told to end


class Callers:
    """Half of them over one connection each to the balancer, half over one for each call."""

    def __init__(self, port, count):
        self.failures, self.answered, self._ends = collections.Counter(), 0, False
        self._tasks = [asyncio.create_task(self._call(port, [] if i % 2 else None, i)) for i in range(count)]

    async def _call(self, port, kept, number):
        while not self._ends:
            number += 1
            tool = ("count", "slow", "fixed")[number % 3]
            try:
                answer = await client.ask(port, "tools/call", {"name": tool, "arguments": {}}, tool, kept=kept)
            except (client.NotSent, client.Cut, TimeoutError) as error:
                self.failures[f"{type(error).__name__}: {error}"] += 1
                if kept:
                    kept.clear()
                continue
            said = client.said_of(answer)
            if said is None and answer.status == 200:
                self.answered += 1
            else:
                self.failures[f"status {answer.status}, {said}"] += 1

    async def end(self):
        self._ends = True
        await asyncio.gather(*self._tasks)


async def restart_all(cluster, callers, streams, rounds):
    counts = collections.Counter()
    listeners = [Stream(cluster.entry, counts) for _ in range(streams)]
    listening = [asyncio.create_task(one.listen()) for one in listeners]
    calls = Callers(cluster.entry, callers)
    wrong = []
    for _ in range(rounds):
        for replica, port in zip(cluster.named("replica"), cluster.replica_ports()):
            before = calls.answered
            while calls.answered < before + 2 * callers:
                await asyncio.sleep(0.01)
            status = await asyncio.to_thread(replica.end)
            if status != 0:
                wrong.append(f"{replica.name} ended with {status}")
            await asyncio.to_thread(replica.start)
            if health(port) != 200:
                wrong.append(f"{replica.name} does not serve again")
    await calls.end()
    while not all(one.is_open for one in listeners):
        await asyncio.sleep(0.05)
    for one in listening:
        one.cancel()
    wrong += [f"{count} calls failed: {why}" for why, count in calls.failures.items()]
    if counts["cut"]:
        wrong.append(f"{counts['cut']} streams were cut, and had no result at their end")
    return {"restarts": rounds * len(cluster.replica_ports()), "answered": calls.answered,
            "failed": sum(calls.failures.values()), "streams ended": counts["ended"], "cut": counts["cut"]}, wrong


def measure(program, is_quick):
    """({balancer: figures}, [what is wrong])"""
    tools = {"slow": ({}, {"process": {"argv": ["sleep", str(SLOW)]}}), "fixed": ({}, {"constant": {"result": "x"}})}
    own_tools = {"count": ({}, {"process": {"argv": ["sleep", str(SLOW)]}})}
    rows, wrong = {}, []
    for balancer in ("nginx", "haproxy"):
        with Cluster(program, balancer=balancer, tools=tools, own_tools=own_tools) as cluster:
            rows[balancer], found = asyncio.run(restart_all(cluster, *((8, 4, 1) if is_quick else (40, 20, 3))))
            wrong += [f"{balancer}: {text}" for text in found]
            if found:
                print(cluster.logs())
    print("| | replicas restarted | answered | failed | streams ended | cut |\n|---|---|---|---|---|---|")
    for balancer, row in rows.items():
        print(f"| {balancer} | " + " | ".join(str(value) for value in row.values()) + " |")
    return rows, wrong
