"""The tools of a directory: loaded when they are first asked for, what fails left out and reported."""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
from typing import Any, Dict, List, Optional

from .adapter import Tool
from .permissions import Permissions
from .sources import SourceLoader, read_sources_of
from .streams import show_stack
from .wire import DEEPEST, NOT_FOUND, Failure, is_deeper, json_text

EVERYTHING: Optional[Permissions] = None


class Registry:
    """Thread-safe. Each file is run once, as a tool."""

    def __init__(self, directory: str = "", granted: Optional[Permissions] = EVERYTHING):
        self.directory = os.path.abspath(directory) if directory else ""
        self.tools: Dict[str, Tool] = {}  # tools found here need no lock
        self.problems: List[Dict[str, str]] = []
        self._granted = granted
        self._lock = threading.RLock()
        self._unread: Optional[Dict[str, str]] = None  # files by what they are called without ending
        if self.directory and self.directory not in sys.path:
            sys.path.append(self.directory)  # tools may share modules
            read_sources_of(self.directory)

    def add(self, info: Any, function: Any) -> Tool:
        """A tool that is in no file. Raises ValueError if it is none, or if its name is taken."""
        with self._lock:
            tool = Tool(info, function, self.directory)
            check_listed(tool)
            if tool.id in self.tools:
                raise ValueError(f'there is another tool "{tool.id}"')
            tool.grant(self._granted)
            self.tools[tool.id] = tool
            return tool

    def grant(self, granted: Optional[Permissions]) -> None:
        with self._lock:
            self._granted = granted
            for tool in self.tools.values():
                tool.grant(granted)

    def find(self, id: str) -> Tool:
        """Loads the file that is called like the tool, else all. Raises Failure if there is none."""
        tool = self.tools.get(id)
        if tool is not None:
            return tool
        with self._lock:
            self._load(id)
            if id not in self.tools:
                self.load_all()
            if id in self.tools:
                return self.tools[id]
            known = ", ".join(sorted(self.tools)) or "none"
            why = [problem for problem in self.problems if os.path.splitext(problem["file"])[0] == id]
            more = {"problems": why} if why else {}
            raise Failure(NOT_FOUND, f'there is no tool "{id}"; there are: {known}', **more)

    def load_all(self) -> None:
        with self._lock:
            for name in sorted(self._files()):
                self._load(name)

    def listed(self) -> Dict[str, Any]:
        """As the answer to `registry.list`."""
        with self._lock:
            self.load_all()
            by_id = sorted(self.tools.items())
            return {"tools": [tool.listed() for _, tool in by_id], "problems": self.problems}

    def _files(self) -> Dict[str, str]:
        if self._unread is None:
            self._unread = {}
            try:
                names = os.listdir(self.directory) if self.directory else []
            except OSError as error:
                names = []
                self.problems.append({"file": self.directory, "message": str(error)})
            for name in names:
                stem, ending = os.path.splitext(name)
                if ending == ".py" and not name.startswith(("_", ".")):
                    self._unread[stem] = os.path.join(self.directory, name)
        return self._unread

    def _load(self, name: str) -> None:
        path = self._files().pop(name, None)
        if path is None:
            return
        try:
            self._take(_module_of(path, name))
        except BaseException as error:  # whatever a file raises, the others are served
            if not isinstance(error, ValueError):
                show_stack(error)
            said = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            self.problems.append({"file": os.path.basename(path), "message": said})

    def _take(self, module: Any) -> None:
        info, function = getattr(module, "tool_info", None), getattr(module, "tool_function", None)
        if info is None and function is None:
            return  # a module that tools share
        if not callable(info):
            raise ValueError("expected a function tool_info() beside tool_function")
        if function is None:
            raise ValueError("expected a function tool_function beside tool_info()")
        self.add(info(), function)


def check_listed(tool: Tool) -> None:
    """Raises ValueError if the wire cannot carry what the tool says of itself."""
    shown = tool.listed()
    try:
        text = json_text(shown)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"tool_info: expected what JSON can say: {error}") from None
    if is_deeper(shown, text):
        raise ValueError(f"tool_info: expected at most {DEEPEST} arrays and objects in each other")


def _module_of(path: str, name: str) -> Any:
    """Under a unique name: a tool called "statistics" does not become the module of that name."""
    known = "toolwire_tools_" + name
    spec = importlib.util.spec_from_file_location(known, path, loader=SourceLoader(known, path))
    if spec is None or spec.loader is None:
        raise ValueError("expected a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[known] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(known, None)
        raise
    return module
