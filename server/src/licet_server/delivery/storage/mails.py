"""Queries of e-mails about licenses."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, func, insert, select, update

from licet_server.delivery.rules.kinds import MailKind
from licet_server.delivery.rules.model import (
    TOO_MANY,
    LicenseMail,
    LicenseMailFilter,
    LicenseMailStatus,
)
from licet_server.delivery.tables import license_mails
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging, fetch_listing

Addressed = tuple[UUID, str]
"""An institution, and an address in lower case to which it writes."""

_NAMES = [field.name for field in fields(LicenseMail)]
_COLUMNS = [license_mails.c[name] for name in _NAMES]
_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "createdAt": license_mails.c.id,  # UUIDv7: the order of ids is the order of creation
    "sentAt": license_mails.c.sent_at,
}


def _mail(row: Row[Any]) -> LicenseMail:
    stored = dict(zip(_NAMES, row, strict=True))
    return LicenseMail(
        **{
            **stored,
            "kind": MailKind(stored["kind"]),
            "status": LicenseMailStatus(stored["status"]),
        }
    )


def _same(institution_id: UUID, mail_id: UUID) -> ColumnElement[bool]:
    return and_(license_mails.c.institution_id == institution_id, license_mails.c.id == mail_id)


async def insert_mails(db: Connection, mails: Sequence[LicenseMail]) -> None:
    """Insert e-mails, in one round trip."""
    if mails:
        rows = [{name: getattr(item, name) for name in _NAMES} for item in mails]
        await db.execute(insert(license_mails), rows)


async def list_mails(
    db: Connection, institutions: Collection[UUID], filters: LicenseMailFilter, paging: Paging
) -> Listing[LicenseMail]:
    """The e-mails of these institutions that match the filters."""
    statement = select(*_COLUMNS).where(license_mails.c.institution_id.in_(institutions))
    for field in fields(filters):
        wanted = getattr(filters, field.name)
        if wanted is not None:
            statement = statement.where(license_mails.c[field.name] == wanted)
    listing = await fetch_listing(
        db, statement, paging, id_column=license_mails.c.id, sortable=_SORTABLE
    )
    return listing.of(_mail)


async def count_of_license(
    db: Connection, institution_id: UUID, license_id: UUID, since: datetime
) -> int:
    """How many e-mails were written about a license since then."""
    statement = select(func.count()).where(
        license_mails.c.institution_id == institution_id,
        license_mails.c.license_id == license_id,
        license_mails.c.created_at > since,
    )
    return int((await db.execute(statement)).scalar_one())


async def count_to(
    db: Connection, addressed: Collection[Addressed], since: datetime
) -> dict[Addressed, int]:
    """How many e-mails these institutions have queued for these addresses."""
    institutions, addresses = ({item[place] for item in addressed} for place in (0, 1))
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


async def lock_mail(db: Connection, institution_id: UUID, mail_id: UUID) -> LicenseMail | None:
    """Fetch an e-mail `FOR NO KEY UPDATE`."""
    statement = select(*_COLUMNS).where(_same(institution_id, mail_id))
    row = (await db.execute(statement.with_for_update(key_share=True))).one_or_none()
    return None if row is None else _mail(row)


async def update_mail(db: Connection, mail: LicenseMail) -> None:
    """Store what became of an e-mail."""
    fate = {name: getattr(mail, name) for name in ("status", "error", "sent_at")}
    same = _same(mail.institution_id, mail.id)
    await db.execute(update(license_mails).where(same).values(**fate))
