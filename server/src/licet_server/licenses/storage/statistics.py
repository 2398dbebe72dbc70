"""Counts of licenses, and the licenses that expire soon."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CTE,
    ColumnElement,
    Date,
    Row,
    Select,
    and_,
    case,
    cast,
    func,
    literal,
    select,
    text,
    true,
    union_all,
)

from licet_server.catalog.storage.features import granted_features
from licet_server.kit.database import Connection, Json
from licet_server.kit.fitting import Members
from licet_server.kit.kept import kept
from licet_server.kit.statements import visible_to
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.entitlements import FeatureHolding, ValueCount
from licet_server.licenses.rules.model import GRACE_MAX_DAYS, LicenseGroup, LicenseStatus
from licet_server.licenses.rules.traits import LicenseType, SeatKind, models_where
from licet_server.licenses.storage.lists import has_status
from licet_server.licenses.storage.terms import paid_until, valid_until
from licet_server.licenses.tables import licenses

_TYPES = Members(LicenseType)


async def count_groups(db: Connection, visibility: Visibility, now: datetime) -> list[LicenseGroup]:
    return [
        LicenseGroup(
            institution_id=row.institution_id,
            product_id=row.product_id,
            type=_TYPES[row.type],
            status=LicenseStatus(row.status),
            count=row.number,
        )
        for row in await db.execute(*_groups(visibility, now))
    ]


@kept
def _groups(visibility: Visibility, now: datetime) -> Select[Any]:
    status = case(
        *((has_status(item, now, now), literal(item.value)) for item in LicenseStatus)
    ).label("status")
    shared = (licenses.c.institution_id, licenses.c.product_id, licenses.c.type, status)
    return (
        select(*shared, func.count().label("number"))
        .where(visible_to(visibility, licenses.c.institution_id, licenses.c.product_id))
        .group_by(*shared)
    )


async def count_unrestricted(
    db: Connection, visibility: Visibility, now: datetime
) -> dict[tuple[UUID, UUID], int]:
    """Return the active licenses without an entitlement set, by institution and product."""
    product = (licenses.c.institution_id, licenses.c.product_id)
    statement = (
        select(*product, func.count().label("number"))
        .where(
            visible_to(visibility, *product),
            has_status(LicenseStatus.ACTIVE, now, now),
            licenses.c.entitlement_set_id.is_(None),
        )
        .group_by(*product)
    )
    return {(row.institution_id, row.product_id): row.number for row in await db.execute(statement)}


async def count_expiring(
    db: Connection,
    visibility: Visibility,
    *,
    now: datetime,
    until: datetime,
) -> int:
    """Return how many active licenses have a term that ends by `until`, or are in their grace."""
    counted = _expiring_count(visibility, now, until, _earliest_end(now))
    return int((await db.execute(*counted)).scalar_one())


@kept
def _expiring_count(
    visibility: Visibility, now: datetime, until: datetime, earliest: datetime
) -> Select[Any]:
    return select(func.count()).where(_expires(visibility, now, until, earliest))


async def find_expiring(
    db: Connection,
    visibility: Visibility,
    *,
    now: datetime,
    until: datetime,
    limit: int,
) -> list[UUID]:
    """Active licenses whose term ends no later than `until`, the earliest first.

    Those in their grace come before the others.
    """
    found = _first_expiring(visibility, now, until, _earliest_end(now), limit)
    return list((await db.execute(*found)).scalars())


@kept
def _first_expiring(
    visibility: Visibility, now: datetime, until: datetime, earliest: datetime, limit: int
) -> Select[Any]:
    return (
        select(licenses.c.id)
        .where(_expires(visibility, now, until, earliest))
        .order_by(licenses.c.expiration_date, licenses.c.id)
        .limit(limit)
    )


async def count_seats(db: Connection, visibility: Visibility, now: datetime) -> int:
    """Return how many sessions the active licenses that cap them allow at once."""
    pooled = models_where(lambda traits: traits.seat_kind is SeatKind.SESSION)
    statement = select(func.coalesce(func.sum(licenses.c.max_active_users_count), 0)).where(
        visible_to(visibility, licenses.c.institution_id, licenses.c.product_id),
        licenses.c.type.in_(pooled),
        has_status(LicenseStatus.ACTIVE, now, now),
    )
    return int((await db.execute(statement)).scalar_one())


async def count_lapsed_by_day(
    db: Connection, visibility: Visibility, *, since: datetime, until: datetime, now: datetime
) -> dict[date, int]:
    """Return the expired licenses by the UTC day of their end, from `since` to before `until`."""
    day = cast(func.timezone("UTC", valid_until), Date).label("day")
    statement = (
        select(day, func.count().label("number"))
        .where(
            visible_to(visibility, licenses.c.institution_id, licenses.c.product_id),
            has_status(LicenseStatus.EXPIRED, now, now),
            licenses.c.expiration_date < until,
            valid_until >= since,
            valid_until < until,
        )
        .group_by(day)
    )
    return {row.day: row.number for row in await db.execute(statement)}


def _earliest_end(now: datetime) -> datetime:
    """Return when a term has ended that nothing is left of at `now`: no grace is longer."""
    return now - timedelta(days=GRACE_MAX_DAYS)


def _expires(
    visibility: Visibility, now: datetime, until: datetime, earliest: datetime
) -> ColumnElement[bool]:
    """Return whether a term ends by `until`, or its grace lasts; `earliest` is for the index."""
    return and_(
        visible_to(visibility, licenses.c.institution_id, licenses.c.product_id),
        licenses.c.expiration_date > earliest,
        licenses.c.expiration_date <= until,
        paid_until > now,
        licenses.c.revoked_at.is_(None),
        licenses.c.suspended_at.is_(None),
    )


_TRUE = text("'true'::jsonb")


async def count_holdings(
    db: Connection, visibility: Visibility, now: datetime, *, features: int, values: int
) -> list[FeatureHolding]:
    """Return the features that most active licenses have, with their most common values.

    Licenses without an entitlement set, which may use every feature, are counted only where they
    have values of their own.
    """
    active = _active(visibility, now)
    held = union_all(
        _of_sets(active, visibility), _of_sets_beside(active, visibility), _own(active)
    ).subquery("held")
    feature = (held.c.institution_id, held.c.product_id, held.c.name)
    counted = (
        select(*feature, held.c.value, func.sum(held.c.number).label("number"))
        .group_by(*feature, held.c.value)
        .subquery("counted")
    )
    feature = (counted.c.institution_id, counted.c.product_id, counted.c.name)
    ranked = select(
        counted,
        func.sum(counted.c.number).over(partition_by=feature).label("licenses"),
        func.row_number()
        .over(partition_by=feature, order_by=(counted.c.number.desc(), counted.c.value))
        .label("rank"),
    ).subquery("ranked")
    chosen = select(
        ranked,
        func.dense_rank()
        .over(order_by=(ranked.c.licenses.desc(), ranked.c.product_id, ranked.c.name))
        .label("feature_rank"),
    ).subquery("chosen")
    statement = (
        select(chosen)
        .where(chosen.c.feature_rank <= features, chosen.c.rank <= values)
        .order_by(chosen.c.feature_rank, chosen.c.rank)
    )
    found = (await db.execute(statement)).all()
    return [_holding(list(rows)) for _, rows in groupby(found, lambda row: row.feature_rank)]


def _holding(rows: Sequence[Row[Any]]) -> FeatureHolding:
    first = rows[0]
    return FeatureHolding(
        product=(first.institution_id, first.product_id),
        feature_name=first.name,
        licenses=int(first.licenses),
        values=tuple(ValueCount(row.value, int(row.number)) for row in rows),
    )


def _active(visibility: Visibility, now: datetime) -> CTE:
    return (
        select(
            licenses.c.institution_id,
            licenses.c.product_id,
            licenses.c.entitlement_set_id,
            licenses.c.feature_values,
        )
        .where(
            visible_to(visibility, licenses.c.institution_id, licenses.c.product_id),
            has_status(LicenseStatus.ACTIVE, now, now),
        )
        .cte("active")
    )


def _of_sets(active: CTE, visibility: Visibility) -> Select[Any]:
    """Return the features of sets, counted by set first, since many licenses share one."""
    shared = (active.c.institution_id, active.c.product_id, active.c.entitlement_set_id)
    by_set = (
        select(*shared, func.count().label("number"))
        .where(active.c.feature_values.is_(None), active.c.entitlement_set_id.is_not(None))
        .group_by(*shared)
        .subquery("by_set")
    )
    granted = granted_features()
    return (
        select(
            granted.c.institution_id,
            granted.c.product_id,
            granted.c.name,
            func.coalesce(granted.c.value, _TRUE, type_=Json).label("value"),
            by_set.c.number,
        )
        .join(
            by_set,
            and_(
                granted.c.institution_id == by_set.c.institution_id,
                granted.c.entitlement_set_id == by_set.c.entitlement_set_id,
            ),
        )
        .where(visible_to(visibility, granted.c.institution_id, granted.c.product_id))
    )


def _of_sets_beside(active: CTE, visibility: Visibility) -> Select[Any]:
    """Return the features of sets that licenses with values of their own have no value for."""
    granted = granted_features()
    return (
        select(
            granted.c.institution_id,
            granted.c.product_id,
            granted.c.name,
            func.coalesce(granted.c.value, _TRUE, type_=Json).label("value"),
            literal(1).label("number"),
        )
        .join(
            active,
            and_(
                granted.c.institution_id == active.c.institution_id,
                granted.c.entitlement_set_id == active.c.entitlement_set_id,
            ),
        )
        .where(
            visible_to(visibility, granted.c.institution_id, granted.c.product_id),
            active.c.feature_values.is_not(None),
            ~_has(active, granted.c.name),
        )
    )


def _has(active: CTE, name: ColumnElement[Any]) -> ColumnElement[bool]:
    return active.c.feature_values.op("?", is_comparison=True)(name)


def _own(active: CTE) -> Select[Any]:
    """Return the values of the licenses themselves."""
    values = active.c.feature_values
    objects = case((func.jsonb_typeof(values) == "object", values), else_=literal({}, Json))
    own = func.jsonb_each(objects).table_valued("key", "value").lateral("own")
    return (
        select(
            active.c.institution_id,
            active.c.product_id,
            own.c.key.label("name"),
            own.c.value.label("value"),
            literal(1).label("number"),
        )
        .select_from(active.join(own, true()))
        .where(active.c.feature_values.is_not(None))
    )
