"""Queries of templates."""

from collections.abc import Collection
from dataclasses import fields
from typing import Any
from uuid import UUID

from msgspec import convert
from sqlalchemy import ColumnElement, Row, Select, and_, delete, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from licet_server.delivery.rules.kinds import MailKind
from licet_server.delivery.rules.templates import MailTemplate
from licet_server.delivery.rules.translation import Translation
from licet_server.delivery.tables import mail_templates
from licet_server.kit.database import Connection, violated_constraint
from licet_server.kit.errors import not_found, unavailable

_TRIES = 5
_NAMES = [field.name for field in fields(MailTemplate)]
_COLUMNS = [mail_templates.c[name] for name in _NAMES]


def _template(row: Row[Any]) -> MailTemplate:
    stored = dict(zip(_NAMES, row, strict=True))
    translations = convert(stored["translations"], dict[str, Translation])
    return MailTemplate(
        **{**stored, "kind": MailKind(stored["kind"]), "translations": translations}
    )


def _columns_of(template: MailTemplate) -> dict[str, Any]:
    stored = {name: getattr(template, name) for name in _NAMES}
    stored["translations"] = {
        locale: {"subject": item.subject, "body": item.body}
        for locale, item in template.translations.items()
    }
    return stored


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
    for _ in range(_TRIES):
        await _insert_if_missing(db, template)
        row = (await db.execute(select(*_COLUMNS).where(same).with_for_update())).one_or_none()
        if row is not None:  # otherwise it was just deleted
            return _template(row)
    raise unavailable()


async def _insert_if_missing(db: Connection, template: MailTemplate) -> None:
    statement = insert(mail_templates).values(**_columns_of(template)).on_conflict_do_nothing()
    try:
        await db.execute(statement)
    except IntegrityError as error:
        if violated_constraint(error) == "mail_templates_institution_id_product_id_fkey":
            raise not_found("product") from None
        raise


async def update_template(db: Connection, template: MailTemplate) -> None:
    """Store all fields of a template."""
    same = and_(
        mail_templates.c.institution_id == template.institution_id,
        mail_templates.c.id == template.id,
    )
    await db.execute(update(mail_templates).where(same).values(**_columns_of(template)))


async def delete_template(
    db: Connection, institution_id: UUID, product_id: UUID | None, kind: MailKind
) -> MailTemplate | None:
    """Delete a template, and return it."""
    statement = delete(mail_templates).where(_one(institution_id, product_id, kind))
    row = (await db.execute(statement.returning(*_COLUMNS))).one_or_none()
    return None if row is None else _template(row)


async def fetch_templates(
    db: Connection, institution_id: UUID, product_id: UUID | None
) -> list[MailTemplate]:
    """Fetch what is stored for an institution and, if it is named, for the product."""
    statement = _of(mail_templates.c.institution_id == institution_id)
    of_product = mail_templates.c.product_id == product_id
    of_all = mail_templates.c.product_id.is_(None)
    return [_template(row) for row in await db.execute(statement.where(or_(of_product, of_all)))]


async def fetch_of_institutions(
    db: Connection, institutions: Collection[UUID], kinds: Collection[MailKind]
) -> list[MailTemplate]:
    """Fetch what is stored for institutions and all of their products, of these kinds."""
    statement = _of(mail_templates.c.institution_id.in_(institutions))
    found = await db.execute(statement.where(mail_templates.c.kind.in_(kinds)))
    return [_template(row) for row in found]


def _of(institutions: ColumnElement[bool]) -> Select[Any]:
    """Without the kinds of a newer release."""
    return select(*_COLUMNS).where(institutions, mail_templates.c.kind.in_(list(MailKind)))
