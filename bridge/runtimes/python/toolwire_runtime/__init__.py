"""Runs tools written in Python for toolwire-bridge. What tools may use: Context, Result, ToolError."""

__version__ = "1.0.0"  # that of the whole project

from .calls import ToolError
from .context import Aborted, Context
from .registry import Registry
from .result import Result
from .runtime import Runtime

__all__ = ["Aborted", "Context", "Registry", "Result", "Runtime", "ToolError"]
