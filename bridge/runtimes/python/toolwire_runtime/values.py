"""JSON values that schemas validate, with their types and places. Independent of schemas."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

Path = Optional[Tuple[Any, Any]]  # a linked list, the last step first


class Violation(NamedTuple):
    path: str  # a JSON pointer
    message: str


Found = List[Violation]
Check = Callable[[Any, Path, Found], None]


def pointer_of(path: Path) -> str:
    steps: List[str] = []
    while path is not None:
        path, step = path
        steps.append(str(step).replace("~", "~0").replace("/", "~1"))
    return "".join("/" + step for step in reversed(steps))


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and value is not True and value is not False


TYPES: Dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": is_number,
    "integer": lambda value: is_number(value) and (isinstance(value, int) or value.is_integer()),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def same(one: Any, other: Any) -> bool:
    """Equality of JSON: 1 is 1.0, but not true."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    return bool(one == other)


def with_article(name: str) -> str:
    return ("an " if name[0] in "aio" else "a ") + name if name != "null" else "null"
