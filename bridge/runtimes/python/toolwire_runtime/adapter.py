"""A module with `tool_info()` and `tool_function` as a tool. Independent of files and of how calls are run."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Dict, List, Optional

from .context import Context
from .defaults import filler
from .permissions import Permissions, denial, missing, read_permissions
from .result import ResultWriter
from .schema import Schema
from .signature import Convert, converted, converters, is_telling, schema_of_signature, summary
from .wire import INVALID_PARAMETERS, Failure


def _first(info: Dict[str, Any], *names: str) -> Any:
    return next((info[name] for name in names if info.get(name) is not None), None)


def _text(info: Dict[str, Any], name: str) -> str:
    value = info.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"tool_info: {name}: expected a text")
    return value or ""


def _is_async(function: Any) -> bool:
    while isinstance(function, functools.partial):
        function = function.func
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))


def _never(parameters: Dict[str, Any]) -> bool:
    return False


class Tool:
    """A tool and its function. Immutable, except for what the user grants; any number of threads may call it."""

    def __init__(self, info: Any, function: Callable[..., Any], directory: str = ""):
        """Raises ValueError if `info` says what cannot be understood."""
        if not isinstance(info, dict):
            raise ValueError("expected tool_info() to return a dict")
        if not callable(function):
            raise ValueError("expected tool_function to be a function")
        self.id = _text(info, "name")
        if not self.id:
            raise ValueError("tool_info: expected a name")
        self.title = _text(info, "title")
        schema = _first(info, "input_schema", "inputSchema", "parameters")
        doc = inspect.getdoc(function) or ""
        self.description = _text(info, "description") or (summary(doc) if schema is None else doc)
        self.schema: Dict[str, Any] = _schema_of(function) if schema is None else schema
        if not isinstance(self.schema, dict):
            raise ValueError("tool_info: input_schema: expected an object")
        self.output_schema: Optional[Dict[str, Any]] = _first(info, "output_schema", "outputSchema")
        self.permissions: Permissions = read_permissions(info.get("permissions"))
        self.annotations: Dict[str, Any] = info.get("annotations") or {}
        self.function = function
        self.is_async = _is_async(function)
        self.results = ResultWriter(self.title or self.id, self.output_schema is not None)
        self._directory = directory
        self._denial: Optional[Failure] = denial(self.id, self.permissions)
        compiled = self._compiled()
        self._unchecked = compiled.unchecked
        self._violations = compiled.violations
        self._fits_plainly = compiled.fits_plainly() or _never
        self._read_signature()
        self._fill = filler(self.schema, compiled.target)
        self._converters: Dict[str, Convert] = converters(function, self._names) if schema is None else {}
        self._is_plain = self._is_plain and self._fill is None and not self._converters

    def _compiled(self) -> Schema:
        known_to_be_met = self.schema.get("type") == "object"  # parameters are one
        schema = {name: value for name, value in self.schema.items() if name != "type" or not known_to_be_met}
        try:
            return Schema(schema)
        except ValueError as error:
            raise ValueError(f"tool_info: input_schema: {error}") from None

    def _read_signature(self) -> None:
        properties = self.schema.get("properties")
        known = properties if isinstance(properties, dict) else {}
        formals: List[inspect.Parameter] = []
        self._context_name: Optional[str] = None
        takes_any = False
        for formal in inspect.signature(self.function).parameters.values():
            if _wants_context(formal, known):
                self._context_name = formal.name
            elif formal.kind is formal.VAR_KEYWORD:
                takes_any = True
            elif formal.kind is not formal.VAR_POSITIONAL:
                formals.append(formal)
        self._only: Optional[str] = formals[0].name if len(formals) == 1 and not takes_any else None
        self._by_position = self._only is not None and formals[0].kind is not formals[0].KEYWORD_ONLY
        self._is_plain = self._by_position and self._context_name is None
        self._takes_any = takes_any
        self._names = frozenset(formal.name for formal in formals)
        self._needed = frozenset(formal.name for formal in formals if formal.default is formal.empty)

    def listed(self) -> Dict[str, Any]:
        """As `registry.list` shows it."""
        shown = {"id": self.id, "description": self.description, "language": "python", "schema": self.schema}
        for name, value in (
            ("title", self.title),
            ("outputSchema", self.output_schema),
            ("permissions", self.permissions),
            ("annotations", self.annotations),
            ("unchecked", self._unchecked),
        ):
            if value:
                shown[name] = value
        return shown

    def grant(self, granted: Optional[Permissions]) -> None:
        """`None` grants everything."""
        lacking = {} if granted is None else missing(self.permissions, granted, self._directory)
        self._denial = denial(self.id, lacking)

    def check(self, parameters: Dict[str, Any]) -> None:
        """Raises Failure if this call may not be made."""
        if self._denial is not None:
            raise self._denial
        if self._fits_plainly(parameters):
            return
        found = self._violations(parameters)
        if found:
            raise _refusal([violation._asdict() for violation in found])

    def call(self, parameters: Dict[str, Any], call: Any) -> Any:
        """What the function returns: for an async one, something to wait for. `call.context` is for those that ask."""
        only = self._only
        if self._is_plain:
            return self.function(parameters.get(only, parameters))  # type: ignore[arg-type]
        if self._fill is not None:
            parameters = self._fill(parameters)
        if self._converters:
            parameters = converted(parameters, self._converters)
        extra = {} if self._context_name is None else {self._context_name: call.context}
        if only is not None:
            value = parameters.get(only, parameters)
            return self.function(value, **extra) if self._by_position else self.function(**{only: value}, **extra)
        if not self._takes_any and not parameters.keys() <= self._names:
            raise _refusal(
                [{"path": "/" + name, "message": "the function does not take it"} for name in parameters.keys() - self._names]
            )
        if not self._needed <= parameters.keys():
            raise _refusal([{"path": "/" + name, "message": "is missing"} for name in self._needed - parameters.keys()])
        return self.function(**parameters, **extra)


def _schema_of(function: Callable[..., Any]) -> Dict[str, Any]:
    """For a tool that states no schema: that of its function's signature, where that says something."""
    formals = list(inspect.signature(function).parameters.values())
    contexts = tuple(formal.name for formal in formals if _wants_context(formal, {}))
    if not is_telling([formal for formal in formals if formal.name not in contexts]):
        return {"type": "object"}
    try:
        return schema_of_signature(function, contexts)
    except (ValueError, NameError) as error:
        raise ValueError(f"the signature of tool_function: {error}; or state an input_schema") from None


def _refusal(violations: List[Dict[str, str]]) -> Failure:
    violations = sorted(violations, key=lambda violation: violation["path"])
    texts = (f"{one['path']}: {one['message']}" if one["path"] else one["message"] for one in violations)
    return Failure(INVALID_PARAMETERS, "; ".join(texts), violations=violations)


def _wants_context(formal: inspect.Parameter, properties: Dict[str, Any]) -> bool:
    note = formal.annotation
    if note is Context or (isinstance(note, str) and note.split(".")[-1].strip("'\"") == "Context"):
        return True
    return formal.name == "ctx" and "ctx" not in properties
