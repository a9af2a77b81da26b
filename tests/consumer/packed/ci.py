"""The templates of conformance/ci, run as GitHub and GitLab run them: with the archive that was packed and a server of
this repository; and the jobs of new projects. What `uses:` names, and who else starts the jobs, is theirs."""

import hashlib
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import yaml

from bench import BUILD, INSTALLED, LIMIT, PACKAGES, REPOSITORY, WORK, fresh_environment, only, run

CI = REPOSITORY / "conformance/ci"
CHOICE = "--only ping --revision 2025-11-25"
GOOD_SERVER = f"'{BUILD / 'bin/hello'}'"
BAD_SERVER = "sh -c 'echo no message; cat'"
REPORTS = {"report.json", "report.xml", "report.html", "badge.svg"}


def archive() -> Path:
    return only(PACKAGES / "archive", "*.tar.gz")


def digest() -> str:
    return hashlib.sha256(archive().read_bytes()).hexdigest()


class Job(unittest.TestCase):
    """One job in a folder of its own; a shell ends at the first line that fails, as both do it."""

    def setUp(self):
        folder = WORK / "ci"
        folder.mkdir(exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        self.environment = fresh_environment(self.folder / "home")

    def shell(self, text: str, environment: dict) -> subprocess.CompletedProcess:
        return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", text], cwd=self.folder,
                              capture_output=True, text=True, timeout=LIMIT, env={**self.environment, **environment})

    def reports(self) -> set[str]:
        return {file.name for file in (self.folder / "mcp-conformance").glob("*")}

    def assert_judged(self, verdict: str) -> None:
        report = json.loads((self.folder / "mcp-conformance/report.json").read_text())
        self.assertEqual("FAIL" in {check["verdict"] for check in report["checks"]}, verdict == "FAIL")


class GitHub(Job):
    action = yaml.safe_load((CI / "action.yml").read_text())

    def inputs(self, **given: str) -> dict:
        chosen = {"archive": archive().as_uri(), "sha256": digest(), "server": GOOD_SERVER, "options": CHOICE, **given}
        missing = [name for name, one in self.action["inputs"].items() if one.get("required") and name not in chosen]
        self.assertEqual(missing, [])
        return {**{name: one.get("default", "") for name, one in self.action["inputs"].items()}, **chosen}

    def steps(self, inputs: dict) -> list[int]:
        """The statuses of the steps that are commands, until one fails."""
        statuses = []
        for step in (step for step in self.action["runs"]["steps"] if "run" in step):
            given = {name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda it: inputs[it[1]], value)
                     for name, value in step["env"].items()}
            place = {"GITHUB_ACTION_PATH": str(CI), "RUNNER_TEMP": str(self.folder / "runner"),
                     "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md")}
            self.said = self.shell(step["run"], {**place, **given})
            statuses.append(self.said.returncode)
            if statuses[-1] != 0:
                break
        return statuses

    def test_a_good_server_passes_and_is_reported(self):
        self.assertEqual(self.steps(self.inputs()), [0, 0], self.said.stderr)
        self.assertEqual(self.reports(), REPORTS | {"report.sarif"})
        self.assert_judged("PASS")
        self.assertIn("passed", (self.folder / "summary.md").read_text())

    def test_a_bad_server_fails_and_is_reported_all_the_same(self):
        self.assertEqual(self.steps(self.inputs(server=BAD_SERVER)), [0, 1], self.said.stderr)
        self.assertEqual(self.reports(), REPORTS | {"report.sarif"})
        self.assert_judged("FAIL")
        self.assertIn("::error", self.said.stdout)

    def test_another_archive_is_refused(self):
        self.assertEqual(self.steps(self.inputs(sha256="0" * 64)), [1])
        self.assertIn(f"expected the SHA-256 {'0' * 64}, found {digest()}", self.said.stderr)
        self.assertFalse((self.folder / "runner").exists())

    def test_an_archive_without_a_digest_is_refused(self):
        self.assertEqual(self.steps(self.inputs(sha256="")), [2])

    def test_no_input_becomes_part_of_a_script(self):
        for step in self.action["runs"]["steps"]:
            self.assertNotIn("${{", step.get("run", ""), step["name"])

    def test_the_example_uses_it_as_it_is(self):
        example = yaml.safe_load((REPOSITORY / "conformance/examples/ci.yml").read_text())
        (step,) = (one for one in example["jobs"]["conformance"]["steps"] if "conformance/ci@" in one.get("uses", ""))
        self.assertLessEqual(set(step["with"]), set(self.action["inputs"]))
        self.inputs(**step["with"])


