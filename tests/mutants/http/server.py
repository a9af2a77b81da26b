"""A small correct server of Streamable HTTP, in every revision that has it, and with a fault in its path a wrong one.

http://127.0.0.1:PORT/FORM/FAULT: FORM is `streams` or `json` (how it answers) or `modern` (2026-07-28 alone, streams);
with `json` nobody is asked who calls, and the others want one of TOKENS, of whom one may not call `restricted`. FAULT is a name in faults.jsonl, or `none`. It prints its port and runs until its standard input ends.
"""

import base64
import json
import secrets
import socketserver
import sys
import threading
import time

LEGACY = ["2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
TOKENS = {"Bearer of-the-test": "test", "Bearer of-another": "another"}
WELL_KNOWN = "/.well-known/oauth-protected-resource"
ELSEWHERE = "127.0.0.2"
META = "io.modelcontextprotocol/"
TOOLS = [
    {"name": "test_simple_text", "inputSchema": {"type": "object"}},
    {"name": "test_tool_with_progress", "inputSchema": {"type": "object"}},
    {"name": "test_sampling", "inputSchema": {"type": "object", "properties": {"prompt": {"type": "string"}}}},
    {"name": "restricted", "inputSchema": {"type": "object"}},
    {"name": "test_input_required_result_request_state", "inputSchema": {"type": "object"}},
    {"name": "slow_compute", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "optional"}},
    {
        "name": "mirrors",
        "inputSchema": {
            "type": "object",
            "properties": {
                "region": {"type": "string", "x-mcp-header": "Region"},
                "count": {"type": "integer", "x-mcp-header": "Count"},
            },
        },
    },
]
TEXT = {"content": [{"type": "text", "text": "some text"}]}
TASKS = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
NOW = "2026-07-28T00:00:00Z"
RESOURCE = {"uri": "test://text", "name": "text", "mimeType": "text/plain"}
PROMPT = {"name": "test_prompt", "description": "A prompt of a test server"}
for tool in TOOLS:
    tool["description"] = "A tool of a test server"
    tool["annotations"] = {"readOnlyHint": True}


class Refusal(Exception):
    """An HTTP status, and the message that is its body."""

    def __init__(self, status, code=None, text="refused", data=None, challenge=None):
        super().__init__(text)
        self.status = status
        self.challenge = challenge  # what WWW-Authenticate says of it besides
        self.error = {"code": code, "message": text} if code else None
        if data:
            self.error["data"] = data


class Session:
    """What a server of the handshake revisions keeps."""

    def __init__(self, identifier, version, caller):
        self.identifier, self.version, self.caller = identifier, version, caller
        self.listening = []  # open streams of GET
        self.events = []  # (id, stream, text), to replay
        self.streams = 0


class Sessions:
    def __init__(self):
        self.lock = threading.Lock()
        self.listeners_lock = threading.Lock()
        self.open = {}
        self.ended = set()
        self.subscribers = []  # streams of subscriptions/listen
        self.tasks = {}  # whose each is, by id
        self.states = {}  # whose each is


SESSIONS = {}  # by path
SESSIONS_LOCK = threading.Lock()


def sessions_of(path):
    with SESSIONS_LOCK:
        return SESSIONS.setdefault(path, Sessions())


def decoded(value, in_any_case=False):
    marks = value[:9].lower() if in_any_case else value[:9]
    if marks == "=?base64?" and value.endswith("?="):
        return base64.b64decode(value[9:-2]).decode()
    return value


def page_of(origin):
    return origin.removeprefix("http://").rpartition(":")[0] or origin.removeprefix("http://")


