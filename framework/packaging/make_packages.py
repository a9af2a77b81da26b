#!/usr/bin/env python3
"""Makes the packages of our programs that are not Debian's: npm, Python, bundles, images of containers, entries for the registry
of MCP servers, plugins of hosts, the archive of toolwire-conformance.

usage: make_packages.py --programs PREFIX --out FOLDER [--bundle-url URL] [--npm-platform PLATFORM]...

PREFIX is what `cmake --install BUILD --component tools --prefix PREFIX` has filled. The same programs and the same
SOURCE_DATE_EPOCH (default: the beginning of 1980) give the same bytes.
Exit status: 0 all is there, 1 something could not be made; FOLDER is then as it was.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent / "release"))

from archives import PackedFile, packing_time  # noqa: E402
from images import images  # noqa: E402
from npm_packages import main_package, programs_package  # noqa: E402
from program_archive import conformance_archive  # noqa: E402
from programs import Installed, Mistake  # noqa: E402
from servers import bridge_entry, json_text, pack_workspace, write_plugins  # noqa: E402
from wheel import wheel  # noqa: E402

LICENSE = Path(__file__).parents[2] / "LICENSE"
DOCUMENTS = ("third-party-licences.txt", "toolwire.cdx.json")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--programs", type=Path, required=True, metavar="PREFIX")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--bundle-url", metavar="URL", help="where the bundle of workspace will be released")
    parser.add_argument("--npm-platform", action="append", default=[], metavar="PLATFORM",
                        help="such as linux-arm64: whose programs are packed on another machine; repeatable")
    return parser.parse_args()


def write(folder: Path, package: tuple[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / package[0]).write_bytes(package[1])


def move_packed(packed: Path, out: Path) -> None:
    """Sorts what `toolwire pack` has made into the folders of its kinds."""
    for file in packed.iterdir():
        folder = {".tgz": out / "npm", ".mcpb": out / "mcpb", ".json": out / "registry" / "workspace"}[file.suffix]
        folder.mkdir(parents=True, exist_ok=True)
        shutil.move(file, folder / file.name)


def make_all(given: argparse.Namespace, out: Path) -> None:
    installed = Installed(given.programs.absolute())
    seconds = packing_time()
    missing = [name for name in DOCUMENTS if not (installed.documents / name).is_file()]
    if missing:
        raise Mistake(f"{installed.documents}: expected {' and '.join(missing)}, which the installation on Debian writes")
    added = [LICENSE, *(installed.documents / name for name in DOCUMENTS)]
    license_text = LICENSE.read_bytes()
    documents = [PackedFile(name, (installed.documents / name).read_bytes()) for name in DOCUMENTS]
    platforms = sorted({f"linux-{installed.node_machine}", *given.npm_platform})
    write(out / "npm", main_package(installed, platforms, license_text, seconds))
    write(out / "npm", programs_package(installed, license_text, documents, seconds))
    for file in conformance_archive(installed, license_text, documents, seconds):
        write(out / "archive", file)
    licenses = [PackedFile("LICENSE", license_text), documents[0]]
    write(out / "python", wheel(installed, licenses, documents[1], seconds))
    for image in images(installed, license_text, documents, seconds):
        write(out / "oci", image)
    packed = out / "packed"
    packed.mkdir()
    pack_workspace(installed, added, packed, seconds, given.bundle_url)
    move_packed(packed, out)
    packed.rmdir()
    write(out / "registry" / "bridge", ("server.json", json_text(bridge_entry(installed)).encode()))
    write_plugins(installed, added, out / "plugins")


def main() -> int:
    given = arguments()
    given.out.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=given.out) as new:
            make_all(given, Path(new))
            for part in sorted(Path(new).iterdir()):
                shutil.rmtree(given.out / part.name, ignore_errors=True)
                part.rename(given.out / part.name)
    except Mistake as mistake:
        print(f"make_packages.py: {mistake}", file=sys.stderr)
        return 1
    for file in sorted(given.out.rglob("*")):
        if file.is_file() and "plugins" not in file.relative_to(given.out).parts:
            print(f"{file.relative_to(given.out)}: {file.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
