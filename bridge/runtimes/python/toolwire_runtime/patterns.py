"""The regular expressions of JSON Schema, which are those of ECMA-262 with its flag `u`, run by Python's engine.

A pattern that only Python understands (`\\A`, `(?i)`) means here what Python makes of it.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import Dict, List, Tuple

Ranges = Tuple[Tuple[int, int], ...]  # of code points, sorted, the last ones included

_LAST = 0x10FFFF
_SPACES: Ranges = (
    (0x9, 0xD), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
    (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
_LINE_ENDS: Ranges = ((0xA, 0xA), (0xD, 0xD), (0x2028, 0x2029))
_CATEGORIES = {
    "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn",
    "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd",
    "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc",
    "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl",
    "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs",
    "Private_Use": "Co", "Unassigned": "Cn",
}  # fmt: skip
_SHORT = frozenset(_CATEGORIES.values())
_CONTROLS = {"f": 0xC, "n": 0xA, "r": 0xD, "t": 0x9, "v": 0xB}


class UnknownPattern(ValueError):
    """A pattern that is one, but not for Python's engine."""


@functools.lru_cache(maxsize=1024)
def compiled(text: str) -> "re.Pattern[str]":
    """Raises UnknownPattern, or re.error for what is no pattern."""
    translated = _Translation(text).whole()
    try:
        return re.compile(translated, re.ASCII)  # \d, \w and \b are of ASCII in ECMA-262
    except re.error as error:
        if error.msg.startswith(("look-behind requires", "invalid group reference", "cannot refer to", "unknown group")):
            raise UnknownPattern(f"Python's engine cannot run it: {error.msg}") from None
        raise


