"""The size of each package, and start-up and memory of `workspace` as those bring it that have it, beside a server of npm that
npx starts; for people. Sizes are held to what is published by published.py, the rest is judged by nobody: beside other work only the ratios
of one run mean something.

usage: figures.py BUILD WORK SHARED [HOSTS]     after the tests consumer_packages, consumer_cluster_package, consumer_packed_static and
                                                consumer_packed_packages, the last of which has WORK; HOSTS: what tests/hosts/install.sh has filled
"""

import atexit
import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench import BUILD, PACKAGES, WORK, fresh_environment, only, run
from container import Podman
from image import GREETING, Images
from published import name_in_page, packages_in

ROUNDS = 15


def size_text(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB" if count >= 100_000 else f"{count / 1000:.1f} kB"


def built() -> dict[str, Path]:
    """The folders of packages, by the share that each has."""
    consumer = BUILD / "tests/consumer"
    return {"debian": consumer / "packages/1", "cluster": consumer / "cluster_package/1", "static": consumer / "packed_static/1/packages",
            "packed": PACKAGES}


def unpacked(name: str, command: list, file: Path) -> Path:
    folder = WORK / "figures" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run([word.format(file=file, folder=folder) for word in command])
    return folder


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
        line = server.stdout.readline()
        took = (time.perf_counter() - began) * 1000
        if '"result"' not in line.decode():
            raise SystemExit(f"{command}: expected an answer, found {line.decode()!r}")
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


def commands(hosts: Path | None) -> dict[str, tuple[list[str], dict]]:
    """By the package, or by what else it is: the command that starts a server, and its environment."""
    environment = fresh_environment(WORK / "figures-home")
    files = str(WORK / "files")
    folders = built()
    root = WORK / "images" / "workspace"
    Images().command("workspace", {})  # unpacks it
    script = [str(WORK / "npm/workspace/node_modules/.bin/workspace"), files]
    of_all = [str(WORK / "npm/project/node_modules/.bin/workspace"), files]
    deb, archive = only(folders["debian"], "toolwire-tools_*"), only(folders["static"] / "archive", "toolwire-[0-9]*.tar.gz")
    of_deb = unpacked("deb", ["dpkg-deb", "-x", "{file}", "{folder}"], deb)
    of_archive = only(unpacked("archive", ["tar", "-xzf", "{file}", "-C", "{folder}"], archive), "toolwire-*")
    name = lambda folder, pattern: f"{folder}/{name_in_page(only(PACKAGES / folder, pattern).name)}"
    found = {
        name("mcpb", "*.mcpb"): ([str(WORK / "bundle/server/workspace"), files], environment),
        name_in_page(deb.name): ([str(of_deb / "usr/bin/workspace"), files], environment),
        f"archive/{name_in_page(archive.name)}": ([str(of_archive / "bin/workspace"), files], environment),
        name("python", "*.whl"): ([str(WORK / "python-environment/bin/workspace"), files], environment),
        name("oci", "toolwire-workspace-*"): (["/usr/sbin/chroot", str(root), "/bin/workspace", "/project"], environment),
        name("npm", "toolwire-workspace-[0-9]*.tgz"): (script, environment),
        name("npm", "toolwire-[0-9]*.tgz"): (of_all, environment),
    }
    if command := in_a_container(files):
        found["that image by podman, with podman's memory"] = command
    if hosts:
        newer = environment | {"PATH": f"{hosts / 'node_modules/.bin'}:{environment['PATH']}"}
        found[f"`workspace` of npm with {node_version(newer)}; above with {node_version(environment)}"] = (script, newer)
        found["npx server-filesystem"] = (["npx", "--prefix", str(hosts), "--no-install", "mcp-server-filesystem", files], environment)
        found["the same without npx"] = ([str(hosts / "node_modules/.bin/mcp-server-filesystem"), files], environment)
    return found


def main() -> None:
    all_commands = commands(Path(sys.argv[4]).absolute() if len(sys.argv) > 4 else None)
    sizes = {name: size for share, folder in built().items() for name, size in packages_in(folder, share).items()}
    seen: dict[str, list[tuple[float, int]]] = {name: [] for name in all_commands}
    for _ in range(ROUNDS):  # in turn, so that what else goes on is shared
        for name, (command, environment) in all_commands.items():
            seen[name].append(started_once(command, environment))
    print("| package | size | first answer (median) | resident then |\n|---|---|---|---|")
    for name in [*sizes, *(all_commands.keys() - sizes.keys())]:
        size = size_text(sizes[name]) if name in sizes else "–"
        times, memory = zip(*seen.get(name, [(0, 0)]))
        started = f"{statistics.median(times):.1f} ms | {size_text(int(statistics.median(memory)))}" if name in seen else "– | –"
        print(f"| {f'`{name}`' if name in sizes else name} | {size} | {started} |")


if __name__ == "__main__":
    main()
