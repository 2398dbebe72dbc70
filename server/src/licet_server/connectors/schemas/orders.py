"""Wire shapes of orders, of the lines of reports, and of what they brought in."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct, field

from licet_server.connectors.rules.licensing import Plan
from licet_server.connectors.rules.model import (
    Order,
    OrderLine,
    OrderStatus,
    Payment,
    PaymentKind,
    Sum,
)
from licet_server.connectors.rules.retention import Cohort
from licet_server.connectors.service.orders import OrderDetails, ShownOrder
from licet_server.connectors.service.sales import Sales
from licet_server.kit.amounts import plain
from licet_server.kit.emails import read_email
from licet_server.kit.errors import FieldError
from licet_server.kit.web.body import Body
from licet_server.kit.web.csv import csv_text
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.model import LicenseStatus


class OrderLineView(Struct, rename="camel", kw_only=True):
    """A sold item, the policy that a rule assigned to it, and the licenses for the item.

    `product` and `price` are the IDs in the shop. `productId` and `productName` are those of the
    product of the policy, as it is called now; null if the policy was deleted. `periodEnd` is the
    end of the term that is paid.
    """

    product: str | None
    price: str | None
    quantity: int
    policy_id: UUID | None
    policy_name: str | None
    product_id: UUID | None
    product_name: str | None
    license_ids: list[UUID]
    period_end: datetime | None


class OrderView(Struct, rename="camel", kw_only=True):
    """A sale, or a subscription. `externalId` is the provider's ID.

    `problem` says why licenses are missing. `nextAttemptAt` is when it is processed again without
    a new event, apart from what the time of a Test product makes due. `licenseIds` includes
    licenses that the order no longer states.

    `amount` is what was paid in all, and `refundedAmount` what was paid back, in the unit of
    `currency`; null is what the provider does not say. `disputedAt` is when the buyer began to
    dispute a payment; it is null again once the dispute is won. `testMode`: no real money was paid.
    """

    id: UUID
    institution_id: UUID
    connector_id: UUID
    connector_name: str
    external_id: str
    customer_id: UUID | None
    customer_name: str | None
    email: str | None
    amount: Decimal | None
    currency: str | None
    refunded_amount: Decimal | None
    disputed_at: datetime | None
    test_mode: bool
    status: OrderStatus
    problem: str | None
    lines: list[OrderLineView]
    license_ids: list[UUID]
    next_attempt_at: datetime | None
    created_at: datetime
    updated_at: datetime


class OrderChange(Body):
    """The buyer's address, for an order that lacks one."""

    email: Annotated[str, Meta(min_length=3, max_length=254)]

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        given: object = self.email  # `None` where what was sent is no text
        if isinstance(given, str) and read_email(given) is None:
            yield FieldError("email", "must be an email address.")


class OrderLicenseView(Struct, rename="camel", kw_only=True):
    """A license of an order.

    While its term has not begun, `termDays` or `termMonths` is its length.
    """

    id: UUID
    license_name: str
    status: LicenseStatus
    expiration_date: datetime | None
    term_days: int | None
    term_months: int | None


class OrderPaymentView(Struct, rename="camel"):
    """What was paid at once, or paid back. `happenedAt` is when, as the shop says.

    A refund that failed later is a refund below 0.
    """

    kind: PaymentKind
    happened_at: datetime
    amount: Decimal
    currency: str


class OrderDetailsView(OrderView, kw_only=True):
    """An order, those of its licenses that were not deleted, and its payments, oldest first."""

    licenses: list[OrderLicenseView]
    payments: list[OrderPaymentView]


def _computed(shown: ShownOrder) -> dict[str, Any]:
    return {
        "connector_name": shown.connector_name,
        "customer_name": shown.customer_name,
        "lines": [_line(shown, line) for line in shown.order.lines],
        "license_ids": [item.license_id for item in shown.licenses],
        "next_attempt_at": shown.order.due_at,
        "amount": _plain(shown.order.amount),
        "refunded_amount": _plain(shown.order.refunded_amount),
        "test_mode": shown.order.is_test,
    }


def _line(shown: ShownOrder, line: OrderLine) -> OrderLineView:
    sold_as = None if line.policy_id is None else shown.names.get(line.policy_id)
    return view_of(
        OrderLineView,
        line,
        policy_name=sold_as and sold_as.policy_name,
        product_id=sold_as and sold_as.product_id,
        product_name=sold_as and sold_as.product_name,
        license_ids=[item.license_id for item in shown.licenses if _is_for(item.plan, line)],
        period_end=line.ends_at,
    )


def _is_for(plan: Plan, line: OrderLine) -> bool:
    """Return whether a license is for an item; older ones say only under which policy they are."""
    if line.policy_id is None or plan.policy_id != line.policy_id:
        return False
    return plan.sold is None or plan.sold == (line.product, line.price)


def _plain(amount: Decimal | None) -> Decimal | None:
    return None if amount is None else plain(amount)


def order_view(shown: ShownOrder) -> OrderView:
    """Return an order for the wire."""
    return view_of(OrderView, shown.order, **_computed(shown))


class ReportedPayment(Struct, rename="camel", kw_only=True):
    """A line of a report: what was paid for an order at once, or paid back, with an amount below 0.

    An order without a known amount has a line of the instant when it was created.
    """

    happened_at: datetime
    kind: PaymentKind | None
    amount: Decimal | None
    currency: str | None
    external_id: str
    connector_name: str
    customer_name: str | None
    email: str | None
    status: OrderStatus
    order_id: UUID


def report_csv(found: Sequence[tuple[ShownOrder, Payment | None]]) -> str:
    """Return the payments of a report as CSV."""
    return csv_text(ReportedPayment, (_reported(shown, payment) for shown, payment in found))


