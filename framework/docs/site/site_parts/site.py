"""The site as a whole: which pages there are, where links lead, and the files that are written."""

import html
import json
import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from .layout import Entry, page_html, up_from
from .reference import Reference, read_headers
from .rendering import Renderer, plain, source_html, style_of_code
from .sections import Library, Mistake, Page, Placed, compose_guide, compose_whole, slug

GUIDE = Path("framework/docs/guide")
DOCS = Path("framework/docs")
ASSETS = Path(__file__).parents[1] / "assets"
SKIPPED = {"build", "node_modules", ".git", "__pycache__", "templates"}
REFERENCE = "Reference"
SOURCES = "READMEs of the repository"
WEB = re.compile(r"[a-z][a-z0-9+.-]*:")


def pages_of_repository(top: Path) -> list[Path]:
    found = []
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        found += [(Path(folder) / name).relative_to(top) for name in files if name.endswith(".md")]
    return sorted(found)


@dataclass
class Site:
    """Made once, from the files below `top`."""

    top: Path
    out: Path
    library: Library = field(init=False)
    pages: list[Page] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    places: dict[tuple[Path, str], str] = field(default_factory=dict)
    shown_sources: dict[Path, str] = field(default_factory=dict)
    words: list[dict] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.library = Library(self.top)
        headers = read_headers(self.top)
        self.reference = Reference(headers, lambda up: self.renderer(headers[0].file, up + "reference/x", up))
        self.addresses = {header.file: header.address for header in headers}

    # Which pages there are.

    def collect(self) -> None:
        self.collect_guide()
        listed = {page.sources[0] for page in self.pages if page.sources}
        for file in pages_of_repository(self.top):
            if file not in listed and file.parent != GUIDE:
                page = Page(f"repository/{str(file).removesuffix('.md')}.html", self.title_of(file), SOURCES)
                compose_whole(self.library, page, file)
                self.pages.append(page)
        self.entries = [Entry(page.group, page.title, page.address, page.about) for page in self.pages if page.group != SOURCES]
        for header in self.reference.headers:
            self.entries.append(Entry(REFERENCE, header.name.removeprefix("toolwire/"), header.address, header.about.split(". ")[0]))
        self.entries += [Entry(SOURCES, str(page.sources[0]), page.address) for page in self.pages if page.group == SOURCES]
        self.find_places()

    def title_of(self, file: Path) -> str:
        first = next((one for one in self.library.sections(file) if one.level == 1), None)
        if first is None:
            raise Mistake(f"{file}: expected a heading of the first level")
        return first.title

    def collect_guide(self) -> None:
        """The order and groups of pages are those of the guide's README: lists of links below headings."""
        start = GUIDE / "README.md"
        first = Page("index.html", "toolwire", self.library.sections(start)[1].title)
        compose_guide(self.library, first, start)
        self.pages.append(first)
        for section in self.library.sections(start)[1:]:
            for title, link, about in re.findall(r"(?m)^[*|] \[([^\]]+)\]\(([^)\s]+)\)(?: \|)?:? ?(.*)$", section.text):
                self.collect_page(start, section.title, title, link, about)

    def collect_page(self, start: Path, group: str, title: str, link: str, about: str) -> None:
        file, _ = self.library.target(start, link)
        name = file.parent.name if file.stem == "README" else file.stem
        page = Page(f"{slug(name)}.html", title, group, about.strip())
        (compose_guide if file.parent == GUIDE else compose_whole)(self.library, page, file)
        self.pages.append(page)

    def find_places(self) -> None:
        """Where each section of each file is shown; pages of the guide first, and there a page of its own."""
        whole = [page for page in self.pages if page.sources and page.placed[0].section.file == page.sources[0]]
        for page in sorted(self.pages, key=lambda one: one.group == SOURCES):
            for one in page.placed:
                self.places.setdefault((one.section.file, one.section.slug), f"{page.address}#{one.anchor}")
        for page in whole:
            self.places[page.sources[0], ""] = page.address
        for file in {page.sources[0] for page in self.pages if page.group == SOURCES}:
            self.places[file, ""] = next(page.address for page in self.pages if page.sources[0] == file)

    # Where links lead.

    def address(self, from_file: Path, link: str) -> str:
        """Relative to the site."""
        file, anchor = self.library.target(from_file, link)
        if file.suffix == ".md" and (file, anchor) in self.places:
            return self.places[file, anchor]
        if file.suffix == ".md" and not set(file.parts) & SKIPPED:
            raise Mistake(f"{from_file}: {link} leads to a heading that no page shows")
        if file in self.addresses:
            return self.addresses[file]
        return self.shown_sources.setdefault(file, f"source/{file}.html")

    def renderer(self, file: Path, page_address: str, own_up: str | None = None, page: Page | None = None) -> Renderer:
        up = up_from(page_address) if own_up is None else own_up

        def link(target: str) -> str:
            if WEB.match(target):
                return target
            found = self.address(file, target)
            own = self.own_anchor(page, file, target)
            return own or up + found

        def code_link(code: str) -> str:
            place = self.reference.names.of_code(code)
            return up + place if place else ""

        return Renderer(link, code_link)

    def own_anchor(self, page: Page | None, file: Path, link: str) -> str:
        """The anchor of what a link leads to, if this page shows it too."""
        if page is None:
            return ""
        target, anchor = self.library.target(file, link)
        return next((f"#{one.anchor}" for one in page.placed
                     if anchor and one.section.file == target and one.section.slug == anchor), "")

    # What is written.

    def placed_html(self, page: Page, one: Placed, headings: list[tuple[int, str, str]]) -> str:
        renderer = self.renderer(one.section.file, page.address, page=page)
        text = ""
        if one.level:
            title = renderer.inline(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", one.title))
            headings.append((one.level, one.anchor, re.sub(r"</?(a|code)\b[^>]*>", "", title)))
            mark = f' <a class="anchor" href="#{one.anchor}" aria-label="Link to this part">#</a>' if one.level > 1 else ""
            text = f'<h{one.level} id="{html.escape(one.anchor)}">{title}{mark}</h{one.level}>\n'
        elif one.section.slug:
            text = f'<a id="{html.escape(one.anchor)}"></a>\n'
        return text + renderer.html(one.section.text)

    def sources_html(self, page: Page) -> str:
        up = up_from(page.address)
        links = []
        for file in page.sources:
            place = self.places.get((file, ""), "") if file.suffix == ".md" else self.address(file, Path(file).name)
            name = html.escape(str(file))
            links.append(f'<a href="{up}{place}">{name}</a>' if place and place != page.address else name)
        return "Made of " + ", ".join(links)

    def add_words(self, page: Page) -> None:
        """Each section once: on the page of the guide, if one shows it."""
        for one in page.placed:
            place = f"{page.address}#{one.anchor}"
            if self.places.get((one.section.file, one.section.slug), place) == place or one.section.slug == "":
                entry = {"t": plain(one.title or page.title), "u": place, "p": page.title, "x": plain(one.section.text)[:4000]}
                self.words.append(entry if page.group != SOURCES else entry | {"w": 0.5})

    def write(self, address: str, text: str) -> None:
        file = self.out / address
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def write_page(self, page: Page) -> None:
        headings: list[tuple[int, str, str]] = []
        body = "".join(self.placed_html(page, one, headings) for one in page.placed)
        self.write(page.address, page_html(page.address, page.title, plain(page.about), body, headings, self.entries, self.sources_html(page)))
        self.write(page.address.removesuffix(".html") + ".md", self.page_markdown(page))
        self.add_words(page)

    def page_markdown(self, page: Page) -> str:
        """The page for readers that want no HTML, such as models."""
        text = ""
        for one in page.placed:
            words = self.linked_markdown(page, one.section.file, one.section.text)
            text += (f"{'#' * one.level} {one.title}\n" if one.level else "") + words.rstrip("\n") + "\n\n"
        return text

    def linked_markdown(self, page: Page, file: Path, text: str) -> str:
        up = up_from(page.address)

        def link(match: re.Match) -> str:
            if WEB.match(match[1]):
                return match[0]
            path, _, anchor = self.address(file, match[1]).partition("#")
            path = path if path.startswith("source/") else path.removesuffix(".html") + ".md"
            return f"]({up}{path}{'#' + anchor if anchor else ''})"
        pieces = re.split(r"(```.*?```|`[^`\n]*`)", text, flags=re.S)
        return "".join(piece if piece.startswith("`") else re.sub(r"\]\(([^)\s]+)\)", link, piece) for piece in pieces)

    def write_reference(self) -> None:
        for header in self.reference.headers:
            body = self.reference.header_html(header)
            headings = [(int(level), anchor, re.sub(r"<small>.*?</small> |<[^>]*>", "", title))
                        for level, anchor, title in re.findall(r'<h([23]) id="([^"]*)">(.*?)</h[23]>', body)]
            sources = f'Made of <a href="../{self.shown_sources.setdefault(header.file, f"source/{header.file}.html")}">{header.file}</a>'
            self.write(header.address, page_html(header.address, header.name, header.about.split(". ")[0], body, headings, self.entries, sources))
            self.write(header.address.removesuffix(".html") + ".md", self.reference.markdown(header))
            self.words += self.reference.search_entries(header)

    def write_sources(self) -> None:
        """The files and folders that pages lead to, and the files of those folders."""
        done: set[Path] = set()
        while waiting := sorted(set(self.shown_sources) - done):
            for file in waiting:
                done.add(file)
                body = self.folder_html(file) if (self.top / file).is_dir() else self.file_html(file)
                address = self.shown_sources[file]
                self.write(address, page_html(address, str(file), "", f"<h1>{html.escape(str(file))}</h1>\n{body}", [], [],
                                              "A file of the repository"))

    def folder_html(self, folder: Path) -> str:
        lines = ""
        for one in sorted((self.top / folder).iterdir()):
            if one.is_file():
                file = one.relative_to(self.top)
                place = self.places.get((file, "")) or self.shown_sources.setdefault(file, f"source/{file}.html")
                lines += f'<li><a href="{up_from(self.shown_sources[folder])}{html.escape(place)}">{html.escape(one.name)}</a></li>\n'
        return f"<ul>\n{lines}</ul>\n"

    def file_html(self, file: Path) -> str:
        try:
            return source_html(file.name, (self.top / file).read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            return "<p>Not a text.</p>\n"

    def write_all(self, address: str) -> None:
        self.collect()
        for page in self.pages:
            self.write_page(page)
        self.write_reference()
        self.write_sources()
        (self.out / "assets").mkdir(exist_ok=True)
        for asset in sorted(ASSETS.iterdir()):
            shutil.copyfile(asset, self.out / "assets" / asset.name)
        self.write("assets/code.css", style_of_code())
        self.write("assets/words.js", "window.toolwireWords = " + json.dumps(self.words, ensure_ascii=False).replace("</", "<\\/") + ";\n")
        self.write("llms.txt", self.llms_text(address))

    def llms_text(self, address: str) -> str:
        """What llmstxt.org asks for: what this is, and links to pages of Markdown, by what they are for."""
        intro = plain(self.library.sections(Path("README.md"))[0].text.split("\n\n")[0])
        text = f"# toolwire\n\n> {intro}\n"
        for group in dict.fromkeys(entry.group for entry in self.entries):
            text += f"\n## {'Optional' if group == SOURCES else group}\n\n"
            for entry in self.entries:
                if entry.group == group:
                    about = f": {plain(entry.about)}" if entry.about else ""
                    text += f"- [{entry.title}]({address}{entry.address.removesuffix('.html')}.md){about}\n"
        return text
