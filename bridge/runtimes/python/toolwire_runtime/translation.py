"""Python's type hints and JSON Schema, both ways.

A schema that has become a type hint is written on it (`Annotated`), so that it comes back as it was, with everything
hints have no word for. Further keywords can be stated in the same way: `Annotated[int, {"minimum": 1}]`, and
`Annotated[str, "what it is"]` describes.
"""

from __future__ import annotations

import copy
import dataclasses
import datetime
import enum
import functools
import inspect
import json
import typing
from typing import Annotated, Any, Callable, Dict, List, Literal, Optional, Tuple, Union

JsonSchema = Dict[str, Any]
ToSchema = Callable[[Any], Optional[JsonSchema]]
ToType = Callable[[JsonSchema], Any]

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null", None: "null"}
_TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "null": None}
_FORMATS = {datetime.datetime: "date-time", datetime.date: "date", datetime.time: "time"}
_handlers: List[Tuple[Optional[ToSchema], Optional[ToType]]] = []
_UNIONS: Tuple[Any, ...] = tuple(one for one in (Union, getattr(__import__("types"), "UnionType", None)) if one)


class FromSchema:
    """Written on a hint: the schema it was made of."""

    def __init__(self, schema: JsonSchema):
        self.schema = schema

    def __repr__(self) -> str:
        return f"FromSchema({self.schema!r})"


def register_type_handler(to_schema: Optional[ToSchema] = None, to_type: Optional[ToType] = None) -> Callable[[], None]:
    """Asked before the translation of each part, the last one first; `None` leaves it to the translation.

    Returns what takes it away again.
    """
    handler = (to_schema, to_type)
    _handlers.insert(0, handler)
    return lambda: _handlers.remove(handler)


def schema_of_type(hint: Any) -> JsonSchema:
    """Raises ValueError for what has no JSON Schema."""
    return _ToSchema().whole(lambda translation: translation.schema(hint))


def schema_of_function(function: Callable[..., Any], left_out: Tuple[str, ...] = ()) -> JsonSchema:
    """Of an object with the formal parameters as members. Those without a hint may be anything."""
    formals = [one for one in inspect.signature(function).parameters.values() if one.name not in left_out]
    hints = hints_of(function)
    return _ToSchema().whole(lambda translation: translation.formals(formals, hints))


def hints_of(function: Callable[..., Any]) -> Dict[str, Any]:
    """Also of partial functions and of objects that can be called."""
    while isinstance(function, functools.partial):
        function = function.func
    return typing.get_type_hints(function if inspect.isroutine(function) else function.__call__, include_extras=True)


def type_of_schema(schema: Any) -> Any:
    """A hint for the values of a schema, of which it remembers everything. Objects with members are TypedDicts."""
    hint = _hint(schema, schema, 0)
    return Annotated[hint, FromSchema(schema)] if isinstance(schema, dict) else hint


class _ToSchema:
    def __init__(self) -> None:
        self._definitions: JsonSchema = {}
        self._names: Dict[Any, str] = {}

    def whole(self, translate: Callable[["_ToSchema"], JsonSchema]) -> JsonSchema:
        schema = translate(self)
        return {**schema, "$defs": self._definitions} if self._definitions else schema

    def schema(self, hint: Any) -> JsonSchema:
        for to_schema, _ in _handlers:
            handled = to_schema(hint) if to_schema else None
            if handled is not None:
                return handled
        if typing.get_origin(hint) is Annotated:
            return self._annotated(hint)
        if hint is Any or hint is inspect.Parameter.empty or hint is object:
            return {}
        try:
            plain = _PLAIN.get(hint)
        except TypeError:
            plain = None
        if plain is not None:
            return {"type": plain}
        if hint in _FORMATS:
            return {"type": "string", "format": _FORMATS[hint]}
        return self._structure(hint)

    def _annotated(self, hint: Any) -> JsonSchema:
        base, *notes = typing.get_args(hint)
        sources = [note for note in notes if isinstance(note, FromSchema)]
        if sources:
            return copy.deepcopy(sources[-1].schema)
        schema = dict(self.schema(base))
        for note in notes:
            if isinstance(note, str):
                schema["description"] = note
            elif isinstance(note, dict):
                schema.update(note)
        return schema

    def _structure(self, hint: Any) -> JsonSchema:
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        kind = origin or hint
        if kind is Literal:
            return {"const": arguments[0]} if len(arguments) == 1 else {"enum": list(arguments)}
        if kind in _UNIONS:
            return {"anyOf": [self.schema(one) for one in arguments]}
        if kind in (list, List):
            return {"type": "array", **({"items": self.schema(arguments[0])} if arguments else {})}
        if kind in (set, frozenset):
            items = {"items": self.schema(arguments[0])} if arguments else {}
            return {"type": "array", "uniqueItems": True, **items}
        if kind is tuple:
            return self._tuple(arguments)
        if kind in (dict, Dict):
            return {"type": "object", **({"additionalProperties": self.schema(arguments[1])} if arguments else {})}
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return {"enum": [one.value for one in kind]}
        if typing.is_typeddict(kind) if hasattr(typing, "is_typeddict") else hasattr(kind, "__total__"):
            return self._named(kind, lambda: self._typed_dict(kind))
        if dataclasses.is_dataclass(kind):
            return self._named(kind, lambda: self._dataclass(kind))
        if hasattr(kind, "model_json_schema") or hasattr(kind, "parse_obj"):
            return self._named(kind, lambda: self._model(kind))
        if hasattr(hint, "__supertype__"):
            return self.schema(hint.__supertype__)
        raise ValueError(f"{hint!r} has no JSON Schema; register_type_handler can give it one")

    def _tuple(self, arguments: Tuple[Any, ...]) -> JsonSchema:
        if not arguments:
            return {"type": "array"}
        if arguments[-1] is Ellipsis:
            return {"type": "array", "items": self.schema(arguments[0])}
        first = [self.schema(one) for one in arguments]
        return {"type": "array", "prefixItems": first, "minItems": len(first), "items": False}

    def _named(self, kind: Any, translate: Callable[[], JsonSchema]) -> JsonSchema:
        """Under $defs: it may lead back to itself."""
        if kind not in self._names:
            name = kind.__name__
            while name in self._definitions:
                name += "_"
            self._names[kind] = name
            self._definitions[name] = {}
            self._definitions[name] = translate()
        return {"$ref": "#/$defs/" + self._names[kind]}

    def _typed_dict(self, kind: Any) -> JsonSchema:
        hints = typing.get_type_hints(kind, include_extras=True)
        required = [name for name in hints if name in kind.__required_keys__]
        return _object({name: self.schema(_without_wrapper(hint)) for name, hint in hints.items()}, required)

    def _dataclass(self, kind: Any) -> JsonSchema:
        hints = typing.get_type_hints(kind, include_extras=True)
        members, required = {}, []
        for field in dataclasses.fields(kind):
            members[field.name] = self.schema(hints[field.name])
            if field.default is not dataclasses.MISSING:
                _add_default(members[field.name], field.default)
            elif field.default_factory is dataclasses.MISSING:
                required.append(field.name)
        return _object(members, required)

    def _model(self, kind: Any) -> JsonSchema:
        """A model of pydantic (2, or 1, which Debian 12 has), which says itself what it takes."""
        own = kind.model_json_schema if hasattr(kind, "model_json_schema") else kind.schema
        schema: JsonSchema = copy.deepcopy(own(ref_template="#/$defs/{model}"))  # which 1 keeps for itself
        definitions = schema.pop("$defs", None) or schema.pop("definitions", {})
        if schema.get("$ref") == "#/$defs/" + kind.__name__:  # it leads into itself
            schema = definitions.pop(kind.__name__)
        for name, one in definitions.items():
            self._definitions.setdefault(name, one)
        return schema

    def formals(self, formals: List[inspect.Parameter], hints: Dict[str, Any]) -> JsonSchema:
        members: JsonSchema = {}
        takes_any = False
        for formal in formals:
            if formal.kind is formal.VAR_KEYWORD:
                takes_any = True
            elif formal.kind is not formal.VAR_POSITIONAL:
                members[formal.name] = self.schema(hints.get(formal.name, Any))
                if formal.default is not formal.empty:
                    _add_default(members[formal.name], formal.default)
        required = [one.name for one in formals if one.name in members and one.default is one.empty]
        schema = _object(members, required)
        return schema if takes_any else {**schema, "additionalProperties": False}


