"""Deliveries of events to webhooks, as they are stored."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Integer,
    Row,
    and_,
    bindparam,
    cast,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    true,
    tuple_,
    update,
)

from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection, Id, Instant, String, array_parameter
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.signing_secrets import SealedSecrets
from licet_server.kit.statements import Arrays
from licet_server.kit.text import start_pattern
from licet_server.webhooks.rules import (
    DeliveryFilter,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryStatus,
)
from licet_server.webhooks.tables import webhook_deliveries as deliveries
from licet_server.webhooks.tables import webhooks

_within = deliveries.c.institution_id.in_

DELIVERIES = Rows(
    deliveries,
    WebhookDelivery,
    _within,
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
    db: Connection, webhook: Webhook, filters: DeliveryFilter, paging: Paging
) -> Listing[WebhookDelivery]:
    """List the deliveries of a webhook that match."""
    start = None if filters.search is None else start_pattern(filters.search)
    events = filters.event_ids if filters.event_id is None else (filters.event_id,)
    about = (webhook.id, filters.status, events, start)
    return await DELIVERIES.page(db, [webhook.institution_id], paging, _matching, *about)


def _matching(
    webhook_id: UUID,
    status: WebhookDeliveryStatus | None,
    event_ids: tuple[UUID, ...] | None,
    start: str | None,
) -> list[ColumnElement[bool]]:
    conditions = [deliveries.c.webhook_id == webhook_id]
    if status is not None:
        conditions.append(deliveries.c.status == status)
    if event_ids is not None:
        conditions.append(deliveries.c.event_id.in_(event_ids))
    elif start is not None:
        conditions.append(deliveries.c.event_type.like(start))
    return conditions


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


CLAIMED_PER_WEBHOOK = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class DueDelivery:
    """A claimed delivery, and what is needed to send it.

    `due_at` is when its attempt was due; `delivery.due_at` is the end of the claim.
    """

    delivery: WebhookDelivery
    due_at: datetime
    url: str
    include_keys: bool
    secrets: SealedSecrets


_OF_WEBHOOK = (
    select(deliveries.c.institution_id, deliveries.c.id, deliveries.c.due_at)
    .where(
        deliveries.c.institution_id == webhooks.c.institution_id,
        deliveries.c.webhook_id == webhooks.c.id,
        deliveries.c.status == "Pending",
        deliveries.c.due_at <= bindparam("now", type_=Instant),
    )
    .order_by(deliveries.c.due_at)
    .limit(CLAIMED_PER_WEBHOOK)
    .with_for_update(skip_locked=True)
    .correlate(webhooks)
    .lateral("of_webhook")
)
_DUE = (
    select(
        _OF_WEBHOOK.c.institution_id,
        _OF_WEBHOOK.c.id,
        _OF_WEBHOOK.c.due_at,
        webhooks.c.url,
        webhooks.c.include_keys,
        webhooks.c.secret,
        webhooks.c.previous_secret,
        webhooks.c.previous_until,
    )
    .select_from(webhooks.join(_OF_WEBHOOK, true()))
    .where(webhooks.c.is_enabled, webhooks.c.id != array_parameter("busy", Id).all_())
    .order_by(_OF_WEBHOOK.c.due_at)
    .limit(bindparam("limit", type_=Integer))
    .cte("due")
    .prefix_with("MATERIALIZED")
)
_CLAIM = (
    update(deliveries)
    .where(
        deliveries.c.institution_id == _DUE.c.institution_id,
        deliveries.c.id == _DUE.c.id,
    )
    .values(due_at=bindparam("until", type_=Instant))
    .returning(
        *DELIVERIES.columns,
        _DUE.c.due_at.label("was_due_at"),
        _DUE.c.url,
        _DUE.c.include_keys,
        _DUE.c.secret,
        _DUE.c.previous_secret,
        _DUE.c.previous_until,
    )
)


async def claim_due(
    db: Connection, now: datetime, lease: timedelta, busy: Collection[UUID], limit: int
) -> list[DueDelivery]:
    """Claim due deliveries for `lease`, except those of busy webhooks; returns them oldest first.

    A delivery that is not settled by then is due again. Concurrent callers claim different
    deliveries.
    """
    given = {"now": now, "until": now + lease, "busy": list(busy), "limit": limit}
    rows = (await db.execute(_CLAIM, given)).all()
    return sorted(map(_due_delivery, rows), key=lambda item: item.due_at)


def _due_delivery(row: Row[Any]) -> DueDelivery:
    return DueDelivery(
        delivery=DELIVERIES.item(row),
        due_at=row.was_due_at,
        url=row.url,
        include_keys=row.include_keys,
        secrets=SealedSecrets(row.secret, row.previous_secret, row.previous_until),
    )


_SETTLED = Arrays(
    "settled",
    institution_id=Id,
    id=Id,
    status=String,
    attempts=Integer,
    due_at=Instant,
    delivered_at=Instant,
    response_status=Integer,
    response_body=String,
    error=String,
    duration_ms=Integer,
)
_RESULTS = [column.name for column in _SETTLED.c][2:]
# If two processes attempted the same delivery because the first was slow to settle it, one attempt
# counts. A delivery that arrived stays delivered, even if its webhook was disabled in the meantime.
_SETTLE = (
    update(deliveries)
    .where(
        _SETTLED.same(deliveries, "institution_id", "id"),
        deliveries.c.attempts == _SETTLED.c.attempts - 1,
        or_(
            deliveries.c.status == "Pending",
            and_(deliveries.c.status == "Failed", _SETTLED.c.status == "Delivered"),
        ),
    )
    .values({name: _SETTLED.c[name] for name in _RESULTS})
)


async def save_attempts(db: Connection, settled: Sequence[WebhookDelivery]) -> None:
    """Store deliveries after their attempts; the caller has locked their webhooks."""
    rows: Iterable[list[Any]] = (
        [getattr(item, column.name) for column in _SETTLED.c] for item in settled
    )
    await db.execute(_SETTLE, _SETTLED.given(rows))


_COUNTED_PER_WEBHOOK = 100

_WAITING = (
    select(deliveries.c.due_at)
    .where(
        deliveries.c.institution_id == webhooks.c.institution_id,
        deliveries.c.webhook_id == webhooks.c.id,
        deliveries.c.status == literal_column("'Pending'"),  # a parameter hides the index
    )
    .order_by(deliveries.c.due_at)
    .limit(_COUNTED_PER_WEBHOOK)
    .correlate(webhooks)
    .lateral("waiting")
)
_BACKLOG = (
    select(func.count(), func.min(_WAITING.c.due_at))
    .select_from(webhooks.join(_WAITING, true()))
    .where(webhooks.c.is_enabled)
)


async def count_pending(db: Connection) -> Backlog:
    """Count pending deliveries, up to 100 for each webhook, and find the one that is due first."""
    row = (await db.execute(_BACKLOG)).one()
    return Backlog(row[0], row[1])


async def erase_responses(db: Connection, institution_id: UUID, event_ids: Collection[UUID]) -> int:
    """Delete what receivers of these events responded; returns of how many deliveries."""
    statement = (
        update(deliveries)
        .where(
            deliveries.c.institution_id == institution_id,
            deliveries.c.event_id.in_(event_ids),
            or_(deliveries.c.response_body.is_not(None), deliveries.c.error.is_not(None)),
        )
        .values(response_body=None, error=None)
    )
    return int((await db.execute(statement)).rowcount)
