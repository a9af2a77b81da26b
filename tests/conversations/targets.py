"""The programs that are attacked, each in a folder of its own: how to start them, and what they need beside them."""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}, "count": {"type": "integer", "minimum": 0}}, "required": ["text"]}
PYTHON_TOOL = '''def tool_info():
    return {"name": "py_echo", "description": "Says the same", "input_schema": %r}


def tool_function(text, count=1):
    if count == 2:
        raise ValueError(text)
    return {"output": text, "metadata": {"count": count}}
''' % SCHEMA


class _Service(BaseHTTPRequestHandler):
    """Answers with what it got, or with a status that the path names."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status = 429 if b'"count": 3' in body or b'"count":3' in body else 200
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        """A call that was cancelled hangs up."""


def _service_port():
    server = _Server(("127.0.0.1", 0), _Service)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


class Everything:
    name = "everything"

    def __init__(self, programs):
        self.program = Path(programs).resolve() / self.name

    def prepare(self, _):
        return [str(self.program)], None


class Workspace:
    name = "workspace"

    def __init__(self, programs):
        self.program = Path(programs).resolve() / self.name

    def prepare(self, folder):
        """The same files for each conversation, for it may change them."""
        root = folder / "root"
        (root / "folder").mkdir(parents=True)
        (root / "notes.txt").write_text("a needle\nin hay\n" * 20)
        (root / "folder" / "a").write_bytes(b"\xff\xfebinary\x00")
        (root / ".env").write_text("TOKEN=secret\n")
        # Who is confined cannot look for leaks in /proc, where it is built with a sanitizer.
        environment = {**os.environ, "LSAN_OPTIONS": "detect_leaks=0"}
        return [str(self.program), "--root", str(root), "--write"], environment


class Bridge:
    name = "toolwire-bridge"

    def __init__(self, programs):
        self.program = Path(programs).resolve() / self.name
        self._everything = Path(programs).resolve() / "everything"
        self._port = _service_port()

    def prepare(self, folder):
        tools = [{"name": name, "description": name, "parameters": SCHEMA, "_activity": name,
                  "metadata": {"enabled_by_default": True, "requires_approval": False}} for name in
                 ("say", "fail", "ask", "fixed", "imagined", "lent", "snake")]
        self._write(folder / "tools.json", {
            "protocol_version": "1.0", "scenario": {"name": "s", "version": "1", "description": "d"}, "tools": tools,
            "categories": [], "generated_at": "2026-01-01T00:00:00Z"})
        (folder / "python").mkdir()
        self._write(folder / "python" / "echo.py", PYTHON_TOOL)
        self._write(folder / "bridge.json", self._configuration())
        return [str(self.program), "serve", str(folder / "bridge.json")], self._environment(folder)

    def _configuration(self):
        return {
            "mcpServers": {"all": {"command": str(self._everything)}},
            "toolwire": {
                "manifests": ["tools.json"], "latent": "inline", "audit": "audit.jsonl",
                "tools": {"fail": {"approval": "require"}, "fixed": {"rate_per_minute": 5}, "say": {"cache_seconds": 60}},
                "runtimes": {"py": {"tools": "python", "interpreter": sys.executable, "processes": 1}},
                "bindings": {
                    "say": {"process": {"argv": ["cat"], "stdin": "{text}"}},
                    "fail": {"process": {"argv": ["sh", "-c", "cat >&2; exit 3"], "stdin": "arguments"}},
                    "ask": {"http": {"url": f"http://127.0.0.1:{self._port}/x", "method": "POST"}},
                    "fixed": {"constant": {"result": {"said": "{text}"}}},
                    "imagined": {"latent": {}},
                    "lent": {"mcp": {"server": "all", "tool": "test_echo_json"}},
                    "snake": {"runtime": {"runtime": "py", "tool": "py_echo"}}}}}

    @staticmethod
    def _environment(folder):
        return {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "PYTHONDONTWRITEBYTECODE": "1"}

    @staticmethod
    def _write(path, content):
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        path.chmod(0o600)


class Faulty:
    """A server with a fault, to see that it is found."""

    def __init__(self, fault):
        self.name = "faulty-" + fault
        self.program = Path(__file__).with_name("faulty_server.py")
        self._fault = fault

    def prepare(self, _):
        return [sys.executable, "-B", str(self.program), self._fault], None


def target_named(name, programs):
    for kind in (Everything, Workspace, Bridge):
        if kind.name == name:
            return kind(programs)
    if name.startswith("faulty-"):
        return Faulty(name.removeprefix("faulty-"))
    raise ValueError(f"expected everything, workspace, toolwire-bridge or faulty-FAULT, found {name}")
