"""Archives of static programs, for any Linux: of toolwire-conformance alone, for CI, and of all programs; with what they
may be used for, and what is in them."""

import hashlib
from pathlib import Path

from archives import PackedFile, files_below, tar_gz
from facts import STATIC_PROGRAMS
from programs import Installed, Mistake, needed_libraries

PROGRAM = "toolwire-conformance"


def _static_program(program: Path) -> PackedFile:
    needed = needed_libraries(program)
    if needed:
        raise Mistake(f"{program}: expected a static program, found one that needs {', '.join(needed)}; the preset "
                      "release links it statically where there is a libc.a")
    return PackedFile(f"bin/{program.name}", program.read_bytes(), True)


def _archive(folder: str, files: list[PackedFile], seconds: int) -> list[tuple[str, bytes]]:
    """The archive, and the line that `sha256sum --check` reads."""
    packed = tar_gz([PackedFile(f"{folder}/{file.name}", file.content, file.executable) for file in files], seconds)
    name = f"{folder}.tar.gz"
    return [(name, packed), (f"{name}.sha256", f"{hashlib.sha256(packed).hexdigest()}  {name}\n".encode())]


def conformance_archive(installed: Installed, license_text: bytes, documents: list[PackedFile],
                        seconds: int) -> list[tuple[str, bytes]]:
    files = [_static_program(installed.bin / PROGRAM), PackedFile("LICENSE", license_text), *documents]
    return _archive(f"{PROGRAM}-{installed.version}-linux-{installed.node_machine}", files, seconds)


def static_archive(installed: Installed, static: Path, license_text: bytes, documents: list[PackedFile],
                   seconds: int) -> list[tuple[str, bytes]]:
    """All programs of the folder `static`, and what is installed with them that is not for Debian alone."""
    files = [_static_program(static / name) for name in sorted(STATIC_PROGRAMS)]
    files += [PackedFile("LICENSE", license_text), *documents]
    for part in ("bash-completion", "fish", "man", "toolwire", "zsh"):
        files += files_below(installed.share / part, f"share/{part}/")
    return _archive(f"toolwire-{installed.version}-linux-{installed.node_machine}", files, seconds)
