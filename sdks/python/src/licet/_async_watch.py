"""Checking the license again in a task on the event loop."""

from __future__ import annotations

import asyncio
import inspect
import logging
from datetime import timedelta
from types import TracebackType
from typing import Self

from licet._async_flow import run_async
from licet._callbacks import OnChange
from licet._core import LicenseCore
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
    ) -> None:
        self._core, self._transport = core, transport
        self._on_change, self._interval = on_change, interval
        pause_seconds(interval)
        self._task = asyncio.get_running_loop().create_task(self._run(), name="licet-watch")

    async def close(self) -> None:
        """See :meth:`licet.Watch.close`."""
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
        changes = Changes()
        while True:
            await self._check(changes)
            await asyncio.sleep(pause_seconds(self._interval))

    async def _check(self, changes: Changes) -> None:
        try:
            result = await run_async(recheck(self._core), self._transport)
            if changes.is_news(result):
                returned = self._on_change(result)
                if inspect.isawaitable(returned):
                    await returned
        except LicetError as error:
            _log.warning("the license was not checked in the background: %s", error.message)
        except Exception:  # noqa: BLE001 - a failing callback must not end the watch
            _log.exception("the check in the background failed")
