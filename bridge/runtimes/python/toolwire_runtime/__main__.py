"""python3 -m toolwire_runtime DIRECTORY [--grant-all]: see bridge/runtimes/README.md, "The wire"."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from typing import List, Optional

from . import __version__
from .registry import EVERYTHING, Registry
from .runtime import Runtime
from .streams import take_streams


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="toolwire_runtime",
        description="Runs the Python tools of a directory; speaks the wire of toolwire's runtimes on its streams.",
    )
    parser.add_argument("directory", metavar="DIRECTORY", help="where the tools are, one a file")
    parser.add_argument("--grant-all", action="store_true", help="let tools have whatever they declare that they need")
    parser.add_argument("--version", action="version", version=__version__)
    given = parser.parse_args(arguments)
    if not os.path.isdir(given.directory):
        folder = os.path.dirname(os.path.abspath(given.directory))
        how = f"; its folder is served over MCP by: toolwire-bridge serve --runtime NAME={shlex.quote(folder)}"
        parser.error(f"{given.directory}: expected a directory{how if os.path.isfile(given.directory) else ''}")
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    source, target = take_streams()
    Runtime(Registry(given.directory, EVERYTHING if given.grant_all else {}), source, target).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
