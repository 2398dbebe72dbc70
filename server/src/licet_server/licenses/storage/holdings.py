"""Counts who has what: the active licenses that have a feature, and its values."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import (
    CTE,
    ColumnElement,
    Row,
    Select,
    and_,
    func,
    literal,
    select,
    text,
    true,
    union_all,
)

from licet_server.catalog.storage.granted import granted_features
from licet_server.kit.database import Connection, Json
from licet_server.kit.filters import visible_to
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.holdings import FeatureHolding, ValueCount
from licet_server.licenses.rules.model import LicenseStatus
from licet_server.licenses.storage.filtering import has_status
from licet_server.licenses.tables import licenses

_TRUE = text("'true'::jsonb")


async def count_holdings(
    db: Connection, visibility: Visibility, now: datetime, *, features: int, values: int
) -> list[FeatureHolding]:
    """The features that most active licenses have, with their commonest values, in one statement.

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
            has_status(LicenseStatus.ACTIVE, now),
        )
        .cte("active")
    )


def _of_sets(active: CTE, visibility: Visibility) -> Select[Any]:
    """The features of sets, counted by set first, since many licenses share one."""
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
    """The features of sets that licenses with values of their own have no value for."""
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
    """The values of the licenses themselves."""
    own = func.jsonb_each(active.c.feature_values).table_valued("key", "value").lateral("own")
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
