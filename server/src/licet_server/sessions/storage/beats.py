"""Queries of heartbeats, which run far more often than all others.

They are plain joins: the connections that they run on (`Database.relaxed`) know no plan for them
but one index look-up for each key, in the order of the keys.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Integer, bindparam, func, or_, select, update

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant
from licet_server.sessions.rules.model import Beat, SessionKey, Slot
from licet_server.sessions.storage.slots import COLUMNS, slot_of
from licet_server.sessions.tables import session_slots as slots

_NOW = bindparam("now", type_=Instant)

_WANTED = Arrays("wanted", institution_id=Id, session_id=Id)
_BY_SESSIONS = select(*COLUMNS).where(
    slots.c.institution_id == _WANTED.c.institution_id,
    slots.c.session_id == _WANTED.c.session_id,
)

_BEATS = Arrays(
    "beat",
    institution_id=Id,
    license_id=Id,
    n=Integer,
    session_id=Id,
    expires_at=Instant,
    not_since=Instant,
)
_KEEP = (
    update(slots)
    .where(
        slots.c.institution_id == _BEATS.c.institution_id,
        slots.c.license_id == _BEATS.c.license_id,
        slots.c.n == _BEATS.c.n,
        slots.c.session_id == _BEATS.c.session_id,
        slots.c.expires_at > _NOW,
        or_(
            slots.c.beat_at.is_(None),
            _BEATS.c.not_since.is_(None),
            slots.c.beat_at <= _BEATS.c.not_since,
        ),
    )
    .values(beat_at=_NOW, expires_at=func.greatest(slots.c.expires_at, _BEATS.c.expires_at))
    .returning(slots.c.institution_id, slots.c.session_id, slots.c.expires_at)
)


async def fetch_by_sessions(db: Connection, keys: Sequence[SessionKey]) -> dict[SessionKey, Slot]:
    """The slots in which these sessions stand, in one statement."""
    found: dict[SessionKey, Slot] = {}
    for row in await db.execute(_BY_SESSIONS, _WANTED.given(keys)):
        item = slot_of(row)
        if item.session_id is not None:
            found[item.institution_id, item.session_id] = item
    return found


async def keep_alive(
    db: Connection, beats: Sequence[tuple[Beat, Slot]], now: datetime
) -> dict[SessionKey, datetime]:
    """Extend these sessions where they still stand; answers until when each is promised.

    Absent is what meanwhile ended, moved, timed out, or had a heartbeat within the spacing. The
    slots are written in their order, as everybody does who waits for several.
    """
    rows = [
        (
            *slot.place,
            beat.session_id,
            now + beat.timeout,
            now - beat.spacing if beat.spacing else None,
        )
        for beat, slot in sorted(beats, key=lambda pair: pair[1].place)
    ]
    kept = await db.execute(_KEEP, {**_BEATS.given(rows), "now": now})
    return {(row.institution_id, row.session_id): row.expires_at for row in kept}
