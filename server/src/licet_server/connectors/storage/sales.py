"""Sums what orders brought in."""

from collections.abc import Collection
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, func, literal_column, select

from licet_server.connectors.rules.model import Sum
from licet_server.connectors.tables import orders
from licet_server.kit.database import Connection
from licet_server.kit.kept import kept

_MONTH = func.to_char(func.timezone("UTC", orders.c.created_at), "YYYY-MM")
_POLICIES: ColumnElement[Any] = func.jsonb_path_query_array(
    orders.c.lines, literal_column("'$[*].policyId'")
)
_REFUNDED = func.coalesce(orders.c.refunded_amount, 0)
_SUMS = (
    orders.c.currency,
    func.count().label("orders"),
    func.sum(orders.c.amount).label("amount"),
    func.sum(_REFUNDED).label("refunded"),
)


def _real(
    institution_ids: Collection[UUID], since: datetime, until: datetime
) -> list[ColumnElement[bool]]:
    return [
        orders.c.institution_id.in_(institution_ids),
        orders.c.created_at >= since,
        orders.c.created_at < until,
        orders.c.amount.is_not(None),
        orders.c.currency.is_not(None),
        ~orders.c.is_test,
    ]


@kept
def _by_month(institution_ids: Collection[UUID], since: datetime, until: datetime) -> Select[Any]:
    return (
        select(_MONTH.label("month"), _POLICIES.label("policies"), *_SUMS)
        .where(*_real(institution_ids, since, until))
        .group_by(_MONTH, _POLICIES, orders.c.currency)
    )


@kept
def _by_customer(
    institution_ids: Collection[UUID], since: datetime, until: datetime, limit: int
) -> Select[Any]:
    place = func.row_number().over(
        partition_by=orders.c.currency,
        order_by=(func.sum(orders.c.amount - _REFUNDED).desc(), orders.c.customer_id),
    )
    ranked = (
        select(orders.c.customer_id, *_SUMS, place.label("place"))
        .where(*_real(institution_ids, since, until), orders.c.customer_id.is_not(None))
        .group_by(orders.c.customer_id, orders.c.currency)
        .subquery()
    )
    return select(ranked).where(ranked.c.place <= limit).order_by(ranked.c.currency, ranked.c.place)


async def sums_by_month(
    db: Connection, institution_ids: Collection[UUID], since: datetime, until: datetime
) -> list[tuple[str, frozenset[UUID], Sum]]:
    """Sum the orders by UTC month, policies and currency; test sales are left out."""
    rows = await db.execute(*_by_month(institution_ids, since, until))
    return [
        (row.month, frozenset(UUID(it) for it in row.policies if it is not None), _sum(row))
        for row in rows
    ]


async def sums_by_customer(
    db: Connection,
    institution_ids: Collection[UUID],
    since: datetime,
    until: datetime,
    limit: int,
) -> list[tuple[UUID, Sum]]:
    """Sum the orders by customer and currency, in each the largest; test sales are left out."""
    rows = await db.execute(*_by_customer(institution_ids, since, until, limit))
    return [(row.customer_id, _sum(row)) for row in rows]


def _sum(row: Any) -> Sum:
    return Sum(row.currency, row.orders, Decimal(row.amount), Decimal(row.refunded))
