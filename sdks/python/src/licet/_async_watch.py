"""Checking the license again in a task on the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
from datetime import timedelta
from types import TracebackType
from typing import Self

from licet._async_flow import run_async
from licet._callbacks import OnChange
from licet._clock import monotonic
from licet._core import LicenseCore
from licet._model import LicenseResult
from licet._transport import AsyncTransport
from licet._watch import CLOSE_TIMEOUT_SECONDS, Changes, pause_seconds, recheck
from licet.errors import LicetError

_log = logging.getLogger("licet")


class AsyncWatch:
    """:class:`licet.Watch` for asyncio; the callback may be a coroutine function."""

    def __init__(
        self,
        core: LicenseCore,
        transport: AsyncTransport,
        on_change: OnChange,
        interval: timedelta,
        since: LicenseResult | None = None,
    ) -> None:
        self._core, self._transport = core, transport
        self._on_change, self._interval = on_change, interval
        self._changes = Changes(since)
        self._due = monotonic() + (pause_seconds(interval) if since is not None else 0.0)
        pause_seconds(interval)
        self._wake, self._loop = asyncio.Event(), asyncio.get_running_loop()
        core.followers.add(self._wake_up)
        self._task = self._loop.create_task(self._run(), name="licet-watch")

    def _wake_up(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has been closed
            self._loop.call_soon_threadsafe(self._wake.set)

    async def close(self) -> None:
        """See :meth:`licet.Watch.close`."""
        self._core.followers.discard(self._wake_up)
        if self._task is asyncio.current_task() or self._task.done():
            return
        self._task.cancel()
        await asyncio.wait([self._task], timeout=CLOSE_TIMEOUT_SECONDS)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _run(self) -> None:
        while True:
            if monotonic() >= self._due:
                await self._check()
                self._due = monotonic() + pause_seconds(self._interval)
            await self._report()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), max(0.0, self._due - monotonic()))
            self._wake.clear()

    async def _check(self) -> None:
        try:
            await run_async(recheck(self._core), self._transport)
        except LicetError as error:
            _log.warning("the license was not checked in the background: %s", error.message)
        except Exception:  # noqa: BLE001 - the application may supply the transport
            _log.exception("the check in the background failed")

    async def _report(self) -> None:
        result = self._core.latest
        if result is None or not self._changes.is_news(result):
            return
        try:
            returned = self._on_change(result)
            if inspect.isawaitable(returned):
                await returned
        except Exception:  # noqa: BLE001 - a failing callback must not end the watch
            _log.exception("a callback raised an exception")
