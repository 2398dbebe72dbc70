"""Webhooks for operators: made, listed, changed, deleted, and their secrets replaced."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from licet_server.events.rules.changes import differences
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import FieldError, bad_field, bad_fields
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.webhooks.rules.kinds import kind_breaches
from licet_server.webhooks.rules.model import Webhook
from licet_server.webhooks.rules.outcome import TURNED_OFF, turned
from licet_server.webhooks.rules.targets import origin_of, url_breaches
from licet_server.webhooks.service.secrets import new_secret, replace_secret, seal_secret
from licet_server.webhooks.storage import deliveries
from licet_server.webhooks.storage import webhooks as storage


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDraft:
    """A webhook to be made."""

    institution_id: UUID | None
    url: str
    event_types: Sequence[str]
    description: str | None
    is_enabled: bool


@dataclass(frozen=True, slots=True)
class IssuedSecret:
    """A webhook with its new secret, which is shown this once."""

    webhook: Webhook
    secret: str = field(repr=False)


async def create_webhook(
    work: UnitOfWork, operator: Operator, draft: WebhookDraft, *, allow_private: bool
) -> IssuedSecret:
    """Make a webhook; with `allow_private` also one for an address that is not public.

    Raises:
        Refused: `InvalidRequest`, `Forbidden`.
    """
    _check([*url_breaches(draft.url, allow_private=allow_private), *_of_kinds(draft.event_types)])
    institution_id = operator.institution_for_new(draft.institution_id)
    if institution_id is None:
        raise bad_field("institutionId", "is no institution that you have access to.")
    made = Webhook(
        institution_id=institution_id,
        id=work.new_id(),
        url=draft.url,
        event_types=_without_repetition(draft.event_types),
        description=draft.description,
        is_enabled=draft.is_enabled,
        disabled_reason=None,
        disabled_at=None if draft.is_enabled else work.now,
        failing_since=None,
        last_attempt_at=None,
        last_status=None,
        created_at=work.now,
        updated_at=work.now,
    )
    secret = new_secret()
    await storage.insert_webhook(work.db, made, seal_secret(work.keyring, made.id, secret))
    await _record(work, EventKind.WEBHOOK_CREATED, made, differences({}, _facts(made)))
    return IssuedSecret(made, secret)


async def list_webhooks(
    db: Connection, operator: Operator, institution_id: UUID | None, paging: Paging
) -> Listing[Webhook]:
    """The webhooks of the institutions in which the operator has the role that the route asks for.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    return await storage.list_webhooks(db, operator.authorized(institution_id), paging)


async def fetch_webhook(db: Connection, operator: Operator, webhook_id: UUID) -> Webhook:
    """A webhook.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    found = await storage.fetch_webhook(db, operator.roles, webhook_id)
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

    Turning it on forgets why it was off; turning it off gives up what waits for it.

    Raises:
        Refused: `InvalidRequest`, `NotFound`, `Forbidden`.
    """
    current = await lock_webhook(work, operator, webhook_id)
    changed = replace(current, **changes)
    breaches = [*_of_kinds(changed.event_types)]
    if changed.url != current.url:
        breaches += url_breaches(changed.url, allow_private=allow_private)
    _check(breaches)
    changed = replace(changed, event_types=_without_repetition(changed.event_types))
    if "is_enabled" in changes:
        changed = turned(
            replace(changed, is_enabled=current.is_enabled), changes["is_enabled"], work.now
        )
    if changed == current:
        return current
    changed = replace(changed, updated_at=work.now)
    await storage.save_webhook(work.db, changed)
    if not changed.is_enabled:
        await deliveries.fail_pending(work.db, changed, TURNED_OFF)
    told = differences(_facts(current), _facts(changed))
    await _record(work, EventKind.WEBHOOK_UPDATED, changed, told)
    return changed


async def delete_webhook(work: UnitOfWork, operator: Operator, webhook_id: UUID) -> None:
    """Delete a webhook with its deliveries; nothing more is sent.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    current = await lock_webhook(work, operator, webhook_id)
    await storage.delete_webhook(work.db, current)
    await _record(work, EventKind.WEBHOOK_DELETED, current, differences(_facts(current), {}))


async def rotate_secret(work: UnitOfWork, operator: Operator, webhook_id: UUID) -> IssuedSecret:
    """Give a webhook a new secret; for 24 hours the present one signs as well.

    One that was replaced before ends now.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    current = await lock_webhook(work, operator, webhook_id)
    changed = replace(current, updated_at=work.now)
    stored = await storage.fetch_secrets(work.db, current)
    secret = new_secret()
    replaced = replace_secret(work.keyring, current.id, stored, secret, work.now)
    await storage.save_secrets(work.db, changed, replaced)
    await _record(work, EventKind.WEBHOOK_SECRET_ROTATED, changed, None)
    return IssuedSecret(changed, secret)


async def lock_webhook(work: UnitOfWork, operator: Operator, webhook_id: UUID) -> Webhook:
    """A webhook, held against concurrent changes.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    found = await storage.lock_webhook(work.db, operator.roles, webhook_id)
    return operator.found(found, "webhook")


def _of_kinds(event_types: Sequence[str]) -> list[FieldError]:
    return list(kind_breaches(event_types))


def _check(breaches: Sequence[FieldError]) -> None:
    if breaches:
        raise bad_fields(breaches)


def _without_repetition(event_types: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(event_types))


def _facts(webhook: Webhook) -> dict[str, object]:
    """What is told of a webhook. The rest of its address may hold a secret."""
    return {
        "url": origin_of(webhook.url),
        "eventTypes": list(webhook.event_types),
        "description": webhook.description,
        "enabled": webhook.is_enabled,
    }


async def _record(
    work: UnitOfWork, kind: EventKind, webhook: Webhook, changes: Mapping[str, object] | None
) -> None:
    await record_event(
        work,
        kind,
        institution_id=webhook.institution_id,
        subject_id=webhook.id,
        data={"id": webhook.id, **_facts(webhook)},
        changes=changes,
    )
