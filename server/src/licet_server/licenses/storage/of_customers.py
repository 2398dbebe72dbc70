"""Queries of licenses by the customer that they belong to."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select, update

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id
from licet_server.licenses.tables import licenses

_CUSTOMERS = Arrays("wanted", institution_id=Id, customer_id=Id)
_COUNT = (
    select(licenses.c.customer_id, func.count().label("number"))
    .where(
        licenses.c.institution_id == _CUSTOMERS.c.institution_id,
        licenses.c.customer_id == _CUSTOMERS.c.customer_id,
    )
    .group_by(licenses.c.customer_id)
)


async def count_by_customer(
    db: Connection, customers: Sequence[tuple[UUID, UUID]]
) -> dict[UUID, int]:
    """The number of licenses of these customers; those without any are omitted."""
    rows = await db.execute(_COUNT, _CUSTOMERS.given(list(customers)))
    return {row.customer_id: row.number for row in rows}


async def find_ids(db: Connection, institution_id: UUID, customer_id: UUID) -> list[UUID]:
    """The ids of the licenses of a customer, oldest first."""
    statement = (
        select(licenses.c.id)
        .where(licenses.c.institution_id == institution_id, licenses.c.customer_id == customer_id)
        .order_by(licenses.c.id)
    )
    return list((await db.execute(statement)).scalars())


async def fetch_receivers_of(
    db: Connection, institution_id: UUID, customer_id: UUID
) -> dict[UUID, str | None]:
    """The licenses of a customer, each with what it is issued to."""
    statement = select(licenses.c.id, licenses.c.issued_to).where(
        licenses.c.institution_id == institution_id, licenses.c.customer_id == customer_id
    )
    return {row.id: row.issued_to for row in await db.execute(statement)}


async def fetch_issued_elsewhere(
    db: Connection, institution_id: UUID, names: Collection[str]
) -> set[str]:
    """Those of these names, in lower case, to which other institutions have issued licenses."""
    receiver = func.lower(licenses.c.issued_to)
    statement = (
        select(receiver)
        .distinct()
        .where(receiver.in_(names), licenses.c.institution_id != institution_id)
    )
    return set((await db.execute(statement)).scalars())


async def lock_of_customer(db: Connection, institution_id: UUID, customer_id: UUID) -> list[UUID]:
    """Lock the licenses of a customer `FOR NO KEY UPDATE`, in the order of their ids."""
    statement = (
        select(licenses.c.id)
        .where(licenses.c.institution_id == institution_id, licenses.c.customer_id == customer_id)
        .order_by(licenses.c.id)
        .with_for_update(key_share=True)
    )
    return list((await db.execute(statement)).scalars())


async def move_licenses(
    db: Connection, institution_id: UUID, from_id: UUID, into_id: UUID, now: datetime
) -> int:
    """Give the licenses of a customer to another one; returns how many."""
    moved = await db.execute(
        update(licenses)
        .where(licenses.c.institution_id == institution_id, licenses.c.customer_id == from_id)
        .values(customer_id=into_id, updated_at=now)
    )
    return moved.rowcount
