"""The archive of toolwire-conformance alone, for CI in any Linux: one static program, what it may be used for, and what is in it."""

import hashlib

from archives import PackedFile, tar_gz
from programs import Installed, Mistake, needed_libraries

PROGRAM = "toolwire-conformance"


def conformance_archive(installed: Installed, license_text: bytes, documents: list[PackedFile],
                        seconds: int) -> list[tuple[str, bytes]]:
    """The archive, and the line that `sha256sum --check` reads."""
    program = installed.bin / PROGRAM
    needed = needed_libraries(program)
    if needed:
        raise Mistake(f"{program}: expected a static program, found one that needs {', '.join(needed)}; the preset "
                      "release links it statically where there is a libc.a")
    folder = f"{PROGRAM}-{installed.version}-linux-{installed.node_machine}"
    files = [PackedFile(f"bin/{PROGRAM}", program.read_bytes(), True), PackedFile("LICENSE", license_text), *documents]
    packed = tar_gz([PackedFile(f"{folder}/{file.name}", file.content, file.executable) for file in files], seconds)
    name = f"{folder}.tar.gz"
    return [(name, packed), (f"{name}.sha256", f"{hashlib.sha256(packed).hexdigest()}  {name}\n".encode())]
