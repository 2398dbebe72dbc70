"""Usage of a period: the totals of days and months, and the entries that these do not contain yet.

All figures are exact as of the snapshot that they are read in.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any

import msgspec
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
from licet_server.kit.kept import kept
from licet_server.kit.statements import visible_to
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.traits import MeterMode
from licet_server.metering.rules.model import LedgerEntryType
from licet_server.metering.rules.usage import (
    DayUsage,
    FeatureUsage,
    LicenseUsage,
    LowBalance,
    UsageQuery,
)
from licet_server.metering.storage.rollups import balance_changes, consumed, day_of
from licet_server.metering.tables import (
    Total,
    meter_counts,
    meter_entries,
    meter_feature_days,
    meter_license_days,
    meter_license_months,
    meter_product_days,
    meter_wallets,
)


async def sum_balances(db: Connection, query: UsageQuery) -> dict[MeterMode, Decimal]:
    statement = (
        select(meter_wallets.c.mode, func.sum(cast(meter_wallets.c.balance, Total)).label("total"))
        .where(
            *_matching(query, meter_wallets.c),
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
    return LowBalance(
        license_id=(row.institution_id, row.license_id),
        balance=row.balance,
        threshold=row.low_balance_threshold,
    )


async def find_low(db: Connection, visibility: Visibility, limit: int) -> list[LowBalance]:
    """Find empty wallets and those at or below their threshold, the emptiest first."""
    return [_low(row) for row in await db.execute(*_lowest(visibility, limit))]


@kept
def _lowest(visibility: Visibility, limit: int) -> Select[Any]:
    share = meter_wallets.c.balance / func.nullif(meter_wallets.c.low_balance_threshold, 0)
    return (
        _LOW.where(
            visible_to(visibility, meter_wallets.c.institution_id, meter_wallets.c.product_id)
        )
        .order_by(func.coalesce(share, 0), meter_wallets.c.license_id)
        .limit(limit)
    )


async def find_low_of(db: Connection, license_id: LicenseId) -> list[LowBalance]:
    """Find the wallet of a license, if it is low."""
    return [_low(row) for row in await db.execute(_LOW.where(_same_license(license_id)))]


def _same_license(license_id: LicenseId) -> ColumnElement[bool]:
    return and_(
        meter_wallets.c.institution_id == license_id[0],
        meter_wallets.c.license_id == license_id[1],
    )


def _of_known_modes(rows: Iterable[Any]) -> list[Any]:
    """Return the rows that count something that a wallet can hold."""
    return [row for row in rows if row.mode in _MODES]


_MODES = frozenset(MeterMode)


async def sum_days(db: Connection, query: UsageQuery) -> list[DayUsage]:
    """Sum usage by mode and day; days without changes are omitted."""
    found = _of_known_modes(await db.execute(*_days(query)))
    return [msgspec.convert(row._mapping, DayUsage) for row in found]


@kept
def _days(query: UsageQuery) -> Select[Any]:
    found = _day_usage(query).subquery("found")
    return select(
        found.c.mode,
        found.c.day,
        *(func.sum(found.c[name]).label(name) for name in ("consumed", "granted", "adjusted")),
    ).group_by(found.c.mode, found.c.day)


async def rank_licenses(db: Connection, query: UsageQuery, limit: int) -> list[LicenseUsage]:
    """Rank the licenses that consumed the most, up to `limit` of each mode."""
    rows = _of_known_modes(
        await db.execute(_ranked(_consumed_by_license(query), "license_id", limit))
    )
    return [LicenseUsage(MeterMode(row.mode), row[1], row.consumed) for row in rows]


async def rank_features(db: Connection, query: UsageQuery, limit: int) -> list[FeatureUsage]:
    """Rank the features that were consumed the most, up to `limit` of each mode."""
    rows = _of_known_modes(await db.execute(_ranked(_feature_usage(query), "feature_name", limit)))
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
    """Rank the features that a license consumed the most, in its `newest` entries.

    The daily totals do not distinguish licenses by feature.
    """
    read = and_(
        meter_entries.c.institution_id == meter_wallets.c.institution_id,
        meter_entries.c.license_id == meter_wallets.c.license_id,
        meter_entries.c.sequence > meter_wallets.c.version - newest,
        meter_entries.c.created_at >= since,
        meter_entries.c.created_at < until,
    )
    part = meter_wallets.join(meter_entries, read)
    usage = _consumed_by_feature(meter_entries, part).where(_same_license(license_id))
    rows = await db.execute(_ranked(usage, "feature_name", limit))
    return [FeatureUsage(MeterMode(row.mode), row[1], row.consumed) for row in rows]


def _ranked(usage: CompoundSelect[Any] | Select[Any], name: str, limit: int) -> Select[Any]:
    found = usage.subquery("found")
    column = found.c[name]
    # A feature is the same in any case; the spellings differ only across products.
    one = func.lower(column) if name == "feature_name" else column
    shown = func.min(column) if name == "feature_name" else column
    total = func.sum(found.c.consumed)
    place = func.row_number().over(partition_by=found.c.mode, order_by=(total.desc(), one))
    sums = (
        select(found.c.mode, shown.label(name), total.label("consumed"), place.label("place"))
        .group_by(found.c.mode, one)
        .having(total > 0)
        .subquery("sums")
    )
    return (
        select(sums.c.mode, sums.c[name], sums.c.consumed)
        .where(sums.c.place <= limit)
        .order_by(sums.c.consumed.desc(), sums.c[name])
    )


def _day_usage(query: UsageQuery) -> CompoundSelect[Any]:
    """Sum by product where all licenses count, which reads a fraction of the rows."""
    days = (meter_product_days if query.license_id is None else meter_license_days).c
    counted = select(days.mode, days.day, days.consumed, days.granted, days.adjusted)
    return union_all(
        _on_whole_days(counted.where(*_matching(query, days)), days, query),
        *(_changes_by_day(entries, part) for entries, part in _unsummed_entries(query)),
    )


def _changes_by_day(entries: FromClause, part: FromClause) -> Select[Any]:
    day = day_of(entries)
    return (
        select(meter_wallets.c.mode, day.label("day"), *balance_changes(entries))
        .select_from(part)
        .group_by(meter_wallets.c.mode, day)
    )


def _consumed_by_license(query: UsageQuery) -> CompoundSelect[Any]:
    days, months = meter_license_days.c, meter_license_months.c
    split = query.months
    parts = [
        (months, months.month, months.consumed, split.months),
        *((days, days.day, days.consumed, span) for span in split.added),
        *((days, days.day, -days.consumed, span) for span in split.taken),
    ]
    return union_all(
        *(
            select(columns.mode, columns.license_id, amount.label("consumed")).where(
                *_matching(query, columns), when >= begin, when < end
            )
            for columns, when, amount, (begin, end) in parts
        ),
        *(
            select(meter_wallets.c.mode, meter_wallets.c.license_id, consumed(entries))
            .select_from(part)
            .group_by(meter_wallets.c.mode, meter_wallets.c.license_id)
            for entries, part in _unsummed_entries(query)
        ),
    )


def _feature_usage(query: UsageQuery) -> CompoundSelect[Any]:
    days = meter_feature_days.c
    counted = select(days.mode, days.feature_name, days.consumed).where(*_matching(query, days))
    return union_all(
        _on_whole_days(counted, days, query),
        *(_consumed_by_feature(entries, part) for entries, part in _unsummed_entries(query)),
    )


def _consumed_by_feature(entries: FromClause, part: FromClause) -> Select[Any]:
    return (
        select(
            meter_wallets.c.mode,
            entries.c.feature_name,
            consumed(entries),
        )
        .select_from(part)
        .where(entries.c.type == LedgerEntryType.CONSUME)
        .group_by(meter_wallets.c.mode, entries.c.feature_name)
    )


def _matching(query: UsageQuery, columns: Any) -> list[ColumnElement[bool]]:
    wanted = [visible_to(query.visibility, columns.institution_id, columns.product_id)]
    if query.license_id is not None:
        wanted.append(columns.license_id == query.license_id)
    return wanted


def _on_whole_days(statement: Select[Any], days: Any, query: UsageQuery) -> Select[Any]:
    return statement.where(days.day.between(query.first, query.last))


def _unsummed_entries(query: UsageQuery) -> list[tuple[FromClause, FromClause]]:
    """Join wallets with entries that the totals do not cover: uncounted, or on a partial day."""
    chosen = [
        meter_counts.c.institution_id == meter_wallets.c.institution_id,
        meter_counts.c.license_id == meter_wallets.c.license_id,
        *_matching(query, meter_wallets.c),
    ]
    # The planner can only guess how many wallets have uncounted entries, and with a wrong guess it
    # reads the whole ledger. OFFSET 0 makes it start from the wallets that do.
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
    in_period = and_(new.c.created_at >= query.since, new.c.created_at < query.until)
    found: list[tuple[FromClause, FromClause]] = [
        (new, meter_wallets.join(meter_counts, ahead).join(new, in_period))
    ]
    marked = meter_wallets.join(meter_counts, and_(*chosen))
    for since, until in query.edges:
        cut_short = and_(
            meter_entries.c.institution_id == meter_wallets.c.institution_id,
            meter_entries.c.license_id == meter_wallets.c.license_id,
            meter_entries.c.sequence <= meter_counts.c.counted,
            meter_entries.c.created_at >= since,
            meter_entries.c.created_at < until,
        )
        found.append((meter_entries, marked.join(meter_entries, cut_short)))
    return found
