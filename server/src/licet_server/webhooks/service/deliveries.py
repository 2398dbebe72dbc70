"""Deliveries: made of events, of tests and of replays, and shown to operators."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from licet_server.events.rules.model import Recorded
from licet_server.events.service.recording import record_event
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.ids import new_id
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.webhooks.errors import delivery_pending, webhook_disabled
from licet_server.webhooks.rules.kinds import DELIVERABLE, TEST, wants
from licet_server.webhooks.rules.model import Delivery, Sent, Status, Webhook
from licet_server.webhooks.service.webhooks import fetch_webhook, lock_webhook
from licet_server.webhooks.storage import deliveries as storage
from licet_server.webhooks.storage import webhooks


async def prepare_deliveries(work: UnitOfWork, told: Sequence[Recorded]) -> None:
    """Store a delivery of each event for each webhook that wants it: a projection of events."""
    sendable = [item for item in told if item.kind in DELIVERABLE]
    if not sendable:
        return
    enabled = await webhooks.lock_enabled(work.db, {item.institution_id for item in sendable})
    made = [
        _delivery(webhook, item.id, item.kind, item.occurred_at, work.now)
        for item in sendable
        for webhook in enabled
        if webhook.institution_id == item.institution_id and wants(webhook.event_types, item.kind)
    ]
    if made:
        await storage.insert_deliveries(work.db, made)


async def list_deliveries(
    db: Connection, operator: Operator, webhook_id: UUID, status: Status | None, paging: Paging
) -> Listing[tuple[Delivery, Sent]]:
    """What was sent to a webhook in the last 30 days, or waits to be, newest first.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    webhook = await fetch_webhook(db, operator, webhook_id)
    return await storage.list_deliveries(db, webhook, status, paging)


async def send_test(
    work: UnitOfWork, operator: Operator, webhook_id: UUID
) -> tuple[Delivery, Sent]:
    """Send a test to a webhook, whatever kinds of events it wants.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` where the webhook is disabled.
    """
    webhook = await lock_webhook(work, operator, webhook_id)
    if not webhook.is_enabled:
        raise webhook_disabled()
    event_id = await record_event(
        work,
        TEST,
        institution_id=webhook.institution_id,
        subject_id=webhook.id,
        data={"webhookId": webhook.id},
    )
    return await _store(work, _delivery(webhook, event_id, TEST, work.now, work.now))


async def replay(work: UnitOfWork, operator: Operator, delivery_id: UUID) -> tuple[Delivery, Sent]:
    """Send the event of a delivery once more, with the same `webhook-id`, as a new delivery.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` where the webhook is disabled, or while the
            delivery is still being tried.
    """
    found = await storage.fetch_delivery(work.db, operator.roles, delivery_id)
    if found is None:
        raise operator.unseen("delivery")
    earlier, _ = found
    webhook = await lock_webhook(work, operator, earlier.webhook_id)
    if earlier.status is Status.PENDING:
        raise delivery_pending()
    if not webhook.is_enabled:
        raise webhook_disabled()
    again = _delivery(webhook, earlier.event_id, earlier.event_type, work.now, work.now)
    return await _store(work, again)


async def _store(work: UnitOfWork, made: Delivery) -> tuple[Delivery, Sent]:
    await storage.insert_deliveries(work.db, [made])
    stored = await storage.fetch_delivery(work.db, [made.institution_id], made.id)
    if stored is None:
        raise LookupError("a delivery that was just stored is not there")
    return stored


def _delivery(
    webhook: Webhook, event_id: UUID, event_type: str, due_at: datetime, now: datetime
) -> Delivery:
    return Delivery(
        institution_id=webhook.institution_id,
        id=new_id(now),
        webhook_id=webhook.id,
        event_id=event_id,
        event_type=event_type,
        status=Status.PENDING,
        attempts=0,
        due_at=due_at,
        created_at=now,
        delivered_at=None,
        response_status=None,
        response_body=None,
        error=None,
        duration_ms=None,
    )