class GitLab(Job):
    template = yaml.safe_load((CI / "gitlab.yml").read_text())[".mcp-conformance"]

    def job(self, **given: str) -> int:
        variables = {"MCP_CONFORMANCE_ARCHIVE": archive().as_uri(), "MCP_CONFORMANCE_SHA256": digest(),
                     "MCP_SERVER": GOOD_SERVER, "MCP_CONFORMANCE_OPTIONS": CHOICE}
        self.assertEqual(set(variables), set(self.template["variables"]))
        self.said = self.shell("\n".join(self.template["script"]), {**variables, **given})
        return self.said.returncode

    def test_a_good_server_passes_and_is_reported(self):
        self.assertEqual(self.job(), 0, self.said.stderr)
        self.assertEqual(self.reports(), REPORTS)
        self.assert_judged("PASS")
        self.assertTrue((self.folder / self.template["artifacts"]["reports"]["junit"]).is_file())

    def test_a_bad_server_fails_and_is_reported_all_the_same(self):
        self.assertEqual(self.job(MCP_SERVER=BAD_SERVER), 1, self.said.stderr)
        self.assertEqual(self.reports(), REPORTS)
        self.assert_judged("FAIL")

    def test_another_archive_is_refused(self):
        self.assertNotEqual(self.job(MCP_CONFORMANCE_SHA256="0" * 64), 0)
        self.assertEqual(self.reports(), set())

    def test_the_example_uses_it_as_it_is(self):
        example = yaml.safe_load((REPOSITORY / "conformance/examples/gitlab.yml").read_text())
        job = example["mcp-conformance"]
        self.assertEqual(job["extends"], ".mcp-conformance")
        self.assertLessEqual(set(job["variables"]), set(self.template["variables"]))


class NewProject(Job):
    """The job that `toolwire new` writes, but for what it installs, and builds: consumer_fetched and consumer_new_projects do that."""

    def setUp(self):
        super().setUp()
        self.environment["CMAKE_GENERATOR"] = "Ninja"  # the job installs make, which may not be here

    def project(self, kind: str) -> list[dict]:
        run([INSTALLED / "bin/toolwire", "new", "mine", "--template", kind], cwd=self.folder)
        self.folder /= "mine"
        (job,) = yaml.safe_load((self.folder / ".github/workflows/ci.yml").read_text())["jobs"].values()
        return [step for step in job["steps"] if "run" in step]

    def passes(self, step: dict, **variables: str) -> None:
        given = {name: variables[re.fullmatch(r"\$\{\{ vars\.(\w+) \}\}", value)[1]] for name, value in step.get("env", {}).items()}
        done = self.shell(step["run"], given)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_variable_that_nobody_has_set_is_named(self):
        step = self.project("tools")[1]
        self.assertIn("TOOLWIRE_REPOSITORY: expected a variable", self.shell(step["run"], {"TOOLWIRE_REPOSITORY": ""}).stderr)

    def test_the_library_is_fetched_from_the_repository_that_is_named(self):
        if subprocess.run(["git", "-C", REPOSITORY, "rev-parse"], capture_output=True).returncode != 0:
            self.skipTest("these sources are in no repository")
        released = self.folder / "released"
        run(["git", "clone", "--quiet", "--shared", REPOSITORY, released])
        run(["git", "-C", released, "tag", "v" + run([INSTALLED / "bin/toolwire", "--version"]).stdout.split()[1]])
        steps = self.project("sqlite")
        self.assertEqual([step["name"] for step in steps], ["Install what it is built with", "Configure", "Build", "Test"])
        self.passes(steps[1], TOOLWIRE_REPOSITORY=f"file://{released}")
        self.assertTrue((self.folder / "build/_deps/toolwire-src/framework").is_dir())

    def test_a_project_of_programs_passes(self):
        steps = self.project("bridge")
        self.environment["PATH"] = f"{INSTALLED / 'bin'}:{self.environment['PATH']}"
        self.assertEqual([step["name"] for step in steps[1:]], ["Configure", "Test"])
        for step in steps[1:]:
            self.passes(step)


class Archive(unittest.TestCase):
    def test_its_digest_is_beside_it(self):
        beside = only(PACKAGES / "archive", "*.sha256")
        subprocess.run(["sha256sum", "--check", "--status", beside.name], cwd=beside.parent, check=True)

    def test_the_program_runs_where_there_is_nothing_else(self):
        root = WORK / "empty-root"
        root.mkdir()
        subprocess.run(["tar", "-xzf", archive(), "-C", root, "--strip-components", "1"], check=True)
        prefix = [] if os.geteuid() == 0 else ["unshare", "--map-root-user"]
        said = subprocess.run([*prefix, "chroot", root, "/bin/toolwire-conformance", "--version"], check=True,
                              capture_output=True, text=True, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}).stdout
        self.assertIn("toolwire-conformance", said)
