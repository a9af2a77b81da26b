"""The packages of our programs that are not Debian's: made twice with the same bytes, installed into fresh prefixes and
used there.

usage: packages_test.py BUILD WORK SHARED
"""

import base64
import csv
import hashlib
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import unittest
import zipfile
from pathlib import Path

from bench import (BUILD, BUNDLE_URL, INSTALLED, PACKAGES, PROGRAMS, PYTHON, REPOSITORY, SHARED, WORK, ask,
                   fresh_environment, make_packages, only, run, schema_problems, tool_names)
import published
from ci import Archive, GitHub, GitLab, NewProject
from container import Containers
from image import Images

TOOLWIRE_NPM = ("toolwire-[0-9]*.tgz", "toolwire-linux-*.tgz")
WORKSPACE_NPM = ("toolwire-workspace-[0-9]*.tgz", "toolwire-workspace-linux-*.tgz")
RUNTIME_TOOL = '''
def tool_info():
    return {"name": "shout", "description": "Says it loudly"}


def tool_function(text: str) -> str:
    return text.upper()
'''


for case in (Archive, Containers, GitHub, GitLab, Images, NewProject):
    case.__module__ = __name__  # they run with the packages that are made here


def setUpModule():
    shutil.rmtree(WORK, ignore_errors=True)
    make_packages(1)
    (WORK / "files").mkdir()
    (WORK / "files" / "note.txt").write_text("hello\n")
    (WORK / "python").mkdir()
    (WORK / "python" / "shout.py").write_text(RUNTIME_TOOL)


def version() -> str:
    return run([INSTALLED / "bin/toolwire", "--version"]).stdout.split()[1]


class Installation:
    """What every installed set of programs has to do; a subclass installs them into `bin`."""

    bin: Path
    environment: dict

    def test_every_program_says_its_version(self):
        for program in PROGRAMS:
            with self.subTest(program):
                if program != "toolwire-attach":
                    said = run([self.bin / program, "--version"], env=self.environment).stdout
                    self.assertIn(version(), said)
                else:
                    self.assertIn("--socket", run([self.bin / program, "--help"], env=self.environment).stdout)

    def test_workspace_reads_a_file(self):
        result = ask([self.bin / "workspace", WORK / "files"],
                     {"method": "tools/call", "params": {"name": "read_file", "arguments": {"path": "note.txt"}}},
                     self.environment)
        self.assertIn("hello", json.dumps(result))

    def test_toolwire_finds_the_bridge_beside_itself_and_that_its_runtime(self):
        result = ask([self.bin / "toolwire", "bridge", "serve", "--wait", "60", "--runtime",
                      f"py={WORK / 'python'}"],
                     {"method": "tools/call", "params": {"name": "shout", "arguments": {"text": "here"}}},
                     self.environment)
        self.assertEqual(result["content"][0]["text"], "HERE")

    def test_exit_statuses_are_those_of_the_programs(self):
        for command, status in ((["toolwire", "nonsense"], 2), (["toolwire-conformance", "--nonsense"], 2),
                                (["toolwire", "schema", "--version"], 0)):
            done = subprocess.run([self.bin / command[0], *command[1:]], capture_output=True, env=self.environment)
            self.assertEqual(done.returncode, status, command)


