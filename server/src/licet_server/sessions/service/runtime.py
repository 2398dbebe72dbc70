"""Sessions at run time: connect, heartbeat and disconnect, for many applications at once."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from uuid import UUID

from msgspec import Struct, field

from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.rules.model import Device, EntryPoint, LicensedDevice
from licet_server.devices.rules.proofs import NO_PROOF, ShownProof
from licet_server.devices.service.runtime import Devices
from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection
from licet_server.kit.errors import unavailable
from licet_server.kit.limits import KeyLimits, device_bucket
from licet_server.kit.origin import Origin
from licet_server.kit.outages import is_transaction_conflict
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.model import DeviceProof, License
from licet_server.licenses.rules.runtime import NO_CREDENTIALS, Credentials, require_active
from licet_server.licenses.service.lifecycle import begin_term_with_use
from licet_server.licenses.service.noting import current_note, note_device
from licet_server.sessions import errors
from licet_server.sessions.errors import (
    AdmissionOutdated,
    InstanceConflict,
    SeatsContended,
    pool_full,
)
from licet_server.sessions.rules.model import (
    Connected,
    Heartbeat,
    SeatClaim,
    Sender,
    Slot,
    is_for_live_session,
    refusal_of_heartbeat,
    whole_seconds,
)
from licet_server.sessions.service.claiming import claim_seats
from licet_server.sessions.service.ending import disconnect, lost_session_refusals
from licet_server.sessions.storage import heartbeats as storage

Result = datetime | Exception
"""The new expiry of the session, or why the heartbeat is refused."""


async def extend_sessions(
    db: Connection, heartbeats: Sequence[Heartbeat], clock: Clock
) -> list[Result]:
    """Extend sessions; returns a result for each heartbeat, by position.

    Of several heartbeats for one session with the same proof, the first one counts.
    """
    # By position, since comparing keys takes longer than all else that is done with a heartbeat.
    places: dict[Sender, int] = {}
    firsts: list[Heartbeat] = []
    place_of: list[int] = []
    for item in heartbeats:
        place = places.setdefault(item.sender, len(firsts))
        if place == len(firsts):
            firsts.append(item)
        place_of.append(place)
    results = await _extend(db, firsts, clock())
    missed = {place: firsts[place] for place, result in enumerate(results) if result is None}
    later = await _try_again(db, missed, clock) if missed else {}
    settled = [result or later[place] for place, result in enumerate(results)]
    return [
        _result(item, firsts[place], settled[place])
        for item, place in zip(heartbeats, place_of, strict=True)
    ]


async def _extend(
    db: Connection, heartbeats: Sequence[Heartbeat], now: datetime
) -> list[Result | None]:
    """Extend the sessions that are found, by position; `None` for a missing one."""
    found = await storage.fetch_by_sessions(db, [item.key for item in heartbeats])
    results: list[Result | None] = [None] * len(heartbeats)
    accepted: dict[int, tuple[Heartbeat, Slot]] = {}
    for place, (heartbeat, known) in enumerate(zip(heartbeats, found, strict=True)):
        if known is None:
            continue
        slot, dates = known
        if not is_for_live_session(heartbeat, slot, now):
            continue
        heartbeat.note.is_of(slot.institution_id, slot.license_id, slot.hardware_id)
        refused = refusal_of_heartbeat(heartbeat, slot, dates, now)
        if refused is not None:
            results[place] = refused
        else:
            accepted[place] = (heartbeat, slot)
    if accepted:
        extended = await storage.extend_sessions(db, list(accepted.values()), now)
        for place, (heartbeat, _) in accepted.items():
            results[place] = extended.get(heartbeat.key)
    return results


async def _try_again(
    db: Connection, missed: Mapping[int, Heartbeat], clock: Clock
) -> dict[int, Result]:
    """Extend sessions that were just being moved to another slot; refuse those that are lost."""
    results = await _extend(db, list(missed.values()), clock())
    lost = [item for item, result in zip(missed.values(), results, strict=True) if result is None]
    refusals = await lost_session_refusals(
        db, [(item.key, item.product_id, item.note) for item in lost], clock()
    )
    return {
        place: result or refusals[item.key]
        for (place, item), result in zip(missed.items(), results, strict=True)
    }


def _result(heartbeat: Heartbeat, first: Heartbeat, result: Result) -> Result:
    heartbeat.note.license_id = first.note.license_id
    heartbeat.note.hardware_id = first.note.hardware_id
    if heartbeat is not first and heartbeat.spacing and isinstance(result, datetime):
        return errors.heartbeat_too_early(whole_seconds(heartbeat.spacing))
    return result


_MAX_ADMISSIONS = 3
CONNECTS_A_MINUTE = 60
"""For each instance of an application, and for refusals of each license and device, so that a loop
does not fill the audit log.

