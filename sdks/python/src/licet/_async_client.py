"""The asyncio client."""

from __future__ import annotations

import asyncio
import inspect
import weakref
from collections.abc import Callable, Mapping
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Self, Unpack

from licet._activation import Activation, activate, deactivate
from licet._amounts import positive_amount
from licet._async_borrowed_seat import AsyncBorrowedSeat
from licet._async_claim import run_claim_async
from licet._async_connections import AsyncHttpTransport, OneShotTransport
from licet._async_daily_check import TaskCheck
from licet._async_flow import run_async
from licet._async_open_license import AsyncOpenLicense, Opening
from licet._async_reserved_credits import AsyncReservedCredits
from licet._async_seat import AsyncSeat
from licet._async_session import AsyncSession
from licet._async_telemetry import AsyncTracking
from licet._async_watch import AsyncWatch
from licet._borrowing import find_borrowed
from licet._callbacks import OnChange, OnLost
from licet._config import ClientOptions, make_config
from licet._connections import network_of
from licet._core import LicenseCore
from licet._device_key import DeviceIdentity
from licet._devices import Device, Devices, devices, release_device
from licet._download import Progress, download
from licet._metering import Balance, Consumption, balance, consume, make_charge
from licet._model import LicenseResult
from licet._offline_request import (
    OfflineRelease,
    OfflineRequest,
    apply_offline_answer,
    offline_request,
    release_offline,
)
from licet._opening import open_license
from licet._refresh import refresh
from licet._reserving import find_reserved, reserve
from licet._session_options import SessionOptions
from licet._setup import core_from_settings, live_session_id
from licet._transport import AsyncTransport, Transport
from licet._updates import Update, UpdateFile, check_for_update
from licet._validation import learn_reason, validate, validate_online
from licet._watch import INTERVAL
from licet.errors import LicetError


