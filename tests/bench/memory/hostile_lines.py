#!/usr/bin/env python3
"""Measures what lines cost that are written to cost much: memory, delay, what stays, and the end of memory.

usage: hostile_lines.py [SERVER] [--bridge BRIDGE] [--runs N] [--seed N] [--quick] [--only MEASURE]

SERVER is `everything`, which has tools that say the same again. Prints a table; the status is 1 if a limit is exceeded.

* memory: for each shape of a line, the most resident memory it adds, against four times its length and 32 MiB.
* delay: how long a ping waits behind it, against 100 ms for each 10 MiB that are begun.
* stays: resident memory after ten such lines, more than before.
* end of memory: the server with RLIMIT_AS of 60 to 300 MB is sent lines of 1 to 70 MiB: every request is answered, and
  the process ends with its input and status 0; or, before the handshake, with a message and another status than that of
  a signal.
With BRIDGE (`toolwire-bridge`), memory and what stays of the bridge, too, when a back-end answers with such lines.
"""

import argparse
import json
import os
import random
import resource
import selectors
import subprocess
import sys
import tempfile
import time

MIB = 1 << 20
SILENCE = 60  # seconds without an answer are a hang

HEAD = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"test_echo_json","arguments":{"value":'
TAIL = b"}}}"


def array(piece, size):
    """As many pieces as fit into `size` bytes, in an array."""
    return b"[" + b",".join([piece] * (size // (len(piece) + 1))) + b"]"


def names(size):
    """An object of many members."""
    return b"{" + b",".join(b'"%d":1' % number for number in range(size // 10)) + b"}"


def nested(size):
    """Arrays of 1 000 arrays of 3."""
    return array(array(b"[1,1,1]", 8_000), size)


SHAPES = {
    "numbers": lambda size: array(b"1", size),
    "empty arrays": lambda size: array(b"[]", size),
    "arrays of one": lambda size: array(b"[1]", size),
    "nested arrays": nested,
    "members without a name": lambda size: array(b'{"":1}', size),
    "objects of three": lambda size: array(b'{"a":1,"b":[],"c":{}}', size),
    "short strings": lambda size: array(b'"a"', size),
    "strings of sixteen": lambda size: array(b'"abcdefghijklmnop"', size),
    "names": names,
    "numbers beyond 64 bits": lambda size: array(b"1,100000000000000000000", size),
    "half pairs": lambda size: b'[' + array(b"[1]", size - 20) + b',"\\ud83d"]',
    "letters": lambda size: b'"' + b"a" * (size - 2) + b'"',
    "escapes": lambda size: b'"' + b"\\n" * (size // 2 - 1) + b'"',
    "letters and half a pair": lambda size: b'"\\ud83d' + b"a" * (size - 8) + b'"',
    "cut": lambda size: b"[" + b"[1]," * (size // 4),
}


def largest_allowed(shape, size):
    """The longest line of this shape, of `size` bytes at most, that is not refused for its values."""
    def values(text):
        # numbers, texts, names; and what opens. Commas and colons separate all but the first of each container.
        empty = text.count(b"[]") + text.count(b"{}")
        return 1 + text.count(b",") + text.count(b":") + text.count(b"[") + text.count(b"{") - empty
    if shape in ("letters", "escapes", "letters and half a pair"):
        return SHAPES[shape](size)
    low, high = 64, size
    while low + 64 < high:
        middle = (low + high) // 2
        if values(SHAPES[shape](middle)) < 799_980:
            low = middle
        else:
            high = middle
    return SHAPES[shape](low)


class Server:
    """A process on two pipes, which the kernel gives no more than `memory` bytes of addresses."""

    def __init__(self, command, memory=None):
        def bound():
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        bufsize=0, preexec_fn=bound)
        os.set_blocking(self.process.stdin.fileno(), False)
        self.buffer = bytearray()
        self.scanned = 0
        self.number = 0
        self.lines = []

    def begin(self, revision="2025-06-18"):
        self.talk([json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}}).encode()], 1)
        self.talk([b'{"jsonrpc":"2.0","method":"notifications/initialized"}'], 0)

    def talk(self, lines, answers):
        """Sends lines while it reads, until there are as many answers or the server has ended. Returns the answers, each
        with the time it came."""
        waiting = memoryview(b"".join(line + b"\n" for line in lines))
        got = []
        silent_since = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if len(waiting):
                selector.register(self.process.stdin, selectors.EVENT_WRITE)
            while len(waiting) or len(got) < answers:
                for key, _ in selector.select(1):
                    if key.fileobj is self.process.stdin:
                        try:
                            waiting = waiting[os.write(self.process.stdin.fileno(), waiting[:MIB]):]
                        except BrokenPipeError:
                            waiting = waiting[len(waiting):]
                        if not len(waiting):
                            self.sent = time.monotonic()
                            selector.unregister(self.process.stdin)
                    else:
                        some = os.read(self.process.stdout.fileno(), MIB)
                        if not some:
                            return got
                        self.buffer += some
                        got += self.take_lines()
                    silent_since = time.monotonic()
                if time.monotonic() - silent_since > SILENCE:
                    raise TimeoutError(f"no answer for {SILENCE} s, {len(got)} of {answers} were there")
        return got

    def take_lines(self):
        got = []
        while (end := self.buffer.find(b"\n", self.scanned)) >= 0:
            got.append((time.monotonic(), bytes(self.buffer[:end])))
            del self.buffer[:end + 1]
            self.scanned = 0
        self.scanned = len(self.buffer)
        return got

    def status(self, name):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith(name + ":"):
                    return int(line.split()[1]) * 1024
        raise KeyError(name)

    def forget_peak(self):
        with open(f"/proc/{self.process.pid}/clear_refs", "w", encoding="ascii") as file:
            file.write("5")

    def end(self):
        """The exit status and what was said to stderr."""
        self.process.stdin.close()
        self.process.stdout.close()
        said = self.process.stderr.read().decode(errors="replace")
        return self.process.wait(SILENCE), said


class Board:
    def __init__(self):
        self.failed = False

    def line(self, what, value, limit, unit, note=""):
        verdict = "reached" if value <= limit else "NOT REACHED"
        self.failed = self.failed or value > limit
        print(f"| {what} | ≤ {limit:.1f} {unit} | {value:.1f} {unit} | {verdict} | {note} |", flush=True)


def call(number, value):
    return HEAD % number + value + TAIL


def ping(number):
    return b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % number


def refused(answers, number):
    """The error, if the answer to this request is one."""
    for _, answer in answers:
        if b'"id":%d' % number in answer[:60]:
            return answer[:300].decode(errors="replace") if b'"error"' in answer[:60] else ""
    return "no answer"


def measure(board, command, shape, value, batch=False):
    server = Server(command)
    server.begin("2025-03-26")
    server.talk([call(1, b"1"), ping(2)], 2)
    server.forget_peak()
    before = server.status("VmRSS")
    line = value if batch else call(3, value)
    answers = server.talk([line, ping(4)], 2)
    ping_came = next((came for came, answer in answers if b'"id":4' in answer[:60]), None)
    if ping_came is None:
        raise RuntimeError(f"{shape}: the server has ended")
    # The server reads while it is sent to: what it needs after the last byte is its own.
    wait = (ping_came - server.sent) * 1000
    need = server.status("VmHWM") - before
    error = "" if batch else refused(answers, 3)
    size = len(line)
    note = f"{size / 1e6:.1f} MB" + (", refused" if error else "")
    board.line(f"{shape}: memory", need / MIB, 4 * size / MIB + 32, "MiB", note)
    board.line(f"{shape}: delay", wait, 100 * max(1, -(-size // (10 * MIB))), "ms", note)
    for number in range(5, 14):
        server.talk([value if batch else call(number, value)], 1)
    server.talk([ping(14)], 1)
    board.line(f"{shape}: stays", (server.status("VmRSS") - before) / MIB, 16, "MiB", note)
    server.end()


def hostile(board, command, size, only):
    for shape, make in SHAPES.items():
        if only and only not in shape:
            continue
        measure(board, command, shape + ", allowed", largest_allowed(shape, size))
        measure(board, command, shape, make(size))
    for piece in (b"1", b"{}"):
        if not only or only in "batch":
            measure(board, command, f"batch of {piece.decode()}", array(piece, size), batch=True)


def back_end():
    """An MCP server whose one tool answers with a line of the shape and size that it is asked for."""
    out = sys.stdout.buffer
    for text in sys.stdin.buffer:
        message = json.loads(text)
        if "id" not in message:
            continue
        begin = b'{"jsonrpc":"2.0","id":%s,' % json.dumps(message["id"]).encode()
        if message["method"] == "initialize":
            result = json.dumps({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                                 "serverInfo": {"name": "hostile", "version": "1"}}).encode()
        elif message["method"] == "tools/list":
            result = json.dumps({"tools": [{"name": "hostile", "description": "Answers with a line", "inputSchema": {
                "type": "object"}}]}).encode()
        elif message["method"] == "tools/call":
            given = message["params"]["arguments"]
            make = largest_allowed if given["allowed"] else lambda shape, size: SHAPES[shape](size)
            result = b'{"content":[],"structuredContent":{"value":' + make(given["shape"], given["size"]) + b"}}"
        elif message["method"] == "ping":
            result = b"{}"
        else:
            out.write(begin + b'"error":{"code":-32601,"message":"Method not found"}}\n')
            out.flush()
            continue
        out.write(begin + b'"result":' + result + b"}\n")
        out.flush()


def hostile_back_end(board, bridge, size, only):
    with tempfile.TemporaryDirectory() as folder:
        configuration = os.path.join(folder, "mcp.json")
        with open(configuration, "w", encoding="ascii") as file:
            json.dump({"mcpServers": {"hostile": {"command": sys.executable,
                                                  "args": [os.path.abspath(__file__), "--back-end"]}}}, file)
        os.chmod(configuration, 0o600)
        for shape in SHAPES:
            for allowed in (True, False):
                if only in shape:
                    measure_back_end(board, [bridge, "serve", configuration], shape, size, allowed)


def measure_back_end(board, command, shape, size, allowed):
    server = Server(command)
    server.begin()
    listed = json.loads(server.talk([b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'], 1)[-1][1])
    name = next(tool["name"] for tool in listed["result"]["tools"] if "hostile" in tool["name"])

    def call_of(number, length):
        return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {
            "name": name, "arguments": {"shape": shape, "size": length, "allowed": allowed}}}).encode()
    server.talk([call_of(2, 64)], 1)
    server.forget_peak()
    before = server.status("VmRSS")
    answer = server.talk([call_of(3, size)], 1)[0][1]
    need = server.status("VmHWM") - before
    refused_it = len(answer) < 10_000
    length = size if refused_it else len(answer)
    note = f"{length / 1e6:.1f} MB" + (", refused" if refused_it else "")
    what = f"back-end, {shape}" + (", allowed" if allowed else "")
    board.line(f"{what}: memory of the bridge", need / MIB, 4 * length / MIB + 32, "MiB", note)
    for number in range(4, 8):
        server.talk([call_of(number, size)], 1)
    server.talk([ping(9)], 1)
    time.sleep(0.3)  # what a thread has read is given back behind its answer
    board.line(f"{what}: stays", (server.status("VmRSS") - before) / MIB, 16, "MiB", note)
    server.end()


def end_of_memory(board, command, runs, seed):
    chance = random.Random(seed)
    deaths, hangs, unanswered, silent_starts, refused_starts = [], 0, 0, 0, 0
    for run in range(runs):
        memory = chance.randint(60, 300) * 1_000_000
        shape = chance.choice(list(SHAPES))
        value = SHAPES[shape](chance.randint(1, 70) * MIB)
        server = Server(command, memory)
        try:
            server.begin()
            began = len(server.talk([ping(1)], 1)) == 1
            answered = len(server.talk([call(2, value), ping(3), call(4, b"1"), ping(5)], 4)) if began else 0
            status, said = server.end()
        except (TimeoutError, subprocess.TimeoutExpired) as error:
            hangs += 1
            print(f"run {run}: {memory} bytes, {shape} of {len(value)}: {error}", flush=True)
            server.process.kill()
            continue
        if not began:
            refused_starts += 1
            silent_starts += status <= 0 or not said.strip()
        elif status != 0:
            deaths.append(f"{memory} bytes, {shape} of {len(value)}: {status} {said[-300:].strip()}")
        elif answered != 4:
            unanswered += 1
            print(f"run {run}: {memory} bytes, {shape} of {len(value)}: {answered} of 4 answers", flush=True)
    for death in deaths[:10]:
        print(death)
    board.line(f"{runs} runs at the end of memory: deaths", len(deaths), 0, "")
    board.line("the same: hangs", hangs, 0, "")
    board.line("the same: requests without an answer", unanswered, 0, "")
    board.line("the same: ends before the handshake without a message", silent_starts, 0, "",
               f"{refused_starts} ended before the handshake")


def main():
    parser = argparse.ArgumentParser(description="What hostile lines cost")
    parser.add_argument("server", nargs="?")
    parser.add_argument("--bridge", help="toolwire-bridge, for answers of a back-end")
    parser.add_argument("--back-end", action="store_true", help="Be that back-end")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="Lines of 2 MB and 10 runs: shows that it works")
    parser.add_argument("--only", default="", help="Shapes with this in their name, or `end`")
    options = parser.parse_args()
    if options.back_end:
        return back_end()
    board = Board()
    print("| line | limit | measured | verdict | |\n|---|---|---|---|---|")
    size = 2_000_000 if options.quick else 74 * MIB
    if options.only != "end" and options.server:
        hostile(board, [options.server], size, options.only)
    if options.only != "end" and options.bridge:
        hostile_back_end(board, options.bridge, size, options.only)
    if options.server and options.only in ("", "end"):
        end_of_memory(board, [options.server], 10 if options.quick else options.runs, options.seed)
    return 1 if board.failed else 0


if __name__ == "__main__":
    sys.exit(main())
