"""The servers among the programs: what the registry of MCP servers is told of them, bundles, and plugins of hosts."""

import json
import subprocess
from pathlib import Path

from facts import AUTHOR, BRIDGE_SUMMARY, LICENSE, NAMESPACE
from programs import Installed, Mistake

REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"


def json_text(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def pack_workspace(installed: Installed, added: list[Path], out: Path, seconds: int, bundle_url: str | None) -> None:
    """The bundle, the packages of npm and server.json of `workspace`, as any author's server gets them."""
    command = [str(installed.bin / "toolwire"), "pack", "--name", f"{NAMESPACE}/workspace", "--npm-name",
               "@toolwire/workspace", "--author", AUTHOR, "--license", LICENSE, "--folder",
               "folders=What may be read: one folder or several", "--out", str(out)]
    for file in added:
        command += ["--file", str(file)]
    if bundle_url:
        command += ["--url", bundle_url]
    command += ["--", str(installed.bin / "workspace"), "{folders:folders}"]
    environment = {"SOURCE_DATE_EPOCH": str(seconds), "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(out)}
    made = subprocess.run(command, capture_output=True, text=True, env=environment)
    if made.returncode != 0:
        raise Mistake(f"toolwire pack of workspace: {made.stderr.strip()}")


def bridge_entry(installed: Installed) -> dict:
    """server.json of the bridge, which the packages named `toolwire` have."""
    arguments = [
        {"type": "positional", "value": "bridge"},
        {"type": "positional", "value": "serve"},
        {"type": "positional", "valueHint": "configuration", "format": "filepath", "isRequired": True,
         "description": "A host's file of MCP servers, a configuration of the bridge, or a manifest of tools"},
    ]
    return {
        "$schema": REGISTRY_SCHEMA,
        "name": f"{NAMESPACE}/bridge",
        "title": "toolwire bridge",
        "description": BRIDGE_SUMMARY,
        "version": installed.version,
        "packages": [
            {"registryType": kind, "identifier": "toolwire", "version": installed.version, "runtimeHint": runner,
             "transport": {"type": "stdio"}, "packageArguments": arguments}
            for kind, runner in (("npm", "npx"), ("pypi", "uvx"))
        ],
    }


# Of each host: the plugin's files of JSON, made of what it is called and what starts the server. The folder of the
# plugin and that of the project are variables that the host fills in.
def _claude_code(about: dict, server: dict) -> dict[str, dict]:
    return {".claude-plugin/plugin.json": about,
            ".mcp.json": {"mcpServers": {"workspace": server}}}


def _cursor(about: dict, server: dict) -> dict[str, dict]:
    return {".cursor-plugin/plugin.json": {**about, "mcpServers": "./mcp.json"},
            "mcp.json": {"mcpServers": {"workspace": server}}}


def _gemini(about: dict, server: dict) -> dict[str, dict]:
    named = {key: about[key] for key in ("name", "version", "description")}
    return {"gemini-extension.json": {**named, "mcpServers": {"workspace": server}}}


# Which Claude Code and its directory of plugins show to whoever is about to install one.
README = """# toolwire workspace

An MCP server for the files of the project that is open: it reads, lists and searches them, and shows definitions where
Universal Ctags is installed and the history where git is. Nothing outside the project can be reached, files that hold secrets
by their names are left out, and nothing is changed.

The program is in this folder (`server/workspace`, Linux on the machine that the package names). It needs nothing else, has no
network and keeps no data. What it is made of, and under which licences, is told by `third-party-licences.txt`.
"""


def _marketplace(about: dict) -> dict:
    """By which Claude Code finds the plugin beside it: it installs from what it calls marketplaces only."""
    one = {key: about[key] for key in ("name", "version", "description")}
    return {"name": "toolwire", "owner": about["author"], "plugins": [{**one, "source": f"./{about['name']}"}]}


PLUGINS = {
    "claude-code": (_claude_code, "${CLAUDE_PLUGIN_ROOT}", "${CLAUDE_PROJECT_DIR:-.}"),
    "cursor": (_cursor, "${CURSOR_PLUGIN_ROOT}", "${workspaceFolder}"),
    "gemini-cli": (_gemini, "${extensionPath}", "${workspacePath}"),
}


def write_plugins(installed: Installed, added: list[Path], out: Path) -> None:
    """A folder for each host that has plugins: `workspace` itself, and what starts it on the project."""
    about = {"name": "toolwire-workspace", "version": installed.version, "license": LICENSE, "author": {"name": AUTHOR},
             "description": "Read, list and search the files of the project; nothing outside it can be reached"}
    for host, (files_of, own_folder, project) in PLUGINS.items():
        folder = out / host / about["name"]
        server = {"command": f"{own_folder}/server/workspace", "args": ["--root", project]}
        for name, content in files_of(about, server).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(json_text(content))
        (folder / "server").mkdir()
        program = folder / "server" / "workspace"
        program.write_bytes((installed.bin / "workspace").read_bytes())
        program.chmod(0o755)
        for file in added:
            (folder / file.name).write_bytes(file.read_bytes())
        (folder / "README.md").write_text(README)
    marketplace = out / "claude-code" / ".claude-plugin" / "marketplace.json"
    marketplace.parent.mkdir()
    marketplace.write_text(json_text(_marketplace(about)))
