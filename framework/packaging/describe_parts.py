#!/usr/bin/env python3
"""Writes what the installed programs are made of: toolwire.cdx.json (a list of components in the form of CycloneDX 1.5) and
third-party-licences.txt (what their licences say).

usage: describe_parts.py --package PACKAGE --build BUILD --version VERSION --programs FOLDER --out FOLDER

PACKAGE: of Debian, whose programs they are. FOLDER of programs: only those in it are described. The same build gives the same bytes.
Exit status: 0 both are there, 1 a library or header is of no Debian package, or its licence is not known.
"""

import argparse
import hashlib
import json
import sys
import uuid
from pathlib import Path
from urllib.parse import quote

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent / "release"))

from facts import LICENSE, LOADED, PROGRAMS_OF  # noqa: E402
from linked import STATIC_CURL, Owners, Package, made_of  # noqa: E402
from programs import Mistake, needed_libraries  # noqa: E402

COMMON_LICENCES = Path("/usr/share/common-licenses")
# How the code of a package gets into a program, or beside it.
LINKED, COMPILED, NEEDED, LOADED_LATE = "static-library", "headers", "shared-library", "loaded-when-needed"


def library_file(name: str) -> Path:
    for folder in (Path("/lib/x86_64-linux-gnu"), *sorted(Path("/lib").glob("*-linux-gnu")), Path("/lib64"), Path("/lib")):
        if (folder / name).exists():
            return folder / name
    raise Mistake(f"{name}: expected a library of this system")


def parts_of(program: Path, build: Path, owners: Owners, is_static: bool) -> dict[Package, set[str]]:
    """The packages that a program has code of or needs, and how."""
    has_own_form = is_static and (build / "bin/static" / program.name).is_file()
    made = made_of(build, f"static/{program.name}" if has_own_form else program.name)
    parts: dict[Package, set[str]] = {}
    for files, use in ((made.linked, LINKED), (made.compiled, COMPILED),
                       (map(library_file, needed_libraries(program)), NEEDED)):
        for file in files:
            parts.setdefault(owners.of(file), set()).add(use)
    for name in [] if is_static else LOADED.get(program.name, []):
        parts.setdefault(owners.package(name), set()).add(LOADED_LATE)
    return parts


def reference(package: Package) -> str:
    # As a package URL: what is not a letter, a digit or one of these is escaped.
    version = quote(package.version, safe=".-_~")
    return f"pkg:deb/debian/{quote(package.name, safe='.-_~')}@{version}?arch={package.architecture}&distro=debian-12"


def component_of(package: Package, uses: dict[str, list[str]]) -> dict:
    """`uses`: the programs by how they have it."""
    return {
        "type": "library",
        "bom-ref": reference(package),
        "name": package.name,
        "version": package.version,
        "licenses": [{"expression": package.licence()}],
        "purl": reference(package),
        "properties": [{"name": "toolwire:source-package", "value": package.source},
                       *({"name": f"toolwire:{use}", "value": ", ".join(uses[use])} for use in sorted(uses))],
    }


def components(version: str, parts: dict[Path, dict[Package, set[str]]]) -> dict:
    """The list as CycloneDX has it. It says no time, so that the same programs have the same list."""
    uses: dict[Package, dict[str, list[str]]] = {}
    for program, of_program in parts.items():
        for package, how in of_program.items():
            for use in how:
                uses.setdefault(package, {}).setdefault(use, []).append(program.name)
    programs = [
        {"type": "application", "bom-ref": program.name, "name": program.name, "version": version,
         "licenses": [{"expression": LICENSE}],
         "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(program.read_bytes()).hexdigest()}]}
        for program in parts
    ]
    bom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": "toolwire-programs", "name": "toolwire", "version": version,
                                   "licenses": [{"expression": LICENSE}], "components": programs}},
        "components": [component_of(package, how) for package, how in sorted(uses.items())],
        "dependencies": [{"ref": program.name, "dependsOn": sorted(map(reference, of_program))}
                         for program, of_program in parts.items()],
    }
    content = json.dumps(bom, sort_keys=True)
    return {**bom, "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, content).urn}


def licences(packages: set[Package]) -> str:
    """What Debian's copyright files say, once for each source package, and the licences that they point to."""
    by_source: dict[str, list[Package]] = {}
    for package in sorted(packages):
        by_source.setdefault(package.source, []).append(package)
    text = "The programs of toolwire are under the licence in the file LICENSE. They hold code of, or need, the packages\n"
    text += "below, built from Debian's sources. What follows are the copyright files of Debian.\n\n"
    for source, some in by_source.items():
        text += f"  {source} ({', '.join(package.name for package in some)}): {some[0].licence()}\n"
    pointed_at: set[str] = set()
    for source, some in by_source.items():
        said = some[0].licence_text()
        pointed_at.update(file.name for file in COMMON_LICENCES.iterdir() if f"{COMMON_LICENCES}/{file.name}" in said)
        text += f"\n{'=' * 100}\n{source}\n{'=' * 100}\n{said}"
    for name in sorted(pointed_at):
        text += f"\n{'=' * 100}\n{COMMON_LICENCES}/{name}\n{'=' * 100}\n{(COMMON_LICENCES / name).read_text()}"
    return text


def main() -> int:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for name in ("--build", "--programs", "--out"):
        parser.add_argument(name, type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--package", choices=PROGRAMS_OF, required=True)
    parser.add_argument("--version", required=True)
    given = parser.parse_args()
    try:
        owners = Owners()
        programs = [given.programs / name for name in PROGRAMS_OF[given.package] if (given.programs / name).is_file()]
        is_static = given.package == "toolwire-static"
        if is_static:
            owners.add_built(given.build / STATIC_CURL)
        parts = {program: parts_of(program, given.build, owners, is_static) for program in programs}
        bom = components(given.version, parts)
        text = licences({package for of_program in parts.values() for package in of_program})
    except Mistake as mistake:
        print(f"describe_parts.py: {mistake}", file=sys.stderr)
        return 1
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "toolwire.cdx.json").write_text(json.dumps(bom, indent=2, ensure_ascii=False) + "\n")
    (given.out / "third-party-licences.txt").write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
