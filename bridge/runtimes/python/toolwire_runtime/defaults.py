"""Members that are absent from parameters, with the `default` that the schema has for them."""

from __future__ import annotations

import copy
from typing import Any, Callable, Dict, List, Optional

Fill = Callable[[Any], Any]


def filler(schema: Any, target: Callable[[str], Any]) -> Optional[Fill]:
    """What gives a value that fits the schema its defaults, at any depth of members and items; None if there are none.

    A value is copied where it gets one. `target` finds what a `$ref` means.
    """
    return _filler(schema, target, {}) if _has_default(schema) else None


def _has_default(schema: Any) -> bool:
    if isinstance(schema, dict):
        return "default" in schema or any(map(_has_default, schema.values()))
    return isinstance(schema, list) and any(map(_has_default, schema))


def _filler(schema: Any, target: Callable[[str], Any], known: Dict[int, Fill]) -> Optional[Fill]:
    """`known`: by the schema's identity, since references may go in circles."""
    if not isinstance(schema, dict):
        return None
    if id(schema) in known:
        return known[id(schema)]
    fills: List[Fill] = []

    def fill(value: Any) -> Any:
        for one in fills:
            value = one(value)
        return value

    known[id(schema)] = fill
    parts = [target(schema["$ref"])] if "$ref" in schema else []
    made = [_filler(part, target, known) for part in [*parts, *schema.get("allOf", ())]]
    made.append(_of_members(schema.get("properties", {}), target, known))
    items = _filler(schema.get("items"), target, known)
    made.append(None if items is None else _of_items(items))
    fills += [one for one in made if one is not None]
    return fill if fills else None


def _of_members(members: Dict[str, Any], target: Callable[[str], Any], known: Dict[int, Fill]) -> Optional[Fill]:
    defaults = {name: one["default"] for name, one in members.items() if isinstance(one, dict) and "default" in one}
    below = {name: _filler(one, target, known) for name, one in members.items()}
    inner = {name: fill for name, fill in below.items() if fill is not None}
    if not defaults and not inner:
        return None

    def fill(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        filled = dict(value)
        for name, default in defaults.items():
            if name not in filled:
                filled[name] = copy.deepcopy(default)
        for name, one in inner.items():
            if name in filled:
                filled[name] = one(filled[name])
        return filled

    return fill


def _of_items(one: Fill) -> Fill:
    return lambda value: [one(item) for item in value] if isinstance(value, list) else value
