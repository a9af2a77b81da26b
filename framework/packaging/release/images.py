"""Images of containers that hold a program and nothing else, as archives of the OCI (image layout 1.0), made without a
daemon: `podman load`, `docker load` and `skopeo copy oci-archive:FILE docker://…` take them."""

import gzip
import hashlib
import io
import json
import tarfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from archives import PackedFile
from facts import AUTHOR, BRIDGE_SUMMARY, LICENSE, NAMESPACE
from programs import Installed, Mistake, needed_libraries
from shared_libraries import packed_libraries

# Go's names of machines, which the OCI uses, by Node's.
ARCHITECTURES = {"x64": "amd64", "arm64": "arm64", "riscv64": "riscv64"}
NOBODY = 65532  # who runs it, if nothing else is said: no user of a usual system
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
LOADED = ("libcurl.so.4", "libcrypto.so.3")  # by the bridge, when it needs them
INDEX, MANIFEST, CONFIG, LAYER = (f"application/vnd.oci.image.{kind}" for kind in
                                  ("index.v1+json", "manifest.v1+json", "config.v1+json", "layer.v1.tar+gzip"))


@dataclass
class Image:
    """`folders` are those that are there though nothing is in them; what `NOBODY` may write to has his number."""

    name: str
    about: str
    entrypoint: list[str]
    command: list[str]
    working_folder: str
    files: list[PackedFile]
    folders: dict[str, tuple[int, int]] = field(default_factory=dict)  # by path: mode, owner
    environment: list[str] = field(default_factory=lambda: ["PATH=/bin"])


def _folders_of(image: Image) -> dict[str, tuple[int, int]]:
    """All folders, each after the one that it is in."""
    found = dict(image.folders)
    for name in [*(file.name for file in image.files), *image.folders]:
        for parent in Path(name).parents:
            if str(parent) != ".":
                found.setdefault(str(parent), (0o755, 0))
    return dict(sorted(found.items()))


def layer_of(image: Image, seconds: int) -> bytes:
    """The one layer, not compressed."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, (mode, owner) in _folders_of(image).items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode, entry.mtime, entry.uid, entry.gid = tarfile.DIRTYPE, mode, seconds, owner, owner
            archive.addfile(entry)
        for file in sorted(image.files, key=lambda one: one.name):
            entry = tarfile.TarInfo(file.name)
            entry.size, entry.mode, entry.mtime = len(file.content), file.mode, seconds
            archive.addfile(entry, io.BytesIO(file.content))
    return tar.getvalue()


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _described(kind: str, content: bytes, **more: object) -> dict:
    return {"mediaType": kind, "digest": _digest(content), "size": len(content), **more}


def _labels(image: Image, version: str) -> dict[str, str]:
    """The registry of MCP servers knows by its label whose image one is."""
    return {"io.modelcontextprotocol.server.name": f"{NAMESPACE}/{image.name}",
            "org.opencontainers.image.title": f"toolwire {image.name}", "org.opencontainers.image.description": image.about,
            "org.opencontainers.image.version": version, "org.opencontainers.image.licenses": LICENSE,
            "org.opencontainers.image.vendor": AUTHOR}


def _config(image: Image, version: str, architecture: str, layer: bytes, seconds: int) -> dict:
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
    return {"created": created, "author": AUTHOR, "architecture": architecture, "os": "linux",
            "config": {"User": f"{NOBODY}:{NOBODY}", "Env": image.environment, "Entrypoint": image.entrypoint,
                       "Cmd": image.command, "WorkingDir": image.working_folder, "Labels": _labels(image, version)},
            "rootfs": {"type": "layers", "diff_ids": [_digest(layer)]},
            "history": [{"created": created, "created_by": "toolwire make_packages.py"}]}


def archive_of(image: Image, version: str, architecture: str, seconds: int) -> tuple[str, bytes]:
    layer = layer_of(image, seconds)
    packed = gzip.compress(layer, compresslevel=9, mtime=0)
    config = _json(_config(image, version, architecture, layer, seconds))
    manifest = _json({"schemaVersion": 2, "mediaType": MANIFEST, "config": _described(CONFIG, config),
                      "layers": [_described(LAYER, packed)]})
    platform = {"architecture": architecture, "os": "linux"}
    named = {"org.opencontainers.image.ref.name": f"toolwire/{image.name}:{version}"}
    index = _json({"schemaVersion": 2, "mediaType": INDEX,
                   "manifests": [_described(MANIFEST, manifest, platform=platform, annotations=named)]})
    blobs = [PackedFile(f"blobs/sha256/{hashlib.sha256(one).hexdigest()}", one) for one in sorted((config, manifest, packed))]
    layout = Image(image.name, "", [], [], "/", [PackedFile("oci-layout", b'{"imageLayoutVersion":"1.0.0"}'),
                                                 PackedFile("index.json", index), *blobs])
    return f"toolwire-{image.name}-{version}-linux-{architecture}.oci.tar", layer_of(layout, seconds)


def _documents(documents: list[PackedFile], license_text: bytes) -> list[PackedFile]:
    folder = "usr/share/doc/toolwire-tools"
    return [PackedFile(f"{folder}/LICENSE", license_text),
            *(PackedFile(f"{folder}/{file.name}", file.content) for file in documents)]


def _with_libraries(program: Path, machine: str, loaded: tuple[str, ...]) -> list[PackedFile]:
    packed = [PackedFile(f"bin/{program.name}", program.read_bytes(), True)]
    return packed + (packed_libraries(program, loaded, machine) if loaded or needed_libraries(program) else [])


def images(installed: Installed, license_text: bytes, documents: list[PackedFile], seconds: int) -> list[tuple[str, bytes]]:
    """`workspace` on the folder /project, and the bridge on /etc/toolwire/mcp.json."""
    papers = _documents(documents, license_text)
    temporary = {"tmp": (0o1777, 0)}
    workspace = Image("workspace", "Read, list and search the files of a project; nothing outside it can be reached",
                      ["/bin/workspace"], [], "/project",
                      [*_with_libraries(installed.bin / "workspace", installed.python_machine, ()), *papers],
                      {**temporary, "project": (0o755, 0)})
    bridge_files = _with_libraries(installed.bin / "toolwire-bridge", installed.python_machine, LOADED)
    if not CERTIFICATES.is_file():
        raise Mistake(f"expected {CERTIFICATES} (Debian: ca-certificates)")
    certificates = PackedFile(str(CERTIFICATES).lstrip("/"), CERTIFICATES.read_bytes())
    bridge = Image("bridge", BRIDGE_SUMMARY, ["/bin/toolwire-bridge"], ["serve", "/etc/toolwire/mcp.json"], "/home/toolwire",
                   [*bridge_files, certificates, *papers],
                   {**temporary, "etc/toolwire": (0o755, 0), "home/toolwire": (0o700, NOBODY)},
                   ["PATH=/bin", "HOME=/home/toolwire"])
    architecture = ARCHITECTURES[installed.node_machine]
    return [archive_of(image, installed.version, architecture, seconds) for image in (workspace, bridge)]
