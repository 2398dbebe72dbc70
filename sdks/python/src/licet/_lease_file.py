"""What this machine keeps of a borrowed seat, next to its state.

Nothing in the file grants anything by itself: the token in it is verified each time it is read.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from licet._disk import make_folder, open_own, read_own, write_own
from licet._error_codes import optional_int
from licet._forks import watch_forks
from licet._jose import RejectedTokenError, read_object
from licet._locks import lock
from licet.errors import LicenseFileError

SUFFIX = ".lease"
MAX_LEASE_BYTES = 1 << 17
NO_LOCK = -1
"""The handle where nothing can be locked, so that copies are on their own."""

_log = logging.getLogger("licet")


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A request whose answer has not arrived. It is sent again as it was.

    Attributes:
        session_id: The session whose seat is borrowed.
        seq: The newest token that was there; ``None`` when the seat is borrowed.
    """

    idempotency_key: str
    days: int
    session_id: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class KeptLease:
    """What is kept of a borrowed seat.

    Attributes:
        token: The newest token. Not verified here.
        session_id: The session whose seat was borrowed.
        pending: The request under way.
        returning: The receipt of a seat that is not used any more, until it is reported.
    """

    token: str | None = None
    session_id: str | None = None
    pending: PendingRequest | None = None
    returning: str | None = None


NOTHING_KEPT = KeptLease()


class LeaseFile:
    """The file of a lease."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.after_fork()
        watch_forks(self)

    def after_fork(self) -> None:
        """The parent's lock may be held by a thread that the child does not have."""
        self._lock = threading.Lock()

    def begin(self) -> int | None:
        """Begin to change the lease while no other copy does; ``None`` if another one does.

        Returns:
            What :meth:`end` takes.
        """
        handle = None
        try:
            make_folder(self.path.parent)
            handle = open_own(self.path.with_name(f"{self.path.name}.lock"))
            lock(handle)
        except (BlockingIOError, PermissionError):
            if handle is None:
                return NO_LOCK
            os.close(handle)
            return None
        except OSError:
            return NO_LOCK if handle is None else handle
        return handle

    def end(self, handle: int | None) -> None:
        """Let other copies change the lease."""
        if handle is not None and handle != NO_LOCK:
            os.close(handle)

    def read(self) -> KeptLease:
        """What is kept; nothing if the file is missing, damaged or not of this user."""
        try:
            raw = read_own(self.path, MAX_LEASE_BYTES)
            return NOTHING_KEPT if raw is None else _from_json(read_object(raw))
        except (OSError, RejectedTokenError) as error:
            _log.warning("%s is not used: %s", self.path.name, error)
            return NOTHING_KEPT

    def update(self, change: Callable[[KeptLease], KeptLease]) -> KeptLease:
        """Apply a change, store the result and return it.

        Raises:
            LicenseFileError: It cannot be stored.
        """
        with self._lock:
            before = self.read()
            after = change(before)
            if after != before:
                self._write(after)
            return after

    def _write(self, kept: KeptLease) -> None:
        try:
            if kept == NOTHING_KEPT:
                with contextlib.suppress(FileNotFoundError):
                    self.path.unlink()
            else:
                write_own(self.path, json.dumps(_to_json(kept)).encode())
        except OSError as error:
            raise LicenseFileError(
                f"{self.path}, where a borrowed seat is kept, cannot be written: "
                f"{error.strerror or error}. Check the permissions of its folder."
            ) from error


def _to_json(kept: KeptLease) -> dict[str, Any]:
    pending = kept.pending
    request = pending and {
        "idempotencyKey": pending.idempotency_key,
        "days": pending.days,
        "sessionId": pending.session_id,
        "seq": pending.seq,
    }
    return _stated(
        {
            "token": kept.token,
            "sessionId": kept.session_id,
            "pending": request and _stated(request),
            "returning": kept.returning,
        }
    )


def _stated(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _from_json(raw: Mapping[str, Any]) -> KeptLease:
    pending = raw.get("pending")
    return KeptLease(
        token=_text(raw.get("token")),
        session_id=_text(raw.get("sessionId")),
        pending=_pending(pending) if isinstance(pending, dict) else None,
        returning=_text(raw.get("returning")),
    )


def _pending(raw: Mapping[str, Any]) -> PendingRequest | None:
    key, days = _text(raw.get("idempotencyKey")), optional_int(raw.get("days"))
    if key is None or days is None:
        return None
    return PendingRequest(key, days, _text(raw.get("sessionId")), optional_int(raw.get("seq")))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
