"""A borrowed seat on an event loop."""

from __future__ import annotations

from typing import Self

from licet._async_flow import run_async
from licet._borrowing import BorrowedSeatInfo, give_back, renew
from licet._core import LicenseCore
from licet._lease import Lease
from licet._transport import AsyncTransport


class AsyncBorrowedSeat(BorrowedSeatInfo):
    """:class:`licet.BorrowedSeat` for asyncio, with the same behavior and errors."""

    def __init__(self, core: LicenseCore, transport: AsyncTransport, lease: Lease) -> None:
        super().__init__(core, lease)
        self._transport = transport

    async def renew(self, days: int = 14) -> Self:
        """See :meth:`licet.BorrowedSeat.renew`."""
        self._lease = await run_async(renew(self._core, days), self._transport)
        return self

    async def return_(self) -> None:
        """See :meth:`licet.BorrowedSeat.return_`."""
        await run_async(give_back(self._core), self._transport)
