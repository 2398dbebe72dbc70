"""Reads and writes deliveries."""

from collections.abc import Collection, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, cast, delete, insert, select, tuple_, update

from licet_server.events.rules.kinds import EventKind
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.webhooks.rules.model import Webhook, WebhookDelivery, WebhookDeliveryStatus
from licet_server.webhooks.tables import webhook_deliveries as deliveries

_NAMES = [field.name for field in fields(WebhookDelivery)]
_COLUMNS = [deliveries.c[name] for name in _NAMES]

_DELETED_AT_ONCE = 1_000

_NEW = Arrays(
    "new",
    institution_id=Id,
    id=Id,
    webhook_id=Id,
    event_id=Id,
    event_type=String,
    due_at=Instant,
    created_at=Instant,
)
_INSERT = insert(deliveries).from_select(
    [*(column.name for column in _NEW.c), "status"],
    select(*_NEW.c, cast("Pending", String)),
)


def webhook_delivery(row: Row[Any]) -> WebhookDelivery:
    stored = {name: row._mapping[name] for name in _NAMES}
    stored["event_type"] = EventKind(stored["event_type"])
    stored["status"] = WebhookDeliveryStatus(stored["status"])
    return WebhookDelivery(**stored)


async def insert_deliveries(db: Connection, created: Sequence[WebhookDelivery]) -> None:
    """Insert pending deliveries, which wait for their first attempt."""
    rows = [[getattr(item, column.name) for column in _NEW.c] for item in created]
    await db.execute(_INSERT, _NEW.given(rows))


async def list_deliveries(
    db: Connection, webhook: Webhook, status: WebhookDeliveryStatus | None, paging: Paging
) -> Listing[WebhookDelivery]:
    """List the deliveries of a webhook, of one status or all."""
    statement = select(*_COLUMNS).where(
        deliveries.c.institution_id == webhook.institution_id,
        deliveries.c.webhook_id == webhook.id,
    )
    if status is not None:
        statement = statement.where(deliveries.c.status == status)
    listing = await fetch_listing(
        db,
        statement,
        paging,
        id_column=deliveries.c.id,
        sortable={"createdAt": deliveries.c.id, "attempts": deliveries.c.attempts},
    )
    return listing.of(webhook_delivery)


async def fetch_delivery(
    db: Connection, institution_ids: Collection[UUID], delivery_id: UUID
) -> WebhookDelivery | None:
    """Fetch a delivery in one of these institutions."""
    statement = select(*_COLUMNS).where(
        deliveries.c.institution_id.in_(institution_ids), deliveries.c.id == delivery_id
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else webhook_delivery(row)


async def fail_pending(db: Connection, webhook: Webhook, error: str) -> None:
    """Fail the pending deliveries of a webhook, which the caller has locked."""
    await db.execute(
        update(deliveries)
        .where(
            deliveries.c.institution_id == webhook.institution_id,
            deliveries.c.webhook_id == webhook.id,
            deliveries.c.status == "Pending",
        )
        .values(status="Failed", due_at=None, error=error)
    )


async def delete_settled(db: Connection, created_before: datetime) -> int:
    """Delete a bounded number of old settled deliveries; returns how many."""
    key = (deliveries.c.institution_id, deliveries.c.id)
    old = (
        select(*key)
        .where(deliveries.c.created_at < created_before, deliveries.c.status != "Pending")
        .order_by(deliveries.c.created_at)
        .limit(_DELETED_AT_ONCE)
    )
    return (await db.execute(delete(deliveries).where(tuple_(*key).in_(old)))).rowcount
