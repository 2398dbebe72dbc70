"""Queries of licenses by the institution of the customer, across vendors."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, func, or_, select

from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging, fetch_filtered_listing
from licet_server.licenses.rules.model import License, LicenseFilter
from licet_server.licenses.storage.filtering import matching
from licet_server.licenses.storage.records import (
    LICENSE_COLUMNS,
    SORTABLE,
    license_of,
    lock_found,
)
from licet_server.licenses.storage.status import valid_until
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
    """The licenses of all vendors whose customer is one of these institutions."""
    if filters.expiring_before is not None and paging.sort is None:
        paging = replace(paging, sort="expirationDate")
    listing = await fetch_filtered_listing(
        db,
        matching(select(*LICENSE_COLUMNS).where(_received(customers)), filters, now),
        paging,
        id_column=licenses.c.id,
        sortable=SORTABLE,
        scan=None,
    )
    return listing.of(license_of)


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
    """How many licenses of a product and customer are neither revoked nor expired."""
    statement = select(func.count()).where(
        licenses.c.institution_id == institution_id,
        licenses.c.product_id == product_id,
        licenses.c.customer_institution_id == customer_institution_id,
        licenses.c.revoked_at.is_(None),
        or_(licenses.c.expiration_date.is_(None), valid_until > now),
    )
    return int((await db.execute(statement)).scalar_one())
