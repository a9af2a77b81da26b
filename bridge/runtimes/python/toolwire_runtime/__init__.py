"""Runs tools written in Python for toolwire-bridge. What tools may use: Context, Result, ToolError."""

import sys

__version__ = "1.0.0"  # that of the whole project

if sys.version_info < (3, 9):  # an older one would show where it does not understand the files below
    raise ImportError("toolwire_runtime: expected Python 3.9 or later, found " + sys.version.split()[0])

from .calls import ToolError
from .context import Aborted, Context
from .registry import Registry
from .result import Result
from .runtime import Runtime

__all__ = ["Aborted", "Context", "Registry", "Result", "Runtime", "ToolError"]
