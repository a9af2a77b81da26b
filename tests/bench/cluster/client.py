"""Clients of 2026-07-28 that say of each call what became of it. They repeat what they are told may be repeated, and
what was never sent; nothing else."""

import asyncio
import json
import time
from dataclasses import dataclass, field

REVISION = "2026-07-28"
TASKS = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
PAUSE = 0.1  # seconds before a call is made again, where its failure does not say how long
PATIENCE = 90  # seconds in which a request has to be answered or refused


class NotSent(Exception):
    """Nobody has taken the connection."""


class Cut(Exception):
    """The connection has ended in mid request."""


@dataclass
class Answer:
    status: int
    message: dict


class Exchange:
    """One request. `kept`: a list with a connection that it goes over, or without one, into which its own is put; else
    it has a connection for itself. `host`: the port that it names."""

    def __init__(self, port, method, params, name="", capabilities=None, token=None, host=None, kept=None):
        self._at, self._kept = port, kept
        meta = {"io.modelcontextprotocol/protocolVersion": REVISION,
                "io.modelcontextprotocol/clientCapabilities": capabilities or {}}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}).encode()
        fields = ["POST /mcp HTTP/1.1", f"Host: 127.0.0.1:{host or port}", "Content-Type: application/json",
                  "Accept: application/json, text/event-stream", f"MCP-Protocol-Version: {REVISION}",
                  f"Mcp-Method: {method}", f"Content-Length: {len(body)}"]
        fields += ["Connection: close"] if kept is None else []
        fields += [f"Mcp-Name: {name}"] if name else []
        fields += [f"Authorization: Bearer {token}"] if token else []
        self._request = "\r\n".join(fields).encode() + b"\r\n\r\n" + body
        self._reader = self._writer = None

    async def __aenter__(self):
        try:
            connection = self._kept.pop() if self._kept else await asyncio.open_connection("127.0.0.1", self._at)
            self._reader, self._writer = connection
        except OSError as error:
            raise NotSent(error) from error
        self._is_read, self._fields = False, {}
        return self

    async def __aexit__(self, *_):
        if self._kept is not None and self._is_read and self._fields.get("connection", "") != "close":
            self._kept.append((self._reader, self._writer))
        else:
            self._writer.close()

    async def head(self):
        """Sends the request. Its status, and what the answer is."""
        try:
            self._writer.write(self._request)
            await self._writer.drain()
            head = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        except (OSError, asyncio.IncompleteReadError) as error:
            raise Cut("no answer") from error
        lines = head.split("\r\n")
        self._fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        return int(lines[0].split()[1]), self._fields.get("content-type", "")

    async def events(self):
        """The messages of a stream; it returns at its end, and throws Cut if it was cut."""
        buffer = b""
        async for part in self._parts():
            buffer += part
            *whole, buffer = buffer.split(b"\n\n")
            for event in whole:
                data = b"".join(line[6:] for line in event.split(b"\n") if line.startswith(b"data: "))
                if data:
                    yield json.loads(data)

    async def body(self):
        return b"".join([part async for part in self._parts()])

    async def _parts(self):
        try:
            if "chunked" in self._fields.get("transfer-encoding", ""):
                while size := int(await self._reader.readline() or b"x", 16):
                    yield await self._reader.readexactly(size)
                    await self._reader.readline()
                self._is_read = await self._reader.readline() == b"\r\n"
            elif "content-length" in self._fields:
                yield await self._reader.readexactly(int(self._fields["content-length"]))
                self._is_read = True
            else:
                while part := await self._reader.read(65536):
                    yield part
        except (OSError, ValueError, asyncio.IncompleteReadError) as error:
            raise Cut("cut in mid answer") from error


async def ask(port, method, params, name="", capabilities=None, token=None, host=None, kept=None):
    """The answer to a request. Throws NotSent, Cut, TimeoutError."""
    exchange = Exchange(port, method, params, name, capabilities, token, host, kept)
    async with asyncio.timeout(PATIENCE), exchange:
        status, kind = await exchange.head()
        if "event-stream" in kind:
            answers = [message async for message in exchange.events() if "id" in message]
            if not answers:
                raise Cut("a stream without an answer")
            return Answer(status, answers[0])
        body = await exchange.body()
        try:
            return Answer(status, json.loads(body))
        except ValueError:
            return Answer(status, {})


def said_of(answer):
    """What a failure says of itself: None of an answer that is none."""
    if answer.message.get("result") is not None:
        result = answer.message["result"]
        if not result.get("isError"):
            return None
        return result.get("_meta", {}).get("dev.toolwire/error", {"code": "tool", "retryable": False})
    return answer.message.get("error", {}).get("data") or {"code": f"status {answer.status}"}


@dataclass
class Fate:
    """What became of a call: answered, unknown (nobody knows whether it was done), refused (it was not done, and will
    not be), hung (no answer at all)."""
    what: str = ""
    why: str = ""
    attempts: int = 0
    answer: dict = field(default_factory=dict)


async def call(port, tool, arguments, capabilities=None, give_up=None, token=None):
    """Calls as often as it is told that it may. `give_up`: when (time.monotonic) it ends that."""
    fate = Fate()
    while True:
        fate.attempts += 1
        try:
            answer = await ask(port, "tools/call", {"name": tool, "arguments": arguments}, tool, capabilities, token)
        except NotSent:
            said = {"code": "not sent", "retryable": True}
        except Cut as error:
            fate.what, fate.why = "unknown", f"connection: {error}"
            return fate
        except TimeoutError:
            fate.what, fate.why = "hung", "no answer"
            return fate
        else:
            said = said_of(answer)
            if said is None:
                fate.what, fate.answer = "answered", answer.message["result"]
                return fate
            if answer.status in (502, 504):  # a balancer that has lost the replica
                fate.what, fate.why = "unknown", f"status {answer.status}"
                return fate
        fate.why = said.get("code", "")
        if said.get("outcome") == "unknown":
            fate.what = "unknown"
            return fate
        if not said.get("retryable") or (give_up is not None and time.monotonic() > give_up):
            fate.what, fate.answer = "refused", said
            return fate
        await asyncio.sleep(said.get("retryAfterMs", PAUSE * 1000) / 1000)


async def look_at_task(port, task):
    """What is said of a task: its state; None: there is no such task. Repeated until somebody says it."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            answer = await ask(port, "tasks/get", {"taskId": task}, task, TASKS)
        except (NotSent, Cut):
            pass
        else:
            if "result" in answer.message:
                return answer.message["result"]
            if answer.message.get("error", {}).get("code") in (-32602, -32002):
                return None
        await asyncio.sleep(0.3)
    raise TimeoutError(f"nobody says what became of task {task}")
