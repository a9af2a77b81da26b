"""What programs are made of besides our own sources: which files of other packages the linker and the compiler read for
them, by the linker's map and the headers that ninja keeps; and what Debian says of the packages that have these files."""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from programs import Mistake

# SPDX expression of what gets into programs, by Debian's source package, and a word that its copyright file has to have,
# so that a change of licence is noticed. Where a library has parts under others, it is what we link that counts.
LICENCES = {
    "boost1.81": ("BSL-1.0", "BSL-1.0"),
    "c-ares": ("MIT", "MIT License"),
    "cli11": ("BSD-3-Clause", "BSD-3-clause"),
    "curl": ("curl", "curl"),
    "fmtlib": ("MIT", "Expat"),
    "gcc-12": ("GPL-3.0-or-later WITH GCC-exception-3.1", "GCC Runtime Library Exception"),
    "glibc": ("LGPL-2.1-or-later", "GNU Lesser General Public"),
    "hiredis": ("BSD-3-Clause", "BSD-3-Clause"),
    "libseccomp": ("LGPL-2.1-only", "LGPL-2.1"),
    "libsodium": ("ISC", "ISC"),
    "linux": ("GPL-2.0-only WITH Linux-syscall-note", "GPL-2"),
    "nats.c": ("Apache-2.0", "Apache-2.0"),
    "openssl": ("Apache-2.0", "Apache License"),
    "re2": ("BSD-3-Clause", "BSD-3-google"),
    "sqlite3": ("blessing", "public-domain"),
    "zlib": ("Zlib", "zlib"),
}
DPKG = Path("/var/lib/dpkg")
STATIC_CURL = "static_curl/libcurl.a"  # below a build folder, where ../static/curl.sh leaves it


@dataclass(frozen=True, order=True)
class Package:
    """A binary package of Debian, or a source package of it that was built here."""

    name: str
    version: str
    source: str
    architecture: str
    built_copyright: Path | None = None  # of a source package

    @property
    def copyright_file(self) -> Path:
        return self.built_copyright or Path("/usr/share/doc") / self.name / "copyright"

    def licence(self) -> str:
        if self.source not in LICENCES:
            raise Mistake(f"{self.name}: expected a licence for the source package {self.source} in {Path(__file__).name}")
        expression, word = LICENCES[self.source]
        if word.lower() not in re.sub(r"\s+", " ", self.copyright_file.read_text(errors="replace")).lower():
            raise Mistake(f'{self.copyright_file}: expected "{word}" in it; has the licence changed?')
        return expression

    def licence_text(self) -> str:
        """The copyright file. Of one that lists thousands of files (Boost's) the licence alone, which asks for no more."""
        most_characters = 200_000
        text = self.copyright_file.read_text(errors="replace")
        if len(text) <= most_characters:
            return text
        word = LICENCES[self.source][1]
        body = re.search(rf"^License: {re.escape(word)}\n((?: .*\n)+)", text, re.MULTILINE)
        if not body:
            raise Mistake(f"{self.copyright_file}: expected the text of the licence {word}")
        return f"The authors of each file stand in {self.copyright_file} of Debian. The licence {word}:\n{body[1]}"


@dataclass
class Made:
    """What a program is made of: files of other packages, by what was done with them."""

    linked: set[Path] = field(default_factory=set)  # archives and objects that the linker took something from
    compiled: set[Path] = field(default_factory=set)  # headers


class Owners:
    """Which package a file belongs to, as dpkg knows it."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        for listing in (DPKG / "info").glob("*.list"):
            name = listing.stem
            for line in listing.read_text(errors="replace").splitlines():
                if line.startswith(("/usr/include/", "/usr/lib/", "/lib/", "/lib64/")):
                    self._names[line] = name
        self._packages: dict[str, Package] = {}
        self._built: dict[Path, Package] = {}

    def add_built(self, archive: Path) -> None:
        """A library that was built here from a source package of Debian; beside it are `source`, with name and version of
        that, and `copyright`."""
        name, version = (archive.parent / "source").read_text().split()
        self._built[archive.resolve()] = Package(name, version, name, "source", archive.parent / "copyright")

    def of(self, file: Path) -> Package:
        if file.resolve() in self._built:
            return self._built[file.resolve()]
        for path in (file, file.resolve()):
            for text in (str(path), str(path).removeprefix("/usr")):
                if text in self._names:
                    return self.package(self._names[text])
        raise Mistake(f"{file}: expected a file of a Debian package; what is packed is built with Debian's libraries only")

    def package(self, name: str) -> Package:
        if name not in self._packages:
            form = "${Package}\t${Version}\t${source:Package}\t${Architecture}"
            said = subprocess.run(["dpkg-query", "-W", "-f", form, name], capture_output=True, text=True)
            if said.returncode != 0 or not said.stdout:
                raise Mistake(f"{name}: expected an installed package of Debian")
            self._packages[name] = Package(*said.stdout.split("\t"))
        return self._packages[name]


def _in_map(text: str) -> set[Path]:
    """Archives with a member in the program, and objects that stand alone, such as those of the C library's start."""
    head = text.partition("\nMemory Configuration\n")[0]
    archives = re.findall(r"^(/\S+\.a)\(\S+\)", head, re.MULTILINE)
    objects = re.findall(r"^LOAD (/\S+\.o)$", text, re.MULTILINE)
    return {Path(file) for file in archives + objects}


def _ninja(build: Path, *words: str) -> str:
    return subprocess.run(["ninja", "-C", str(build), "-t", *words], check=True, capture_output=True, text=True).stdout


def _headers(build: Path, program: str) -> set[Path]:
    outputs = [line for line in _ninja(build, "inputs", program).splitlines() if line.endswith((".o", ".gch"))]
    if not outputs:
        raise Mistake(f"{build}: expected that ninja knows how {program} is made")
    headers: set[Path] = set()
    most_words = 500
    for start in range(0, len(outputs), most_words):
        for line in _ninja(build, "deps", *outputs[start:start + most_words]).splitlines():
            if line.startswith("    /usr/"):
                headers.add(Path(line.strip()))
    return headers


def made_of(build: Path, program: str) -> Made:
    """Of `bin/PROGRAM` of a build folder, whose map the linker has written beside it."""
    map_file = build / "bin" / f"{program}.map"
    if not map_file.is_file():
        raise Mistake(f"{map_file}: expected the linker's map of the program")
    text = map_file.read_text(errors="replace")
    made = Made(_in_map(text), _headers(build, f"bin/{program}"))
    if f"\n{STATIC_CURL}(" in text:
        made.linked.add(build / STATIC_CURL)
    return made
