"""Threads that run what they read: no hand-off on the usual way, and yet no tool is in the way of a cancellation.

One thread, the driver, reads and runs synchronous calls one after the other itself. A watcher looks every few
milliseconds; when the driver is still inside the same call, another thread becomes the driver, and the old one goes on
as a helper once its call has ended. When as many calls run as are allowed, the driver only reads. Handing every call to
a pool of threads would cost two wake-ups and a fight for the interpreter each time.
"""

from __future__ import annotations

import os
import threading
import time
import traceback
from collections import deque
from typing import Any, Callable, Deque, List, Optional

TICK = 0.002
SLOW_TICK = 0.010
TICKS_UNTIL_QUIET = 50
TICKS_BETWEEN_LOOKS = 25  # at what waits in the queue for longer than its time


class Worker:
    __slots__ = ("job", "serial", "counted", "wake")

    def __init__(self) -> None:
        self.job: Any = None
        self.serial = 0
        self.counted = False  # among those that run something without being the driver
        self.wake = threading.Semaphore(0)


class Crew:
    """`read` waits for bytes, `take` makes jobs of them (with `add`), `flush` writes what has been answered.

    A job has `start()`, `deadline` (seconds of the monotonic clock, or None) and `abort(reason)`.
    """

    def __init__(
        self, read: Callable[[], bytes], take: Callable[[bytes], None], flush: Callable[[], None], most: int = 16
    ):
        self.most = most
        self._read = read
        self._take = take
        self._flush = flush
        self._jobs: Deque[Any] = deque()
        self._lock = threading.Lock()
        self._workers: List[Worker] = []
        self._idle: List[Worker] = []
        self._busy = 0  # helpers inside a job; changed under the lock
        self._driver: Optional[Worker] = None
        self._is_over = False
        self._on_end: Callable[[], None] = flush
        self._watched = threading.Event()
        self._is_parked = False

    def add(self, job: Any) -> None:
        self._jobs.append(job)

    def run(self, on_end: Callable[[], None]) -> None:
        """On the calling thread, until `end`. `on_end` is called when the input has ended, on the thread that saw it."""
        self._on_end = on_end
        first = self._driver = Worker()
        self._workers.append(first)
        threading.Thread(target=self._watch, name="watcher", daemon=True).start()
        self._work(first)

    def end(self) -> None:
        """Has `run` return, if its thread is not inside a job."""
        self._is_over = True
        self._workers[0].wake.release()

    def _work(self, me: Worker) -> None:
        try:
            self._take_turns(me)
        except BaseException:  # a mistake of ours: nobody would read any more
            traceback.print_exc()
            os._exit(1)

    def _take_turns(self, me: Worker) -> None:
        jobs = self._jobs
        while not self._is_over:
            if self._driver is me:
                if jobs and self._busy < self.most:
                    self._run_next(me)
                    continue
                self._flush()
                data = self._read()
                if not data:
                    return self._on_end()
                self._take(data)
            elif self._may_help(me):
                self._run_next(me)
            else:
                me.wake.acquire()

    def _run_next(self, me: Worker) -> None:
        try:
            job = self._jobs.popleft()
        except IndexError:
            return
        me.serial += 1
        me.job = job
        if self._is_parked:
            self._watched.set()
        job.start()
        me.job = None

    def _may_help(self, me: Worker) -> bool:
        """Not the driver: takes part in what waits, or joins the idle ones."""
        self._flush()
        with self._lock:
            if me.counted:
                me.counted = False
                self._busy -= 1
            if self._jobs and self._busy < self.most:
                me.counted = True
                self._busy += 1
                return True
            self._idle.append(me)
            return False

    def _watch(self) -> None:
        last, serial, unchanged, ticks = None, 0, 0, 0
        while True:
            time.sleep(TICK if unchanged < TICKS_UNTIL_QUIET else SLOW_TICK)
            ticks += 1
            driver = self._driver
            assert driver is not None
            if driver is not last or driver.serial != serial:
                last, serial, unchanged = driver, driver.serial, 0
                continue
            unchanged += 1
            if driver.job is not None:
                self._flush()
                self._relieve(driver)
            is_running = self._abort_late(ticks % TICKS_BETWEEN_LOOKS == 0)
            if not is_running and unchanged > TICKS_UNTIL_QUIET:
                self._park(driver, serial)
                unchanged = 0

    def _park(self, driver: Worker, serial: int) -> None:
        """Sleeps until a call begins."""
        self._watched.clear()
        self._is_parked = True
        if self._driver is driver and driver.serial == serial and not self._jobs:
            self._watched.wait()
        self._is_parked = False

    def _relieve(self, driver: Worker) -> None:
        with self._lock:
            if self._driver is not driver or driver.job is None:
                return
            driver.counted = True
            self._busy += 1
            helpers = min(len(self._idle) - 1, len(self._jobs))
            if self._idle:
                self._driver = self._idle.pop()
                self._driver.wake.release()
                for _ in range(helpers):
                    self._idle.pop().wake.release()
                return
            fresh = Worker()
            thread = threading.Thread(target=self._work, args=(fresh,), name="worker", daemon=True)
            self._driver = fresh
            try:
                thread.start()
                self._workers.append(fresh)
            except RuntimeError:  # no further thread: everything waits for this call
                self._driver = driver
                driver.counted = False
                self._busy -= 1

    def _abort_late(self, also_waiting: bool) -> bool:
        now = time.monotonic()
        running = [job for job in [worker.job for worker in self._workers] if job is not None]
        late = running + (list(self._jobs) if also_waiting else [])
        for job in late:
            if job.deadline is not None and now > job.deadline:
                job.abort("timeout")
        if late:
            self._flush()
        return bool(running)
