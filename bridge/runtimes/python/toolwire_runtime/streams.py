"""Lines in, lines out, on descriptors that belong to the wire alone."""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections import deque
from typing import Deque, List, Optional, Tuple

from .wire import LONGEST_LINE


def take_streams() -> Tuple[int, int]:
    """Descriptors of the wire: standard input and output as they were. What tools print goes to standard error from
    now on, and their standard input is empty."""
    source, target = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return source, target


def show_stack(error: BaseException) -> None:
    """For people. Where a tool has closed or replaced standard error, nobody sees it, and nothing else happens."""
    try:
        traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
    except BaseException:
        pass


def flush_errors() -> None:
    """What was printed is out, unless a tool has closed or replaced standard error."""
    try:
        sys.stderr.flush()
    except Exception:
        pass


class Input:
    """Splits what is read into lines. One thread at a time."""

    def __init__(self, descriptor: int, longest: int = LONGEST_LINE):
        self._descriptor = descriptor
        self._longest = longest
        self._begun: List[bytes] = []  # of a line whose end has not come
        self._length = 0

    def read(self) -> bytes:
        """Waits for more; empty at the end."""
        return os.read(self._descriptor, 1 << 16)

    def lines(self, data: bytes) -> List[Optional[bytes]]:
        """The lines that end in this piece; `None` for one that was too long."""
        if not self._begun and self._length == 0 and data.endswith(b"\n"):
            return data[:-1].split(b"\n")  # type: ignore[return-value]
        *ended, rest = data.split(b"\n")
        lines: List[Optional[bytes]] = []
        for piece in ended:
            self._add(piece)
            lines.append(None if self._length > self._longest else b"".join(self._begun))
            self._begun, self._length = [], 0
        self._add(rest)
        return lines

    def _add(self, piece: bytes) -> None:
        if not piece:
            return
        self._length += len(piece)
        if self._length > self._longest:
            self._begun = []
        else:
            self._begun.append(piece)


class Output:
    """Thread-safe. Lines are written whole, in the order of adding."""

    def __init__(self, descriptor: int):
        self._descriptor = descriptor
        self._lines: Deque[str] = deque()
        self._lock = threading.Lock()

    def add(self, line: str) -> None:
        """To be written with the next `flush`."""
        self._lines.append(line)

    def flush(self) -> None:
        while self._lines:
            with self._lock:
                taken = []
                try:
                    while True:
                        taken.append(self._lines.popleft())
                except IndexError:
                    pass
                self._write("".join(taken).encode())

    def _write(self, data: bytes) -> None:
        try:
            written = os.write(self._descriptor, data)
            if written < len(data):
                rest = memoryview(data)[written:]
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
        except BrokenPipeError:
            os._exit(0)  # nobody is there to be told anything
