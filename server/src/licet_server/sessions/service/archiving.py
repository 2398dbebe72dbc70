"""Archiving of sessions that ended long ago."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.archives.rules.erasing import Erasure, LineEraser
from licet_server.archives.rules.model import ROWS_PER_ARCHIVE, ArchivedRow, ArchiveKind
from licet_server.archives.service.archiving import ArchiveSource, archive_rows
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.sessions.storage.archiving import LINES, delete_sessions, ended_sessions


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
