"""Queries of e-mails about licenses."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, func, insert, select

from licet_server.delivery.rules.model import TOO_MANY, LicenseMail, LicenseMailFilter
from licet_server.delivery.tables import license_mails
from licet_server.kit.database import Connection
from licet_server.kit.filters import one_of
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows

Addressed = tuple[UUID, str]
"""An institution, and an address in lower case to which it writes."""


def _mails_within(institutions: Sequence[UUID]) -> ColumnElement[bool]:
    return one_of(license_mails.c.institution_id, institutions)


MAILS = Rows(
    license_mails,
    LicenseMail,
    _mails_within,
    sortable={
        "createdAt": license_mails.c.id,  # UUIDv7: the order of ids is the order of creation
        "sentAt": license_mails.c.sent_at,
    },
)


async def insert_mails(db: Connection, mails: Sequence[LicenseMail]) -> None:
    """Insert e-mails, in one round trip."""
    if mails:
        await db.execute(insert(license_mails), [MAILS.values(item) for item in mails])


async def list_mails(
    db: Connection, institutions: Sequence[UUID], filters: LicenseMailFilter, paging: Paging
) -> Listing[LicenseMail]:
    """List the e-mails of these institutions that match the filters."""
    matching = [
        license_mails.c[name] == value
        for name, value in asdict(filters).items()
        if value is not None
    ]
    return await MAILS.page(db, institutions, paging, *matching)


async def count_of_license(
    db: Connection, institution_id: UUID, license_id: UUID, since: datetime
) -> int:
    """Count the e-mails that were written about a license since then."""
    statement = select(func.count()).where(
        license_mails.c.institution_id == institution_id,
        license_mails.c.license_id == license_id,
        license_mails.c.created_at > since,
    )
    return int((await db.execute(statement)).scalar_one())


async def count_to(
    db: Connection, addressed: Collection[Addressed], since: datetime
) -> dict[Addressed, int]:
    """Count the e-mails that these institutions have queued for these addresses."""
    institutions, addresses = ({item[at] for item in addressed} for at in (0, 1))
    address = func.lower(license_mails.c.recipient)
    statement = (
        select(license_mails.c.institution_id, address, func.count())
        .where(
            license_mails.c.institution_id.in_(institutions),
            address.in_(addresses),
            license_mails.c.created_at > since,
            license_mails.c.error.is_distinct_from(TOO_MANY),
        )
        .group_by(license_mails.c.institution_id, address)
    )
    found = await db.execute(statement)
    return {(institution_id, email): count for institution_id, email, count in found}
