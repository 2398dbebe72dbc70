"""What was used in a period: from the sums by day, and from those entries that are not in them.

Every figure is exact at the instant of reading, as long as it is read in one snapshot.
"""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    FromClause,
    Select,
    and_,
    cast,
    func,
    or_,
    select,
    union_all,
)

from licet_server.kit.database import Connection
from licet_server.kit.filters import visible_to
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.traits import MeterMode
from licet_server.metering.rules.model import EntryType
from licet_server.metering.rules.usage import (
    Asked,
    DayUsage,
    FeatureUsage,
    LicenseUsage,
    LowBalance,
)
from licet_server.metering.storage.rollups import consumed, day_of, moved
from licet_server.metering.tables import (
    Total,
    meter_counts,
    meter_entries,
    meter_feature_days,
    meter_license_days,
    meter_wallets,
)


async def sum_balances(db: Connection, asked: Asked) -> dict[MeterMode, Decimal]:
    statement = (
        select(meter_wallets.c.mode, func.sum(cast(meter_wallets.c.balance, Total)).label("total"))
        .where(
            *_asked_for(asked, meter_wallets.c),
            meter_wallets.c.closed_at.is_(None),
        )
        .group_by(meter_wallets.c.mode)
    )
    return {MeterMode(row.mode): row.total for row in await db.execute(statement)}


_LOW = select(
    meter_wallets.c.institution_id,
    meter_wallets.c.license_id,
    meter_wallets.c.balance,
    meter_wallets.c.low_balance_threshold,
).where(
    meter_wallets.c.closed_at.is_(None),
    or_(
        meter_wallets.c.balance == 0,
        meter_wallets.c.balance <= meter_wallets.c.low_balance_threshold,
    ),
)


def _low(row: Any) -> LowBalance:
    return ((row.institution_id, row.license_id), row.balance, row.low_balance_threshold)


async def find_low(db: Connection, visibility: Visibility, limit: int) -> list[LowBalance]:
    """Wallets at their threshold or below, and empty ones, the emptiest first."""
    share = meter_wallets.c.balance / func.nullif(meter_wallets.c.low_balance_threshold, 0)
    statement = (
        _LOW.where(
            visible_to(visibility, meter_wallets.c.institution_id, meter_wallets.c.product_id)
        )
        .order_by(func.coalesce(share, 0), meter_wallets.c.license_id)
        .limit(limit)
    )
    return [_low(row) for row in await db.execute(statement)]


async def find_low_of(db: Connection, license_id: LicenseId) -> list[LowBalance]:
    """The wallet of a license, if it is one of those."""
    return [_low(row) for row in await db.execute(_LOW.where(_is(license_id)))]


def _is(license_id: LicenseId) -> ColumnElement[bool]:
    return and_(
        meter_wallets.c.institution_id == license_id[0],
        meter_wallets.c.license_id == license_id[1],
    )


async def sum_days(db: Connection, asked: Asked) -> list[DayUsage]:
    """By mode and day; days on which nothing moved are absent."""
    found = _license_usage(asked).subquery("found")
    statement = select(
        found.c.mode,
        found.c.day,
        *(func.sum(found.c[name]).label(name) for name in ("consumed", "granted", "adjusted")),
    ).group_by(found.c.mode, found.c.day)
    return [DayUsage(MeterMode(row.mode), *row[1:]) for row in await db.execute(statement)]


async def rank_licenses(db: Connection, asked: Asked, limit: int) -> list[LicenseUsage]:
    """The licenses that used the most, `limit` of each mode."""
    rows = await db.execute(_ranked(_license_usage(asked), "license_id", limit))
    return [LicenseUsage(MeterMode(row.mode), row[1], row.consumed) for row in rows]


async def rank_features(db: Connection, asked: Asked, limit: int) -> list[FeatureUsage]:
    """The features that were used the most, `limit` of each mode."""
    rows = await db.execute(_ranked(_feature_usage(asked), "feature_name", limit))
    return [FeatureUsage(MeterMode(row.mode), row[1], row.consumed) for row in rows]


async def rank_features_of(
    db: Connection,
    license_id: LicenseId,
    since: datetime,
    until: datetime,
    *,
    newest: int,
    limit: int,
) -> list[FeatureUsage]:
    """The same of one license, from the `newest` of its entries, since no sum tells it apart."""
    read = and_(
        meter_entries.c.institution_id == meter_wallets.c.institution_id,
        meter_entries.c.license_id == meter_wallets.c.license_id,
        meter_entries.c.sequence > meter_wallets.c.version - newest,
        meter_entries.c.created_at >= since,
        meter_entries.c.created_at < until,
    )
    part = meter_wallets.join(meter_entries, read)
    usage = _consumed_by_feature(meter_entries, part).where(_is(license_id))
    rows = await db.execute(_ranked(usage, "feature_name", limit))
    return [FeatureUsage(MeterMode(row.mode), row[1], row.consumed) for row in rows]


