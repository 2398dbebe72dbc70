"""Reads files of a store that is a folder: regular files in it, and never what a link leads to."""

import os
import stat
from pathlib import Path

from licet_server.kit.files.errors import FileChanged

_OPTIONS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def read_range(folder: Path, name: str, start: int, length: int | None) -> bytes:
    """Return bytes of a file, fewer if it ends before, and all with no length.

    Raises:
        FileChanged: when it, or a folder on the way, is a link, or it is no regular file.
        FileNotFoundError: when it does not exist.
    """
    require_no_links(folder, name)
    descriptor = os.open(folder / name, _OPTIONS)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileChanged(f"{name} in the file store is not a regular file")
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor has no path
        file.seek(start)
        return file.read(-1 if length is None else length)


def require_no_links(folder: Path, name: str) -> None:
    """Check that a file, whether it exists or not, is in the folder and not elsewhere.

    Raises:
        FileChanged: when it, or a folder on the way, is a link.
    """
    for place in (Path(name), *Path(name).parents):
        if place != Path() and (folder / place).is_symlink():
            raise FileChanged(f"{place} in the file store is a link")
