"""The wire, as a bridge sees it."""

import unittest

from .harness import Wire, tool_file

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"], "additionalProperties": False}

FILES = {
    "echo.py": tool_file("echo", "def tool_function(text):\n    return text\n", input_schema=TEXT),
    "later.py": tool_file(
        "later",
        """
        import asyncio
        async def tool_function(text):
            await asyncio.sleep(0)
            return text
        """,
        input_schema=TEXT,
    ),
    "wait.py": tool_file(
        "wait",
        """
        def tool_function(ctx):
            ctx.progress(1, 2, "waiting")
            ctx.abort.wait()
            ctx.progress(2, 2, "never seen")
            ctx.raise_if_aborted()
        """,
    ),
    "await_.py": tool_file(
        "await",
        """
        import asyncio
        async def tool_function(ctx):
            ctx.progress(1)
            await asyncio.Event().wait()
        """,
    ),
    "stubborn.py": tool_file(
        "stubborn",
        """
        def tool_function(ctx):
            ctx.progress(1)
            ctx.abort.wait()
            return "finished all the same"
        """,
    ),
    "printing.py": tool_file(
        "printing",
        """
        import os, sys
        def tool_function():
            print('{"jsonrpc": "2.0"}')
            os.system("echo from a child")
            return repr(sys.stdin.read())
        """,
    ),
    "failing.py": tool_file("failing", "def tool_function(text):\n    raise ValueError(text)\n"),
    "deep.py": tool_file(
        "deep",
        """
        def tool_function(levels):
            nested = 1
            for _ in range(levels):
                nested = [nested]
            return {"output": "x", "metadata": {"nested": nested}}
        """,
    ),
    "long.py": tool_file("long", "def tool_function(size):\n    return 'é' * size\n"),
    "loud.py": tool_file("loud", "def tool_function():\n    raise ValueError('x' * (90 << 20))\n"),
    "voiceless.py": tool_file(
        "voiceless",
        """
        class Voiceless(Exception):
            def __str__(self):
                raise ValueError("never said")
        def tool_function():
            raise Voiceless()
        """,
    ),
    "half.py": tool_file("half", "import sys\ndef tool_function():\n    sys.stderr.write('half a line')\n    return ''\n"),
    "leaving.py": tool_file("leaving", "def tool_function():\n    raise SystemExit(3)\n"),
}


