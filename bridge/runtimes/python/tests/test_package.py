"""What is published has the version of the whole project."""

import json
import os
import re
import unittest

from toolwire_runtime import __version__

from .harness import PACKAGE

ROOT = os.path.join(PACKAGE, "..", "..", "..")


def text_of(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


class PackageTest(unittest.TestCase):
    def test_the_packages_of_both_languages_have_the_version_of_the_project(self):
        project = re.search(r"project\(toolwire VERSION ([0-9.]+)", text_of(ROOT, "CMakeLists.txt"))
        self.assertEqual(__version__, project[1])
        self.assertIn(f'\nversion = "{project[1]}"\n', text_of(PACKAGE, "pyproject.toml"))
        typescript = os.path.join(PACKAGE, "..", "typescript")
        self.assertEqual(json.loads(text_of(typescript, "package.json"))["version"], project[1])
        locked = json.loads(text_of(typescript, "package-lock.json"))
        self.assertEqual([locked["version"], locked["packages"][""]["version"]], [project[1]] * 2)


if __name__ == "__main__":
    unittest.main()
