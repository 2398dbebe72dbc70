"""What was paid for orders, by month, product, both, and customer."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from licet_server.catalog.reading import product_names
from licet_server.catalog.service.lookup import find_product
from licet_server.connectors.rules.model import OrderFilter, PoliciesOfProduct, Sum, summed
from licet_server.connectors.service.orders import with_policies
from licet_server.connectors.storage.sales import (
    sums_by_customer,
    sums_by_month,
    sums_of_matching,
)
from licet_server.customers.rules.model import Customer
from licet_server.customers.service.customers import find_customers
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.licenses.service.policies import find_policies

CUSTOMERS_MAX = 1_000

NamedProduct = tuple[UUID, str]


@dataclass(frozen=True, slots=True)
class Sales:
    """Sums by month, from the earliest, and by product and customer, the largest first.

    Those by month and product are in the order of the months, in each the largest first.
    """

    by_month: Sequence[tuple[str, Sum]]
    by_product: Sequence[tuple[NamedProduct | None, Sum]]
    by_month_and_product: Sequence[tuple[str, NamedProduct | None, Sum]]
    by_customer: Sequence[tuple[Customer, Sum]]


async def sales(
    db: Connection,
    operator: Operator,
    institution_id: UUID | None,
    product_id: UUID | None,
    since: datetime,
    until: datetime,
) -> Sales:
    """Sum what was paid for the orders of an institution in a period; by default the operator's.

    Each payment counts when it was made, and each refund when it was paid back. An order of
    several products, or of none, counts for no product: the sums of a single product are without
    it. API keys need `Customers.Read` for the sums of customers.

    Raises:
        Refused: `NotFound` for a product that the operator does not see.
    """
    if product_id is not None:
        scope = operator.visibility_of(institution_id)
        product = operator.found(await find_product(db, scope, product_id), "product")
        institution_id = product.institution_id
    institution_id = institution_id or operator.first_institution
    if institution_id is None:
        return Sales([], [], [], [])
    visible = operator.visibility_of(institution_id).institutions
    by_policies = await sums_by_month(db, visible, since, until)
    ids = {policy_id for _, policies, _ in by_policies for policy_id in policies}
    policies = await find_policies(db, institution_id, ids)
    products = {id_: policy.product_id for id_, policy in policies.items()}
    names = await product_names(db, [(institution_id, it) for it in {*products.values()}])
    found = [
        (month, _only({products[it] for it in wanted if it in products}), item)
        for month, wanted, item in by_policies
    ]
    named: dict[UUID | None, NamedProduct | None] = {None: None}
    named |= {id_: (id_, name) for id_, name in names.items()}
    only = None
    if product_id is not None:
        found = [of for of in found if of[1] == product_id]
        only = PoliciesOfProduct.among(products.items(), product_id)
    return Sales(
        by_month=sorted(
            summed((month, item) for month, _, item in found),
            key=lambda of: (of[0], of[1].currency),
        ),
        by_product=[
            (named[id_], item)
            for id_, item in sorted(
                summed((id_, item) for _, id_, item in found),
                key=lambda of: (of[1].currency, -of[1].net),
            )
        ],
        by_month_and_product=[
            (month, named[id_], item)
            for (month, id_), item in sorted(
                summed(((month, id_), item) for month, id_, item in found),
                key=lambda of: (of[0][0], of[1].currency, -of[1].net),
            )
        ],
        by_customer=(
            await _by_customer(db, institution_id, visible, since, until, only)
            if operator.covers(Scope.CUSTOMERS_READ)
            else []
        ),
    )


async def order_sums(
    db: Connection, operator: Operator, institution_id: UUID | None, filters: OrderFilter
) -> list[Sum]:
    """Sum what was paid for the orders that match by currency; tests only if the filter asks."""
    visible = operator.visibility_of(institution_id).institutions
    filters = await with_policies(db, operator, replace(filters, is_test=bool(filters.is_test)))
    return await sums_of_matching(db, visible, filters)


async def _by_customer(
    db: Connection,
    institution_id: UUID,
    visible: Collection[UUID],
    since: datetime,
    until: datetime,
    only: PoliciesOfProduct | None,
) -> list[tuple[Customer, Sum]]:
    sums = await sums_by_customer(db, visible, since, until, CUSTOMERS_MAX, only)
    customers = await find_customers(db, {(institution_id, id_) for id_, _ in sums})
    return [(customers[id_], item) for id_, item in sums if id_ in customers]


def _only(found: set[UUID]) -> UUID | None:
    return next(iter(found)) if len(found) == 1 else None
