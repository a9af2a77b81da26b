"""The images of containers that were made: laid out as the OCI wants it, and what is unpacked from them runs in a root of
its own, where there is nothing else."""

import gzip
import hashlib
import io
import json
import os
import subprocess
import tarfile
import unittest
from pathlib import Path

from bench import LIMIT, PACKAGES, PYTHON, WORK, ask, only

GREETING = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "images", "version": "1"}}}


class Layout:
    """An archive of the OCI, read as those who load it do."""

    def __init__(self, name: str):
        with tarfile.open(only(PACKAGES / "oci", f"toolwire-{name}-*.oci.tar")) as archive:
            self.files = {one.name: archive.extractfile(one).read() for one in archive if one.isfile()}
        self.index = json.loads(self.files["index.json"])
        self.manifest = json.loads(self.blob(self.index["manifests"][0]))
        self.config = json.loads(self.blob(self.manifest["config"]))
        self.layer = gzip.decompress(self.blob(self.manifest["layers"][0]))

    def blob(self, described: dict) -> bytes:
        content = self.files["blobs/" + described["digest"].replace(":", "/")]
        if len(content) != described["size"] or f"sha256:{hashlib.sha256(content).hexdigest()}" != described["digest"]:
            raise AssertionError(f"{described}: expected other bytes")
        return content


# Run with a root, a folder there and a command; the image's user, where it may become that.
ENTER = """
import os, sys
os.chroot(sys.argv[1])
os.chdir(sys.argv[2])
if sys.argv[3] == "root":
    os.setgroups([])
    os.setgid(65532)
    os.setuid(65532)
os.execve(sys.argv[4], sys.argv[4:], os.environ)
"""


def change_root(root: Path, folder: str) -> list[str] | None:
    """What a command in another root begins with; None: nobody can change the root here."""
    if os.geteuid() == 0:
        return [PYTHON, "-c", ENTER, str(root), folder, "root"]
    own = ["unshare", "--map-root-user"]
    is_allowed = subprocess.run([*own, "true"], capture_output=True).returncode == 0
    return [*own, PYTHON, "-c", ENTER, str(root), folder, "nobody"] if is_allowed else None


class Images(unittest.TestCase):
    NAMES = ("bridge", "workspace")

    def test_they_are_laid_out_as_the_oci_wants_it(self):
        for name in self.NAMES:
            with self.subTest(name):
                layout = Layout(name)
                self.assertEqual(json.loads(layout.files["oci-layout"]), {"imageLayoutVersion": "1.0.0"})
                self.assertEqual((layout.index["schemaVersion"], layout.manifest["schemaVersion"]), (2, 2))
                self.assertEqual([one["mediaType"] for one in (layout.index, layout.index["manifests"][0], layout.manifest["config"],
                                                               *layout.manifest["layers"])],
                                 [f"application/vnd.oci.image.{kind}" for kind in
                                  ("index.v1+json", "manifest.v1+json", "config.v1+json", "layer.v1.tar+gzip")])
                self.assertEqual(layout.config["rootfs"], {"type": "layers",
                                                           "diff_ids": [f"sha256:{hashlib.sha256(layout.layer).hexdigest()}"]})
                self.assertEqual({"architecture": layout.config["architecture"], "os": layout.config["os"]},
                                 layout.index["manifests"][0]["platform"])
                named = {one.split("/")[-1] for one in layout.files if one.startswith("blobs/")}
                self.assertEqual(len(named), 3, "no blob that nothing names")

    def test_they_say_whose_they_are_and_run_as_nobody(self):
        for name in self.NAMES:
            config = Layout(name).config["config"]
            self.assertEqual(config["Labels"]["io.modelcontextprotocol.server.name"], f"dev.toolwire/{name}")
            self.assertEqual(config["User"], "65532:65532")

    def test_every_library_has_its_licence_and_nothing_can_be_written_by_others(self):
        with tarfile.open(fileobj=io.BytesIO(Layout("bridge").layer)) as layer:
            entries = layer.getmembers()
        names = {one.name for one in entries}
        self.assertIn("usr/share/doc/libcurl4/copyright", names)
        self.assertIn("usr/share/doc/toolwire-tools/toolwire.cdx.json", names)
        wide = [one.name for one in entries if one.mode & 0o022 and one.name != "tmp"]
        self.assertEqual(wide, [])
        self.assertEqual({one.uid for one in entries if one.name != "home/toolwire"}, {0})

    def command(self, name: str, put: dict[str, str]) -> tuple[list[str], dict]:
        """The image's own command in the root that the image is, with files put in as mounts are, and its environment."""
        layout, root = Layout(name), WORK / "images" / name
        with tarfile.open(fileobj=io.BytesIO(layout.layer)) as layer:
            layer.extractall(root)
        for path, text in put.items():
            (root / path).write_text(text)
        config = layout.config["config"]
        begin = change_root(root, config["WorkingDir"])
        if begin is None:
            self.skipTest("nobody can change the root here")
        return [*begin, *config["Entrypoint"], *config["Cmd"]], dict(one.split("=", 1) for one in config["Env"])

    def test_workspace_reads_its_project_where_nothing_else_is(self):
        command, environment = self.command("workspace", {"project/note.txt": "hello\n"})
        result = ask(command, {"method": "tools/call", "params": {"name": "read_file", "arguments": {"path": "note.txt"}}}, environment)
        self.assertIn("hello", json.dumps(result))

    def test_the_bridge_answers_and_can_reach_servers_over_http(self):
        servers = {"mcpServers": {"far": {"type": "http", "url": "http://127.0.0.1:9/mcp"}}}
        command, environment = self.command("bridge", {"etc/toolwire/mcp.json": json.dumps(servers)})
        done = subprocess.run(command, input=json.dumps(GREETING) + "\n", capture_output=True, text=True, timeout=LIMIT, env=environment)
        self.assertEqual(json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["name"], "toolwire-bridge", done.stderr)
        self.assertIn("Connection refused", done.stderr)  # says libcurl, which is there with all that it needs
