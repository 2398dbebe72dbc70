"""Queries of licenses by their customer, and by the institution of a customer across vendors."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    or_,
    select,
    type_coerce,
    update,
)

from licet_server.catalog.reading import instant_by
from licet_server.customers.reading import Holds
from licet_server.customers.rules.model import CustomerFigures, Holding
from licet_server.kit.database import Connection, Id, Instant
from licet_server.kit.dates import LATEST
from licet_server.kit.kept import kept
from licet_server.kit.paging import FilteredPages, Listing, Paging
from licet_server.kit.statements import Arrays
from licet_server.licenses.rules.model import License, LicenseFilter, LicenseId, LicenseStatus
from licet_server.licenses.storage.lists import SearchTexts, has_status, matching, texts_of
from licet_server.licenses.storage.records import (
    CLOCK,
    LICENSE_COLUMNS,
    SORTABLE,
    license_of,
    lock_found,
)
from licet_server.licenses.storage.terms import valid_until
from licet_server.licenses.tables import licenses


def _received(customers: Collection[UUID]) -> ColumnElement[bool]:
    return licenses.c.customer_institution_id.in_(customers)


async def list_received(
    db: Connection,
    customers: Collection[UUID],
    filters: LicenseFilter,
    paging: Paging,
    now: datetime,
) -> Listing[License]:
    """Return the licenses of all vendors whose customer is one of these institutions."""
    if filters.expiring_before is not None and paging.sort is None:
        paging = replace(paging, sort="expirationDate")
    search = texts_of(filters.search)
    pages, given = _chosen(tuple(customers), replace(filters, search=None), search, now)
    return (await pages.fetch(db, paging, given)).of(license_of)


@kept
def _chosen(
    customers: tuple[UUID, ...], filters: LicenseFilter, search: SearchTexts | None, now: datetime
) -> FilteredPages:
    received = select(*LICENSE_COLUMNS).where(_received(customers))
    return FilteredPages(
        matching(received, filters, search, now, None),
        id_column=licenses.c.id,
        sortable=SORTABLE,
        scan=None,
    )


async def fetch_received(
    db: Connection, customers: Collection[UUID], license_id: UUID
) -> License | None:
    statement = select(*LICENSE_COLUMNS).where(_received(customers), licenses.c.id == license_id)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else license_of(row)


async def lock_received(
    db: Connection, customers: Collection[UUID], license_id: UUID
) -> License | None:
    """Fetch a license of one of these customers, `FOR NO KEY UPDATE`."""
    found = await fetch_received(db, customers, license_id)
    return None if found is None else await lock_found(db, found, _received(customers))


async def count_live(
    db: Connection,
    institution_id: UUID,
    product_id: UUID,
    customer_institution_id: UUID,
    now: datetime,
) -> int:
    """Return how many licenses of a product and customer are neither revoked nor expired."""
    instant = instant_by(licenses.c.institution_id, licenses.c.product_id, now)
    statement = select(func.count()).where(
        licenses.c.institution_id == institution_id,
        licenses.c.product_id == product_id,
        licenses.c.customer_institution_id == customer_institution_id,
        licenses.c.revoked_at.is_(None),
        or_(licenses.c.expiration_date.is_(None), valid_until > instant),
    )
    return int((await db.execute(statement)).scalar_one())


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
    """Return the number of licenses of these customers; those without any are omitted."""
    rows = await db.execute(_COUNT, _CUSTOMERS.given(list(customers)))
    return {row.customer_id: row.number for row in rows}


_AT: ColumnElement[Any] = func.coalesce(CLOCK, bindparam("now", type_=Instant))
_end = licenses.c.expiration_date
_ends_at = case((_end > _AT, _end), else_=valid_until)
_never: ColumnElement[Any] = literal_column(f"timestamptz '{LATEST.isoformat()}'")
_FIGURES = (
    select(
        licenses.c.customer_id,
        *(
            func.count().filter(has_status(status, _AT, None)).label(status.lower())
            for status in LicenseStatus
        ),
        type_coerce(
            func.min(_ends_at).filter(
                has_status(LicenseStatus.ACTIVE, _AT, None), valid_until < _never
            ),
            Instant,
        ).label("next_end"),
    )
    .where(
        licenses.c.institution_id == _CUSTOMERS.c.institution_id,
        licenses.c.customer_id == _CUSTOMERS.c.customer_id,
    )
    .group_by(licenses.c.customer_id)
)


async def figures_by_customer(
    db: Connection, customers: Sequence[tuple[UUID, UUID]], now: datetime
) -> dict[UUID, CustomerFigures]:
    """Return the licenses of these customers by status at `now`; those without are omitted."""
    rows = await db.execute(_FIGURES, {**_CUSTOMERS.given(list(customers)), "now": now})
    return {
        row.customer_id: CustomerFigures(
            active=row.active,
            suspended=row.suspended,
            expired=row.expired,
            revoked=row.revoked,
            next_end=row.next_end,
        )
        for row in rows
    }


def holds(holding: Holding, now: datetime) -> Holds:
    """Return the condition that a customer has such licenses at `now`."""
    wanted = LicenseStatus.EXPIRED if holding is Holding.EXPIRED else LicenseStatus.ACTIVE
    status = has_status(wanted, func.coalesce(CLOCK, type_coerce(now, Instant)), None)

    def condition(
        institution_id: ColumnElement[UUID], customer_id: ColumnElement[UUID]
    ) -> ColumnElement[bool]:
        found = exists().where(
            licenses.c.institution_id == institution_id,
            licenses.c.customer_id == customer_id,
            status,
        )
        return ~found if holding is Holding.NO_ACTIVE else found

    return condition


_WANTED = Arrays("wanted", institution_id=Id, id=Id)
_CUSTOMER_IDS = select(licenses.c.id, licenses.c.customer_id).join(
    _WANTED.table,
    and_(licenses.c.institution_id == _WANTED.c.institution_id, licenses.c.id == _WANTED.c.id),
)


async def fetch_customer_ids(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, UUID | None]:
    """Fetch the customer of each of these licenses, if it has one; missing licenses are omitted."""
    rows = await db.execute(_CUSTOMER_IDS, _WANTED.given(ids))
    return {row.id: row.customer_id for row in rows}


async def find_ids(db: Connection, institution_id: UUID, customer_id: UUID) -> list[UUID]:
    """Return the ids of the licenses of a customer, oldest first."""
    return list((await db.execute(*_ids_of(institution_id, customer_id))).scalars())


@kept
def _ids_of(institution_id: UUID, customer_id: UUID) -> Select[Any]:
    of_customer = licenses.c.customer_id == customer_id
    return (
        select(licenses.c.id)
        .where(licenses.c.institution_id == institution_id, of_customer)
        .order_by(licenses.c.id)
    )


async def fetch_receivers_of(
    db: Connection, institution_id: UUID, customer_id: UUID
) -> dict[UUID, str | None]:
    """Return the licenses of a customer, each with what it is issued to."""
    statement = select(licenses.c.id, licenses.c.issued_to).where(
        licenses.c.institution_id == institution_id, licenses.c.customer_id == customer_id
    )
    return {row.id: row.issued_to for row in await db.execute(statement)}


async def fetch_issued_elsewhere(
    db: Connection, institution_id: UUID, names: Collection[str]
) -> set[str]:
    """Return these names, in lower case, to which other institutions have issued licenses."""
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


def _addressed(institution_id: UUID, customer_id: UUID, email: str) -> ColumnElement[bool]:
    return and_(
        licenses.c.institution_id == institution_id,
        licenses.c.customer_id == customer_id,
        func.lower(licenses.c.issued_to) == email.lower(),
    )


async def fetch_addressed(
    db: Connection, institution_id: UUID, customer_id: UUID, email: str
) -> list[License]:
    """Fetch the licenses of a customer that are issued to an address, oldest first."""
    statement = select(*LICENSE_COLUMNS).where(_addressed(institution_id, customer_id, email))
    return [license_of(row) for row in await db.execute(statement.order_by(licenses.c.id))]


async def readdress_licenses(
    db: Connection, institution_id: UUID, customer_id: UUID, email: str, new: str, now: datetime
) -> None:
    """Issue the licenses of a customer that are issued to an address to another one."""
    await db.execute(
        update(licenses)
        .where(_addressed(institution_id, customer_id, email))
        .values(issued_to=new, updated_at=now)
    )
