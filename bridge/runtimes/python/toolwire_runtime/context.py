"""What a tool knows about its call, and how it learns that the call was cancelled."""

from __future__ import annotations

import threading
from typing import Any, Callable, Dict, Optional

Report = Callable[[float, Optional[float], Optional[str]], None]


class Aborted(Exception):
    """Raised by `Context.raise_if_aborted`: the call was cancelled, or its time is over."""


class Context:
    """One call's circumstances. May be used from any thread, as long as the call runs.

    `metadata` is the tool's own place to put what goes out with its result.
    """

    __slots__ = ("session_id", "message_id", "timeout", "meta", "_metadata", "_reason", "_event", "_report", "_done")

    def __init__(self, given: Dict[str, Any], report: Optional[Report] = None):
        self.session_id: str = given.get("sessionId", "")
        self.message_id: str = given.get("messageId", "")
        self.timeout: float = given.get("timeout") or 0  # milliseconds; 0: none
        self.meta: Dict[str, Any] = given.get("meta") or {}
        self._metadata: Optional[Dict[str, Any]] = None
        self._reason: Optional[str] = None
        self._event: Optional[threading.Event] = None
        self._report = report
        self._done: float = 0  # the last progress

    @property
    def trace(self) -> Dict[str, str]:
        """The trace that the call belongs to (W3C Trace Context), as header fields for what the tool calls in turn:
        `traceparent`, `tracestate` and `baggage`, those that there are."""
        return {name: self.meta[name] for name in _trace_fields if isinstance(self.meta.get(name), str)}

    @property
    def metadata(self) -> Dict[str, Any]:
        if self._metadata is None:
            self._metadata = {}
        return self._metadata

    @property
    def abort(self) -> threading.Event:
        """Set once the call is cancelled or its time is over: wait for it instead of sleeping."""
        event = self._event
        if event is None:
            with _making_events:
                event = self._event = self._event or threading.Event()
            if self._reason is not None:  # in between
                event.set()
        return event

    @property
    def aborted(self) -> bool:
        return self._reason is not None

    def raise_if_aborted(self) -> None:
        if self._reason is not None:
            raise Aborted(self._reason)

    def progress(self, done: float, total: Optional[float] = None, message: Optional[str] = None) -> None:
        """Reports the progress of the call; does nothing if no one asked for it."""
        if self._report is not None and self._reason is None:
            self._done = done
            self._report(done, total, message)

    def _add_progress(self, count: int, text: str) -> None:
        """A piece that was yielded, the `count`th. Progress grows, also where the tool reports some of its own."""
        self.progress(max(count, self._done + 1), None, text)

    def _fire(self, reason: str) -> None:
        if self._reason is None:
            self._reason = reason
        if self._event is not None:
            self._event.set()


_making_events = threading.Lock()
_trace_fields = ("traceparent", "tracestate", "baggage")
