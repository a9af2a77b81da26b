#!/usr/bin/env python3
"""Makes the documentation site of the READMEs, the pages of framework/docs, the examples and the public headers.

usage: build_site.py --out FOLDER [--address URL]

FOLDER is replaced. URL is put in front of the addresses in llms.txt. The site is of files only: no page asks another
server for anything, and all of it works from a folder too.
Needs python3-markdown-it and python3-pygments of Debian 12.
Exit status: 0 it is there, 1 the sources have a mistake; FOLDER is then as it was.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from site_parts.sections import Mistake  # noqa: E402
from site_parts.site import Site  # noqa: E402

TOP = Path(__file__).resolve().parents[3]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--address", default="", metavar="URL", help="where the site will be, ending with /")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    out = given.out.absolute()
    if out.exists() and not (out / "llms.txt").is_file() and any(out.iterdir()):
        print(f"build_site.py: {out} is not empty and no site: expected a folder that may be replaced", file=sys.stderr)
        return 1
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=out.parent) as new:
            site = Site(TOP, Path(new) / "site")
            site.write_all(given.address)
            shutil.rmtree(out, ignore_errors=True)
            (Path(new) / "site").rename(out)
    except Mistake as mistake:
        print(f"build_site.py: {mistake}", file=sys.stderr)
        return 1
    print(f"{out / 'index.html'}: {len(site.entries)} pages, {len(site.words)} parts to be found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
