"""An open license on an event loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from types import TracebackType
from typing import Any, Self

from licet._activation import deactivate
from licet._async_borrowed_seat import AsyncBorrowedSeat
from licet._async_flow import run_async
from licet._async_session import AsyncSession
from licet._async_watch import AsyncWatch
from licet._borrowing import session_to_borrow
from licet._core import LicenseCore
from licet._metering import Consumption, consume, make_charge
from licet._open_license import OpenLicenseInfo
from licet._opening import Opened
from licet._transport import AsyncTransport


class AsyncOpenLicense(OpenLicenseInfo):
    """:class:`licet.OpenLicense` for asyncio, with the same behavior and errors."""

    def __init__(self, core: LicenseCore, opened: Opened, transport: AsyncTransport) -> None:
        super().__init__(core, opened)
        self._transport = transport
        self.watch: AsyncWatch | None = None

    async def consume(
        self, feature: str, quantity: int = 1, *, idempotency_key: str | None = None
    ) -> Consumption:
        """See :meth:`licet.OpenLicense.consume`."""
        charge = make_charge(feature, quantity, idempotency_key, None)
        return self._after(await run_async(consume(self._core, charge), self._transport))

    async def borrow(self, days: int = 14) -> AsyncBorrowedSeat:
        """See :meth:`licet.OpenLicense.borrow`."""
        session: AsyncSession | None = self._opened.session
        return await session_to_borrow(session).borrow(days)

    async def release(self) -> None:
        """See :meth:`licet.OpenLicense.release`."""
        await self.close()
        if self._opened.traits.claim == "Activation":
            await run_async(deactivate(self._core), self._transport)
            self._released = True

    async def close(self) -> None:
        """See :meth:`licet.OpenLicense.close`."""
        if self.watch is not None:
            await self.watch.close()
        session: AsyncSession | None = self._opened.session
        if session is not None:
            await session.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class Opening(Awaitable[AsyncOpenLicense]):
    """What ``AsyncLicenseClient.open()`` returns: ``async with`` it, or ``await`` it.

    Nothing is sent before.
    """

    def __init__(self, start: Callable[[], Awaitable[AsyncOpenLicense]]) -> None:
        self._start = start
        self._license: AsyncOpenLicense | None = None

    def __await__(self) -> Generator[Any, Any, AsyncOpenLicense]:
        return self._start().__await__()

    async def __aenter__(self) -> AsyncOpenLicense:
        self._license = await self._start()
        return self._license

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._license is not None:
            await self._license.close()
