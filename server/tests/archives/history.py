"""Institutions with a past, and what of it is where."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlalchemy import text
from testkit import FakeClock

from licet_server.archives.rules import Archive, ArchiveKind
from licet_server.archives.service.archiving import ArchiveSource, archive_rows
from licet_server.archives.service.events import EVENTS
from licet_server.archives.service.files import list_archives, read_stored_lines
from licet_server.audit.rules import Finding
from licet_server.audit.service.verifying import verify
from licet_server.devices.service.attempts import ATTEMPTS
from licet_server.events.service.sealing import seal_events
from licet_server.kit.platform import Platform
from licet_server.metering.service.archiving import LEDGER
from licet_server.metering.service.usage import roll_up
from licet_server.sessions.service.ending import SESSIONS
from licet_server.worker import dispatch_events

DAYS = 400
SOURCES = (EVENTS, LEDGER, SESSIONS, ATTEMPTS)
TABLES = {
    ArchiveKind.ACCESS_ATTEMPTS: "access_attempts",
    ArchiveKind.EVENTS: "events",
    ArchiveKind.LEDGER: "meter_entries",
    ArchiveKind.SESSIONS: "sessions",
}


async def settle(platform: Platform) -> None:
    """What the jobs do within seconds: dispatch, seal and count."""
    await dispatch_events(platform)
    await seal_events(platform)
    await roll_up(platform)


async def years_later(platform: Platform, clock: FakeClock, days: float = DAYS + 40) -> None:
    """Let so much time pass that everything up to now is overdue."""
    await settle(platform)
    clock.advance(days=days)


async def archive(
    platform: Platform, sources: Sequence[ArchiveSource] = SOURCES, rows: int = 4
) -> int:
    """Archive in small files; returns how many rows."""
    return sum([await archive_rows(platform, replace(item, rows=rows), DAYS) for item in sources])


async def archives_of(platform: Platform, institution_id: str) -> list[Archive]:
    async with platform.database.reading() as db:
        return await list_archives(db, UUID(institution_id))


async def in_archives(
    platform: Platform, institution_id: str, kind: ArchiveKind
) -> list[dict[str, Any]]:
    """The rows in archives, in the order of the files."""
    found = await archives_of(platform, institution_id)
    return [
        json.loads(line)
        for item in found
        if item.kind is kind
        for line in await read_stored_lines(platform.files, item)
    ]


async def in_table(
    platform: Platform, institution_id: str, kind: ArchiveKind
) -> list[dict[str, Any]]:
    """The rows in the table, by ID."""
    name = TABLES[kind]
    sql = f"SELECT row_to_json({name})::text FROM {name} WHERE institution_id = :i ORDER BY id"
    async with platform.database.reading() as db:
        rows = (await db.execute(text(sql), {"i": institution_id})).scalars()
        return [json.loads(row) for row in rows]


async def everything(platform: Platform, institution_id: str) -> dict[str, list[dict[str, Any]]]:
    """All rows of an institution by ID, wherever they are; no row is in two places."""
    found = {}
    for kind in ArchiveKind:
        rows = [
            *await in_archives(platform, institution_id, kind),
            *await in_table(platform, institution_id, kind),
        ]
        assert len({row["id"] for row in rows}) == len(rows), kind
        found[kind.value] = sorted(rows, key=lambda row: row["id"])
    return found


async def findings(platform: Platform, *institution_ids: str) -> list[tuple[Finding, str | None]]:
    """What the verification finds in institutions, with the kind of archive."""
    found = await verify(platform, [], lambda *_: None)
    return [
        (item.finding, item.archive)
        for item in found.breaches
        if str(item.institution_id) in institution_ids
    ]


async def change(platform: Platform, sql: str, **given: Any) -> None:
    """Change rows by hand."""
    async with platform.database.transaction() as db:
        await db.execute(text(sql), given)
