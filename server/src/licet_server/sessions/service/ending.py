"""Ends sessions: by their application, by an operator, with their device, by time.

Whoever ends a session holds its slot, so that it ends once.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from licet_server.events.service.recording import record_batch
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import unavailable
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.service import reading
from licet_server.sessions import errors
from licet_server.sessions.rules.model import (
    EndReason,
    Session,
    SessionKey,
    Slot,
    SlotPlace,
    ending_of,
)
from licet_server.sessions.service.events import ended_event
from licet_server.sessions.service.lost import why_lost
from licet_server.sessions.storage import sessions as session_storage
from licet_server.sessions.storage import slots as storage

AT_A_TIME = 500

_LOOKS = 5
_START: SlotPlace = (UUID(int=0), UUID(int=0), 0)


async def disconnect(work: UnitOfWork, key: SessionKey, product_id: UUID) -> None:
    """An application gives its seat back.

    Raises:
        Refused: `SessionNotFound`, `DeviceBlocked`.
    """
    slot = await _lock(work.db, key)
    if slot is None or slot.product_id != product_id or not slot.is_live(work.now):
        raise (await why_lost(work.db, [(key, product_id)], work.now))[key]
    await _end(work, [slot], EndReason.DISCONNECTED)


async def force_disconnect(work: UnitOfWork, operator: Operator, session_id: UUID) -> Session:
    """An operator frees a seat. Answers the session as it is then.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` when it has ended already.
    """
    found = await session_storage.fetch_session(work.db, operator.roles, session_id, work.now)
    session = operator.found(await _seen(work.db, operator, found), "session")
    slot = await _lock(work.db, (session.institution_id, session_id))
    if slot is None or not slot.is_live(work.now):
        raise errors.has_ended()
    [ended] = await _end(work, [slot], EndReason.FORCE_DISCONNECTED)
    return ended


async def end_sessions_of_device(
    work: UnitOfWork, license_id: LicenseId, hardware_id: str, reason: EndReason
) -> None:
    """End what lives on a device of a license.

    The device is held by the caller, so that no session of it begins meanwhile; one may be moved
    to another slot, which takes another look.
    """
    for _ in range(_LOOKS):
        held = await storage.lock_by_device(work.db, license_id, hardware_id, work.now)
        await _end(work, held, reason)
        if not await storage.device_has_slot(work.db, license_id, hardware_id, work.now):
            return
    raise unavailable()


async def tidy_up(platform: Platform) -> int:
    """End the sessions that timed out and free their slots; answers how many.

    Their seats were free before. Several may do so at once: each skips what another one holds.
    """
    count, after = 0, _START
    while True:
        async with platform.unit_of_work(Origin()) as work:
            held = await storage.lock_expired_after(work.db, after, AT_A_TIME, work.now)
            await _end(work, held, EndReason.TIMED_OUT)
        count += len(held)
        if len(held) < AT_A_TIME:
            return count
        after = held[-1].place


async def _seen(db: Connection, operator: Operator, session: Session | None) -> Session | None:
    if session is None:
        return None
    seen = await reading.find_by_ids(db, operator.visibility, [session.license_id])
    return session if seen else None


async def _lock(db: Connection, key: SessionKey) -> Slot | None:
    """The slot of a session, held; a session that was just moved is found by another look."""
    slot = await storage.lock_by_session(db, key)
    for _ in range(_LOOKS):
        if slot is not None or not await storage.has_slot(db, key):
            break
        slot = await storage.lock_by_session(db, key)
    return slot


async def _end(work: UnitOfWork, held: Sequence[Slot], reason: EndReason) -> list[Session]:
    if not held:
        return []
    endings = [ending_of(slot, reason, work.now) for slot in held]
    await storage.empty_slots(work.db, [slot.place for slot in held])
    ended = await session_storage.end_sessions(work.db, endings)
    told = [(ended_event(ended[item.key]), work.origin) for item in endings if item.key in ended]
    await record_batch(work.db, told, work.now)
    return [replace(item, expires_at=None) for item in ended.values()]