class AsyncLicenseClient(AsyncTracking):
    """:class:`licet.LicenseClient` for asyncio, with the same arguments, behavior and errors.

    Disk access and system calls run in a thread and do not block the event loop.
    """

    def __init__(
        self, *, transport: AsyncTransport | None = None, **options: Unpack[ClientOptions]
    ) -> None:
        self._set_up(LicenseCore(make_config(options)), transport)

    @classmethod
    def from_settings(
        cls,
        folder: str | Path | None = None,
        *,
        transport: AsyncTransport | None = None,
        **options: Unpack[ClientOptions],
    ) -> Self:
        """See :meth:`licet.LicenseClient.from_settings`."""
        client = cls.__new__(cls)
        client._set_up(core_from_settings(folder, options), transport)
        return client

    def _set_up(self, core: LicenseCore, transport: AsyncTransport | None) -> None:
        self._core = core
        self._sessions: weakref.WeakSet[AsyncSession] = weakref.WeakSet()
        self._watches: weakref.WeakSet[AsyncWatch] = weakref.WeakSet()
        self._owns_transport = transport is None
        self._connect: Callable[[], Transport]
        if transport is None:
            network = network_of(core.config)
            self._transport: AsyncTransport = AsyncHttpTransport(network)
            self._connect = network.connect
        else:
            self._transport = transport
            self._connect = lambda: OneShotTransport(transport)
        self._daily_check = TaskCheck(core, self._transport)
        core.live_session = lambda: live_session_id(self._sessions)

    @property
    def hardware_id(self) -> str:
        """This machine's hardware ID for this product; never empty."""
        return self._core.hardware_id

    async def identity(self) -> DeviceIdentity:
        """See :meth:`licet.LicenseClient.identity`."""
        return await asyncio.to_thread(lambda: self._core.identity)

    async def validate(self) -> LicenseResult:
        """Takes no seat, opens no session, charges no meter: see ``open()``.

        See :meth:`licet.LicenseClient.validate`.
        """
        result = await run_async(validate(self._core), self._transport)
        self._daily_check.start_if_due(result)
        return result

    async def validate_offline(self) -> LicenseResult:
        """See :meth:`licet.LicenseClient.validate_offline`."""
        return await asyncio.to_thread(self._core.validate_offline)

    async def validate_online(self) -> LicenseResult:
        """See :meth:`licet.LicenseClient.validate_online`."""
        return await run_async(validate_online(self._core), self._transport)

    async def refresh(self) -> LicenseResult:
        """See :meth:`licet.LicenseClient.refresh`."""
        return await run_async(refresh(self._core), self._transport)

    async def activate(
        self, *, device_name: str | None = None, metadata: Mapping[str, str] | None = None
    ) -> Activation:
        """See :meth:`licet.LicenseClient.activate`."""
        return await run_async(activate(self._core, device_name, metadata), self._transport)

    async def deactivate(self) -> None:
        """See :meth:`licet.LicenseClient.deactivate`."""
        await run_async(deactivate(self._core), self._transport)

    async def devices(self) -> Devices:
        """See :meth:`licet.LicenseClient.devices`."""
        return await run_async(devices(self._core), self._transport)

    async def release_device(self, device: Device) -> Device:
        """See :meth:`licet.LicenseClient.release_device`."""
        return await run_async(release_device(self._core, device), self._transport)

    async def offline_request(self, *, renew: bool = False) -> OfflineRequest:
        """See :meth:`licet.LicenseClient.offline_request`."""
        return await run_async(offline_request(self._core, renew), self._transport)

    async def apply_offline_answer(self, answer: bytes | str) -> LicenseResult:
        """See :meth:`licet.LicenseClient.apply_offline_answer`."""
        return await run_async(apply_offline_answer(self._core, answer), self._transport)

    async def release_offline(self) -> OfflineRelease:
        """See :meth:`licet.LicenseClient.release_offline`."""
        return await run_async(release_offline(self._core), self._transport)

    async def consume(
        self,
        feature: str,
        quantity: int = 1,
        *,
        idempotency_key: str | None = None,
        activation_id: str | None = None,
    ) -> Consumption:
        """See :meth:`licet.LicenseClient.consume`."""
        charge = make_charge(feature, quantity, idempotency_key, activation_id)
        return await run_async(consume(self._core, charge), self._transport)

    async def balance(self) -> Balance:
        """See :meth:`licet.LicenseClient.balance`."""
        return await run_async(balance(self._core), self._transport)

    async def reserve(
        self,
        credits: Decimal | int | str,  # noqa: A002
        days: int = 7,
    ) -> AsyncReservedCredits:
        """See :meth:`licet.LicenseClient.reserve`."""
        flow = reserve(self._core, positive_amount(credits), days)
        held = await run_async(flow, self._transport)
        return AsyncReservedCredits(self._core, self._transport, held)

    async def reserved_credits(self) -> AsyncReservedCredits | None:
        """See :meth:`licet.LicenseClient.reserved_credits`."""
        held = await run_async(find_reserved(self._core), self._transport)
        return None if held is None else AsyncReservedCredits(self._core, self._transport, held)

    async def check_for_update(
        self, *, channel: str = "Stable", platform: str | None = None
    ) -> Update:
        """See :meth:`licet.LicenseClient.check_for_update`."""
        return await run_async(check_for_update(self._core, channel, platform), self._transport)

    async def download(
        self, file: UpdateFile, path: str | Path, *, progress: Progress | None = None
    ) -> Path:
        """See :meth:`licet.LicenseClient.download`; the callback runs in a thread."""
        return await run_async(download(self._core, file, Path(path), progress), self._transport)

    def open(
        self,
        *,
        on_lost: OnLost | None = None,
        on_regained: Callable[[AsyncSession], object] | None = None,
        on_change: OnChange | None = None,
    ) -> Opening:
        """See :meth:`licet.LicenseClient.open`; use it with ``async with``, or ``await`` it.

        Callbacks run on the event loop and may be coroutine functions.
        """

        async def lost(error: LicetError) -> None:
            await run_async(learn_reason(self._core, error), self._transport)
            returned = on_lost(error) if on_lost is not None else None
            if inspect.isawaitable(returned):
                await returned

        async def start() -> AsyncOpenLicense:
            options = SessionOptions(on_lost=lost, on_regained=on_regained)
            flow = open_license(self._core)
            opened = await run_claim_async(flow, self._transport, self._session, options)
            self._daily_check.start_if_due(opened.result)
            license_ = AsyncOpenLicense(self._core, opened, self._transport)
            if on_change is not None:
                license_.watch = self._watch(on_change, INTERVAL, license_.result)
            return license_

        return Opening(start)

    def session(
        self,
        *,
        instance_id: str | None = None,
        on_lost: OnLost | None = None,
        on_regained: Callable[[AsyncSession], object] | None = None,
    ) -> AsyncSession:
        """See :meth:`licet.LicenseClient.session`; use it with ``async with``.

        Callbacks run on the event loop and may be coroutine functions.
        """
        return self._session(SessionOptions(instance_id, on_lost, on_regained))

    async def borrowed_seat(self) -> AsyncBorrowedSeat | None:
        """See :meth:`licet.LicenseClient.borrowed_seat`."""
        lease = await run_async(find_borrowed(self._core), self._transport)
        return None if lease is None else AsyncBorrowedSeat(self._core, self._transport, lease)

    def seat(self, *, on_lost: OnLost | None = None) -> AsyncSeat:
        """See :meth:`licet.LicenseClient.seat`; use it with ``async with``."""
        return AsyncSeat(self._core, self._transport, self._session, on_lost)

    def watch(self, on_change: OnChange, *, interval: timedelta = INTERVAL) -> AsyncWatch:
        """See :meth:`licet.LicenseClient.watch`; call it on the event loop.

        The callback runs there and may be a coroutine function.
        """
        return self._watch(on_change, interval)

    def _watch(
        self, on_change: OnChange, interval: timedelta, since: LicenseResult | None = None
    ) -> AsyncWatch:
        watch = AsyncWatch(self._core, self._transport, on_change, interval, since)
        self._watches.add(watch)
        return watch

    def _session(self, session_options: SessionOptions) -> AsyncSession:
        session = AsyncSession(self._core, self._transport, self._connect, session_options)
        self._sessions.add(session)
        return session

    async def aclose(self) -> None:
        """Close open sessions, watches and network connections."""
        await asyncio.gather(*(watch.close() for watch in list(self._watches)))
        await asyncio.gather(*(session.close() for session in list(self._sessions)))
        await self._daily_check.close()
        await self._close_tracking()
        if self._owns_transport:
            await self._transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(product_id={self._core.config.product_id!r})"
