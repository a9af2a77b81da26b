"""Keywords of JSON Schema that hold other schemas. Each function compiles one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict

from .patterns import UnknownPattern, compiled
from .values import Check, Found, Path, Violation, pointer_of
from .wire import json_text

if TYPE_CHECKING:
    from .schema import Schema


def required(schema: Schema, names: Any, _: Any) -> Check:
    names = list(names)

    def check(value: Any, path: Path, found: Found) -> None:
        if isinstance(value, dict):
            for name in names:
                if name not in value:
                    found.append(Violation(pointer_of((path, name)), "is missing"))

    return check


def members(schema: Schema, _: Any, whole: Dict[str, Any]) -> Check:
    """properties, patternProperties and additionalProperties, which belong together."""
    named = {name: schema.compile(one) for name, one in whole.get("properties", {}).items()}
    patterns = []
    additional = whole.get("additionalProperties", True)
    for text, one in whole.get("patternProperties", {}).items():
        check = schema.compile(one)
        try:
            patterns.append((compiled(text), check))
        except UnknownPattern:
            additional = True  # what the pattern would have matched must not count as additional
    others = None if additional is True else schema.compile(additional)
    known = ", ".join(json_text(name) for name in named) or "none"

    def check_other(name: str, value: Any, path: Path, found: Found) -> None:
        matched = False
        for pattern, check in patterns:
            if pattern.search(name):
                matched = True
                check(value, (path, name), found)
        if matched or others is None or name in named:
            return
        if additional is False:
            found.append(Violation(pointer_of((path, name)), f"is not known; known are: {known}"))
        else:
            others(value, (path, name), found)

    looks_at_all = bool(patterns) or others is not None

    def check(value: Any, path: Path, found: Found) -> None:
        if not isinstance(value, dict):
            return
        for name, member in value.items():
            one = named.get(name)
            if one is not None:
                one(member, (path, name), found)
                if patterns:
                    check_other(name, member, path, found)
            elif looks_at_all:
                check_other(name, member, path, found)

    return check


def items(schema: Schema, _: Any, whole: Dict[str, Any]) -> Check:
    """prefixItems and items; in draft-07 items with a list and additionalItems."""
    listed, rest = whole.get("prefixItems", []), whole.get("items", True)
    if isinstance(rest, list):
        listed, rest = rest, whole.get("additionalItems", True)
    first = [schema.compile(one) for one in listed]
    others = None if rest is True else schema.compile(rest)

    def check(value: Any, path: Path, found: Found) -> None:
        if not isinstance(value, list):
            return
        for index, item in enumerate(value):
            if index < len(first):
                first[index](item, (path, index), found)
            elif others is not None:
                others(item, (path, index), found)
            else:
                break

    return check


def contains(schema: Schema, wanted: Any, whole: Dict[str, Any]) -> Check:
    check_one = schema.compile(wanted)
    least, most = whole.get("minContains", 1), whole.get("maxContains")

    def check(value: Any, path: Path, found: Found) -> None:
        if not isinstance(value, list):
            return
        count = sum(schema.fits(check_one, item, path) for item in value)
        if count < least:
            found.append(Violation(pointer_of(path), f"expected at least {least} fitting items, found {count}"))
        if most is not None and count > most:
            found.append(Violation(pointer_of(path), f"expected at most {most} fitting items, found {count}"))

    return check


def property_names(schema: Schema, wanted: Any, _: Any) -> Check:
    check_one = schema.compile(wanted)

    def check(value: Any, path: Path, found: Found) -> None:
        for name in value if isinstance(value, dict) else ():
            if not schema.fits(check_one, name, path):
                found.append(Violation(pointer_of((path, name)), "is no name that is allowed here"))

    return check


def all_of(schema: Schema, list_of: Any, _: Any) -> Check:
    checks = [schema.compile(one) for one in list_of]

    def check(value: Any, path: Path, found: Found) -> None:
        for one in checks:
            one(value, path, found)

    return check


def count_of(text: str, is_right: Callable[[int], bool]) -> Any:
    def make(schema: Schema, list_of: Any, _: Any) -> Check:
        checks = [schema.compile(one) for one in list_of]

        def check(value: Any, path: Path, found: Found) -> None:
            if not is_right(sum(schema.fits(one, value, path) for one in checks)):
                found.append(Violation(pointer_of(path), text))

        return check

    return make


def negation(schema: Schema, refused: Any, _: Any) -> Check:
    check_one = schema.compile(refused)

    def check(value: Any, path: Path, found: Found) -> None:
        if schema.fits(check_one, value, path):
            found.append(Violation(pointer_of(path), "is of a kind that is not allowed here"))

    return check


def condition(schema: Schema, condition: Any, whole: Dict[str, Any]) -> Check:
    test = schema.compile(condition)
    then, other = schema.compile(whole.get("then", True)), schema.compile(whole.get("else", True))

    def check(value: Any, path: Path, found: Found) -> None:
        (then if schema.fits(test, value, path) else other)(value, path, found)

    return check


def dependent(schema: Schema, by_name: Any, _: Any) -> Check:
    """dependentRequired, dependentSchemas and dependencies of draft-07."""
    checks = {
        name: required(schema, one, None) if isinstance(one, list) else schema.compile(one)
        for name, one in by_name.items()
    }

    def check(value: Any, path: Path, found: Found) -> None:
        if isinstance(value, dict):
            for name, one in checks.items():
                if name in value:
                    one(value, path, found)

    return check
