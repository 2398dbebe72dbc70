"""The customer that a license belongs to, and the licenses of a customer."""

from uuid import UUID

from licet_server.customers.rules.model import Customer
from licet_server.customers.service.customers import ensure_customer
from licet_server.identity.service.users import fetch_user
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
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


async def licenses_of(db: Connection, customer: Customer) -> list[UUID]:
    """Return the IDs of the licenses of a customer, oldest first."""
    return await storage.find_ids(db, customer.institution_id, customer.id)
