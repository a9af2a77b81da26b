"""The frame around what a page says: the way to all pages, to its parts, to the next one, and the search."""

import html
from dataclasses import dataclass


@dataclass
class Entry:
    """One line of the way through the site."""

    group: str
    title: str
    address: str
    about: str = ""


def up_from(address: str) -> str:
    return "../" * address.count("/")


def way(entries: list[Entry], current: str) -> str:
    """All pages by their groups; the group of the current one is open."""
    text, up = "", up_from(current)
    for group in dict.fromkeys(entry.group for entry in entries):
        inside = [entry for entry in entries if entry.group == group]
        is_open = any(entry.address == current for entry in inside) or (inside[0].group == entries[0].group)
        text += f'<details{" open" if is_open else ""}><summary>{html.escape(group)}</summary><ul>\n'
        for entry in inside:
            here = ' aria-current="page"' if entry.address == current else ""
            text += f'<li><a href="{up}{html.escape(entry.address)}"{here}>{html.escape(entry.title)}</a></li>\n'
        text += "</ul></details>\n"
    return f"""<details class="way" open><summary>All pages</summary><nav aria-label="All pages">
{text}</nav></details>
""" if text else ""


def neighbours(entries: list[Entry], current: str) -> str:
    places = [entry.address for entry in entries]
    if current not in places:
        return ""
    place, up, text = places.index(current), up_from(current), ""
    if place > 0:
        text += f'<a rel="prev" href="{up}{entries[place - 1].address}">← {html.escape(entries[place - 1].title)}</a>'
    if place + 1 < len(entries):
        text += f'<a rel="next" href="{up}{entries[place + 1].address}">{html.escape(entries[place + 1].title)} →</a>'
    return f'<nav class="neighbours" aria-label="Next pages">{text}</nav>'


def parts(headings: list[tuple[int, str, str]]) -> str:
    """The list of a page's headings of the second and third level."""
    shown = [one for one in headings if one[0] in (2, 3)]
    if len(shown) < 2:
        return ""
    lines = "".join(f'<li class="level{level}"><a href="#{html.escape(anchor)}">{title}</a></li>\n' for level, anchor, title in shown)
    return f'<aside class="parts"><nav aria-label="On this page"><p>On this page</p><ul>\n{lines}</ul></nav></aside>'


def page_html(address: str, title: str, about: str, body: str, headings: list[tuple[int, str, str]], entries: list[Entry],
              sources: str) -> str:
    up = up_from(address)
    name = title if title == "toolwire" else f"{title} · toolwire"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{html.escape(about or title)}">
<title>{html.escape(name)}</title>
<link rel="stylesheet" href="{up}assets/style.css">
<link rel="stylesheet" href="{up}assets/code.css">
<script defer src="{up}assets/site.js" data-up="{up}"></script>
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<a class="home" href="{up}index.html">toolwire</a>
<form role="search" class="search"><input type="search" placeholder="Search ( / )" aria-label="Search" autocomplete="off">
<div class="found" hidden></div></form>
</header>
<div class="frame{'' if entries else ' alone'}">
{way(entries, address)}<main id="content">
{body}
{neighbours(entries, address)}
<footer>{sources}</footer>
</main>
{parts(headings)}
</div>
</body>
</html>
"""
