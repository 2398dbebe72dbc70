"""Webhooks: created, listed, changed and deleted by operators, and their secrets rotated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import Recorder
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import FieldError, bad_field, bad_fields
from licet_server.kit.look_ups import Source
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.signing_secrets import SecretOf, new_secret, replace_secret, seal_secret
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.webhooks.rules import (
    DISABLED,
    Webhook,
    enabled_or_disabled,
    kind_breaches,
    origin_of,
    url_breaches,
)
from licet_server.webhooks.storage import deliveries
from licet_server.webhooks.storage import webhooks as storage
from licet_server.webhooks.storage.webhooks import WEBHOOKS


def secret_of(webhook_id: UUID) -> SecretOf:
    """Return what the signing secret of a webhook is bound to."""
    return SecretOf("webhooks", webhook_id)


FAILING_MAX = 100


@dataclass(frozen=True, slots=True)
class WebhookWithSecret:
    """A webhook with its new secret, which is shown only once."""

    webhook: Webhook
    secret: str = field(repr=False)


async def create_webhook(
    work: UnitOfWork, operator: Operator, fields: Mapping[str, Any], *, allow_private: bool
) -> WebhookWithSecret:
    """Create a webhook with these fields, by the names of `Webhook`.

    `allow_private` permits addresses that are not public.

    Raises:
        Refused: `InvalidRequest`, `Forbidden`.
    """
    url, event_types = fields["url"], fields["event_types"]
    _require_none([*url_breaches(url, allow_private=allow_private), *kind_breaches(event_types)])
    institution_id = operator.institution_for_new(fields["institution_id"])
    if institution_id is None:
        raise bad_field("institutionId", "must be an institution that you have access to.")
    given = {**fields, "institution_id": institution_id, "event_types": _distinct(event_types)}
    created = Webhook(
        **given,
        id=work.new_id(),
        disabled_at=None if fields["is_enabled"] else work.now,
        created_at=work.now,
        updated_at=work.now,
    )
    _require_keys_allowed(operator, created)
    secret = new_secret()
    sealed = seal_secret(work.keyring, secret_of(created.id), secret)
    await WEBHOOKS.insert(work.db, created, secret=sealed)
    await _EVENTS.created(work, EventKind.WEBHOOK_CREATED, created)
    return WebhookWithSecret(created, secret)


async def list_webhooks(
    db: Connection, operator: Operator, institution_id: UUID | None, paging: Paging
) -> Listing[Webhook]:
    """List the webhooks of the institutions in which the operator has the required role."""
    return await WEBHOOKS.page(db, operator.authorized(institution_id), paging)


async def find_failing(db: Connection, institution_id: UUID) -> list[Webhook]:
    """Find the webhooks of an institution that need care, at most 100, the latest first.

    One that an operator has disabled needs none.
    """
    return await storage.fetch_failing(db, institution_id, FAILING_MAX)


async def fetch_webhook(source: Source, operator: Operator, webhook_id: UUID) -> Webhook:
    found = await WEBHOOKS.fetch(source, tuple(operator.roles), webhook_id)
    return operator.found(found, "webhook")


async def change_webhook(
    work: UnitOfWork,
    operator: Operator,
    webhook_id: UUID,
    changes: Mapping[str, Any],
    *,
    allow_private: bool,
) -> Webhook:
    """Change the fields given.

    Enabling a webhook resets its failures; disabling it fails its pending deliveries.

    Raises:
        Refused: `InvalidRequest`, `NotFound`, `Forbidden`.
    """
    current = await lock_webhook(work, operator, webhook_id)
    changed = replace(current, **changes)
    breaches = [*kind_breaches(changed.event_types)]
    if changed.url != current.url:
        breaches += url_breaches(changed.url, allow_private=allow_private)
    _require_none(breaches)
    changed = replace(changed, event_types=_distinct(changed.event_types))
    if "is_enabled" in changes:
        changed = enabled_or_disabled(
            replace(changed, is_enabled=current.is_enabled), changes["is_enabled"], work.now
        )
    if changed == current:
        return current
    _require_keys_allowed(operator, changed)
    changed = replace(changed, updated_at=work.now)
    await WEBHOOKS.save(work.db, changed)
    if not changed.is_enabled:
        await deliveries.fail_pending(work.db, changed, DISABLED)
    await _EVENTS.changed(work, EventKind.WEBHOOK_UPDATED, current, changed)
    return changed


async def delete_webhook(work: UnitOfWork, operator: Operator, webhook_id: UUID) -> None:
    """Delete a webhook with its deliveries; nothing more is sent to it."""
    current = await lock_webhook(work, operator, webhook_id)
    await WEBHOOKS.delete(work.db, current)
    await _EVENTS.deleted(work, EventKind.WEBHOOK_DELETED, current)


async def rotate_secret(
    work: UnitOfWork, operator: Operator, webhook_id: UUID
) -> WebhookWithSecret:
    """Give a webhook a new secret; the current one keeps signing for 24 hours.

    A secret that was replaced earlier stops signing now.
    """
    current = await lock_webhook(work, operator, webhook_id)
    changed = replace(current, updated_at=work.now)
    stored = await storage.fetch_secrets(work.db, current)
    secret = new_secret()
    replaced = replace_secret(work.keyring, secret_of(current.id), stored, secret, work.now)
    await storage.save_secrets(work.db, changed, replaced)
    await _EVENTS.happened(work, EventKind.WEBHOOK_SECRET_ROTATED, changed)
    return WebhookWithSecret(changed, secret)


async def lock_webhook(work: UnitOfWork, operator: Operator, webhook_id: UUID) -> Webhook:
    """Fetch a webhook `FOR NO KEY UPDATE`."""
    return operator.found(await WEBHOOKS.lock(work.db, operator.roles, webhook_id), "webhook")


def _require_none(breaches: Sequence[FieldError]) -> None:
    if breaches:
        raise bad_fields(breaches)


def _require_keys_allowed(operator: Operator, webhook: Webhook) -> None:
    """Check that an API key that sends license keys somewhere may read them itself."""
    if webhook.include_keys:
        operator.require_scope(Scope.LICENSES_READ)


def _distinct(event_types: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(event_types))


def _facts(webhook: Webhook) -> dict[str, object]:
    """Return what events say of a webhook. The rest of its URL may contain a secret."""
    return {
        "url": origin_of(webhook.url),
        "eventTypes": list(webhook.event_types),
        "description": webhook.description,
        "includeKeys": webhook.include_keys,
        "enabled": webhook.is_enabled,
    }


def _data(webhook: Webhook) -> dict[str, object]:
    return {"id": webhook.id, **_facts(webhook)}


_EVENTS = Recorder(_facts, _data)
