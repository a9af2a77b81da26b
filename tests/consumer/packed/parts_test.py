"""The list of components and the licences of what is linked: made anew from what the programs and the linker's commands
say, and compared.

usage: parts_test.py BUILD WORK SHARED
"""

import hashlib
import json
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import unittest
import zipfile
from pathlib import Path

from bench import BUILD, INSTALLED, PACKAGES, PROGRAMS, PYTHON, REPOSITORY, WORK, make_packages, only, run

DOCUMENTS = INSTALLED / "share/doc/toolwire-tools"
LIST, LICENCES = "toolwire.cdx.json", "third-party-licences.txt"


def setUpModule():
    shutil.rmtree(WORK, ignore_errors=True)
    make_packages(1)


def debian_package(file: Path) -> str:
    """Which package a file is of, as dpkg says when it is asked."""
    for path in (str(file), str(file.resolve()), str(file.resolve()).removeprefix("/usr")):
        done = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    raise AssertionError(f"{file} is of no package")


class Components(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bom = json.loads((DOCUMENTS / LIST).read_text())
        cls.by_reference = {one["bom-ref"]: one for one in cls.bom["components"]}

    def parts(self, program: str, use: str) -> set[str]:
        (of_program,) = (one["dependsOn"] for one in self.bom["dependencies"] if one["ref"] == program)
        return {one["name"] for one in map(self.by_reference.get, of_program)
                for said in one["properties"]
                if said["name"] == f"toolwire:{use}" and program in said["value"].split(", ")}

    def test_every_program_is_in_it_with_its_digest(self):
        programs = {one["name"]: one for one in self.bom["metadata"]["component"]["components"]}
        self.assertEqual(sorted(programs), sorted(PROGRAMS))
        for name, one in programs.items():
            digest = hashlib.sha256((INSTALLED / "bin" / name).read_bytes()).hexdigest()
            self.assertEqual(one["hashes"], [{"alg": "SHA-256", "content": digest}], name)

    def test_every_library_that_a_program_needs_when_it_starts_is_in_it(self):
        some = False
        for program in PROGRAMS:
            for library in re.findall(r"NEEDED\s+(\S+)", run(["objdump", "-p", INSTALLED / "bin" / program]).stdout):
                (file,) = {path.resolve() for folder in ("/lib64", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu")
                           if (path := Path(folder) / library).exists()}
                self.assertIn(debian_package(file), self.parts(program, "shared-library"), f"{program}: {library}")
                some = True
        self.assertTrue(some)

    def test_every_static_library_with_code_in_a_program_is_in_it(self):
        for program in PROGRAMS:
            with self.subTest(program):
                listed, used = self.parts(program, "static-library"), self.used_archives(program)
                archives = {Path(word) for word in self.link_command(program) if re.match(r"/.*\.a$", word)}
                self.assertLessEqual({debian_package(archive) for archive in used}, listed)
                for archive in archives - used:
                    self.assertNotIn(debian_package(archive), listed, archive)
                if archives:
                    self.assertTrue(archives & used)

    @staticmethod
    def link_command(program: str) -> list[str]:
        """The words of the compiler's command alone, which ninja has between two commands of the shell."""
        words = shlex.split(run(["ninja", "-C", BUILD, "-t", "commands", f"bin/{program}"]).stdout.splitlines()[-1])
        return words[words.index("&&") + 1:len(words) - 1 - words[::-1].index("&&")]

    @classmethod
    def used_archives(cls, program: str) -> set[Path]:
        """By linking the program again: the linker traces each member that it takes. The compiler's own are among them."""
        words = [word for word in cls.link_command(program) if "-Map" not in word]
        words[words.index("-o") + 1] = str(WORK / "again")
        traced = run([*words, "-Wl,--trace,--trace"], cwd=BUILD).stdout
        return {Path(archive) for archive in re.findall(r"^\(?(/[^()\s]+\.a)[()]", traced, re.MULTILINE)}

    def test_the_libraries_that_are_known_to_be_there_are_there(self):
        self.assertIn("libboost-json1.81-dev", self.parts("workspace", "static-library"))
        self.assertIn("libre2-dev", self.parts("workspace", "static-library"))
        self.assertIn("libsodium-dev", self.parts("toolwire-bridge", "static-library"))
        self.assertIn("libcli11-dev", self.parts("toolwire", "headers"))
        self.assertEqual(self.parts("toolwire-bridge", "loaded-when-needed"), {"libcurl4", "libssl3"})
        self.assertEqual(self.parts("workspace", "shared-library"), set())

    def test_versions_are_those_that_are_installed_and_each_has_a_licence(self):
        for one in self.bom["components"]:
            installed = run(["dpkg-query", "-W", "-f", "${Version}\n", one["name"]]).stdout.splitlines()
            self.assertIn(one["version"], installed, one["name"])
            self.assertTrue(one["licenses"][0]["expression"], one["name"])

    def test_the_licences_of_all_are_said(self):
        text = (DOCUMENTS / LICENCES).read_text()
        for one in self.bom["components"]:
            (source,) = (each["value"] for each in one["properties"] if each["name"] == "toolwire:source-package")
            self.assertRegex(text, rf"(?m)^  {re.escape(source)} \(.*\b{re.escape(one['name'])}[,)].*"
                                   rf"{re.escape(one['licenses'][0]['expression'])}$")
            self.assertRegex(text, rf"(?m)^=+\n{re.escape(source)}\n=+$")

    def test_every_package_has_both(self):
        found = {}
        for file in (PACKAGES / "npm").glob("*.tgz"):
            with tarfile.open(file) as archive:
                found[file.name] = {Path(name).name for name in archive.getnames()}
        for file in (*(PACKAGES / "python").glob("*.whl"), *(PACKAGES / "mcpb").glob("*.mcpb")):
            with zipfile.ZipFile(file) as archive:
                found[file.name] = {Path(name).name for name in archive.namelist()}
        for plugin in (PACKAGES / "plugins").glob("*/[!.]*"):  # not the list of plugins that Claude Code looks for beside them
            found[str(plugin)] = {path.name for path in plugin.iterdir()}
        self.assertEqual(len(found), 9)
        without_programs = only(PACKAGES / "npm", "toolwire-[0-9]*.tgz").name
        for name, files in found.items():
            self.assertIn("LICENSE", files, name)
            if name != without_programs:
                self.assertLessEqual({LIST, LICENCES}, files, name)


class Refusals(unittest.TestCase):
    def test_a_program_without_the_linkers_map_is_refused(self):
        build = WORK / "no-build"
        build.mkdir()
        done = subprocess.run([PYTHON, REPOSITORY / "framework/packaging/describe_parts.py", "--package", "toolwire-tools",
                               "--build", build, "--version", "1.0.0", "--programs", INSTALLED / "bin", "--out", WORK / "nothing"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{build}/bin/toolwire.map: expected the linker's map of the program", done.stderr)
        self.assertFalse((WORK / "nothing").exists())

    def test_what_is_of_no_package_or_of_an_unknown_licence_is_refused(self):
        sys.path.insert(0, str(REPOSITORY / "framework/packaging/release"))
        import linked
        from programs import Mistake
        with self.assertRaisesRegex(Mistake, "expected a file of a Debian package"):
            linked.Owners().of(Path("/usr/local/lib/libmine.a"))
        with self.assertRaisesRegex(Mistake, "expected a licence for the source package mine"):
            linked.Package("libmine-dev", "1", "mine", "all").licence()
        with self.assertRaisesRegex(Mistake, 'expected "zlib" in it; has the licence changed?'):
            linked.Package("libsodium-dev", "1", "zlib", "all").licence()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
