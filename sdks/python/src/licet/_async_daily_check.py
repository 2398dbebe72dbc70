"""The daily check of Offline licenses in a task on the event loop."""

from __future__ import annotations

import asyncio
import logging

from licet._async_flow import run_async
from licet._core import LicenseCore
from licet._daily_check import CLOSE_TIMEOUT_SECONDS, check, is_due
from licet._model import LicenseResult
from licet._transport import AsyncTransport

_log = logging.getLogger("licet")


class TaskCheck:
    """Checks in a task on the event loop."""

    def __init__(self, core: LicenseCore, transport: AsyncTransport) -> None:
        self._core, self._transport = core, transport
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def start_if_due(self, result: LicenseResult) -> None:
        """Start a check if one is due and none is running. Does not block."""
        if self._closed or not is_due(self._core, result):
            return
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="licet-check")

    async def close(self) -> None:
        """Let running checks finish, for at most two seconds, and start none from now on."""
        self._closed = True
        tasks = {task for task in {self._task, *self._core.running} if task is not None}
        if tasks:
            _, unfinished = await asyncio.wait(tasks, timeout=CLOSE_TIMEOUT_SECONDS)
            for task in unfinished:
                task.cancel()

    async def _run(self) -> None:
        try:
            await run_async(check(self._core), self._transport)
        except Exception as error:  # noqa: BLE001 - the application may supply the transport
            _log.info("the license was not checked in the background (%s)", type(error).__name__)
