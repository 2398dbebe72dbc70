"""Sums what orders brought in."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, ColumnElement, Select, Text, cast, func, literal_column, select
from sqlalchemy.dialects.postgresql import array

from licet_server.connectors.rules.model import OrderFilter, Sum
from licet_server.connectors.storage.orders import matching
from licet_server.connectors.tables import orders
from licet_server.kit.database import Connection
from licet_server.kit.kept import kept
from licet_server.kit.text import start_pattern

_MONTH = func.to_char(func.timezone("UTC", orders.c.created_at), "YYYY-MM")
_POLICIES: ColumnElement[Any] = func.jsonb_path_query_array(
    orders.c.lines, literal_column("'$[*].policyId'")
)
_REFUNDED = func.coalesce(orders.c.refunded_amount, 0)
_PRICED = (orders.c.amount.is_not(None), orders.c.currency.is_not(None))
_SUMS = (
    orders.c.currency,
    func.count().label("orders"),
    func.sum(orders.c.amount).label("amount"),
    func.sum(_REFUNDED).label("refunded"),
)


@dataclass(frozen=True, slots=True)
class PoliciesOfProduct:
    """Which policies are of a product, and which of others, among those that orders name."""

    own: Collection[str]
    others: Collection[str]


def _real(
    institution_ids: Collection[UUID], since: datetime, until: datetime
) -> list[ColumnElement[bool]]:
    return [
        orders.c.institution_id.in_(institution_ids),
        orders.c.created_at >= since,
        orders.c.created_at < until,
        *_PRICED,
        ~orders.c.is_test,
    ]


def _names_any(policy_ids: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that a line of the order is under one of these policies."""
    return _POLICIES.op("?|", is_comparison=True)(cast(array(policy_ids), ARRAY(Text)))


@kept
def _by_month(institution_ids: Collection[UUID], since: datetime, until: datetime) -> Select[Any]:
    return (
        select(_MONTH.label("month"), _POLICIES.label("policies"), *_SUMS)
        .where(*_real(institution_ids, since, until))
        .group_by(_MONTH, _POLICIES, orders.c.currency)
    )


@kept
def _by_customer(
    institution_ids: Collection[UUID],
    since: datetime,
    until: datetime,
    limit: int,
    policies: PoliciesOfProduct | None,
) -> Select[Any]:
    place = func.row_number().over(
        partition_by=orders.c.currency,
        order_by=(func.sum(orders.c.amount - _REFUNDED).desc(), orders.c.customer_id),
    )
    summed = (
        select(orders.c.customer_id, *_SUMS, place.label("place"))
        .where(*_real(institution_ids, since, until), orders.c.customer_id.is_not(None))
        .group_by(orders.c.customer_id, orders.c.currency)
    )
    if policies is not None:
        summed = summed.where(_names_any(policies.own), ~_names_any(policies.others))
    ranked = summed.subquery()
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
    policies: PoliciesOfProduct | None = None,
) -> list[tuple[UUID, Sum]]:
    """Sum the orders by customer and currency, in each the largest; test sales are left out.

    With `policies`, only the orders of that product alone.
    """
    rows = await db.execute(*_by_customer(institution_ids, since, until, limit, policies))
    return [(row.customer_id, _sum(row)) for row in rows]


@kept
def _by_currency(
    institution_ids: Collection[UUID], filters: OrderFilter, start: str | None
) -> Select[Any]:
    return (
        select(*_SUMS)
        .where(orders.c.institution_id.in_(institution_ids), *_PRICED, *matching(filters, start))
        .group_by(orders.c.currency)
        .order_by(func.count().desc(), orders.c.currency)
    )


async def sums_of_matching(
    db: Connection, institution_ids: Collection[UUID], filters: OrderFilter
) -> list[Sum]:
    """Sum the orders that match by currency, that of most orders first."""
    start = None if filters.search is None else start_pattern(filters.search.lower())
    return [_sum(row) for row in await db.execute(*_by_currency(institution_ids, filters, start))]


def _sum(row: Any) -> Sum:
    return Sum(row.currency, row.orders, Decimal(row.amount), Decimal(row.refunded))
