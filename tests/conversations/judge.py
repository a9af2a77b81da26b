"""What a server may write: one JSON-RPC message, or a batch of them, on each line; no id answered more often than asked."""

import json
from collections import Counter


class Invalid(Exception):
    """A line that no server may write; says what was expected."""


def _strictly(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise Invalid("expected each member once")
    return dict(pairs)


def _no_constant(name):
    raise Invalid(f"expected JSON, found {name}")


def parsed(line):
    """The value of a line without its line feed, read strictly."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Invalid(f"expected UTF-8: {error}") from error
    try:
        return json.loads(text, object_pairs_hook=_strictly, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"expected JSON: {error}") from error


def key_of(identifier):
    """Equal for ids that a server takes for equal; None for what is no id."""
    if isinstance(identifier, str):
        return "s" + identifier
    if isinstance(identifier, bool):
        return None
    if isinstance(identifier, int):
        return f"i{identifier}"
    if isinstance(identifier, float) and identifier == identifier and identifier.is_integer():
        return f"i{int(identifier)}"
    return None


class Asked:
    """How often each id may be answered. What could not be read may have asked for anything."""

    def __init__(self):
        self._left = Counter()
        self._anything = False

    def sent(self, line):
        try:
            value = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            self._anything = self._anything or bool(line.strip())
            return
        for message in value if isinstance(value, list) else [value]:
            if isinstance(message, dict):
                self._left[key_of(message.get("id"))] += 1

    def answered(self, identifier):
        if identifier is None or self._anything:
            return
        key = key_of(identifier)
        self._left[key] -= 1
        if self._left[key] < 0:
            raise Invalid(f"expected no further answer to {identifier!r}")


def _check_error(error):
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        raise Invalid("expected an error with a message")
    if not isinstance(error.get("code"), int) or isinstance(error.get("code"), bool):
        raise Invalid("expected an error with a whole number as its code")


def check_message(message, asked):
    """Checks one message; returns the request in it, if it is one for the client."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise Invalid('expected an object with "jsonrpc": "2.0"')
    if "method" in message:
        if not isinstance(message["method"], str) or "result" in message or "error" in message:
            raise Invalid("expected a request or a notification")
        return message if "id" in message else None
    if ("result" in message) == ("error" in message):
        raise Invalid("expected either a result or an error")
    if "error" in message:
        _check_error(message["error"])
    elif key_of(message.get("id")) is None:
        raise Invalid("expected the id of what is answered")
    asked.answered(message.get("id"))
    return None


def check_line(line, asked):
    """Raises Invalid; returns (answers by id, requests for the client)."""
    value = parsed(line)
    messages = value if isinstance(value, list) else [value]
    if not messages:
        raise Invalid("expected a batch with something in it")
    requests = [request for request in (check_message(message, asked) for message in messages) if request]
    answers = {key_of(m.get("id")): m for m in messages if "method" not in m}
    return answers, requests