def _reported(shown: ShownOrder, payment: Payment | None) -> ReportedPayment:
    order = shown.order
    return ReportedPayment(
        happened_at=order.created_at if payment is None else payment.happened_at,
        kind=None if payment is None else payment.kind,
        amount=None if payment is None else plain(payment.gained),
        currency=None if payment is None else payment.currency,
        external_id=order.external_id,
        connector_name=shown.connector_name,
        customer_name=shown.customer_name,
        email=order.email,
        status=order.status,
        order_id=order.id,
    )


def order_details_view(details: OrderDetails, now: datetime) -> OrderDetailsView:
    """Return an order for the wire, with its licenses as they are at `now`."""
    licenses = [
        view_of(OrderLicenseView, item, status=item.status(now)) for item in details.licenses
    ]
    payments = [
        view_of(OrderPaymentView, item, amount=plain(item.amount)) for item in details.payments
    ]
    shown = details.shown
    return view_of(
        OrderDetailsView, shown.order, licenses=licenses, payments=payments, **_computed(shown)
    )


class SalesSum(Struct, rename="camel", kw_only=True):
    """What was paid in one currency, by the times that shops say.

    `orders` is how many orders were paid for, `renewals` what of `amount` was paid for more than
    the first time, and `net` is `amount` without `refunded`, which may be of earlier payments.
    """

    currency: str
    orders: int
    amount: Decimal
    renewals: Decimal
    refunded: Decimal
    net: Decimal


class SalesOfMonth(SalesSum, kw_only=True):
    """What was paid, and paid back, in a UTC month, such as `2026-11`."""

    month: str


class SalesOfProduct(SalesSum, kw_only=True):
    """The orders of one product; null for those of several, or of none that a rule names."""

    product_id: UUID | None
    product_name: str | None


class SalesOfMonthAndProduct(SalesOfProduct, kw_only=True):
    """What was paid, and paid back, for one product in a UTC month, such as `2026-11`."""

    month: str


class SalesOfCustomer(SalesSum, kw_only=True):
    """The orders of one customer."""

    customer_id: UUID
    customer_name: str


class SalesStatistics(Struct, rename="camel"):
    """What was paid and paid back in the period, by month, product, both, and customer."""

    since: datetime = field(name="from")
    until: datetime = field(name="to")
    by_month: list[SalesOfMonth]
    by_product: list[SalesOfProduct]
    by_month_and_product: list[SalesOfMonthAndProduct]
    by_customer: list[SalesOfCustomer]


def sales_statistics(found: Sales, since: datetime, until: datetime) -> SalesStatistics:
    """Return the sums on the wire."""
    return SalesStatistics(
        since,
        until,
        by_month=[SalesOfMonth(month=month, **_sum(item)) for month, item in found.by_month],
        by_product=[SalesOfProduct(**_product(of), **_sum(item)) for of, item in found.by_product],
        by_month_and_product=[
            SalesOfMonthAndProduct(month=month, **_product(of), **_sum(item))
            for month, of, item in found.by_month_and_product
        ],
        by_customer=[
            SalesOfCustomer(customer_id=of.id, customer_name=of.name, **_sum(item))
            for of, item in found.by_customer
        ],
    )


class RenewedWithin(Struct, rename="camel", kw_only=True):
    """How many customers renewed at most so many months after the month of their first purchase."""

    months: int
    customers: int


class CustomersOfMonth(Struct, rename="camel", kw_only=True):
    """The customers who bought first in a UTC month, such as `2026-11`.

    `renewed` is how many of them have paid for a renewal since; `within` has the same for each
    number of months that has passed as a whole.
    """

    month: str
    customers: int
    renewed: int
    within: list[RenewedWithin]


class RetentionStatistics(Struct, rename="camel", kw_only=True):
    """Who pays again, from the earliest month on; months without first purchases are left out."""

    months: list[CustomersOfMonth]


def retention_statistics(found: Sequence[Cohort]) -> RetentionStatistics:
    """Return the customers of each month on the wire."""
    return RetentionStatistics(
        months=[
            view_of(
                CustomersOfMonth,
                item,
                within=[
                    RenewedWithin(months=months, customers=customers)
                    for months, customers in item.within
                ],
            )
            for item in found
        ]
    )


class OrderSums(Struct, rename="camel"):
    """What was paid for the orders of a filter, by currency."""

    sums: list[SalesSum]


def order_sums_view(sums: Sequence[Sum]) -> OrderSums:
    """Return the sums on the wire."""
    return OrderSums([SalesSum(**_sum(item)) for item in sums])


def _product(of: tuple[UUID, str] | None) -> dict[str, Any]:
    id_, name = of or (None, None)
    return {"product_id": id_, "product_name": name}


def _sum(item: Sum) -> dict[str, Any]:
    return {
        "currency": item.currency,
        "orders": item.orders,
        "amount": plain(item.amount),
        "renewals": plain(item.renewals),
        "refunded": plain(item.refunded),
        "net": plain(item.net),
    }


class PurchaseView(Struct, rename="camel"):
    """An order for the user who placed it. `externalId` is its number in the shop.

    `amount` is what was paid in all, and `refundedAmount` what was paid back, in the unit of
    `currency`; null is what the shop does not say.
    """

    id: UUID
    external_id: str
    amount: Decimal | None
    currency: str | None
    refunded_amount: Decimal | None
    created_at: datetime


def purchase_view(order: Order) -> PurchaseView:
    """Return an order for its buyer."""
    amount, refunded = order.amount, order.refunded_amount
    return view_of(
        PurchaseView,
        order,
        amount=None if amount is None else plain(amount),
        refunded_amount=None if refunded is None else plain(refunded),
    )
