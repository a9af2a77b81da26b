"""What programs say of themselves with --help: words, options and what these take. The programs write it from the tables
that they read their command lines by."""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from programs import Mistake

LIMIT = 20  # seconds that a program may take to say it


@dataclass(frozen=True)
class Option:
    names: tuple[str, ...]  # "-h" and "--help"
    value: str  # how the help calls what it takes; empty: nothing
    summary: str
    choices: tuple[str, ...] = ()  # values that are known; any others may be right, too


@dataclass
class Command:
    """A program, or a word of one."""

    path: tuple[str, ...]  # ("toolwire-bridge", "serve")
    summary: str
    words: dict[str, str] = field(default_factory=dict)  # what may follow, and what it does
    options: list[Option] = field(default_factory=list)
    takes_host: bool = False


def said(program: Path, *words: str) -> str:
    """Its answer, without anything of this machine: no other programs on PATH, no variables."""
    done = subprocess.run([str(program), *words], capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL,
                          env={"PATH": "", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"})
    if done.returncode != 0 or not done.stdout:
        raise Mistake(f"{program.name} {' '.join(words)}: expected its help, found status {done.returncode}")
    return done.stdout


def _column_of_summaries(lines: list[str]) -> int | None:
    """Where what an option does begins: the help of --help is one that every table has."""
    for line in lines:
        if found := re.match(r"  (?:-h,)?--help\s+", line):
            return found.end()
    return None


def _parted(line: str, after: str, column: int | None) -> tuple[str, str]:
    """An option's line as the option and what it does, which stands in the next line where there was no room."""
    shift = len(line) - len(line.lstrip()) - 2  # options of a group stand further to the right
    if column is not None:
        if len(after) - len(after.lstrip()) >= column - 2:
            return line.strip(), after.strip()
        if line[column + shift - 1:column + shift] == " ":
            return line[:column + shift].strip(), line[column + shift:].strip()
    left, _, right = line.strip().partition("  ")
    return left, right.strip()


def _choices(value: str, summary: str) -> tuple[str, ...]:
    """From "TEXT:{a,b}", or from "KIND=tools" where the summary is "tools: …; sqlite: …"."""
    if found := re.search(r"\{([^}]+)\}", value):
        return tuple(found[1].split(","))
    explained = tuple(re.findall(r"(?:^|; )(\w+):", summary))
    return explained if value.partition("=")[2] in explained else ()


def _options(text: str) -> list[Option]:
    lines = text.splitlines()
    column = _column_of_summaries(lines)
    options = []
    for line, after in zip(lines, [*lines[1:], ""]):
        if not re.match(r" {2,6}(-\w,)?--\w", line):
            continue
        left, summary = _parted(line, after, column)
        names, _, value = left.partition(" ")
        value = re.sub(r"\b(Excludes|Needs): .*|\bREQUIRED\b|\.\.\.", "", value).strip()
        options.append(Option(tuple(names.split(",")), value, summary, _choices(value, summary)))
    if not options:  # a word that says it in a line of usage
        usage = " ".join(re.findall(r"^usage: .*(?:\n {6,}.*)*", text, re.MULTILINE))
        options = [Option((name,), value or "", "") for name, value in
                   dict(re.findall(r"\[(--[\w-]+)(?: ([^]]+))?\]", usage)).items()]
    return options


def _words(program: str, text: str) -> dict[str, str]:
    """The table of a program of words, or, behind a program's own options, sentences that begin with it and a word."""
    if re.search(rf"^Usage: {re.escape(program)} COMMAND", text, re.MULTILINE):
        return dict(re.findall(r"^  ([a-z][\w-]*) +(\S.*)$", text, re.MULTILINE))
    return {word: sentence.strip() for word, sentence in
            re.findall(rf"^{re.escape(program)} ([a-z]+) [^\n]*?((?:says|measures|judges) .*)$", text, re.MULTILINE)}


def command_of(program: Path, words: tuple[str, ...], summary: str) -> Command:
    text = said(program, *words, "--help")
    command = Command((program.name, *words), summary, options=_options(text))
    if not words:
        command.words = _words(program.name, text)
    command.takes_host = bool(re.search(r"^  HOST\b", text, re.MULTILINE))
    return command


def commands_of(program: Path, summary: str) -> list[Command]:
    """The program and each of its words; words that run another program are words only."""
    own = command_of(program, (), summary)
    others = [word for word in own.words if (program.parent / f"{program.name}-{word}").exists()]
    return [own, *(command_of(program, (word,), what) for word, what in own.words.items() if word not in others)]


def hosts_and_scopes(toolwire: Path) -> tuple[list[str], list[str]]:
    """That servers can be put into, and where in them."""
    table = [re.split(r" {2,}", line.strip()) for line in said(toolwire, "list", "--all").splitlines()]
    scopes = {scope: None for row in table for scope in row[-1].split(", ")}
    return [row[0] for row in table], list(scopes)
