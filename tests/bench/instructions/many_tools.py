#!/usr/bin/env python3
"""Holds what many tools cost a bridge, in instructions, which other load does not change: a call costs the same however many tools of
files there are beside it, and the start grows no faster than their number.

usage: many_tools.py TOOLWIRE_BRIDGE SERVER      SERVER has a tool "echo"
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FEW_CALLS, MANY_CALLS = 20, 60
FEW_TOOLS, MANY_TOOLS = 100, 400


def tool(number: int) -> dict:
    return {"name": f"tool_{number}", "description": "Gives a number",
            "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": []},
            "metadata": {"enabled_by_default": True, "requires_approval": False}}


def configuration(folder: pathlib.Path, server: str, tools: int) -> pathlib.Path:
    """That many tools, each with a binding and, every fourth, with a preference of its own."""
    manifest, file = folder / f"tools-{tools}.json", folder / f"bridge-{tools}.json"
    manifest.write_text(json.dumps({
        "protocol_version": "1.0", "generated_at": "2026-01-15T10:30:00Z",
        "scenario": {"name": "many", "version": "1.0.0", "description": "Many tools"},
        "tools": [tool(number) for number in range(tools)]}))
    file.write_text(json.dumps({
        "mcpServers": {"far": {"command": os.path.abspath(server)}},
        "toolwire": {"manifests": [manifest.name], "audit": f"audit-{tools}.jsonl",
                     "bindings": {f"tool_{number}": {"constant": {"result": {"number": number}}} for number in range(tools)},
                     "tools": {f"tool_{number}": {"cache_seconds": 1} for number in range(0, tools, 4)}}}))
    return file


def message(number: int, method: str, params: dict) -> bytes:
    return (json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n").encode()


def instructions(bridge: str, file: pathlib.Path, names: list[str], calls: int) -> int:
    """Of a whole run in which each tool of `names` is called so often, one call after the other."""
    log = file.with_suffix(".log")
    run = subprocess.Popen(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", bridge, "serve", file],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log.open("wb"))

    def ask(method: str, params: dict) -> dict:
        run.stdin.write(message(1, method, params))
        run.stdin.flush()
        while True:
            answer = json.loads(run.stdout.readline() or b'{"id": 1, "error": "it has ended"}')
            if answer.get("id") == 1:
                return answer

    ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "counter", "version": "1"}})
    for name in names * calls:
        answer = ask("tools/call", {"name": name, "arguments": {"text": "hello"}})
        if answer.get("result", {}).get("isError", "result" not in answer):
            sys.exit(f"{file.name}: {name} answered {answer}")
    run.communicate()
    said = log.read_text(errors="replace")
    found = re.search(r"Collected : (\d+)", said)
    if run.returncode != 0 or not found:
        sys.exit(f"{file.name} ended with {run.returncode}:\n{said}")
    return int(found.group(1))


def main() -> int:
    bridge, server = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as place:
        files = {tools: configuration(pathlib.Path(place), server, tools) for tools in (1, FEW_TOOLS, 2 * FEW_TOOLS, MANY_TOOLS)}

        def of_call(tools: int) -> int:
            names = ["echo", f"tool_{tools - 1}"]  # of the server, and the last one of a file
            few, many = (instructions(bridge, files[tools], names, calls) for calls in (FEW_CALLS, MANY_CALLS))
            return many - few

        start = {tools: instructions(bridge, file, [], 0) for tools, file in files.items() if tools > 1}
        figures = [("a call of a server's tool and one of a file's", of_call(MANY_TOOLS) / of_call(1), 1.25),
                   ("a tool more at the start", (start[MANY_TOOLS] - start[2 * FEW_TOOLS]) / (start[2 * FEW_TOOLS] - start[FEW_TOOLS]) / 2, 1.1)]
    for what, ratio, limit in figures:
        print(f"{what}: {ratio:.2f} times, at most {limit}" + (" MISSED" if ratio > limit else ""))
    return 1 if any(ratio > limit for _, ratio, limit in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
