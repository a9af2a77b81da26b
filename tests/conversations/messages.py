"""Conversations as a client has them that means well: what is mutated."""

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
CAPABILITIES = {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {"form": {}, "url": {}}}
CLIENT = {"name": "attacker", "version": "1"}
LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
FIRST = 8  # tools that are called in every other call: those of the bridge itself come before those of its back-ends
WORDS = ("", "a", "notes.txt", "folder", "../x", "*", "needle", "é\u202e", "0", "file:///etc/passwd")
VALUES = (*WORDS[:4], None, True, 5, 0.5, [], {"a": []})


def value_for(schema, random, depth=0):
    """A value that fits a schema, as far as one can tell from its simple keywords."""
    if not isinstance(schema, dict) or depth > 4:
        return random.choice(VALUES)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return random.choice(schema["enum"])
    for name in ("anyOf", "oneOf"):
        if schema.get(name):
            return value_for(random.choice(schema[name]), random, depth + 1)
    kind = schema.get("type")
    kind = random.choice(kind) if isinstance(kind, list) and kind else kind
    if kind == "object" or "properties" in schema:
        needed = schema.get("required", [])
        properties = schema.get("properties", {})
        return {name: value_for(properties[name], random, depth + 1)
                for name in properties if name in needed or random.random() < 0.4}
    if kind == "array":
        return [value_for(schema.get("items", {}), random, depth + 1) for _ in range(random.randrange(3))]
    if kind == "integer":
        return min(max(random.randrange(4), schema.get("minimum", 0)), schema.get("maximum", 9))
    if kind == "number":
        return max(random.random() / 50, schema.get("minimum", 0))
    if kind in ("boolean", "null"):
        return random.random() < 0.5 if kind == "boolean" else None
    return random.choice(WORDS if kind == "string" else VALUES)


class Client:
    """Makes messages of one revision; what it knows of the server is what that lists."""

    def __init__(self, revision, listed, random):
        self._revision = revision
        self._listed = listed
        self._random = random
        self._next_id = 0

    def request(self, method, params=None):
        self._next_id += 1
        params = dict(params or {})
        meta = {}
        if self._revision == MODERN:
            meta = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientInfo": CLIENT,
                    "io.modelcontextprotocol/clientCapabilities": CAPABILITIES}
        if self._random.random() < 0.2:
            meta["progressToken"] = self._next_id
        if meta:
            params["_meta"] = meta
        identifier = self._next_id if self._random.random() < 0.8 else f"call {self._next_id}"
        return {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}

    def handshake(self):
        if self._revision == MODERN:
            return [self.request("server/discover")]
        params = {"protocolVersion": self._revision, "capabilities": CAPABILITIES, "clientInfo": CLIENT}
        return [self.request("initialize", params), {"jsonrpc": "2.0", "method": "notifications/initialized"}]

    def call(self):
        tools = self._listed["tools"]
        tool = self._random.choice(tools[:FIRST] if self._random.random() < 0.5 else tools)
        params = {"name": tool["name"], "arguments": value_for(tool.get("inputSchema", {}), self._random)}
        if self._random.random() < 0.1:
            params["task"] = {"ttl": 1000}
        if self._random.random() < 0.1:
            params["inputResponses"] = {"a": {"action": "accept", "content": {}}}
            params["requestState"] = "state"
        return self.request("tools/call", params)

    def other(self):
        random = self._random
        uri = random.choice(self._listed["resources"] or [{"uri": "file:///x"}])["uri"]
        prompt = random.choice(self._listed["prompts"] or [{"name": "x"}])
        named = {argument["name"]: random.choice(WORDS) for argument in prompt.get("arguments", [])}
        reference = random.choice([{"type": "ref/prompt", "name": prompt["name"]}, {"type": "ref/resource", "uri": uri}])
        method, params = random.choice([
            ("ping", {}), (random.choice(LISTS), {}), (random.choice(LISTS), {"cursor": random.choice(WORDS)}),
            ("resources/read", {"uri": uri}), ("resources/subscribe", {"uri": uri}),
            ("resources/unsubscribe", {"uri": uri}), ("prompts/get", {"name": prompt["name"], "arguments": named}),
            ("completion/complete", {"ref": reference, "argument": {"name": next(iter(named), "x"), "value": "a"}}),
            ("logging/setLevel", {"level": random.choice(["debug", "error", "loud"])}),
            ("tasks/list", {}), ("tasks/get", {"taskId": "1"}), ("tasks/result", {"taskId": "1"}),
            ("tasks/cancel", {"taskId": "1"}), ("tasks/update", {"taskId": "1", "inputResponses": {}}),
            ("subscriptions/listen", {"notifications": {"toolsListChanged": True, "resourceSubscriptions": [uri]}}),
            ("server/discover", {}), ("no/such", {})])
        return self.request(method, params)

    def notification(self):
        random = self._random
        method, params = random.choice([
            ("notifications/cancelled", {"requestId": random.randrange(self._next_id + 2), "reason": "no more"}),
            ("notifications/progress", {"progressToken": 1, "progress": 1}),
            ("notifications/roots/list_changed", {}), ("notifications/initialized", {})])
        return {"jsonrpc": "2.0", "method": method, "params": params}

    def conversation(self, length):
        """A list of messages, the handshake first."""
        messages = self.handshake()
        for _ in range(length):
            chance = self._random.random()
            messages.append(self.call() if chance < 0.6 else self.other() if chance < 0.9 else self.notification())
        return messages


def answer_to(request, random):
    """An answer to what a server asks, as a user, a model or somebody careless gives it."""
    action = random.choice(["accept", "decline", "cancel", "perhaps"])
    content = {"role": "assistant", "model": "m", "content": {"type": "text", "text": random.choice(WORDS)}}
    result = random.choice([{"action": action, "content": {"confirm": True, "name": "x"}}, content, {"roots": []}, {}, 5, None])
    if random.random() < 0.2:
        return {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -1, "message": "no"}}
    return {"jsonrpc": "2.0", "id": request["id"], "result": result}
