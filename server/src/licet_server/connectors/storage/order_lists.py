"""Lists orders by filters, by their period, and by what is searched for."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    and_,
    any_,
    exists,
    func,
    or_,
    select,
    tuple_,
    union_all,
)

from licet_server.connectors.rules.model import Order, OrderFilter
from licet_server.connectors.storage.orders import ORDERS
from licet_server.connectors.storage.payments import within
from licet_server.connectors.tables import ORDER_WORDS, orders
from licet_server.connectors.tables import order_payments as payments
from licet_server.customers.reading import worded
from licet_server.kit.database import Connection, Id
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.text import start_pattern
from licet_server.kit.word_search import queries_of


async def list_orders(
    db: Connection, institution_ids: Collection[UUID], filters: OrderFilter, paging: Paging
) -> Listing[Order]:
    """List the orders of these institutions that match."""
    given = institution_ids, filters, search_of(filters)
    return await ORDERS.page(db, institution_ids, paging, matching, *given)


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
    if filters.since is not None or filters.until is not None:
        where.append(_of_period(institution_ids, filters.since, filters.until))
    if filters.connector_id is not None:
        where.append(orders.c.connector_id == filters.connector_id)
    if filters.customer_id is not None:
        where.append(orders.c.customer_id == filters.customer_id)
    if filters.has_problem is not None:
        where.append(orders.c.problem.is_not(None).is_(filters.has_problem))
    if filters.is_disputed is not None:
        where.append(orders.c.disputed_at.is_not(None).is_(filters.is_disputed))
    if filters.disputed_since is not None:
        where.append(orders.c.disputed_at >= filters.disputed_since)
    if filters.is_test is not None:
        where.append(orders.c.is_test.is_(filters.is_test))
    if filters.status is not None:
        where.append(orders.c.status == filters.status)
    return where


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
