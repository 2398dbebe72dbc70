"""Seats that are borrowed: the slot of a session is held until the end of a lease.

The caller has locked the license, so that the session does not move to another slot meanwhile.
"""

from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseId
from licet_server.sessions import errors
from licet_server.sessions.rules.model import EndReason, SessionKey, Slot, held_until
from licet_server.sessions.service.ending import end_in_slots, lock_slot
from licet_server.sessions.storage import counts
from licet_server.sessions.storage import slots as storage


async def lend_seat(
    work: UnitOfWork,
    license_: License,
    session_id: UUID,
    *,
    hardware_id: str,
    jkt: str,
    lease_id: UUID,
    ends_at: datetime,
) -> None:
    """Hold the seat of a live session of this device until the end of a lease.

    Raises:
        Refused: `SessionNotFound` unless the session is live, of this license and this device, and
            not bound to another key; `Conflict` for one whose seat is borrowed already.
    """
    slot = await lock_slot(work.db, (license_.institution_id, session_id))
    is_own = slot is not None and (slot.license_id, slot.hardware_id) == (license_.id, hardware_id)
    if slot is None or not is_own or not slot.is_live(work.now) or slot.jkt not in {None, jkt}:
        raise errors.unknown_session()
    if slot.lease_id is not None:
        raise errors.lent_already()
    held = replace(
        slot, instance_key=None, jkt=jkt, lease_id=lease_id, expires_at=held_until(ends_at)
    )
    await storage.write_slot(work.db, held)


async def extend_lent_seat(
    work: UnitOfWork, key: SessionKey, lease_id: UUID, ends_at: datetime
) -> bool:
    """Hold the seat of a lease until its later end. Returns whether it was still held."""
    slot = await _lent_slot(work, key, lease_id)
    if slot is not None:
        await storage.write_slot(work.db, replace(slot, expires_at=held_until(ends_at)))
    return slot is not None


async def free_lent_seat(
    work: UnitOfWork, key: SessionKey, lease_id: UUID, reason: EndReason
) -> None:
    """End the session whose seat is borrowed by this lease, if it is still held."""
    slot = await _lent_slot(work, key, lease_id)
    if slot is not None:
        await end_in_slots(work, [slot], reason)


async def count_lent_seats(db: Connection, license_id: LicenseId, now: datetime) -> int:
    """Return how many seats of a license are borrowed."""
    return (await counts.count_seats(db, [license_id], now))[license_id[1]].lent


async def release_lent_seats(db: Connection, license_id: LicenseId) -> None:
    """Let the sessions of borrowed seats be ended as all others, since the license is deleted."""
    await storage.release_lent(db, license_id)


async def _lent_slot(work: UnitOfWork, key: SessionKey, lease_id: UUID) -> Slot | None:
    slot = await lock_slot(work.db, key)
    return slot if slot is not None and slot.lease_id == lease_id else None