@unittest.skipUnless(shutil.which("npm"), "there is no npm")
class Npm(Installation, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = WORK / "npm"
        cls.environment = fresh_environment(cls.folder / "home")
        cls.project = cls.folder / "project"
        cls.install(cls.project, TOOLWIRE_NPM)
        cls.bin = cls.project / "node_modules/.bin"

    @classmethod
    def install(cls, project: Path, patterns: tuple, *options: str) -> None:
        """As a user would who has the files and no network."""
        project.mkdir()
        (project / "package.json").write_text('{"name": "mine", "version": "1.0.0"}')
        for pattern in patterns:
            shutil.copy(only(PACKAGES / "npm", pattern), project)
        files = [f"./{only(project, pattern).name}" for pattern in patterns]
        run(["npm", "install", "--offline", "--no-audit", "--no-fund", *options, *files], cwd=project,
            env=cls.environment)

    def test_nothing_runs_when_they_are_installed(self):
        for file in sorted((PACKAGES / "npm").glob("*.tgz")):
            with tarfile.open(file) as archive:
                about = json.load(archive.extractfile("package/package.json"))
            self.assertNotIn("scripts", about, file.name)
            self.assertNotIn("dependencies", about, file.name)

    def test_all_programs_are_commands(self):
        about = json.loads((self.project / "node_modules/toolwire/package.json").read_text())
        self.assertEqual(sorted(about["bin"]), sorted(PROGRAMS))
        self.assertEqual(about["optionalDependencies"], {f"@toolwire/{self.platform()}": version()})

    @staticmethod
    def platform() -> str:
        return re.search(r"linux-\w+", only(PACKAGES / "npm", TOOLWIRE_NPM[1]).name)[0]

    def test_where_node_can_the_process_becomes_the_program(self):
        other = self.folder / "other.js"
        other.write_text("process.execve = (file, words) => console.log([file, ...words].join('|'));")
        script = self.project / "node_modules/toolwire/bin/workspace.js"
        said = run(["node", "--require", other, script, "a b"], env=self.environment).stdout
        program = str(self.project / "node_modules/@toolwire" / self.platform() / "bin/workspace")
        self.assertEqual(said, f"{program}|{program}|a b\n")

    def test_without_the_platforms_package_it_says_what_to_do(self):
        project = self.folder / "alone"
        self.install(project, TOOLWIRE_NPM[:1])
        done = subprocess.run([project / "node_modules/.bin/toolwire"], capture_output=True, text=True,
                              env=self.environment)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"the package @toolwire/{self.platform()} is missing", done.stderr)

    def test_workspace_is_a_package_of_its_own(self):
        project = self.folder / "workspace"
        self.install(project, WORKSPACE_NPM)
        names = tool_names([project / "node_modules/.bin/workspace", WORK / "files"], self.environment)
        self.assertIn("read_file", names)

    def test_what_it_puts_into_a_host_starts_without_node(self):
        environment = {**self.environment, "PATH": f"{self.bin}:{self.environment['PATH']}"}
        run(["toolwire", "install", "cursor", "--", "workspace", WORK / "files"], env=environment, cwd=self.folder)
        entry = json.loads((self.folder / "home/.cursor/mcp.json").read_text())["mcpServers"]
        (server,) = entry.values()
        self.assertEqual(server["command"], str((self.bin / "../@toolwire" / self.platform() / "bin/workspace").resolve()))

    def test_it_is_installed_for_all_projects(self):
        prefix = self.folder / "prefix"
        run(["npm", "install", "--global", "--offline", "--no-audit", "--no-fund", "--prefix", prefix,
             *(only(PACKAGES / "npm", pattern) for pattern in TOOLWIRE_NPM)], env=self.environment)
        names = tool_names([prefix / "bin/workspace", WORK / "files"], self.environment)
        self.assertIn("read_file", names)


