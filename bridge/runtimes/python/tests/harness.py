"""A runtime as a child process, and a directory of tools to run in it."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import textwrap
import threading
from typing import Any, Callable, Dict, List, Optional

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PATIENCE = 60  # seconds until a test gives up: far more than anything takes


def tool_file(name: str, body: str, **info: Any) -> str:
    info = {"name": name, "description": "For tests", "input_schema": {"type": "object"}, **info}
    return f"def tool_info():\n    return {info!r}\n\n" + textwrap.dedent(body)


class Directory:
    """Files that are gone with it."""

    def __init__(self, files: Dict[str, str]):
        self._folder = tempfile.TemporaryDirectory()
        self.path = self._folder.name
        for name, text in files.items():
            with open(os.path.join(self.path, name), "w", encoding="utf-8") as file:
                file.write(text)

    def remove(self) -> None:
        self._folder.cleanup()


class Wire:
    """The bridge's end of a runtime's wire. One thread."""

    def __init__(self, files: Dict[str, str], *options: str, grant_all: bool = True):
        self.directory = Directory(files)
        command = [sys.executable, "-m", "toolwire_runtime", self.directory.path, *options]
        if grant_all:
            command.append("--grant-all")
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(os.environ, PYTHONPATH=PACKAGE),
        )
        self.errors = b""
        self._messages: "queue.Queue[Optional[Dict[str, Any]]]" = queue.Queue()
        self._kept: List[Dict[str, Any]] = []
        self._threads = [threading.Thread(target=read) for read in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._messages.put(json.loads(line))
        self._messages.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors = self.process.stderr.read()

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Dict[str, Any]) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", "protocol": "1.0.0", **message}).encode() + b"\n")

    def request(self, id: Any, method: str, params: Optional[Dict[str, Any]] = None) -> None:
        self.send({"id": id, "method": method, "params": params or {}})

    def execute(self, id: Any, tool: str, parameters: Optional[Dict[str, Any]] = None, **context: Any) -> None:
        given = {"sessionId": "s", "messageId": str(id), **context}
        self.request(id, "tool.execute", {"tool": tool, "parameters": parameters or {}, "context": given})

    def cancel(self, id: Any, reason: str = "cancelled") -> None:
        self.send({"method": "tool.cancel", "params": {"id": id, "reason": reason}})

    def next(self, fits: Callable[[Dict[str, Any]], bool] = lambda message: True) -> Dict[str, Any]:
        """The first message that fits; others are kept for later."""
        for index, kept in enumerate(self._kept):
            if fits(kept):
                return self._kept.pop(index)
        while True:
            message = self._messages.get(timeout=PATIENCE)
            if message is None:
                raise EOFError("the runtime has ended")
            if fits(message):
                return message
            self._kept.append(message)

    def answer(self, id: Any) -> Dict[str, Any]:
        return self.next(lambda message: "method" not in message and message.get("id") == id)

    def progress(self, id: Any) -> Dict[str, Any]:
        fits = lambda message: message.get("method") == "tool.progress" and message["params"]["id"] == id  # noqa: E731
        return self.next(fits)["params"]

    def call(self, tool: str, parameters: Optional[Dict[str, Any]] = None, **context: Any) -> Dict[str, Any]:
        self.execute("call", tool, parameters, **context)
        return self.answer("call")

    def output(self, tool: str, parameters: Optional[Dict[str, Any]] = None) -> str:
        return self.call(tool, parameters)["result"]["output"]

    def end(self) -> int:
        """Ends its input and waits for it."""
        assert self.process.stdin is not None and self.process.stdout is not None and self.process.stderr is not None
        if not self.process.stdin.closed:
            self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        for thread in self._threads:
            thread.join(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        self.directory.remove()
        return status
