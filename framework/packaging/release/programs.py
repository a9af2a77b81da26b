"""The programs as they are installed: their version, and what of a system they need."""

import re
import subprocess
from pathlib import Path

from facts import PROGRAMS

# Node's names of machines, and those of Python's wheels, by that of ELF.
MACHINES = {
    "Advanced Micro Devices X86-64": ("x64", "x86_64"),
    "AArch64": ("arm64", "aarch64"),
    "RISC-V": ("riscv64", "riscv64"),
}
# Which every Linux with glibc has: the libraries of glibc itself, as PEP 600 wants it of manylinux.
GLIBC = re.compile(r"^(libc|libm|libdl|libpthread|librt|libresolv|libutil|ld-linux-[\w-]+)\.so\.\d+$")


class Mistake(Exception):
    """What was given cannot be packed; the text says what was expected."""


def _readelf(option: str, program: Path) -> str:
    return subprocess.run(["readelf", option, "-W", str(program)], check=True, capture_output=True, text=True,
                          env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout


def needed_libraries(program: Path) -> list[str]:
    """The libraries that a program is linked to when it starts."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", _readelf("-d", program))


def glibc_of(program: Path) -> tuple[int, int] | None:
    """The oldest glibc that has all the program needs; None: it is not linked to glibc when it starts."""
    if not needed_libraries(program):
        return None
    versions = re.findall(r"GLIBC_(\d+)\.(\d+)", _readelf("-V", program))
    return max((int(major), int(minor)) for major, minor in versions)


class Installed:
    """A prefix that the component `tools` was installed into."""

    def __init__(self, prefix: Path):
        self.prefix = prefix
        self.bin = prefix / "bin"
        self.share = prefix / "share"
        self.files = [self.bin / name for name in PROGRAMS]
        missing = [str(file) for file in self.files if not file.is_file()]
        if missing:
            raise Mistake(f"expected all programs, missing: {', '.join(missing)}")
        self.version = self._version()
        self.node_machine, self.python_machine = self._machine()
        self.glibc = self._glibc()

    @property
    def documents(self) -> Path:
        """Where the licences and the list of components are."""
        return self.share / "doc" / "toolwire-tools"

    def _version(self) -> str:
        said = subprocess.run([str(self.bin / "toolwire"), "--version"], check=True, capture_output=True, text=True)
        return said.stdout.split()[-1]

    def _machine(self) -> tuple[str, str]:
        name = re.search(r"Machine:\s+(.+)", _readelf("-h", self.files[0]))[1]
        if name not in MACHINES:
            raise Mistake(f"expected programs for one of {', '.join(MACHINES)}, found {name}")
        return MACHINES[name]

    def _glibc(self) -> tuple[int, int]:
        for file in self.files:
            others = [name for name in needed_libraries(file) if not GLIBC.match(name)]
            if others:
                raise Mistake(f"{file}: expected no libraries but those of glibc, found {', '.join(others)}; "
                              "the preset release links the others statically")
        return max(filter(None, map(glibc_of, self.files)), default=(2, 17))
