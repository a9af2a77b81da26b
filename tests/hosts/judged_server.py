"""A server of the Python SDK as conformance/findings.md judges it: a tool of each kind, resources, a template, prompts, completion.

usage: judged_server.py
"""

import asyncio

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import Completion, ToolAnnotations
from pydantic import BaseModel

server = FastMCP("judged-python", instructions="A server to be judged.")
reads = ToolAnnotations(readOnlyHint=True)


class Sum(BaseModel):
    sum: int


class Name(BaseModel):
    name: str


@server.tool(annotations=reads)
def echo(text: str) -> str:
    """Returns its text."""
    return text


@server.tool(annotations=reads)
def add(a: int, b: int) -> Sum:
    """Adds two numbers."""
    return Sum(sum=a + b)


@server.tool(annotations=reads)
async def sleep(seconds: float) -> str:
    """Waits for so many seconds."""
    await asyncio.sleep(seconds)
    return "done"


@server.tool(annotations=reads)
async def count(context: Context, steps: int = 3) -> str:
    """Reports progress and logs as it counts."""
    for step in range(steps):
        await context.report_progress(step + 1, steps)
        await context.info(f"step {step + 1}")
    return "counted"


@server.tool(annotations=reads)
async def ask(context: Context) -> str:
    """Asks the user for a name."""
    answer = await context.elicit("What is your name?", Name)
    return answer.action


@server.tool(annotations=reads)
def fail() -> str:
    """Always fails."""
    raise ValueError("this tool fails")


@server.resource("judged://text", mime_type="text/plain")
def text() -> str:
    return "a text"


@server.resource("judged://bytes", mime_type="application/octet-stream")
def bytes_resource() -> bytes:
    return b"\x01\x02"


@server.resource("judged://numbers/{number}")
def number_text(number: str) -> str:
    return number


@server.prompt()
def greet(name: str) -> str:
    """A greeting."""
    return f"Hello {name}"


@server.completion()
async def complete(reference, argument, context):
    return Completion(values=[word for word in ("Ann", "Bob") if word.startswith(argument.value)])


server.run()
