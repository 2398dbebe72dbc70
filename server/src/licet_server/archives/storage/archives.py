"""Queries of archives and of their numbers."""

from collections.abc import Collection, Sequence
from dataclasses import fields
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.archives.rules.model import Archive, ArchiveKind
from licet_server.archives.tables import archive_heads as heads
from licet_server.archives.tables import archives
from licet_server.kit.database import Connection

_NAMES = [field.name for field in fields(Archive)]
_COLUMNS = [archives.c[name] for name in _NAMES]


def _archive(row: Row[Any]) -> Archive:
    stored = {name: row._mapping[name] for name in _NAMES}
    return Archive(**{**stored, "kind": ArchiveKind(stored["kind"])})


async def insert_heads(db: Connection, institution_ids: Sequence[UUID], kind: ArchiveKind) -> None:
    """Begin to number the archives of a kind where that has not begun yet."""
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
    await db.execute(insert(archives).values({name: getattr(archive, name) for name in _NAMES}))
    await db.execute(
        update(heads)
        .where(heads.c.institution_id == archive.institution_id, heads.c.kind == archive.kind)
        .values(number=archive.number)
    )


async def fetch_archives(
    db: Connection, institution_id: UUID, kind: ArchiveKind | None = None
) -> list[Archive]:
    """Fetch the archives of an institution, by kind and number."""
    # A kind that does not exist is no archive: somebody wrote it into the table.
    statement = select(*_COLUMNS).where(
        archives.c.institution_id == institution_id, archives.c.kind.in_(ArchiveKind)
    )
    if kind is not None:
        statement = statement.where(archives.c.kind == kind)
    ordered = statement.order_by(archives.c.kind, archives.c.number)
    return [_archive(row) for row in await db.execute(ordered)]


async def lock_archive(
    db: Connection, institution_id: UUID, kind: ArchiveKind, number: int
) -> Archive | None:
    """Fetch an archive `FOR UPDATE`; `None` if it is gone with its institution."""
    statement = _at(institution_id, kind, number).with_for_update()
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _archive(row)


async def fetch_archive(
    db: Connection, institution_id: UUID, kind: ArchiveKind, number: int
) -> Archive | None:
    row = (await db.execute(_at(institution_id, kind, number))).one_or_none()
    return None if row is None else _archive(row)


def _at(institution_id: UUID, kind: ArchiveKind, number: int) -> Select[Any]:
    return select(*_COLUMNS).where(
        archives.c.institution_id == institution_id,
        archives.c.kind == kind,
        archives.c.number == number,
    )


async def update_archive(db: Connection, before: Archive, after: Archive) -> None:
    """Store all fields of an archive, which may have another ID than before."""
    await db.execute(
        update(archives)
        .where(archives.c.institution_id == before.institution_id, archives.c.id == before.id)
        .values({name: getattr(after, name) for name in _NAMES})
    )


async def find_next(db: Connection, institution_id: UUID, after: int) -> Archive | None:
    """Find the archive with the first events after a place in the audit log."""
    statement = (
        select(*_COLUMNS)
        .where(
            archives.c.institution_id == institution_id,
            archives.c.kind == ArchiveKind.EVENTS,
            archives.c.last_number > after,
        )
        .order_by(archives.c.first_number)
        .limit(1)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _archive(row)


async def find_institutions(db: Connection, kinds: Collection[ArchiveKind]) -> list[UUID]:
    """Find the institutions that have archives of these kinds."""
    statement = select(archives.c.institution_id).distinct().where(archives.c.kind.in_(kinds))
    return list((await db.execute(statement)).scalars())


async def delete_archives(db: Connection, items: Sequence[Archive]) -> None:
    """Delete the rows of archives whose files are gone."""
    for item in items:
        await db.execute(
            delete(archives).where(
                archives.c.institution_id == item.institution_id, archives.c.id == item.id
            )
        )
