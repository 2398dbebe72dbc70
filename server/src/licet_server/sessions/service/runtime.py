"""Sessions at run time: connect, heartbeat and disconnect, for many applications at once."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.rules.model import Device, EntryPoint
from licet_server.devices.service.devices import Devices
from licet_server.kit.coalesce import Batching, Coalescer
from licet_server.kit.database import concerns_one_item, met_head_on
from licet_server.kit.errors import unavailable
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.standing import require_active
from licet_server.licenses.service.lookup import LicenseLookup
from licet_server.sessions.errors import InstanceTaken, NotAdmitted, SeatsInFlux, pool_full
from licet_server.sessions.rules.model import Applicant, Beat, Connected
from licet_server.sessions.service.ending import disconnect
from licet_server.sessions.service.heartbeats import keep_alive
from licet_server.sessions.service.seating import let_in

_ADMISSIONS = 3
_TRIES = 6
_PAUSE_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class ConnectRequest:
    """An application that wants to connect, as it describes itself."""

    license_key: str
    hardware_id: str
    instance_id: str | None = None
    device_name: str | None = None
    app_version: str | None = None


class Sessions:
    """Those who connect at the same time share a transaction, and so do those who keep alive."""

    def __init__(
        self, platform: Platform, licenses: LicenseLookup, devices: Devices, batching: Batching
    ) -> None:
        self._platform = platform
        self._licenses = licenses
        self._devices = devices
        # One at a time: two transactions of a process would only get in each other's way.
        self._applicants: Coalescer[Applicant, Connected] = Coalescer(
            self._let_in, max_batch=batching.max_batch, bisects=concerns_one_item
        )
        self._beats: Coalescer[Beat, datetime] = Coalescer(
            self._keep_alive,
            max_batch=batching.max_batch,
            batches_in_flight=batching.in_flight,
            bisects=concerns_one_item,
        )

    async def aclose(self) -> None:
        """Answer those who wait, then stop."""
        await self._applicants.aclose()
        await self._beats.aclose()

    async def connect(
        self, caller: ProductCaller, request: ConnectRequest, origin: Origin
    ) -> Connected:
        """Begin a session; it takes the place of an earlier one of the same instance.

        Raises:
            Refused: `LicenseNotFound`, `LicenseInvalid`, `LicenseExpired`, `DeviceBlocked`,
                `HardwareMismatch`, `PendingApproval`, `ActivationRequired`,
                `MaxConcurrentSessionsReached`, `RateLimited`, `Unavailable`.
        """
        device = Device(request.hardware_id, request.device_name, None, request.app_version)
        for _ in range(_ADMISSIONS):
            license_ = await self._licenses.find(
                caller.institution_id,
                caller.product_id,
                request.license_key,
                origin.ip_address or "",
            )
            require_active(license_, self._platform.clock())
            await self._devices.admit(license_, device, EntryPoint.CONNECT, origin)
            try:
                return await self._take_seat(_applicant(caller, license_, request, origin))
            except NotAdmitted:
                continue
        raise unavailable()

    async def heartbeat(self, caller: ProductCaller, session_id: UUID) -> datetime:
        """Keep a session alive; answers until when at least.

        Raises:
            Refused: `SessionNotFound`, `DeviceBlocked`, `LicenseInvalid`, `LicenseExpired`,
                `RateLimited`.
        """
        settings = caller.settings
        beat = Beat(
            caller.institution_id,
            caller.product_id,
            session_id,
            timedelta(seconds=settings.session_timeout_seconds),
            timedelta(seconds=settings.heartbeat_min_spacing_seconds),
        )
        return await self._beats.submit(beat)

    async def disconnect(self, caller: ProductCaller, session_id: UUID, origin: Origin) -> None:
        """End a session by its own wish.

        Raises:
            Refused: `SessionNotFound`, `DeviceBlocked`.
        """
        async with self._platform.unit_of_work(origin) as work:
            await disconnect(work, (caller.institution_id, session_id), caller.product_id)

    async def _take_seat(self, applicant: Applicant) -> Connected:
        cap = None
        for number in range(_TRIES):
            try:
                return await self._applicants.submit(applicant)
            except SeatsInFlux as flux:
                cap = flux.cap
            except InstanceTaken:
                cap = None
            await asyncio.sleep(_PAUSE_SECONDS * 2**number)
        # Whenever a seat was free, somebody else was taking it.
        raise pool_full(cap, cap) if cap is not None else unavailable()

    async def _let_in(self, applicants: Sequence[Applicant]) -> Sequence[Connected | Exception]:
        try:
            return await self._try_let_in(applicants)
        except InstanceTaken:
            pass
        except Exception as error:
            if not met_head_on(error):
                raise
        # Whoever was faster has committed, and a second look finds what he left.
        return await self._try_let_in(applicants)

    async def _try_let_in(self, applicants: Sequence[Applicant]) -> Sequence[Connected | Exception]:
        async with self._platform.database.transaction() as db:
            return await let_in(db, applicants, self._platform.clock)

    async def _keep_alive(self, beats: Sequence[Beat]) -> Sequence[datetime | Exception]:
        async with self._platform.database.relaxed() as db:
            return await keep_alive(db, beats, self._platform.clock)


def _applicant(
    caller: ProductCaller, license_: License, request: ConnectRequest, origin: Origin
) -> Applicant:
    return Applicant(
        institution_id=license_.institution_id,
        product_id=license_.product_id,
        license_id=license_.id,
        hardware_id=request.hardware_id,
        instance_id=request.instance_id,
        device_name=request.device_name,
        app_version=request.app_version,
        timeout=timedelta(seconds=caller.settings.session_timeout_seconds),
        origin=origin,
    )