Connects that succeed do not count for their device: many users of a terminal server, or jobs of a
CI project, are one device.
"""
_MAX_CLAIMS = 6
_PAUSE_SECONDS = 0.01


class ConnectRequest(Struct, frozen=True):
    """An application's request to connect."""

    license_key: str
    hardware_id: str
    instance_id: str | None = None
    device_name: str | None = None
    app_version: str | None = None
    credentials: Credentials = NO_CREDENTIALS
    shown: ShownProof = NO_PROOF
    components: Mapping[str, str] = field(default_factory=dict)


class Sessions:
    """Serves many applications: concurrent connects share a transaction, and so do heartbeats."""

    def __init__(
        self,
        platform: Platform,
        devices: Devices,
        key_limits: KeyLimits,
        batching: Batching,
    ) -> None:
        self._platform = platform
        self._key_limits = key_limits
        self._devices = devices
        # One batch at a time: two transactions of one process would only contend for the slots.
        self._claims: Coalescing[SeatClaim, Connected] = batching.serial(
            "seats", self._claim_seats, attrgetter("institution_id")
        )
        self._heartbeats: Coalescing[Heartbeat, datetime] = batching.concurrent(
            "heartbeats", self._extend_sessions, attrgetter("institution_id")
        )

    async def aclose(self) -> None:
        """Serve what is queued, then stop."""
        await self._claims.aclose()
        await self._heartbeats.aclose()

    async def connect(
        self, caller: ProductCaller, request: ConnectRequest, origin: Origin
    ) -> Connected:
        """Start a session; it replaces an earlier one of the same instance.

        Raises:
            Refused: `LicenseNotFound`, `LicenseInvalid`, `LicenseExpired`, `DeviceBlocked`,
                `HardwareMismatch`, `DeviceProofRequired`, `HardwareIdNotAccepted`,
                `TrialAlreadyUsed`, `PendingApproval`, `ActivationRequired`,
                `MaxConcurrentSessionsReached`, `RateLimited`, `Unavailable`.
        """
        device = Device(
            hardware_id=request.hardware_id,
            name=request.device_name,
            app_version=request.app_version,
            shown=request.shown,
            components=request.components,
        )
        note_device(request.hardware_id, request.device_name, request.app_version)
        for _ in range(_MAX_ADMISSIONS):
            found = await self._devices.find(
                caller,
                request.license_key,
                request.hardware_id,
                origin.ip_address or "",
                request.credentials,
            )
            license_ = found.license
            refusals = device_bucket("connect", license_.id, device.hardware_id)
            try:
                async with self._key_limits.limit_refusals(refusals, CONNECTS_A_MINUTE):
                    connected = await self._connect(caller, found, device, request, origin)
            except AdmissionOutdated:
                continue
            await begin_term_with_use(self._platform, license_, origin)
            return connected
        raise unavailable()

    async def _connect(
        self,
        caller: ProductCaller,
        found: LicensedDevice,
        device: Device,
        request: ConnectRequest,
        origin: Origin,
    ) -> Connected:
        license_ = found.license
        require_active(license_, self._platform.now())
        if request.instance_id is not None:
            copy = f"{device.hardware_id}\n{request.instance_id}"
            bucket = device_bucket("connect", license_.id, copy)
            await self._key_limits.take(bucket, CONNECTS_A_MINUTE)
        hardware_id = await self._devices.admit_to_session(
            caller.settings,
            license_,
            found.seated.facts,
            device,
            entry_point=EntryPoint.CONNECT,
            origin=origin,
        )
        return await self._claim_seat(_claim_of(caller, license_, hardware_id, request, origin))

    async def heartbeat(
        self, caller: ProductCaller, session_id: UUID, shown: ShownProof = NO_PROOF
    ) -> datetime:
        """Extend a session. Returns its new expiry.

        Raises:
            Refused: `SessionNotFound`, `DeviceBlocked`, `DeviceProofRequired`, `LicenseInvalid`,
                `LicenseExpired`, `RateLimited`.
        """
        settings = caller.settings
        heartbeat = Heartbeat(
            institution_id=caller.institution_id,
            product_id=caller.product_id,
            session_id=session_id,
            timeout=timedelta(seconds=settings.session_timeout_seconds),
            spacing=timedelta(seconds=settings.heartbeat_min_spacing_seconds),
            note=current_note(),
            shown=shown,
        )
        return await self._heartbeats.submit(heartbeat)

    async def disconnect(
        self,
        caller: ProductCaller,
        session_id: UUID,
        origin: Origin,
        shown: ShownProof = NO_PROOF,
    ) -> None:
        """End a session at its own request.

        Raises:
            Refused: `SessionNotFound`, `DeviceBlocked`, `DeviceProofRequired`, `LicenseInvalid`,
                `LicenseExpired`.
        """
        async with self._platform.unit_of_work(origin) as work:
            await disconnect(work, (caller.institution_id, session_id), caller.product_id, shown)

    async def _claim_seat(self, claim: SeatClaim) -> Connected:
        cap = None
        for number in range(_MAX_CLAIMS):
            try:
                return await self._claims.submit(claim)
            except SeatsContended as contended:
                cap = contended.cap
            except InstanceConflict:
                cap = None
            await asyncio.sleep(_PAUSE_SECONDS * 2**number)
        # Every free seat was being claimed by another transaction.
        raise pool_full(cap, cap) if cap is not None else unavailable()

    async def _claim_seats(self, claims: Sequence[SeatClaim]) -> Sequence[Connected | Exception]:
        try:
            return await self._try_claim_seats(claims)
        except InstanceConflict:
            pass
        except Exception as error:
            if not is_transaction_conflict(error):
                raise
        # The other transaction has committed, so that a second try sees what it wrote.
        return await self._try_claim_seats(claims)

    async def _try_claim_seats(
        self, claims: Sequence[SeatClaim]
    ) -> Sequence[Connected | Exception]:
        async with self._platform.database.keyed_transaction() as db:
            return await claim_seats(db, claims, self._platform.now, self._platform.clock)

    async def _extend_sessions(
        self, heartbeats: Sequence[Heartbeat]
    ) -> Sequence[datetime | Exception]:
        async with self._platform.database.relaxed() as db:
            return await extend_sessions(db, heartbeats, self._platform.now)


def _claim_of(
    caller: ProductCaller,
    license_: License,
    hardware_id: str,
    request: ConnectRequest,
    origin: Origin,
) -> SeatClaim:
    return SeatClaim(
        institution_id=license_.institution_id,
        product_id=license_.product_id,
        license_id=license_.id,
        hardware_id=hardware_id,
        instance_id=request.instance_id,
        device_name=request.device_name,
        app_version=request.app_version,
        timeout=timedelta(seconds=caller.settings.session_timeout_seconds),
        origin=origin,
        proof=None if license_.device_proof is DeviceProof.OFF else request.shown.proof,
    )
