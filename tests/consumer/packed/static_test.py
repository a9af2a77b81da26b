"""The archive of programs that need nothing of a system: made twice, unpacked in a root where there is nothing else, and each
program run there. The bridge finds a host by a name server and trusts the certificate that the root has.

usage: static_test.py BUILD WORK SHARED
"""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

import published
from bench import BUILD, INSTALLED, LIMIT, PYTHON, REPOSITORY, SECONDS, WORK, ask, only, run
from far_server import FarServer, NameServer, signed_certificate
from image import ENTER

PROGRAMS = ("everything", "toolwire", "toolwire-attach", "toolwire-bridge", "toolwire-conformance", "toolwire-schema", "workspace")
TRUSTED = "etc/pki/tls/certs/ca-bundle.crt"  # where Fedora has it
# In a namespace of mounts of its own, so that nothing of it is left: what every system has for its programs.
MOUNTED = 'mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" && shift && exec "$@"'
ENVIRONMENT = {"PATH": "/bin", "HOME": "/home/toolwire", "LC_ALL": "C.UTF-8"}


def make_archive(number: int) -> Path:
    out = WORK / str(number) / "packages"
    run([PYTHON, REPOSITORY / "framework/packaging/make_static_archive.py", "--build", BUILD, "--programs", INSTALLED,
         "--out", out], env={**os.environ, "SOURCE_DATE_EPOCH": str(SECONDS)})
    return only(out / "archive", "toolwire-[0-9]*.tar.gz")


def setUpModule():
    shutil.rmtree(WORK, ignore_errors=True)
    began = time.monotonic()
    built = subprocess.run(["cmake", "--build", BUILD, "--target", "toolwire_static"], capture_output=True, text=True)
    if built.returncode != 0:
        raise AssertionError(built.stdout + built.stderr)
    print(f"linked in {time.monotonic() - began:.1f} s", flush=True)
    run(["cmake", "--install", BUILD, "--component", "tools", "--prefix", INSTALLED])
    archive = make_archive(1)
    print(f"{archive.name}: {archive.stat().st_size} bytes", flush=True)


def unpacked(folder: Path) -> Path:
    """The folder that the archive has."""
    with tarfile.open(only(WORK / "1/packages/archive", "toolwire-[0-9]*.tar.gz")) as archive:
        archive.extractall(folder)
    return only(folder, "toolwire-*")


class Published(unittest.TestCase):
    def test_the_page_has_the_archive_with_its_size(self):
        self.assertEqual(published.problems("static", WORK / "1/packages"), [])