def _object(members: JsonSchema, required: List[str]) -> JsonSchema:
    return {"type": "object", "properties": members, **({"required": required} if required else {})}


def _without_wrapper(hint: Any) -> Any:
    """Required[…] and NotRequired[…] of later Pythons say what __required_keys__ says."""
    name = getattr(typing.get_origin(hint), "_name", None)
    return typing.get_args(hint)[0] if name in ("Required", "NotRequired", "ReadOnly") else hint


def _add_default(schema: JsonSchema, default: Any) -> None:
    value = default.value if isinstance(default, enum.Enum) else default
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return
    schema["default"] = value


def _hint(schema: Any, document: Any, depth: int) -> Any:
    if not isinstance(schema, dict) or depth > 32:
        return Any
    for _, to_type in _handlers:
        handled = to_type(schema) if to_type else None
        if handled is not None:
            return handled
    if "$ref" in schema:
        return _hint(_target(document, schema["$ref"]), document, depth + 8)
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(values, list):
        plain = all(value is None or isinstance(value, (str, int, bool)) for value in values)
        return Literal[tuple(values)] if values and plain else Any
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list) and schema[keyword]:
            return Union[tuple(_hint(one, document, depth + 1) for one in schema[keyword])]
    kinds = schema.get("type", "object" if "properties" in schema else None)
    if isinstance(kinds, list) and kinds:
        return Union[tuple(_of_type(kind, schema, document, depth) for kind in kinds)]
    return _of_type(kinds, schema, document, depth)


def _of_type(kind: Any, schema: JsonSchema, document: Any, depth: int) -> Any:
    if kind in _TYPES:
        return _TYPES[kind]
    if kind == "array":
        items = schema.get("items", True)
        return List[_hint(items, document, depth + 1)] if isinstance(items, dict) else List[Any]  # type: ignore[misc]
    if kind != "object":
        return Any
    properties = schema.get("properties")
    if isinstance(properties, dict) and properties:
        return _typed_dict(schema, properties, document, depth)
    return Dict[str, _hint(schema.get("additionalProperties"), document, depth + 1)]  # type: ignore[misc]


def _typed_dict(schema: JsonSchema, properties: JsonSchema, document: Any, depth: int) -> Any:
    needed = {name: one for name, one in properties.items() if name in schema.get("required", [])}
    others = {name: one for name, one in properties.items() if name not in needed}
    title = schema.get("title")
    name = title if isinstance(title, str) and title.isidentifier() else "Object"
    hints = lambda some: {one: _hint(value, document, depth + 1) for one, value in some.items()}  # noqa: E731
    base = typing.TypedDict(name, hints(needed))  # type: ignore[misc,operator]
    if not others:
        return base
    optional = typing.TypedDict(name, hints(others), total=False)  # type: ignore[misc,operator]
    made = type(base)(name, (base, optional), {})
    return made


def _target(document: Any, reference: Any) -> Any:
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    found = document
    for step in reference.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        found = found.get(step) if isinstance(found, dict) else None
    return found
