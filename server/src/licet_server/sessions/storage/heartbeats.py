"""Queries of heartbeats, the most frequent of all.

They are plain joins: on the connections they use (`Database.relaxed`), the planner has no choice
but one index look-up per key, in the order of the keys.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Integer, bindparam, case, func, or_, select, true, update

from licet_server.kit.database import Connection, Id, Instant
from licet_server.kit.statements import Arrays
from licet_server.licenses.rules.model import StatusDates
from licet_server.licenses.storage.terms import status_dates
from licet_server.sessions.rules.model import Heartbeat, SessionKey, Slot
from licet_server.sessions.storage.slots import COLUMNS, slot_of
from licet_server.sessions.tables import session_slots as slots

_NOW = bindparam("now", type_=Instant)

_WANTED = Arrays("wanted", place=Integer, institution_id=Id, session_id=Id)
_DATES = status_dates(_WANTED.c.institution_id, slots.c.license_id)
_BY_SESSIONS = (
    select(_WANTED.c.place, *COLUMNS, *_DATES.c)
    .select_from(_WANTED.table.join(slots, true()).join(_DATES, true()))
    .where(
        slots.c.institution_id == _WANTED.c.institution_id,
        slots.c.session_id == _WANTED.c.session_id,
    )
)

_HEARTBEATS = Arrays(
    "heartbeat",
    institution_id=Id,
    license_id=Id,
    n=Integer,
    session_id=Id,
    expires_at=Instant,
    not_since=Instant,
)
_EXTEND = (
    update(slots)
    .where(
        slots.c.institution_id == _HEARTBEATS.c.institution_id,
        slots.c.license_id == _HEARTBEATS.c.license_id,
        slots.c.n == _HEARTBEATS.c.n,
        slots.c.session_id == _HEARTBEATS.c.session_id,
        slots.c.expires_at > _NOW,
        or_(
            slots.c.last_heartbeat_at.is_(None),
            _HEARTBEATS.c.not_since.is_(None),
            slots.c.last_heartbeat_at <= _HEARTBEATS.c.not_since,
        ),
    )
    .values(
        last_heartbeat_at=_NOW,
        expires_at=case(
            (slots.c.lease_id.is_not(None), slots.c.expires_at),
            else_=func.greatest(slots.c.expires_at, _HEARTBEATS.c.expires_at),
        ),
    )
    .returning(slots.c.institution_id, slots.c.session_id, slots.c.expires_at)
)


async def fetch_by_sessions(
    db: Connection, keys: Sequence[SessionKey]
) -> list[tuple[Slot, StatusDates] | None]:
    """Fetch the slots of these sessions with the dates of their licenses, by position.

    In one statement; `None` for a session that has no slot.
    """
    found: list[tuple[Slot, StatusDates] | None] = [None] * len(keys)
    given = _WANTED.given([(place, *key) for place, key in enumerate(keys)])
    for place, *columns, revoked_at, suspended_at, valid_until in await db.execute(
        _BY_SESSIONS, given
    ):
        dates = StatusDates(revoked_at, suspended_at, valid_until)
        found[place] = (slot_of(columns), dates)
    return found


async def extend_sessions(
    db: Connection, heartbeats: Sequence[tuple[Heartbeat, Slot]], now: datetime
) -> dict[SessionKey, datetime]:
    """Extend these sessions if they are still in their slots. Returns the expiry of each.

    Sessions that have ended, moved, timed out or had a heartbeat within the spacing are omitted.
    The slots are updated in order, as in every transaction that waits for several.
    """
    rows = [
        (
            *slot.place,
            heartbeat.session_id,
            now + heartbeat.timeout,
            now - heartbeat.spacing if heartbeat.spacing else None,
        )
        for heartbeat, slot in sorted(heartbeats, key=lambda pair: pair[1].place)
    ]
    extended = await db.execute(_EXTEND, {**_HEARTBEATS.given(rows), "now": now})
    return {(institution, session): expires_at for institution, session, expires_at in extended}