class Archive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = unpacked(WORK / "looked-at")
        cls.bom = json.loads((cls.folder / "toolwire.cdx.json").read_text())

    def test_it_is_the_same_in_another_folder_and_has_its_digest(self):
        first, second = only(WORK / "1/packages/archive", "toolwire-[0-9]*.tar.gz"), make_archive(2)
        self.assertEqual(first.read_bytes(), second.read_bytes())
        digest = hashlib.sha256(first.read_bytes()).hexdigest()
        self.assertEqual((first.parent / f"{first.name}.sha256").read_text(), f"{digest}  {first.name}\n")

    def test_no_program_wants_a_library_or_a_loader(self):
        self.assertEqual(sorted(file.name for file in (self.folder / "bin").iterdir()), sorted(PROGRAMS))
        for program in PROGRAMS:
            said = run(["objdump", "-p", self.folder / "bin" / program]).stdout
            self.assertNotRegex(said, "INTERP|NEEDED", program)

    def test_no_file_says_where_it_was_made(self):
        home = str(Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))) + "/"
        for place in (str(REPOSITORY) + "/", str(BUILD) + "/", str(WORK) + "/", home):
            for file in self.folder.rglob("*"):
                if file.is_file():
                    self.assertNotIn(place.encode(), file.read_bytes(), file)

    def test_what_belongs_to_the_programs_is_beside_them(self):
        for name in ("share/man/man1/toolwire.1.gz", "share/bash-completion/completions/toolwire", "LICENSE",
                     "share/toolwire/runtimes/python/toolwire_runtime/__init__.py"):
            self.assertTrue((self.folder / name).is_file(), name)

    def parts(self, program: str) -> dict[str, set[str]]:
        """By how they are used, the packages of Debian whose code a program has."""
        found: dict[str, set[str]] = {}
        for one in self.bom["components"]:
            for said in one["properties"]:
                if program in said["value"].split(", "):
                    found.setdefault(said["name"], set()).add(one["name"])
        return found

    def test_what_is_linked_is_listed(self):
        self.assertLessEqual({"curl", "libc-ares-dev", "libssl-dev", "zlib1g-dev", "libc6-dev", "libsodium-dev"},
                             self.parts("toolwire-bridge")["toolwire:static-library"])
        for program in PROGRAMS:
            self.assertLessEqual(set(self.parts(program)), {"toolwire:static-library", "toolwire:headers"}, program)
        self.assertNotIn("curl", self.parts("toolwire")["toolwire:static-library"])
        (curl,) = (one for one in self.bom["components"] if one["name"] == "curl")
        self.assertEqual(curl["version"], run(["dpkg-query", "-W", "-f", "${Version}", "libcurl4-openssl-dev"]).stdout)
        self.assertIn("?arch=source&", curl["purl"])

    def test_its_libcurl_finds_hosts_by_c_ares_alone(self):
        wanted = set(re.findall(r" U (\S+)$", run(["nm", BUILD / "static_curl/libcurl.a"]).stdout, re.MULTILINE))
        self.assertIn("ares_getaddrinfo", wanted)
        self.assertFalse({name for name in wanted if name.startswith(("getaddrinfo", "gethostby", "dlopen"))})

    def test_the_licences_of_what_is_linked_are_said(self):
        text = (self.folder / "third-party-licences.txt").read_text()
        for source, licence, author in (("curl", "curl", "Daniel Stenberg"), ("c-ares", "MIT", "Massachusetts"),
                                        ("openssl", "Apache-2.0", "OpenSSL"), ("zlib", "Zlib", "Jean-loup Gailly")):
            self.assertRegex(text, rf"(?m)^  {re.escape(source)} \(.*\): {re.escape(licence)}$")
            part = re.search(rf"(?ms)^=+\n{re.escape(source)}\n=+$(.*?)(^=====|\Z)", text)[1]
            self.assertIn(author, part)


