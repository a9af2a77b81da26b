"""The reference of the C++ libraries: a page for each public header, made of what it declares and says."""

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .declarations import Declaration, declarations, opening_comment, signature, without_templates
from .rendering import Renderer, code_html

# What is linked for the headers of a folder, in the order of the site.
LIBRARIES = {
    "framework/include/toolwire": "toolwire::toolwire",
    "framework/http/include/toolwire/http": "toolwire::http",
    "framework/sqlite/include/toolwire": "toolwire::sqlite_tasks",
    "bridge/include/toolwire/bridge": "toolwire::bridge",
    "bridge/redis/include/toolwire": "toolwire::redis",
    "bridge/nats/include/toolwire": "toolwire::nats",
    "bridge/streams/include/toolwire": "toolwire::redis",
}
OTHER_LIBRARIES = {"listen.hpp": "toolwire::http_server", "site.hpp": "toolwire::http_server", "connect.hpp": "toolwire::http_client",
                   "jwt.hpp": "toolwire::http_jwt"}


@dataclass
class Header:
    """`name` is what programs include, `entries` are the declarations of its namespaces with the names of these."""

    file: Path
    name: str
    library: str
    about: str
    entries: list[tuple[str, Declaration]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return "reference/" + self.name.removeprefix("toolwire/").replace("/", "-").removesuffix(".hpp") + ".html"


def in_namespaces(found: list[Declaration], around: str = "") -> Iterator[tuple[str, Declaration]]:
    for one in found:
        if one.kind == "namespace":
            inner = "::".join(part for part in (around, one.name) if part)
            yield from in_namespaces(one.members, inner)
        else:
            yield around, one


def library_of(folder: str, file: Path) -> str:
    is_http = folder.startswith("framework/http")
    return OTHER_LIBRARIES.get(file.name, LIBRARIES[folder]) if is_http else LIBRARIES[folder]


def read_headers(top: Path) -> list[Header]:
    headers = []
    for folder in LIBRARIES:
        for file in sorted((top / folder).glob("*.hpp")):
            text = file.read_text(encoding="utf-8")
            name = str(file.relative_to(top)).split("/include/")[1]
            entries = list(in_namespaces(declarations(text)))
            headers.append(Header(file.relative_to(top), name, library_of(folder, file), opening_comment(text), entries))
    return headers


def anchor_of(path: str) -> str:
    return re.sub(r"\W+", ".", path.replace("~", "not-")).strip(".")


def entry_anchor(namespace: str, declaration: Declaration) -> str:
    return anchor_of(declaration.name)


class Names:
    """Where names of the libraries are explained."""

    def __init__(self, headers: list[Header]):
        self.places: dict[str, str] = {}
        self.types: dict[str, str] = {}
        for header in headers:
            self.places[header.name] = header.address
            for namespace, entry in header.entries:
                self._add(header, namespace, entry)
        for header in headers:
            self.places.setdefault(header.name.split("/")[-1], header.address)

    def _add(self, header: Header, namespace: str, entry: Declaration) -> None:
        address = f"{header.address}#{entry_anchor(namespace, entry)}"
        if entry.kind in ("type", "enum", "alias"):
            self.types.setdefault(entry.name, address)
        for prefix in {"", "toolwire::", namespace + "::", namespace.removeprefix("toolwire::") + "::"}:
            self.places.setdefault(prefix + entry.name, address)
            for member in entry.members:
                anchor = anchor_of(f"{entry.name}::{member.name}")
                self.places.setdefault(f"{prefix}{entry.name}::{member.name}", f"{header.address}#{anchor}")

    def of_code(self, code: str) -> str:
        """The address of what a piece of code in a text names, or "": small words alone could be anything."""
        name = re.sub(r"(\(.*\)|<.*>|\{.*\})$", "", code.strip())
        known = self.places.get(name, "")
        return known if re.search(r"::|\.hpp$|^[A-Z]", name) or name != code.strip() else ""


def linked_code(code: str, names: Names, up: str, own: str) -> str:
    """C++ whose types lead to where they are explained."""
    def link(match: re.Match) -> str:
        place = names.types.get(match[2], "")
        if not place or place.endswith("#" + own):
            return match[0]
        return f'<a class="{match[1]}" href="{up}{html.escape(place)}">{match[2]}</a>'
    return re.sub(r'<span class="(n|nc|nf)">(\w+)</span>', link, code_html(code, "cpp"))


def docs_text(docs: str) -> str:
    """The words of `///` as Markdown: what is indented is code."""
    lines = [line[1:] if line.startswith(" ") else line for line in docs.splitlines()]
    text = ""
    for line in lines:
        before = text.rstrip("\n").split("\n")[-1]
        if line.startswith("    ") and before.strip() and not before.startswith("    "):
            text += "\n"
        text += line + "\n"
    return text


def groups(members: list[Declaration]) -> list[list[Declaration]]:
    """Members that one comment is about: overloads, and what follows without a comment and a blank line."""
    found: list[list[Declaration]] = []
    for one in members:
        same_name = found and found[-1][-1].name == one.name
        plain_ones = found and not found[-1][0].docs and found[-1][0].kind == one.kind == "variable"
        if found and not one.docs and one.kind not in ("type", "enum") and (same_name or plain_ones or (
                one.is_close and found[-1][0].kind == one.kind == "function")):
            found[-1].append(one)
        else:
            found.append([one])
    return found


def shown_code(declaration: Declaration) -> str:
    """With the comment behind it, and an enumeration with all its values."""
    code = signature(declaration)
    if declaration.kind == "enum":
        code = f"{declaration.code} {{{declaration.body}}};"
    return code + (f"  // {declaration.notes}" if declaration.notes and declaration.kind != "type" else "")


class Reference:
    def __init__(self, headers: list[Header], renderer: Callable[[str], Renderer]):
        self.headers = headers
        self.names = Names(headers)
        self.renderer = renderer

    def group_html(self, group: list[Declaration], around: str, taken: set[str]) -> str:
        """A comment and the declarations that it is about."""
        anchors = ""
        for one in group:
            anchor = anchor_of(f"{around}::{one.name}" if around else one.name)
            if anchor not in taken:
                taken.add(anchor)
                anchors += f'<a id="{html.escape(anchor)}"></a>'
        code = linked_code("\n".join(shown_code(one) for one in group), self.names, "../", around)
        docs = self.renderer("../").html(docs_text(group[0].docs)) if group[0].docs else ""
        return f'<div class="member">{anchors}<pre class="code"><code>{code}</code></pre>{docs}</div>\n'

    def type_html(self, declaration: Declaration, taken: set[str]) -> str:
        taken.add(anchor_of(declaration.name))
        kind = re.match(r"\w+", without_templates(declaration.code))[0]
        code = linked_code(signature(declaration), self.names, "../", anchor_of(declaration.name))
        text = f'<h2 id="{anchor_of(declaration.name)}"><small>{kind}</small> {html.escape(declaration.name)}</h2>\n'
        text += f'<pre class="code"><code>{code}</code></pre>\n'
        text += self.renderer("../").html(docs_text(declaration.docs))
        return text + "".join(self.member_html(group, declaration.name, taken) for group in groups(declaration.members))

    def member_html(self, group: list[Declaration], around: str, taken: set[str]) -> str:
        text = self.group_html(group, around, taken)
        for inner in groups(group[0].members):
            text += f'<div class="inner">{self.group_html(inner, f"{around}::{group[0].name}", taken)}</div>'
        return text

    def header_html(self, header: Header) -> str:
        taken: set[str] = set()
        text = f"<h1>{html.escape(header.name)}</h1>\n" + self.renderer("../").html(header.about)
        text += f'<pre class="code"><code>{code_html(f"#include <{header.name}>", "cpp")}</code></pre>\n'
        text += f"<p>Link <code>{header.library}</code>.</p>\n"
        functions: list[Declaration] = []
        for _, entry in header.entries:
            if entry.kind == "type":
                text += self.type_html(entry, taken)
            else:
                functions.append(entry)
        if functions:
            text += '<h2 id="functions">Functions, values and names</h2>\n'
        return text + "".join(self.group_html(group, "", taken) for group in groups(functions))

    def search_entries(self, header: Header) -> Iterator[dict[str, str]]:
        yield {"t": header.name, "u": header.address, "p": "Reference", "x": header.about.replace("\n", " ")}
        for _, entry in header.entries:
            words = " ".join([entry.docs.replace("\n", " "), *(f"{one.name} {one.docs}" for one in entry.members)])
            address = f"{header.address}#{anchor_of(entry.name)}"
            yield {"t": entry.name, "u": address, "p": header.name, "x": re.sub(r"\s+", " ", words).strip()}

    def markdown(self, header: Header) -> str:
        """The same for readers that want no HTML."""
        text = f"# {header.name}\n\n{header.about}\n\n```cpp\n#include <{header.name}>\n```\n\nLink `{header.library}`.\n"
        for namespace, entry in header.entries:
            text += f"\n## {entry.name}\n\n{docs_text(entry.docs)}\n```cpp\n// namespace {namespace}\n{shown_code(entry)}\n"
            for group in groups(entry.members):
                text += "".join(f"  //{line}\n" for line in group[0].docs.splitlines())
                text += "".join(f"  {shown_code(one)}\n" for one in group)
            text += "```\n"
        return text
