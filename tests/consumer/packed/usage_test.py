"""What shells offer behind the programs' names and what the manual pages say: all of what the programs have, and nothing
else, seen in the shells themselves.

usage: usage_test.py BUILD WORK SHARED
"""

import gzip
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from bench import BUILD, INSTALLED, PROGRAMS, PYTHON, REPOSITORY, WORK, fresh_environment, run

SHARE = INSTALLED / "share"
# The tables that programs find their words by: of each, the file and what stands before a word.
WORDS_IN_SOURCES = {"toolwire": ("framework/tools/toolwire_main.cpp", r'Command\{"(\w+)"'),
                    "toolwire-bridge": ("bridge/main.cpp", r'Command\{"(\w+)"'),
                    "toolwire-conformance": ("conformance/main.cpp", r'command == "(\w+)"')}
BASH = '''
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_${1//-/_}
printf '%s\\n' "${COMPREPLY[@]}"
'''
# Of zsh's own machinery, what a function of completion calls: it prints what it was given.
ZSH = '''
file=$1
shift
words=("$@") CURRENT=$# PREFIX=${@[-1]}
_describe() { local entry; for entry in ${(P)2}; do print -r -- ${entry%%:*}; done }
compadd() { print -rl -- ${(P)2} }
_files() { print -r -- '(files)' }
_normal() { print -r -- "(command of $CURRENT: $words)" }
source $file
'''
FISH = "source $argv[1]; complete --do-complete $argv[2]"


def setUpModule():
    shutil.rmtree(WORK, ignore_errors=True)
    run(["cmake", "--install", BUILD, "--component", "tools", "--prefix", INSTALLED])


def words_of(program: str) -> set[str]:
    """By its sources, and for `toolwire` the programs beside it."""
    if program not in WORDS_IN_SOURCES:
        return set()
    file, pattern = WORDS_IN_SOURCES[program]
    words = set(re.findall(pattern, (REPOSITORY / file).read_text()))
    if program == "toolwire":
        words |= {other.removeprefix("toolwire-") for other in PROGRAMS if other.startswith("toolwire-")}
    return words


def options_of(program: str, *words: str) -> set[str]:
    """Every option that stands at the beginning of a line of its help, or in its line of usage."""
    said = run([INSTALLED / "bin" / program, *words, "--help"], env=fresh_environment(WORK / "home")).stdout
    table = {name for pair in re.findall(r"^ {2,6}(?:(-\w),)?(--[\w-]+)", said, re.MULTILINE) for name in pair if name}
    return table or set(re.findall(r"\[(--[\w-]+)", said.partition("\n")[0]))


def command_lines() -> list[tuple[str, ...]]:
    lines = [(program,) for program in PROGRAMS]
    for program in PROGRAMS:
        lines += [(program, word) for word in sorted(words_of(program))]
    lines += [("toolwire", "bridge", word) for word in sorted(words_of("toolwire-bridge"))]
    return lines


def program_of(line: tuple[str, ...]) -> tuple[str, ...]:
    """`toolwire bridge serve` is `toolwire-bridge serve`."""
    if len(line) > 1 and f"{line[0]}-{line[1]}" in PROGRAMS:
        return (f"{line[0]}-{line[1]}", *line[2:])
    return line


class Shell:
    """What a shell offers; a subclass asks it."""

    def offered(self, *words: str) -> set[str]:
        raise NotImplementedError

    def test_the_words_of_each_program_are_offered(self):
        for line in command_lines():
            expected = words_of(program_of(line)[0]) if len(program_of(line)) == 1 else set()
            if expected:
                self.assertEqual(self.offered(*line, ""), expected, line)
        self.assertEqual(self.offered("toolwire", "un"), {"uninstall"})

    def test_the_options_of_each_word_are_offered(self):
        for line in command_lines():
            expected = options_of(*program_of(line))
            long = {name for name in expected if name.startswith("--")}
            self.assertEqual({name for name in self.offered(*line, "--") if name.startswith("--")}, long, line)

    def test_hosts_and_scopes_are_offered_where_they_may_stand(self):
        table = run([INSTALLED / "bin/toolwire", "list", "--all"], env=fresh_environment(WORK / "home")).stdout
        hosts = {line.split()[0] for line in table.splitlines()}
        self.assertGreater(len(hosts), 15)
        for word in ("install", "uninstall", "list", "doctor"):
            self.assertEqual(self.offered("toolwire", word, ""), hosts, word)
        self.assertEqual(self.offered("toolwire", "install", "--scope", ""), {"user", "project", "local"})

    def test_values_that_are_known_are_offered(self):
        self.assertEqual(self.offered("toolwire", "new", "--template", ""), {"tools", "sqlite", "engine", "bridge"})
        self.assertEqual(self.offered("toolwire-schema", "--dialect", ""), {"2020-12", "draft-07"})
        self.assertEqual(self.offered("toolwire", "schema", "--dialect", "d"), {"draft-07"})


