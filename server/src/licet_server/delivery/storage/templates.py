"""Queries of templates."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, or_
from sqlalchemy.dialects.postgresql import insert

from licet_server.delivery.rules.kinds import MailKind
from licet_server.delivery.rules.templates import MailTemplate
from licet_server.delivery.tables import mail_templates
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found, unavailable
from licet_server.kit.rows import Rows, refuse_violations

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
    statement = TEMPLATES.select(
        mail_templates.c.institution_id.in_(institutions), mail_templates.c.kind.in_(kinds)
    )
    return await TEMPLATES.all(db, statement)


def _of_known_kind() -> ColumnElement[bool]:
    """Return the condition that a template is not of a kind that only a newer release knows."""
    return mail_templates.c.kind.in_(list(MailKind))
