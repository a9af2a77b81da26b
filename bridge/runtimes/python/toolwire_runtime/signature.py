"""A function's signature as the schema of its parameters, and JSON as the values that its hints name."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import inspect
import re
import types
import typing
from typing import Annotated, Any, Callable, Dict, List, Optional, Tuple, Union

from .translation import JsonSchema, hints_of, schema_of_function
from .wire import INVALID_PARAMETERS, Failure

Convert = Callable[[Any], Any]
_UNIONS: Tuple[Any, ...] = tuple(one for one in (Union, getattr(types, "UnionType", None)) if one)
_DATES: Dict[Any, Convert] = {
    datetime.datetime: lambda text: datetime.datetime.fromisoformat(_with_offset(text)),
    datetime.date: datetime.date.fromisoformat,
    datetime.time: lambda text: datetime.time.fromisoformat(_with_offset(text)),
}
_SECTION = re.compile(r"^[ \t]*(?:Args|Arguments|Parameters)[ \t]*:[ \t]*$", re.MULTILINE)
_ONE_BY_ONE = re.compile(
    r"^(?:(?:Args|Arguments|Parameters|Returns|Yields|Raises)[ \t]*:[ \t]*|:(?:param|type|returns?|rtype|raises)\b.*)$"
    r"(?:\n[ \t]+.*$|\n(?=\n*[ \t]))*\n*",
    re.MULTILINE,
)  # with the lines that are further in
_ARGUMENT = re.compile(r"^\*{0,2}(\w+)[ \t]*(?:\([^)]*\))?[ \t]*:[ \t]*(.*)$")
_FIELD = re.compile(r"^:param[ \t]+(?:[^:\n]*[ \t])?(\w+)[ \t]*:[ \t]*(.*)$")


def is_telling(formals: List[inspect.Parameter]) -> bool:
    """Whether a signature says more than that there is something: one formal parameter without a hint gets whatever
    comes."""
    return len(formals) != 1 or formals[0].annotation is not inspect.Parameter.empty


def schema_of_signature(function: Callable[..., Any], left_out: Tuple[str, ...]) -> JsonSchema:
    """With what the docstring says of each formal parameter as its description. Raises ValueError for a hint that has
    no JSON Schema."""
    schema = schema_of_function(function, left_out)
    for name, text in described(inspect.getdoc(function) or "").items():
        member = schema["properties"].get(name)
        if member is not None and "description" not in member:
            schema["properties"][name] = {**member, "description": text}
    return schema


def summary(doc: str) -> str:
    """A docstring without what it says of formal parameters and results one by one."""
    return _ONE_BY_ONE.sub("", doc).strip()


def described(doc: str) -> Dict[str, str]:
    """What a docstring says of formal parameters: a section "Args:" with indented lines, or fields ":param name:"."""
    found: Dict[str, List[str]] = {}
    section = _SECTION.search(doc)
    if section:
        lines = doc[section.end() :].splitlines()[1:]
        indent = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
        current: Optional[List[str]] = None
        for line in lines:
            depth = len(line) - len(line.lstrip())
            if line.strip() and (depth < indent or indent == 0):
                break
            argument = _ARGUMENT.match(line.strip()) if depth == indent else None
            if argument:
                current = found.setdefault(argument[1], [argument[2]])
            elif current is not None and line.strip():
                current.append(line.strip())
    current = None
    for line in doc.splitlines():
        field = _FIELD.match(line.strip())
        if field:
            current = found.setdefault(field[1], [field[2]])
        elif line.strip().startswith(":") or not line.strip():
            current = None
        elif current is not None and line.startswith((" ", "\t")) and not section:
            current.append(line.strip())
    return {name: " ".join(part for part in parts if part) for name, parts in found.items() if any(parts)}


def converters(function: Callable[..., Any], names: "frozenset[str]") -> Dict[str, Convert]:
    """For those formal parameters whose hints name more than JSON has."""
    known: Dict[Any, Convert] = {}
    made = {name: _converter(hint, known) for name, hint in hints_of(function).items() if name in names}
    return {name: one for name, one in made.items() if one is not None}


def converted(parameters: Dict[str, Any], by_name: Dict[str, Convert]) -> Dict[str, Any]:
    """Raises Failure for a value that a type of the tool does not take."""
    values = dict(parameters)
    violations: List[Dict[str, str]] = []
    for name, convert in by_name.items():
        if name not in values:
            continue
        try:
            values[name] = convert(values[name])
        except (ValueError, TypeError, KeyError) as error:
            violations += _violations_of(error, "/" + name.replace("~", "~0").replace("/", "~1"))
    if violations:
        texts = (f"{one['path']}: {one['message']}" for one in violations)
        raise Failure(INVALID_PARAMETERS, "; ".join(texts), violations=violations)
    return values


def _violations_of(error: Exception, place: str) -> List[Dict[str, str]]:
    """Pydantic's errors have places of their own."""
    errors = getattr(error, "errors", None)
    if not callable(errors):
        return [{"path": place, "message": str(error)}]
    step = lambda one: "/" + str(one).replace("~", "~0").replace("/", "~1")  # noqa: E731
    return [{"path": place + "".join(map(step, one["loc"])), "message": one["msg"]} for one in errors()]


