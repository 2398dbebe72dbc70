"""Queries of templates."""

from collections.abc import Collection, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, delete, func, or_, select
from sqlalchemy.dialects.postgresql import insert

from licet_server.delivery.rules.templates import (
    TOO_MANY,
    LicenseMail,
    LicenseMailFilter,
    LicenseMailStatus,
    MailKind,
    MailTemplate,
)
from licet_server.delivery.tables import license_mails, mail_templates
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found, unavailable
from licet_server.kit.ids import least_id
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.personal import erase_rows, export_rows
from licet_server.kit.rows import Rows, refuse_violations
from licet_server.kit.statements import one_of

_TRIES = 5
_REFUSALS = {"mail_templates_institution_id_product_id_fkey": lambda: not_found("product")}


def _templates_within(institution_id: UUID) -> ColumnElement[bool]:
    return mail_templates.c.institution_id == institution_id


TEMPLATES = Rows(mail_templates, MailTemplate, _templates_within)


def _one(institution_id: UUID, product_id: UUID | None, kind: MailKind) -> ColumnElement[bool]:
    return and_(
        mail_templates.c.institution_id == institution_id,
        mail_templates.c.product_id.is_not_distinct_from(product_id),
        mail_templates.c.kind == kind,
    )


async def lock_or_insert(db: Connection, template: MailTemplate) -> MailTemplate:
    """Fetch the template of this product and kind `FOR UPDATE`, or insert this one.

    Raises:
        Refused: `NotFound` for a product that was just deleted.
    """
    same = _one(template.institution_id, template.product_id, template.kind)
    statement = insert(mail_templates).values(TEMPLATES.values(template)).on_conflict_do_nothing()
    for _ in range(_TRIES):
        with refuse_violations(_REFUSALS):
            await db.execute(statement)
        found = await TEMPLATES.one(db, TEMPLATES.select(same).with_for_update())
        if found is not None:  # otherwise it was just deleted
            return found
    raise unavailable()


async def delete_template(
    db: Connection, institution_id: UUID, product_id: UUID | None, kind: MailKind
) -> MailTemplate | None:
    """Delete a template, and return it."""
    statement = delete(mail_templates).where(_one(institution_id, product_id, kind))
    row = (await db.execute(statement.returning(*TEMPLATES.columns))).one_or_none()
    return None if row is None else TEMPLATES.item(row)


async def fetch_templates(
    db: Connection, institution_id: UUID, product_id: UUID | None
) -> list[MailTemplate]:
    """Fetch what is stored for an institution and, if it is named, for the product."""
    of_product = mail_templates.c.product_id == product_id
    of_all = mail_templates.c.product_id.is_(None)
    statement = TEMPLATES.select(
        _templates_within(institution_id), _of_known_kind(), or_(of_product, of_all)
    )
    return await TEMPLATES.all(db, statement)


async def fetch_of_institutions(
    db: Connection, institutions: Collection[UUID], kinds: Collection[MailKind]
) -> list[MailTemplate]:
    """Fetch what is stored for institutions and all of their products, of these kinds."""
    return await TEMPLATES.all(db, *_of_kinds(institutions, kinds))


@kept
def _of_kinds(institutions: Collection[UUID], kinds: Collection[MailKind]) -> Select[Any]:
    return TEMPLATES.select(
        mail_templates.c.institution_id.in_(institutions), mail_templates.c.kind.in_(kinds)
    )


def _of_known_kind() -> ColumnElement[bool]:
    """Return the condition that a template is not of a kind that only a newer release knows."""
    return mail_templates.c.kind.in_(list(MailKind))


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
    """Insert emails, in one statement."""
    await MAILS.insert_all(db, mails)


async def list_mails(
    db: Connection, institutions: Sequence[UUID], filters: LicenseMailFilter, paging: Paging
) -> Listing[LicenseMail]:
    """List the emails of these institutions that match the filters."""
    return await MAILS.page(db, institutions, paging, _matching, filters)


def _matching(filters: LicenseMailFilter) -> list[ColumnElement[bool]]:
    given = {field.name: getattr(filters, field.name) for field in fields(filters)}
    compared = {**license_mails.c, "recipient": func.lower(license_mails.c.recipient)}
    return [compared[name] == value for name, value in given.items() if value is not None]


async def count_of_license(
    db: Connection, institution_id: UUID, license_id: UUID, since: datetime
) -> int:
    """Count the emails that were written about a license since then."""
    statement = select(func.count()).where(
        license_mails.c.institution_id == institution_id,
        license_mails.c.license_id == license_id,
        license_mails.c.created_at > since,
    )
    return int((await db.execute(statement)).scalar_one())


async def count_to(
    db: Connection, addressed: Collection[Addressed], since: datetime
) -> dict[Addressed, int]:
    """Count the emails that these institutions have queued for these addresses."""
    institutions, addresses = {item[0] for item in addressed}, {item[1] for item in addressed}
    found: Any = await db.execute(*_counts(institutions, addresses, since))
    return {(institution_id, email): count for institution_id, email, count in found}


@kept
def _counts(
    institutions: Collection[UUID], addresses: Collection[str], since: datetime
) -> Select[Any]:
    address = func.lower(license_mails.c.recipient)
    return (
        select(license_mails.c.institution_id, address, func.count())
        .where(
            license_mails.c.institution_id.in_(institutions),
            address.in_(addresses),
            license_mails.c.created_at > since,
            license_mails.c.error.is_distinct_from(TOO_MANY),
        )
        .group_by(license_mails.c.institution_id, address)
    )


async def count_by_kind(
    db: Connection, institution_id: UUID, since: datetime
) -> dict[MailKind, tuple[int, int]]:
    """Count the emails of an institution since then: those that were sent, and that failed."""
    found: Any = await db.execute(*_counts_by_kind(institution_id, least_id(since)))
    return {MailKind(kind): (sent, failed) for kind, sent, failed in found}


@kept
def _counts_by_kind(of_institution: UUID, from_id: UUID) -> Select[Any]:
    status = license_mails.c.status
    return (
        select(
            license_mails.c.kind,
            func.count().filter(status == LicenseMailStatus.SENT),
            func.count().filter(status == LicenseMailStatus.FAILED),
        )
        .where(
            license_mails.c.institution_id == of_institution,
            license_mails.c.id >= from_id,
            license_mails.c.kind.in_(list(MailKind)),
        )
        .group_by(license_mails.c.kind)
    )


async def export_mails(
    db: Connection, institution_id: UUID, addresses: Collection[str]
) -> list[dict[str, Any]]:
    """Return the rows of emails to these addresses, in lower case."""
    return await export_rows(db, license_mails, _to(institution_id, addresses))


async def erase_mails(
    db: Connection, institution_id: UUID, license_ids: Collection[UUID], addresses: Collection[str]
) -> list[UUID]:
    """Erase the receivers of emails about these licenses or to these addresses; returns these."""
    about = and_(
        license_mails.c.institution_id == institution_id,
        license_mails.c.license_id.in_(license_ids),
    )
    concerned = or_(about, _to(institution_id, addresses))
    ids = (await db.execute(select(license_mails.c.id).where(concerned))).scalars().all()
    await erase_rows(
        db,
        license_mails,
        and_(license_mails.c.institution_id == institution_id, license_mails.c.id.in_(ids)),
    )
    return list(ids)


def _to(institution_id: UUID, addresses: Collection[str]) -> ColumnElement[bool]:
    return and_(
        license_mails.c.institution_id == institution_id,
        func.lower(license_mails.c.recipient).in_(addresses),
    )
