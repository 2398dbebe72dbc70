"""Queries of deliveries, for operators and for those that events follow from."""

from collections.abc import Collection, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, and_, cast, delete, insert, select, tuple_, update

from licet_server.events.tables import events
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.webhooks.rules.model import Delivery, Sent, Status, Webhook
from licet_server.webhooks.tables import webhook_deliveries as deliveries

_NAMES = [field.name for field in fields(Delivery)]
_COLUMNS = [deliveries.c[name] for name in _NAMES]
# As text, so that amounts stay exact.
SENT_COLUMNS = (events.c.kind, events.c.occurred_at, cast(events.c.data, String).label("data"))
OF_EVENT = and_(
    events.c.institution_id == deliveries.c.institution_id, events.c.id == deliveries.c.event_id
)

_FORGOTTEN_AT_ONCE = 1_000

_MADE = Arrays(
    "made",
    institution_id=Id,
    id=Id,
    webhook_id=Id,
    event_id=Id,
    event_type=String,
    due_at=Instant,
    created_at=Instant,
)
_MAKE = insert(deliveries).from_select(
    [*(column.name for column in _MADE.c), "status"],
    select(*_MADE.c, cast("Pending", String)),
)


def delivery_of(row: Row[Any]) -> Delivery:
    stored = {name: row._mapping[name] for name in _NAMES}
    stored["status"] = Status(stored["status"])
    return Delivery(**stored)


def sent_of(row: Row[Any]) -> Sent:
    return Sent(row.kind, row.occurred_at, row.data)


async def insert_deliveries(db: Connection, made: Sequence[Delivery]) -> None:
    """Store new ones, which wait for their first attempt."""
    rows = [[getattr(item, column.name) for column in _MADE.c] for item in made]
    await db.execute(_MAKE, _MADE.given(rows))


def _with_events() -> Select[Any]:
    return select(*_COLUMNS, *SENT_COLUMNS).join(events, OF_EVENT)


async def list_deliveries(
    db: Connection, webhook: Webhook, status: Status | None, paging: Paging
) -> Listing[tuple[Delivery, Sent]]:
    """With what each of them sends."""
    statement = _with_events().where(
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
    return listing.of(lambda row: (delivery_of(row), sent_of(row)))


async def fetch_delivery(
    db: Connection, institution_ids: Collection[UUID], delivery_id: UUID
) -> tuple[Delivery, Sent] | None:
    """A delivery with what it sends."""
    statement = _with_events().where(
        deliveries.c.institution_id.in_(institution_ids), deliveries.c.id == delivery_id
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else (delivery_of(row), sent_of(row))


async def fail_pending(db: Connection, webhook: Webhook, error: str) -> None:
    """Give up what waits for a webhook; the webhook is locked."""
    await db.execute(
        update(deliveries)
        .where(
            deliveries.c.institution_id == webhook.institution_id,
            deliveries.c.webhook_id == webhook.id,
            deliveries.c.status == "Pending",
        )
        .values(status="Failed", due_at=None, error=error)
    )


async def forget_settled(db: Connection, made_before: datetime) -> int:
    """Delete old ones that wait for nothing, a bounded number; answers how many."""
    key = (deliveries.c.institution_id, deliveries.c.id)
    old = (
        select(*key)
        .where(deliveries.c.created_at < made_before, deliveries.c.status != "Pending")
        .order_by(deliveries.c.created_at)
        .limit(_FORGOTTEN_AT_ONCE)
    )
    return (await db.execute(delete(deliveries).where(tuple_(*key).in_(old)))).rowcount
