"""Queries of archives and of their numbers."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.archives.rules import Archive, ArchiveKind
from licet_server.archives.tables import archive_heads as heads
from licet_server.archives.tables import archives, erasures
from licet_server.kit.database import Connection
from licet_server.kit.rows import Rows

_within = archives.c.institution_id.in_

ARCHIVES = Rows(archives, Archive, _within)


async def insert_heads(db: Connection, institution_ids: Sequence[UUID], kind: ArchiveKind) -> None:
    """Create the counters of archives of a kind where they do not exist yet."""
    rows = [
        {"institution_id": item, "kind": kind.value, "number": 0}
        for item in sorted(institution_ids)
    ]
    if rows:
        await db.execute(upsert(heads).on_conflict_do_nothing(), rows)


async def lock_head(db: Connection, institution_id: UUID, kind: ArchiveKind) -> int | None:
    """Lock the last number of a kind until the transaction ends; `None` if another process has."""
    statement = (
        select(heads.c.number)
        .where(heads.c.institution_id == institution_id, heads.c.kind == kind)
        .with_for_update(skip_locked=True)
    )
    number: int | None = (await db.execute(statement)).scalar_one_or_none()
    return number


async def insert_archive(db: Connection, archive: Archive) -> None:
    """Store the row of an archive, whose number is locked."""
    await ARCHIVES.insert(db, archive)
    await db.execute(
        update(heads)
        .where(heads.c.institution_id == archive.institution_id, heads.c.kind == archive.kind)
        .values(number=archive.number)
    )


async def fetch_archives(
    db: Connection, institution_id: UUID, kind: ArchiveKind | None = None
) -> list[Archive]:
    """Fetch the archives of an institution, by kind and number."""
    # A kind that does not exist is no archive: it was written into the table by hand.
    is_known = archives.c.kind.in_(ArchiveKind)
    statement = ARCHIVES.select(archives.c.institution_id == institution_id, is_known)
    if kind is not None:
        statement = statement.where(archives.c.kind == kind)
    return await ARCHIVES.all(db, statement.order_by(archives.c.kind, archives.c.number))


async def lock_archive(
    db: Connection, institution_id: UUID, kind: ArchiveKind, number: int
) -> Archive | None:
    """Fetch an archive `FOR UPDATE`; `None` if it is gone with its institution."""
    return await ARCHIVES.one(db, _at(institution_id, kind, number).with_for_update())


async def fetch_archive(
    db: Connection, institution_id: UUID, kind: ArchiveKind, number: int
) -> Archive | None:
    return await ARCHIVES.one(db, _at(institution_id, kind, number))


def _at(institution_id: UUID, kind: ArchiveKind, number: int) -> Select[Any]:
    return ARCHIVES.select(
        archives.c.institution_id == institution_id,
        archives.c.kind == kind,
        archives.c.number == number,
    )


async def update_archive(db: Connection, before: Archive, after: Archive) -> None:
    """Store all fields of an archive, which may have another ID than before."""
    values = ARCHIVES.values(after)
    del values["institution_id"]
    await db.execute(update(archives).where(ARCHIVES.same(before)).values(values))


async def find_next(db: Connection, institution_id: UUID, after: int) -> Archive | None:
    """Find the archive with the first events after a position in the audit log."""
    statement = (
        ARCHIVES.select(
            archives.c.institution_id == institution_id,
            archives.c.kind == ArchiveKind.EVENTS,
            archives.c.last_number > after,
        )
        .order_by(archives.c.first_number)
        .limit(1)
    )
    return await ARCHIVES.one(db, statement)


async def find_institutions(db: Connection, kinds: Collection[ArchiveKind]) -> list[UUID]:
    statement = select(archives.c.institution_id).distinct().where(archives.c.kind.in_(kinds))
    return list((await db.execute(statement)).scalars())


async def delete_archives(db: Connection, items: Sequence[Archive]) -> None:
    """Delete the rows of archives whose files are gone."""
    for item in items:
        await ARCHIVES.delete(db, item)


async def insert_erasure(
    db: Connection, institution_id: UUID, erasure_id: UUID, traces: bytes, now: datetime
) -> None:
    """Store an erasure with its encrypted traces."""
    values = {"institution_id": institution_id, "id": erasure_id, "traces": traces}
    await db.execute(insert(erasures).values(**values, created_at=now))


async def list_erasures(db: Connection) -> list[tuple[UUID, UUID, bytes]]:
    """List institution, ID and encrypted traces of all erasures, oldest first."""
    statement = select(erasures.c.institution_id, erasures.c.id, erasures.c.traces)
    rows = await db.execute(statement.order_by(erasures.c.created_at, erasures.c.id))
    return [(row.institution_id, row.id, row.traces) for row in rows]


async def lock_erasure(db: Connection, institution_id: UUID, erasure_id: UUID) -> bool:
    """Lock an erasure until the transaction ends; `False` if another process has, or it is done."""
    statement = select(erasures.c.id).where(_same(institution_id, erasure_id))
    return (await db.execute(statement.with_for_update(skip_locked=True))).first() is not None


async def save_traces(
    db: Connection, institution_id: UUID, erasure_id: UUID, traces: bytes
) -> None:
    """Replace the encrypted traces."""
    same = _same(institution_id, erasure_id)
    await db.execute(update(erasures).where(same).values(traces=traces))


async def delete_erasure(db: Connection, institution_id: UUID, erasure_id: UUID) -> None:
    await db.execute(delete(erasures).where(_same(institution_id, erasure_id)))


def _same(institution_id: UUID, erasure_id: UUID) -> ColumnElement[bool]:
    return and_(erasures.c.institution_id == institution_id, erasures.c.id == erasure_id)
