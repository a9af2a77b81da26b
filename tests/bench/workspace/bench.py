#!/usr/bin/env python3
"""Measures the workspace server beside ripgrep, and beside the npm package @modelcontextprotocol/server-filesystem.

usage: bench.py WORKSPACE [--rg RG] [--npm "node …/server-filesystem/dist/index.js"] [--files N] [--rounds N]

Makes a tree of source-like files, runs the same query with each program in turn, and prints medians and ratios. The
servers are asked over a session that is open already; ripgrep is a process for each query, and its time includes its
start (which `one process` measures of the workspace server too). Status 1 if the programs do not find the same.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

WORDS = ("int return static const void char struct if else for while buffer length index offset handler request "
         "response status error result value count size data list node parent child name path file open close read "
         "write parse format print config option default context message server client session").split()
LIMIT = 200


def make_tree(top, files):
    chance = random.Random(1)
    lines = []
    for _ in range(4000):
        words = [chance.choice(WORDS) for _ in range(chance.randint(3, 12))]
        lines.append("  " * chance.randint(0, 3) + " ".join(words) + f"_{chance.randint(0, 999)};\n")
    for number in range(files):
        folder = os.path.join(top, f"module_{number // 1000:02}", f"part_{number // 100 % 10}")
        os.makedirs(folder, exist_ok=True)
        text = chance.choices(lines, k=chance.randint(20, 180))
        if number % 500 == 7:
            text[len(text) // 2] = f"  rare_needle_{number} = Zebra({number});\n"
        with open(os.path.join(folder, f"file_{number}.c"), "w", encoding="utf-8") as file:
            file.writelines(text)


class Session:
    """A server on two pipes, one call at a time."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, bufsize=0)
        self.buffer = b""
        self.number = 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "bench", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    def request(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            while b"\n" not in self.buffer:
                chunk = os.read(self.process.stdout.fileno(), 1 << 16)
                if not chunk:
                    sys.exit(f"the server ended during {method}")
                self.buffer += chunk
            line, self.buffer = self.buffer.split(b"\n", 1)
            message = json.loads(line)
            if message.get("id") == self.number and "method" not in message:
                if "error" in message or message["result"].get("isError"):
                    sys.exit(f"{method} failed: {line[:500]!r}")
                return message["result"]

    def call(self, tool, arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})["content"][0]["text"]

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


def timed(action):
    start = time.perf_counter()
    result = action()
    return (time.perf_counter() - start) * 1000, result


def lines_in(text):
    return [line for line in text.split("\n") if line and not line.startswith("[")]


def rg_lines(rg, top, query):
    # head ends ripgrep at the limit, as a limit ends a search of the server.
    command = [rg, "--no-heading", "-n", "--hidden", "-g", "!.git", *query["rg"], query["pattern"], "."]
    search = subprocess.Popen(command, cwd=top, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    head = subprocess.run(["head", "-n", str(LIMIT)], stdin=search.stdout, stdout=subprocess.PIPE, check=True)
    search.stdout.close()
    search.wait()
    return head.stdout.decode()


QUERIES = [
    {"name": "a rare word", "pattern": "rare_needle", "rg": [], "ours": {}},
    {"name": "a rare word, any case", "pattern": "RARE_needle", "rg": ["-i"], "ours": {"ignoreCase": True}},
    {"name": "nothing", "pattern": "there is no such text", "rg": [], "ours": {}},
    {"name": "an expression with a word in it", "pattern": r"\w+_needle_\d+ = Zebra", "rg": [], "ours": {}},
    {"name": "an expression without a word", "pattern": r"[A-Z][a-z]+\([0-9]+\)", "rg": [], "ours": {}},
    {"name": "a frequent word, limit reached", "pattern": "buffer", "rg": [], "ours": {}},
]


def compare_with_rg(workspace, rg, top, rounds):
    print(f"{'search_text and ripgrep':36}{'ours ms':>9}{'one process':>13}{'ripgrep':>9}{'ratio':>7}{'ratio, one process':>20}")
    good = True
    session = Session([workspace, "--root", top])
    for query in QUERIES:
        arguments = {"pattern": query["pattern"], "limit": LIMIT, **query["ours"]}
        alone = [workspace, "--root", top, "--call", "search_text", json.dumps(arguments)]
        ours, process, theirs = [], [], []
        for round_number in range(rounds + 1):
            a, found = timed(lambda: session.call("search_text", arguments))
            b, _ = timed(lambda: subprocess.run(alone, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True))
            c, expected = timed(lambda: rg_lines(rg, top, query))
            if round_number > 0:  # the first round only warms up
                ours.append(a)
                process.append(b)
                theirs.append(c)
        same = len(lines_in(found)) == len(lines_in(expected))
        good = good and same
        a, b, c = (statistics.median(values) for values in (ours, process, theirs))
        print(f"{query['name']:36}{a:9.1f}{b:13.1f}{c:9.1f}{a / c:7.2f}{b / c:20.2f}" + ("" if same else "  NOT THE SAME"))
    session.close()
    return good


def compare_with_npm(workspace, npm, top, rounds):
    print(f"\n{'find_files and search_files':36}{'ours ms':>9}{'theirs':>9}{'ratio':>8}")
    ours_session = Session([workspace, "--root", top])
    theirs_session = Session([*npm.split(), top])
    ours, theirs = [], []
    for round_number in range(min(rounds, 3) + 1):
        a, found = timed(lambda: ours_session.call("find_files", {"pattern": "*_4*7.c", "limit": 2000}))
        b, expected = timed(lambda: theirs_session.call("search_files", {"path": top, "pattern": "**/*_4*7.c"}))
        if round_number > 0:
            ours.append(a)
            theirs.append(b)
    same = len(lines_in(found)) == min(2000, len(lines_in(expected)))
    a, b = statistics.median(ours), statistics.median(theirs)
    print(f"{'paths that fit a pattern':36}{a:9.1f}{b:9.1f}{b / a:7.1f}x" + ("" if same else "  NOT THE SAME"))
    ours_session.close()
    theirs_session.close()
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workspace")
    parser.add_argument("--rg", default=shutil.which("rg"))
    parser.add_argument("--npm", default="")
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory(prefix="toolwire-bench-") as top:
        make_tree(top, options.files)
        print(f"{options.files} files, medians of {options.rounds} rounds, in turn")
        if options.rg:
            good = compare_with_rg(os.path.abspath(options.workspace), options.rg, top, options.rounds)
        else:
            print("ripgrep is not installed (apt-get install ripgrep), so there is nothing to compare with")
        if options.npm:
            good = compare_with_npm(os.path.abspath(options.workspace), options.npm, top, options.rounds) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
