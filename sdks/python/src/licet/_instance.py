"""Instance IDs: one for each running copy of an application, stored for reuse.

A copy that is restarted after a crash finds its ID and reclaims its seat; two running copies never
share an ID. Each ID is stored in a small file of its license key, which is locked while the session
is open. The operating system releases the lock however the process ends.

Copies of a machine or of the folder begin with the same ID. The server then replaces the session of
one by that of the other, and says so to the one that was replaced, which takes a new ID.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
from pathlib import Path

from licet._disk import RefusedFileError, make_folder, open_own
from licet._locks import lock
from licet._machine import Machine, ThisMachine, ci_project

MAX_COPIES = 1024
_STORED_ID = re.compile(rb"[0-9a-f]{32}")


class Instance:
    """An instance ID and the lock on its file."""

    def __init__(self, value: str, handle: int | None = None, host: str = "") -> None:
        self.value = value
        self._handle, self._host = handle, host

    def renew(self) -> None:
        """Take a new ID, which the next start finds, too, if the old one was stored."""
        stored = _new_id()
        if self._handle is not None:
            with contextlib.suppress(OSError):
                os.lseek(self._handle, 0, os.SEEK_SET)
                os.write(self._handle, stored)
        self.value = _mix_in_host(stored, self._host)

    def release(self) -> None:
        """Release the ID for another copy."""
        handle, self._handle = self._handle, None
        if handle is not None:
            with contextlib.suppress(OSError):
                os.close(handle)


def acquire_instance(folder: Path, machine: Machine | None = None, *, label: str = "") -> Instance:
    """Acquire the first stored ID in the folder, of this license key, that no running copy uses.

    If nothing can be stored, and in CI, where folders are restored from caches, return a random
    ID that is not reused.
    """
    machine = machine if machine is not None else ThisMachine()
    stored = _acquire_stored(folder, machine, label) if ci_project(machine) is None else None
    return stored or Instance(secrets.token_hex(16))


def _acquire_stored(folder: Path, machine: Machine, label: str) -> Instance | None:
    try:
        folder = make_folder(folder)
    except OSError:
        return None
    for number in range(1, MAX_COPIES + 1):
        path = folder / f"licet-instance{label}-{number}.lock"
        try:
            handle = open_own(path)
        except OSError:
            if os.path.lexists(path):
                continue  # not a file that this user has created
            return None
        try:
            lock(handle)
            host = machine.host_name()
            return Instance(_mix_in_host(_read_or_create(handle), host), handle, host)
        except (BlockingIOError, PermissionError, RefusedFileError):
            os.close(handle)
        except OSError:
            os.close(handle)
            return None
    return None


def _read_or_create(handle: int) -> bytes:
    stored = os.read(handle, 64)
    if not stored:
        stored = _new_id()
        os.write(handle, stored)
    if not _STORED_ID.fullmatch(stored):
        raise RefusedFileError("it is not an instance ID")
    return stored


def _new_id() -> bytes:
    return secrets.token_hex(16).encode()


def _mix_in_host(stored: bytes, host: str) -> str:
    # The file may be part of a container image, and its containers may run at the same time.
    material = stored + b"\0" + host.encode("utf-8", "replace")
    return hashlib.sha256(material).hexdigest()[:32]
