"""Sessions to archive, which ended long ago."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id
from licet_server.kit.old_rows import OldRows, line_of
from licet_server.kit.personal import PersonalLines
from licet_server.sessions.tables import sessions

LINES = PersonalLines(sessions)
"""Rows in archives."""

ended_sessions = OldRows(sessions, sessions.c.ended_at)

_ARCHIVED = Arrays("archived", institution_id=Id, id=Id)
_DELETE = (
    delete(sessions)
    .where(sessions.c.institution_id == _ARCHIVED.c.institution_id, sessions.c.id == _ARCHIVED.c.id)
    .returning(line_of(sessions))
)


async def delete_sessions(
    db: Connection, institution_id: UUID, session_ids: Sequence[UUID]
) -> list[str]:
    """Delete sessions, and return them as JSON."""
    given = _ARCHIVED.given([(institution_id, item) for item in session_ids])
    return list((await db.execute(_DELETE, given)).scalars())
