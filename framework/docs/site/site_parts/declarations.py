"""What a header declares, read from its text: the declarations of one scope with their comments, without function bodies.

It knows the sources of this repository (formatted by clang-format, documented by `///` above and `//` behind), not C++ as
a whole: what is neither a namespace, a type, a function, an alias nor a variable is left out.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

CLOSING = {"(": ")", "[": "]", "{": "}"}
ACCESS = re.compile(r"(public|private|protected):")
TEMPLATE = re.compile(r"template\s*<")
TYPE = re.compile(r"(?:class|struct|union|enum(?:\s+class)?)\s+(?:\[\[.*?\]\]\s*)?([\w:]+(?:<[^{;]*?>)?)")
LEFT_OUT = re.compile(r"(friend\b|static_assert\b|extern\b|BOOST_)")


@dataclass
class Declaration:
    """`body` is the text between the braces of a namespace or type; `notes` are the words of a comment behind it."""

    code: str
    kind: str
    name: str
    docs: str = ""
    notes: str = ""
    body: str | None = None
    is_close: bool = False  # no blank line before it
    members: list["Declaration"] = field(default_factory=list)


def after_literal(text: str, place: int) -> int:
    """The place behind the comment, string or character that begins at `place`; `place` itself if none does."""
    raw = re.compile(r'R"([^(]*)\(').match(text, place)
    if raw:
        return text.index(f'){raw[1]}"', place) + len(raw[1]) + 2
    if text.startswith("//", place):
        end = text.find("\n", place)
        return len(text) if end < 0 else end
    literal = re.compile(r'"(?:\\.|[^"\\])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\])+\'|/\*.*?\*/', re.S).match(text, place)
    return literal.end() if literal else place


def after_brackets(text: str, place: int) -> int:
    """The place behind the bracket that closes the one at `place`."""
    open_ones = [CLOSING[text[place]]]
    place += 1
    while open_ones:
        behind = after_literal(text, place)
        if behind > place:
            place = behind
            continue
        if text[place] in CLOSING:
            open_ones.append(CLOSING[text[place]])
        elif text[place] == open_ones[-1]:
            open_ones.pop()
        place += 1
    return place


def after_angles(text: str, place: int) -> int:
    """The place behind the `>` that closes the `<` at `place`."""
    depth = 0
    while True:
        if text[place] in "([{":
            place = after_brackets(text, place)
            continue
        depth += {"<": 1, ">": -1}.get(text[place], 0)
        place += 1
        if depth == 0:
            return place


def without_templates(head: str) -> str:
    """A declaration from behind its `template <…>`."""
    head = head.strip()
    while match := TEMPLATE.match(head):
        head = head[after_angles(head, match.end() - 1):].lstrip()
    return head


def before_value(declaration: str) -> str:
    """Without what stands behind `=`, and without what stands in angle brackets."""
    text = re.split(r"(?<![=!<>])=(?!=)", declaration)[0] if "operator" not in declaration else declaration
    place = 0
    while match := re.compile(r"(?<=\w)<(?!<)").search(text, place):
        if re.search(r"operator$", text[:match.start()]):
            place = match.end()
        else:
            text = text[:match.start()] + text[after_angles(text, match.start()):]
    return text


def has_initializer(head: str) -> bool:
    """Whether the brace behind `head` begins a value, not the body of a function."""
    rest = without_templates(head)
    flat = re.sub(r"operator\s*(==|=|!=|<=>|<=|>=)", "operator", rest)
    while (shorter := re.sub(r"\([^()]*\)", "", flat)) != flat:
        flat = shorter
    return bool(re.search(r"(?<![=!<>])=(?!=)", flat)) or "(" not in rest


def opens(head: str) -> str:
    """What the brace behind `head` begins: namespace, type, enum, value or function."""
    rest = without_templates(head)
    if re.match(r"(inline\s+)?namespace\b", rest):
        return "namespace"
    if re.match(r"enum\b", rest):
        return "enum"
    if re.match(r"(class|struct|union)\b", rest) and not re.search(r"\)\s*(const)?\s*$", rest):
        return "type"
    return "value" if has_initializer(head) else "function"


def name_of(head: str, kind: str) -> str:
    rest = without_templates(head)
    if kind == "namespace":
        return re.sub(r"(inline\s+)?namespace\s*", "", rest).strip()
    if kind in ("type", "enum"):
        return TYPE.match(rest)[1]
    if match := re.match(r"using\s+(\w+)\s*=", rest):
        return match[1]
    if match := re.match(r"concept\s+(\w+)", rest):
        return match[1]
    flat = before_value(re.sub(r"requires\s*\(.*?\)\s", "", rest))
    if kind == "function" and (match := re.search(r"(operator\s*\S+?|~?\w+)\s*\(", flat)):
        return re.sub(r"\s", "", match[1])
    words = re.findall(r"\w+", flat.split("{")[0])
    return words[-1] if words else ""


def kind_of(head: str) -> str:
    rest = without_templates(head)
    if re.match(r"(using|concept)\b", rest):
        return "alias"
    if re.match(r"(class|struct|union|enum)\b[^=(]*$", rest):
        return "forward"
    return "function" if "(" in before_value(rest) else "variable"


@dataclass
class Reader:
    """Goes through the declarations of one scope."""

    text: str
    place: int = 0
    docs: list[str] = field(default_factory=list)
    is_close: bool = False

    def all(self) -> Iterator[Declaration]:
        while self.skip_to_code():
            access = ACCESS.match(self.text, self.place)
            if access:
                self.place = access.end()
                yield Declaration(access[1], "access", access[1])
            else:
                yield self.declaration()
            self.docs = []
            self.is_close = True

    def skip_to_code(self) -> bool:
        """Passes blanks and directives; keeps the `///` that stand last."""
        while self.place < len(self.text):
            line_end = self.text.find("\n", self.place)
            line_end = len(self.text) if line_end < 0 else line_end
            line = self.text[self.place:line_end]
            words = line.strip()
            if words.startswith("///"):
                self.docs.append(words[3:])
            elif not words:
                self.docs = []
                self.is_close = False
            elif not words.startswith(("#", "//")):
                self.place += len(line) - len(line.lstrip())
                return True
            self.place = line_end + 1
        return False

    def declaration(self) -> Declaration:
        start, body, kind = self.place, None, ""
        while self.text[self.place] != ";":
            behind = after_literal(self.text, self.place)
            if behind > self.place:
                self.place = behind
            elif self.text[self.place] == "{":
                head = self.text[start:self.place]
                opened = opens(head)
                inner = self.place + 1
                self.place = after_brackets(self.text, self.place)
                if opened in ("namespace", "type", "enum"):
                    kind, body = opened, self.text[inner:self.place - 1]
                    if opened == "namespace":
                        break
                elif opened == "function" and not re.match(r"\s*[,{]", self.text[self.place:]):
                    return self.ended(start, len(head), "function", None)
                continue
            elif self.text[self.place] in "([":
                self.place = after_brackets(self.text, self.place)
            else:
                self.place += 1
        head_length = self.place - start if body is None else self.text[start:].index("{")
        if kind != "namespace":
            self.place += 1
        return self.ended(start, head_length, kind, body)

    def ended(self, start: int, head_length: int, kind: str, body: str | None) -> Declaration:
        head = self.text[start:start + head_length]
        kind = kind or kind_of(head)
        line_start = self.text.rfind("\n", 0, start) + 1
        code = textwrap.dedent(" " * (start - line_start) + head).strip()
        return Declaration(code, kind, name_of(head, kind), "\n".join(self.docs), self.notes_behind(), body, self.is_close)

    def notes_behind(self) -> str:
        """The comment on the rest of the line, and on lines that go on with it."""
        match = re.compile(r"[ \t]*//[^\n]*(?:\n[ \t]{16,}//[^\n]*)*").match(self.text, self.place)
        if not match:
            return ""
        self.place = match.end()
        return " ".join(re.findall(r"//+<? ?(.*)", match[0]))


def signature(declaration: Declaration) -> str:
    """As it would stand in a program: without body, without what a constructor begins with."""
    code = declaration.code
    if declaration.kind == "function":
        code = re.sub(r"\)\s*(noexcept\s*)?:\s(?!:).*$", r") \1", code, flags=re.S).rstrip()
    if declaration.kind in ("variable", "alias") and len(code) > 400:
        code = re.split(r"\s=\s", code)[0] + " = …"
    return code + ";"


def is_shown(declaration: Declaration) -> bool:
    rest = without_templates(declaration.code)
    if declaration.kind in ("forward", "access") or LEFT_OUT.match(rest) or not declaration.name:
        return False
    if declaration.kind == "namespace":
        return "detail" not in declaration.name
    is_usual = bool(re.match(r"(~|operator=$)", declaration.name) or re.search(r"^\w+\(\w+&&|\(\) = default$", rest))
    return not re.search(r"=\s*delete$", rest) and (bool(declaration.docs) or not is_usual)


def declarations(text: str, is_class: bool = False) -> list[Declaration]:
    """What can be used of a scope, members included."""
    found, is_public = [], not is_class
    for one in Reader(text).all():
        if one.kind == "access":
            is_public = one.name == "public"
        elif is_public and is_shown(one):
            if one.kind in ("namespace", "type"):
                is_class_itself = bool(re.match(r"class\b", without_templates(one.code)))
                one.members = declarations(one.body, is_class_itself and one.kind == "type")
            found.append(one)
    return found


def opening_comment(text: str) -> str:
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].strip())
    return "\n".join(lines)
