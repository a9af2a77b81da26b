"""A small MCP server that is wrong in one way: what the attacks must find. Usage: faulty_server.py FAULT

none         nothing is wrong with it
crash        ends when "arguments" is missing or no object
invalid      writes a line that is no JSON for a method it does not know
twice        answers a call twice
hang         does nothing any more after a "params" that is an array
stays        does not end when its input does
"""

import json
import os
import signal
import sys
import time

TOOLS = [{"name": "echo", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}]
METHODS = {"ping", "initialize", "tools/list", "tools/call", "resources/list", "resources/templates/list", "prompts/list"}


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(message, fault):
    identifier, method, params = message.get("id"), message.get("method"), message.get("params", {})
    if fault == "hang" and isinstance(params, list):
        time.sleep(3600)
    if method == "tools/call" and fault == "crash" and not isinstance((params or {}).get("arguments"), dict):
        os._exit(3)
    if identifier is None or isinstance(identifier, (bool, float, list, dict)) or not isinstance(method, str):
        return
    known = method in METHODS
    if fault == "invalid" and not known:
        print("{'error': 'unknown'}", flush=True)
    result = {"result": {"tools": TOOLS}} if known else {"error": {"code": -32601, "message": "Method not found"}}
    say({"jsonrpc": "2.0", "id": identifier, **result})
    if fault == "twice" and method == "tools/call":
        say({"jsonrpc": "2.0", "id": identifier, **result})


def main():
    fault = sys.argv[1]
    if fault == "stays":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            continue
        if isinstance(message, dict):
            try:
                answer(message, fault)
            except (AttributeError, UnicodeError):
                pass
    if fault == "stays":
        time.sleep(3600)


if __name__ == "__main__":
    main()
