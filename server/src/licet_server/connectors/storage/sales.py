"""Sums what was paid for orders, by when it was."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, func, literal_column, select, text

from licet_server.connectors.rules.model import OrderFilter, PoliciesOfProduct, Sum
from licet_server.connectors.storage.order_lists import Search, matching, of_product, search_of
from licet_server.connectors.storage.payments import within
from licet_server.connectors.tables import ORDER_POLICIES, orders
from licet_server.connectors.tables import order_payments as payments
from licet_server.customers.rules.model import PaidSum
from licet_server.kit.database import Connection, Id
from licet_server.kit.kept import kept
from licet_server.kit.statements import Arrays, related

_MONTH = func.to_char(func.timezone("UTC", payments.c.happened_at), "YYYY-MM")
_POLICIES: ColumnElement[Any] = literal_column(ORDER_POLICIES)
_IS_REFUND = payments.c.kind == literal_column("'Refund'")
_IS_RENEWAL = payments.c.kind == literal_column("'Renewal'")
_OF_ORDERS = payments.join(orders, related(payments, orders))


def _total(condition: ColumnElement[bool]) -> ColumnElement[Any]:
    return func.coalesce(func.sum(payments.c.amount).filter(condition), 0)


_SUMS = (
    payments.c.currency,
    func.count(payments.c.order_id.distinct()).filter(~_IS_REFUND).label("orders"),
    _total(~_IS_REFUND).label("amount"),
    _total(_IS_RENEWAL).label("renewals"),
    _total(_IS_REFUND).label("refunded"),
)


def _real(
    institution_ids: Collection[UUID], since: datetime, until: datetime
) -> list[ColumnElement[bool]]:
    return [*_moved(institution_ids, since, until), ~orders.c.is_test]


def _moved(
    institution_ids: Collection[UUID], since: datetime | None, until: datetime | None
) -> list[ColumnElement[bool]]:
    return [
        payments.c.institution_id.in_(institution_ids),
        *within(payments.c.happened_at, since, until),
    ]


@kept
def _by_month(institution_ids: Collection[UUID], since: datetime, until: datetime) -> Select[Any]:
    return (
        select(_MONTH.label("month"), _POLICIES.label("policies"), *_SUMS)
        .select_from(_OF_ORDERS)
        .where(*_real(institution_ids, since, until))
        .group_by(_MONTH, _POLICIES, payments.c.currency)
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
        partition_by=payments.c.currency,
        order_by=((_total(~_IS_REFUND) - _total(_IS_REFUND)).desc(), orders.c.customer_id),
    )
    summed = (
        select(orders.c.customer_id, *_SUMS, place.label("place"))
        .select_from(_OF_ORDERS)
        .where(*_real(institution_ids, since, until), orders.c.customer_id.is_not(None))
        .group_by(orders.c.customer_id, payments.c.currency)
    )
    if policies is not None:
        summed = summed.where(*of_product(policies))
    ranked = summed.subquery()
    return select(ranked).where(ranked.c.place <= limit).order_by(ranked.c.currency, ranked.c.place)


async def sums_by_month(
    db: Connection, institution_ids: Collection[UUID], since: datetime, until: datetime
) -> list[tuple[str, frozenset[UUID], Sum]]:
    """Sum what was paid by UTC month, policies and currency; test sales are left out."""
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
    """Sum what was paid by customer and currency, in each the largest; test sales are left out.

    With `policies`, only the orders of that product alone.
    """
    rows = await db.execute(*_by_customer(institution_ids, since, until, limit, policies))
    return [(row.customer_id, _sum(row)) for row in rows]


_WANTED = Arrays("wanted", institution_id=Id, customer_id=Id)
_PAID = (
    select(orders.c.customer_id, *_SUMS)
    .select_from(_WANTED.table)
    .join(orders, _WANTED.same(orders, "institution_id", "customer_id"))
    .join(payments, related(payments, orders))
    .where(~orders.c.is_test)
    .group_by(orders.c.customer_id, payments.c.currency)
    .order_by(text("orders DESC"), payments.c.currency)
)


async def paid_by_customer(
    db: Connection, customers: Sequence[tuple[UUID, UUID]]
) -> dict[UUID, list[PaidSum]]:
    """Sum what these customers ever paid by currency; test sales are left out."""
    found: dict[UUID, list[PaidSum]] = {}
    for row in await db.execute(_PAID, _WANTED.given(customers)):
        item = _sum(row)
        paid = PaidSum(item.currency, item.amount, item.refunded)
        found.setdefault(row.customer_id, []).append(paid)
    return found


@kept
def _by_currency(
    institution_ids: Collection[UUID], filters: OrderFilter, search: Search | None
) -> Select[Any]:
    others = filters if filters.paid_in is not None else replace(filters, since=None, until=None)
    return (
        select(*_SUMS)
        .select_from(_OF_ORDERS)
        .where(
            *_moved(institution_ids, filters.since, filters.until),
            *matching(institution_ids, others, search),
        )
        .group_by(payments.c.currency)
        .order_by(text("orders DESC"), payments.c.currency)
    )


async def sums_of_matching(
    db: Connection, institution_ids: Collection[UUID], filters: OrderFilter
) -> list[Sum]:
    """Sum what was paid in a period for the orders that match, by currency.

    That of most orders is the first.
    """
    statement = _by_currency(institution_ids, filters, search_of(filters))
    return [_sum(row) for row in await db.execute(*statement)]


def _sum(row: Any) -> Sum:
    amounts = (Decimal(it) for it in (row.amount, row.renewals, row.refunded))
    return Sum(row.currency, row.orders, *amounts)
