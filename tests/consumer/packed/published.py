"""Holds the sizes that framework/packaging/README.md publishes to the packages that were built: each package has a row, each
row has a package, and no size differs by more than a tenth. Times and memory are judged by nobody.

usage: published.py SHARE FOLDER     SHARE: debian, cluster, static or packed, of which the FOLDER has all packages
"""

import platform
import re
import sys
from fnmatch import fnmatch
from pathlib import Path

PAGE = Path(__file__).parents[3] / "framework/packaging/README.md"
PACKED = (".deb", ".tgz", ".whl", ".mcpb", ".oci.tar", ".tar.gz")
# What is built together; what no other has is of "packed".
SHARES = {"debian": ["toolwire-tools_*", "libtoolwire-dev_*"], "cluster": ["toolwire-cluster_*"], "static": ["archive/toolwire-…-*"]}
UNITS = {"kB": 1000, "MB": 1_000_000}
TOLERANCE = 0.1


def share_of(name: str) -> str:
    return next((share for share, patterns in SHARES.items() if any(fnmatch(name, one) for one in patterns)), "packed")


def name_in_page(file: str) -> str:
    """As the table has it: without the version."""
    return re.sub(r"(?<=[-_])\d+\.\d+\.\d+", "…", file, count=1)


def published(page: str) -> dict[str, tuple[float, float]]:
    """By name: bytes, and how far they were rounded."""
    rows = {}
    for name, number, unit in re.findall(r"^\| `([^`|]+)`[^|]*\| ([\d.]+) (kB|MB) \|", page, re.MULTILINE):
        digits = len(number.partition(".")[2])
        rows[name] = (float(number) * UNITS[unit], UNITS[unit] * 10**-digits / 2)
    return rows


def differences(page: str, share: str, built: dict[str, int]) -> list[str]:
    """Of this share, and of the packages with their bytes that were built with it."""
    rows = {name: size for name, size in published(page).items() if share_of(name) == share}
    found = [f"{name}: has a row, and is not built" for name in sorted(rows.keys() - built.keys())]
    found += [f"{name}: is built, and has no row" for name in sorted(built.keys() - rows.keys())]
    for name in sorted(rows.keys() & built.keys()):
        size, rounded = rows[name]
        if abs(size - built[name]) > TOLERANCE * built[name] + rounded:
            found.append(f"{name}: {size:.0f} bytes are published, and {built[name]} were built")
    return found


def packages_in(folder: Path, share: str) -> dict[str, int]:
    files = {name_in_page(str(file.relative_to(folder))): file.stat().st_size for file in folder.rglob("*")
             if file.is_file() and file.name.endswith(PACKED)}
    return {name: size for name, size in files.items() if share_of(name) == share}


def problems(share: str, folder: Path) -> list[str]:
    if platform.machine() != "x86_64":  # of which the table is
        return []
    return differences(PAGE.read_text(), share, packages_in(folder, share))


if __name__ == "__main__":
    wrong = problems(sys.argv[1], Path(sys.argv[2]))
    print("\n".join(wrong) or f"{PAGE.name} has the sizes of share {sys.argv[1]}")
    sys.exit(1 if wrong else 0)
