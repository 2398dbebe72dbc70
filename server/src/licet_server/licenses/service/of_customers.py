"""The customer that a license belongs to, and the licenses of a customer."""

from collections.abc import Sequence
from uuid import UUID

from licet_server.customers.rules.model import Customer
from licet_server.customers.service.customers import ensure_customer, hold_customers
from licet_server.identity.service.users import fetch_user
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.terms import is_uuid
from licet_server.licenses.storage import holders as storage


async def customer_of(work: UnitOfWork, institution_id: UUID, issued_to: str | None) -> UUID | None:
    """Return the customer whose address a license is issued to; a missing one is created.

    A user's ID stands for the address of their account.
    """
    email = issued_to
    if issued_to is not None and is_uuid(issued_to):
        user = await fetch_user(work.db, UUID(issued_to))
        email = None if user is None else user.email
    return None if email is None else await ensure_customer(work, institution_id, email)


async def hold_customers_of(
    db: Connection, ids: Sequence[LicenseId]
) -> dict[UUID, Customer | None]:
    """Return the customer of each of these licenses; missing licenses are omitted.

    None of the customers is erased until the transaction ends.
    """
    found = await storage.fetch_customer_ids(db, list(dict.fromkeys(ids)))
    keys = {(institution_id, found.get(license_id)) for institution_id, license_id in ids}
    held = await hold_customers(db, [(first, last) for first, last in keys if last is not None])
    return {license_id: held.get(item) if item else None for license_id, item in found.items()}


async def licenses_of(db: Connection, customer: Customer) -> list[UUID]:
    """Return the IDs of the licenses of a customer, oldest first."""
    return await storage.find_ids(db, customer.institution_id, customer.id)
