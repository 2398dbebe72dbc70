"""Old ledger entries to archive, and the openings of the ledgers that are left.

The newest entry of a wallet is never archived, so the table always has its number and balance.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from sqlalchemy import (
    BigInteger,
    Date,
    and_,
    bindparam,
    delete,
    func,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.kit import old_rows
from licet_server.kit.database import Amount, Connection, Id, Instant
from licet_server.kit.old_rows import (
    INSTITUTION,
    INSTITUTIONS,
    LIMIT,
    deleted,
    due,
    is_old,
    line_of,
    lines_of,
    until,
)
from licet_server.kit.personal import PersonalLines
from licet_server.kit.statements import Arrays
from licet_server.metering.rules.archiving import ArchivableEntry, Opening
from licet_server.metering.tables import Total, meter_counts, meter_wallets
from licet_server.metering.tables import meter_entries as entries
from licet_server.metering.tables import meter_openings as openings

LINES = PersonalLines(entries)
"""Rows in archives."""

_MARGIN = timedelta(days=1)
"""By how much clocks of several machines may differ at the very most."""

_IS_OLD = and_(
    entries.c.institution_id == meter_wallets.c.institution_id,
    entries.c.license_id == meter_wallets.c.license_id,
    is_old(entries.c.id, entries.c.created_at),
    entries.c.sequence.is_distinct_from(meter_wallets.c.version),
)
_OLD_OF_WALLET = select(entries.c.created_at).where(_IS_OLD).limit(LIMIT).lateral("old")
_OLD = (
    select(_OLD_OF_WALLET.c.created_at)
    .select_from(meter_wallets.join(_OLD_OF_WALLET, true()))
    .where(meter_wallets.c.institution_id == INSTITUTIONS.c.institution_id)
    .limit(LIMIT)
    .lateral("found")
)
_DUE = due(_OLD)


async def find_due(
    db: Connection, institution_ids: Sequence[UUID], before: datetime, overdue: datetime, rows: int
) -> list[UUID]:
    """Find the institutions with `rows` entries from before `before`, or one `overdue`."""
    return await old_rows.find_due(db, _DUE, institution_ids, before, overdue, rows)


_OPENING = func.coalesce(openings.c.sequence, 0)
_NEXT = entries.alias("next")
_HAS_NEXT = (
    select(_NEXT.c.id)
    .where(
        _NEXT.c.institution_id == meter_wallets.c.institution_id,
        _NEXT.c.license_id == meter_wallets.c.license_id,
        _NEXT.c.sequence == _OPENING + 1,
    )
    .correlate(meter_wallets, openings)
    .exists()
)
_LINE = line_of(entries)
_READ = ("license_id", "id", "sequence", "type", "amount", "balance_after")
_FOUND = (
    select(*(entries.c[name] for name in _READ), entries.c.created_at.label("at"), _LINE)
    .where(_IS_OLD, or_(entries.c.sequence.is_(None), _HAS_NEXT))
    .order_by(entries.c.id)
    .limit(LIMIT)
    .lateral("found")
)
_UNCOUNTED = entries.alias("uncounted")
_IS_COUNTED = ~(
    select(_UNCOUNTED.c.id)
    .where(
        _UNCOUNTED.c.institution_id == meter_counts.c.institution_id,
        _UNCOUNTED.c.license_id == meter_counts.c.license_id,
        _UNCOUNTED.c.sequence == meter_counts.c.counted + 1,
        _UNCOUNTED.c.created_at < bindparam("counted_before", type_=Instant),
    )
    .exists()
)
_SAME_WALLET = and_(
    meter_counts.c.institution_id == meter_wallets.c.institution_id,
    meter_counts.c.license_id == meter_wallets.c.license_id,
)
_SAME_OPENING = and_(
    openings.c.institution_id == meter_wallets.c.institution_id,
    openings.c.license_id == meter_wallets.c.license_id,
)
_FETCH = (
    select(*_FOUND.c, _OPENING.label("opening"))
    .select_from(
        meter_wallets.join(meter_counts, _SAME_WALLET)
        .outerjoin(openings, _SAME_OPENING)
        .join(_FOUND, true())
    )
    .where(meter_wallets.c.institution_id == INSTITUTION, _IS_COUNTED)
    .order_by(meter_wallets.c.license_id, _FOUND.c.id)
    .limit(LIMIT)
)


async def fetch_old(
    db: Connection, institution_id: UUID, before: datetime, limit: int
) -> list[ArchivableEntry]:
    """Fetch entries of an institution from before `before`, by license.

    Only of wallets whose totals of days cover them, and not the newest of a wallet.
    """
    values = {
        **until(before),
        "institution": institution_id,
        "counted_before": before + _MARGIN,
        "row_limit": limit,
    }
    rows = await db.execute(_FETCH, values)
    return [msgspec.convert(row._mapping, ArchivableEntry) for row in rows]


_ARCHIVED = Arrays("archived", institution_id=Id, license_id=Id, id=Id)
_DELETE = lines_of(
    deleted(
        delete(entries).where(
            entries.c.institution_id == _ARCHIVED.c.institution_id,
            entries.c.license_id == _ARCHIVED.c.license_id,
            entries.c.id == _ARCHIVED.c.id,
        )
    )
)


async def delete_entries(
    db: Connection, institution_id: UUID, items: Sequence[ArchivableEntry]
) -> list[str]:
    """Delete entries, and return them as JSON."""
    rows = [(institution_id, item.license_id, item.id) for item in items]
    return list((await db.execute(_DELETE, _ARCHIVED.given(rows))).scalars())


_OPENED = Arrays(
    "opened",
    institution_id=Id,
    license_id=Id,
    sequence=BigInteger,
    balance=Amount,
    consumed=Total,
    held=Amount,
    until=Date,
)
_NEW = upsert(openings).from_select(list(_OPENED.c.keys()), select(*_OPENED.c))
_OPEN = _NEW.on_conflict_do_update(
    index_elements=["institution_id", "license_id"],
    set_={
        "sequence": _NEW.excluded.sequence,
        "balance": _NEW.excluded.balance,
        "consumed": openings.c.consumed + _NEW.excluded.consumed,
        "held": openings.c.held + _NEW.excluded.held,
        "until": func.greatest(openings.c.until, _NEW.excluded.until),
    },
)


async def save_openings(db: Connection, institution_id: UUID, items: Collection[Opening]) -> None:
    """Move the beginnings of ledgers on; what these entries consumed and held is added."""
    rows = [
        (
            institution_id,
            item.license_id,
            item.sequence,
            item.balance,
            item.consumed,
            item.held,
            item.until,
        )
        for item in items
    ]
    if rows:
        await db.execute(_OPEN, _OPENED.given(rows))


async def fetch_openings(
    db: Connection, institution_id: UUID, license_id: UUID | None = None
) -> dict[UUID, Opening]:
    """Fetch where the ledgers of an institution, or of one license, begin, by license."""
    statement = select(*openings.c).where(openings.c.institution_id == institution_id)
    if license_id is not None:
        statement = statement.where(openings.c.license_id == license_id)
    rows = await db.execute(statement)
    return {row.license_id: msgspec.convert(row._mapping, Opening) for row in rows}


async def list_opened(db: Connection, license_id: UUID | None) -> list[UUID]:
    """List the institutions that have ledgers with archived entries, or that of one license."""
    statement = select(openings.c.institution_id).distinct()
    if license_id is not None:
        statement = statement.where(openings.c.license_id == license_id)
    return list((await db.execute(statement)).scalars())


_GONE = Arrays("gone", institution_id=Id)
_LEFT = (
    select(entries.c.license_id, entries.c.id)
    .where(entries.c.institution_id == _GONE.c.institution_id)
    .limit(LIMIT)
    .lateral("remaining")
)
_ORPHANS = (
    select(_GONE.c.institution_id, _LEFT.c.license_id, _LEFT.c.id)
    .select_from(_GONE.table.join(_LEFT, true()))
    .limit(LIMIT)
    .subquery("orphan")
)
_DELETE_ORPHANS = delete(entries).where(
    entries.c.institution_id == _ORPHANS.c.institution_id,
    entries.c.license_id == _ORPHANS.c.license_id,
    entries.c.id == _ORPHANS.c.id,
)


async def delete_orphans(db: Connection, institution_ids: Sequence[UUID], limit: int) -> int:
    """Delete entries of institutions that are gone, with their wallets; returns how many."""
    given = _GONE.given([(item,) for item in institution_ids])
    return (await db.execute(_DELETE_ORPHANS, {**given, "row_limit": limit})).rowcount
