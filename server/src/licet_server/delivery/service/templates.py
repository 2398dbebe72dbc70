"""Templates of a product, or of an institution for all of its products."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from licet_server.catalog.service.lookup import fetch_product
from licet_server.delivery import errors, storage
from licet_server.delivery.rules.markdown import Values
from licet_server.delivery.rules.templates import (
    TRANSLATIONS_MAX,
    Composed,
    EffectiveTemplate,
    MailKind,
    MailTemplate,
    Translation,
    compose,
    effective,
    markdown_breaches,
)
from licet_server.delivery.storage import TEMPLATES
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import facts_of
from licet_server.events.service.recording import Recorder
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import fetch_institution
from licet_server.kit.database import Connection
from licet_server.kit.errors import FieldError, bad_fields
from licet_server.kit.threads import Threads
from licet_server.kit.unit_of_work import UnitOfWork

_of_users = Threads("templates")
_of_mails = Threads("mails", max_waiting=1_000)


async def require_readable(words: Mapping[str, Translation]) -> None:
    """Require that the bodies have a bounded size, and links that may be mailed.

    `words` is by the fields of the request. Call it without a connection to the database.

    Raises:
        Refused: `InvalidRequest`; `Unavailable` when too many are read at once.
    """
    if breaches := await _of_users.run(_breaches, words):
        raise bad_fields(breaches)


async def preview_of(template: EffectiveTemplate, values: Values, locale: str | None) -> Composed:
    """Return an email to be shown. Call it without a connection to the database.

    Raises:
        Refused: `Unavailable` when too many are read at once.
    """
    return await _of_users.run(compose, template, values, locale)


async def mail_of(template: EffectiveTemplate, values: Values, locale: str | None) -> Composed:
    """Return an email to be sent.

    Raises:
        Refused: `Unavailable` when too many are read at once.
    """
    return await _of_mails.run(compose, template, values, locale)


def _breaches(words: Mapping[str, Translation]) -> list[FieldError]:
    return [item for field, word in words.items() for item in markdown_breaches(field, word)]


@dataclass(frozen=True, slots=True)
class TemplateOwner:
    """A product with templates of its own, or, without one, an institution; and its name."""

    institution_id: UUID
    product_id: UUID | None
    name: str


@dataclass(frozen=True, slots=True)
class TemplateState:
    """The template of a kind that an owner has stored, if any, and the one that applies."""

    owner: TemplateOwner
    kind: MailKind
    stored: MailTemplate | None
    effective: EffectiveTemplate


async def owner_of_product(db: Connection, operator: Operator, product_id: UUID) -> TemplateOwner:
    """Find a product visible to the operator, who must have the role that the route requires."""
    product = await fetch_product(db, operator, product_id)
    return TemplateOwner(product.institution_id, product.id, product.name)


async def owner_of_institution(
    db: Connection, operator: Operator, institution_id: UUID
) -> TemplateOwner:
    """Find an institution that the operator sees with the role that the route requires."""
    institution = await fetch_institution(db, operator, institution_id)
    return TemplateOwner(institution.id, None, institution.name)


async def list_templates(db: Connection, owner: TemplateOwner) -> list[TemplateState]:
    """List the templates of every kind."""
    found = await storage.fetch_templates(db, owner.institution_id, owner.product_id)
    stored = {(item.product_id, item.kind): item for item in found}
    return [_state(owner, kind, stored) for kind in MailKind]


async def fetch_template(db: Connection, owner: TemplateOwner, kind: MailKind) -> TemplateState:
    states = await list_templates(db, owner)
    return next(item for item in states if item.kind is kind)


async def change_template(
    work: UnitOfWork, owner: TemplateOwner, kind: MailKind, changes: Mapping[str, Any]
) -> TemplateState:
    """Change the fields in `changes`, by the names of `MailTemplate`.

    Of `translations`, those that are named are replaced, and removed if they are `None`.

    Raises:
        Refused: `NotFound` for a product that was just deleted, `InvalidRequest`.
    """
    current = await storage.lock_or_insert(work.db, _empty(work, owner, kind))
    translations = {**current.translations, **changes.get("translations", {})}
    kept = {locale: item for locale, item in translations.items() if item is not None}
    changed = replace(current, **{**changes, "translations": kept})
    if len(kept) > TRANSLATIONS_MAX:
        raise errors.too_many_translations(TRANSLATIONS_MAX)
    if changes.get("default_locale") and changed.default_locale not in kept:
        raise errors.default_without_translation()
    if changed.default_locale not in kept:
        changed = replace(changed, default_locale=None)
    if changed != current:
        changed = replace(changed, updated_at=work.now)
        await TEMPLATES.save(work.db, changed)
        await _EVENTS.changed(work, EventKind.MAIL_TEMPLATE_UPDATED, current, changed)
    return await fetch_template(work.db, owner, kind)


async def delete_template(work: UnitOfWork, owner: TemplateOwner, kind: MailKind) -> None:
    """Delete what is stored, so that the institution's template or the built-in one applies."""
    found = await storage.delete_template(work.db, owner.institution_id, owner.product_id, kind)
    if found is not None:
        await _EVENTS.deleted(work, EventKind.MAIL_TEMPLATE_DELETED, found)


def _state(
    owner: TemplateOwner,
    kind: MailKind,
    stored: Mapping[tuple[UUID | None, MailKind], MailTemplate],
) -> TemplateState:
    general = stored.get((None, kind))
    if owner.product_id is None:
        return TemplateState(owner, kind, general, effective(kind, None, general))
    own = stored.get((owner.product_id, kind))
    return TemplateState(owner, kind, own, effective(kind, own, general))


def _empty(work: UnitOfWork, owner: TemplateOwner, kind: MailKind) -> MailTemplate:
    return MailTemplate(
        institution_id=owner.institution_id,
        id=work.new_id(),
        product_id=owner.product_id,
        kind=kind,
        automatic=None,
        sender_name=None,
        reply_to=None,
        default_locale=None,
        translations={},
        created_at=work.now,
        updated_at=work.now,
    )


def _data(template: MailTemplate) -> dict[str, object]:
    omitted = {"institution_id", "translations", "created_at", "updated_at"}
    return {**facts_of(template, omit=omitted), "locales": sorted(template.translations)}


def _facts(template: MailTemplate) -> dict[str, object]:
    words = {
        f"translations.{locale}": {"subject": item.subject, "body": item.body}
        for locale, item in template.translations.items()
    }
    return {**_data(template), **words}


_EVENTS = Recorder(_facts, _data)
