"""Writes files that survive a power failure, completely or not at all."""

import os
from pathlib import Path


def write_durably(path: Path, text: str, *, mode: int = 0o600) -> None:
    """Replace the file atomically; it is on disk when this returns."""
    partial = path.with_name(f".{path.name}.partial")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with open(descriptor, "w") as file:  # noqa: PTH123 - a descriptor has no path
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    rename_durably(partial, path)


def rename_durably(source: Path, target: Path) -> None:
    """Rename a file; the new name is on disk when this returns."""
    source.replace(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
