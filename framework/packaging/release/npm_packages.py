"""The packages of npm: `toolwire`, which everybody installs, and one with the programs for a platform. Nothing runs when
they are installed; a script stands for each program, the one that `toolwire pack` gives to others' servers, too."""

import json
from pathlib import Path

from archives import PackedFile, files_below, tar_gz
from facts import AUTHOR, LICENSE, NAMESPACE, PROGRAMS, README, SUMMARY
from programs import Installed

MAIN = "toolwire"
LAUNCHER = Path(__file__).parents[2] / "tools" / "pack" / "npm_launcher.js"


def platform_package(platform: str) -> str:
    return f"@toolwire/{platform}"


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _about(name: str, version: str, description: str) -> dict:
    return {"name": name, "version": version, "description": description, "author": AUTHOR, "license": LICENSE}


def _script(program: str, platforms: list[str]) -> bytes:
    packages = json.dumps({platform: platform_package(platform) for platform in platforms})
    text = LAUNCHER.read_text().replace("@PACKAGES@", packages).replace("@NAME@", program)
    return text.encode()


def _tarball(name: str, version: str, files: list[PackedFile], seconds: int) -> tuple[str, bytes]:
    in_package = [PackedFile("package/" + file.name, file.content, file.executable) for file in files]
    return f"{name.removeprefix('@').replace('/', '-')}-{version}.tgz", tar_gz(in_package, seconds)


def main_package(installed: Installed, platforms: list[str], license_text: bytes, seconds: int) -> tuple[str, bytes]:
    """What has the name `toolwire`; `platforms` are those that there is a package of programs for."""
    about = _about(MAIN, installed.version, SUMMARY)
    about["mcpName"] = f"{NAMESPACE}/bridge"
    about["bin"] = {program: f"bin/{program}.js" for program in PROGRAMS}
    about["files"] = ["bin", "LICENSE", "README.md"]
    about["optionalDependencies"] = {platform_package(platform): installed.version for platform in platforms}
    files = [PackedFile("package.json", _json(about)), PackedFile("LICENSE", license_text),
             PackedFile("README.md", README.encode())]
    files += [PackedFile(f"bin/{program}.js", _script(program, platforms), True) for program in PROGRAMS]
    return _tarball(MAIN, installed.version, files, seconds)


def programs_package(installed: Installed, license_text: bytes, documents: list[PackedFile],
                     seconds: int) -> tuple[str, bytes]:
    """The programs, and what they look for beside themselves."""
    platform = f"linux-{installed.node_machine}"
    about = _about(platform_package(platform), installed.version, f"The programs of toolwire for {platform}")
    about.update({"os": ["linux"], "cpu": [installed.node_machine], "libc": ["glibc"], "preferUnplugged": True,
                  "files": ["bin", "share", "LICENSE", *(file.name for file in documents)]})
    files = [PackedFile("package.json", _json(about)), PackedFile("LICENSE", license_text), *documents]
    files += [PackedFile(f"bin/{file.name}", file.read_bytes(), True) for file in installed.files]
    files += files_below(installed.share / "toolwire", "share/toolwire/")
    return _tarball(platform_package(platform), installed.version, files, seconds)