class Wheel(Installation, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = WORK / "python-environment"
        cls.environment = fresh_environment(WORK / "python-home", PIP_DISABLE_PIP_VERSION_CHECK="1")
        cls.file = only(PACKAGES / "python", "*.whl")
        run([PYTHON, "-m", "venv", folder], env=cls.environment)
        cls.bin = folder / "bin"
        run([cls.bin / "pip", "install", "--no-index", cls.file], env=cls.environment)
        cls.archive = zipfile.ZipFile(cls.file)

    def test_the_record_is_that_of_its_files(self):
        info = f"toolwire-{version()}.dist-info"
        record = list(csv.reader(io.StringIO(self.archive.read(f"{info}/RECORD").decode())))
        self.assertEqual([row[0] for row in record], self.archive.namelist())
        for name, digest, size in record[:-1]:
            content = self.archive.read(name)
            expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            self.assertEqual((digest, size), (f"sha256={expected}", str(len(content))), name)
        self.assertEqual(record[-1], [f"{info}/RECORD", "", ""])

    def test_programs_can_be_executed_and_nothing_else(self):
        for entry in self.archive.infolist():
            mode = entry.external_attr >> 16
            self.assertEqual(bool(mode & 0o111), "/scripts/" in entry.filename, entry.filename)
        for program in PROGRAMS:
            self.assertEqual(stat.S_IMODE((self.bin / program).stat().st_mode) & 0o555, 0o555, program)

    def test_the_tag_is_the_glibc_that_the_programs_need(self):
        needed = {(2, 0)}
        for program in PROGRAMS:
            if not self.is_static(self.bin / program):
                symbols = run(["objdump", "-T", self.bin / program]).stdout
                needed.update((int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols))
        machine = run(["uname", "-m"]).stdout.strip()
        major, minor = max(needed)
        self.assertTrue(self.file.name.endswith(f"-py3-none-manylinux_{major}_{minor}_{machine}.whl"), self.file.name)
        self.assertIn(f"Tag: py3-none-manylinux_{major}_{minor}_{machine}\n",
                      self.archive.read(f"toolwire-{version()}.dist-info/WHEEL").decode())

    @staticmethod
    def is_static(program: Path) -> bool:
        return "INTERP" not in run(["objdump", "-p", program]).stdout

    def test_pip_has_nothing_against_it_and_takes_it_away_again(self):
        run([self.bin / "pip", "check"], env=self.environment)
        other = WORK / "python-uninstalled"
        run([PYTHON, "-m", "venv", other], env=self.environment)
        before = sorted(other.rglob("*"))
        run([other / "bin/pip", "install", "--no-index", self.file], env=self.environment)
        self.assertNotEqual(sorted(other.rglob("*")), before)
        run([other / "bin/pip", "uninstall", "--yes", "toolwire"], env=self.environment)
        ours = [path for path in other.rglob("*") if path not in before and path.is_file()]
        self.assertEqual(ours, [])

    def test_the_names_of_licences_are_those_of_files(self):
        info = f"toolwire-{version()}.dist-info"
        about = self.archive.read(f"{info}/METADATA").decode()
        named = re.findall(r"^License-File: (.+)$", about, re.MULTILINE)
        self.assertEqual(sorted(named), ["LICENSE", "third-party-licences.txt"])
        for name in named:
            self.assertIn(f"{info}/licenses/{name}", self.archive.namelist())


class Bundle(unittest.TestCase):
    def test_workspace_starts_from_it_as_a_host_starts_it(self):
        folder = WORK / "bundle"
        with zipfile.ZipFile(only(PACKAGES / "mcpb", "*.mcpb")) as archive:
            for entry in archive.infolist():
                archive.extract(entry, folder)
                (folder / entry.filename).chmod(entry.external_attr >> 16)
        schema = SHARED / "mcpb/mcpb-manifest-v0.3.schema.json"
        if schema.is_file():
            self.assertEqual(schema_problems(schema, folder / "manifest.json"), f"{folder / 'manifest.json'}: fits\n")
        else:
            print(f"NOT JUDGED: there is no {schema}", file=sys.stderr)
        start = json.loads((folder / "manifest.json").read_text())["server"]["mcp_config"]
        self.assertEqual(start["args"], ["${user_config.folders}"])
        program = start["command"].replace("${__dirname}", str(folder))
        environment = fresh_environment(WORK / "bundle-home")
        self.assertIn("read_file", tool_names([program, WORK / "files"], environment))


class Registry(unittest.TestCase):
    def setUp(self):
        self.entries = {name: PACKAGES / "registry" / name / "server.json" for name in ("bridge", "workspace")}
        self.read = {name: json.loads(file.read_text()) for name, file in self.entries.items()}

    def test_entries_are_as_the_registry_wants_them(self):
        for name, file in self.entries.items():
            problems = schema_problems(Path(__file__).parent / "registry_entry.schema.json", file)
            self.assertEqual(problems, f"{file}: fits\n", name)

    def test_what_they_name_is_what_is_packed_and_says_whose_it_is(self):
        wheel = only(PACKAGES / "python", "*.whl")
        with zipfile.ZipFile(wheel) as archive:
            python = archive.read(f"toolwire-{version()}.dist-info/METADATA").decode()
        of_npm = {}
        for file in (PACKAGES / "npm").glob("*.tgz"):
            with tarfile.open(file) as archive:
                about = json.load(archive.extractfile("package/package.json"))
            of_npm[about["name"]] = about
        for entry in self.read.values():
            for package in entry["packages"]:
                kind = package["registryType"]
                if kind == "npm":
                    self.assertEqual(of_npm[package["identifier"]]["mcpName"], entry["name"])
                    self.assertEqual(of_npm[package["identifier"]]["version"], package["version"])
                elif kind == "pypi":
                    self.assertIn(f"\nmcp-name: {entry['name']}\n", python)
                    self.assertIn(f"\nName: {package['identifier']}\nVersion: {package['version']}\n", python)
                else:
                    bundle = only(PACKAGES / "mcpb", "*.mcpb")
                    self.assertEqual(package["identifier"], BUNDLE_URL)
                    self.assertEqual(package["fileSha256"], hashlib.sha256(bundle.read_bytes()).hexdigest())
        self.assertEqual({package["registryType"] for package in self.read["workspace"]["packages"]}, {"npm", "mcpb"})

    def test_the_bridge_starts_with_the_words_of_its_entry(self):
        configuration = WORK / "mcp.json"
        server = {"command": str(INSTALLED / "bin/workspace"), "args": [str(WORK / "files")]}
        configuration.write_text(json.dumps({"mcpServers": {"files": server}}))
        configuration.chmod(0o600)
        words = [word.get("value", str(configuration)) for word in self.read["bridge"]["packages"][0]["packageArguments"]]
        environment = fresh_environment(WORK / "registry-home")
        self.assertIn("read_file", tool_names([INSTALLED / "bin/toolwire", *words], environment))


class Plugins(unittest.TestCase):
    # Of each host: the file that it finds the plugin by, and that of the servers. In a path of the former to the latter
    # "." is the plugin's folder.
    FILES = {"claude-code": (".claude-plugin/plugin.json", ".mcp.json"),
             "cursor": (".cursor-plugin/plugin.json", "mcp.json"),
             "gemini-cli": ("gemini-extension.json", "gemini-extension.json")}
    VARIABLES = {"${CLAUDE_PLUGIN_ROOT}": "plugin", "${CURSOR_PLUGIN_ROOT}": "plugin", "${extensionPath}": "plugin",
                 "${CLAUDE_PROJECT_DIR:-.}": "project", "${workspaceFolder}": "project", "${workspacePath}": "project"}

    def test_each_starts_workspace_on_the_project(self):
        self.assertEqual(sorted(path.name for path in (PACKAGES / "plugins").iterdir()), sorted(self.FILES))
        for host, (about_file, servers_file) in self.FILES.items():
            with self.subTest(host):
                plugin = WORK / "plugins" / host
                shutil.copytree(only(PACKAGES / "plugins" / host, "toolwire-*"), plugin)
                self.assertGreater(len((plugin / "README.md").read_text().split()), 40)
                about = json.loads((plugin / about_file).read_text())
                self.assertRegex(about["name"], "^[a-z0-9-]+$")
                self.assertEqual(about["version"], version())
                if isinstance(about.get("mcpServers"), str):
                    self.assertEqual((plugin / about["mcpServers"]).resolve(), (plugin / servers_file).resolve())
                servers = json.loads((plugin / servers_file).read_text())["mcpServers"]
                command = [self.filled(word, plugin) for word in (servers["workspace"]["command"],
                                                                  *servers["workspace"]["args"])]
                environment = fresh_environment(WORK / "plugin-home")
                result = ask(command, {"method": "tools/call",
                                       "params": {"name": "read_file", "arguments": {"path": "note.txt"}}}, environment)
                self.assertIn("hello", json.dumps(result))

    def test_claude_code_finds_its_plugin_where_the_folder_says(self):
        folder = PACKAGES / "plugins/claude-code"
        (listed,) = json.loads((folder / ".claude-plugin/marketplace.json").read_text())["plugins"]
        about = json.loads((folder / listed["source"] / ".claude-plugin/plugin.json").read_text())
        self.assertEqual({key: listed[key] for key in ("name", "version", "description")},
                         {key: about[key] for key in ("name", "version", "description")})

    def filled(self, word: str, plugin: Path) -> str:
        for variable, stands_for in self.VARIABLES.items():
            word = word.replace(variable, str(plugin if stands_for == "plugin" else WORK / "files"))
        self.assertNotIn("${", word)
        return word


class Reproducible(unittest.TestCase):
    def test_two_folders_give_the_same_bytes(self):
        second = make_packages(2)
        files = sorted(path.relative_to(PACKAGES) for path in PACKAGES.rglob("*") if path.is_file())
        self.assertEqual(files, sorted(path.relative_to(second) for path in second.rglob("*") if path.is_file()))
        self.assertGreaterEqual(len(files), 15)
        for file in files:
            self.assertEqual((PACKAGES / file).read_bytes(), (second / file).read_bytes(), file)

    def test_no_file_says_where_it_was_made(self):
        for place in (str(REPOSITORY) + "/", str(BUILD) + "/", str(WORK) + "/"):
            for file in INSTALLED.rglob("*"):
                if file.is_file():
                    self.assertNotIn(place.encode(), file.read_bytes(), file)


class Published(unittest.TestCase):
    def test_the_page_has_each_package_with_its_size(self):
        self.assertEqual(published.problems("packed", PACKAGES), [])

    def test_a_row_too_many_one_too_few_and_a_wrong_size_are_found(self):
        page = "| `npm/a-….tgz`, npm | 1.0 MB | |\n| `npm/b-….tgz` | 2 kB | |\n| `x_….deb` | 2 MB | |\n"
        right = {"npm/a-….tgz": 1_050_000, "npm/b-….tgz": 2400, "x_….deb": 2_000_000}
        self.assertEqual(published.differences(page, "packed", right), [])
        self.assertEqual(published.differences(page, "packed", right | {"npm/a-….tgz": 1_200_000, "c.mcpb": 1}), [
            "c.mcpb: is built, and has no row", "npm/a-….tgz: 1000000 bytes are published, and 1200000 were built"])
        del right["x_….deb"]
        self.assertEqual(published.differences(page, "packed", right), ["x_….deb: has a row, and is not built"])
        self.assertEqual(published.differences(page, "debian", {}), [])


class Mistakes(unittest.TestCase):
    def test_what_is_not_there_is_named_and_what_was_made_stays(self):
        prefix, out = WORK / "incomplete", WORK / "kept"
        shutil.copytree(INSTALLED, prefix)
        (prefix / "bin/toolwire-attach").unlink()
        (out / "npm").mkdir(parents=True)
        (out / "npm/before.tgz").write_text("before")
        done = subprocess.run([PYTHON, REPOSITORY / "framework/packaging/make_packages.py", "--programs", prefix, "--out",
                               out], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"expected all programs, missing: {prefix}/bin/toolwire-attach", done.stderr)
        self.assertEqual([path.name for path in out.rglob("*")], ["npm", "before.tgz"])

    def test_a_time_that_is_none_is_refused(self):
        done = subprocess.run([PYTHON, REPOSITORY / "framework/packaging/make_packages.py", "--programs", INSTALLED,
                               "--out", WORK / "no-time"], capture_output=True, text=True,
                              env={**os.environ, "SOURCE_DATE_EPOCH": "yesterday"})
        self.assertEqual(done.returncode, 1)
        self.assertIn('SOURCE_DATE_EPOCH: expected seconds since 1970, found "yesterday"', done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
