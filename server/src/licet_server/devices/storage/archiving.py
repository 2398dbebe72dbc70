"""Access attempts to archive, of machines that were not seen for long."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, delete

from licet_server.devices.tables import access_attempts as attempts
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id
from licet_server.kit.old_rows import OldRows, line_of
from licet_server.kit.personal import PersonalLines

LINES = PersonalLines(attempts)
"""Rows in archives."""

unseen_attempts = OldRows(attempts, attempts.c.last_seen_at, attempts.c.license_id)

_ARCHIVED = Arrays("archived", institution_id=Id, id=Id)
_DELETE = (
    delete(attempts)
    .where(attempts.c.institution_id == _ARCHIVED.c.institution_id, attempts.c.id == _ARCHIVED.c.id)
    .returning(attempts.c.license_id, attempts.c.reviewed_at, line_of(attempts))
)


async def delete_attempts(
    db: Connection, institution_id: UUID, attempt_ids: Sequence[UUID]
) -> Sequence[Row[Any]]:
    """Delete attempts; return the `license_id` and `reviewed_at` of each, and its `line`."""
    given = _ARCHIVED.given([(institution_id, item) for item in attempt_ids])
    return (await db.execute(_DELETE, given)).all()
