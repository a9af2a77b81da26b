"""The package, installed without a network into a virtual environment."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from .harness import PACKAGE, PATIENCE, Directory, tool_file

NEEDED = ("ensurepip", "setuptools", "wheel")
HAS_ALL = all(importlib.util.find_spec(name) is not None for name in NEEDED)


class InstallTest(unittest.TestCase):
    @unittest.skipUnless(HAS_ALL, "needs " + ", ".join(NEEDED))
    def test_it_runs_from_a_virtual_environment(self):
        tools = Directory({"echo.py": tool_file("echo", "def tool_function(text):\n    return text\n")})
        self.addCleanup(tools.remove)
        with tempfile.TemporaryDirectory() as folder:
            source, place = os.path.join(folder, "source"), os.path.join(folder, "env")
            shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__", "tests"))
            python = os.path.join(place, "bin", "python")
            install = [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", source]
            for command in ([sys.executable, "-m", "venv", "--system-site-packages", place], install):
                subprocess.run(command, check=True, timeout=10 * PATIENCE, stdout=subprocess.DEVNULL)
            for program in ([os.path.join(place, "bin", "toolwire-runtime")], [python, "-m", "toolwire_runtime"]):
                request = b'{"jsonrpc":"2.0","protocol":"1.0.0","id":1,"method":"registry.list"}\n'
                ran = subprocess.run([*program, tools.path], input=request, capture_output=True, timeout=PATIENCE, cwd="/")
                self.assertIn(b'"id":"echo"', ran.stdout)
                self.assertEqual(ran.returncode, 0)


if __name__ == "__main__":
    unittest.main()