@unittest.skipUnless(os.geteuid() == 0, "only root can change the root and answer at port 53")
class InARootOfItsOwn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = WORK / "root"
        unpacked(WORK).rename(cls.root)
        for folder in ("dev", "proc", "tmp", "etc", "project", TRUSTED.rpartition("/")[0], "home/toolwire"):
            (cls.root / folder).mkdir(parents=True, exist_ok=True)
        for folder in ("tmp", "home/toolwire"):
            (cls.root / folder).chmod(0o777)
        (cls.root / "project/note.txt").write_text("hello\n")
        cls.certificate, cls.key = signed_certificate(WORK)
        shutil.copy(cls.certificate, cls.root / TRUSTED)
        cls.names, cls.far = NameServer(), FarServer(cls.certificate, cls.key)
        cls.addClassCleanup(cls.names.close)
        cls.addClassCleanup(cls.far.close)
        (cls.root / "etc/resolv.conf").write_text(f"nameserver {NameServer.ADDRESS}\n")
        # Modules that are not there, and must not be asked for.
        (cls.root / "etc/nsswitch.conf").write_text("passwd: systemd\ngroup: systemd\nhosts: resolve mymachines\n")
        cls.configure("far", {})

    @classmethod
    def configure(cls, name: str, toolwire: dict) -> None:
        servers = {"far": {"type": "http", "url": f"{cls.far.origin}/mcp"}, "all": {"command": "/bin/everything"}}
        (cls.root / f"etc/{name}.json").write_text(json.dumps({"mcpServers": servers, "toolwire": toolwire}))

    def command(self, *words: str) -> list[str]:
        return ["unshare", "--mount", "sh", "-c", MOUNTED, "sh", str(self.root), PYTHON, "-c", ENTER, str(self.root),
                "/project", "root", *words]

    def said(self, *words: str, status: int = 0) -> str:
        done = subprocess.run(self.command(*words), capture_output=True, text=True, timeout=LIMIT, env=ENVIRONMENT,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, status, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def tools(self, *words: str, environment: dict = ENVIRONMENT) -> list[str]:
        return [tool["name"] for tool in ask(self.command(*words), {"method": "tools/list"}, environment)["tools"]]

    def test_every_program_starts(self):
        for program in PROGRAMS:
            self.assertRegex(self.said(f"/bin/{program}", "--version"), rf"^{program} [0-9.]+\n$")
        self.assertEqual(self.said("/bin/toolwire", "bridge", "--version"), self.said("/bin/toolwire-bridge", "--version"))

    def test_servers_are_greeted(self):
        self.assertIn("read_file", self.tools("/bin/workspace", "--root", "/project"))
        self.assertIn("echo", self.tools("/bin/everything"))

    def test_a_bridge_is_shared(self):
        words = ("bridge", "attach", "--idle-seconds", "1", "--", "/bin/workspace", "--root", "/project")
        self.assertIn("read_file", self.tools("/bin/toolwire", *words))

    def test_a_schema_is_judged_and_a_server_is_put_into_a_host(self):
        (self.root / "project/schema.json").write_text('{"type": "object", "properties": {"a": {"$ref": "#/missing"}}}')
        self.assertIn("#/missing", self.said("/bin/toolwire-schema", "schema.json", status=2))
        self.said("/bin/toolwire", "install", "cursor", "--", "workspace", "/project")
        self.assertIn("/bin/workspace", (self.root / "home/toolwire/.cursor/mcp.json").read_text())

    def test_the_bridge_reaches_a_server_over_https_by_its_name(self):
        result = ask(self.command("/bin/toolwire-bridge", "serve", "/etc/far.json"),
                     {"method": "tools/call", "params": {"name": "hail", "arguments": {}}}, ENVIRONMENT)
        self.assertIn("greetings from afar", json.dumps(result))
        self.assertIn("far.test", self.names.asked)

    def test_a_certificate_that_nobody_vouches_for_is_refused(self):
        other, _ = signed_certificate(self.own_folder())
        shutil.copy(other, self.root / "etc/other.crt")
        tools = self.tools("/bin/toolwire-bridge", "serve", "/etc/far.json", environment={**ENVIRONMENT, "SSL_CERT_FILE": "/etc/other.crt"})
        self.assertIn("echo", tools)
        self.assertNotIn("hail", tools)

    def own_folder(self) -> Path:
        folder = WORK / self.id().rpartition(".")[2]
        folder.mkdir()
        return folder

    def token(self) -> str:
        def part(content: dict) -> bytes:
            return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=")
        now = int(time.time())
        text = b".".join((part({"alg": "RS256", "kid": "one", "typ": "at+jwt"}),
                          part({"iss": self.far.origin, "sub": "somebody", "aud": "http://127.0.0.1:8080/mcp", "client_id": "host",
                                "jti": "1", "iat": now, "exp": now + 300})))
        signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", self.key], input=text, capture_output=True, check=True).stdout
        return (text + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()

    def test_signed_tokens_are_checked(self):
        self.configure("guarded", {"authorization": {"issuer": self.far.origin, "resource": "http://127.0.0.1:8080/mcp",
                                                     "keys": f"{self.far.origin}/keys"}})
        served = subprocess.Popen(self.command("/bin/toolwire-bridge", "serve", "/etc/guarded.json", "--listen",
                                               "http://127.0.0.1:0/mcp"), stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        try:
            log = ""
            while "listening on " not in log:
                line = served.stderr.readline()
                self.assertTrue(line, log)
                log += line
            url = re.search(r"listening on (http://\S+:\d+\S*)", log)[1]
            self.assertEqual(self.status(url, None), 401)
            self.assertEqual(self.status(url, self.token()), 200)
            self.assertEqual(self.status(url, self.token()[:-8] + "AAAAAAAA"), 401)
        finally:
            served.terminate()
            served.communicate(timeout=LIMIT)

    @staticmethod
    def status(url: str, token: str | None) -> int:
        """Of a greeting over HTTP."""
        greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
                    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "static", "version": "1"}}}
        fields = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                  **({"Authorization": f"Bearer {token}"} if token else {})}
        try:
            with urllib.request.urlopen(urllib.request.Request(url, json.dumps(greeting).encode(), fields), timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
