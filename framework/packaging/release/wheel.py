"""The wheel with the programs: pip, uv and pipx put them beside their python, and nothing of it is Python.
As in the specification "Binary distribution format", with PEP 600 (platforms), 639 (licences) and 770 (components)."""

import base64
import hashlib

from archives import PackedFile, files_below, zip_of
from facts import AUTHOR, LICENSE, README, SUMMARY
from programs import Installed


def _metadata(version: str, licenses: list[str]) -> str:
    lines = ["Metadata-Version: 2.4", "Name: toolwire", f"Version: {version}", f"Summary: {SUMMARY}", f"Author: {AUTHOR}",
             f"License-Expression: {LICENSE}", *(f"License-File: {name}" for name in licenses),
             "Requires-Python: >=3.8", "Classifier: Operating System :: POSIX :: Linux",
             "Description-Content-Type: text/markdown"]
    return "\n".join(lines) + "\n\n" + README


def _record_line(file: PackedFile) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(file.content).digest()).rstrip(b"=").decode()
    return f"{file.name},sha256={digest},{len(file.content)}\n"


def tag_of(installed: Installed) -> str:
    major, minor = installed.glibc
    return f"py3-none-manylinux_{major}_{minor}_{installed.python_machine}"


def wheel(installed: Installed, licenses: list[PackedFile], components: PackedFile, seconds: int) -> tuple[str, bytes]:
    """Its name and bytes. `licenses` and `components` are the files that stand in its metadata."""
    start = f"toolwire-{installed.version}"
    info, data, tag = f"{start}.dist-info", f"{start}.data", tag_of(installed)
    about = f"Wheel-Version: 1.0\nGenerator: toolwire\nRoot-Is-Purelib: false\nTag: {tag}\n"
    files = [PackedFile(f"{data}/scripts/{file.name}", file.read_bytes(), True) for file in installed.files]
    files += files_below(installed.share / "toolwire", f"{data}/data/share/toolwire/")
    files += [PackedFile(f"{info}/licenses/{file.name}", file.content) for file in licenses]
    files += [PackedFile(f"{info}/sboms/{components.name}", components.content),
              PackedFile(f"{info}/METADATA", _metadata(installed.version, [file.name for file in licenses]).encode()),
              PackedFile(f"{info}/WHEEL", about.encode())]
    record = "".join(map(_record_line, files)) + f"{info}/RECORD,,\n"
    files.append(PackedFile(f"{info}/RECORD", record.encode()))
    return f"{start}-{tag}.whl", zip_of(files, seconds)
