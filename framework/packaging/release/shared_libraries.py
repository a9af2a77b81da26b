"""What a program that is not static needs beside itself in a root of its own: its libraries, the loader, and their licences."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from archives import PackedFile
from programs import Mistake, needed_libraries


def _folders(machine: str) -> list[Path]:
    """Where the loader of Debian looks."""
    return [Path(folder) for folder in (f"/lib/{machine}-linux-gnu", f"/usr/lib/{machine}-linux-gnu", "/lib", "/usr/lib")]


def _file_of(library: str, machine: str) -> Path:
    for folder in _folders(machine):
        if (folder / library).is_file():
            return folder / library
    raise Mistake(f"expected the library {library} in {', '.join(map(str, _folders(machine)))}")


def closure(program: Path, loaded: Iterable[str], machine: str) -> list[Path]:
    """All libraries that a program and those that it loads later need, directly or not."""
    waiting, found = [*needed_libraries(program), *loaded], {}
    while waiting:
        library = waiting.pop()
        if library not in found:
            found[library] = _file_of(library, machine)
            waiting += needed_libraries(found[library])
    return [found[library] for library in sorted(found)]


def loader_of(program: Path) -> str:
    """The absolute path by which the kernel finds the loader."""
    said = subprocess.run(["readelf", "-lW", str(program)], check=True, capture_output=True, text=True,
                          env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout
    match = re.search(r"program interpreter: (\S+)\]", said)
    if not match:
        raise Mistake(f"{program}: expected a program with a loader")
    return match[1]


def _package_of(file: Path) -> str:
    """Debian's name; dpkg knows a file by the path that its package has, with /usr or without."""
    real = file.resolve()
    for path in (str(real), str(real).removeprefix("/usr")):
        said = subprocess.run(["dpkg-query", "--search", path], capture_output=True, text=True)
        if said.returncode == 0:
            return said.stdout.split(":")[0]
    raise Mistake(f"{real}: expected a file of a package of Debian, so that its licence is known")


def packed_libraries(program: Path, loaded: Iterable[str], machine: str) -> list[PackedFile]:
    """Each library under the name that it is asked for, the loader where the kernel wants it, and what each may be used for."""
    loader = loader_of(program)
    files = closure(program, loaded, machine)
    packed = [PackedFile(f"lib/{machine}-linux-gnu/{file.name}", file.read_bytes(), True) for file in files
              if file.name != Path(loader).name]
    packed.append(PackedFile(loader.lstrip("/"), Path(loader).read_bytes(), True))
    for package in sorted({_package_of(file) for file in [*files, Path(loader)]}):
        copyright_file = Path("/usr/share/doc") / package / "copyright"
        packed.append(PackedFile(f"usr/share/doc/{package}/copyright", copyright_file.read_bytes()))
    return packed
