"""The daily check of Offline licenses in the background, so that a revocation arrives.

The time of the next check is stored on this machine before the request is sent, so neither a
restart nor a failure makes the SDK ask again soon. Failures are only logged.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import wait
from datetime import timedelta

from licet._clock import monotonic, read_clock
from licet._core import LicenseCore
from licet._enrollment import enroll, with_known_token
from licet._flow import Flow, run
from licet._forks import watch_forks
from licet._keys import key_hash, key_in_file
from licet._model import LicenseResult
from licet._refresh import try_refresh
from licet._retries import NO_RETRIES
from licet._state import State, with_next_check
from licet._transport import Transport
from licet.errors import LicetError

RETRY_INTERVAL = timedelta(hours=6)
CLOSE_TIMEOUT_SECONDS = 2.0

_log = logging.getLogger("licet")


def is_due(core: LicenseCore, result: LicenseResult) -> bool:
    """Whether to check a license that was validated by its file alone. Reads nothing from disk."""
    terms = result.license
    if not result.valid or result.source != "file" or terms is None or result.cause is not None:
        return False
    if terms.activation_mode != "Offline" or not core.config.has_server:
        return False
    key = core.normal_key or core.config.enrollment_key or key_in_file(terms.key)
    return key is not None and _is_due_for(core, core.store.seen, key_hash(key))


def check(core: LicenseCore) -> Flow[None]:
    """Ask for a signed verdict if the check is still due, and refresh license.bin if it is valid.

    A refusal is remembered. The verdict comes first because a refresh may take a seat again that
    the vendor has freed.
    """
    try:
        if core.enrollment is not None and core.wants_enrollment:
            if not _claim(core, key_hash(core.enrollment.key)):
                return
            yield from enroll(core, core.enrollment)
        yield from with_known_token(core, lambda: _check(core))
    except LicetError as error:
        _log.info("the license was not checked in the background: %s", error.message)


def _check(core: LicenseCore) -> Flow[None]:
    key = core.required_key()
    if not _claim(core, key_hash(key)):
        return
    _, result = yield from core.request_verdict(key, NO_RETRIES)
    if result.valid:
        yield from try_refresh(core, key)


def _claim(core: LicenseCore, hashed: str) -> bool:
    """Put the check off, unless another process has done so since it was last read."""
    claimed = False

    def update(old: State) -> State:
        nonlocal claimed
        claimed = _is_due_for(core, old, hashed)
        next_check = read_clock(core.config.clock) + RETRY_INTERVAL
        return with_next_check(old, hashed, next_check) if claimed else old

    core.store.update(update)
    return claimed


def _is_due_for(core: LicenseCore, state: State, hashed: str) -> bool:
    return state.check_is_due(hashed, read_clock(core.config.clock))


class ThreadCheck:
    """Checks in a daemon thread with its own connection."""

    def __init__(self, core: LicenseCore, connect: Callable[[], Transport]) -> None:
        self._core, self._connect = core, connect
        self._closed = False
        self.after_fork()
        watch_forks(self)

    def after_fork(self) -> None:
        """Forget the parent's check, and the answers that it awaits."""
        self._core.running.clear()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def start_if_due(self, result: LicenseResult) -> None:
        """Start a check if one is due and none is running. Does not block."""
        if self._closed or not is_due(self._core, result):
            return
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                thread = threading.Thread(target=self._run, name="licet-check", daemon=True)
                # No new threads can be started at interpreter shutdown.
                with contextlib.suppress(RuntimeError):
                    thread.start()
                    self._thread = thread

    def close(self) -> None:
        """Let running checks finish, for at most two seconds, and start none from now on."""
        self._closed = True
        ends = monotonic() + CLOSE_TIMEOUT_SECONDS
        if self._thread is not None:
            self._thread.join(CLOSE_TIMEOUT_SECONDS)
        wait(tuple(self._core.running), max(0.0, ends - monotonic()))

    def _run(self) -> None:
        try:
            transport = self._connect()
            try:
                run(check(self._core), transport)
            finally:
                transport.close()
        except Exception as error:  # noqa: BLE001 - the application may supply the transport
            _log.info("the license was not checked in the background (%s)", type(error).__name__)
