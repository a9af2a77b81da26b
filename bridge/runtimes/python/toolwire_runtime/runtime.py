"""What each message of the wire does: the place where the parts meet."""

from __future__ import annotations

import os
import platform
import threading
import traceback
from typing import Any, Callable, Dict, Optional

from . import __version__
from .calls import Batch, Call, Calls, deadline_of
from .crew import Crew
from .permissions import read_permissions
from .registry import Registry
from .streams import Input, Output
from .wire import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    NOT_FOUND,
    PARSE_ERROR,
    Failure,
    Id,
    error_line,
    id_text,
    json_text,
    read_message,
    result_line,
)

_no_context: Dict[str, Any] = {}
DRAIN_SECONDS = 1.0  # after the end of the input, and for what keeps the process from ending


class _Work:
    """A request that takes long and is no call, as a job of the crew."""

    deadline: Optional[float] = None

    def __init__(self, do: Callable[[], None]):
        self.start = do

    def abort(self, reason: str) -> None:
        """Does nothing: such work always runs to its end."""


class Runtime:
    """Serves one pair of descriptors until the input ends."""

    def __init__(self, registry: Registry, source: int, target: int, workers: int = 16):
        self._registry = registry
        self._input = Input(source)
        self._output = Output(target)
        self._calls = Calls(self._output, registry)
        self._crew = Crew(self._input.read, self._take, self._output.flush, workers)
        self._is_configured = False
        self._is_closing = False
        self._methods: Dict[str, Callable[[Id, Dict[str, Any]], None]] = {
            "tool.execute": self._execute,
            "tool.batch": self._batch,
            "ping": self._ping,
            "configure": self._configure,
            "registry.list": self._list,
            "shutdown": self._shutdown,
        }

    def run(self) -> None:
        self._crew.run(self._end_of_input)

    def _take(self, data: bytes) -> None:
        for line in self._input.lines(data):
            try:
                if line is None:
                    raise Failure(PARSE_ERROR, "expected a line of at most 80 MiB")
                if line and not line.isspace():
                    self._take_line(line)
            except Failure as failure:
                self._refuse(failure.id, failure)

    def _take_line(self, line: bytes) -> None:
        id, wants_answer, method, params = read_message(line)
        if not wants_answer:
            if method == "tool.cancel":
                reason = "timeout" if params.get("reason") == "timeout" else "cancelled"
                self._calls.abort(_key(params.get("id")), reason)
            return
        handle = self._methods.get(method)
        try:
            if handle is None:
                raise Failure(NOT_FOUND, f'there is no method "{method}"; there are: {", ".join(self._methods)}')
            handle(id, params)
        except Failure as failure:
            self._refuse(id, failure, params.get("tool"))
        except Exception as error:
            traceback.print_exc()
            self._refuse(id, Failure(INTERNAL_ERROR, f"{type(error).__name__}: {error}"))

    def _refuse(self, id: Id, failure: Failure, tool: Any = None) -> None:
        error = failure.error(tool if isinstance(tool, str) else None)
        self._output.add(error_line(id_text(id), json_text(error)))

    def _answer(self, id: Id, result: Dict[str, Any]) -> None:
        self._output.add(result_line(id_text(id), json_text(result)))

    def _execute(self, id: Id, params: Dict[str, Any]) -> None:
        self._refuse_when_closing()
        given = params.get("context", _no_context)
        call = Call(self._calls, id, params, given, deadline_of(given))
        self._calls.begin(id, call)
        self._crew.add(call)

    def _batch(self, id: Id, params: Dict[str, Any]) -> None:
        self._refuse_when_closing()
        wanted = params.get("calls")
        if not isinstance(wanted, list) or not all(isinstance(one, dict) for one in wanted):
            raise Failure(INVALID_REQUEST, "expected params {calls: [params of tool.execute…]}")
        if not wanted:
            return self._answer(id, {"results": []})
        batch = Batch(self._calls, id, len(wanted))
        shared = params.get("context", _no_context)
        deadline = deadline_of(shared)
        for index, one in enumerate(wanted):
            own = one.get("context")
            if own is None:
                call = Call(self._calls, id, one, shared, deadline, batch, index)
            else:
                call = Call(self._calls, id, one, own, deadline_of(own), batch, index)
            batch.members.append(call)
        self._calls.begin(id, batch)
        for call in batch.members:
            self._crew.add(call)

    def _refuse_when_closing(self) -> None:
        if self._is_closing:
            raise Failure(INTERNAL_ERROR, "the runtime is shutting down")

    def _ping(self, id: Id, params: Dict[str, Any]) -> None:
        self._answer(
            id,
            {
                "runtime": "toolwire_runtime " + __version__,
                "version": platform.python_version(),
                "language": "python",
                "pid": os.getpid(),
                "calls": len(self._calls),
            },
        )

    def _configure(self, id: Id, params: Dict[str, Any]) -> None:
        if self._is_configured:
            raise Failure(INVALID_REQUEST, "this runtime is configured already")
        workers = params.get("workers")
        if workers is not None:
            if not isinstance(workers, int) or isinstance(workers, bool) or not 1 <= workers <= 1024:
                raise Failure(INVALID_REQUEST, "workers: expected a number from 1 to 1024")
            self._crew.most = workers
        if "permissions" in params:
            try:
                self._registry.grant(read_permissions(params["permissions"]))
            except ValueError as error:
                raise Failure(INVALID_REQUEST, str(error)) from None
        self._is_configured = True
        self._answer(id, {})

    def _list(self, id: Id, params: Dict[str, Any]) -> None:
        def work() -> None:
            try:
                self._answer(id, self._registry.listed())
            except Exception as error:
                traceback.print_exc()
                self._refuse(id, Failure(INTERNAL_ERROR, f"{type(error).__name__}: {error}"))

        self._crew.add(_Work(work))

    def _shutdown(self, id: Id, params: Dict[str, Any]) -> None:
        self._refuse_when_closing()
        timeout = params.get("timeout", 5000)
        if not isinstance(timeout, (int, float)) or timeout < 0:
            raise Failure(INVALID_REQUEST, "timeout: expected milliseconds")
        self._is_closing = True

        def drain() -> None:
            if not self._wait_until_empty(timeout / 1000):
                self._calls.abort_all("cancelled")
                self._output.flush()
                self._wait_until_empty(None)
            self._answer(id, {})
            self._output.flush()
            self._leave()

        threading.Thread(target=drain, name="shutdown", daemon=True).start()

    def _end_of_input(self) -> None:
        self._is_closing = True
        self._calls.abort_all("cancelled")
        self._wait_until_empty(DRAIN_SECONDS)
        self._output.flush()
        self._leave()

    def _wait_until_empty(self, seconds: Optional[float]) -> bool:
        empty = threading.Event()
        self._calls.on_empty = empty.set
        if not len(self._calls):
            return True
        return empty.wait(seconds)

    def _leave(self) -> None:
        """In order, if the main thread is free and no thread of a tool holds it up; else without."""
        timer = threading.Timer(DRAIN_SECONDS, os._exit, (0,))
        timer.daemon = True
        timer.start()
        self._crew.end()


def _key(id: Any) -> Id:
    return id if isinstance(id, (int, str)) and not isinstance(id, bool) else None
