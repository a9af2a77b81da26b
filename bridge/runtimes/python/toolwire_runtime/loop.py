"""The event loop of the asynchronous tools: one thread, started when the first of them is called."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from typing import Any, Callable, Deque, Optional, Set, Tuple

from .streams import show_stack


class Loop:
    """Thread-safe. `flush` writes what has been answered."""

    def __init__(self, flush: Callable[[], None]):
        self._flush = flush
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._lock = threading.Lock()
        self._inbox: Deque[Tuple[Any, Any]] = deque()
        self._is_told = False  # there is something in the inbox
        self._tasks: Set[Any] = set()
        self._flushes = False

    def wait(self, call: Any, value: Any) -> None:
        """Has `call.finish(value)` run on the loop, and cancelled when the call is."""
        loop = self._loop or self._started()
        self._inbox.append((call, value))
        if not self._is_told:
            self._is_told = True
            loop.call_soon_threadsafe(self._take)

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                loop = asyncio.new_event_loop()
                threading.Thread(target=self._run, args=(loop,), name="asyncio", daemon=True).start()
                self._loop = loop
            return self._loop

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        """For good: a task that a tool has left behind may stop the loop, or leave by SystemExit."""
        asyncio.set_event_loop(loop)
        while True:
            try:
                loop.run_forever()
            except BaseException as error:
                show_stack(error)

    def _take(self) -> None:
        self._is_told = False  # before looking: what comes now is told again
        while self._inbox:
            self._begin(*self._inbox.popleft())

    def _begin(self, call: Any, value: Any) -> None:
        loop = self._loop
        assert loop is not None
        task = loop.create_task(call.finish(value))
        self._tasks.add(task)
        task.add_done_callback(lambda _: self._done(task, call, value))
        timer = None
        if call.deadline is not None:
            timer = loop.call_later(call.deadline - time.monotonic(), call.abort, "timeout")
            task.add_done_callback(lambda _: timer.cancel())
        cancelled = False

        def cancel() -> None:
            nonlocal cancelled
            if not cancelled:
                cancelled = True
                task.cancel()

        call.cancel = lambda: loop.call_soon_threadsafe(cancel)
        if call.reason is not None:  # before there was anything to cancel
            cancel()

    def _done(self, task: Any, call: Any, value: Any) -> None:
        """Several that end together are written together."""
        self._tasks.discard(task)
        if task.cancelled():  # before its first step: nobody has caught it
            if asyncio.iscoroutine(value):
                value.close()
            call.fail_as_ended()
        if not self._tasks:
            self._flush()
        elif not self._flushes:
            self._flushes = True
            assert self._loop is not None
            self._loop.call_soon(self._flush_all)

    def _flush_all(self) -> None:
        self._flushes = False
        self._flush()
