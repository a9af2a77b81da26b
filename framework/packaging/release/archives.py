"""Archives whose bytes depend on nothing but their files and one time."""

import gzip
import io
import os
import tarfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

from programs import Mistake

BEGINNING_OF_1980 = 315_532_800  # the first second that a zip can say


@dataclass(frozen=True)
class PackedFile:
    """A file as it stands in an archive."""

    name: str  # relative, with slashes
    content: bytes
    executable: bool = False

    @property
    def mode(self) -> int:
        return 0o755 if self.executable else 0o644


def packing_time() -> int:
    """What all that is packed bears."""
    given = os.environ.get("SOURCE_DATE_EPOCH", str(BEGINNING_OF_1980))
    if not given.isdecimal():
        raise Mistake(f'SOURCE_DATE_EPOCH: expected seconds since 1970, found "{given}"')
    return max(int(given), BEGINNING_OF_1980)


def files_below(folder: Path, prefix: str) -> list[PackedFile]:
    """All files of a folder, `prefix` before their names, sorted."""
    return [
        PackedFile(prefix + str(path.relative_to(folder)), path.read_bytes(), bool(path.stat().st_mode & 0o100))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ]


def tar_gz(files: list[PackedFile], seconds: int) -> bytes:
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for file in files:
            entry = tarfile.TarInfo(file.name)
            entry.size, entry.mode, entry.mtime = len(file.content), file.mode, seconds
            archive.addfile(entry, io.BytesIO(file.content))
    return gzip.compress(tar.getvalue(), compresslevel=9, mtime=0)


def zip_of(files: list[PackedFile], seconds: int) -> bytes:
    made_on_unix, regular_file = 3, 0o100000
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file_of_all:
        for file in files:
            entry = zipfile.ZipInfo(file.name, time.gmtime(max(seconds, BEGINNING_OF_1980))[:6])
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, made_on_unix
            entry.external_attr = (regular_file | file.mode) << 16
            file_of_all.writestr(entry, file.content)
    return archive.getvalue()
