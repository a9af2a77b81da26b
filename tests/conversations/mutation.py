"""What an attacker makes of a conversation: first of its messages as values, then of its bytes."""

import copy
import json

JUNK = (None, True, False, 0, -1, 1.5, -0.0, 10**30, -(2**63), 2**63, 2**64, 1e308, "", "\x00", "\u2028", "é", "\ud800", "x" * 5000,
        [], {}, [[]], {"": {}}, [None] * 50, {"a": "\u202e\x1b]52;c;x\x07"}, "2025-11-25", "sync 1", {"$ref": "#"})
RAW = (b"\n", b"\r\n", b" \t\r", b"\x00", b"\xef\xbb\xbf", b"\xff\xfe", b"[", b"]", b"{", b"}", b"{}", b"[]", b"null", b"1e400", b"NaN", b'"', b"\\",
       b"//", b"[" * 300, b'{"a":' * 200, b'{"jsonrpc":"2.0","id":', b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
       b'\n[{"jsonrpc":"2.0","id":9,"method":"ping"},5]\n', b'\n{"jsonrpc":"2.0","id":1e0,"method":"ping"}\n',
       b'\n{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}\n')
LONGEST = 9 << 20  # bytes of one line; more than the default limit of a line


def places(value, found=None):
    """All (container, key) of a value."""
    found = [] if found is None else found
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found.append((value, key))
        places(inner, found)
    return found


def junk(random):
    value = copy.deepcopy(random.choice(JUNK))
    for _ in range(random.choice([0, 0, 0, 0, 3, 40, 130])):
        value = [value] if random.random() < 0.5 else {"a": value}
    return value


def _any(messages, random):
    return random.randrange(len(messages))


def drop(messages, random):
    del messages[_any(messages, random)]


def duplicate(messages, random):
    messages.insert(_any(messages, random), copy.deepcopy(random.choice(messages)))


def reorder(messages, random):
    messages.insert(_any(messages, random), messages.pop(_any(messages, random)))


def replace_member(messages, random):
    at = _any(messages, random)
    found = places(messages[at])
    if found:
        container, key = random.choice(found)
        container[key] = junk(random)


def remove_member(messages, random):
    found = places(messages[_any(messages, random)])
    if found:
        container, key = random.choice(found)
        del container[key]


def add_member(messages, random):
    at = _any(messages, random)
    objects = [messages[at]] + [container[key] for container, key in places(messages[at])]
    objects = [one for one in objects if isinstance(one, dict)]
    if objects:
        name = random.choice(["id", "method", "params", "result", "error", "jsonrpc", "_meta", "name", "arguments", "task", "x", ""])
        random.choice(objects)[name] = junk(random)


def exchange_members(messages, random):
    first, second = places(messages[_any(messages, random)]), places(messages[_any(messages, random)])
    if first and second:
        (one, here), (other, there) = random.choice(first), random.choice(second)
        one[here], other[there] = copy.deepcopy(other[there]), copy.deepcopy(one[here])


def reuse_id(messages, random):
    source, target = random.choice(messages), random.choice(messages)
    if isinstance(source, dict) and isinstance(target, dict) and "id" in source:
        target["id"] = copy.deepcopy(source["id"])


def cancel(messages, random):
    source = random.choice(messages)
    identifier = source.get("id", 1) if isinstance(source, dict) else 1
    messages.insert(_any(messages, random) + 1, {
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": copy.deepcopy(identifier)}})


def batch(messages, random):
    begin = _any(messages, random)
    end = min(len(messages), begin + random.randrange(1, 6))
    messages[begin:end] = [messages[begin:end]]


def respond(messages, random):
    messages.insert(_any(messages, random), {"jsonrpc": "2.0", "id": random.choice([1, "1", 0, -1]), "result": junk(random)})


STRUCTURED = (drop, duplicate, reorder, replace_member, replace_member, replace_member, remove_member, add_member,
              exchange_members, reuse_id, cancel, batch, respond)


def flip_bits(line, random):
    changed = bytearray(line)
    for _ in range(random.randrange(1, 4)):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def cut(line, random):
    return line[:random.randrange(len(line))] + (b"\n" if random.random() < 0.5 else b"")


def insert_raw(line, random):
    at = random.randrange(len(line))
    return line[:at] + random.choice(RAW) + line[at:]


def repeat_part(line, random):
    begin = random.randrange(len(line))
    return line[:begin] + line[begin:begin + random.randrange(1, 80)] * random.randrange(2, 200) + line[begin:]


def overlong(line, random):
    if random.random() > 0.05:
        return line
    return line.rstrip(b"\n") + random.choice([b" ", b"x", b"[", b"\xff"]) * LONGEST + b"\n"


RAW_CHANGES = (flip_bits, flip_bits, flip_bits, cut, insert_raw, repeat_part, overlong)


def mutated(messages, random):
    """The lines of a conversation with some of it changed; bytes, of which not all need to end in a line feed."""
    messages = copy.deepcopy(messages)
    for _ in range(random.choice([0, 1, 2, 5, 12])):
        if messages:
            random.choice(STRUCTURED)(messages, random)
    lines = [json.dumps(message, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass") + b"\n" for message in messages]
    for _ in range(random.choice([0, 0, 1, 3, 8])):
        if lines:
            at = random.randrange(len(lines))
            lines[at] = random.choice(RAW_CHANGES)(lines[at] or b"\n", random)
    return lines
