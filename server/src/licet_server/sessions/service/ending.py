"""The end of sessions: by their application, an operator, their device or license, or a timeout.

A session ends under the lock of its slot, so that it ends once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from licet_server.events.service.recording import record_batch
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import unavailable
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseId
from licet_server.licenses.service import reading
from licet_server.sessions import errors
from licet_server.sessions.rules.model import (
    EndReason,
    SeatSession,
    SessionKey,
    SessionStatus,
    Slot,
    SlotPlace,
    end_of_session,
)
from licet_server.sessions.service.events import ended_event
from licet_server.sessions.service.lost import lost_session_refusals
from licet_server.sessions.storage import sessions as session_storage
from licet_server.sessions.storage import slots as storage

BATCH_SIZE = 500

_MAX_TRIES = 5
_START: SlotPlace = (UUID(int=0), UUID(int=0), 0)


async def disconnect(work: UnitOfWork, key: SessionKey, product_id: UUID) -> None:
    """End a session at the request of its application.

    Raises:
        Refused: `SessionNotFound`, `DeviceBlocked`, `LicenseInvalid`, `LicenseExpired`.
    """
    slot = await _lock(work.db, key)
    is_own = slot is not None and slot.product_id == product_id
    if slot is not None and is_own and slot.is_live(work.now):
        term_ends = await _term_ends(work.db, [slot])
        term_end = term_ends.get(slot.license_id)
        if term_end is None or term_end > work.now:
            await _end_at(work, [slot], EndReason.DISCONNECTED, term_ends)
            return
    raise (await lost_session_refusals(work.db, [(key, product_id)], work.now))[key]


async def force_disconnect(work: UnitOfWork, operator: Operator, session_id: UUID) -> SeatSession:
    """End a session at the request of an operator. Returns the ended session.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` when it has ended already.
    """
    found = await session_storage.fetch_session(work.db, operator.roles, session_id, work.now)
    session = operator.found(await _if_visible(work.db, operator, found), "session")
    slot = await _lock(work.db, (session.institution_id, session_id))
    is_over = session.status is SessionStatus.ENDED
    if is_over or slot is None or not slot.is_live(work.now):
        raise errors.already_ended()
    [ended] = await _end(work, [slot], EndReason.FORCE_DISCONNECTED)
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
        await _end(work, locked, reason)
        if not await storage.device_has_slot(work.db, license_id, hardware_id, work.now):
            return
    raise unavailable()


async def end_sessions_of_licenses(
    work: UnitOfWork, licenses: Sequence[License], reason: EndReason
) -> None:
    """End all sessions of licenses, which the caller has locked, so that none starts or moves."""
    ids = [(item.institution_id, item.id) for item in licenses]
    term_ends = {item.id: item.valid_until for item in licenses}
    locked = await storage.lock_occupied(work.db, ids) if ids else []
    for first in range(0, len(locked), BATCH_SIZE):
        await _end_at(work, locked[first : first + BATCH_SIZE], reason, term_ends)


async def end_expired_sessions(platform: Platform) -> int:
    """End the sessions that timed out, and free their slots. Returns how many.

    Their seats could be claimed before. Concurrent calls skip each other's locked slots.
    """
    count, after = 0, _START
    while True:
        async with platform.unit_of_work(Origin()) as work:
            locked = await storage.lock_expired_after(work.db, after, BATCH_SIZE, work.now)
            await _end(work, locked, EndReason.TIMED_OUT)
        count += len(locked)
        if len(locked) < BATCH_SIZE:
            return count
        after = locked[-1].place


async def _if_visible(
    db: Connection, operator: Operator, session: SeatSession | None
) -> SeatSession | None:
    if session is None:
        return None
    visible = await reading.find_by_ids(db, operator.visibility, [session.license_id])
    return session if visible else None


async def _lock(db: Connection, key: SessionKey) -> Slot | None:
    """Lock the slot of a session; one that is just being moved is found by another try."""
    slot = await storage.lock_by_session(db, key)
    for _ in range(_MAX_TRIES):
        if slot is not None or not await storage.has_slot(db, key):
            break
        slot = await storage.lock_by_session(db, key)
    return slot


async def _end(work: UnitOfWork, locked: Sequence[Slot], reason: EndReason) -> list[SeatSession]:
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
    events = [(ended_event(ended[item.key]), work.origin) for item in ends if item.key in ended]
    await record_batch(work.db, events, work.now)
    return [replace(item, expires_at=None) for item in ended.values()]
