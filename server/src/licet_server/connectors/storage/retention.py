"""Counts customers by the month of their first purchase, and by when they first renewed."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Integer,
    Select,
    Text,
    cast,
    extract,
    func,
    literal_column,
    select,
)
from sqlalchemy.dialects.postgresql import array

from licet_server.connectors.rules.retention import Renewers
from licet_server.connectors.tables import order_payments as payments
from licet_server.connectors.tables import orders
from licet_server.kit.database import Connection
from licet_server.kit.kept import kept
from licet_server.kit.statements import related

_POLICIES: ColumnElement[Any] = func.jsonb_path_query_array(
    orders.c.lines, literal_column("'$[*].policyId ? (@ != null)'")
)


def _month(instant: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return the month of an instant in UTC, counted from year 0."""
    utc = func.timezone("UTC", instant)
    return cast(extract("year", utc) * 12 + extract("month", utc) - 1, Integer)


@kept
def _renewers(
    institution_id: UUID, since_month: int, now: datetime, policy_ids: Collection[str] | None
) -> Select[Any]:
    is_paid = (payments.c.kind != literal_column("'Refund'")) & (payments.c.amount > 0)
    is_renewal = is_paid & (payments.c.kind == literal_column("'Renewal'"))
    of_customer = (
        select(
            _month(func.min(payments.c.happened_at)).label("month"),
            _month(func.min(payments.c.happened_at).filter(is_renewal)).label("renewed"),
        )
        .select_from(payments.join(orders, related(payments, orders)))
        .where(
            payments.c.institution_id == institution_id,
            is_paid,
            # Shops may date anything; what has no month, or one that is to come, is left out.
            func.isfinite(payments.c.happened_at),
            payments.c.happened_at <= now,
            ~orders.c.is_test,
            orders.c.customer_id.is_not(None),
        )
        .group_by(orders.c.customer_id)
    )
    if policy_ids is not None:
        own = cast(array(policy_ids), ARRAY(Text))
        of_customer = of_customer.where(
            _POLICIES.op("?|", is_comparison=True)(own),
            func.jsonb_array_length(_POLICIES.op("-")(own)) == 0,
        )
    found = of_customer.subquery()
    after = (found.c.renewed - found.c.month).label("after")
    return (
        select(found.c.month, after, func.count().label("customers"))
        .where(found.c.month >= since_month)
        .group_by(found.c.month, after)
    )


async def count_renewers(
    db: Connection,
    institution_id: UUID,
    since_month: int,
    now: datetime,
    policy_ids: Collection[str] | None,
) -> list[Renewers]:
    """Count the customers of an institution by month; with `policy_ids` by orders under only these.

    What cost nothing is no purchase; test sales and orders without a customer are left out.
    """
    rows = await db.execute(*_renewers(institution_id, since_month, now, policy_ids))
    return [Renewers(row.month, row.after, row.customers) for row in rows]