class Bash(Shell, unittest.TestCase):
    def offered(self, *words: str) -> set[str]:
        file = SHARE / "bash-completion/completions" / words[0]
        said = run(["bash", "-c", BASH, "bash", file, *words], env=fresh_environment(WORK / "home")).stdout
        return set(said.split())

    def test_behind_two_dashes_programs_are_offered(self):
        self.assertIn("bash", self.offered("toolwire", "install", "cursor", "--", "bas"))
        self.assertEqual(self.offered("toolwire", "install", "cursor", "--", "server", "--"), set())

    def test_an_equals_sign_may_stand_before_a_value(self):
        self.assertEqual(self.offered("toolwire-schema", "--dialect", "="), {"2020-12", "draft-07"})
        self.assertEqual(self.offered("toolwire-schema", "--dialect", "=", "2"), {"2020-12"})


@unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
class Zsh(Shell, unittest.TestCase):
    def offered(self, *words: str) -> set[str]:
        file = SHARE / "zsh/vendor-completions" / f"_{words[0]}"
        said = run(["zsh", "-f", "-c", ZSH, "zsh", file, *words], env=fresh_environment(WORK / "home")).stdout
        return {one for one in said.split("\n") if one and one.startswith(words[-1])}

    def test_behind_two_dashes_another_command_begins(self):
        self.assertEqual(self.offered("toolwire", "install", "cursor", "--", "server", ""),
                         {"(command of 2: server )"})

    def test_other_values_are_files(self):
        self.assertEqual(self.offered("toolwire", "pack", "--file", ""), {"(files)"})


@unittest.skipUnless(shutil.which("fish"), "there is no fish")
class Fish(Shell, unittest.TestCase):
    def offered(self, *words: str) -> set[str]:
        file = SHARE / "fish/vendor_completions.d" / f"{words[0]}.fish"
        folder = WORK / "empty"
        folder.mkdir(exist_ok=True)
        said = run(["fish", "--no-config", "-c", FISH, file, " ".join(words)],
                   env=fresh_environment(WORK / "home", TERM="dumb"), cwd=folder).stdout
        return {line.split("\t")[0] for line in said.splitlines()}

    def test_behind_two_dashes_nothing_of_ours_is_offered(self):
        offered = self.offered("toolwire", "install", "cursor", "--", "server", "")
        self.assertNotIn("claude-code", offered)


class ManualPages(unittest.TestCase):
    def test_each_word_has_a_page_with_all_its_options(self):
        if not shutil.which("help2man"):
            self.skipTest("there is no help2man")
        expected = set()
        for line in command_lines():
            if line != program_of(line):
                continue
            file = SHARE / "man/man1" / ("-".join(line) + ".1.gz")
            expected.add(file)
            text = re.sub(r"\\f.|\\,|\\/", "", gzip.decompress(file.read_bytes()).decode()).replace("\\-", "-")
            for option in options_of(*line):
                self.assertRegex(text, rf"(?<![\w-]){re.escape(option)}(?![\w-])", file.name)
            for word in words_of(line[0]) if len(line) == 1 else ():
                self.assertRegex(text, rf"\b{word}\b", file.name)
        self.assertEqual(expected, set((SHARE / "man/man1").iterdir()))

    def test_man_reads_them_without_a_complaint(self):
        if not shutil.which("man"):
            self.skipTest("there is no man")
        for file in sorted((SHARE / "man/man1").iterdir()):
            done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file], capture_output=True,
                                  text=True, env=fresh_environment(WORK / "home", MANROFFSEQ="", MANWIDTH="80"))
            self.assertEqual((done.returncode, done.stderr), (0, ""), file.name)


class Refusals(unittest.TestCase):
    def test_a_program_that_does_not_say_how_it_is_used_is_named(self):
        programs = WORK / "broken"
        programs.mkdir()
        (programs / "toolwire-bridge").write_text("#!/bin/sh\nexit 3\n")
        (programs / "toolwire-bridge").chmod(0o755)
        done = subprocess.run([PYTHON, REPOSITORY / "framework/packaging/describe_use.py", "--package", "toolwire-tools",
                               "--version", "1.0.0", "--programs", programs, "--share", WORK / "nothing"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("toolwire-bridge --help: expected its help, found status 3", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
