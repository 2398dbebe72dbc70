"""Webhooks and their secrets, as they are stored."""

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from sqlalchemy import Boolean, Select, and_, func, or_, select, update

from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.kept import kept
from licet_server.kit.rows import Rows
from licet_server.kit.signing_secrets import SealedSecrets
from licet_server.kit.statements import Arrays
from licet_server.webhooks.rules import Webhook, WebhookDeliveryStatus
from licet_server.webhooks.tables import webhooks

_within = webhooks.c.institution_id.in_

WEBHOOKS = Rows(
    webhooks,
    Webhook,
    _within,
    sortable={
        "url": webhooks.c.url,
        "createdAt": webhooks.c.created_at,
        "updatedAt": webhooks.c.updated_at,
    },
)
_ORDER = (webhooks.c.institution_id, webhooks.c.id)
_REQUESTED = Arrays("wanted", institution_id=Id, id=Id)

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
    .where(_RESULTS.same(webhooks, "institution_id", "id"))
    .values({column.name: column for column in list(_RESULTS.c)[2:]})
)


async def fetch_failing(db: Connection, institution_id: UUID, limit: int) -> list[Webhook]:
    """Fetch webhooks whose last attempt failed or that the service disabled, the latest first."""
    return await WEBHOOKS.all(db, *_failing(institution_id, limit))


@kept
def _failing(institution_id: UUID, limit: int) -> Select[Any]:
    since = func.coalesce(webhooks.c.disabled_at, webhooks.c.failing_since)
    is_failing = and_(webhooks.c.is_enabled, webhooks.c.last_status == WebhookDeliveryStatus.FAILED)
    return (
        WEBHOOKS.select(
            webhooks.c.institution_id == institution_id,
            or_(webhooks.c.disabled_reason.is_not(None), is_failing),
        )
        .order_by(since.desc().nulls_last(), webhooks.c.id)
        .limit(limit)
    )


async def lock_webhooks(db: Connection, keys: Iterable[tuple[UUID, UUID]]) -> list[Webhook]:
    """Fetch webhooks by institution and ID `FOR NO KEY UPDATE`; missing ones are omitted."""
    statement = (
        WEBHOOKS.select(_REQUESTED.same(webhooks, "institution_id", "id"))
        .order_by(*_ORDER)
        .with_for_update(key_share=True, of=webhooks)
    )
    return [WEBHOOKS.item(row) for row in await db.execute(statement, _REQUESTED.given(keys))]


async def lock_enabled(db: Connection, institution_ids: Collection[UUID]) -> list[Webhook]:
    """Fetch enabled webhooks `FOR SHARE`, so that none is disabled in the meantime."""
    return await WEBHOOKS.all(db, *_locking_enabled(institution_ids))


@kept
def _locking_enabled(institution_ids: Collection[UUID]) -> Select[Any]:
    enabled = WEBHOOKS.select(_within(institution_ids), webhooks.c.is_enabled)
    return enabled.order_by(*_ORDER).with_for_update(read=True)


async def save_results(db: Connection, items: Iterable[Webhook]) -> None:
    """Store the results of attempts for several webhooks, which the caller has locked."""
    rows = [[getattr(item, column.name) for column in _RESULTS.c] for item in items]
    await db.execute(_SAVE_RESULTS, _RESULTS.given(rows))


async def fetch_secrets(db: Connection, item: Webhook) -> SealedSecrets:
    """Fetch the encrypted secrets of a webhook."""
    columns = (webhooks.c.secret, webhooks.c.previous_secret, webhooks.c.previous_until)
    row = (await db.execute(select(*columns).where(WEBHOOKS.same(item)))).one()
    return SealedSecrets(*row)


async def save_secrets(db: Connection, item: Webhook, stored: SealedSecrets) -> None:
    """Store the encrypted secrets of a webhook."""
    await db.execute(
        update(webhooks)
        .where(WEBHOOKS.same(item))
        .values(
            secret=stored.secret,
            previous_secret=stored.previous,
            previous_until=stored.previous_until,
            updated_at=item.updated_at,
        )
    )
