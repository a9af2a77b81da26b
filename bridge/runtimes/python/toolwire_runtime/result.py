"""What a tool returned, as the result of its call."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from .context import Context
from .wire import DEEPEST, EXECUTION_FAILED, Failure, is_deeper, json_text, string_text

_absent = object()


class Result:
    """For tools that say more than a text: return one of these."""

    __slots__ = ("output", "metadata", "diagnostics", "structured")

    def __init__(
        self,
        output: str = "",
        metadata: Optional[Dict[str, Any]] = None,
        diagnostics: Optional[List[Any]] = None,
        structured: Any = _absent,
    ):
        self.output = output
        self.metadata = metadata or {}
        self.diagnostics = diagnostics or []
        self.structured = structured


def text_of(value: Any) -> str:
    """A value as text for a model: JSON where there is any, whole numbers without a fraction."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    try:
        return json_text(value)
    except (TypeError, ValueError):
        return str(value)


class ResultWriter:
    """Writes results of one tool; keeps the parts that are always the same."""

    def __init__(self, title: str, is_structured: bool):
        self._title = title
        self.is_structured = is_structured
        self._plain_end = ',"metadata":' + json_text({"title": title}) + ',"diagnostics":[]}'

    def text(self, value: Any, context: Optional[Context]) -> str:
        """The result as JSON, with what the tool put into its context. Raises Failure if the wire cannot carry it."""
        metadata = None if context is None else context._metadata
        if value.__class__ is str and metadata is None and not self.is_structured:
            return '{"output":' + string_text(value) + self._plain_end
        result = self.result_of(value)
        shown: Dict[str, Any] = {
            "output": text_of(result.output),
            "metadata": {"title": self._title, **(metadata or {}), **result.metadata},
            "diagnostics": result.diagnostics,
        }
        if result.structured is not _absent:
            shown["structured"] = result.structured
            shown["output"] = shown["output"] or text_of(result.structured)
        try:
            text = json_text(shown)
        except (TypeError, ValueError, RecursionError) as error:
            raise Failure(EXECUTION_FAILED, f"the tool's result is no JSON: {error}") from None
        if is_deeper(shown, text):
            raise Failure(EXECUTION_FAILED, f"the tool's result nests more than {DEEPEST} arrays and objects")
        return text

    def result_of(self, value: Any) -> Result:
        """What a returned value, or a piece, says."""
        if isinstance(value, Result):
            return value
        if self.is_structured:
            return Result(structured=value)
        if isinstance(value, dict) and "output" in value:
            metadata, diagnostics = value.get("metadata"), value.get("diagnostics")
            return Result(
                value["output"],
                metadata if isinstance(metadata, dict) else {} if metadata is None else {"metadata": metadata},
                diagnostics if isinstance(diagnostics, list) else [] if diagnostics is None else [diagnostics],
            )
        return Result(text_of(value))