def _with_offset(text: str) -> str:
    """Python before 3.11 reads no Z."""
    return text[:-1] + "+00:00" if text[-1:] in ("Z", "z") else text


def _converter(hint: Any, known: Dict[Any, Convert]) -> Optional[Convert]:
    """None: the value stays as JSON has it. `known`: of dataclasses, which may lead into themselves."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return _converter(arguments[0], known)
    for name in ("model_validate", "parse_obj"):  # of pydantic 2 and 1
        if hasattr(hint, name):
            return getattr(hint, name)  # type: ignore[no-any-return]
    if isinstance(hint, type) and hint in _DATES:
        return _DATES[hint]
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return known.get(hint) or _of_dataclass(hint, known)
    if origin in _UNIONS:
        return _of_union(arguments, known)
    if origin in (list, set, frozenset) or hint in (set, frozenset):
        one = _converter(arguments[0], known) if arguments else None
        make = origin or hint
        if one is None:
            return None if make is list else make
        return lambda value: make(map(one, value))
    if origin is tuple or hint is tuple:
        return _of_tuple(arguments, known)
    if origin is dict and len(arguments) == 2:
        one = _converter(arguments[1], known)
        return None if one is None else lambda value: {name: one(item) for name, item in _object(value).items()}
    return None


def _of_union(options: Tuple[Any, ...], known: Dict[Any, Convert]) -> Optional[Convert]:
    converts = [(one, _converter(one, known)) for one in options]
    if all(convert is None for _, convert in converts):
        return None

    def convert(value: Any) -> Any:
        if value is None and type(None) in options:
            return None
        last: Optional[Exception] = None
        for option, one in converts:
            if one is None:
                if isinstance(option, type) and option is not type(None) and isinstance(value, option):
                    return value
                continue
            try:
                return one(value)
            except (ValueError, TypeError, KeyError) as error:
                last = error
        others = [option for option, one in converts if one is None and option is not type(None)]
        if last is not None and not others:
            raise last
        return value

    return convert


def _of_tuple(arguments: Tuple[Any, ...], known: Dict[Any, Convert]) -> Convert:
    if not arguments:
        return tuple
    if arguments[-1] is Ellipsis:
        one = _converter(arguments[0], known)
        return tuple if one is None else lambda value: tuple(map(one, value))
    converts = [_converter(one, known) for one in arguments]
    return lambda value: tuple(item if one is None else one(item) for one, item in zip(converts, value))


def _object(value: Any) -> Dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("expected an object")
    return value


def _of_dataclass(kind: Any, known: Dict[Any, Convert]) -> Convert:
    converts: Dict[str, Optional[Convert]] = {}

    def convert(value: Any) -> Any:
        unknown = _object(value).keys() - converts.keys()
        if unknown:
            raise ValueError(f"{kind.__name__} has no member {', '.join(sorted(unknown))}")
        members = {}
        for name, item in value.items():
            one = converts[name]
            members[name] = item if one is None else one(item)
        return kind(**members)

    known[kind] = convert
    hints = typing.get_type_hints(kind, include_extras=True)
    converts.update((field.name, _converter(hints[field.name], known)) for field in dataclasses.fields(kind) if field.init)
    return convert
