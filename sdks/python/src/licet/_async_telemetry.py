"""Telemetry on an event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from licet._async_flow import run_async
from licet._core import LicenseCore
from licet._telemetry import (
    CLOSE_TIMEOUT_SECONDS,
    MAX_BATCH,
    SEND_INTERVAL_SECONDS,
    Event,
    EventQueue,
    is_on,
    send_queued,
    track,
)
from licet._transport import AsyncTransport

_log = logging.getLogger("licet")


class _TaskSender:
    """Sends events from a task on the event loop, which ends when the queue is empty."""

    def __init__(self, core: LicenseCore, transport: AsyncTransport) -> None:
        self._core, self._transport = core, transport
        self._queue = EventQueue()
        self._closed = False
        self._task: asyncio.Task[None] | None = None
        self._batch_ready, self._closing = asyncio.Event(), asyncio.Event()

    def add(self, event: Event) -> None:
        self._queue.add(event)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # sent after the next call on the loop, or on close
            return
        if self._closed:
            return
        if self._task is None or self._task.done():
            self._batch_ready, self._closing = asyncio.Event(), asyncio.Event()
            self._task = loop.create_task(self._run(), name="licet-telemetry")
        if len(self._queue) >= MAX_BATCH:
            self._batch_ready.set()

    async def close(self) -> None:
        self._closed = True
        task = self._task
        if task is None or task.done():
            task = asyncio.create_task(self._run(), name="licet-telemetry")
        self._batch_ready.set()
        self._closing.set()
        await asyncio.wait([task], timeout=CLOSE_TIMEOUT_SECONDS)
        task.cancel()
        await asyncio.wait([task], timeout=CLOSE_TIMEOUT_SECONDS)

    async def _run(self) -> None:
        while len(self._queue):
            await _wait_for(self._batch_ready, SEND_INTERVAL_SECONDS)
            self._batch_ready.clear()
            pause = await self._send_queued()
            if pause is not None:
                await _wait_for(self._closing, pause)
            if self._closing.is_set():
                return

    async def _send_queued(self) -> float | None:
        try:
            return await run_async(send_queued(self._core, self._queue), self._transport)
        except Exception as error:  # noqa: BLE001 - the application may supply the transport
            _log.debug("events were not sent (%s)", type(error).__name__)
            return SEND_INTERVAL_SECONDS


async def _wait_for(event: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


class AsyncTracking:
    """Telemetry of :class:`licet.AsyncLicenseClient`."""

    _core: LicenseCore
    _transport: AsyncTransport

    def track(self, name: str, /, **properties: object) -> None:
        """See :meth:`licet.LicenseClient.track`. Not a coroutine; do not await it.

        Call it on the event loop: events tracked from other threads are not sent until an event is
        tracked on the loop, or the client is closed.
        """
        if is_on(self._core):
            track(self._core, name, properties, self._sender.add)

    @property
    def _sender(self) -> _TaskSender:
        sender: _TaskSender | None = self.__dict__.get("_tracker")
        return sender or self.__dict__.setdefault(
            "_tracker", _TaskSender(self._core, self._transport)
        )

    async def _close_tracking(self) -> None:
        """Send the queued events, for at most two seconds."""
        if "_tracker" in self.__dict__:
            await self._sender.close()
