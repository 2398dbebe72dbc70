"""Reads and deletes access attempts whose machines have not been seen for long."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Row, bindparam, cast, delete, func, or_, select, true

from licet_server.devices.tables import access_attempts as attempts
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.ids import least_id

_INSTITUTIONS = Arrays("wanted", institution_id=Id)
_ARCHIVED = Arrays("archived", institution_id=Id, id=Id)
_LIMIT = bindparam("row_limit", type_=BigInteger)
_IS_OLD = [
    # IDs ascend with the time of the first attempt, so the primary key finds these.
    attempts.c.id < bindparam("least_id", type_=Id),
    attempts.c.last_seen_at < bindparam("before", type_=Instant),
]
_OLD = (
    select(attempts.c.last_seen_at)
    .where(attempts.c.institution_id == _INSTITUTIONS.c.institution_id, *_IS_OLD)
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
            func.min(_OLD.c.last_seen_at) < bindparam("overdue", type_=Instant),
        )
    )
)
_LINE = cast(func.row_to_json(attempts.table_valued()), String).label("line")
_FETCH = (
    select(attempts.c.id, attempts.c.license_id, attempts.c.last_seen_at, _LINE)
    .where(attempts.c.institution_id == bindparam("institution", type_=Id), *_IS_OLD)
    .order_by(attempts.c.id)
    .limit(_LIMIT)
)
_DELETE = (
    delete(attempts)
    .where(attempts.c.institution_id == _ARCHIVED.c.institution_id, attempts.c.id == _ARCHIVED.c.id)
    .returning(attempts.c.license_id, attempts.c.reviewed_at, _LINE)
)


def _until(before: datetime) -> dict[str, Any]:
    return {"before": before, "least_id": least_id(before)}


async def find_due(
    db: Connection, institution_ids: Sequence[UUID], before: datetime, overdue: datetime, rows: int
) -> list[UUID]:
    """Find the institutions with so many attempts from before `before`, or one `overdue`."""
    given = _INSTITUTIONS.given([(item,) for item in institution_ids])
    values = {**_until(before), **given, "overdue": overdue, "row_limit": rows}
    return list((await db.execute(_DUE, values)).scalars())


async def fetch_old(
    db: Connection, institution_id: UUID, before: datetime, limit: int
) -> Sequence[Row[Any]]:
    """Fetch the `id`, `license_id` and `last_seen_at` of old attempts, and their `line`."""
    values = {**_until(before), "institution": institution_id, "row_limit": limit}
    return (await db.execute(_FETCH, values)).all()


async def delete_attempts(
    db: Connection, institution_id: UUID, attempt_ids: Sequence[UUID]
) -> Sequence[Row[Any]]:
    """Delete attempts; return the `license_id` and `reviewed_at` of each, and its `line`."""
    given = _ARCHIVED.given([(institution_id, item) for item in attempt_ids])
    return (await db.execute(_DELETE, given)).all()
