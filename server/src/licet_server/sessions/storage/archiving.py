"""Reads and deletes sessions that ended long ago."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Row, bindparam, cast, delete, func, or_, select, true

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.ids import least_id
from licet_server.sessions.tables import sessions

_INSTITUTIONS = Arrays("wanted", institution_id=Id)
_ARCHIVED = Arrays("archived", institution_id=Id, id=Id)
_LIMIT = bindparam("row_limit", type_=BigInteger)
_IS_OLD = [
    # IDs ascend with the time of the start, so the primary key finds these.
    sessions.c.id < bindparam("least_id", type_=Id),
    sessions.c.ended_at < bindparam("before", type_=Instant),
]
_OLD = (
    select(sessions.c.ended_at)
    .where(sessions.c.institution_id == _INSTITUTIONS.c.institution_id, *_IS_OLD)
    .limit(_LIMIT)
    .lateral("old")
)
_DUE = (
    select(_INSTITUTIONS.c.institution_id)
    .select_from(_INSTITUTIONS.table.join(_OLD, true()))
    .group_by(_INSTITUTIONS.c.institution_id)
    .having(
        or_(
            func.count() >= _LIMIT,
            func.min(_OLD.c.ended_at) < bindparam("overdue", type_=Instant),
        )
    )
)
_LINE = cast(func.row_to_json(sessions.table_valued()), String).label("line")
_FETCH = (
    select(sessions.c.id, sessions.c.ended_at, _LINE)
    .where(sessions.c.institution_id == bindparam("institution", type_=Id), *_IS_OLD)
    .order_by(sessions.c.id)
    .limit(_LIMIT)
)
_DELETE = (
    delete(sessions)
    .where(sessions.c.institution_id == _ARCHIVED.c.institution_id, sessions.c.id == _ARCHIVED.c.id)
    .returning(_LINE)
)


def _until(before: datetime) -> dict[str, Any]:
    return {"before": before, "least_id": least_id(before)}


async def find_due(
    db: Connection, institution_ids: Sequence[UUID], before: datetime, overdue: datetime, rows: int
) -> list[UUID]:
    """Find the institutions with so many sessions that ended before `before`, or one `overdue`."""
    given = _INSTITUTIONS.given([(item,) for item in institution_ids])
    values = {**_until(before), **given, "overdue": overdue, "row_limit": rows}
    return list((await db.execute(_DUE, values)).scalars())


async def fetch_old(
    db: Connection, institution_id: UUID, before: datetime, limit: int
) -> Sequence[Row[Any]]:
    """Fetch the `id` and `ended_at` of sessions that ended before `before`, and their `line`."""
    values = {**_until(before), "institution": institution_id, "row_limit": limit}
    return (await db.execute(_FETCH, values)).all()


async def delete_sessions(
    db: Connection, institution_id: UUID, session_ids: Sequence[UUID]
) -> list[str]:
    """Delete sessions, and return them as JSON."""
    given = _ARCHIVED.given([(institution_id, item) for item in session_ids])
    return list((await db.execute(_DELETE, given)).scalars())
