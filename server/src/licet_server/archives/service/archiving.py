"""Moves rows that are due from a table into archives, in bounded steps.

One transaction creates an archive. The file is stored and read back before any row is deleted, and
what the deletion returns must be what the file contains, line by line; a row that has changed in
the meantime undoes the transaction. A crash at any moment undoes it, too, and leaves at most a file
that no row refers to.
"""

import asyncio
import hashlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog

from licet_server.archives import storage
from licet_server.archives.rules import (
    Archive,
    ArchivedRow,
    ArchiveKind,
    Eraser,
    horizon,
)
from licet_server.archives.service import files
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.events.service.sealing import list_chained
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

_INSTITUTIONS_AT_ONCE = 500

_log = structlog.get_logger("licet.archives")


FindDue = Callable[[Connection, Sequence[UUID], datetime, datetime, int], Awaitable[list[UUID]]]


@dataclass(frozen=True, slots=True)
class ArchiveSource:
    """The table that the rows of a kind of archive come from, at most `rows` for each.

    `find_due` returns those of the given institutions that have the given number of rows from
    before a time, or one from before an earlier time. `fetch` returns the oldest rows from before a
    time. `remove` deletes fetched rows, with what follows from that, and returns them as lines.
    `eraser` erases a person from such lines.
    """

    kind: ArchiveKind
    rows: int
    find_due: FindDue
    fetch: Callable[[Connection, UUID, datetime, int], Awaitable[list[ArchivedRow]]]
    remove: Callable[[Connection, UUID, Sequence[ArchivedRow]], Awaitable[list[str]]]
    eraser: Eraser


class RowsChanged(Exception):
    """Rows were changed or deleted while their archive was being stored."""


async def archive_rows(platform: Platform, source: ArchiveSource, days: int) -> int:
    """Archive the rows of a table that are older than this number of days; return how many.

    Several processes may run this: each skips the institutions that another one has locked.

    Raises:
        RowsChanged: at the end, when those of some institutions did; the next run tries again.
    """
    if not platform.settings.archiving:
        return 0
    due = horizon(platform.clock(), days)
    async with platform.database.reading() as db:
        chained = await list_chained(db)
    total, changed = 0, False
    for start in range(0, len(chained), _INSTITUTIONS_AT_ONCE):
        some = chained[start : start + _INSTITUTIONS_AT_ONCE]
        async with platform.database.reading() as db:
            found = await source.find_due(db, some, due.before, due.overdue, source.rows)
            await storage.insert_heads(db, found, source.kind)
        for item in found:
            try:
                total += await _archive_all(platform, source, item, due.before)
            except RowsChanged:
                changed = True
                _log.error("rows_changed", kind=source.kind.value, institution_id=str(item))
    if changed:
        raise RowsChanged
    return total


async def _archive_all(
    platform: Platform, source: ArchiveSource, institution_id: UUID, before: datetime
) -> int:
    """Archive in steps, and pause as long after each, so that half of the time is for requests."""
    total = 0
    while True:
        began = time.perf_counter()
        async with platform.unit_of_work(Origin()) as work:
            rows = await _archive_next(platform, work, source, institution_id, before)
        total += rows
        if rows < source.rows:
            return total
        await asyncio.sleep(time.perf_counter() - began)


async def _archive_next(
    platform: Platform,
    work: UnitOfWork,
    source: ArchiveSource,
    institution_id: UUID,
    before: datetime,
) -> int:
    number = await storage.lock_head(work.db, institution_id, source.kind)
    if number is None:
        return 0
    rows = await source.fetch(work.db, institution_id, before, source.rows)
    if not rows:
        return 0
    content = await files.compress([row.line for row in rows])
    places = [row.number for row in rows if row.number is not None]
    archive = Archive(
        institution_id=institution_id,
        id=work.new_id(),
        kind=source.kind,
        number=number + 1,
        rows=len(rows),
        size=len(content),
        sha256=hashlib.sha256(content).digest(),
        first_at=min(row.at for row in rows),
        last_at=max(row.at for row in rows),
        first_number=min(places, default=None),
        last_number=max(places, default=None),
    )
    await files.store(platform.files, archive, content)
    removed = await source.remove(work.db, institution_id, rows)
    if Counter(removed) != Counter(row.line for row in rows):
        await files.delete(platform.files, archive)
        raise RowsChanged
    await storage.insert_archive(work.db, archive)
    await record_event(
        work,
        EventKind.ARCHIVE_CREATED,
        institution_id=institution_id,
        subject_id=archive.id,
        data=archive.data,
    )
    _log.info("rows_archived", **archive.data, institution_id=str(institution_id))
    return len(rows)
