"""Tools that yield what they have to say."""

import unittest

from .harness import Wire, tool_file

FILES = {
    "counting.py": tool_file(
        "counting",
        """
        def tool_function(to):
            for number in range(to):
                yield f"{number};"
        """,
    ),
    "counting_later.py": tool_file(
        "counting_later",
        """
        import asyncio
        async def tool_function(to):
            for number in range(to):
                await asyncio.sleep(0)
                yield f"{number};"
        """,
    ),
    "made_later.py": tool_file("made_later", "async def tool_function():\n    return (str(n) for n in range(3))\n"),
    "mixed.py": tool_file(
        "mixed",
        """
        from toolwire_runtime import Result
        def tool_function():
            yield 1
            yield {"output": " two ", "metadata": {"a": 1}, "diagnostics": ["x"]}
            yield Result("three", {"b": 2}, ["y"])
            yield "é".encode()[:1]
            yield "é".encode()[1:]
        """,
    ),
    "concluding.py": tool_file(
        "concluding",
        """
        def tool_function(ctx):
            ctx.progress(10, 20)
            yield "on my way"
            return "the end"
        """,
    ),
    "rows.py": tool_file(
        "rows", "def tool_function():\n    yield {'n': 1}\n    yield {'n': 2}\n", output_schema={"type": "array"}
    ),
    "failing_midway.py": tool_file("failing_midway", "def tool_function():\n    yield 'a'\n    raise ValueError('no more')\n"),
    "endless.py": tool_file(
        "endless",
        """
        import os, sys, time
        def tool_function(path):
            try:
                while True:
                    time.sleep(0.001)
                    yield "again "
            finally:
                print("cleaned up " + path)
        """,
    ),
    "endless_later.py": tool_file(
        "endless_later",
        """
        import asyncio
        async def tool_function(path):
            try:
                while True:
                    await asyncio.sleep(0.001)
                    yield "again "
            finally:
                print("cleaned up " + path)
        """,
    ),
    "long.py": tool_file("long", "def tool_function():\n    while True:\n        yield 'x' * (1 << 24)\n"),
}


class GeneratorsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.wire = Wire(FILES)
        self.addCleanup(self.wire.end)

    def test_pieces_are_progress_and_joined_they_are_the_output(self):
        for tool in ("counting", "counting_later"):
            self.wire.execute(tool, tool, {"to": 3}, progress=True)
            for number in range(3):
                said = self.wire.progress(tool)
                self.assertEqual((said["progress"], said["message"]), (number + 1, f"{number};"))
            self.assertEqual(self.wire.answer(tool)["result"]["output"], "0;1;2;")

    def test_without_the_wish_for_progress_there_is_only_the_result(self):
        for tool in ("counting", "counting_later"):
            self.assertEqual(self.wire.output(tool, {"to": 2}), "0;1;")
            self.assertEqual(self.wire.output(tool, {"to": 0}), "")
        self.assertEqual(self.wire.output("made_later"), "012")

    def test_pieces_may_say_what_results_may_say(self):
        result = self.wire.call("mixed")["result"]
        self.assertEqual(result["output"], "1 two threeé")
        self.assertEqual(result["metadata"], {"title": "mixed", "a": 1, "b": 2})
        self.assertEqual(result["diagnostics"], ["x", "y"])

    def test_what_a_generator_returns_is_the_result_and_progress_grows(self):
        self.wire.execute(1, "concluding", {}, progress=True)
        self.assertEqual([self.wire.progress(1)["progress"] for _ in range(2)], [10, 11])
        self.assertEqual(self.wire.answer(1)["result"]["output"], "the end")

    def test_with_an_output_schema_the_pieces_are_an_array(self):
        self.assertEqual(self.wire.call("rows")["result"]["structured"], [{"n": 1}, {"n": 2}])

    def test_an_exception_between_pieces_is_the_failure_of_the_call(self):
        self.assertEqual(self.wire.call("failing_midway")["error"]["data"]["details"], "no more")

    def test_a_cancelled_generator_is_closed(self):
        for tool in ("endless", "endless_later"):
            self.wire.execute(tool, tool, {"path": tool}, progress=True)
            self.wire.progress(tool)
            self.wire.cancel(tool)
            self.assertTrue(self.wire.answer(tool)["error"]["data"]["cancelled"])
            self.assertEqual(self.wire.call(tool, {"path": tool}, timeout=30)["error"]["code"], -32001)
        self.wire.end()
        for tool in ("endless", "endless_later"):
            self.assertEqual(self.wire.errors.count(f"cleaned up {tool}\n".encode()), 2)

    def test_pieces_without_end_are_no_answer(self):
        self.assertIn("80 MiB", self.wire.call("long")["error"]["data"]["details"])


if __name__ == "__main__":
    unittest.main()
