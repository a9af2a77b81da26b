"""The messages of the wire: read from lines, written as lines. Independent of tools and of how they run."""

from __future__ import annotations

import json
import sys
from json.encoder import encode_basestring
from typing import Any, Dict, Iterable, Optional, Tuple, Union

PROTOCOL = "1.0.0"
LONGEST_LINE = 80 << 20
SURELY_SHORT = LONGEST_LINE // 4  # so many characters are a line whatever they are
DEEPEST = 100  # how deep a tool's result may nest: a whole line with more than 128 levels is no message to the bridge
LONGEST_DETAILS = 1 << 20
LARGEST_NUMBER = sys.float_info.max  # the bridge takes no number that has no double

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
NOT_FOUND = -32601
INVALID_PARAMETERS = -32602
INTERNAL_ERROR = -32603
EXECUTION_FAILED = -32000
TIMEOUT = -32001
PERMISSION_DENIED = -32002

MESSAGES = {
    PARSE_ERROR: "Parse error",
    INVALID_REQUEST: "Invalid request",
    NOT_FOUND: "Tool not found",
    INVALID_PARAMETERS: "Invalid parameters",
    INTERNAL_ERROR: "Internal error",
    EXECUTION_FAILED: "Tool execution failed",
    TIMEOUT: "Timeout",
    PERMISSION_DENIED: "Permission denied",
}

Id = Union[str, int, None]


class Failure(Exception):
    """Becomes an error answer. `data` are members beside `details`; `id` is that of the message, where it was read."""

    def __init__(self, code: int, details: str, id: Id = None, **data: Any):
        super().__init__(details)
        self.code = code
        self.details = details
        self.id = id
        self.data = data

    def error(self, tool: Optional[str] = None) -> Dict[str, Any]:
        data: Dict[str, Any] = {} if tool is None else {"tool": tool}
        data.update(language="python", details=self.details[:LONGEST_DETAILS], **self.data)
        return {"code": self.code, "message": MESSAGES[self.code], "data": data}


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


_decode = json.JSONDecoder(parse_constant=_no_constant).raw_decode
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_encode_ascii = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
_head = '{"jsonrpc":"2.0","protocol":"' + PROTOCOL + '",'


def json_text(value: Any) -> str:
    """The value as JSON. Raises ValueError or TypeError if it is none, or one that the bridge does not take."""
    text = _encode(value)
    if len(text) > sys.float_info.max_10_exp and _has_too_large_number(value):
        raise ValueError("expected whole numbers whose size is at most 1.7976931348623157e308")
    return text if _is_utf8(text) else _encode_ascii(value)


def _has_too_large_number(value: Any) -> bool:
    """The value has been written, so it has an end."""
    level = [value]
    while level:
        if any(isinstance(one, int) and not -LARGEST_NUMBER <= one <= LARGEST_NUMBER for one in level):
            return True
        level = [part for one in level for part in _parts(one)]
    return False


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, (list, tuple)) else ()


def string_text(value: str) -> str:
    """A string as JSON; half a surrogate pair is escaped, for UTF-8 has none."""
    text = encode_basestring(value)
    return text if text.isascii() or _is_utf8(text) else _encode_ascii(value)


def _is_utf8(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
        return True
    except UnicodeEncodeError:
        return False


def id_text(id: Id) -> str:
    return str(id) if isinstance(id, int) else "null" if id is None else string_text(id)


def result_line(id: str, result: str) -> str:
    """An answer; both arguments are JSON texts."""
    return f'{_head}"id":{id},"result":{result}}}\n'


def error_line(id: str, error: str) -> str:
    return f'{_head}"id":{id},"error":{error}}}\n'


def bounded_answer(id: str, line: str) -> str:
    """The answer, or an error where it is too long for a line: half of it would be of no use."""
    if len(line.encode()) <= LONGEST_LINE:
        return line
    return error_line(id, json_text(Failure(EXECUTION_FAILED, "the answer is longer than a line may be: 80 MiB").error()))


def is_deeper(value: Any, text: str) -> bool:
    """Whether the value nests deeper than a result may; `text` is its JSON."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    level = [value]
    for _ in range(DEEPEST):
        parts = (part for one in level for part in (one.values() if isinstance(one, dict) else one))
        level = [part for part in parts if isinstance(part, (dict, list, tuple))]
        if not level:
            return False
    return True


def notification_line(method: str, params: str) -> str:
    return f'{_head}"method":"{method}","params":{params}}}\n'


_accepted = {PROTOCOL: True}


def _is_accepted(protocol: Any) -> bool:
    if not isinstance(protocol, str):
        return False
    known = _accepted.get(protocol)
    if known is None:
        major = protocol.split(".")
        known = major[0] == "1" and len(major) <= 3 and all(part.isdecimal() for part in major)
        if len(_accepted) < 100:
            _accepted[protocol] = known
    return known


def read_message(line: bytes) -> Tuple[Id, bool, str, Dict[str, Any]]:
    """Id, whether it wants an answer, method and params of a line. Raises Failure."""
    try:
        text = line.decode()
        message, end = _decode(text, 0)
        if end != len(text) and text[end:].strip(" \t\r\n"):
            raise ValueError(f"expected the end of the line at character {end}")
    except (ValueError, RecursionError) as error:
        try:
            message = json.loads(line, parse_constant=_no_constant)  # white space before it
        except (ValueError, RecursionError):
            raise Failure(PARSE_ERROR, f"expected one JSON object a line: {error}") from None
    if type(message) is not dict:
        raise Failure(INVALID_REQUEST, "expected a JSON object; several calls go into one tool.batch")
    id = message.get("id")
    wants_answer = "id" in message
    if id is not None and (type(id) is bool or not isinstance(id, (int, str))):
        raise Failure(INVALID_REQUEST, "id: expected a string or an integer")
    if message.get("protocol") != PROTOCOL and not _is_accepted(message.get("protocol")):
        found = message.get("protocol")
        said = "none" if found is None else json_text(found)[:40]
        raise Failure(INVALID_REQUEST, f"protocol: expected {PROTOCOL} or another 1.x, found {said}", id, supported=PROTOCOL)
    method = message.get("method")
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise Failure(INVALID_REQUEST, 'expected a request: "jsonrpc": "2.0" and a method', id)
    if wants_answer and id is None:
        raise Failure(INVALID_REQUEST, "id: expected a string or an integer")
    params = message.get("params", {})
    if type(params) is not dict:
        raise Failure(INVALID_REQUEST, "params: expected an object", id)
    return id, wants_answer, method, params
