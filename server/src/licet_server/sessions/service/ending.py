"""The end of sessions: by their application, an operator, their device or license, or a timeout.

A session ends under the lock of its slot, so that it ends once.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from licet_server.archives.rules import (
    ROWS_PER_ARCHIVE,
    ArchivedRow,
    ArchiveKind,
    Erasure,
    LineEraser,
)
from licet_server.archives.service.archiving import ArchiveSource, archive_rows
from licet_server.catalog.rules.clocks import Clocked
from licet_server.devices import errors as device_errors
from licet_server.devices.rules.admission import device_state_of, may_connect
from licet_server.devices.rules.model import Activation, ActivationStatus, DeviceKey
from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.service.lookup import find_devices, find_facts
from licet_server.events.service.recording import record_events
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused, unavailable
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseId, LicenseStatus, LicenseTerms
from licet_server.licenses.rules.runtime import RequestNote, refusal_of
from licet_server.licenses.service import reading
from licet_server.licenses.service.hooks import LicenseHooks
from licet_server.licenses.service.noting import current_note
from licet_server.sessions import errors
from licet_server.sessions.rules.model import (
    EndReason,
    SeatSession,
    SessionKey,
    SessionStatus,
    Slot,
    SlotPlace,
    end_of_session,
    refusal_of_session,
)
from licet_server.sessions.service.events import ended_event
from licet_server.sessions.storage import sessions as session_storage
from licet_server.sessions.storage import slots as storage
from licet_server.sessions.storage.counts import live_devices
from licet_server.sessions.storage.sessions import LINES, delete_sessions, ended_sessions

_WITH_LICENSE = {EndReason.LICENSE_REVOKED, EndReason.LICENSE_EXPIRED}


async def lost_session_refusals(
    db: Connection, requested: Sequence[tuple[SessionKey, UUID, RequestNote]], now: datetime
) -> dict[SessionKey, Refused]:
    """Find the refusal for each of these sessions, which are not live.

    Each comes with the product of its request, and with the note of the request.

    An application on a blocked device is refused for that, and one whose session ended with its
    license for the state of the license. One whose session was replaced learns that another copy
    has its instance ID; all others learn only that there is no such session.
    """
    if not requested:
        return {}
    found = await session_storage.fetch_sessions(db, [key for key, _, _ in requested], now)
    own = {
        key: session
        for key, product_id, _ in requested
        if (session := found.get(key)) is not None and session.product_id == product_id
    }
    for key, _, note in requested:
        if key in own:
            note.is_of(*_device_of(own[key]))
    blocked = [item for item in own.values() if item.end_reason is EndReason.DEVICE_BLOCKED]
    devices = await find_devices(db, [_device_of(item) for item in blocked])
    over = [item for item in own.values() if item.end_reason in _WITH_LICENSE]
    licenses = await reading.find_terms(
        db, [(item.institution_id, item.license_id) for item in over]
    )
    return {
        key: _refusal_of_device(own.get(key), devices)
        or _refusal_of_license(own.get(key), licenses, now)
        or _refusal_without_session(own.get(key))
        for key, _, _ in requested
    }


def _refusal_of_device(
    session: SeatSession | None, devices: Mapping[DeviceKey, Activation]
) -> Refused | None:
    if session is None or session.end_reason is not EndReason.DEVICE_BLOCKED:
        return None
    device = devices.get(_device_of(session))
    is_blocked = device is not None and device.status is ActivationStatus.BLOCKED
    return device_errors.blocked() if is_blocked else None


def _refusal_of_license(
    session: SeatSession | None, licenses: Mapping[UUID, LicenseTerms], now: datetime
) -> Refused | None:
    if session is None or session.end_reason not in _WITH_LICENSE:
        return None
    license_ = licenses.get(session.license_id)
    return refusal_of(license_, now) if license_ is not None else None


def _refusal_without_session(session: SeatSession | None) -> Refused:
    if session is not None and session.end_reason is EndReason.REPLACED:
        return errors.replaced_session()
    return errors.unknown_session()


def _device_of(session: SeatSession) -> DeviceKey:
    return (session.institution_id, session.license_id, session.hardware_id)


BATCH_SIZE = 500

_MAX_TRIES = 5
_START: SlotPlace = (UUID(int=0), UUID(int=0), 0)


async def disconnect(
    work: UnitOfWork, key: SessionKey, product_id: UUID, shown: ShownProof
) -> None:
    """End a session at the request of its application.

    Raises:
        Refused: `SessionNotFound`, `DeviceBlocked`, `DeviceProofRequired`, `LicenseInvalid`,
            `LicenseExpired`, `Conflict` while its seat is borrowed.
    """
    note = current_note()
    slot = await lock_slot(work.db, key)
    is_own = slot is not None and slot.product_id == product_id
    if slot is not None and is_own and slot.is_live(work.now):
        term_ends = await _term_ends(work.db, [slot])
        term_end = term_ends.get(slot.license_id)
        if term_end is None or term_end > work.now:
            note.is_of(slot.institution_id, slot.license_id, slot.hardware_id)
            refused = refusal_of_session(slot, shown)
            if refused is not None:
                raise refused
            if slot.lease_id is not None:
                raise errors.lent()
            await _end_at(work, [slot], EndReason.DISCONNECTED, term_ends)
            return
    raise (await lost_session_refusals(work.db, [(key, product_id, note)], work.now))[key]


async def force_disconnect(work: UnitOfWork, operator: Operator, session_id: UUID) -> SeatSession:
    """End a session at the request of an operator. Returns the ended session.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` when it is over, or its seat is borrowed.
    """
    found = await session_storage.fetch_session(work.db, operator.roles, session_id, work.now)
    license_ = await _license_of(work.db, operator, found)
    session = operator.found(found if license_ is not None else None, "session")
    if license_ is not None and license_.clock is not None:
        work = work.at(license_.clock)
        found = await session_storage.fetch_session(work.db, operator.roles, session_id, work.now)
        session = operator.found(found, "session")
    slot = await lock_slot(work.db, (session.institution_id, session_id))
    is_over = session.status is SessionStatus.ENDED
    if is_over or slot is None or not slot.is_live(work.now):
        raise errors.already_ended()
    if slot.lease_id is not None:
        raise errors.lent()
    [ended] = await end_in_slots(work, [slot], EndReason.FORCE_DISCONNECTED)
    return ended


async def end_sessions_of_device(
    work: UnitOfWork, license_id: LicenseId, hardware_id: str, reason: EndReason
) -> None:
    """End the live sessions of a device of a license.

    The caller has locked the device, so that none of its sessions starts meanwhile. A session may
    move to another slot meanwhile, which is found by another try.

    Raises:
        Refused: `Unavailable` after too many tries.
    """
    for _ in range(_MAX_TRIES):
        locked = await storage.lock_by_device(work.db, license_id, hardware_id, work.now)
        await end_in_slots(work, locked, reason)
        if not await storage.device_has_slot(work.db, license_id, hardware_id, work.now):
            return
    raise unavailable()


async def end_sessions_of_licenses(
    work: UnitOfWork, licenses: Sequence[License], reason: EndReason
) -> None:
    """End all sessions of licenses but for those whose seats are borrowed.

    The caller has locked the licenses, so that no session starts or moves.
    """
    ids = [(item.institution_id, item.id) for item in licenses]
    by_id = {item.id: item for item in licenses}
    term_ends = {item.id: item.valid_until for item in licenses}
    locked = await storage.lock_occupied(work.db, ids) if ids else []
    for instant in dict.fromkeys(by_id[slot.license_id].clock for slot in locked):
        slots = [slot for slot in locked if by_id[slot.license_id].clock == instant]
        for first in range(0, len(slots), BATCH_SIZE):
            batch = slots[first : first + BATCH_SIZE]
            await _end_at(work.at(instant), batch, reason, term_ends)


async def end_expired_sessions(platform: Platform, clocked: Clocked | None = None) -> int:
    """End the sessions that timed out, and free their slots. Returns how many.

    Those of a product that goes by its clock, or of all that go by the present. Their seats could
    be claimed before. Concurrent calls skip each other's locked slots.
    """
    count, after = 0, _START
    while True:
        async with platform.unit_of_work(Origin()) as work:
            locked = await storage.lock_expired_after(work.db, after, BATCH_SIZE, work.now, clocked)
            await end_in_slots(work, locked, EndReason.TIMED_OUT)
        count += len(locked)
        if len(locked) < BATCH_SIZE:
            return count
        after = locked[-1].place


async def next_timeout(db: Connection, clocked: Clocked) -> datetime | None:
    """Return when a session of the product times out next."""
    return await storage.fetch_next_expiry(db, clocked)


async def _license_of(
    db: Connection, operator: Operator, session: SeatSession | None
) -> License | None:
    """Return the license of a session, if the operator sees it."""
    if session is None:
        return None
    visible = await reading.find_by_ids(db, operator.visibility, [session.license_id])
    return visible.get(session.license_id)


async def lock_slot(db: Connection, key: SessionKey) -> Slot | None:
    """Lock the slot of a session; one that is just being moved is found by another try."""
    slot = await storage.lock_by_session(db, key)
    for _ in range(_MAX_TRIES):
        if slot is not None or not await storage.has_slot(db, key):
            break
        slot = await storage.lock_by_session(db, key)
    return slot


async def end_in_slots(
    work: UnitOfWork, locked: Sequence[Slot], reason: EndReason
) -> list[SeatSession]:
    """End the sessions in these slots, which the caller has locked."""
    if not locked:
        return []
    return await _end_at(work, locked, reason, await _term_ends(work.db, locked))


async def _term_ends(db: Connection, slots: Sequence[Slot]) -> dict[UUID, datetime | None]:
    """Find when the terms of the licenses of these slots end, with their grace."""
    ids = [(slot.institution_id, slot.license_id) for slot in slots]
    terms = await reading.find_terms(db, ids)
    return {license_id: item.valid_until for license_id, item in terms.items()}


async def _end_at(
    work: UnitOfWork,
    locked: Sequence[Slot],
    reason: EndReason,
    term_ends: Mapping[UUID, datetime | None],
) -> list[SeatSession]:
    """End the sessions in these slots; those that were over have ended when they were."""
    ends = [
        end_of_session(slot, reason, work.now, term_ends.get(slot.license_id)) for slot in locked
    ]
    await storage.clear_slots(work.db, [slot.place for slot in locked])
    ended = await session_storage.end_sessions(work.db, ends)
    await record_events(work, [ended_event(ended[item.key]) for item in ends if item.key in ended])
    return [replace(item, expires_at=None) for item in ended.values()]


class SessionDeviceHooks:
    """The `DeviceHooks` of sessions."""

    async def device_blocked(self, work: UnitOfWork, device: Activation) -> None:
        await _end_sessions(work, device, EndReason.DEVICE_BLOCKED)

    async def devices_in_use(
        self, db: Connection, license_id: LicenseId, now: datetime
    ) -> Collection[str]:
        """Return the hardware IDs of the devices with live sessions."""
        return await live_devices(db, license_id, now)

    async def device_removed(self, work: UnitOfWork, device: Activation) -> None:
        await _end_sessions(work, device, EndReason.DEACTIVATED)

    async def device_moved(self, work: UnitOfWork, device: Activation) -> None:
        await _end_sessions(work, device, EndReason.DEACTIVATED)

    async def seats_taken(
        self, work: UnitOfWork, licenses: Sequence[License]
    ) -> Mapping[UUID, int]:
        """End the sessions of devices that may hold none under these terms.

        Return how many were live, by the ID of the license.
        """
        terms = {(item.institution_id, item.id): item for item in licenses}
        slots = await storage.lock_occupied(work.db, list(terms)) if terms else []
        keys = [(*slot.place[:2], slot.hardware_id or "") for slot in slots]
        facts = await find_facts(work.db, keys)
        lost = [
            slot
            for slot, key in zip(slots, keys, strict=True)
            for license_ in (terms[slot.place[:2]],)
            if not may_connect(license_, device_state_of(license_, facts[key]))
        ]
        live = Counter(slot.license_id for slot in lost if slot.is_live(work.now))
        for first in range(0, len(lost), BATCH_SIZE):
            await end_in_slots(work, lost[first : first + BATCH_SIZE], EndReason.DEACTIVATED)
        return live


async def _end_sessions(work: UnitOfWork, device: Activation, reason: EndReason) -> None:
    license_id = (device.institution_id, device.license_id)
    await end_sessions_of_device(work, license_id, device.hardware_id, reason)


_REASONS = {
    LicenseStatus.REVOKED: EndReason.LICENSE_REVOKED,
    LicenseStatus.EXPIRED: EndReason.LICENSE_EXPIRED,
}


class SessionLicenseHooks(LicenseHooks):
    """The `LicenseHooks` of sessions."""

    async def licenses_ended(
        self, work: UnitOfWork, licenses: Sequence[License], status: LicenseStatus
    ) -> None:
        await end_sessions_of_licenses(work, licenses, _REASONS[status])

    async def license_deleted(self, work: UnitOfWork, license_: License) -> None:
        """End the sessions of a license; only their events remain."""
        await end_sessions_of_licenses(work, [license_], EndReason.LICENSE_DELETED)


async def _fetch(
    db: Connection, institution_id: UUID, before: datetime, limit: int
) -> list[ArchivedRow]:
    found = await ended_sessions.fetch(db, institution_id, before, limit)
    return [ArchivedRow((row.id,), row.ended_at, row.line) for row in found]


async def _remove(db: Connection, institution_id: UUID, rows: Sequence[ArchivedRow]) -> list[str]:
    ids = [session_id for row in rows for session_id in row.key]
    return await delete_sessions(db, institution_id, ids)


def _eraser(erasure: Erasure, _secret: bytes) -> LineEraser:
    return LINES.eraser(erasure.traces.license_ids)


SESSIONS = ArchiveSource(
    ArchiveKind.SESSIONS, ROWS_PER_ARCHIVE, ended_sessions.find_due, _fetch, _remove, _eraser
)


async def archive_sessions(platform: Platform) -> int:
    """Archive sessions that ended long ago; return how many."""
    return await archive_rows(platform, SESSIONS, platform.settings.keep_sessions)
