"""JSON Schemas compiled into functions: 2020-12 and draft-07, as far as the parameters of tools go.

`unevaluatedProperties`, `unevaluatedItems`, `$dynamicRef` and `format` are not looked at here: the bridge has checked
the whole schema before a call comes; nor is a pattern that Python's engine cannot run. References lead into the same document only.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, List, Optional

from .keywords import KEYWORDS
from .patterns import UnknownPattern, compiled
from .values import Check, Found, Path, Violation, pointer_of
from .wire import json_text


_PLAIN = {"type", "properties", "required", "additionalProperties", "title", "description", "$schema"}
_NOTES = {"type", "title", "description", "default", "examples"}
_CLASSES = {"string": str, "integer": int, "boolean": bool}


_VALUES = {"const", "enum", "default", "examples"}  # keywords that hold no schemas
_BY_NAME = {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}


def _step(name: str) -> str:
    return pointer_of((None, name))


def _is_known(text: str) -> bool:
    try:
        compiled(text)
    except UnknownPattern:
        return False
    except re.error:
        pass  # where it stands it is no pattern, else the schema was refused
    return True


class Schema:
    """A compiled schema; any number of threads may check with it. Raises ValueError if it is none."""

    def __init__(self, document: Any):
        self._document = document
        self._compiled: Dict[str, Check] = {}
        self._check = self.compile(document)
        #: JSON pointers to the patterns that Python's engine cannot run: they check nothing here.
        self.unchecked: List[str] = []
        self._find_unchecked(document, "")

    def violations(self, value: Any) -> Found:
        """Every way in which the value does not fit; none if it does."""
        found: Found = []
        self._check(value, None, found)
        return found

    def fits_plainly(self) -> Optional[Callable[[Dict[str, Any]], bool]]:
        """For schemas of objects whose members are of simple types and nothing more: a quick test that says True only
        of what fits. None for others."""
        schema = self._document
        if not isinstance(schema, dict) or schema.keys() - _PLAIN or schema.get("additionalProperties", True) is not False:
            return None
        members = schema.get("properties", {})
        types: Dict[str, type] = {}
        for name, member in members.items():
            kind = _CLASSES.get(member.get("type")) if isinstance(member, dict) else None
            if kind is None or member.keys() - _NOTES:
                return None
            types[name] = kind
        required = frozenset(schema.get("required", ()))

        def fits(value: Dict[str, Any]) -> bool:
            for name, member in value.items():
                if types.get(name) is not member.__class__:
                    return False
            return required <= value.keys()

        return fits

    def _find_unchecked(self, at: Any, place: str, is_schema: bool = True) -> None:
        if isinstance(at, list):
            for index, one in enumerate(at):
                self._find_unchecked(one, f"{place}/{index}")
        if not isinstance(at, dict):
            return
        if not is_schema:  # schemas by name
            for name, one in at.items():
                self._find_unchecked(one, place + _step(name))
            return
        by_name = at.get("patternProperties")
        texts = [("/pattern", at.get("pattern"))]
        texts += [("/patternProperties" + _step(text), text) for text in (by_name if isinstance(by_name, dict) else ())]
        for below, text in texts:
            if isinstance(text, str) and not _is_known(text):
                self.unchecked.append(place + below)
        for name, one in at.items():
            if name not in _VALUES:
                self._find_unchecked(one, place + _step(name), name not in _BY_NAME)

    def compile(self, schema: Any) -> Check:
        if schema is True:
            return lambda value, path, found: None
        if schema is False:
            return lambda value, path, found: found.append(Violation(pointer_of(path), "expected nothing here"))
        if not isinstance(schema, dict):
            raise ValueError(f"expected a schema, found {json_text(schema)[:60]}")
        checks: List[Check] = []
        for keyword, make in KEYWORDS.items():
            if keyword in schema:
                try:
                    checks.append(make(self, schema[keyword], schema))
                except (TypeError, AttributeError, KeyError, re.error) as error:
                    raise ValueError(f"{keyword}: {error}") from None
        if len(checks) == 1:
            return checks[0]

        def check(value: Any, path: Path, found: Found) -> None:
            for one in checks:
                one(value, path, found)

        return check

    def fits(self, check: Check, value: Any, path: Path) -> bool:
        found: Found = []
        check(value, path, found)
        return not found

    def reference(self, to: str) -> Check:
        """Compiled when first used: references may go in circles."""
        target = self.target(to)

        def check(value: Any, path: Path, found: Found) -> None:
            compiled = self._compiled.get(to)
            if compiled is None:
                compiled = self._compiled[to] = self.compile(target)
            compiled(value, path, found)

        return check

    def target(self, to: str) -> Any:
        if not to.startswith("#"):
            raise ValueError(f"$ref: expected a place in this document, found {to}")
        if to != "#" and not to.startswith("#/"):
            return self._anchor(to[1:], self._document)
        at = self._document
        for step in to[1:].split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            at = at[int(step)] if isinstance(at, list) else at[step]
        return at

    def _anchor(self, name: str, at: Any) -> Any:
        if isinstance(at, dict) and (at.get("$anchor") == name or at.get("$id") == "#" + name):
            return at
        for below in at.values() if isinstance(at, dict) else at if isinstance(at, list) else ():
            if isinstance(below, (dict, list)):
                try:
                    return self._anchor(name, below)
                except KeyError:
                    pass
        raise KeyError(name)
