"""Lists orders by filters, by their period, and by what is searched for."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Text,
    and_,
    any_,
    cast,
    exists,
    func,
    literal_column,
    or_,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.dialects.postgresql import array, distinct_on

from licet_server.connectors.rules.model import Order, OrderFilter, PoliciesOfProduct
from licet_server.connectors.storage.orders import ORDERS
from licet_server.connectors.storage.payments import within
from licet_server.connectors.tables import ORDER_POLICIES, ORDER_WORDS, order_licenses, orders
from licet_server.connectors.tables import order_payments as payments
from licet_server.customers.reading import worded
from licet_server.kit.database import Connection, Id
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.statements import Arrays, related
from licet_server.kit.text import start_pattern
from licet_server.kit.word_search import queries_of
from licet_server.licenses.rules.model import LatestOrder


async def list_orders(
    db: Connection, institution_ids: Collection[UUID], filters: OrderFilter, paging: Paging
) -> Listing[Order]:
    """List the orders of these institutions that match."""
    given = institution_ids, filters, search_of(filters)
    return await ORDERS.page(db, institution_ids, paging, matching, *given)


_LICENSES = Arrays("licenses_wanted", institution_id=Id, license_id=Id)
_LATEST = (
    select(order_licenses.c.license_id, orders.c.id, orders.c.external_id)
    .ext(distinct_on(order_licenses.c.license_id))
    .select_from(_LICENSES.table)
    .join(order_licenses, _LICENSES.same(order_licenses, "institution_id", "license_id"))
    .join(orders, related(order_licenses, orders))
    .order_by(order_licenses.c.license_id, orders.c.id.desc())
)


async def latest_of_licenses(
    db: Connection, licenses: Sequence[tuple[UUID, UUID]]
) -> dict[UUID, LatestOrder]:
    """Return the latest order of each of these licenses; those without any are omitted."""
    rows = await db.execute(_LATEST, _LICENSES.given(licenses))
    return {row.license_id: LatestOrder(row.id, row.external_id) for row in rows}


@dataclass(frozen=True, slots=True)
class Search:
    """What an order is searched for: the beginning of its number or address, and words."""

    start: str
    words: tuple[str, ...]


def search_of(filters: OrderFilter) -> Search | None:
    """Return what finds the orders that a filter searches for."""
    if filters.search is None:
        return None
    return Search(start_pattern(filters.search.lower()), tuple(queries_of(filters.search)))


def matching(
    institution_ids: Collection[UUID], filters: OrderFilter, search: Search | None
) -> list[ColumnElement[bool]]:
    """Return the conditions of a filter, and of what it searches for."""
    where: list[ColumnElement[bool]] = []
    if search is not None:
        where.append(_shows(institution_ids, search))
    if filters.paid_in is not None:
        where.append(_paid(institution_ids, filters.paid_in, filters.since, filters.until))
    elif filters.since is not None or filters.until is not None:
        where.append(_of_period(institution_ids, filters.since, filters.until))
    if filters.policies is not None:
        where += of_product(filters.policies)
    if filters.license_id is not None:
        where.append(_of_license(institution_ids, filters.license_id))
    same = (
        (orders.c.connector_id, filters.connector_id),
        (orders.c.customer_id, filters.customer_id),
        (orders.c.status, filters.status),
    )
    where += [column == value for column, value in same if value is not None]
    true = (
        (orders.c.problem.is_not(None), filters.has_problem),
        (orders.c.disputed_at.is_not(None), filters.is_disputed),
        (orders.c.is_test, filters.is_test),
    )
    where += [condition.is_(value) for condition, value in true if value is not None]
    if filters.disputed_since is not None:
        where.append(orders.c.disputed_at >= filters.disputed_since)
    return where


def of_product(policies: PoliciesOfProduct) -> list[ColumnElement[bool]]:
    """Return the conditions that an order is of a product."""
    named: ColumnElement[Any] = literal_column(ORDER_POLICIES)

    def names_any(policy_ids: Collection[str]) -> ColumnElement[bool]:
        return named.op("?|", is_comparison=True)(cast(array(policy_ids), ARRAY(Text)))

    return [names_any(policies.own), *([~names_any(policies.others)] if policies.others else [])]


def _of_license(institution_ids: Collection[UUID], license_id: UUID) -> ColumnElement[bool]:
    """Return the condition that a license came of an order; few orders have the same one."""
    its = select(order_licenses.c.institution_id, order_licenses.c.order_id).where(
        order_licenses.c.institution_id.in_(institution_ids),
        order_licenses.c.license_id == license_id,
    )
    return tuple_(orders.c.institution_id, orders.c.id).in_(its)


def _paid(
    institution_ids: Collection[UUID],
    currency: str,
    since: datetime | None,
    until: datetime | None,
) -> ColumnElement[bool]:
    """Return the condition that an order was paid in this currency in a period."""
    paid = select(payments.c.institution_id, payments.c.order_id).where(
        payments.c.institution_id.in_(institution_ids),
        payments.c.currency == currency,
        payments.c.kind != literal_column("'Refund'"),
        *within(payments.c.happened_at, since, until),
    )
    return tuple_(orders.c.institution_id, orders.c.id).in_(paid)


def _shows(institution_ids: Collection[UUID], search: Search) -> ColumnElement[bool]:
    """Return the condition that an order shows what is searched for, or its customer does.

    The customers are found first, as an array, so that the index of theirs finds their orders.
    """
    words = [
        or_(
            ORDER_WORDS.match(word),
            orders.c.customer_id
            == any_(func.array(worded(institution_ids, word).scalar_subquery(), type_=ARRAY(Id))),
        )
        for word in search.words
    ]
    return or_(
        func.lower(orders.c.external_id).like(search.start),
        func.lower(orders.c.email).like(search.start),
        *([and_(*words)] if words else []),
    )


def _of_period(
    institution_ids: Collection[UUID], since: datetime | None, until: datetime | None
) -> ColumnElement[bool]:
    """Return the condition that an order is of a period; each half is found by its own index."""
    unpaid = orders.alias("unpaid")
    paid_then = select(payments.c.institution_id, payments.c.order_id).where(
        payments.c.institution_id.in_(institution_ids),
        *within(payments.c.happened_at, since, until),
    )
    created_then = select(unpaid.c.institution_id, unpaid.c.id).where(
        unpaid.c.institution_id.in_(institution_ids),
        *within(unpaid.c.created_at, since, until),
        ~exists().where(
            payments.c.institution_id == unpaid.c.institution_id,
            payments.c.order_id == unpaid.c.id,
        ),
    )
    return tuple_(orders.c.institution_id, orders.c.id).in_(union_all(paid_then, created_then))
