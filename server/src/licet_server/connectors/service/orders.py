"""Lists and shows orders, also to buyers, records their events, and moves them with customers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from licet_server.catalog.reading import product_names
from licet_server.catalog.service.lookup import find_product
from licet_server.connectors import errors
from licet_server.connectors.rules.licensing import UNUSABLE, CurrentLicense
from licet_server.connectors.rules.model import (
    Order,
    OrderFilter,
    OrderStatus,
    Payment,
    PoliciesOfProduct,
)
from licet_server.connectors.storage import connectors, order_lists
from licet_server.connectors.storage import orders as storage
from licet_server.connectors.storage.orders import ORDERS
from licet_server.connectors.storage.payments import fetch_payments
from licet_server.connectors.storage.sales import paid_by_customer
from licet_server.customers.rules.model import Customer, CustomerFigures
from licet_server.customers.service.customers import find_customers
from licet_server.devices.service.lookup import last_seen_of_customers
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import differences
from licet_server.events.service.recording import record_event
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.emails import read_email
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.customer_licenses import LicensesOfCustomers
from licet_server.licenses.service.holders import fetch_own_license, find_vendors
from licet_server.licenses.service.policies import find_policies, find_policies_of
from licet_server.licenses.service.reading import find_by_ids


async def record_order(work: UnitOfWork, kind: EventKind, order: Order, *, before: Order) -> None:
    """Record a change of an order."""
    await record_event(
        work,
        kind,
        institution_id=order.institution_id,
        subject_id=order.id,
        data={
            "id": order.id,
            "connectorId": order.connector_id,
            "test": order.is_test,
            **_facts(order),
        },
        changes=differences(_facts(before), _facts(order)),
    )


def _facts(order: Order) -> dict[str, object]:
    return {
        "externalId": order.external_id,
        "customerId": order.customer_id,
        "email": order.email,
        "status": order.status,
        "problem": _without_address(order.problem),
    }


def _without_address(problem: str | None) -> str | None:
    """Return a problem without the buyer's address, which is not erased inside of a sentence."""
    if problem is None or not problem.startswith(UNUSABLE):
        return problem
    return f"{UNUSABLE.removesuffix(': ')}."


@dataclass(frozen=True, slots=True)
class SoldAs:
    """What something that is sold is called here."""

    policy_name: str
    product_id: UUID
    product_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownOrder:
    """An order with its licenses as the connector last left them, and the names for display.

    `names` are those of what is sold, by policy.
    """

    order: Order
    names: Mapping[UUID, SoldAs]
    licenses: Sequence[CurrentLicense]
    connector_name: str
    customer_name: str | None


@dataclass(frozen=True, slots=True)
class OrderDetails:
    """An order, those of its licenses that exist, and when it was paid and paid back."""

    shown: ShownOrder
    licenses: Sequence[License]
    payments: Sequence[Payment]


async def list_orders(
    db: Connection,
    operator: Operator,
    institution_id: UUID | None,
    filters: OrderFilter,
    paging: Paging,
) -> Listing[ShownOrder]:
    """List the orders of the institutions that the operator sees as a whole."""
    visible = operator.visibility_of(institution_id).institutions
    filters = await with_policies(db, operator, filters)
    listing = await order_lists.list_orders(db, visible, filters, paging)
    return listing.with_items(await _shown(db, listing.items))


async def with_policies(db: Connection, operator: Operator, filters: OrderFilter) -> OrderFilter:
    """Return the filters with the policies of their product; one that is not seen has none."""
    if filters.product_id is None:
        return filters
    product = await find_product(db, operator.visibility, filters.product_id)
    if product is None:
        return replace(filters, policies=PoliciesOfProduct([]))
    asked = None if filters.is_alone else product.id
    found = await find_policies_of(db, product.institution_id, asked)
    policies = [(it.id, it.product_id) for it in found]
    return replace(filters, policies=PoliciesOfProduct.among(policies, product.id))


async def find_orders(
    db: Connection, institution_id: UUID, filters: OrderFilter, limit: int
) -> list[ShownOrder]:
    """Find the first orders of an institution that match, at most so many, in creation order."""
    found: list[ShownOrder] = []
    step: UUID | None = UUID(int=0)
    while step is not None and len(found) < limit:
        paging = Paging(page_size=100, after=step)
        listing = await order_lists.list_orders(db, [institution_id], filters, paging)
        found += await _shown(db, listing.items)
        step = listing.next_after if isinstance(listing.next_after, UUID) else None
    return found[:limit]


async def find_unmatched(
    db: Connection, operator: Operator, institution_id: UUID, limit: int
) -> tuple[int, list[ShownOrder]]:
    """Count the orders without a matching rule, apart from tests, and return the oldest."""
    filters = OrderFilter(status=OrderStatus.UNMATCHED, is_test=False)
    return await _find_oldest(db, operator, institution_id, filters, limit)


async def find_disputed(
    db: Connection, operator: Operator, institution_id: UUID, since: datetime, limit: int
) -> tuple[int, list[ShownOrder]]:
    """Count the orders that are disputed since then, apart from tests, and return the oldest.

    One that was refunded, or that ends, needs no decision any more.
    """
    filters = OrderFilter(status=OrderStatus.FULFILLED, disputed_since=since, is_test=False)
    return await _find_oldest(db, operator, institution_id, filters, limit)


