"""A live session for asyncio: its heart beats in a task."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from licet._beat import Lost, Regained
from licet._core import LicenseCore
from licet._flow import Done, Pause, arun, run, step
from licet._keeping import (
    LONGEST_EXIT,
    QUICK,
    Hold,
    SessionFacts,
    Tell,
    Wishes,
    as_fault,
    give_back,
    keep,
    prepare,
    start,
    word,
)
from licet._leaving import OPEN
from licet._transport import AsyncTransport, Transport

_log = logging.getLogger("licet")


class AsyncSession(SessionFacts):
    """:class:`licet.Session` for asyncio; the same promises and errors.

    Callbacks may be plain or coroutine functions. When the event loop ends, so does the session.
    """

    def __init__(
        self,
        core: LicenseCore,
        transport: AsyncTransport,
        connect: Callable[[], Transport],
        wishes: Wishes,
    ) -> None:
        self._core, self._transport, self._wishes = core, transport, wishes
        self._connect = connect
        self._opening = asyncio.Lock()
        self._beating: _Beating | None = None

    async def open(self) -> Self:
        """See :meth:`licet.Session.open`."""
        async with self._opening:
            if self._beating is None:
                self._beating = await self._begin()
        return self

    async def _begin(self) -> _Beating:
        calls, instance = await asyncio.to_thread(prepare, self._core, self._wishes)
        try:
            heart = await arun(start(calls), self._transport)
        except BaseException:
            instance.release()
            raise
        self._hold = Hold(calls, heart, instance, self._wishes)
        beating = _Beating(self, self._hold, self._transport, self._connect)
        OPEN.add(beating)
        if self._core.config.handle_sigterm:
            OPEN.watch_sigterm()
        return beating

    async def close(self) -> None:
        """See :meth:`licet.Session.close`."""
        beating, self._beating = self._beating, None
        if beating is not None:
            await beating.end()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class _Beating:
    """The task that beats, and two ways to give the seat back: on the loop, and without it."""

    def __init__(
        self,
        session: AsyncSession,
        hold: Hold,
        transport: AsyncTransport,
        connect: Callable[[], Transport],
    ) -> None:
        self._session, self._hold, self._transport = session, hold, transport
        self._connect = connect
        self._given_back = False
        self._farewell: threading.Thread | None = None
        self._task = asyncio.create_task(self._live(), name="licet-session")

    async def end(self) -> None:
        """Stop beating and give the seat back."""
        if self._hold.foreign:
            return
        self._hold.over = True
        # A callback may close its own session; its task ends by itself then.
        if self._task is not asyncio.current_task():
            self._task.cancel()
            await asyncio.wait([self._task], timeout=QUICK)
        await self._give_back()
        OPEN.remove(self)

    async def _live(self) -> None:
        try:
            await self._beat()
        except Exception:  # noqa: BLE001 - nobody awaits this task
            _log.exception("the session ended in a fault of its own")
        finally:
            if not self._hold.over:  # the loop is ending, and with it the session
                await self._give_back()
                OPEN.remove(self)

    async def _beat(self) -> None:
        flow, outcome = keep(self._hold), None
        while True:
            effect = step(flow, outcome)
            if self._hold.over or isinstance(effect, Done):
                return
            outcome = await self._perform(effect)

    async def _perform(self, effect: Any) -> Any:
        if isinstance(effect, Pause):
            await asyncio.sleep(effect.seconds)
        elif isinstance(effect, Tell):
            await self._tell(effect.news)
        else:
            try:
                return await self._transport.send(effect)
            except Exception as error:  # noqa: BLE001 - a transport may be anybody's
                return as_fault(error)
        return None

    async def _tell(self, news: Lost | Regained) -> None:
        _log.warning("%s", word(news))
        wishes, said = self._hold.wishes, None
        try:
            if isinstance(news, Lost) and wishes.on_lost is not None:
                said = wishes.on_lost(news.error)
            elif isinstance(news, Regained) and wishes.on_regained is not None:
                said = wishes.on_regained(self._session)
            if inspect.isawaitable(said):
                await said
        except Exception:  # noqa: BLE001 - a callback's fault is its own
            _log.exception("a callback of the session failed")

    async def _give_back(self) -> None:
        if self._given_back:
            return
        self._given_back = self._hold.over = True
        try:
            async with asyncio.timeout(LONGEST_EXIT):
                await arun(give_back(self._hold), self._transport)
        except Exception as error:  # noqa: BLE001 - leaving is never refused
            _log.warning("the session was not disconnected (%s)", type(error).__name__)
        finally:
            self._hold.instance.release()

    # The end of the process, where the loop no longer runs or cannot be waited for.

    def start_leaving(self) -> None:
        if self._given_back:
            return
        self._given_back = self._hold.over = True
        self._farewell = threading.Thread(target=self._leave, daemon=True)
        try:
            self._farewell.start()
        except RuntimeError:  # an interpreter that ends starts no threads any more
            self._farewell = None
            self._leave()

    def finish_leaving(self, seconds: float) -> None:
        if self._farewell is not None:
            self._farewell.join(seconds)

    def forget(self) -> None:
        self._hold.forget()

    def _leave(self) -> None:
        try:
            transport = self._connect()
            try:
                run(give_back(self._hold), transport)
            finally:
                transport.close()
        except Exception as error:  # noqa: BLE001 - leaving is never refused
            _log.warning("the session was not disconnected (%s)", type(error).__name__)
