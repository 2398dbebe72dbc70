"""Reads and writes webhooks."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Row,
    Select,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.signing_secrets import SealedSecrets
from licet_server.webhooks.rules.model import DisabledReason, Webhook, WebhookDeliveryStatus
from licet_server.webhooks.tables import webhooks

_NAMES = [item.name for item in fields(Webhook)]
_COLUMNS = [webhooks.c[name] for name in _NAMES]
_ORDER = (webhooks.c.institution_id, webhooks.c.id)
_WANTED = Arrays("wanted", institution_id=Id, id=Id)

_RESULTS = Arrays(
    "results",
    institution_id=Id,
    id=Id,
    is_enabled=Boolean,
    disabled_reason=String,
    disabled_at=Instant,
    failing_since=Instant,
    last_attempt_at=Instant,
    last_status=String,
)
_SAVE_RESULTS = (
    update(webhooks)
    .where(webhooks.c.institution_id == _RESULTS.c.institution_id, webhooks.c.id == _RESULTS.c.id)
    .values({column.name: column for column in list(_RESULTS.c)[2:]})
)


def _webhook(row: Row[Any]) -> Webhook:
    stored = {name: row._mapping[name] for name in _NAMES}
    stored["event_types"] = tuple(stored["event_types"])
    if stored["disabled_reason"] is not None:
        stored["disabled_reason"] = DisabledReason(stored["disabled_reason"])
    if stored["last_status"] is not None:
        stored["last_status"] = WebhookDeliveryStatus(stored["last_status"])
    return Webhook(**stored)


def _values(item: Webhook) -> dict[str, Any]:
    stored = {name: getattr(item, name) for name in _NAMES}
    stored["event_types"] = list(item.event_types)
    return stored


def _same(item: Webhook) -> ColumnElement[bool]:
    return and_(webhooks.c.institution_id == item.institution_id, webhooks.c.id == item.id)


async def insert_webhook(db: Connection, item: Webhook, secret: bytes) -> None:
    """Insert a webhook with its encrypted secret."""
    await db.execute(insert(webhooks).values(**_values(item), secret=secret))


async def list_webhooks(
    db: Connection, institution_ids: Sequence[UUID], paging: Paging
) -> Listing[Webhook]:
    """List the webhooks of these institutions."""
    listing = await fetch_listing(
        db,
        select(*_COLUMNS).where(webhooks.c.institution_id.in_(institution_ids)),
        paging,
        id_column=webhooks.c.id,
        sortable={
            "url": webhooks.c.url,
            "createdAt": webhooks.c.created_at,
            "updatedAt": webhooks.c.updated_at,
        },
    )
    return listing.of(_webhook)


async def fetch_failing(db: Connection, institution_id: UUID, limit: int) -> list[Webhook]:
    """Fetch webhooks whose last attempt failed or that the service disabled, the latest first."""
    since = func.coalesce(webhooks.c.disabled_at, webhooks.c.failing_since)
    statement = (
        select(*_COLUMNS)
        .where(
            webhooks.c.institution_id == institution_id,
            or_(
                webhooks.c.disabled_reason.is_not(None),
                and_(
                    webhooks.c.is_enabled,
                    webhooks.c.last_status == WebhookDeliveryStatus.FAILED,
                ),
            ),
        )
        .order_by(since.desc().nulls_last(), webhooks.c.id)
        .limit(limit)
    )
    return [_webhook(row) for row in await db.execute(statement)]


def _one(institution_ids: Collection[UUID], webhook_id: UUID) -> Select[Any]:
    return select(*_COLUMNS).where(
        webhooks.c.institution_id.in_(institution_ids), webhooks.c.id == webhook_id
    )


async def fetch_webhook(
    db: Connection, institution_ids: Collection[UUID], webhook_id: UUID
) -> Webhook | None:
    """Fetch a webhook in one of these institutions."""
    row = (await db.execute(_one(institution_ids, webhook_id))).one_or_none()
    return None if row is None else _webhook(row)


async def lock_webhook(
    db: Connection, institution_ids: Collection[UUID], webhook_id: UUID
) -> Webhook | None:
    """Fetch a webhook `FOR UPDATE`."""
    statement = _one(institution_ids, webhook_id).with_for_update(key_share=True)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _webhook(row)


async def lock_webhooks(db: Connection, keys: Iterable[tuple[UUID, UUID]]) -> list[Webhook]:
    """Fetch webhooks by institution and ID `FOR UPDATE`; missing ones are omitted."""
    statement = (
        select(*_COLUMNS)
        .where(webhooks.c.institution_id == _WANTED.c.institution_id, webhooks.c.id == _WANTED.c.id)
        .order_by(*_ORDER)
        .with_for_update(key_share=True, of=webhooks)
    )
    return [_webhook(row) for row in await db.execute(statement, _WANTED.given(keys))]


async def lock_enabled(db: Connection, institution_ids: Collection[UUID]) -> list[Webhook]:
    """Fetch enabled webhooks `FOR SHARE`, so that none is disabled in the meantime."""
    statement = (
        select(*_COLUMNS)
        .where(webhooks.c.institution_id.in_(institution_ids), webhooks.c.is_enabled)
        .order_by(*_ORDER)
        .with_for_update(read=True)
    )
    return [_webhook(row) for row in await db.execute(statement)]


async def save_webhook(db: Connection, item: Webhook) -> None:
    """Store a changed webhook."""
    await db.execute(update(webhooks).where(_same(item)).values(**_values(item)))


async def save_results(db: Connection, items: Iterable[Webhook]) -> None:
    """Store the results of attempts for several webhooks, which the caller has locked."""
    rows = [[getattr(item, column.name) for column in _RESULTS.c] for item in items]
    await db.execute(_SAVE_RESULTS, _RESULTS.given(rows))


async def fetch_secrets(db: Connection, item: Webhook) -> SealedSecrets:
    """Fetch the encrypted secrets of a webhook."""
    columns = (webhooks.c.secret, webhooks.c.previous_secret, webhooks.c.previous_until)
    row = (await db.execute(select(*columns).where(_same(item)))).one()
    return SealedSecrets(*row)


async def save_secrets(db: Connection, item: Webhook, stored: SealedSecrets) -> None:
    """Store the encrypted secrets of a webhook."""
    await db.execute(
        update(webhooks)
        .where(_same(item))
        .values(
            secret=stored.secret,
            previous_secret=stored.previous,
            previous_until=stored.previous_until,
            updated_at=item.updated_at,
        )
    )


async def delete_webhook(db: Connection, item: Webhook) -> None:
    """Delete a webhook with its deliveries."""
    await db.execute(delete(webhooks).where(_same(item)))
