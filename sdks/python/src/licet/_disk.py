"""Opening every file that the SDK reads or writes.

Another user of the machine may be able to create files in the same folder. No file is therefore
opened through a link, opening one never blocks, only regular files are used, and files that the SDK
changes must belong to this user and have no other name. A file is written under a random name, then
renamed; the rename replaces a link, never its target.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path

PRIVATE = 0o600
READABLE = 0o644
_FOLDER = 0o755
_MAX_LINKS = 40
_ROOT = 0
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_POSIX = sys.platform != "win32"
_NEVER_BLOCKS = (
    getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)
_SAFELY = _NEVER_BLOCKS | getattr(os, "O_NOFOLLOW", 0)

_Refusal = Callable[[os.stat_result], "str | None"]


class RefusedFileError(OSError):
    """A file is not used, because another user may have created it; the message says why."""


def read_installed(path: Path, limit: int) -> bytes | None:
    """Return the content of a file that was installed with the application; ``None`` if missing.

    Such a file is trusted like the application's code, so links to it are followed.

    Raises:
        OSError: The file cannot be read, is not a regular file, or is larger than ``limit`` bytes.
    """
    return _read(lambda: _open(path, os.stat, _NEVER_BLOCKS, _irregular), limit)


def require_regular(path: Path) -> None:
    """Require that a file that something else will open does not block it.

    Raises:
        OSError: It is missing or not a regular file.
    """
    _accept(path.stat(), _irregular)


def read_license(path: Path, limit: int) -> bytes | None:
    """Return the content of license.bin; ``None`` if it does not exist.

    In a folder that others may write to, it has to belong to this user or to root.

    Raises:
        RefusedFileError: It is not a file that this user or an administrator has installed.
        OSError: It cannot be read.
    """
    return _read(lambda: _open_license(path), limit)


def read_own(path: Path, limit: int) -> bytes | None:
    """Return the content of a file of this user; ``None`` if it does not exist.

    Raises:
        RefusedFileError: It is not a file that the SDK has written for this user.
        OSError: It cannot be read.
    """
    return _read(lambda: _open(_in_real_folder(path), os.lstat, _SAFELY, _not_own), limit)


def read_secret(path: Path, limit: int) -> bytes | None:
    """Return what was written once into a file of this user; ``None`` if it does not exist.

    Such a file is never changed, so it may have another name: it has one while it is created.

    Raises:
        RefusedFileError: It is not a file of this user.
        OSError: It cannot be read.
    """
    return _read(lambda: _open(_in_real_folder(path), os.lstat, _SAFELY, _of_another), limit)


def open_own(path: Path) -> int:
    """Open a file of this user for reading and writing; creates it if it does not exist.

    Raises:
        RefusedFileError: There is something else under this name.
        OSError: It cannot be opened.
    """
    try:
        return create(path)
    except FileExistsError:
        return _open(path, os.lstat, os.O_RDWR | _SAFELY, _not_own)


def open_to_read(path: Path) -> int:
    """Open a file of this user that exists for reading.

    Raises:
        FileNotFoundError: It does not exist.
        RefusedFileError: It is not a file that the SDK has written for this user.
        OSError: It cannot be opened.
    """
    return _open(_in_real_folder(path), os.lstat, os.O_RDONLY | _SAFELY, _not_own)


def open_to_change(path: Path) -> int:
    """Open a file of this user that exists for reading and writing.

    Raises:
        FileNotFoundError: It does not exist.
        RefusedFileError: It is not a file that the SDK has written for this user.
        OSError: It cannot be opened.
    """
    return _open(_in_real_folder(path), os.lstat, os.O_RDWR | _SAFELY, _not_own)


def create(path: Path) -> int:
    """Create a file that only this user may read, and open it for reading and writing.

    Raises:
        FileExistsError: There is something under this name.
        OSError: It cannot be created.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _SAFELY, PRIVATE)


def open_part(target: Path, label: str) -> tuple[Path, int]:
    """Open the part of a download that is there already, or create one; returns its path, too.

    Only a part that this user has created, and no one else can write to, is continued.

    Raises:
        OSError: None can be created in the folder.
    """
    part = target.with_name(f".{target.name}.{label}.part")
    try:
        handle = open_own(part)
    except RefusedFileError:
        part = part.with_suffix(f".{secrets.token_hex(8)}.part")
        return part, create(part)
    if not may_be_changed_by_others(os.fstat(handle)):
        return part, handle
    os.close(handle)
    part.unlink()
    return part, create(part)


def write_own(path: Path, content: bytes) -> None:
    """Replace a file that only this user may read, atomically. Creates missing folders.

    Raises:
        OSError: The write failed; an existing file is unchanged.
    """
    _replace(_in_real_folder(path, missing=_make_folder), content, PRIVATE)


def write_once(path: Path, content: bytes) -> None:
    """Create a file that only this user may read, complete or not at all. Creates missing folders.

    Raises:
        FileExistsError: There is something under this name, which stays.
        OSError: It cannot be created.
    """
    _place(_in_real_folder(path, missing=_make_folder), content, PRIVATE, _put_once)


def write_license(path: Path, content: bytes) -> None:
    """Replace license.bin atomically. Creates missing folders.

    Other users may read it, unless the existing file says otherwise; they may never change it.

    Raises:
        RefusedFileError: Another user has put something in its place that cannot be replaced.
        OSError: The write failed; an existing file is unchanged.
    """
    real = _in_real_folder(path, missing=_make_folder)
    try:
        existing = os.lstat(real)
        refusal = _untrusted(existing, real.parent)
    except FileNotFoundError:
        existing, refusal = None, None
    kept = stat.S_IMODE(existing.st_mode) if existing is not None and refusal is None else READABLE
    try:
        _replace(real, content, kept & ~_OTHERS_MAY_WRITE)
    except OSError as error:
        raise error if refusal is None else RefusedFileError(refusal) from error


