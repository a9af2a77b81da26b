#!/usr/bin/env python3
"""Makes the archive of all programs that needs nothing of a system, not even a C library.

usage: make_static_archive.py --build BUILD --programs PREFIX --out FOLDER

BUILD: a build folder with the target toolwire_static. PREFIX is what `cmake --install BUILD --component tools --prefix PREFIX`
has filled: manual pages, completions and runtimes are taken from it. The same build and the same SOURCE_DATE_EPOCH
(default: the beginning of 1980) give the same bytes.
Exit status: 0 the archive is in FOLDER/archive, 1 it could not be made.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent / "release"))

from archives import PackedFile, packing_time  # noqa: E402
from facts import STATIC_PROGRAMS  # noqa: E402
from program_archive import static_archive  # noqa: E402
from programs import Installed, Mistake  # noqa: E402

LICENSE = Path(__file__).parents[2] / "LICENSE"


def gather(build: Path, folder: Path) -> None:
    """Those that are linked statically for this archive, and those that always are."""
    for name in STATIC_PROGRAMS:
        found = [file for file in (build / "bin/static" / name, build / "bin" / name) if file.is_file()]
        if not found:
            raise Mistake(f"{build}: expected the program {name} of the target toolwire_static")
        shutil.copy(found[0], folder / name)


def documents(build: Path, programs: Path, version: str, folder: Path) -> list[PackedFile]:
    """What the programs are made of."""
    done = subprocess.run([sys.executable, Path(__file__).parent / "describe_parts.py", "--package", "toolwire-static",
                           "--build", build, "--version", version, "--programs", programs, "--out", folder])
    if done.returncode != 0:
        raise Mistake(f"{build}: what its programs are made of is not known")
    return [PackedFile(file.name, file.read_bytes()) for file in sorted(folder.iterdir())]


def main() -> int:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for name, value in (("--build", "FOLDER"), ("--programs", "PREFIX"), ("--out", "FOLDER")):
        parser.add_argument(name, type=Path, required=True, metavar=value)
    given = parser.parse_args()
    try:
        installed = Installed(given.programs.absolute())
        with tempfile.TemporaryDirectory() as work:
            static, described = Path(work, "bin"), Path(work, "documents")
            static.mkdir()
            gather(given.build.absolute(), static)
            files = documents(given.build.absolute(), static, installed.version, described)
            made = static_archive(installed, static, LICENSE.read_bytes(), files, packing_time())
    except Mistake as mistake:
        print(f"make_static_archive.py: {mistake}", file=sys.stderr)
        return 1
    (given.out / "archive").mkdir(parents=True, exist_ok=True)
    for name, content in made:
        (given.out / "archive" / name).write_bytes(content)
        print(f"archive/{name}: {len(content)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
