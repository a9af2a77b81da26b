"""Replicas, workers, Redis, NATS and a balancer on loopback, as bridge/examples/cluster has them, each a process that
can be killed, stopped and started again."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "bridge/examples/cluster"
KEY = "a key for measured clusters only"


def held_port():
    """A socket whose port nobody else gets but who asks for it: it is bound, and does not listen."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    return holder


def eventually(what, condition, seconds=30):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return
        time.sleep(0.02)
    raise RuntimeError(f"this did not come true in {seconds} s: {what}")


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def health(port, patience=20):
    """The status of /health; 0 where nobody answers."""
    try:
        with socket.create_connection(("127.0.0.1", port), patience) as asked:
            asked.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            answer = asked.recv(4096)
            return int(answer.split()[1]) if answer else 0
    except OSError:
        return 0


class Member:
    """One process of a cluster. `whole`: signals go to all that it has started, too."""

    def __init__(self, name, command, ready, log, environment=None, listener=None, whole=False):
        self.name, self.ready, self.whole = name, ready, whole
        self._command, self._log, self._listener = command, log, listener
        self._environment = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin", **(environment or {})}
        self.process = None

    def start(self, wait=True):
        before, handed = [], ()
        if self._listener is not None:  # as systemd hands it over
            handed = (self._listener.fileno(),)
            number = handed[0]
            moved = f"exec 3<&{number} {number}<&-; " if number != 3 else ""
            before = ["bash", "-c", moved + 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"', "bash"]
        with open(self._log, "ab") as log:
            command = ["setpriv", "--pdeathsig", "KILL", *before, *self._command]
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=handed,
                                            env=self._environment, start_new_session=True)
        if wait:
            eventually(f"{self.name} is there", self.ready)

    def signal(self, number):
        (os.killpg if self.whole else os.kill)(self.process.pid, number)

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait()

    def end(self):
        """Its exit status."""
        self.signal(signal.SIGTERM)
        return self.process.wait()

    def runs(self):
        return self.process is not None and self.process.poll() is None

    def cpu(self):
        """Seconds on CPUs so far, of it and its threads, and of what it has started."""
        total = 0
        for pid in family(self.process.pid) if self.whole else [self.process.pid]:
            for task in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
                try:
                    total += int(task.read_text().split()[0])
                except OSError:
                    pass  # it has ended meanwhile
        return total / 1e9


def family(pid):
    found = [pid]
    for children in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            found += family(int(child))
    return found


