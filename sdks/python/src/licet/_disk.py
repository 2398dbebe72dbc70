"""Atomic file replacement and bounded reads."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def read_limited(path: Path, limit: int) -> bytes | None:
    """Return the content of a file, or ``None`` if the file does not exist.

    Raises:
        OSError: The file cannot be read or is larger than ``limit`` bytes.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(limit + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if len(content) > limit:
        raise OSError(f"larger than {limit} bytes")
    return content


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file atomically and durably. Creates missing folders.

    The mode of an existing file is kept, so that a file shared between users stays shared.

    Raises:
        OSError: The write failed; an existing file is unchanged.
    """
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        with contextlib.suppress(OSError):
            new.chmod(mode)
        new.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    # Only POSIX systems can open a folder; elsewhere the rename cannot be synced.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