def real_folder(folder: Path, *, missing: Callable[[Path], None] = lambda _: None) -> Path:
    """Return a folder without the links on the way to it.

    Args:
        folder: The folder.
        missing: Called with each folder on the way that does not exist.

    Raises:
        RefusedFileError: A link on the way belongs neither to this user nor to root.
        OSError: It cannot be reached.
    """
    folder = folder.absolute()
    if not _POSIX:
        return _made(folder, missing)
    real, rest, links = Path(folder.anchor), deque(folder.parts[1:]), 0
    while rest:
        part = rest.popleft()
        if part == "..":
            real = real.parent
            continue
        place = real / part
        try:
            found = os.lstat(place)
        except FileNotFoundError:
            missing(place)
            real = place
            continue
        if not stat.S_ISLNK(found.st_mode):
            real = place
            continue
        links += 1
        if links > _MAX_LINKS:
            raise RefusedFileError(f"the links at {place} go round in circles")
        if not _is_of(found, _ROOT, os.geteuid()):
            raise RefusedFileError(f"{place} is a link of another user")
        target = place.readlink()
        if target.is_absolute():
            real = Path(target.anchor)
        rest.extendleft(reversed(target.parts[target.is_absolute() :]))
    return real


def make_folder(folder: Path) -> Path:
    """Create a folder, if it is missing, that others may not write to; returns the real one.

    Raises:
        OSError: It cannot be created or reached.
    """
    return real_folder(folder, missing=_make_folder)


def is_shared(folder: Path) -> bool:
    """Whether every user of the machine may write to a folder."""
    try:
        return _POSIX and bool(folder.stat().st_mode & stat.S_IWOTH)
    except OSError:
        return False


def may_be_changed_by_others(found: os.stat_result) -> bool:
    """Whether users other than the owner may write to a file."""
    return _POSIX and bool(found.st_mode & _OTHERS_MAY_WRITE)


def _read(open_file: Callable[[], int], limit: int) -> bytes | None:
    try:
        handle = open_file()
    except (FileNotFoundError, NotADirectoryError):
        return None
    with os.fdopen(handle, "rb") as stream:
        content = stream.read(limit + 1)
    if len(content) > limit:
        raise RefusedFileError(f"it is larger than {limit} bytes")
    return content


def _open_license(path: Path) -> int:
    real = _in_real_folder(path)
    return _open(real, os.lstat, _SAFELY, lambda found: _untrusted(found, real.parent))


def _open(path: Path, look: Callable[[Path], os.stat_result], flags: int, refusal: _Refusal) -> int:
    # Looking first keeps devices closed; looking again judges the file that was opened.
    _accept(look(path), refusal)
    handle = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    try:
        _accept(os.fstat(handle), refusal)
    except OSError:
        os.close(handle)
        raise
    return handle


def _accept(found: os.stat_result, refusal: _Refusal) -> None:
    reason = refusal(found)
    if reason is not None:
        raise RefusedFileError(reason)


def _irregular(found: os.stat_result) -> str | None:
    if stat.S_ISLNK(found.st_mode):
        return "it is a link; name the file that it points to"
    return None if stat.S_ISREG(found.st_mode) else "it is not a regular file"


def _not_own(found: os.stat_result) -> str | None:
    return _of_another(found) or _also_named(found)


def _of_another(found: os.stat_result) -> str | None:
    if not _POSIX or _is_of(found, os.geteuid()):
        return _irregular(found)
    return _irregular(found) or "it belongs to another user"


def _untrusted(found: os.stat_result, folder: Path) -> str | None:
    reason = _irregular(found) or _also_named(found)
    if reason is not None or not _POSIX or _is_of(found, _ROOT, os.geteuid()):
        return reason
    if not may_be_changed_by_others(folder.stat()):
        return None  # only the owner of the folder can have put it there
    return "it belongs to another user, and others may write to its folder"


def _also_named(found: os.stat_result) -> str | None:
    # None at all: another process has just replaced the file.
    return "it has another name as well (a hard link)" if found.st_nlink > 1 else None


def _is_of(found: os.stat_result, *users: int) -> bool:
    return found.st_uid in users


def _in_real_folder(path: Path, *, missing: Callable[[Path], None] = lambda _: None) -> Path:
    return real_folder(path.parent, missing=missing) / path.name


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(_FOLDER)
    except FileExistsError:  # meanwhile
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            raise


def _made(folder: Path, missing: Callable[[Path], None]) -> Path:
    for place in (*reversed(folder.parents), folder):
        if not place.exists():
            missing(place)
    return folder


def _replace(path: Path, content: bytes, mode: int) -> None:
    _place(path, content, mode, Path.replace)


def _put_once(new: Path, path: Path) -> None:
    if not _POSIX:
        new.rename(path)  # which never replaces anything there
        return
    try:
        path.hardlink_to(new)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, where the last of two that start at once wins
        new.replace(path)
    else:
        new.unlink()


def _place(path: Path, content: bytes, mode: int, put: Callable[[Path, Path], object]) -> None:
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    handle = create(new)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            set_mode(stream.fileno(), mode)
            os.fsync(stream.fileno())
        put(new, path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
    _sync_folder(path.parent)


def set_mode(handle: int, mode: int) -> None:
    """Set who may read and write an open file, where the system has such modes."""
    if _POSIX:
        with contextlib.suppress(OSError):
            os.fchmod(handle, mode)


def _sync_folder(folder: Path) -> None:
    # Only POSIX systems can open a folder; elsewhere the rename cannot be synced.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
