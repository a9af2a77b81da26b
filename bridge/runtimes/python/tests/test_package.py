"""What is published: the wheel, and the version, which is that of the whole project."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from toolwire_runtime import __version__

from .harness import PACKAGE, PATIENCE

NEEDED = ("setuptools", "wheel")
HAS_ALL = all(importlib.util.find_spec(name) is not None for name in NEEDED)
ROOT = os.path.join(PACKAGE, "..", "..", "..")


def text_of(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


class PackageTest(unittest.TestCase):
    def test_an_older_python_is_told_which_one_is_expected(self):
        program = "import sys; sys.version_info = (3, 8, 18); sys.version = '3.8.18 (main)'; import toolwire_runtime"
        ran = subprocess.run(
            [sys.executable, "-c", program],
            cwd=PACKAGE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=PATIENCE,
        )
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("expected Python 3.9 or later, found 3.8.18", ran.stderr)

    def test_the_packages_of_both_languages_have_the_version_of_the_project(self):
        project = re.search(r"project\(toolwire VERSION ([0-9.]+)", text_of(ROOT, "CMakeLists.txt"))
        self.assertEqual(__version__, project[1])
        self.assertIn(f'\nversion = "{project[1]}"\n', text_of(PACKAGE, "pyproject.toml"))
        typescript = os.path.join(PACKAGE, "..", "typescript")
        self.assertEqual(json.loads(text_of(typescript, "package.json"))["version"], project[1])
        locked = json.loads(text_of(typescript, "package-lock.json"))
        self.assertEqual([locked["version"], locked["packages"][""]["version"]], [project[1]] * 2)

    @unittest.skipUnless(HAS_ALL, "needs " + ", ".join(NEEDED))
    def test_the_wheel_holds_the_package_and_says_what_it_is(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "source")
            shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__", "tests"))
            build = [sys.executable, "-c", "import sys, setuptools.build_meta as it; it.build_wheel(sys.argv[1])", folder]
            subprocess.run(build, cwd=source, check=True, timeout=10 * PATIENCE, stdout=subprocess.DEVNULL)
            name = f"toolwire_runtime-{__version__}-py3-none-any.whl"
            with zipfile.ZipFile(os.path.join(folder, name)) as wheel:
                inside = set(wheel.namelist())
                metadata = wheel.read(f"toolwire_runtime-{__version__}.dist-info/METADATA").decode()
        modules = {f"toolwire_runtime/{file}" for file in os.listdir(os.path.join(PACKAGE, "toolwire_runtime")) if file.endswith(".py")}
        self.assertEqual({file for file in inside if ".dist-info/" not in file}, modules)
        for line in ("Name: toolwire-runtime", "License: MIT", "Requires-Python: >=3.9", "Description-Content-Type: text/markdown"):
            self.assertIn(line, metadata)
        self.assertIn("# ", metadata.partition("\n\n")[2])  # the README


if __name__ == "__main__":
    unittest.main()
