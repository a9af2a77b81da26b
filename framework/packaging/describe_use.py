#!/usr/bin/env python3
"""Writes what tells how the installed programs are used: manual pages, and what bash, zsh and fish offer behind their
names. All of it is what the programs print with --help.

usage: describe_use.py --package PACKAGE --version VERSION --programs FOLDER --share FOLDER [--help2man PROGRAM]

PACKAGE: of Debian, whose programs they are. FOLDER of programs: only those in it are described. Without help2man there are no manual pages.
Exit status: 0 all is there, 1 a program did not say how it is used.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent / "release"))

from completions import Known, write_completions  # noqa: E402
from facts import PROGRAMS_OF  # noqa: E402
from manual_pages import write_manual_pages  # noqa: E402
from programs import Mistake  # noqa: E402
from usage import commands_of, hosts_and_scopes  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--package", choices=PROGRAMS_OF, required=True)
    parser.add_argument("--version", required=True)
    for name in ("--programs", "--share"):
        parser.add_argument(name, type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--help2man", type=Path, metavar="PROGRAM")
    given = parser.parse_args()
    try:
        commands = {name: commands_of(given.programs / name, summary) for name, summary in PROGRAMS_OF[given.package].items()
                    if (given.programs / name).is_file()}
        known = Known(*map(tuple, hosts_and_scopes(given.programs / "toolwire"))) if "toolwire" in commands else Known((), ())
        write_completions(given.share, commands, known)
        if given.help2man:
            write_manual_pages(given.share / "man" / "man1", given.help2man, given.programs, commands, given.version)
    except Mistake as mistake:
        print(f"describe_use.py: {mistake}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
