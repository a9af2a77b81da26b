"""Tools that do what nobody should: each costs its own call, or its own file, and nothing else."""

import contextlib
import io
import unittest

from .harness import Directory, Wire, tool_file
from toolwire_runtime.registry import Registry

FILES = {
    "fine.py": tool_file("fine", "def tool_function():\n    return 'fine'\n"),
    "fine_later.py": tool_file("fine_later", "async def tool_function():\n    return 'fine'\n"),
    "failing.py": tool_file("failing", "def tool_function():\n    raise KeyError('x')\n"),
    "closing.py": tool_file("closing", "import sys\ndef tool_function():\n    sys.stderr.close()\n    return 'closed'\n"),
    "unset.py": tool_file("unset", "import sys\ndef tool_function():\n    sys.stderr = None\n    return 'unset'\n"),
    "base_later.py": tool_file(
        "base_later",
        """
        class Base(BaseException):
            pass
        async def tool_function():
            raise Base("mine")
        """,
    ),
    "generator_exit.py": tool_file("generator_exit", "async def tool_function():\n    raise GeneratorExit\n"),
    "leaving_words.py": tool_file(
        "leaving_words",
        """
        class Leaving(Exception):
            def __str__(self):
                raise SystemExit(3)
        def tool_function():
            raise Leaving()
        """,
    ),
    "leaving_task.py": tool_file(
        "leaving_task",
        """
        import asyncio
        async def leave():
            raise SystemExit(4)
        async def tool_function():
            asyncio.ensure_future(leave())
            await asyncio.sleep(0.01)
            return "left"
        """,
    ),
    "stopping.py": tool_file(
        "stopping", "import asyncio\nasync def tool_function():\n    asyncio.get_running_loop().stop()\n    return 'stopped'\n"
    ),
    "large.py": tool_file(
        "large",
        "def tool_function(digits):\n    return {'n': [10**digits, -10**digits]}\n",
        output_schema={"type": "object"},
    ),
    "reporting.py": tool_file(
        "reporting",
        """
        def tool_function(ctx):
            try:
                ctx.progress(10**400)
            except ValueError as error:
                return str(error)
        """,
    ),
    "rows.py": tool_file(
        "rows", "def tool_function():\n    while True:\n        yield 'x' * (1 << 20)\n", output_schema={"type": "array"}
    ),
}


class StrangeToolsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.wire = Wire(FILES)
        self.addCleanup(self.wire.end)

    def details(self, tool, **parameters):
        return self.wire.call(tool, parameters)["error"]["data"]["details"]

    def test_standard_error_that_a_tool_has_taken_away_costs_no_other_call(self):
        for tool, said in (("closing", "closed"), ("unset", "unset")):
            self.assertEqual(self.wire.output(tool), said)
            self.assertEqual(self.details("failing"), "KeyError: 'x'")
        self.assertEqual(self.wire.output("fine"), "fine")

    def test_whatever_an_async_tool_raises_is_answered(self):
        self.assertEqual(self.details("base_later"), "Base: mine")
        self.assertEqual(self.details("generator_exit"), "GeneratorExit")

    def test_an_exception_that_leaves_while_it_is_put_into_words_ends_its_call_alone(self):
        self.assertEqual(self.details("leaving_words"), "Leaving")
        self.assertEqual(self.wire.output("fine"), "fine")

    def test_async_tools_go_on_when_the_loop_was_stopped_or_a_task_left(self):
        self.assertEqual(self.wire.output("leaving_task"), "left")
        self.assertEqual(self.wire.output("stopping"), "stopped")
        self.assertEqual(self.wire.output("fine_later"), "fine")

    def test_numbers_that_the_bridge_does_not_take_are_not_sent(self):
        self.assertEqual(self.wire.call("large", {"digits": 308})["result"]["structured"], {"n": [10**308, -(10**308)]})
        self.assertIn("at most 1.7976931348623157e308", self.details("large", digits=309))
        answer = self.wire.call("reporting", progress=True)
        self.assertIn("at most 1.7976931348623157e308", answer["result"]["output"])

    def test_structured_pieces_without_end_are_no_answer(self):
        self.assertIn("80 MiB", self.details("rows"))


class StrangeFilesTest(unittest.TestCase):
    def problems(self, **files):
        """What is said of each file, beside one that is listed all the same."""
        directory = Directory({**{name + ".py": text for name, text in files.items()}, "fine.py": FILES["fine.py"]})
        self.addCleanup(directory.remove)
        with contextlib.redirect_stderr(io.StringIO()):
            listed = Registry(directory.path, None).listed()
        self.assertEqual([tool["id"] for tool in listed["tools"]], ["fine"])
        return {problem["file"]: problem["message"] for problem in listed["problems"]}

    def test_what_no_except_clause_expects_costs_its_file_alone(self):
        said = self.problems(
            base="class Base(BaseException):\n    pass\nraise Base('mine')\n",
            interrupted="def tool_info():\n    raise KeyboardInterrupt\ndef tool_function():\n    pass\n",
        )
        self.assertEqual(said["base.py"], "Base: mine")
        self.assertEqual(sorted(said), ["base.py", "interrupted.py"])

    def test_what_json_cannot_say_of_a_tool_costs_its_file_alone(self):
        echo = "def tool_function(x=1):\n    return x\n"
        with_x = lambda **more: {"type": "object", "properties": {"x": more}}  # noqa: E731
        deep = {"type": "string"}
        for _ in range(60):
            deep = {"type": "object", "properties": {"x": deep}}
        said = self.problems(
            binary=tool_file("binary", echo, input_schema=with_x(default=b"x")),
            large=tool_file("large", echo, input_schema=with_x(minimum=10**400)),
            deep=tool_file("deep", echo, input_schema=deep),
            nan="def tool_info():\n    return {'name': 'nan', 'annotations': {'x': float('nan')}}\n" + echo,
        )
        self.assertEqual(sorted(said), ["binary.py", "deep.py", "large.py", "nan.py"])
        self.assertIn("Object of type bytes", said["binary.py"])
        self.assertIn("at most 100 arrays and objects", said["deep.py"])


if __name__ == "__main__":
    unittest.main()