class Cluster:
    """In a folder of its own, which goes with it. `program`: toolwire-cluster. `tools`: those of workers; `own_tools`:
    those of replicas; {name: (definition, binding)}. `settings`: more of what replicas are configured with, and
    `arguments` of what they are started with; `preload`: {member: variables}. `append_only`: when what Redis has done
    is on its disk; None: never. `open_nats`: it lets everybody in."""

    def __init__(self, program, replicas=3, workers=2, balancer="nginx", tools=None, own_tools=None, settings=None,
                 redis_folder=None, preload=None, arguments=(), append_only="always", open_nats=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="toolwire-cluster-"))
        self.program, self.settings = str(program), settings or {}
        self._held = {name: held_port() for name in ("entry", "redis", "nats")}
        self.ports = {name: holder.getsockname()[1] for name, holder in self._held.items()}
        self.entry = self.ports["entry"]
        self.members = {}
        self._append_only = append_only
        self._arguments, self._preload = list(arguments), preload or {}
        self._redis_folder = pathlib.Path(redis_folder or self.folder / "redis")
        self._redis_folder.mkdir(exist_ok=True)
        self._redis()
        self._nats(open_nats)
        for i in range(workers):
            self._worker(i, tools or {})
        self.listeners = []
        for i in range(replicas):
            self._replica(i, tools or {}, own_tools or {})
        if balancer:
            getattr(self, "_" + balancer)(replicas)

    def __enter__(self):
        try:
            for member in self.members.values():
                member.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for member in reversed(self.members.values()):
            if member.runs():
                member.signal(signal.SIGCONT)
                member.signal(signal.SIGTERM)
        for member in self.members.values():
            try:
                if member.process is not None:
                    member.process.wait(10)
            except subprocess.TimeoutExpired:
                member.kill()
        for one in [*self.listeners, *self._held.values()]:
            one.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def named(self, kind):
        return [member for name, member in self.members.items() if name.startswith(kind)]

    def logs(self):
        logs = sorted(self.folder.glob("*.log"))
        return "".join(f"== {log.name}\n{log.read_text(errors='replace')[-2000:]}\n" for log in logs)

    # What it is made of

    def _add(self, name, command, ready, **more):
        self.members[name] = Member(name, command, ready, self.folder / f"{name}.log", **more)

    def _write(self, name, value):
        path = self.folder / name
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        path.chmod(0o600)
        return path

    def _redis(self):
        self.redis_socket = f"unix:{self.folder}/redis.sock"

        def ready():
            return subprocess.run(["redis-cli", "-p", str(self.ports["redis"]), "ping"], capture_output=True,
                                  text=True).stdout.strip() == "PONG"
        kept = ["--appendonly", "no"]
        if self._append_only is not None:
            kept = ["--appendonly", "yes", "--appendfsync", self._append_only]
        self._add("redis", ["redis-server", "--port", str(self.ports["redis"]), "--bind", "127.0.0.1", "--unixsocket",
                            f"{self.folder}/redis.sock", "--save", "", "--dir", str(self._redis_folder), *kept], ready)

    def _nats(self, is_open):
        """As in the example, with keys of its own."""
        text = (EXAMPLE / "nats-server.conf").read_text()
        for kind, name in (("replica", "KEY_OF_REPLICAS"), ("worker", "KEY_OF_WORKERS")):
            made = subprocess.run([self.program, "nkey", str(self.folder / f"{kind}.nk")], check=True,
                                  capture_output=True, text=True)
            text = text.replace(name, made.stdout.strip())
        if is_open:
            text = text[:text.index("authorization")]
        file = self._write("nats-server.conf", text.replace("127.0.0.1:4222", f"127.0.0.1:{self.ports['nats']}"))
        self._add("nats", ["nats-server", "-c", str(file)], lambda: accepts(self.ports["nats"]))

    def _manifest(self, name, tools):
        """Files of tools, and of what runs them."""
        definitions = []
        for tool, (definition, _) in tools.items():
            metadata = {"enabled_by_default": True, "requires_approval": False, **definition.get("metadata", {})}
            definitions.append({"name": tool, "description": tool, "parameters": {"type": "object"}, **definition,
                                "metadata": metadata})
        scenario = {"name": name, "version": "1.0.0", "description": name}
        self._write(f"{name}.json", {"protocol_version": "1.0", "generated_at": "2026-01-15T10:30:00Z",
                                     "scenario": scenario, "tools": definitions})
        self._write(f"{name}.bindings.json", {"bindings": {tool: binding for tool, (_, binding) in tools.items()}})

    def describe(self, tool, text):
        """Changes what a tool of the workers is said to be, while they run."""
        path = self.folder / "work.json"
        manifest = json.loads(path.read_text())
        for one in manifest["tools"]:
            if one["name"] == tool:
                one["description"] = text
        fresh = self._write("work.json.new", manifest)
        fresh.rename(path)

    def _environment(self, name):
        return {"XDG_STATE_HOME": str(self.folder / f"state-{name}"), "TOOLWIRE_STATE_KEY": KEY,
                **self._preload.get(name, {})}

    def _worker(self, i, tools):
        name = f"worker {i + 1}"
        self._manifest("work", tools)
        nats = {"address": f"127.0.0.1:{self.ports['nats']}", "nkey_file": "worker.nk", "worker": "words"}
        file = self._write("worker.json", {"mcpServers": {}, "toolwire": {"manifests": ["work.json"], "nats": nats}})
        self._add(name, [self.program, "work", str(file)], lambda: True, environment=self._environment(name))

    def _replica(self, i, tools, own_tools):
        name = f"replica {i + 1}"
        listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.listeners.append(listener)
        port = listener.getsockname()[1]
        own = {"redis": {"address": f"127.0.0.1:{self.ports['redis']}"}, **self.settings}
        if tools:
            own["nats"] = {"address": f"127.0.0.1:{self.ports['nats']}", "nkey_file": "replica.nk",
                           "workers": ["words"]}
            own["servers"] = {"words": {"on_change": "accept"}}
        if own_tools:
            self._manifest("own", own_tools)
            own["manifests"] = ["own.json"]
        file = self._write("replica.json", {"mcpServers": {}, "toolwire": own})
        command = [self.program, "serve", str(file), "--listen", f"http://127.0.0.1:{port}/mcp", "--host",
                   f"127.0.0.1:{self.entry}", *self._arguments]
        self._add(name, command, lambda: health(port) == 200, environment=self._environment(name), listener=listener)

    def replica_ports(self):
        return [listener.getsockname()[1] for listener in self.listeners]

    def _balanced(self, text, replicas):
        text = text.replace("127.0.0.1:8080", f"127.0.0.1:{self.entry}")
        for i, port in enumerate(self.replica_ports()):
            text = text.replace(f"127.0.0.1:{8081 + i}", f"127.0.0.1:{port}")
        return re.sub(r"^.*server.* 127\.0\.0\.1:808\d;?\n", "", text, flags=re.M)  # of those that there are not

    def _nginx(self, replicas):
        own = "access_log off;" + "".join(f" {kind}_temp_path {self.folder}/nginx-{kind};"
                                          for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        text = self._balanced((EXAMPLE / "nginx.conf").read_text(), replicas)
        file = self._write("nginx.conf", text.replace("http {", "http { " + own, 1))
        self._add("nginx", ["nginx", "-p", str(self.folder), "-e", str(self.folder / "nginx-errors.log"), "-c", str(file),
                            "-g", f"daemon off; pid {self.folder}/nginx.pid;"], lambda: accepts(self.entry), whole=True)

    def _haproxy(self, replicas):
        file = self._write("haproxy.cfg", self._balanced((EXAMPLE / "haproxy.cfg").read_text(), replicas))
        self._add("haproxy", ["haproxy", "-db", "-f", str(file)], lambda: accepts(self.entry), whole=True)
