"""Manual pages of programs and of each of their words, which help2man makes of what they print with --help."""

import gzip
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from programs import Mistake
from usage import Command


def _name(command: Command) -> str:
    return "-".join(command.path)


def _see_also(command: Command, all_of_program: list[Command]) -> str:
    others = [one for one in all_of_program if one is not command] if len(command.path) == 1 else all_of_program[:1]
    return "[see also]\n" + ",\n".join(f".BR {_name(one)} (1)" for one in others) + "\n" if others else ""


def _page(help2man: Path, program: Path, command: Command, also: str, version: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        # help2man calls a page by the name of the file that it runs.
        runner = Path(folder) / _name(command)
        runner.write_text(f"#!/bin/sh\nexec {shlex.join([str(program), *command.path[1:]])} \"$@\"\n")
        runner.chmod(0o755)
        include = Path(folder) / "include"
        include.write_text(also or "[see also]\n")
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
        if "SOURCE_DATE_EPOCH" in os.environ:  # the day that the page bears
            environment["SOURCE_DATE_EPOCH"] = os.environ["SOURCE_DATE_EPOCH"]
        made = subprocess.run([str(help2man), "--locale", "C.UTF-8", "--version-string", version, "--no-info",
                               "--no-discard-stderr", "--name", command.summary, "--include", str(include), str(runner)],
                              capture_output=True, env=environment)
    if made.returncode != 0:
        raise Mistake(f"{_name(command)}: help2man: {made.stderr.decode(errors='replace').strip()}")
    return made.stdout


def write_manual_pages(folder: Path, help2man: Path, programs: Path, commands: dict[str, list[Command]],
                       version: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for program, some in commands.items():
        for command in some:
            page = _page(help2man, programs / program, command, _see_also(command, some), version)
            (folder / f"{_name(command)}.1.gz").write_bytes(gzip.compress(page, compresslevel=9, mtime=0))
