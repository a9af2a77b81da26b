"""The images as containers, started by podman: loaded, with a folder or a file mounted, without a network. Skipped where podman
is missing, or can start no container at all."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from bench import INSTALLED, LIMIT, PACKAGES, WORK, ask, fresh_environment, only, run

# Where the groups of version 2 stand beside those of version 1 ("hybrid"), crun starts nothing: in a table of mounts of
# its own podman sees the latter only.
ONE_KIND_OF_GROUPS = 'umount /sys/fs/cgroup/unified && exec "$@"'
# Else podman raises them, for which root may have no right.
LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=512:512"]


class Podman:
    """Images and containers in folders of its own. These are in /tmp, as there is a socket with a long name in them."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="pod"))
        self.environment = fresh_environment(self.folder / "home", TMPDIR=str(self.folder))
        self.environment["PATH"] += ":/usr/sbin:/sbin"
        root = ["--root", self.folder / "root", "--runroot", self.folder / "run", "--storage-driver", "vfs"]
        has_both = Path("/sys/fs/cgroup/unified").is_dir() and os.geteuid() == 0
        apart = ["unshare", "--mount", "sh", "-c", ONE_KIND_OF_GROUPS, "sh"] if has_both else []
        self.command = [*apart, "podman", *map(str, root), "--cgroup-manager", "cgroupfs", "--events-backend", "file"]

    def running(self, *words: object) -> list[str]:
        """The command that runs a container: options, what is run, and arguments."""
        return [*self.command, "run", "-i", "--rm", "--network", "none", *LIMITS, *map(str, words)]

    def why_not(self) -> str:
        """Why no container can be started, whatever is in it; empty if one can."""
        program = self.folder / "probe/bin/workspace"
        program.parent.mkdir(parents=True)
        shutil.copy(INSTALLED / "bin/workspace", program)
        done = subprocess.run(self.running("--rootfs", self.folder / "probe", "/bin/workspace", "--version"),
                              capture_output=True, text=True, timeout=LIMIT, env=self.environment)
        return "" if done.returncode == 0 else done.stderr.strip() or f"podman ended with {done.returncode}"

    def load(self, image: str) -> str:
        """Returns the image's version."""
        run([*self.command, "load", "-q", "-i", only(PACKAGES / "oci", f"toolwire-{image}-*.oci.tar")], env=self.environment)
        return run([INSTALLED / "bin/toolwire", "--version"]).stdout.split()[1]

    def close(self) -> None:
        subprocess.run([*self.command, "system", "reset", "--force"], capture_output=True, timeout=LIMIT, env=self.environment)
        shutil.rmtree(self.folder, ignore_errors=True)


@unittest.skipUnless(shutil.which("podman"), "there is no podman")
class Containers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.podman = Podman()
        cls.addClassCleanup(cls.podman.close)
        if why_not := cls.podman.why_not():
            raise unittest.SkipTest(f"no container can be started here: {why_not}")
        cls.versions = {image: cls.podman.load(image) for image in ("bridge", "workspace")}

    def mounted(self, place: Path, options: str = "") -> list[str]:
        return ["-v", f"{place.absolute()}:{options}"]

    def image(self, name: str) -> str:
        return f"toolwire/{name}:{self.versions[name]}"

    def call(self, command: list[str], tool: str, arguments: dict) -> str:
        return json.dumps(ask(command, {"method": "tools/call", "params": {"name": tool, "arguments": arguments}}, self.podman.environment))

    def test_workspace_serves_the_folder_that_is_mounted(self):
        command = self.podman.running(*self.mounted(WORK / "files", "/project"), self.image("workspace"))
        self.assertIn("hello", self.call(command, "read_file", {"path": "note.txt"}))

    def test_workspace_writes_as_the_user_who_runs_it(self):
        folder = WORK / "written"
        folder.mkdir()
        options = ["--user", f"{os.geteuid()}:{os.getegid()}", *self.mounted(folder, "/project")]
        self.call(self.podman.running(*options, self.image("workspace"), "--write"), "write_file", {"path": "new.txt", "content": "made\n"})
        self.assertEqual((folder / "new.txt").read_text(), "made\n")
        self.assertEqual((folder / "new.txt").stat().st_uid, os.geteuid())

    def test_who_runs_it_is_nobody_unless_it_is_said(self):
        folder = WORK / "not-written"
        folder.mkdir()
        command = self.podman.running(*self.mounted(folder, "/project"), self.image("workspace"), "--write")
        self.call(command, "write_file", {"path": "new.txt", "content": "made\n"})
        self.assertEqual(list(folder.iterdir()), [])

    def test_the_bridge_takes_its_configuration_from_a_mount_and_words_behind_its_name(self):
        configuration = WORK / "container.json"
        configuration.write_text(json.dumps({"mcpServers": {"far": {"type": "http", "url": "http://127.0.0.1:9/mcp"}}}))
        configuration.chmod(0o644)
        mount = self.mounted(configuration, "/etc/toolwire/mcp.json:ro")
        done = subprocess.run(self.podman.running(*mount, self.image("bridge"), "check", "/etc/toolwire/mcp.json"),
                              capture_output=True, text=True, timeout=LIMIT, env=self.podman.environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("tools", ask(self.podman.running(*mount, self.image("bridge")), {"method": "tools/list"}, self.podman.environment))
