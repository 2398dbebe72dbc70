"""The institutions that licenses are issued to: checked when issuing, and what they see."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.catalog.reading import associated_products, lock_associated, lock_associated_of
from licet_server.catalog.rules.model import AccessType, Product
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import FieldError, Refused, bad_field
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseFilter
from licet_server.licenses.rules.runtime import lives_longer
from licet_server.licenses.storage import holders as storage


@dataclass(frozen=True, slots=True)
class Customer:
    """The institution of a license; `None` for a license that is not tied to one."""

    institution_id: UUID | None


def customer_after(before: License, after: License, now: datetime) -> Customer | None:
    """Return the customer to check for a change of a license; `None` if there is nothing to check.

    A license that stays revoked or expired keeps a customer whose association is gone. One that is
    live, and does not live longer than before, keeps its association from being removed.
    """
    is_same = before.customer_institution_id == after.customer_institution_id
    return (
        None
        if is_same and not lives_longer(before, after, now)
        else Customer(after.customer_institution_id)
    )


async def customer_breaches(
    work: UnitOfWork, operator: Operator, product: Product, customer: Customer
) -> list[FieldError]:
    """Check the customer of a license that may be active after this transaction.

    An association is locked, so that it is not removed before the license is committed.
    """
    field, customer_id = "customerInstitutionId", customer.institution_id
    if product.access_type is AccessType.ASSOCIATED:
        scope = (product.institution_id, product.id)
        if customer_id is None or not await lock_associated(work.db, *scope, customer_id):
            return [FieldError(field, _NOT_ASSOCIATED)]
    elif customer_id is not None and customer_id not in operator.roles:
        return [FieldError(field, "must be an institution that you can access.")]
    return []


_NOT_ASSOCIATED = "must be an institution that the product is associated with."


async def refuse_unassociated(
    db: Connection, changes: Sequence[tuple[License, License]], now: datetime
) -> dict[UUID, Refused]:
    """Return what `customer_breaches` would refuse of these changes, by license.

    The changes leave the customers as they are.
    """
    longer = [after for before, after in changes if lives_longer(before, after, now)]
    restricted = await associated_products(
        db, {(item.institution_id, item.product_id) for item in longer}
    )
    found = {
        item.id: (item.institution_id, item.product_id, item.customer_institution_id)
        for item in longer
        if item.product_id in restricted
    }
    keys = {(one, two, three) for one, two, three in found.values() if three is not None}
    associated = await lock_associated_of(db, keys)
    return {
        license_id: bad_field("customerInstitutionId", _NOT_ASSOCIATED)
        for license_id, key in found.items()
        if key not in associated
    }


async def count_live_licenses(
    work: UnitOfWork, *, institution_id: UUID, product_id: UUID, customer_institution_id: UUID
) -> int:
    """Count licenses for `catalog.service.hooks.CustomerLicenseCounter`."""
    return await storage.count_live(
        work.db, institution_id, product_id, customer_institution_id, work.now
    )


async def list_received_licenses(
    db: Connection,
    operator: Operator,
    institution_id: UUID | None,
    filters: LicenseFilter,
    paging: Paging,
    now: datetime,
) -> Listing[License]:
    """Return the licenses of all vendors whose customer is one of the operator's institutions."""
    customers = operator.receiving
    if institution_id is not None:
        operator.visibility_of(institution_id)
        customers = tuple(item for item in customers if item == institution_id)
    return await storage.list_received(db, customers, filters, paging, now)


async def fetch_received_license(db: Connection, operator: Operator, license_id: UUID) -> License:
    """Return one license whose customer is one of the operator's institutions."""
    found = await storage.fetch_received(db, operator.receiving, license_id)
    return _authorized(operator, found)


async def lock_received_license(db: Connection, operator: Operator, license_id: UUID) -> License:
    """Fetch such a license `FOR NO KEY UPDATE`."""
    found = await storage.lock_received(db, operator.receiving, license_id)
    return _authorized(operator, found)


def _authorized(operator: Operator, license_: License | None) -> License:
    """Check the role that the route requires, in the institution of the customer."""
    if license_ is None or license_.customer_institution_id is None:
        raise operator.unseen("license")
    operator.authorize(license_.customer_institution_id)
    return license_
