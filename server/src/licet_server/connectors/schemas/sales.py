"""Wire shapes of sales."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from msgspec import Struct, field

from licet_server.connectors.rules.sales import Sum
from licet_server.connectors.service.sales import Sales
from licet_server.kit.amounts import plain


class SalesSum(Struct, rename="camel", kw_only=True):
    """What orders in one currency brought in: `net` is `amount` without `refunded`."""

    currency: str
    orders: int
    amount: Decimal
    refunded: Decimal
    net: Decimal


class SalesOfMonth(SalesSum, kw_only=True):
    """The orders that were made in a UTC month, such as `2026-11`."""

    month: str


class SalesOfProduct(SalesSum, kw_only=True):
    """The orders of one product; null for those of several, or of none that a rule names."""

    product_id: UUID | None
    product_name: str | None


class SalesOfCustomer(SalesSum, kw_only=True):
    """The orders of one customer."""

    customer_id: UUID
    customer_name: str


class SalesStatistics(Struct, rename="camel"):
    """What the orders of the period brought in, by month, product and customer."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    by_month: list[SalesOfMonth]
    by_product: list[SalesOfProduct]
    by_customer: list[SalesOfCustomer]


def sales_statistics(found: Sales, since: datetime, until: datetime) -> SalesStatistics:
    """Return the sums on the wire."""
    return SalesStatistics(
        since,
        until,
        by_month=[SalesOfMonth(month=month, **_sum(item)) for month, item in found.by_month],
        by_product=[
            SalesOfProduct(
                product_id=None if of is None else of[0],
                product_name=None if of is None else of[1],
                **_sum(item),
            )
            for of, item in found.by_product
        ],
        by_customer=[
            SalesOfCustomer(customer_id=of.id, customer_name=of.name, **_sum(item))
            for of, item in found.by_customer
        ],
    )


def _sum(item: Sum) -> dict[str, Any]:
    return {
        "currency": item.currency,
        "orders": item.orders,
        "amount": plain(item.amount),
        "refunded": plain(item.refunded),
        "net": plain(item.net),
    }
