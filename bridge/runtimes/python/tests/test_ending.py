"""How a runtime ends: at the end of its input, and when it is told to."""

import os
import subprocess
import sys
import unittest

from .harness import PACKAGE, PATIENCE, Directory, Wire, tool_file
from .test_wire import FILES


class EndingTest(unittest.TestCase):
    def test_the_end_of_input_cancels_what_runs(self):
        wire = Wire(FILES)
        wire.execute(1, "wait", progress=True)
        wire.progress(1)
        wire.process.stdin.close()
        self.assertTrue(wire.answer(1)["error"]["data"]["cancelled"])
        self.assertEqual(wire.end(), 0)

    def test_the_end_of_input_ends_it_even_if_a_tool_does_not_care(self):
        hanging = tool_file("hang", "import time\ndef tool_function(ctx):\n    ctx.progress(1)\n    time.sleep(3600)\n")
        wire = Wire({"hang.py": hanging})
        wire.execute(1, "hang", progress=True)
        wire.progress(1)
        self.assertEqual(wire.end(), 0)

    def test_shutdown_lets_calls_finish_and_takes_no_more(self):
        wire = Wire(FILES)
        wire.execute(1, "stubborn", progress=True)
        wire.progress(1)
        wire.request(2, "shutdown")
        wire.execute(3, "echo", {"text": "x"})
        self.assertEqual(wire.answer(3)["error"]["code"], -32603)
        wire.cancel(1)
        self.assertEqual(wire.answer(1)["result"]["output"], "finished all the same")
        self.assertEqual(wire.answer(2)["result"], {})
        self.assertEqual(wire.process.wait(60), 0)
        wire.end()

    def test_shutdown_cancels_what_takes_longer(self):
        wire = Wire(FILES)
        wire.execute(1, "await", progress=True)
        wire.progress(1)
        wire.request(2, "shutdown", {"timeout": 5})
        self.assertTrue(wire.answer(1)["error"]["data"]["cancelled"])
        self.assertEqual(wire.answer(2)["result"], {})
        self.assertEqual(wire.end(), 0)

    def test_what_is_no_directory_ends_the_start_with_2_and_says_what_serves_a_file(self):
        files = Directory({"one.py": ""})
        self.addCleanup(files.remove)
        for path, said in ((os.path.join(files.path, "none"), "expected a directory\n"),
                           (os.path.join(files.path, "one.py"), "toolwire-bridge serve --runtime NAME=" + files.path)):
            ran = subprocess.run([sys.executable, "-m", "toolwire_runtime", path], stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, timeout=PATIENCE, env=dict(os.environ, PYTHONPATH=PACKAGE))
            self.assertEqual(ran.returncode, 2)
            self.assertIn(said, ran.stderr)
            self.assertEqual(ran.stdout, "")


if __name__ == "__main__":
    unittest.main()
