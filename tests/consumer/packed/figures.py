"""Start-up, memory and size of `workspace` as each package brings it, beside a server of npm that npx starts; for people,
judged by nobody. Beside other work only the ratios of one run mean something.

usage: figures.py BUILD WORK SHARED [HOSTS]     after packages_test.py with the same WORK; HOSTS: what tests/hosts/install.sh has filled
"""

import atexit
import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench import PACKAGES, WORK, fresh_environment, only
from container import Podman
from image import GREETING, Images

ROUNDS = 15


def megabytes(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB"


def resident(process: int) -> int:
    """Bytes of a process and of all that it has started."""
    kilobytes = 0
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        kilobytes += int(line.split()[1]) if line.startswith("VmRSS:") else 0
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return kilobytes * 1000 + sum(resident(int(child)) for child in children)


def started_once(command: list[str], environment: dict) -> tuple[float, int]:
    """Milliseconds from the start to the first answer, and the bytes that are resident then."""
    began = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as server:
        server.stdin.write((json.dumps(GREETING) + "\n").encode())
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        took = (time.perf_counter() - began) * 1000
        if "result" not in answer:
            raise SystemExit(f"{command}: expected an answer, found {answer}")
        memory = resident(server.pid)
        server.stdin.close()
        server.wait(10)
    return took, memory


def node_version(environment: dict) -> str:
    return "node " + subprocess.run(["node", "--version"], capture_output=True, text=True, env=environment, check=True).stdout.strip()


def in_a_container(files: str) -> tuple[list[str], dict] | None:
    """The command that runs the image of `workspace`, and its environment, where podman can."""
    if not shutil.which("podman"):
        return None
    podman = Podman()
    atexit.register(podman.close)
    if podman.why_not():
        return None
    version = podman.load("workspace")
    return podman.running("-v", f"{files}:/project", f"toolwire/workspace:{version}"), podman.environment


def commands(hosts: Path | None) -> dict[str, tuple[int, list[str], dict]]:
    """By what it is called: the size of what is downloaded, the command, and its environment."""
    environment = fresh_environment(WORK / "figures-home")
    files = str(WORK / "files")
    root = WORK / "images" / "workspace"
    Images().command("workspace", {})  # unpacks it
    script = [str(WORK / "npm/workspace/node_modules/.bin/workspace"), files]
    size = lambda folder, *patterns: sum(only(PACKAGES / folder, pattern).stat().st_size for pattern in patterns)
    found = {
        "bundle (.mcpb)": (size("mcpb", "*.mcpb"), [str(WORK / "bundle/server/workspace"), files], environment),
        f"npm, {node_version(environment)}": (size("npm", "toolwire-workspace-[0-9]*.tgz", "toolwire-workspace-linux-*.tgz"), script,
                                              environment),
        "Python (all programs)": (size("python", "*.whl"), [str(WORK / "python-environment/bin/workspace"), files], environment),
        "image, by chroot": (size("oci", "toolwire-workspace-*"), ["/usr/sbin/chroot", str(root), "/bin/workspace", "/project"], environment),
    }
    if command := in_a_container(files):
        found["image, by podman (its client's memory)"] = (0, *command)
    if hosts:
        newer = environment | {"PATH": f"{hosts / 'node_modules/.bin'}:{environment['PATH']}"}
        found[f"npm, {node_version(newer)}"] = (0, script, newer)
        found["npx server-filesystem"] = (0, ["npx", "--prefix", str(hosts), "--no-install", "mcp-server-filesystem", files], environment)
        found["the same without npx"] = (0, [str(hosts / "node_modules/.bin/mcp-server-filesystem"), files], environment)
    return found


def main() -> None:
    all_commands = commands(Path(sys.argv[4]).absolute() if len(sys.argv) > 4 else None)
    seen: dict[str, list[tuple[float, int]]] = {name: [] for name in all_commands}
    for _ in range(ROUNDS):  # in turn, so that what else goes on is shared
        for name, (_, command, environment) in all_commands.items():
            seen[name].append(started_once(command, environment))
    print("| package | download | first answer (median) | resident |\n|---|---|---|---|")
    for name, (size, _, _) in all_commands.items():
        times, memory = zip(*seen[name])
        print(f"| {name} | {megabytes(size) if size else '–'} | {statistics.median(times):.1f} ms | {megabytes(int(statistics.median(memory)))} |")


if __name__ == "__main__":
    main()