def _ranked(usage: CompoundSelect[Any] | Select[Any], name: str, limit: int) -> Select[Any]:
    found = usage.subquery("found")
    total = func.sum(found.c.consumed)
    place = func.row_number().over(
        partition_by=found.c.mode, order_by=(total.desc(), found.c[name])
    )
    sums = (
        select(found.c.mode, found.c[name], total.label("consumed"), place.label("place"))
        .group_by(found.c.mode, found.c[name])
        .having(total > 0)
        .subquery("sums")
    )
    return (
        select(sums.c.mode, sums.c[name], sums.c.consumed)
        .where(sums.c.place <= limit)
        .order_by(sums.c.consumed.desc(), sums.c[name])
    )


def _license_usage(asked: Asked) -> CompoundSelect[Any]:
    days = meter_license_days.c
    counted = select(
        days.mode, days.day, days.license_id, days.consumed, days.granted, days.adjusted
    ).where(*_asked_for(asked, days))
    return union_all(
        _on_whole_days(counted, days, asked),
        *(_moved_by_license(entries, part) for entries, part in _entries(asked)),
    )


def _moved_by_license(entries: FromClause, part: FromClause) -> Select[Any]:
    day = day_of(entries)
    return (
        select(
            meter_wallets.c.mode,
            day.label("day"),
            meter_wallets.c.license_id,
            *moved(entries),
        )
        .select_from(part)
        .group_by(meter_wallets.c.mode, day, meter_wallets.c.license_id)
    )


def _feature_usage(asked: Asked) -> CompoundSelect[Any]:
    days = meter_feature_days.c
    counted = select(days.mode, days.feature_name, days.consumed).where(*_asked_for(asked, days))
    return union_all(
        _on_whole_days(counted, days, asked),
        *(_consumed_by_feature(entries, part) for entries, part in _entries(asked)),
    )


def _consumed_by_feature(entries: FromClause, part: FromClause) -> Select[Any]:
    return (
        select(
            meter_wallets.c.mode,
            entries.c.feature_name,
            consumed(entries),
        )
        .select_from(part)
        .where(entries.c.type == EntryType.CONSUME)
        .group_by(meter_wallets.c.mode, entries.c.feature_name)
    )


def _asked_for(asked: Asked, columns: Any) -> list[ColumnElement[bool]]:
    wanted = [visible_to(asked.visibility, columns.institution_id, columns.product_id)]
    if asked.license_id is not None:
        wanted.append(columns.license_id == asked.license_id)
    return wanted


def _on_whole_days(statement: Select[Any], days: Any, asked: Asked) -> Select[Any]:
    return statement.where(days.day.between(asked.first, asked.last))


def _entries(asked: Asked) -> list[tuple[FromClause, FromClause]]:
    """Entries that no sum holds, with their wallets: not counted yet, or on a day cut short."""
    chosen = [
        meter_counts.c.institution_id == meter_wallets.c.institution_id,
        meter_counts.c.license_id == meter_wallets.c.license_id,
        *_asked_for(asked, meter_wallets.c),
    ]
    # How many wallets are ahead of their marks is a guess to the database, and by a wrong one it
    # would read the whole ledger. The offset makes it go by the wallets that really are.
    columns = ("type", "amount", "feature_name", "created_at")
    new = (
        select(*(meter_entries.c[name] for name in columns))
        .where(
            meter_entries.c.institution_id == meter_wallets.c.institution_id,
            meter_entries.c.license_id == meter_wallets.c.license_id,
            meter_entries.c.sequence > meter_counts.c.counted,
        )
        .correlate(meter_wallets, meter_counts)
        .offset(0)
        .lateral("entry")
    )
    ahead = and_(*chosen, meter_wallets.c.version > meter_counts.c.counted)
    in_period = and_(new.c.created_at >= asked.since, new.c.created_at < asked.until)
    found: list[tuple[FromClause, FromClause]] = [
        (new, meter_wallets.join(meter_counts, ahead).join(new, in_period))
    ]
    marked = meter_wallets.join(meter_counts, and_(*chosen))
    for since, until in asked.edges:
        cut_short = and_(
            meter_entries.c.institution_id == meter_wallets.c.institution_id,
            meter_entries.c.license_id == meter_wallets.c.license_id,
            meter_entries.c.sequence <= meter_counts.c.counted,
            meter_entries.c.created_at >= since,
            meter_entries.c.created_at < until,
        )
        found.append((meter_entries, marked.join(meter_entries, cut_short)))
    return found
