"""A seat held for a block of code on an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

from licet._async_borrowed_seat import AsyncBorrowedSeat
from licet._async_claim import run_claim_async
from licet._async_session import AsyncSession
from licet._borrowing import session_to_borrow
from licet._callbacks import OnLost
from licet._claim import claim_seat, resolve_seat_mode
from licet._core import LicenseCore
from licet._seat import SeatInfo
from licet._session_options import SessionOptions
from licet._transport import AsyncTransport


class AsyncSeat(SeatInfo):
    """:class:`licet.Seat` for asyncio.

    Attributes:
        activation: The activation created for the seat, if any.
        session: The session opened for the seat, if any.
    """

    session: AsyncSession | None = None

    def __init__(
        self,
        core: LicenseCore,
        transport: AsyncTransport,
        make_session: Callable[[SessionOptions], AsyncSession],
        on_lost: OnLost | None,
    ) -> None:
        self._core, self._transport = core, transport
        self._make_session, self._on_lost = make_session, on_lost

    async def __aenter__(self) -> Self:
        mode = await asyncio.to_thread(resolve_seat_mode, self._core.config)
        options = SessionOptions(on_lost=self._on_lost)
        flow = claim_seat(self._core, mode)
        claimed = await run_claim_async(flow, self._transport, self._make_session, options)
        self.activation, self.session = claimed
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.session is not None:
            await self.session.close()

    async def borrow(self, days: int = 14) -> AsyncBorrowedSeat:
        """See :meth:`licet.Seat.borrow`."""
        return await session_to_borrow(self.session).borrow(days)
