"""What the tests of packed programs share: packages made once, fresh folders, and talk with servers."""

import json
import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
PYTHON = "/usr/bin/python3"
BUILD, WORK, SHARED = (Path(word).absolute() for word in sys.argv[1:4])
INSTALLED, PACKAGES = WORK / "1" / "installed", WORK / "1" / "packages"
PROGRAMS = ("toolwire", "toolwire-attach", "toolwire-bridge", "toolwire-conformance", "toolwire-schema", "workspace")
BUNDLE_URL = "https://github.com/toolwire/toolwire/releases/download/v1/workspace.mcpb"
SECONDS = 1_700_000_000
LIMIT = 300  # seconds that a command may take before it counts as hanging


def run(command: list, **more) -> subprocess.CompletedProcess:
    """A command that has to succeed."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=LIMIT, **more)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def make_packages(number: int) -> Path:
    """Installs the build and packs it, in a folder of its own."""
    folder = WORK / str(number)
    run(["cmake", "--install", BUILD, "--component", "tools", "--prefix", folder / "installed"])
    run([PYTHON, REPOSITORY / "framework/packaging/make_packages.py", "--programs", folder / "installed", "--out",
         folder / "packages", "--bundle-url", BUNDLE_URL], env={**os.environ, "SOURCE_DATE_EPOCH": str(SECONDS)})
    return folder / "packages"


def only(folder: Path, pattern: str) -> Path:
    """The one file of a folder that has such a name."""
    (file,) = folder.glob(pattern)
    return file


def fresh_environment(home: Path, **more: str) -> dict:
    home.mkdir(parents=True, exist_ok=True)
    return {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", **more}


def ask(command: list, request: dict, environment: dict, folder: Path | None = None) -> dict:
    """Greets a server on its standard input, sends the request, and ends it. Returns its result."""
    greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
                "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                           "clientInfo": {"name": "packed programs", "version": "1"}}}
    lines = [greeting, {"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "2.0", "id": 2, **request}]
    done = subprocess.run(list(map(str, command)), input="".join(json.dumps(line) + "\n" for line in lines),
                          capture_output=True, text=True, timeout=LIMIT, env=environment, cwd=folder)
    answers = {}
    for line in done.stdout.splitlines():
        message = json.loads(line)
        answers[message.get("id")] = message
    if "result" not in answers.get(2, {}):
        raise AssertionError(f"{command}: expected an answer\n{done.stdout}{done.stderr}")
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.returncode} after its input has ended\n{done.stderr}")
    return answers[2]["result"]


def tool_names(command: list, environment: dict, folder: Path | None = None) -> set[str]:
    return {tool["name"] for tool in ask(command, {"method": "tools/list"}, environment, folder)["tools"]}


def schema_problems(schema: Path, file: Path) -> str:
    """What `toolwire schema` has against a file."""
    return subprocess.run([INSTALLED / "bin/toolwire-schema", schema, file], capture_output=True, text=True,
                          timeout=LIMIT).stdout
