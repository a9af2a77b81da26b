"""Calls in progress, each answered once, when its tool has ended. Independent of the threads that run them."""

from __future__ import annotations

import asyncio
import itertools
import sys
import time
from typing import Any, Dict, List, Optional

from .adapter import Tool
from .context import Context
from .loop import Loop
from .pieces import Pieces, is_async_stream, is_stream
from .registry import Registry
from .streams import Output, flush_errors, show_stack
from .wire import (
    EXECUTION_FAILED,
    INVALID_REQUEST,
    PERMISSION_DENIED,
    SURELY_SHORT,
    TIMEOUT,
    Failure,
    Id,
    bounded_answer,
    error_line,
    id_text,
    json_text,
    notification_line,
    result_line,
)

Key = Any


class ToolError(Exception):
    """What a tool raises to say no: the text goes to the model as it is, and nothing to standard error."""


LONGEST_MESSAGE = 1 << 16  # of progress
_none: Dict[str, Any] = {}
_PLAIN = (ToolError, Exception, ValueError, RuntimeError)


def deadline_of(given: Any) -> Optional[float]:
    """When a call with this context is late, on the monotonic clock. Raises Failure for a context that is none."""
    if given.__class__ is not dict:
        raise Failure(INVALID_REQUEST, "context: expected an object")
    timeout = given.get("timeout")
    if not timeout:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or timeout < 0:
        raise Failure(INVALID_REQUEST, "context.timeout: expected milliseconds")
    return time.monotonic() + timeout / 1000


def failure_of(error: BaseException, call: "Call") -> Failure:
    """What an exception of a tool means for its call."""
    if isinstance(error, Failure):
        return error
    if call.reason is not None:
        return ended_by(call)
    if not isinstance(error, ToolError):
        show_stack(error)
    said = _words_of(error)
    if isinstance(error, PermissionError):
        return Failure(PERMISSION_DENIED, said or "permission denied")
    if type(error) not in _PLAIN and not isinstance(error, ToolError):
        said = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return Failure(EXECUTION_FAILED, said or "the tool failed without saying why")