class _Translation:
    def __init__(self, text: str):
        self._text = text
        self._at = 0

    def whole(self) -> str:
        out: List[str] = []
        while self._at < len(self._text):
            out.append(self._next())
        return "".join(out)

    def _take(self, pattern: str) -> "re.Match[str] | None":
        match = re.compile(pattern).match(self._text, self._at)
        if match:
            self._at = match.end()
        return match

    def _next(self) -> str:
        char = self._text[self._at]
        if char == "\\":
            return self._escape()
        if char == "[":
            return self._class()
        named = self._take(r"\(\?<(?![=!])([^>]*)>")
        if named:
            return f"(?P<{self._name(named[1])}>"
        if self._take(r"\{(?=,)"):
            return r"\{"  # a bound without a beginning is text
        self._at += 1
        if char == "$":
            return r"\Z"  # Python's also stands before a last line feed
        if char == ".":
            return f"[^{_written(_LINE_ENDS)}]"
        return char

    def _name(self, name: str) -> str:
        if not (name.isidentifier() and name.isascii()):
            raise UnknownPattern(f"Python has no groups of the name {name!r}")
        return name

    def _escape(self) -> str:
        """Outside of brackets."""
        digits = self._take(r"\\([1-9][0-9]*)")
        if digits:  # of a group that took no part, it is the empty text
            return f"(?({digits[1]})(?:\\{digits[1]})|)"
        name = self._take(r"\\k<([^>]*)>")
        if name:
            return f"(?({self._name(name[1])})(?P={self._name(name[1])})|)"
        kept = self._take(r"\\[bBAZ]")
        if kept:
            return kept[0]
        ranges = self._ranges()
        if ranges is not None:
            return f"[{_written(ranges)}]" if ranges else "(?!)"
        return re.escape(chr(self._code_point()))

    def _ranges(self) -> "Ranges | None":
        """Of an escape that stands for many characters."""
        property = self._take(r"\\([pP])\{([^}]*)\}")
        if property:
            found = _property(property[2])
            return _others(found) if property[1] == "P" else found
        kind = self._take(r"\\([dDwWsS])")
        if not kind:
            return None
        found = {
            "d": ((0x30, 0x39),),
            "w": ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)),
            "s": _SPACES,
        }[kind[1].lower()]
        return _others(found) if kind[1].isupper() else found

    def _code_point(self) -> int:
        """Of an escape that stands for one character."""
        pair = self._take(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
        if pair:
            return 0x10000 + ((int(pair[1], 16) - 0xD800) << 10) + int(pair[2], 16) - 0xDC00
        number = self._take(r"\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
        if number:
            value = int(number[1] or number[2] or number[3], 16)
            if value > _LAST:
                raise re.error("there is no such character", self._text, number.start())
            return value
        control = self._take(r"\\c([a-zA-Z])")
        if control:
            return ord(control[1]) % 32
        other = self._take(r"\\([\s\S])")
        if not other:
            raise re.error("bad escape (end of pattern)", self._text, self._at)
        if other[1] == "0":
            return 0
        if other[1].isalnum() and other[1] not in _CONTROLS:
            raise re.error(f"bad escape \\{other[1]}", self._text, other.start())
        return _CONTROLS.get(other[1], ord(other[1]))

    def _class(self) -> str:
        begin = self._at
        is_negated = bool(self._take(r"\[\^"))
        if not is_negated:
            self._at += 1
        parts: List[Tuple[int, int]] = []
        while not self._take(r"\]"):
            if self._at >= len(self._text):
                raise re.error("unterminated character set", self._text, begin)
            parts.extend(self._class_part(begin))
        ranges = _merged(parts)
        ranges = _others(ranges) if is_negated else ranges
        return f"[{_written(ranges)}]" if ranges else "(?!)"

    def _class_part(self, begin: int) -> Ranges:
        ranges = self._ranges()
        if ranges is not None:
            return ranges
        first = self._class_atom()
        rest = re.compile(r"-(?!\])").match(self._text, self._at)
        if not rest or rest.end() >= len(self._text) or re.compile(r"\\[dDwWsSpP]").match(self._text, rest.end()):
            return ((first, first),)
        self._at = rest.end()
        last = self._class_atom()
        if last < first:
            raise re.error("bad character range", self._text, begin)
        return ((first, last),)

    def _class_atom(self) -> int:
        if self._take(r"\\b"):
            return 0x8
        if self._text[self._at] == "\\":
            return self._code_point()
        self._at += 1
        return ord(self._text[self._at - 1])


def _written(ranges: Ranges) -> str:
    """As the inside of brackets."""
    return "".join(_char(one) if one == last else f"{_char(one)}-{_char(last)}" for one, last in ranges)


def _char(code_point: int) -> str:
    return f"\\U{code_point:08x}"


def _merged(parts: List[Tuple[int, int]]) -> Ranges:
    merged: List[Tuple[int, int]] = []
    for first, last in sorted(parts):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


def _others(ranges: Ranges) -> Ranges:
    others: List[Tuple[int, int]] = []
    next_one = 0
    for first, last in ranges:
        if first > next_one:
            others.append((next_one, first - 1))
        next_one = last + 1
    if next_one <= _LAST:
        others.append((next_one, _LAST))
    return tuple(others)


def _property(text: str) -> Ranges:
    if text == "Any":
        return ((0, _LAST),)
    if text == "ASCII":
        return ((0, 0x7F),)
    if text == "Assigned":
        return _others(_property("Cn"))
    name = re.sub(r"^(gc|General_Category)=", "", text)
    short = _CATEGORIES.get(name, name)
    if short not in _SHORT:
        raise UnknownPattern(f"Python knows no property {text}")
    wanted = ("Lu", "Ll", "Lt") if short == "LC" else tuple(one for one in _by_category() if one.startswith(short))
    return _merged([one for category in wanted for one in _by_category().get(category, ())])


@functools.lru_cache(maxsize=1)
def _by_category() -> Dict[str, List[Tuple[int, int]]]:
    """All characters, which takes a tenth of a second: for those who ask."""
    found: Dict[str, List[Tuple[int, int]]] = {}
    begin, before = 0, unicodedata.category("\0")
    for code_point in range(1, _LAST + 2):
        category = unicodedata.category(chr(code_point)) if code_point <= _LAST else ""
        if category != before:
            found.setdefault(before, []).append((begin, code_point - 1))
            begin, before = code_point, category
    return found
