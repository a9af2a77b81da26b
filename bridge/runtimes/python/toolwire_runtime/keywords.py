"""What the keywords of JSON Schema check, each as a function that compiles it. Knows nothing of whole documents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from .wire import json_text

if TYPE_CHECKING:
    from .schema import Schema

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


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and value is not True and value is not False


_TYPES: Dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": _is_number,
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or value.is_integer()),
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


def _article(name: str) -> str:
    return ("an " if name[0] in "aio" else "a ") + name if name != "null" else "null"


def _type(schema: Schema, names: Any, _: Any) -> Check:
    names = [names] if isinstance(names, str) else list(names)
    tests = [_TYPES[name] for name in names]
    expected = "expected " + " or ".join(map(_article, names))
    if len(tests) == 1:
        test = tests[0]

        def check_one(value: Any, path: Path, found: Found) -> None:
            if not test(value):
                found.append(Violation(pointer_of(path), expected))

        return check_one

    def check(value: Any, path: Path, found: Found) -> None:
        if not any(test(value) for test in tests):
            found.append(Violation(pointer_of(path), expected))

    return check


def _enum(schema: Schema, values: Any, _: Any) -> Check:
    values = list(values)
    expected = "expected one of " + ", ".join(map(json_text, values))

    def check(value: Any, path: Path, found: Found) -> None:
        if not any(same(value, one) for one in values):
            found.append(Violation(pointer_of(path), expected))

    return check


def _const(schema: Schema, wanted: Any, _: Any) -> Check:
    def check(value: Any, path: Path, found: Found) -> None:
        if not same(value, wanted):
            found.append(Violation(pointer_of(path), "expected " + json_text(wanted)))

    return check


def _members(schema: Schema, _: Any, whole: Dict[str, Any]) -> Check:
    """properties, patternProperties and additionalProperties, which belong together."""
    named = {name: schema.compile(one) for name, one in whole.get("properties", {}).items()}
    patterns = [(re.compile(p), schema.compile(one)) for p, one in whole.get("patternProperties", {}).items()]
    additional = whole.get("additionalProperties", True)
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


def _required(schema: Schema, names: Any, _: Any) -> Check:
    names = list(names)

    def check(value: Any, path: Path, found: Found) -> None:
        if isinstance(value, dict):
            for name in names:
                if name not in value:
                    found.append(Violation(pointer_of((path, name)), "is missing"))

    return check


def _items(schema: Schema, _: Any, whole: Dict[str, Any]) -> Check:
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


def _contains(schema: Schema, wanted: Any, whole: Dict[str, Any]) -> Check:
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


def _unique(schema: Schema, wanted: Any, _: Any) -> Check:
    def check(value: Any, path: Path, found: Found) -> None:
        if not wanted or not isinstance(value, list):
            return
        for index, item in enumerate(value):
            if any(same(item, before) for before in value[:index]):
                return found.append(Violation(pointer_of((path, index)), "is there twice"))

    return check


def _bound(is_of_type: Callable[[Any], bool], holds: Callable[[Any, Any], bool], text: str) -> Any:
    def make(schema: Schema, bound: Any, _: Any) -> Check:
        if not _is_number(bound):
            raise TypeError("expected a number")

        def check(value: Any, path: Path, found: Found) -> None:
            if is_of_type(value) and not holds(value, bound):
                found.append(Violation(pointer_of(path), text.format(json_text(bound))))

        return check

    return make


def _is_multiple(value: Any, of: Any) -> bool:
    if isinstance(value, int) and isinstance(of, int):
        return value % of == 0
    return bool(float(value / of).is_integer())


def _pattern(schema: Schema, text: str, _: Any) -> Check:
    pattern = re.compile(text)

    def check(value: Any, path: Path, found: Found) -> None:
        if isinstance(value, str) and not pattern.search(value):
            found.append(Violation(pointer_of(path), "expected text that fits the pattern " + text))

    return check


def _property_names(schema: Schema, wanted: Any, _: Any) -> Check:
    check_one = schema.compile(wanted)

    def check(value: Any, path: Path, found: Found) -> None:
        for name in value if isinstance(value, dict) else ():
            if not schema.fits(check_one, name, path):
                found.append(Violation(pointer_of((path, name)), "is no name that is allowed here"))

    return check


def _all_of(schema: Schema, list_of: Any, _: Any) -> Check:
    checks = [schema.compile(one) for one in list_of]

    def check(value: Any, path: Path, found: Found) -> None:
        for one in checks:
            one(value, path, found)

    return check


def _count_of(text: str, is_right: Callable[[int], bool]) -> Any:
    def make(schema: Schema, list_of: Any, _: Any) -> Check:
        checks = [schema.compile(one) for one in list_of]

        def check(value: Any, path: Path, found: Found) -> None:
            if not is_right(sum(schema.fits(one, value, path) for one in checks)):
                found.append(Violation(pointer_of(path), text))

        return check

    return make


def _not(schema: Schema, refused: Any, _: Any) -> Check:
    check_one = schema.compile(refused)

    def check(value: Any, path: Path, found: Found) -> None:
        if schema.fits(check_one, value, path):
            found.append(Violation(pointer_of(path), "is of a kind that is not allowed here"))

    return check


def _if(schema: Schema, condition: Any, whole: Dict[str, Any]) -> Check:
    test = schema.compile(condition)
    then, other = schema.compile(whole.get("then", True)), schema.compile(whole.get("else", True))

    def check(value: Any, path: Path, found: Found) -> None:
        (then if schema.fits(test, value, path) else other)(value, path, found)

    return check


def _dependent(schema: Schema, by_name: Any, _: Any) -> Check:
    """dependentRequired, dependentSchemas and dependencies of draft-07."""
    checks = {
        name: _required(schema, one, None) if isinstance(one, list) else schema.compile(one)
        for name, one in by_name.items()
    }

    def check(value: Any, path: Path, found: Found) -> None:
        if isinstance(value, dict):
            for name, one in checks.items():
                if name in value:
                    one(value, path, found)

    return check




_is_text, _is_list, _is_object = _TYPES["string"], _TYPES["array"], _TYPES["object"]


def _at_least(value: Any, bound: Any) -> bool:
    return len(value) >= bound


def _at_most(value: Any, bound: Any) -> bool:
    return len(value) <= bound


KEYWORDS: Dict[str, Callable[[Schema, Any, Any], Check]] = {
    "$ref": lambda schema, to, _: schema.reference(to),
    "type": _type,
    "enum": _enum,
    "const": _const,
    "required": _required,
    "properties": _members,
    "patternProperties": lambda s, v, w: _nothing if "properties" in w else _members(s, v, w),
    "additionalProperties": lambda s, v, w: _nothing
    if "properties" in w or "patternProperties" in w
    else _members(s, v, w),
    "propertyNames": _property_names,
    "minProperties": _bound(_is_object, _at_least, "expected at least {} members"),
    "maxProperties": _bound(_is_object, _at_most, "expected at most {} members"),
    "items": _items,
    "prefixItems": lambda s, v, w: _nothing if "items" in w else _items(s, v, w),
    "contains": _contains,
    "minItems": _bound(_is_list, _at_least, "expected at least {} items"),
    "maxItems": _bound(_is_list, _at_most, "expected at most {} items"),
    "uniqueItems": _unique,
    "minimum": _bound(_is_number, lambda value, bound: value >= bound, "is less than {}"),
    "maximum": _bound(_is_number, lambda value, bound: value <= bound, "is greater than {}"),
    "exclusiveMinimum": _bound(_is_number, lambda value, bound: value > bound, "is not greater than {}"),
    "exclusiveMaximum": _bound(_is_number, lambda value, bound: value < bound, "is not less than {}"),
    "multipleOf": _bound(_is_number, _is_multiple, "is no multiple of {}"),
    "minLength": _bound(_is_text, _at_least, "expected at least {} characters"),
    "maxLength": _bound(_is_text, _at_most, "expected at most {} characters"),
    "pattern": _pattern,
    "allOf": _all_of,
    "anyOf": _count_of("fits none of the forms that are allowed here", lambda count: count > 0),
    "oneOf": _count_of("expected exactly one of the forms that are allowed here", lambda count: count == 1),
    "not": _not,
    "if": _if,
    "dependentRequired": _dependent,
    "dependentSchemas": _dependent,
    "dependencies": _dependent,
}


def _nothing(value: Any, path: Path, found: Found) -> None:
    """A keyword that is looked at together with another."""