def _words_of(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # it is the tool's code that says it
        return ""


def ended_by(call: "Call") -> Failure:
    if call.reason == "timeout":
        return Failure(TIMEOUT, f"timed out after {call.given.get('timeout', 0):g} ms")
    return Failure(EXECUTION_FAILED, "cancelled", cancelled=True)


class Batch:
    """Calls that are answered together, in order."""

    def __init__(self, calls: "Calls", key: Key, count: int):
        self._calls = calls
        self._key = key
        self._results: List[str] = [""] * count
        self._left = itertools.count(1 - count)  # reaches 0 with the last
        self.members: List["Call"] = []

    def take(self, index: int, outcome: str) -> None:
        self._results[index] = outcome
        if next(self._left) == 0:
            text = '{"results":[' + ",".join(self._results) + "]}"
            self._calls.answer(self._key, result_line(id_text(self._key), text))

    def abort(self, reason: str) -> None:
        for call in self.members:
            call.abort(reason)


class Call:
    """One execution of a tool. A job of the crew; `finish` runs on the loop of the asynchronous tools."""

    __slots__ = (
        *("calls", "key", "name", "tool", "parameters", "given", "deadline", "batch", "index"),
        *("cancel", "reason", "_context", "_unclaimed"),
    )

    def __init__(
        self,
        calls: "Calls",
        key: Key,
        params: Dict[str, Any],
        given: Dict[str, Any],
        deadline: Optional[float],
        batch: Optional[Batch] = None,
        index: int = 0,
    ):
        """`given` is the context, `deadline` that of it. Raises Failure for params that are none."""
        self.name = name = params.get("tool")
        self.parameters = params.get("parameters", _none)
        if name.__class__ is not str or self.parameters.__class__ is not dict:
            raise Failure(INVALID_REQUEST, "expected params {tool: text, parameters: object, context: object}")
        if params.get("language", "python") != "python":
            raise Failure(INVALID_REQUEST, f'language: expected "python", found {json_text(params["language"])[:60]}')
        self.deadline = deadline
        self.calls = calls
        self.key = key
        self.tool: Optional[Tool] = calls.tools.get(name)
        self.given = given
        self.batch = batch
        self.index = index
        self.cancel: Any = None  # ends the waiting of an async function
        self.reason: Optional[str] = None  # why it was aborted
        self._context: Optional[Context] = None
        self._unclaimed = [True]

    @property
    def context(self) -> Context:
        """Made when a tool wants it."""
        if self._context is None:
            wants_progress = self.given.get("progress") is True and self.batch is None
            self._context = Context(self.given, self._report if wants_progress else None)
            if self.reason is not None:
                self._context._fire(self.reason)
        return self._context

    def claim(self) -> bool:
        """True for the first caller: the one that runs it, or that answers that it never began."""
        try:
            return self._unclaimed.pop()
        except IndexError:
            return False

    def start(self) -> None:
        """Calls the function and answers; awaitable results go to the loop of the asynchronous tools."""
        try:
            self._unclaimed.pop()
        except IndexError:
            return  # it never began, and has been answered
        tool = self.tool
        try:
            if tool is None:
                tool = self.tool = self.calls.registry.find(self.name)
            tool.check(self.parameters)
            value = tool.call(self.parameters, self)
            if value.__class__ is not str:
                if hasattr(value, "__await__") or is_async_stream(value):
                    return self.calls.loop.wait(self, value)
                if is_stream(value):
                    value = self._drained(value)
            text = tool.results.text(value, self._context)
        except BaseException as error:  # whatever a tool raises, also SystemExit, is its call's affair alone
            return self.fail(failure_of(error, self))
        if self.batch is None:
            self.calls.answer(self.key, result_line(id_text(self.key), text))
        else:
            self.batch.take(self.index, '{"result":' + text + "}")

    async def finish(self, value: Any) -> None:
        """Waits for what the function returned, and answers."""
        assert self.tool is not None
        try:
            if hasattr(value, "__await__"):
                value = await value
            if is_async_stream(value) or is_stream(value):
                value = await self._drained_later(value)
            text = self.tool.results.text(value, self._context)
        except BaseException as error:  # also GeneratorExit: nobody else would answer
            return self.fail(failure_of(error, self))
        if self.batch is None:
            self.calls.answer(self.key, result_line(id_text(self.key), text))
        else:
            self.batch.take(self.index, '{"result":' + text + "}")

    def _drained(self, stream: Any) -> Any:
        """Runs a generator to its end, or until the call is aborted; then it is closed, and cleans up."""
        assert self.tool is not None
        pieces = Pieces(self.tool.results, self._report_piece)
        try:
            while True:
                try:
                    piece = next(stream)
                except StopIteration as end:
                    return pieces.whole(end.value)
                pieces.add(piece)
                self._raise_if_aborted()
        finally:
            if hasattr(stream, "close"):
                stream.close()

    async def _drained_later(self, stream: Any) -> Any:
        """The same on the loop, where others have their turn between the pieces."""
        assert self.tool is not None
        pieces = Pieces(self.tool.results, self._report_piece)
        is_async = is_async_stream(stream)
        try:
            while True:
                try:
                    piece = await stream.__anext__() if is_async else next(stream)
                except StopAsyncIteration:
                    return pieces.whole()
                except StopIteration as end:
                    return pieces.whole(end.value)
                pieces.add(piece)
                await asyncio.sleep(0)
        finally:
            if hasattr(stream, "aclose"):
                await stream.aclose()
            elif hasattr(stream, "close"):
                stream.close()

    def _raise_if_aborted(self) -> None:
        if self.reason is not None:
            raise ended_by(self)

    def _report_piece(self, count: int, text: str) -> None:
        if self.given.get("progress") is True:
            self.context._add_progress(count, text)

    def fail(self, failure: Failure) -> None:
        error = json_text(failure.error(self.name))
        if self.batch is None:
            self.calls.answer(self.key, error_line(id_text(self.key), error))
        else:
            self.batch.take(self.index, '{"error":' + error + "}")

    def fail_as_ended(self) -> None:
        self.fail(ended_by(self))

    def abort(self, reason: str) -> None:
        """Fires the signal; answers at once if it has not begun."""
        if self.reason is None:
            self.reason = reason
        if self._context is not None:
            self._context._fire(self.reason)
        if self.claim():
            self.fail_as_ended()
        elif self.cancel is not None:
            self.cancel()

    def _report(self, done: float, total: Optional[float], message: Optional[str]) -> None:
        params: Dict[str, Any] = {"id": self.key, "progress": done}
        if total is not None:
            params["total"] = total
        if message is not None:
            params["message"] = str(message)[:LONGEST_MESSAGE]
        self.calls.output.add(notification_line("tool.progress", json_text(params)))
        self.calls.output.flush()


class Calls:
    """The calls in progress, by id. Thread-safe."""

    def __init__(self, output: Output, registry: Registry):
        self.output = output
        self.registry = registry
        self.tools = registry.tools
        self.loop = Loop(output.flush)
        self._under_way: Dict[Key, Any] = {}
        self.on_empty: Any = None  # called when the last has been answered

    def __len__(self) -> int:
        return len(self._under_way)

    def begin(self, id: Id, call: Any) -> None:
        if self._under_way.setdefault(id, call) is not call:
            raise Failure(INVALID_REQUEST, "id: a call with this id is under way")

    def answer(self, key: Key, line: str) -> None:
        flush_errors()  # half a line is not to come with what the next call says
        self._under_way.pop(key, None)
        self.output.add(line if len(line) < SURELY_SHORT else bounded_answer(id_text(key), line))
        if self.on_empty is not None and not self._under_way:
            self.on_empty()

    def abort(self, id: Id, reason: str) -> None:
        call = self._under_way.get(id)
        if call is not None:
            call.abort(reason)

    def abort_all(self, reason: str) -> None:
        for call in list(self._under_way.values()):
            call.abort(reason)