async def _find_oldest(
    db: Connection, operator: Operator, institution_id: UUID, filters: OrderFilter, limit: int
) -> tuple[int, list[ShownOrder]]:
    paging = Paging(page_size=limit, sort="createdAt")
    listing = await list_orders(db, operator, institution_id, filters, paging)
    return listing.total_count or 0, listing.items


async def fetch_order(db: Connection, operator: Operator, order_id: UUID) -> OrderDetails:
    found = await ORDERS.fetch(db, operator.visibility.institutions, order_id)
    [shown] = await _shown(db, [operator.found(found, "order")])
    ids = [item.license_id for item in shown.licenses]
    existing = await find_by_ids(db, operator.visibility, ids)
    payments = await fetch_payments(db, shown.order.institution_id, [order_id])
    return OrderDetails(
        shown,
        licenses=[existing[id_] for id_ in ids if id_ in existing],
        payments=payments.get(order_id, []),
    )


async def give_address(
    work: UnitOfWork, operator: Operator, order_id: UUID, email: str
) -> OrderDetails:
    """Give an order the buyer's address that it lacks, and make it due.

    An address that the provider names later takes its place.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if it has an address.
    """
    found = await ORDERS.lock(work.db, operator.visibility.institutions, order_id)
    order = operator.found(found, "order")
    if order.email is not None:
        raise errors.has_address()
    changed = replace(
        order, email=read_email(email), due_at=work.now, attempts=0, updated_at=work.now
    )
    await ORDERS.save(work.db, changed)
    await record_order(work, EventKind.ORDER_UPDATED, changed, before=order)
    return await fetch_order(work.db, operator, order_id)


async def _shown(db: Connection, orders: Sequence[Order]) -> list[ShownOrder]:
    institutions = {item.institution_id for item in orders}
    licenses = await storage.fetch_licenses(db, institutions, [item.id for item in orders])
    names = await connectors.fetch_names(db, institutions, {item.connector_id for item in orders})
    buyers = {(item.institution_id, item.customer_id) for item in orders if item.customer_id}
    customers = await find_customers(db, buyers)
    sold_as = await _names_of_sold(db, orders)
    return [
        ShownOrder(
            order=item,
            names=sold_as,
            licenses=[it.license for it in licenses.get(item.id, [])],
            connector_name=names[item.connector_id],
            customer_name=(
                customers[item.customer_id].name if item.customer_id in customers else None
            ),
        )
        for item in orders
    ]


async def _names_of_sold(db: Connection, orders: Sequence[Order]) -> dict[UUID, SoldAs]:
    """Return what policies and their products are called, by policy; deleted ones are omitted."""
    wanted: dict[UUID, set[UUID]] = {}
    for order in orders:
        ids = {line.policy_id for line in order.lines if line.policy_id is not None}
        wanted.setdefault(order.institution_id, set()).update(ids)
    found = [
        policy
        for institution_id, ids in wanted.items()
        for policy in (await find_policies(db, institution_id, ids)).values()
    ]
    products = await product_names(
        db, list({(policy.institution_id, policy.product_id) for policy in found})
    )
    return {
        policy.id: SoldAs(policy.name, policy.product_id, products[policy.product_id])
        for policy in found
    }


class SalesOfCustomers(LicensesOfCustomers):
    """Sums, locks and moves the orders of customers with their licenses."""

    async def figures(
        self, db: Connection, customers: Sequence[Customer], now: datetime
    ) -> dict[UUID, CustomerFigures]:
        """Return the licenses of customers, when their devices were seen, and what they paid."""
        keys = [(item.institution_id, item.id) for item in customers]
        licenses = await super().figures(db, customers, now)
        seen = await last_seen_of_customers(db, keys)
        paid = await paid_by_customer(db, keys)
        return {
            id_: replace(
                licenses.get(id_, CustomerFigures()),
                last_seen_at=seen.get(id_),
                paid=tuple(paid.get(id_, ())),
            )
            for id_ in {*licenses, *paid}
        }

    async def lock(self, work: UnitOfWork, customer: Customer) -> None:
        """Lock the connectors, then the orders, then the licenses of a customer.

        Jobs that link events or settle orders lock in this order, too.
        """
        await storage.lock_of_customer(work.db, customer.institution_id, customer.id)
        await super().lock(work, customer)

    async def move(self, work: UnitOfWork, duplicate: Customer, kept: Customer) -> int:
        """Give the licenses and the orders of a customer to another one."""
        await storage.move_customer(work.db, kept.institution_id, duplicate.id, kept.id)
        return await super().move(work, duplicate, kept)


async def list_purchases(
    db: Connection, user: Operator, license_id: UUID, paging: Paging
) -> Listing[Order]:
    """List the orders of a license of the user that the user placed, newest first.

    What somebody else paid for it is not shown.

    Raises:
        Refused: `Forbidden` without a verified email address, `NotFound`.
    """
    license_ = await fetch_own_license(db, user, license_id)
    key = (license_.institution_id, license_.id)
    return await storage.list_purchases(db, key, user.email.lower(), paging)


async def list_all_purchases(db: Connection, user: Operator, paging: Paging) -> Listing[Order]:
    """List the orders that the user placed with the vendors of their licenses, newest first.

    Raises:
        Refused: `Forbidden` without a verified email address.
    """
    vendors = await find_vendors(db, user)
    return await storage.list_all_purchases(db, vendors, user.email.lower(), paging)
