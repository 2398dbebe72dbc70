"""Checking the license again in the background, with a callback for what has changed."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from types import TracebackType
from typing import Any, Self

from licet._callbacks import OnChange
from licet._clock import monotonic
from licet._core import LicenseCore
from licet._daily_check import check, is_due
from licet._flow import Flow, run
from licet._forks import watch_forks
from licet._model import LicenseResult
from licet._transport import Transport
from licet._validation import validate_patiently
from licet.errors import LicetError

INTERVAL = timedelta(hours=1)
CLOSE_TIMEOUT_SECONDS = 2.0
EARLIEST_FRACTION = 0.9

_log = logging.getLogger("licet")


def recheck(core: LicenseCore) -> Flow[LicenseResult]:
    """Validate; an Offline license is also checked with the server, once a day."""
    result = yield from validate_patiently(core)
    if is_due(core, result):
        yield from check(core)
        result = yield from validate_patiently(core)
    return result


class Changes:
    """Remembers the last result, and tells which ones are news."""

    def __init__(self, since: LicenseResult | None = None) -> None:
        self._last: Any = None
        if since is not None:
            self.is_news(since)

    def is_news(self, result: LicenseResult) -> bool:
        """Whether the status or the terms are not those of the result before."""
        terms = result.license
        if terms is not None:
            # A file has the license key, a verdict the seat; both tell the same terms.
            terms = replace(terms, key=None, seat=None)
        before, self._last = self._last, (result.status, terms)
        return bool(before != self._last)


def pause_seconds(interval: timedelta) -> float:
    """Seconds until the next check: a little less than the interval, to spread many clients.

    Raises:
        ValueError: The interval is not positive.
    """
    seconds = interval.total_seconds()
    if seconds <= 0:
        raise ValueError("interval must be positive.")
    spread = secrets.randbelow(1001) / 1000
    return seconds * (EARLIEST_FRACTION + (1 - EARLIEST_FRACTION) * spread)


class Watch:
    """Checks a license in the background until it is closed; see ``LicenseClient.watch()``.

    >>> from queue import Queue
    >>> changes = Queue()
    >>> with client.watch(changes.put, interval=timedelta(milliseconds=10)):
    ...     changes.get().status.value
    ...     server.go_offline()
    ...     changes.get().status.value
    'Valid'
    'GracePeriod'

    Use it in a ``with`` statement, or call ``close()``. In a forked child it does nothing. What the
    client learns meanwhile in another way is reported, too.

    Args:
        since: The result that the application knows. Without one the first check is made at once.
    """

    def __init__(
        self,
        core: LicenseCore,
        connect: Callable[[], Transport],
        on_change: OnChange,
        interval: timedelta,
        since: LicenseResult | None = None,
    ) -> None:
        self._core, self._connect = core, connect
        self._on_change, self._interval = on_change, interval
        self._changes = Changes(since)
        self._due = monotonic() + (pause_seconds(interval) if since is not None else 0.0)
        pause_seconds(interval)
        self._stop, self._wake = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = threading.Thread(
            target=self._run, name="licet-watch", daemon=True
        )
        core.followers.add(self._wake.set)
        self._thread.start()
        watch_forks(self)

    def after_fork(self) -> None:
        """The thread is the parent's."""
        self._thread = None
        self._core.followers.discard(self._wake.set)

    def close(self) -> None:
        """Stop. Waits up to two seconds for a running check or callback; may be repeated."""
        self._core.followers.discard(self._wake.set)
        self._stop.set()
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(CLOSE_TIMEOUT_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _run(self) -> None:
        transport = self._connect()
        try:
            while not self._stop.is_set():
                if monotonic() >= self._due:
                    self._check(transport)
                    self._due = monotonic() + pause_seconds(self._interval)
                self._report()
                self._wake.wait(max(0.0, self._due - monotonic()))
                self._wake.clear()
        finally:
            transport.close()

    def _check(self, transport: Transport) -> None:
        try:
            run(recheck(self._core), transport)
        except LicetError as error:
            _log.warning("the license was not checked in the background: %s", error.message)
        except Exception:  # noqa: BLE001 - the application may supply the transport
            _log.exception("the check in the background failed")

    def _report(self) -> None:
        result = self._core.latest
        if self._stop.is_set() or result is None or not self._changes.is_news(result):
            return
        try:
            self._on_change(result)
        except Exception:  # noqa: BLE001 - a failing callback must not end the watch
            _log.exception("a callback raised an exception")
