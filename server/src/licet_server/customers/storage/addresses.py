"""Present and former addresses of customers, and other institutions that know them."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import delete, func, select, union
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.customers.rules.model import Customer
from licet_server.customers.tables import customers, former_addresses
from licet_server.kit.database import Connection

_EMAIL = func.lower(customers.c.email)


async def remember_address(db: Connection, customer: Customer) -> None:
    """Store that the institution had a customer with this address."""
    row = {"institution_id": customer.institution_id, "email": customer.email.lower()}
    await db.execute(upsert(former_addresses).values(row).on_conflict_do_nothing())


async def forget_addresses(db: Connection, institution_id: UUID, emails: Collection[str]) -> int:
    """Delete that the institution had customers with these addresses; returns of how many."""
    statement = delete(former_addresses).where(
        former_addresses.c.institution_id == institution_id, former_addresses.c.email.in_(emails)
    )
    return int((await db.execute(statement)).rowcount)


async def fetch_taken(
    db: Connection, institution_id: UUID, emails: Collection[str], own: Collection[UUID]
) -> set[str]:
    """Fetch those of these addresses that customers have who are none of `own`."""
    statement = select(_EMAIL).where(
        customers.c.institution_id == institution_id,
        _EMAIL.in_(emails),
        customers.c.id.not_in(own),
    )
    return set((await db.execute(statement)).scalars())


async def fetch_known_elsewhere(
    db: Connection, institution_id: UUID, emails: Collection[str]
) -> set[str]:
    """Fetch those of these addresses that customers of other institutions have, or had."""
    present = select(_EMAIL).where(_EMAIL.in_(emails), customers.c.institution_id != institution_id)
    former = select(former_addresses.c.email).where(
        former_addresses.c.email.in_(emails), former_addresses.c.institution_id != institution_id
    )
    return set((await db.execute(union(present, former))).scalars())
