"""What was used in a period: from the sums by day, and from those entries that are not in them.

Every figure is exact at the instant of reading, as long as it is read in one snapshot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CompoundSelect,
    Select,
    and_,
    cast,
    func,
    literal,
    or_,
    select,
    union_all,
)

from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import MeterMode
from licet_server.metering.rules.model import EntryType
from licet_server.metering.rules.usage import DayUsage, FeatureUsage, LicenseUsage, LowBalance
from licet_server.metering.storage.rollups import CONSUMED, DAY, sum_of
from licet_server.metering.tables import (
    Total,
    meter_counts,
    meter_entries,
    meter_feature_days,
    meter_license_days,
    meter_wallets,
)

_NOTHING = cast(literal(0), Total)


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose usage is asked for, and of when.

    `first` to `last` are the UTC days that lie wholly in the period; `edges` are the instants
    (from, to before) of the others.
    """

    institution_ids: Sequence[UUID]
    product_id: UUID | None
    since: datetime
    until: datetime
    first: date
    last: date
    edges: Sequence[tuple[datetime, datetime]]


async def sum_balances(
    db: Connection, institution_ids: Sequence[UUID], product_id: UUID | None
) -> dict[MeterMode, Decimal]:
    statement = (
        select(meter_wallets.c.mode, func.sum(cast(meter_wallets.c.balance, Total)).label("total"))
        .where(
            meter_wallets.c.institution_id.in_(institution_ids), meter_wallets.c.closed_at.is_(None)
        )
        .group_by(meter_wallets.c.mode)
    )
    if product_id is not None:
        statement = statement.where(meter_wallets.c.product_id == product_id)
    return {MeterMode(row.mode): row.total for row in await db.execute(statement)}


async def find_low(
    db: Connection, institution_ids: Sequence[UUID], product_id: UUID | None, limit: int
) -> list[LowBalance]:
    """Wallets at their threshold or below, and empty ones, the emptiest first."""
    share = meter_wallets.c.balance / func.nullif(meter_wallets.c.low_balance_threshold, 0)
    statement = (
        select(
            meter_wallets.c.institution_id,
            meter_wallets.c.license_id,
            meter_wallets.c.balance,
            meter_wallets.c.low_balance_threshold,
        )
        .where(
            meter_wallets.c.institution_id.in_(institution_ids),
            meter_wallets.c.closed_at.is_(None),
            or_(
                meter_wallets.c.balance == 0,
                meter_wallets.c.balance <= meter_wallets.c.low_balance_threshold,
            ),
        )
        .order_by(func.coalesce(share, 0), meter_wallets.c.license_id)
        .limit(limit)
    )
    if product_id is not None:
        statement = statement.where(meter_wallets.c.product_id == product_id)
    rows = await db.execute(statement)
    return [((row[0], row[1]), row.balance, row.low_balance_threshold) for row in rows]


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


def _ranked(usage: CompoundSelect[Any], name: str, limit: int) -> Select[Any]:
    found = usage.subquery("found")
    consumed = func.sum(found.c.consumed)
    place = func.row_number().over(
        partition_by=found.c.mode, order_by=(consumed.desc(), found.c[name])
    )
    sums = (
        select(found.c.mode, found.c[name], consumed.label("consumed"), place.label("place"))
        .group_by(found.c.mode, found.c[name])
        .having(consumed > 0)
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
    ).where(
        days.institution_id.in_(asked.institution_ids), days.day.between(asked.first, asked.last)
    )
    if asked.product_id is not None:
        counted = counted.where(days.product_id == asked.product_id)
    one_by_one = select(
        meter_wallets.c.mode,
        DAY.label("day"),
        meter_entries.c.license_id,
        (-sum_of(EntryType.CONSUME)).label("consumed"),
        sum_of(EntryType.INITIAL_GRANT, EntryType.ADMIN_GRANT).label("granted"),
        sum_of(EntryType.ADJUST).label("adjusted"),
    ).group_by(meter_wallets.c.mode, DAY, meter_entries.c.license_id)
    return union_all(counted, *_entries(one_by_one, asked))


def _feature_usage(asked: Asked) -> CompoundSelect[Any]:
    days = meter_feature_days.c
    counted = select(days.mode, days.feature_name, days.consumed).where(
        days.institution_id.in_(asked.institution_ids), days.day.between(asked.first, asked.last)
    )
    if asked.product_id is not None:
        counted = counted.where(days.product_id == asked.product_id)
    one_by_one = (
        select(
            meter_wallets.c.mode, meter_entries.c.feature_name, func.sum(CONSUMED).label("consumed")
        )
        .where(meter_entries.c.type == EntryType.CONSUME)
        .group_by(meter_wallets.c.mode, meter_entries.c.feature_name)
    )
    return union_all(counted, *_entries(one_by_one, asked))


def _entries(statement: Select[Any], asked: Asked) -> list[Select[Any]]:
    """The statement over entries that no sum holds: not counted yet, or on a day cut short."""
    joined = (
        statement.select_from(meter_wallets)
        .join(
            meter_counts,
            and_(
                meter_counts.c.institution_id == meter_wallets.c.institution_id,
                meter_counts.c.license_id == meter_wallets.c.license_id,
            ),
        )
        .join(
            meter_entries,
            and_(
                meter_entries.c.institution_id == meter_wallets.c.institution_id,
                meter_entries.c.license_id == meter_wallets.c.license_id,
            ),
        )
        .where(meter_wallets.c.institution_id.in_(asked.institution_ids))
    )
    if asked.product_id is not None:
        joined = joined.where(meter_wallets.c.product_id == asked.product_id)
    created, sequence = meter_entries.c.created_at, meter_entries.c.sequence
    not_counted = joined.where(
        meter_wallets.c.version > meter_counts.c.counted,
        sequence > meter_counts.c.counted,
        created >= asked.since,
        created < asked.until,
    )
    cut_short = [
        joined.where(sequence <= meter_counts.c.counted, created >= since, created < until)
        for since, until in asked.edges
    ]
    return [not_counted, *cut_short]
