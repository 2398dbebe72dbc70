"""Deliveries of events to webhooks, as they are stored."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, cast, delete, insert, select, tuple_, update

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.webhooks.rules.model import Webhook, WebhookDelivery, WebhookDeliveryStatus
from licet_server.webhooks.tables import webhook_deliveries as deliveries


def _of_institutions(institution_ids: Collection[UUID]) -> ColumnElement[bool]:
    return deliveries.c.institution_id.in_(institution_ids)


DELIVERIES = Rows(
    deliveries,
    WebhookDelivery,
    _of_institutions,
    sortable={"createdAt": deliveries.c.id, "attempts": deliveries.c.attempts},
)

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


async def insert_deliveries(db: Connection, created: Sequence[WebhookDelivery]) -> None:
    """Insert pending deliveries, which wait for their first attempt."""
    rows = [[getattr(item, column.name) for column in _NEW.c] for item in created]
    await db.execute(_INSERT, _NEW.given(rows))


async def list_deliveries(
    db: Connection, webhook: Webhook, status: WebhookDeliveryStatus | None, paging: Paging
) -> Listing[WebhookDelivery]:
    """List the deliveries of a webhook, of one status or all."""
    conditions = [deliveries.c.webhook_id == webhook.id]
    if status is not None:
        conditions.append(deliveries.c.status == status)
    return await DELIVERIES.page(db, [webhook.institution_id], paging, *conditions)


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
