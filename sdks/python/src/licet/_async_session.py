"""The asyncio live session, with heartbeats in a task."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from licet._async_borrowed_seat import AsyncBorrowedSeat
from licet._async_flow import run_async
from licet._borrowing import borrow
from licet._core import LicenseCore
from licet._exit_hooks import OPEN_SESSIONS
from licet._flow import Done, Pause, run, step
from licet._heartbeat import Lost, Regained
from licet._session_lifecycle import (
    CLOSE_TIMEOUT_SECONDS,
    DISCONNECT_TIMEOUT_SECONDS,
    Notify,
    SessionInfo,
    SessionState,
    as_licet_error,
    disconnect_session,
    keep_alive,
    log_line,
    open_session,
)
from licet._session_options import SessionOptions
from licet._transport import AsyncTransport, Transport

_log = logging.getLogger("licet")


class AsyncSession(SessionInfo):
    """:class:`licet.Session` for asyncio, with the same behavior and errors.

    Callbacks may be plain or coroutine functions. The session ends with its event loop.
    """

    def __init__(
        self,
        core: LicenseCore,
        transport: AsyncTransport,
        connect: Callable[[], Transport],
        options: SessionOptions,
    ) -> None:
        self._core, self._transport, self._options = core, transport, options
        self._connect = connect
        self._open_lock = asyncio.Lock()
        self._worker: _HeartbeatTask | None = None

    async def open(self) -> Self:
        """See :meth:`licet.Session.open`."""
        async with self._open_lock:
            if self._worker is None and self._lease is None:
                self._worker = await self._start()
                self._is_borrowed = self._worker is None
        return self

    async def _start(self) -> _HeartbeatTask | None:
        state = await run_async(open_session(self._core, self._options), self._transport)
        if state is None:
            return None
        self._state = state
        worker = _HeartbeatTask(self, self._state, self._transport, self._connect)
        OPEN_SESSIONS.add(worker)
        if self._core.config.handle_sigterm:
            OPEN_SESSIONS.watch_signals()
        return worker

    async def borrow(self, days: int = 14) -> AsyncBorrowedSeat:
        """See :meth:`licet.Session.borrow`."""
        session_id, instance_id = self._lent()
        flow = borrow(self._core, days, session_id, instance_id)
        lease = await run_async(flow, self._transport)
        if self._state is not None:
            self._state.borrowed = self._core.leases.read().session_id == session_id
        await self.close()
        self._is_borrowed = True
        return AsyncBorrowedSeat(self._core, self._transport, lease)

    async def close(self) -> None:
        """See :meth:`licet.Session.close`."""
        self._is_borrowed = False
        worker, self._worker = self._worker, None
        if worker is not None:
            await worker.stop()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class _HeartbeatTask:
    """The heartbeat task, and two ways to release the seat: on the event loop and without it."""

    def __init__(
        self,
        session: AsyncSession,
        state: SessionState,
        transport: AsyncTransport,
        connect: Callable[[], Transport],
    ) -> None:
        self._session, self._state, self._transport = session, state, transport
        self._connect = connect
        self._released = False
        self._exit_thread: threading.Thread | None = None
        self._task = asyncio.create_task(self._run(), name="licet-session")

    async def stop(self) -> None:
        """Stop heartbeats and release the seat."""
        if self._state.forked:
            return
        self._state.closed = True
        # If a callback closes its own session, the task ends by itself.
        if self._task is not asyncio.current_task():
            self._task.cancel()
            await asyncio.wait([self._task], timeout=DISCONNECT_TIMEOUT_SECONDS)
        await self._release()
        OPEN_SESSIONS.remove(self)

    async def _run(self) -> None:
        try:
            await self._send_heartbeats()
        except Exception:  # noqa: BLE001 - nothing awaits this task
            _log.exception("the session ended because of an internal error")
        finally:
            if not self._state.closed:  # the event loop is shutting down
                await self._release()
                OPEN_SESSIONS.remove(self)

    async def _send_heartbeats(self) -> None:
        flow, outcome = keep_alive(self._state), None
        while True:
            effect = step(flow, outcome)
            if self._state.closed or isinstance(effect, Done):
                return
            outcome = await self._perform(effect)

    async def _perform(self, effect: Any) -> Any:
        if isinstance(effect, Pause):
            await asyncio.sleep(effect.seconds)
        elif isinstance(effect, Notify):
            await self._notify(effect.event)
        else:
            try:
                return await self._transport.send(effect)
            except Exception as error:  # noqa: BLE001 - the application may supply the transport
                return as_licet_error(error)
        return None

    async def _notify(self, event: Lost | Regained) -> None:
        _log.warning("%s", log_line(event))
        options, result = self._state.options, None
        try:
            if isinstance(event, Lost) and options.on_lost is not None:
                result = options.on_lost(event.error)
            elif isinstance(event, Regained) and options.on_regained is not None:
                result = options.on_regained(self._session)
            if inspect.isawaitable(result):
                await result
        except Exception:  # noqa: BLE001 - a failing callback must not end the session
            _log.exception("a session callback raised an exception")

    async def _release(self) -> None:
        if self._released:
            return
        self._released = self._state.closed = True
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
                await run_async(disconnect_session(self._state), self._transport)
        except Exception as error:  # noqa: BLE001 - closing never raises
            _log.warning("the session was not disconnected (%s)", type(error).__name__)
        finally:
            self._state.instance.release()

    # At process exit the event loop has stopped or cannot be waited for.

    def begin_release(self) -> None:
        if self._released:
            return
        self._released = self._state.closed = True
        self._exit_thread = threading.Thread(target=self._release_without_loop, daemon=True)
        try:
            self._exit_thread.start()
        except RuntimeError:  # no new threads can be started at interpreter shutdown
            self._exit_thread = None
            self._release_without_loop()

    def finish_release(self, seconds: float) -> None:
        if self._exit_thread is not None:
            self._exit_thread.join(seconds)

    def abandon(self) -> None:
        self._state.abandon()

    def _release_without_loop(self) -> None:
        try:
            transport = self._connect()
            try:
                run(disconnect_session(self._state), transport)
            finally:
                transport.close()
        except Exception as error:  # noqa: BLE001 - closing never raises
            _log.warning("the session was not disconnected (%s)", type(error).__name__)
