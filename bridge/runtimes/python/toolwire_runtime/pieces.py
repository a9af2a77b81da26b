"""What a generator yields: each piece is progress, and all of them together are the result."""

from __future__ import annotations

import codecs
from typing import Any, Callable, Dict, List

from .result import Result, ResultWriter, text_of
from .wire import EXECUTION_FAILED, LONGEST_LINE, Failure


def is_stream(value: Any) -> bool:
    """Whether a value hands out its parts one after the other; lists and the like do not."""
    return hasattr(value, "__next__")


def is_async_stream(value: Any) -> bool:
    return hasattr(value, "__anext__")


class Pieces:
    """The pieces of one call. `report` takes their number and the text of the newest."""

    def __init__(self, writer: ResultWriter, report: Callable[[int, str], None]):
        self._writer = writer
        self._report = report
        self._count = 0
        self._length = 0
        self._texts: List[str] = []
        self._values: List[Any] = []
        self._metadata: Dict[str, Any] = {}
        self._diagnostics: List[Any] = []
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def add(self, piece: Any) -> None:
        """Raises Failure once they are longer than an answer can be."""
        if isinstance(piece, (bytes, bytearray)):
            piece = self._decode(bytes(piece))
        self._count += 1
        if self._writer.is_structured:
            text = self._bounded(text_of(piece))
            self._values.append(piece)
            return self._report(self._count, text)
        result = self._writer.result_of(piece)
        text = self._bounded(text_of(result.output))
        self._texts.append(text)
        self._metadata.update(result.metadata)
        self._diagnostics += result.diagnostics
        self._report(self._count, text)

    def _bounded(self, text: str) -> str:
        """The text of a piece. Each takes some room of its own, also an empty one."""
        self._length += len(text) + 1
        if self._length > LONGEST_LINE:
            raise Failure(EXECUTION_FAILED, "what the tool yields is longer than an answer may be: 80 MiB")
        return text

    def whole(self, returned: Any = None) -> Any:
        """The result: what the generator returned, if anything, else its pieces: joined, or as the array that an
        output schema describes."""
        if returned is not None:
            return returned
        if self._writer.is_structured:
            return self._values
        self._texts.append(self._decode(b"", True))
        return Result("".join(self._texts), self._metadata, self._diagnostics)
