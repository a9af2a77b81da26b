"""The keywords of JSON Schema, and those of them that look at a value alone. Independent of whole documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict

from . import applicators
from .patterns import UnknownPattern, compiled
from .values import TYPES, Check, Found, Path, Violation, is_number, pointer_of, same, with_article
from .wire import json_text

if TYPE_CHECKING:
    from .schema import Schema


def _type(schema: Schema, names: Any, _: Any) -> Check:
    names = [names] if isinstance(names, str) else list(names)
    tests = [TYPES[name] for name in names]
    expected = "expected " + " or ".join(map(with_article, names))
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
        if not is_number(bound):
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
    try:
        pattern = compiled(text)
    except UnknownPattern:
        return _nothing  # `Schema.unchecked` has it

    def check(value: Any, path: Path, found: Found) -> None:
        if isinstance(value, str) and not pattern.search(value):
            found.append(Violation(pointer_of(path), "expected text that fits the pattern " + text))

    return check


_is_text, _is_list, _is_object = TYPES["string"], TYPES["array"], TYPES["object"]


def _at_least(value: Any, bound: Any) -> bool:
    return len(value) >= bound


def _at_most(value: Any, bound: Any) -> bool:
    return len(value) <= bound


def _nothing(value: Any, path: Path, found: Found) -> None:
    """A keyword that is looked at together with another."""


KEYWORDS: Dict[str, Callable[[Schema, Any, Any], Check]] = {
    "$ref": lambda schema, to, _: schema.reference(to),
    "type": _type,
    "enum": _enum,
    "const": _const,
    "required": applicators.required,
    "properties": applicators.members,
    "patternProperties": lambda s, v, w: _nothing if "properties" in w else applicators.members(s, v, w),
    "additionalProperties": lambda s, v, w: _nothing
    if "properties" in w or "patternProperties" in w
    else applicators.members(s, v, w),
    "propertyNames": applicators.property_names,
    "minProperties": _bound(_is_object, _at_least, "expected at least {} members"),
    "maxProperties": _bound(_is_object, _at_most, "expected at most {} members"),
    "items": applicators.items,
    "prefixItems": lambda s, v, w: _nothing if "items" in w else applicators.items(s, v, w),
    "contains": applicators.contains,
    "minItems": _bound(_is_list, _at_least, "expected at least {} items"),
    "maxItems": _bound(_is_list, _at_most, "expected at most {} items"),
    "uniqueItems": _unique,
    "minimum": _bound(is_number, lambda value, bound: value >= bound, "is less than {}"),
    "maximum": _bound(is_number, lambda value, bound: value <= bound, "is greater than {}"),
    "exclusiveMinimum": _bound(is_number, lambda value, bound: value > bound, "is not greater than {}"),
    "exclusiveMaximum": _bound(is_number, lambda value, bound: value < bound, "is not less than {}"),
    "multipleOf": _bound(is_number, _is_multiple, "is no multiple of {}"),
    "minLength": _bound(_is_text, _at_least, "expected at least {} characters"),
    "maxLength": _bound(_is_text, _at_most, "expected at most {} characters"),
    "pattern": _pattern,
    "allOf": applicators.all_of,
    "anyOf": applicators.count_of("fits none of the forms that are allowed here", lambda count: count > 0),
    "oneOf": applicators.count_of("expected exactly one of the forms that are allowed here", lambda count: count == 1),
    "not": applicators.negation,
    "if": applicators.condition,
    "dependentRequired": applicators.dependent,
    "dependentSchemas": applicators.dependent,
    "dependencies": applicators.dependent,
}
