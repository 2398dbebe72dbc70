"""A small file next to the state, changed as a whole.

Nothing in such a file grants anything by itself: a token in it is verified each time it is read.
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from licet._disk import read_own, write_own
from licet._forks import watch_forks
from licet._jose import RejectedTokenError, read_object
from licet.errors import LicenseFileError

K = TypeVar("K")
MAX_BYTES = 1 << 17

_log = logging.getLogger("licet")


@dataclass(frozen=True, slots=True)
class Form(Generic[K]):
    """What a file holds.

    Attributes:
        what: What is kept in it, for messages.
        nothing: What a missing file holds.
        read: Reads it from JSON, whatever that has.
        write: Writes it as JSON; members that are ``None`` are left out.
    """

    what: str
    nothing: K
    read: Callable[[Mapping[str, Any]], K]
    write: Callable[[K], Mapping[str, Any]]


class KeptFile(Generic[K]):
    """A file with something of a form. One that holds nothing does not exist."""

    def __init__(self, path: Path, form: Form[K]) -> None:
        self.path, self._form = path, form
        self.after_fork()
        watch_forks(self)

    def after_fork(self) -> None:
        """The parent's lock may be held by a thread that the child does not have."""
        self._lock = threading.Lock()

    def read(self) -> K:
        """What is kept; nothing if the file is missing, damaged or not of this user."""
        try:
            raw = read_own(self.path, MAX_BYTES)
            return self._form.nothing if raw is None else self._form.read(read_object(raw))
        except (OSError, RejectedTokenError) as error:
            _log.warning("%s is not used: %s", self.path.name, error)
            return self._form.nothing

    def update(self, change: Callable[[K], K]) -> K:
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

    def _write(self, kept: K) -> None:
        try:
            if kept == self._form.nothing:
                with contextlib.suppress(FileNotFoundError):
                    self.path.unlink()
            else:
                write_own(self.path, json.dumps(stated(self._form.write(kept))).encode())
        except OSError as error:
            raise unwritable(self.path, self._form.what, error) from error


def unwritable(path: Path, what: str, error: OSError) -> LicenseFileError:
    """The error for a file that cannot be written."""
    return LicenseFileError(
        f"{path}, where {what} kept, cannot be written: {error.strerror or error}. Check the "
        "permissions of its folder."
    )


def stated(members: Mapping[str, Any]) -> dict[str, Any]:
    """Without the members that are ``None``."""
    return {name: value for name, value in members.items() if value is not None}


def optional_text(value: object) -> str | None:
    """A text; ``None`` if it is anything else."""
    return value if isinstance(value, str) else None
