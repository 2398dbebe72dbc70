"""Deliveries: created from events, tests and replays, and listed for operators."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.catalog.reading import test_products
from licet_server.customers.rules.personal_data import DataSubject
from licet_server.events.rules.kinds import DELIVERED, EventKind
from licet_server.events.rules.model import RecordedEvent
from licet_server.events.service.recording import record_event
from licet_server.events.storage.reading import fetch_events, fetch_ids_of_licenses
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection
from licet_server.kit.ids import new_id
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.personal import Counts, Exported
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.service.reading import find_named
from licet_server.webhooks.errors import delivery_pending, webhook_disabled
from licet_server.webhooks.rules import (
    DeliveryFilter,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryStatus,
    origin_of,
    subscribes,
)
from licet_server.webhooks.service.webhooks import fetch_webhook, lock_webhook
from licet_server.webhooks.storage import deliveries as storage
from licet_server.webhooks.storage import webhooks
from licet_server.webhooks.storage.deliveries import DELIVERIES, count_pending, delete_settled


@dataclass(frozen=True, slots=True)
class ShownDelivery:
    """A delivery with the event that it sends; `test` is whether that is about a Test product."""

    delivery: WebhookDelivery
    event: RecordedEvent
    test: bool


async def create_deliveries(work: UnitOfWork, events: Sequence[RecordedEvent]) -> None:
    """Create a delivery of each event for each webhook that subscribes to it.

    This is an event subscriber.
    """
    institutions = {event.institution_id for event in events if event.kind in DELIVERED}
    if not institutions:
        return
    enabled = await webhooks.lock_enabled(work.db, institutions)
    created = [
        _new_delivery(
            webhook,
            event_id=event.id,
            event_type=event.kind,
            due_at=event.occurred_at,
            now=work.now,
        )
        for event in events
        for webhook in enabled
        if webhook.institution_id == event.institution_id
        and subscribes(webhook.event_types, event.kind)
    ]
    if created:
        await storage.insert_deliveries(work.db, created)


async def list_deliveries(
    db: Connection,
    operator: Operator,
    webhook_id: UUID,
    filters: DeliveryFilter,
    paging: Paging,
    now: datetime,
) -> Listing[ShownDelivery]:
    """List the deliveries of a webhook in the last 30 days, newest first."""
    webhook = await fetch_webhook(db, operator, webhook_id)
    if filters.subject is not None:
        about = await _events_about(db, operator, webhook, filters.subject, now)
        filters = replace(filters, event_ids=about)
    found = await storage.list_deliveries(db, webhook, filters, paging)
    return found.with_items(await _with_events(db, found.items))


LICENSES_OF_A_SEARCH, EVENTS_OF_A_SEARCH = 20, 1_000
"""So many licenses of each kind of match are searched for, and so many of their newest events."""


async def _events_about(
    db: Connection, operator: Operator, webhook: Webhook, text: str, now: datetime
) -> tuple[UUID, ...]:
    """Return the events that may have been delivered and concern licenses that are called so."""
    visibility = operator.visibility_of(webhook.institution_id)
    called = await find_named(db, visibility, text, LICENSES_OF_A_SEARCH)
    if not called:
        return ()
    # A replay delivers an event that may be as old as its first delivery was kept.
    since = now - 2 * KEPT_FOR
    found = await fetch_ids_of_licenses(
        db, webhook.institution_id, {item.id for item in called}, since, EVENTS_OF_A_SEARCH
    )
    return tuple(found)


async def send_test(work: UnitOfWork, operator: Operator, webhook_id: UUID) -> ShownDelivery:
    """Send a test event to a webhook, whatever its event types.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if the webhook is disabled.
    """
    webhook = await lock_webhook(work, operator, webhook_id)
    if not webhook.is_enabled:
        raise webhook_disabled()
    event_id = await record_event(
        work,
        EventKind.WEBHOOK_TEST,
        institution_id=webhook.institution_id,
        subject_id=webhook.id,
        data={"webhookId": webhook.id},
    )
    return await _create_now(work, webhook, event_id, EventKind.WEBHOOK_TEST)


async def replay(work: UnitOfWork, operator: Operator, delivery_id: UUID) -> ShownDelivery:
    """Send the event of a delivery again, with the same `webhook-id`, as a new delivery.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if the webhook is disabled or the delivery is
            still pending.
    """
    earlier = await DELIVERIES.fetch(work.db, operator.roles, delivery_id)
    if earlier is None:
        raise operator.unseen("delivery")
    webhook = await lock_webhook(work, operator, earlier.webhook_id)
    if earlier.status is WebhookDeliveryStatus.PENDING:
        raise delivery_pending()
    if not webhook.is_enabled:
        raise webhook_disabled()
    shown = await _create_now(work, webhook, earlier.event_id, earlier.event_type)
    await record_event(
        work,
        EventKind.WEBHOOK_DELIVERY_REPLAYED,
        institution_id=webhook.institution_id,
        subject_id=webhook.id,
        data={
            "id": webhook.id,
            "url": origin_of(webhook.url),
            "deliveryId": shown.delivery.id,
            "eventId": earlier.event_id,
            "type": earlier.event_type,
        },
    )
    return shown


async def _create_now(
    work: UnitOfWork, webhook: Webhook, event_id: UUID, event_type: EventKind
) -> ShownDelivery:
    """Create a delivery that is due at once."""
    created = _new_delivery(
        webhook, event_id=event_id, event_type=event_type, due_at=work.now, now=work.now
    )
    await storage.insert_deliveries(work.db, [created])
    [shown] = await _with_events(work.db, [created])
    return shown


async def _with_events(
    db: Connection, deliveries: Sequence[WebhookDelivery]
) -> list[ShownDelivery]:
    keys = {(item.institution_id, item.event_id) for item in deliveries}
    events = await fetch_events(db, keys) if keys else {}
    tests = await find_tests(db, events.values())
    return [
        ShownDelivery(item, events[item.event_id], item.event_id in tests)
        for item in deliveries
        if item.event_id in events
    ]


async def find_tests(db: Connection, events: Collection[RecordedEvent]) -> set[UUID]:
    """Return the ids of those events that are about Test products."""
    tests = await test_products(db, list({event.institution_id for event in events}))
    return {event.id for event in events if event.is_for_tests(tests)}


def _new_delivery(
    webhook: Webhook, *, event_id: UUID, event_type: EventKind, due_at: datetime, now: datetime
) -> WebhookDelivery:
    return WebhookDelivery(
        institution_id=webhook.institution_id,
        id=new_id(now),
        webhook_id=webhook.id,
        event_id=event_id,
        event_type=event_type,
        due_at=due_at,
        created_at=now,
    )


async def measure_pending(db: Connection, _now: datetime) -> Backlog:
    """Measure the deliveries that wait; those between two attempts are due later."""
    return await count_pending(db)


KEPT_FOR = timedelta(days=30)


async def purge_deliveries(platform: Platform) -> int:
    """Delete settled deliveries older than 30 days, in bounded steps; returns how many."""
    total, created_before = 0, platform.clock() - KEPT_FOR
    while True:
        async with platform.database.reading() as db:
            deleted = await delete_settled(db, created_before)
        total += deleted
        if not deleted:
            return total


class PersonalDataOfDeliveries:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, subject: DataSubject) -> Exported:
        """Return nothing: deliveries refer to events, which are exported."""
        return {}

    async def erase(self, work: UnitOfWork, subject: DataSubject) -> Counts:
        """Delete what receivers responded to events about the person; they may repeat them."""
        erased = await storage.erase_responses(work.db, subject.institution_id, subject.event_ids)
        return {"webhookDeliveries": erased}
