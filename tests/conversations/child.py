"""A server as a child process: sends what it is told, judges what it writes, notices when it dies or hangs."""

import json
import os
import queue
import re
import select
import signal
import subprocess
import threading
import time

from judge import Asked, Invalid, check_line

PATIENCE = 120  # seconds until a server that does nothing counts as hanging; far more than any machine needs
QUIET_END = 3  # seconds after the end of input until it is asked to end by a signal
KEPT_ERRORS = 1 << 16  # bytes of the end of its standard error
SANITIZERS = re.compile(rb"(ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|runtime error:)")
FINE_ENDS = {0, -signal.SIGTERM, 128 + signal.SIGTERM}


class Failure(Exception):
    """`kind` is "death", "hang" or "invalid line"."""

    def __init__(self, kind, text):
        super().__init__(f"{kind}: {text}")
        self.kind = kind


def encoded(message):
    return json.dumps(message).encode() + b"\n"


class Child:
    def __init__(self, command, directory, environment=None):
        self._process = subprocess.Popen(
            command, cwd=directory, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, bufsize=0, start_new_session=True)
        os.set_blocking(self._process.stdin.fileno(), False)
        self._asked = Asked()
        self._lock = threading.Lock()
        self._events = queue.Queue()
        self._errors = b""
        self._syncs = 0
        self.requests = []  # of the server, not answered yet
        self.answers = {}
        self._threads = [threading.Thread(target=self._read), threading.Thread(target=self._read_errors)]
        for thread in self._threads:
            thread.start()

    def send(self, data):
        """Any bytes; `data` need not end a line."""
        with self._lock:
            for line in data.split(b"\n"):
                self._asked.sent(line)
        deadline = time.monotonic() + PATIENCE
        while data:
            _, writable, _ = select.select([], [self._process.stdin], [], max(0, deadline - time.monotonic()))
            if not writable:
                raise Failure("hang", "nothing more is read")
            try:
                data = data[os.write(self._process.stdin.fileno(), data):]
            except BrokenPipeError:
                self._take_until(lambda: False, "the end")  # says what it died of

    def sync(self):
        """Waits until a ping is answered."""
        self._syncs += 1
        name = f"sync {self._syncs}"
        self.send(b'\n{"jsonrpc":"2.0","id":"%s","method":"ping"}\n' % name.encode())
        self._take_until(lambda: "s" + name in self.answers, "the answer to a ping")

    def end(self):
        """Closes its input and waits until it is gone; raises Failure if it does not end as it should."""
        self._process.stdin.close()
        try:
            self._process.wait(QUIET_END)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired as error:
                raise Failure("hang", "it does not end when its input has ended and it is asked to") from error
        for thread in self._threads:
            thread.join(PATIENCE)
        while not self._events.empty():
            self._take(self._events.get())
        self._check_end(FINE_ENDS)

    def kill(self):
        """Ends it and what it has started, whatever it does."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        for thread in self._threads:
            thread.join(PATIENCE)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            pipe.close()

    def taken_requests(self):
        """What the server has asked so far, as far as that was looked at, once."""
        taken, self.requests = self.requests, []
        return taken

    def errors(self):
        return self._errors.decode("utf-8", "replace")

    def _check_end(self, fine):
        if SANITIZERS.search(self._errors) or self._process.returncode not in fine:
            raise Failure("death", f"it ended with {self._process.returncode}")

    def _take_until(self, is_enough, what):
        while not is_enough():
            try:
                self._take(self._events.get(timeout=PATIENCE))
            except queue.Empty as error:
                raise Failure("hang", f"{what} does not come") from error

    def _take(self, event):
        if isinstance(event, Failure):
            raise event
        answers, requests = event
        self.answers.update(answers)
        self.requests += requests

    def _read(self):
        rest = b""
        while chunk := self._process.stdout.read(1 << 16):
            *lines, rest = (rest + chunk).split(b"\n") if b"\n" in chunk else ([rest + chunk])
            for line in lines:
                self._events.put(self._judged(line))
        if rest:
            self._events.put(Failure("invalid line", f"expected a line feed behind {rest[:200]!r}"))
        if not self._process.stdin.closed:
            self._events.put(Failure("death", f"it ended with {self._process.wait()} before its input did"))

    def _judged(self, line):
        try:
            with self._lock:
                return check_line(line, self._asked)
        except Invalid as problem:
            return Failure("invalid line", f"{problem}: {line[:400]!r}")

    def _read_errors(self):
        while chunk := self._process.stderr.read(1 << 16):
            self._errors = (self._errors + chunk)[-KEPT_ERRORS:]
