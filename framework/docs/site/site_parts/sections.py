"""Pages of Markdown, cut into their sections, and what of them is shown on which page of the site."""

import re
from dataclasses import dataclass, field
from pathlib import Path

HEADING = re.compile(r"(#{1,6}) (.+?)\s*$")
# A paragraph that is one link, on a page of the guide: what it leads to stands in its place.
INCLUDED = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


class Mistake(Exception):
    """Something in the sources that the site cannot be made of; the text says where and what was expected."""


def slug(heading: str) -> str:
    """The part of an address that stands for a heading, as forges make it."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return "".join(c for c in words.lower().replace(" ", "-") if c.isalnum() or c in "-_")


@dataclass
class Section:
    """What stands between a heading and the next one of any level. `file` is what links in it count from."""

    file: Path
    level: int
    title: str
    slug: str
    text: str


@dataclass
class Placed:
    """A section on a page. `anchor` is its own on that page; a level of 0 has no heading."""

    section: Section
    level: int
    title: str
    anchor: str


@dataclass
class Page:
    """`address` is relative to the site; `sources` are the files it is made of, from the repository's top."""

    address: str
    title: str
    group: str
    about: str = ""
    placed: list[Placed] = field(default_factory=list)
    sources: list[Path] = field(default_factory=list)

    def place(self, section: Section, level: int, title: str) -> Placed:
        taken = {one.anchor for one in self.placed}
        anchor = slug(title)
        number = 1
        while anchor in taken:
            number += 1
            anchor = f"{slug(title)}-{number}"
        self.placed.append(Placed(section, level, title, anchor))
        if section.file not in self.sources:
            self.sources.append(section.file)
        return self.placed[-1]


def sections_of(file: Path, text: str) -> list[Section]:
    """Headings inside of blocks of code are none."""
    found = [Section(file, 0, "", "", "")]
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip() == fence:
            fence = ""
        heading = HEADING.match(line) if not fence else None
        if heading:
            found.append(Section(file, len(heading[1]), heading[2], slug(heading[2]), ""))
        else:
            found[-1].text += line
    return [section for section in found if section.level or section.text.strip()]


@dataclass
class Library:
    """All pages of Markdown of a repository, by their paths from its top."""

    top: Path
    files: dict[Path, list[Section]] = field(default_factory=dict)

    def sections(self, file: Path) -> list[Section]:
        if file not in self.files:
            self.files[file] = sections_of(file, (self.top / file).read_text(encoding="utf-8"))
        return self.files[file]

    def target(self, from_file: Path, link: str) -> tuple[Path, str]:
        """The file and the anchor that a link of a page leads to."""
        path, _, anchor = link.partition("#")
        if not path:
            return from_file, anchor
        joined = (self.top / from_file.parent / path).resolve()
        if not joined.is_relative_to(self.top) or not joined.exists():
            raise Mistake(f"{from_file}: the link {link} leads to nothing of this repository")
        if joined.is_dir() and (joined / "README.md").is_file():
            joined /= "README.md"
        return joined.relative_to(self.top), anchor

    def part(self, from_file: Path, link: str) -> list[Section]:
        """What a link includes: a section with those below it, the beginning of a page by its first heading, or all of it."""
        file, anchor = self.target(from_file, link)
        sections = self.sections(file)
        if not anchor:
            return sections
        first = next((index for index, one in enumerate(sections) if one.slug == anchor), None)
        if first is None:
            raise Mistake(f"{from_file}: there is no heading #{anchor} in {file}")
        if sections[first].level == 1:
            return sections[first:first + 1]
        last = first + 1
        while last < len(sections) and sections[last].level > sections[first].level:
            last += 1
        return sections[first:last]


def paragraphs(text: str) -> list[str]:
    """Blocks between blank lines; a block of code is one, with the blank lines in it."""
    found: list[str] = []
    fence, current = "", ""
    for line in text.splitlines(keepends=True):
        mark = re.match(r"\s*(```+)", line)
        if mark:
            fence = "" if fence else mark[1]
        if not line.strip() and not fence:
            found.append(current)
            current = ""
        else:
            current += line
    return [one for one in [*found, current] if one.strip()]


def code_section(library: Library, file: Path, title: str) -> Section:
    """A whole source file, quoted."""
    text = (library.top / file).read_text(encoding="utf-8")
    kind = {".cpp": "cpp", ".hpp": "cpp", ".json": "json", ".py": "python", ".ts": "typescript", ".yml": "yaml"}[file.suffix]
    return Section(file, 2, title, "", f"\n```{kind}\n{text.rstrip()}\n```\n")


def include(library: Library, page: Page, from_file: Path, title: str, link: str) -> None:
    """Puts what a link leads to on the page, below a heading of the second level."""
    file, _ = library.target(from_file, link)
    if file.suffix != ".md":
        page.place(code_section(library, file, title), 2, title)
        return
    sections = library.part(from_file, link)
    page.place(sections[0], 2, title)
    for section in sections[1:]:
        page.place(section, 2 + max(1, section.level - sections[0].level), section.title)


def compose_guide(library: Library, page: Page, file: Path) -> None:
    """A page of the guide: its own words, and what its paragraphs that are links lead to."""
    for section in library.sections(file):
        placed_own = False
        kept = ""
        for paragraph in paragraphs(section.text):
            link = INCLUDED.fullmatch(paragraph.strip())
            if not link:
                kept += paragraph + "\n"
                continue
            if kept.strip() or not placed_own:
                page.place(Section(file, section.level, section.title, section.slug, kept), 0 if placed_own else section.level,
                           section.title)
                placed_own, kept = True, ""
            include(library, page, file, link[1], link[2])
        if kept.strip() or not placed_own:
            page.place(Section(file, section.level, section.title, section.slug, kept), 0 if placed_own else section.level,
                       section.title)


def compose_whole(library: Library, page: Page, file: Path) -> None:
    for section in library.sections(file):
        page.place(section, section.level, section.title)