class Exchange:
    """One request on one connection, and its reply."""

    def __init__(self, stream, method, path, headers, body, port):
        self.stream, self.port = stream, port
        self.is_metadata = path.startswith(WELL_KNOWN)
        path = path.removeprefix(WELL_KNOWN)
        self.method, self.path, self.headers, self.body = method, path, headers, body
        _, self.form, self.fault = path.split("/", 2)
        self.sessions = sessions_of(path)
        self.is_event_stream = False
        self.session = None
        self.events_of = None

    def has(self, fault):
        return self.fault == fault

    def header(self, name):
        if self.has("exact-header-names"):
            return self.headers.get(name)
        return next((value for key, value in self.headers.items() if key.lower() == name.lower()), None)

    # --- what goes out ---

    def send(self, data):
        try:
            self.stream.write(data.encode("latin-1", "replace"))
            self.stream.flush()
        except OSError:
            pass

    def head(self, status, headers):
        lines = [f"HTTP/1.1 {status} -", "Connection: close"] + [f"{name}: {value}" for name, value in headers.items()]
        self.send("\r\n".join(lines) + "\r\n\r\n")

    def reply(self, status, body="", headers=None, content_type="application/json"):
        headers = dict(headers or {})
        if body:
            headers["Content-Type"] = content_type
        headers["Content-Length"] = len(body.encode())
        self.head(status, headers)
        self.send(body.encode().decode("latin-1"))

    def begin_events(self, headers=None):
        if self.is_event_stream:
            return
        self.is_event_stream = True
        unbuffered = {} if self.has("no-accel-header") else {"X-Accel-Buffering": "no"}
        self.head(200, {"Content-Type": "text/event-stream", **unbuffered, **(headers or {})})
        if self.session and self.events_of is None:
            self.session.streams += 1
            self.events_of = self.session.streams
            if not self.has("not-primed"):
                self.event("")

    def event(self, text):
        identifier = ""
        if self.session and self.events_of is not None:
            number = len(self.session.events)
            name = f"{self.events_of}-{number}" if not self.has("event-ids-repeat") else "1"
            self.session.events.append((name, self.events_of, text))
            identifier = f"id: {name}\r\n"
        self.send(f"{identifier}data: {text.encode().decode('latin-1')}\r\n\r\n")

    # --- POST ---

    def run(self):
        try:
            if self.is_metadata:
                return self.metadata()
            self.check_origin()
            self.caller = self.find_caller()
            if self.method == "POST":
                self.post()
            elif self.method == "GET" and self.form != "modern":
                self.get()
            elif self.method == "DELETE" and self.form != "modern":
                self.delete()
            else:
                raise Refusal(404 if self.has(f"{self.method.lower()}-404") else 405)
        except Refusal as refusal:
            body = {"jsonrpc": "2.0", "error": refusal.error} if refusal.error else ""
            if body and getattr(self, "identifier", None) is not None:
                body["id"] = self.identifier
            headers = {"Allow": "POST"} if refusal.status == 405 else {}
            if refusal.status == 401 and not self.has("no-challenge"):
                headers["WWW-Authenticate"] = self.challenge("" if refusal.challenge is None else refusal.challenge)
            if refusal.status == 403 and refusal.challenge is not None:
                headers["WWW-Authenticate"] = self.challenge(refusal.challenge)
            self.reply(refusal.status, json.dumps(body) if body else "", headers)

    def check_origin(self):
        origin = self.header("Origin")
        if not origin or self.has("any-origin") or self.is_let_in(origin):
            return
        raise Refusal(400 if self.has("origin-400") else 403)

    def is_let_in(self, origin):
        if self.has("origin-by-its-beginning") and origin.startswith("http://127.0.0.1"):
            return True
        if self.has("origin-by-its-end") and page_of(origin).endswith("127.0.0.1"):
            return True
        if self.has("origin-of-the-first-request") and b"initialize" not in self.body and b"discover" not in self.body:
            return True
        if self.has("origin-of-posts") and self.method != "POST":
            return True
        return origin == f"http://127.0.0.1:{self.port}"

    def find_caller(self):
        if self.form == "json":
            return "test"
        said = self.header("Authorization")
        if not said and self.has("session-authenticates") and self.header("Mcp-Session-Id") in self.sessions.open:
            return "test"
        if not said:
            raise Refusal(403 if self.has("unknown-caller-403") else 401)
        if said not in TOKENS and not self.has("any-token"):
            raise Refusal(403 if self.has("unknown-token-403") else 401, challenge='error="invalid_token", ')
        return TOKENS.get(said, "anybody")

    def challenge(self, error):
        scope = "tools offline_access" if self.has("offline-in-challenge") else "tools"
        if "insufficient" in error:
            scope = "restricted"
            if self.has("forbidden-without-metadata"):
                return f'Bearer {error}scope="{scope}"'
        place = f"/{self.form}/nowhere" if self.has("metadata-missing") else WELL_KNOWN + self.path
        return f'Bearer {error}scope="{scope}", resource_metadata="http://127.0.0.1:{self.port}{place}"'

    def metadata(self):
        servers = [] if self.has("metadata-without-servers") else ["https://login.example.com"]
        scopes = ["tools", "offline_access"] if self.has("offline-in-metadata") else ["tools"]
        metadata = {"authorization_servers": servers, "scopes_supported": scopes}
        if not self.has("metadata-without-resource"):
            metadata["resource"] = f"http://127.0.0.1:{self.port}{self.path}"
        self.reply(200, json.dumps(metadata))

    def check_scope(self, params):
        if params.get("name") != "restricted" or self.caller != "another":
            return
        if self.has("forbidden-401"):
            raise Refusal(401)
        raise Refusal(403, challenge=None if self.has("forbidden-without-scope") else 'error="insufficient_scope", ')

    def post(self):
        if self.has("exact-accept") and self.header("accept") != "application/json, text/event-stream":
            raise Refusal(406)
        if self.has("exact-content-type") and self.header("content-type") != "application/json":
            raise Refusal(415)
        try:
            message = json.loads(self.body)
        except ValueError:
            if self.has("half-message-accepted"):
                return self.reply(202)
            raise Refusal(400, -32700, "no JSON") from None
        if isinstance(message, list):
            return self.batch(message)
        is_modern = META + "protocolVersion" in (message.get("params", {}).get("_meta") or {})
        if "id" not in message or "method" not in message:
            return self.notification(message)
        self.identifier = message["id"]
        if is_modern:
            return self.modern(message)
        if self.form == "modern":
            raise Refusal(400, -32022, f"only {MODERN} is served", {"supported": [MODERN], "requested": "unknown"})
        return self.legacy(message)

    def batch(self, messages):
        self.find_session()
        answers = [
            {"jsonrpc": "2.0", "id": it["id"], "result": self.result_of(it)}
            for it in messages
            if "id" in it and "method" in it
        ]
        if answers:
            return self.reply(200, json.dumps(answers))
        return self.reply(200, "[]") if self.has("batch-of-notifications-answered") else self.reply(202)

    def notification(self, message):
        if self.form != "modern" and self.header("MCP-Protocol-Version") != MODERN:
            self.find_session()
        what = "response" if "method" not in message else "notification"
        if what == "response" and self.header("MCP-Protocol-Version") == MODERN and not self.has("response-taken"):
            raise Refusal(400, -32600, "a response answers nothing here")
        if self.has(f"{what}-answered"):
            return self.reply(200, "{}")
        return self.reply(202)

    # --- the handshake revisions ---

    def find_session(self):
        identifier = self.header("Mcp-Session-Id")
        if identifier is None:
            raise Refusal(401 if self.has("session-needed-401") else 400)
        with self.sessions.lock:
            self.session = self.sessions.open.get(identifier)
            if self.session is None and self.has("ended-session-served") and identifier in self.sessions.ended:
                self.session = Session(identifier, LEGACY[-1], self.caller)
        is_anybodys = self.has("session-of-anybody") or self.has("one-session-id")
        if self.session and self.session.caller != self.caller and not is_anybodys:
            self.session = None
        if self.session is None:
            raise Refusal(400 if self.has("ended-session-400") else 404)
        version = self.header("MCP-Protocol-Version")
        if version is None and self.has("version-header-demanded") and self.session.version != LEGACY[0]:
            raise Refusal(400)
        if version is not None and version not in LEGACY + [MODERN] and not self.has("any-version-header"):
            raise Refusal(400)

    def legacy(self, message):
        if message["method"] == "initialize":
            asked = message["params"].get("protocolVersion")
            version = asked if asked in LEGACY else LEGACY[-1]
            with self.sessions.lock:
                new = Session(self.new_session_id(), version, self.caller)
                self.session = self.sessions.open.setdefault(new.identifier, new)
            result = {
                "protocolVersion": version,
                "capabilities": {"tools": {}, "tasks": TASKS} if version == LEGACY[-1] and self.form == "streams" else {"tools": {}},
                "serverInfo": {"name": "http-mutant", "version": "1"},
            }
            return self.answer(message, result, {"Mcp-Session-Id": self.session.identifier})
        self.find_session()
        return self.answer(message, self.result_of(message))

    def new_session_id(self):
        if self.has("session-id-with-space"):
            return secrets.token_hex(8) + " " + secrets.token_hex(8)
        return "the-only-one" if self.has("one-session-id") else secrets.token_hex(16)

    def delete(self):
        if self.has("one-session-id"):
            raise Refusal(405)
        self.find_session()
        with self.sessions.lock:
            self.sessions.open.pop(self.session.identifier, None)
            self.sessions.ended.add(self.session.identifier)
        self.reply(200)

    def get(self):
        if self.has("get-404"):
            raise Refusal(404)
        self.find_session()
        last = self.header("Last-Event-ID")
        if last is not None:
            return self.resume(last)
        self.listen_with(self.session.listening)

    def resume(self, last):
        known = [it for it in self.session.events if it[0] == last]
        if not known:
            raise Refusal(404)
        self.events_of = known[0][1]
        self.is_event_stream = True
        self.head(200, {"Content-Type": "text/event-stream"})
        at = self.session.events.index(known[0])
        for name, stream, text in list(self.session.events[at + 1 :]):
            if stream == self.events_of or self.has("replays-all-streams"):
                self.send(f"id: {name}\r\ndata: {text}\r\n\r\n")

    def listen_with(self, listeners, first=None):
        """A client that sees the stream begin misses nothing from then on."""
        with self.sessions.listeners_lock:
            self.begin_events()
            if first:
                self.event(first)
            listeners.append(self)
        self.wait_for_client()
        with self.sessions.listeners_lock:
            listeners.remove(self)

    def tell(self, listeners, text):
        with self.sessions.listeners_lock:
            for one in listeners:
                one.event(text)

    def wait_for_client(self):
        """Until the client closes the connection, or the session ends."""
        try:
            while self.stream.raw_socket.recv(1):
                pass
        except OSError:
            pass

    # --- 2026-07-28 ---

    def modern(self, message):
        params = message["params"]
        self.check_headers(message)
        if params["_meta"][META + "protocolVersion"] != MODERN:
            data = {"supported": [MODERN] if self.form == "modern" else [MODERN] + LEGACY, "requested": params["_meta"][META + "protocolVersion"]}
            raise Refusal(200 if self.has("unsupported-version-200") else 400, -32022, "unsupported version", data)
        method = message["method"]
        if method == "subscriptions/listen":
            return self.listen(message)
        if method == "tools/call" and params["name"] == "test_sampling":
            return self.sample(message)
        if method == "tools/call" and params["name"] == "test_input_required_result_request_state":
            return self.ask(message)
        if method == "tools/call" and params["name"] == "slow_compute":
            return self.begin_task(message)
        result = self.result_of(message)
        result["resultType"] = "complete"
        if method == "server/discover" or method.endswith("/list") or method == "resources/read":
            result |= {"ttlMs": 0, "cacheScope": "private"}
        headers = {"Mcp-Session-Id": "minted"} if self.has("mints-session") else {}
        if self.has("session-header-refused") and self.header("Mcp-Session-Id"):
            raise Refusal(404)
        return self.answer(message, result, headers)

    def check_headers(self, message):
        params = message["params"]
        stated = params["_meta"][META + "protocolVersion"]
        self.must_match("MCP-Protocol-Version", stated, "version-header", plain=True)
        self.must_match("Mcp-Method", message["method"], "method-header", plain=True)
        if message["method"] == "resources/read":
            self.must_match("Mcp-Name", params["uri"], "resource-header")
        if message["method"] == "prompts/get":
            self.must_match("Mcp-Name", params["name"], "prompt-header")
        if message["method"].startswith("tasks/"):
            self.must_match("Mcp-Name", params["taskId"], "task-header")
        if message["method"] == "tools/call":
            self.must_match("Mcp-Name", params["name"], "name-header")
            if params["name"] == "mirrors":
                self.check_mirrored(params.get("arguments") or {})

    def check_mirrored(self, arguments):
        for header, name in (("Mcp-Param-Region", "region"), ("Mcp-Param-Count", "count")):
            value = arguments.get(name)
            if value is None:
                for_null = name in arguments and self.has("param-header-for-null")
                if for_null or (not arguments and self.has("param-header-always")):
                    raise Refusal(400, -32020, "header mismatch")
            elif isinstance(value, int):
                self.must_be_number(header, value)
            else:
                self.must_match(header, value, "param-header")

    def must_be_number(self, header, value):
        given = self.header(header)
        same = given == str(value) if self.has("numbers-as-text") else given is not None and float(given) == value
        if not same:
            raise Refusal(400, -32020, "header mismatch")

    def must_match(self, header, value, what, plain=False):
        given = self.header(header)
        if given is None:
            if self.has(f"{what}-optional") or (header == "MCP-Protocol-Version" and self.form != "modern"):
                return
            raise Refusal(400, -32020, f"{header} is missing")
        if self.has(f"{what}-unread"):
            return
        if given == "=?base64?@@@?=" and self.has(f"{what}-no-base64-taken"):
            return
        if not plain and not self.has(f"{what}-not-decoded"):
            given = decoded(given, self.has("marks-in-any-case"))
        if self.has(f"{what}-ignores-case"):
            given, value = given.lower(), value.lower()
        if given != value:
            status, code = (400, -32600) if self.has("mismatch-other-code") else (400, -32020)
            raise Refusal(status, code, f"{header} differs")

    def listen(self, message):
        meta = {META + "subscriptionId": message["id"]}
        acknowledged = {"method": "notifications/subscriptions/acknowledged", "params": {"_meta": meta, "notifications": {}}}
        self.listen_with(self.sessions.subscribers, json.dumps({"jsonrpc": "2.0", **acknowledged}))

    def sample(self, message):
        question = {"messages": [{"role": "user", "content": {"type": "text", "text": "x"}}], "maxTokens": 5}
        if self.has("requests-on-stream"):
            self.begin_events()
            self.event(json.dumps({"jsonrpc": "2.0", "id": "asked", "method": "sampling/createMessage", "params": question}))
        if "sampling" not in message["params"]["_meta"].get(META + "clientCapabilities", {}):
            data = {"requiredCapabilities": {"sampling": {}}}
            raise Refusal(200 if self.has("missing-capability-200") else 400, -32021, "sampling is needed", data)
        asked = {"resultType": "input_required", "inputRequests": {"a": {"method": "sampling/createMessage", "params": question}}, "requestState": "x"}
        return self.answer(message, asked)

    def ask(self, message):
        state = message["params"].get("requestState")
        if state is not None:
            if self.sessions.states.get(state) != self.caller and not (state in self.sessions.states and self.has("state-of-anybody")):
                raise Refusal(200, -32602, "the state is of another caller")
            return self.answer(message, {"resultType": "complete", **TEXT})
        state = secrets.token_hex(16)
        self.sessions.states[state] = self.caller
        form = {"mode": "form", "message": "Sure?", "requestedSchema": {"type": "object", "properties": {"sure": {"type": "boolean"}}}}
        requests = {"a": {"method": "elicitation/create", "params": form}}
        return self.answer(message, {"resultType": "input_required", "inputRequests": requests, "requestState": state})

    def begin_task(self, message):
        can = message["params"]["_meta"].get(META + "clientCapabilities", {}).get("extensions", {})
        if META + "tasks" not in can:
            return self.answer(message, {"resultType": "complete", **TEXT})
        return self.answer(message, {"resultType": "task", **self.new_task("working")})

    # --- both ---

    def new_task(self, status):
        identifier = secrets.token_hex(16)
        self.sessions.tasks[identifier] = self.caller
        return self.task(identifier, status)

    def task(self, identifier, status):
        ttl = "ttlMs" if self.form == "modern" else "ttl"
        return {"taskId": identifier, "status": status, "createdAt": NOW, "lastUpdatedAt": NOW, ttl: 60000}

    def result_of_task(self, method, params):
        """What is said of a task to whom it belongs."""
        if method == "tasks/list":
            mine = [it for it, owner in self.sessions.tasks.items() if owner == self.caller or self.has("tasks-listed-to-all")]
            return {"tasks": [self.task(it, "completed") for it in mine]}
        owner = self.sessions.tasks.get(params["taskId"])
        is_anybodys = (
            self.has("task-of-anybody")
            or (self.has("task-ended-by-anybody") and method == "tasks/cancel")
            or (self.has("results-of-all") and method == "tasks/result")
        )
        if owner != self.caller and not (owner and is_anybodys):
            raise Refusal(200, -32602, "there is no such task")
        if method == "tasks/result":
            return dict(TEXT)
        if self.form != "modern":
            return self.task(params["taskId"], "completed")
        return {**self.task(params["taskId"], "completed"), "result": TEXT} if method == "tasks/get" else {}

    def result_of(self, message):
        method, params = message["method"], message.get("params") or {}
        if method == "ping":
            return {}
        if method == "server/discover":
            return {
                "supportedVersions": [MODERN] if self.form == "modern" else [MODERN] + LEGACY,
                "capabilities": {"tools": {}, "resources": {}, "prompts": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}
                if self.form == "modern"
                else {"tools": {}},
                "serverInfo": {"name": "http-mutant", "version": "1"},
            }
        if self.form == "modern" and method == "resources/list":
            return {"resources": [RESOURCE]}
        if self.form == "modern" and method == "resources/templates/list":
            return {"resourceTemplates": []}
        if self.form == "modern" and method == "resources/read":
            return {"contents": [{"uri": RESOURCE["uri"], "mimeType": "text/plain", "text": "some text"}]}
        if self.form == "modern" and method == "prompts/list":
            return {"prompts": [PROMPT]}
        if self.form == "modern" and method == "prompts/get":
            return {"messages": [{"role": "user", "content": {"type": "text", "text": "some text"}}]}
        if method == "tools/list":
            return {"tools": TOOLS + TOOLS if self.has("strange-tools") else TOOLS}
        if method in ["tasks/get", "tasks/cancel", "tasks/update" if self.form == "modern" else "tasks/result"]:
            return self.result_of_task(method, params)
        if method == "tasks/list" and self.form != "modern":
            return self.result_of_task(method, params)
        if method == "tools/call":
            self.check_scope(params)
            if params.get("name") == "test_tool_with_progress":
                self.progress(params)
            if "task" in params and self.form != "modern":
                return {"task": self.new_task("completed")}
            return dict(TEXT)
        is_modern = META + "protocolVersion" in (params.get("_meta") or {})
        raise Refusal(404 if is_modern and not self.has("unknown-method-200") else 200, -32601, "unknown method")

    def progress(self, params):
        token = (params.get("_meta") or {}).get("progressToken")
        if token is None or self.form == "json":
            return
        self.begin_events()
        if self.has("progress-elsewhere"):
            token = "second-token"
        text = json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}})
        self.event(text)
        if self.has("progress-to-subscribers"):
            self.tell(self.sessions.subscribers, text)
        if self.has("broadcasts") and self.session:
            self.tell(self.session.listening, text)
        time.sleep(0.05)

    def answer(self, message, result, headers=None):
        identifier = "another" if self.has("other-response") and message["method"] == "tools/list" else message["id"]
        response = json.dumps({"jsonrpc": "2.0", "id": identifier, "result": result})
        if self.form == "json" and not self.is_event_stream:
            is_wrapped = self.has("response-in-array") and message["method"] == "ping"
            body = f"[{response}]" if is_wrapped else response
            return self.reply(200, body, headers, "text/plain" if self.has("plain-text") else "application/json")
        self.begin_events(headers)
        if self.has("events-that-are-none"):
            self.event("hello")
        if self.has("response-to-get") and self.session:
            self.tell(self.session.listening, json.dumps({"jsonrpc": "2.0", "id": "unasked", "result": {}}))
        self.event(response)
        if self.has("stream-stays"):
            self.wait_for_client()


class Connection(socketserver.StreamRequestHandler):
    def handle(self):
        line = self.rfile.readline().decode("latin-1").split()
        if len(line) != 3:
            return
        headers = {}
        while True:
            text = self.rfile.readline().decode("latin-1").strip()
            if not text:
                break
            name, _, value = text.partition(":")
            headers[name.strip()] = value.strip()
        length = next((int(value) for name, value in headers.items() if name.lower() == "content-length"), 0)
        body = self.rfile.read(length)
        self.wfile.raw_socket = self.request
        address, port = self.server.server_address
        if address != ELSEWHERE or line[1].endswith("/all-addresses"):
            Exchange(self.wfile, line[0], line[1], headers, body, port).run()


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128


if __name__ == "__main__":
    with Server(("127.0.0.1", 0), Connection) as server, Server((ELSEWHERE, server.server_address[1]), Connection) as other:
        for one in (server, other):
            threading.Thread(target=one.serve_forever, daemon=True).start()
        print(server.server_address[1], flush=True)
        sys.stdin.read()