class WireTest(unittest.TestCase):
    def setUp(self) -> None:
        self.wire = Wire(FILES)
        self.addCleanup(self.wire.end)

    def failure(self, answer):
        return answer["error"]["code"], answer["error"]["message"], answer["error"]["data"]["details"]

    def test_a_call_is_answered_with_text_title_and_diagnostics(self):
        answer = self.wire.call("echo", {"text": "grüß \ud83d\ude00 \"dich\"\n"})
        self.assertEqual(answer["protocol"], "1.0.0")
        expected = {"output": "grüß 😀 \"dich\"\n", "metadata": {"title": "echo"}, "diagnostics": []}
        self.assertEqual(answer["result"], expected)

    def test_an_async_tool_is_answered_alike(self):
        self.assertEqual(self.wire.output("later", {"text": "x"}), "x")

    def test_half_a_surrogate_pair_survives(self):
        self.wire.write(
            b'{"jsonrpc":"2.0","protocol":"1.0.0","id":1,"method":"tool.execute",'
            b'"params":{"tool":"echo","parameters":{"text":"\\ud800"},"context":{}}}\n'
        )
        self.assertEqual(self.wire.answer(1)["result"]["output"], "\ud800")

    def test_what_a_tool_says_is_out_before_its_answer(self):
        self.wire.output("half")
        self.wire.process.kill()  # nothing that is still held back comes out any more
        self.wire.end()
        self.assertIn(b"half a line", self.wire.errors)

    def test_ids_come_back_as_they_were(self):
        for id in (7, "7", "", -1, 2**70, 'with "quotes"'):
            self.wire.execute(id, "echo", {"text": "x"})
            self.assertEqual(self.wire.answer(id)["result"]["output"], "x")

    def test_many_calls_in_one_write_are_all_answered(self):
        for id in range(500):
            self.wire.execute(id, "later" if id % 2 else "echo", {"text": str(id)})
        for id in range(500):
            self.assertEqual(self.wire.answer(id)["result"]["output"], str(id))

    def test_lines_may_come_in_pieces(self):
        line = (
            b' {"jsonrpc":"2.0","protocol":"1.7","id":1,"method":"tool.execute",'
            b'"params":{"tool":"echo","parameters":{"text":"' + b"x" * 200000 + b'"}}} \n'
        )
        for begin in range(0, len(line), 70001):
            self.wire.write(line[begin : begin + 70001])
        self.assertEqual(len(self.wire.answer(1)["result"]["output"]), 200000)

    def test_what_is_no_request_is_refused_and_the_next_one_served(self):
        for line, id, code in (
            (b"{", None, -32700),
            (b"\xff\xfe", None, -32700),
            (b"[" * 100000, None, -32700),
            (b'{"id": NaN}', None, -32700),
            (b"[]", None, -32600),
            (b'{"jsonrpc":"2.0","protocol":"1.0.0","id":true,"method":"ping"}', None, -32600),
            (b'{"jsonrpc":"2.0","protocol":"1.0.0","id":null,"method":"ping"}', None, -32600),
            (b'{"protocol":"1.0.0","id":5,"method":"ping"}', 5, -32600),
            (b'{"jsonrpc":"2.0","protocol":"1.0.0","id":6,"method":"ping","params":[]}', 6, -32600),
            (b'{"jsonrpc":"2.0","id":7,"method":"ping"}', 7, -32600),
            (b'{"jsonrpc":"2.0","protocol":"2.0.0","id":8,"method":"ping"}', 8, -32600),
            (b'{"jsonrpc":"2.0","protocol":"1.0.0","id":9,"method":"no.such"}', 9, -32601),
        ):
            self.wire.write(line + b"\n")
            answer = self.wire.answer(id)
            self.assertEqual(answer["error"]["code"], code, line[:80])
        self.assertEqual(self.wire.output("echo", {"text": "still here"}), "still here")

    def test_another_major_version_is_told_what_is_spoken(self):
        self.wire.write(b'{"jsonrpc":"2.0","protocol":"2.0.0","id":8,"method":"ping"}\n')
        error = self.wire.answer(8)["error"]
        self.assertEqual(error["data"]["supported"], "1.0.0")
        self.assertIn('"2.0.0"', error["data"]["details"])

    def test_params_of_the_wrong_shape_are_refused(self):
        for params in ({}, {"tool": 1}, {"tool": "echo", "parameters": []}, {"tool": "echo", "context": 3},
                       {"tool": "echo", "context": {"timeout": "soon"}}, {"tool": "echo", "language": "typescript"}):
            self.wire.request(1, "tool.execute", params)
            self.assertEqual(self.wire.answer(1)["error"]["code"], -32600)

    def test_an_id_under_way_is_refused_and_its_call_goes_on(self):
        self.wire.execute(1, "stubborn", progress=True)
        self.wire.progress(1)
        self.wire.execute(1, "echo", {"text": "x"})
        self.assertEqual(self.wire.answer(1)["error"]["code"], -32600)
        self.wire.cancel(1)
        self.assertEqual(self.wire.answer(1)["result"]["output"], "finished all the same")

    def test_an_unknown_tool_is_named_with_those_there_are(self):
        code, message, details = self.failure(self.wire.call("ecko"))
        self.assertEqual((code, message), (-32601, "Tool not found"))
        self.assertIn("echo", details)

    def test_parameters_that_do_not_fit_are_listed(self):
        error = self.wire.call("echo", {"text": 1, "more": 2})["error"]
        self.assertEqual(error["code"], -32602)
        self.assertEqual([one["path"] for one in error["data"]["violations"]], ["/more", "/text"])
        self.assertEqual(error["data"]["tool"], "echo")
        self.assertEqual(error["data"]["language"], "python")

    def test_an_exception_is_told_in_words_and_its_stack_kept_from_the_wire(self):
        self.assertEqual(self.failure(self.wire.call("failing", {"text": "no"})), (-32000, "Tool execution failed", "no"))
        self.assertEqual(self.failure(self.wire.call("leaving")), (-32000, "Tool execution failed", "SystemExit: 3"))
        self.wire.end()
        self.assertIn(b"Traceback", self.wire.errors)

    def test_what_the_wire_cannot_carry_is_answered_with_an_error(self):
        self.assertEqual(self.wire.output("deep", {"levels": 90}), "x")
        details = lambda *call: self.wire.call(*call)["error"]["data"]["details"]
        self.assertIn("nests more than 100", details("deep", {"levels": 130}))
        self.assertIn("longer than a line may be: 80 MiB", details("long", {"size": 41 << 20}))
        self.assertEqual(len(details("loud")), 1 << 20)

    def test_an_exception_that_cannot_be_put_into_words_ends_its_call_alone(self):
        self.assertEqual(self.wire.call("voiceless")["error"]["data"]["details"], "Voiceless")
        self.wire.request("ping", "ping")
        self.assertEqual(self.wire.answer("ping")["result"]["calls"], 0)

    def test_what_tools_print_goes_to_standard_error_and_their_input_is_empty(self):
        self.assertEqual(self.wire.output("printing"), "''")
        self.wire.end()
        self.assertIn(b'{"jsonrpc": "2.0"}', self.wire.errors)
        self.assertIn(b"from a child", self.wire.errors)

    def test_a_waiting_tool_hears_of_its_cancellation(self):
        for tool in ("wait", "await"):
            self.wire.execute(1, tool, progress=True)
            self.wire.progress(1)
            self.wire.cancel(1)
            error = self.wire.answer(1)["error"]
            self.assertEqual((error["code"], error["data"]["cancelled"]), (-32000, True))

    def test_a_waiting_tool_hears_that_its_time_is_over(self):
        for tool in ("wait", "await"):
            self.assertEqual(self.wire.call(tool, timeout=5)["error"]["code"], -32001)

    def test_the_bridge_may_say_that_the_time_is_over(self):
        self.wire.execute(1, "wait", progress=True)
        self.wire.progress(1)
        self.wire.cancel(1, "timeout")
        self.assertEqual(self.wire.answer(1)["error"]["code"], -32001)

    def test_a_tool_that_finishes_all_the_same_is_answered_with_its_result(self):
        self.assertEqual(self.wire.call("stubborn", timeout=5)["result"]["output"], "finished all the same")

    def test_progress_comes_only_where_it_is_wanted_and_not_after_a_cancellation(self):
        self.wire.execute(1, "wait", progress=True)
        self.assertEqual(self.wire.progress(1), {"id": 1, "progress": 1, "total": 2, "message": "waiting"})
        self.wire.execute(2, "wait", timeout=5)
        self.wire.answer(2)
        self.wire.cancel(1)
        self.wire.answer(1)
        self.wire.request(3, "ping")
        self.assertEqual(self.wire.next()["id"], 3)

    def test_cancelling_what_is_not_there_means_nothing(self):
        for id in (1, "x", None, [], {}):
            self.wire.cancel(id)
        self.assertEqual(self.wire.output("echo", {"text": "x"}), "x")

    def test_a_batch_is_answered_in_order_each_call_for_itself(self):
        calls = [
            {"tool": "later", "parameters": {"text": "a"}},
            {"tool": "failing", "parameters": {"text": "b"}},
            {"tool": "echo", "parameters": {"text": "c"}, "context": {"timeout": 1000}},
            {"tool": "none"},
        ]
        self.wire.request(1, "tool.batch", {"calls": calls, "context": {"sessionId": "s"}})
        results = self.wire.answer(1)["result"]["results"]
        said = [one["result"]["output"] if "result" in one else one["error"]["code"] for one in results]
        self.assertEqual(said, ["a", -32000, "c", -32601])
        self.wire.request(2, "tool.batch", {"calls": []})
        self.assertEqual(self.wire.answer(2)["result"], {"results": []})

    def test_the_calls_of_a_batch_are_cancelled_together(self):
        self.wire.execute(0, "wait", progress=True)
        self.wire.progress(0)
        self.wire.request(1, "tool.batch", {"calls": [{"tool": "wait"}, {"tool": "await"}, {"tool": "wait"}]})
        self.wire.cancel(1)
        results = self.wire.answer(1)["result"]["results"]
        self.assertEqual([one["error"]["data"]["cancelled"] for one in results], [True] * 3)
        self.wire.cancel(0)
        self.wire.answer(0)

    def test_a_ping_is_answered_behind_calls_that_hold_every_worker(self):
        self.wire.request(0, "configure", {"workers": 2, "permissions": {}})
        self.wire.answer(0)
        for id in range(1, 6):
            self.wire.execute(id, "wait", progress=True)
        self.wire.request(9, "ping")
        self.assertEqual(self.wire.answer(9)["result"]["calls"], 5)
        self.wire.cancel(5)  # has not begun, and never does
        self.assertTrue(self.wire.answer(5)["error"]["data"]["cancelled"])
        for id in range(1, 5):
            self.wire.cancel(id)
            self.wire.answer(id)

    def test_a_call_that_waits_for_its_turn_for_too_long_is_told_so(self):
        self.wire.request(0, "configure", {"workers": 1})
        self.wire.answer(0)
        self.wire.execute(1, "wait", progress=True)
        self.wire.progress(1)
        self.assertEqual(self.wire.call("echo", {"text": "x"}, timeout=5)["error"]["code"], -32001)
        self.wire.cancel(1)
        self.wire.answer(1)

    def test_it_is_configured_once(self):
        for params in ({"workers": 0}, {"workers": True}, {"permissions": {"reed": []}}, {"permissions": []}):
            self.wire.request(1, "configure", params)
            self.assertEqual(self.wire.answer(1)["error"]["code"], -32600)
        self.wire.request(1, "configure", {})
        self.assertEqual(self.wire.answer(1)["result"], {})
        self.wire.request(1, "configure", {})
        self.assertEqual(self.wire.answer(1)["error"]["code"], -32600)


if __name__ == "__main__":
    unittest.main()
