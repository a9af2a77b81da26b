"""Markdown and code as HTML."""

import html
import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.util import ClassNotFound

LINES_OF_A_PAGE = 4000  # of a source file that is shown


def lexer_named(name: str):
    names = {"": "text", "jsonc": "json", "sh": "bash", "nginx": "nginx"}
    try:
        return get_lexer_by_name(names.get(name, name), stripnl=False)
    except ClassNotFound:
        return get_lexer_by_name("text", stripnl=False)


def code_html(code: str, language: str) -> str:
    """Coloured, without a frame of its own."""
    return highlight(code, lexer_named(language), HtmlFormatter(nowrap=True)).rstrip("\n")


def code_block(code: str, language: str) -> str:
    return f'<pre class="code" tabindex="0"><code>{code_html(code, language)}</code></pre>\n'


def source_html(name: str, text: str) -> str:
    """A whole file, each line with an anchor L1, L2 …"""
    try:
        lexer = get_lexer_for_filename(name, stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    lines = highlight(text, lexer, HtmlFormatter(nowrap=True)).rstrip("\n").split("\n")[:LINES_OF_A_PAGE]
    numbered = "\n".join(f'<span id="L{number}" class="line">{line}</span>' for number, line in enumerate(lines, 1))
    return f'<pre class="code source" tabindex="0"><code>{numbered}</code></pre>\n'


def style_of_code() -> str:
    """Colours of code for light and dark grounds, without grounds of their own."""
    def colours(style: str) -> str:
        lines = HtmlFormatter(style=style).get_style_defs("pre.code").splitlines()
        return "\n".join(re.sub(r"background-color: #\w+;? ?", "", line) for line in lines
                         if line.startswith("pre.code .") and ".err " not in line and ".hll " not in line)
    return f"{colours('friendly')}\n@media (prefers-color-scheme: dark) {{\n{colours('github-dark')}\n}}\n"


class Renderer:
    """`link` says where a link of the text leads on the page that is made; `code_link` the same of a name in code, or ""."""

    def __init__(self, link: Callable[[str], str], code_link: Callable[[str], str]):
        self.link = link
        self.code_link = code_link
        self.markdown = MarkdownIt("commonmark", {"html": False, "highlight": None}).enable(["table", "strikethrough"])
        self.markdown.renderer.rules.update({
            "fence": self._fence, "code_block": self._code, "code_inline": self._code_inline,
            "table_open": lambda *_: '<div class="table" tabindex="0"><table>\n', "table_close": lambda *_: "</table></div>\n"})
        self.depth = 0

    def html(self, text: str) -> str:
        tokens = self.markdown.parse(text)
        for token in tokens:
            for child in token.children or []:
                self._lead(child)
        return self.markdown.renderer.render(tokens, self.markdown.options, {})

    def inline(self, text: str) -> str:
        tokens = self.markdown.parseInline(text)
        for child in tokens[0].children or []:
            self._lead(child)
        return self.markdown.renderer.render(tokens, self.markdown.options, {})

    def _lead(self, token: Token) -> None:
        if token.type == "link_open":
            token.attrSet("href", self.link(token.attrGet("href")))
            self.depth += 1
        elif token.type == "link_close":
            self.depth -= 1
        elif token.type == "code_inline":
            token.meta["is_linked"] = self.depth > 0

    def _fence(self, tokens, index, options, env) -> str:
        return code_block(tokens[index].content, tokens[index].info.strip().split(" ")[0])

    def _code(self, tokens, index, options, env) -> str:
        text = tokens[index].content
        return code_block(text, "json" if text.lstrip().startswith("{") else "cpp" if "server." in text else "text")

    def _code_inline(self, tokens, index, options, env) -> str:
        token = tokens[index]
        code = f"<code>{html.escape(token.content)}</code>"
        target = "" if token.meta.get("is_linked") else self.code_link(token.content)
        return f'<a class="name" href="{html.escape(target)}">{code}</a>' if target else code


def plain(text: str) -> str:
    """The words of Markdown, for a search: without marks of links, emphasis, tables and fences."""
    text = re.sub(r"```+\S*\n|```+", " ", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\s+", " ", re.sub(r"[`*|]|^-+$|-{3,}", " ", text)).strip()
