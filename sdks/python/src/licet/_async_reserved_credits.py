"""Reserved credits on an event loop."""

from __future__ import annotations

from typing import Self

from licet._async_flow import run_async
from licet._core import LicenseCore
from licet._file_check import HeldCredits
from licet._reserved_credits import ReservedCreditsInfo
from licet._reserving import give_back_credits, renew_credits, report
from licet._transport import AsyncTransport


class AsyncReservedCredits(ReservedCreditsInfo):
    """:class:`licet.ReservedCredits` for asyncio, with the same behavior and errors."""

    def __init__(self, core: LicenseCore, transport: AsyncTransport, held: HeldCredits) -> None:
        super().__init__(core, held)
        self._transport = transport

    async def report(self) -> None:
        """See :meth:`licet.ReservedCredits.report`."""
        await run_async(report(self._core), self._transport)

    async def renew(self, days: int = 7) -> Self:
        """See :meth:`licet.ReservedCredits.renew`."""
        self._held = await run_async(renew_credits(self._core, days), self._transport)
        return self

    async def return_(self) -> None:
        """See :meth:`licet.ReservedCredits.return_`."""
        await run_async(give_back_credits(self._core), self._transport)
