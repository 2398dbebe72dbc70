"""Queries of recorded events."""

from collections.abc import Sequence
from dataclasses import fields
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import BigInteger, cast, literal_column, select, update

from licet_server.audit.rules.model import Record, RecordFilter
from licet_server.events.tables import LICENSE_CONCERNED, events
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Bytes, Connection, Id, String
from licet_server.kit.paging import Listing, Paging, fetch_listing

_NAMES = [field.name for field in fields(Record)]
# As texts, so that amounts are read exactly.
_COLUMNS = [
    cast(events.c[name], String) if name in {"data", "changes"} else events.c[name]
    for name in _NAMES
]
_DATA, _CHANGES = _NAMES.index("data"), _NAMES.index("changes")
_SORTABLE = {"occurredAt": events.c.id}  # UUIDv7: in the order of time
_decoder = msgspec.json.Decoder(float_hook=Decimal)

_SEALED = Arrays("sealed", institution_id=Id, id=Id, number=BigInteger, seal=Bytes)
_SEAL = (
    update(events)
    .where(
        events.c.institution_id == _SEALED.c.institution_id,
        events.c.id == _SEALED.c.id,
        events.c.seal_number.is_(None),
    )
    .values(seal_number=_SEALED.c.number, seal=_SEALED.c.seal)
)


def _record(row: Sequence[Any]) -> Record:
    stored = list(row)
    for place in (_DATA, _CHANGES):
        stored[place] = None if stored[place] is None else _decoder.decode(stored[place])
    return Record(*stored)


async def list_records(
    db: Connection, institution_id: UUID, chosen: RecordFilter, paging: Paging
) -> Listing[Record]:
    statement = select(*_COLUMNS).where(events.c.institution_id == institution_id)
    if chosen.kind is not None and chosen.kind.endswith("*"):
        start = chosen.kind.removesuffix("*")
        statement = statement.where(events.c.kind.startswith(start, autoescape=True))
    elif chosen.kind is not None:
        statement = statement.where(events.c.kind == chosen.kind)
    if chosen.actor_id is not None:
        statement = statement.where(events.c.actor_id == chosen.actor_id)
    if chosen.subject_id is not None:
        statement = statement.where(events.c.subject_id == chosen.subject_id)
    if chosen.since is not None:
        statement = statement.where(events.c.occurred_at >= chosen.since)
    if chosen.until is not None:
        statement = statement.where(events.c.occurred_at < chosen.until)
    listing = await fetch_listing(db, statement, paging, id_column=events.c.id, sortable=_SORTABLE)
    return listing.of(_record)


async def list_license_records(
    db: Connection, institution_id: UUID, license_id: UUID, paging: Paging
) -> Listing[Record]:
    """What is about the license: its own events, and those that name it."""
    concerned = literal_column(LICENSE_CONCERNED, String)
    statement = select(*_COLUMNS).where(
        events.c.institution_id == institution_id, concerned == str(license_id)
    )
    listing = await fetch_listing(db, statement, paging, id_column=events.c.id, sortable=_SORTABLE)
    return listing.of(_record)


async def find_unsealed_institutions(db: Connection) -> list[UUID]:
    """Institutions with events that are not in their chain yet."""
    statement = select(events.c.institution_id).distinct().where(events.c.seal_number.is_(None))
    return list((await db.execute(statement)).scalars())


async def find_sealed_institutions(db: Connection) -> list[UUID]:
    """Institutions with events that have a place in a chain."""
    statement = select(events.c.institution_id).distinct().where(events.c.seal_number.is_not(None))
    return list((await db.execute(statement)).scalars())


async def keep_existing(db: Connection, institution_ids: Sequence[UUID]) -> list[UUID]:
    """Those of them that still have events."""
    statement = (
        select(events.c.institution_id)
        .distinct()
        .where(events.c.institution_id.in_(institution_ids))
    )
    return list((await db.execute(statement)).scalars())


async def fetch_unsealed(db: Connection, institution_id: UUID, limit: int) -> list[Record]:
    statement = (
        select(*_COLUMNS)
        .where(events.c.institution_id == institution_id, events.c.seal_number.is_(None))
        .order_by(events.c.id)
        .limit(limit)
    )
    return [_record(row) for row in await db.execute(statement)]


async def save_seals(db: Connection, sealed: Sequence[tuple[Record, int, bytes]]) -> None:
    """Put events into their places."""
    rows = [(item.institution_id, item.id, number, seal) for item, number, seal in sealed]
    await db.execute(_SEAL, _SEALED.given(rows))


async def fetch_sealed(
    db: Connection, institution_id: UUID, after: int, limit: int
) -> list[Record]:
    """The next events in the order of the chain."""
    statement = (
        select(*_COLUMNS)
        .where(events.c.institution_id == institution_id, events.c.seal_number > after)
        .order_by(events.c.seal_number)
        .limit(limit)
    )
    return [_record(row) for row in await db.execute(statement)]
