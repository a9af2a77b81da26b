"""Modules of a folder of tools, always run as their sources are."""

import importlib.machinery as machinery
import os
import sys


class SourceLoader(machinery.SourceFileLoader):
    """Without stored bytecode, which Python tells from that of an edited file by its size and the second of its change only."""

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def read_sources_of(folder: str) -> None:
    """In this process, all modules in the folder and below are read by SourceLoader, but for installed packages."""
    find = machinery.FileFinder.path_hook(
        (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
        (SourceLoader, machinery.SOURCE_SUFFIXES),
        (machinery.SourcelessFileLoader, machinery.BYTECODE_SUFFIXES))

    def find_below(path: str):
        below = os.path.relpath(path, folder).split(os.sep)
        if below[0] == os.pardir or "site-packages" in below:
            raise ImportError(path)
        return find(path)

    sys.path_hooks.insert(0, find_below)
    sys.path_importer_cache.pop(folder, None)
