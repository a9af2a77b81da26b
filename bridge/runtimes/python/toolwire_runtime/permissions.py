"""What tools declare that they need, held against what the user grants. Enforces nothing itself."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Optional

from .wire import PERMISSION_DENIED, Failure

MEMBERS = ("read", "write", "network", "environment", "programs")

Permissions = Dict[str, List[str]]


def read_permissions(given: Any) -> Permissions:
    """Raises ValueError if it is not valid."""
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise ValueError("permissions: expected an object")
    read: Permissions = {}
    for name, values in given.items():
        if name not in MEMBERS:
            raise ValueError(f"permissions: {name} is not known; known are: {', '.join(MEMBERS)}")
        if not isinstance(values, list) or not all(isinstance(value, str) and value for value in values):
            raise ValueError(f"permissions: {name}: expected a list of texts")
        if values:
            read[name] = list(values)
    return read


def _path_covers(granted: str, needed: str) -> bool:
    return needed == granted or needed.startswith(granted.rstrip("/") + "/")


def _host_covers(granted: str, needed: str) -> bool:
    if granted in ("*", needed):
        return True
    host = needed.rsplit(":", 1)[0] if needed.rpartition(":")[2].isdecimal() else needed
    if granted == host:
        return True
    return granted.startswith("*.") and (host.endswith(granted[1:]) or needed.endswith(granted[1:]))


def _name_covers(granted: str, needed: str) -> bool:
    return granted == needed or (granted.endswith("_*") and needed.startswith(granted[:-1]))


def _program_covers(granted: str, needed: str) -> bool:
    return granted in ("*", needed)


def missing(declared: Permissions, granted: Permissions, directory: str) -> Permissions:
    """What of the declared is not granted. Relative paths count from `directory`."""

    def absolute(paths: List[str]) -> List[str]:
        return [os.path.normpath(os.path.join(directory, path)) for path in paths]

    covers = {
        "read": (_path_covers, absolute(granted.get("read", []) + granted.get("write", []))),
        "write": (_path_covers, absolute(granted.get("write", []))),
        "network": (_host_covers, granted.get("network", [])),
        "environment": (_name_covers, granted.get("environment", [])),
        "programs": (_program_covers, granted.get("programs", [])),
    }
    lacking: Permissions = {}
    for name, needs in declared.items():
        covered, grants = covers[name]
        is_path = name in ("read", "write")
        open_needs = [
            need
            for need in needs
            if not any(covered(grant, absolute([need])[0] if is_path else need) for grant in grants)
        ]
        if open_needs:
            lacking[name] = open_needs
    return lacking


def denial(tool: str, lacking: Permissions) -> Optional[Failure]:
    if not lacking:
        return None
    listed = "; ".join(f"{name}: {', '.join(values)}" for name, values in lacking.items())
    return Failure(PERMISSION_DENIED, f'the tool "{tool}" needs what is not granted: {listed}', permissions=lacking)
