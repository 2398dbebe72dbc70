"""The inbox: stores each signed event once, before it is processed, and purges old payloads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from licet_server.connectors import errors
from licet_server.connectors.rules.facts import Money, UnreadableEvent
from licet_server.connectors.rules.model import (
    Connector,
    InboxEvent,
    InboxEventStatus,
    InboxFilter,
)
from licet_server.connectors.rules.providers import MAX_BODY_BYTES, ReceivedEvent, received_event
from licet_server.connectors.rules.signatures import Checked, Signature, checked
from licet_server.connectors.service.connectors import fetch_connector, secret_of
from licet_server.connectors.storage import connectors as storage
from licet_server.connectors.storage import inbox
from licet_server.connectors.storage import orders as stored_orders
from licet_server.connectors.storage.inbox import INBOX
from licet_server.customers.service.customers import find_seen_names
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import count_since, record_event
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused, not_found
from licet_server.kit.ids import new_id
from licet_server.kit.keyring import CannotOpen, Keyring
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.signing_secrets import SealedSecrets, open_secrets
from licet_server.kit.unit_of_work import UnitOfWork


async def measure_orders(db: Connection, now: datetime) -> Backlog:
    """Measure the orders that are due."""
    return await inbox.count_due(db, now)


async def measure_inbox(db: Connection, _now: datetime) -> Backlog:
    """Measure the pending events."""
    return await inbox.count_pending(db)


BODIES_KEPT = timedelta(days=90)


async def purge_bodies(platform: Platform) -> int:
    """Delete the payloads of events that are older than 90 days; return how many."""
    async with platform.database.reading() as db:
        return await inbox.delete_bodies_before(db, platform.clock() - BODIES_KEPT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEvent:
    """An event with what it is about, as far as that is known and the operator may see it.

    `order_number` is the ID of its order in the shop, and `money` what was paid, or paid back.
    """

    event: InboxEvent
    order_number: str | None
    customer_name: str | None
    money: Money | None


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of receiving an event: `is_new` unless it was stored before."""

    external_id: str
    is_new: bool


async def receive(
    platform: Platform, connector_id: UUID, headers: Mapping[str, str], body: bytes
) -> Receipt:
    """Store an event that the provider signed; names of headers are in lower case.

    Raises:
        Refused: `NotFound`, `Unauthorized` without a valid signature, `Conflict` while the
            connector is disabled or its secret is lost, `InvalidRequest`, `PayloadTooLarge`.
    """
    now = platform.clock()
    async with platform.database.reading() as db:
        found = await storage.find_connector(db, connector_id)
        if found is None:
            raise not_found("connector")
        connector, sealed = found
        event: ReceivedEvent | Refused
        try:
            event = _accepted(platform.keyring, connector, sealed, headers, body, now)
        except Refused as refusal:
            event = refusal
        if isinstance(event, Refused):
            await _note_rejection(db, connector, event, now)
        else:
            is_new = await inbox.insert_event(db, _stored(connector, event, body, now))
            return Receipt(event.external_id, is_new)
    await _record_rejection(platform, connector, event)
    raise event


def _stored(connector: Connector, event: ReceivedEvent, body: bytes, now: datetime) -> InboxEvent:
    return InboxEvent(
        institution_id=connector.institution_id,
        id=new_id(now),
        connector_id=connector.id,
        external_id=event.external_id,
        type=event.type,
        occurred_at=None,
        received_at=now,
        status=InboxEventStatus.PENDING,
        error=None,
        order_id=None,
        body=body.decode("utf-8-sig"),
    )


def _accepted(
    keyring: Keyring,
    connector: Connector,
    sealed: SealedSecrets,
    headers: Mapping[str, str],
    body: bytes,
    now: datetime,
) -> ReceivedEvent:
    if len(body) > MAX_BODY_BYTES:
        raise errors.too_large(MAX_BODY_BYTES)
    try:
        secrets = open_secrets(keyring, secret_of(connector.id), sealed, now)
    except CannotOpen:
        raise errors.secret_lost() from None
    _check(checked(connector.kind, headers, body, secrets, now))
    if not connector.is_enabled:
        raise errors.disabled()
    try:
        return received_event(connector.kind, headers, body)
    except UnreadableEvent as reason:
        raise errors.unreadable(str(reason)) from None


def _check(found: Checked) -> None:
    match found.signature:
        case Signature.MISSING:
            raise errors.not_signed()
        case Signature.WRONG:
            raise errors.wrongly_signed()
        case Signature.UNTIMELY:
            raise errors.signed_at_another_time(found.age)
        case Signature.VALID:
            pass


async def reject_too_large(platform: Platform, connector_id: UUID) -> Refused:
    """Note a message that is too large to be read, and return its refusal."""
    refusal = errors.too_large(MAX_BODY_BYTES)
    async with platform.database.reading() as db:
        found = await storage.find_connector(db, connector_id)
        if found is not None:
            await _note_rejection(db, found[0], refusal, platform.clock())
    if found is not None:
        await _record_rejection(platform, found[0], refusal)
    return refusal


REJECTIONS_EVERY = timedelta(minutes=1)


async def _note_rejection(
    db: Connection, connector: Connector, refusal: Refused, now: datetime
) -> None:
    """Store why a message was rejected, at most once a minute: strangers can send any number."""
    before = now - REJECTIONS_EVERY
    if connector.last_rejected_at is None or connector.last_rejected_at <= before:
        await storage.save_rejection(db, connector, refusal.detail, now, before)


_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
REJECTIONS_IN_A_ROW = 3
"""So many rejections since a message was last accepted are recorded; the last one notifies."""


async def _record_rejection(platform: Platform, connector: Connector, refusal: Refused) -> None:
    """Record one of the first rejections in a row; a disabled connector is meant to reject."""
    if not connector.is_enabled:
        return
    within = [connector.institution_id], [connector.id]
    async with platform.unit_of_work(Origin()) as work:
        if not await storage.try_lock(work.db, connector):
            return
        last = await storage.fetch_last_events(work.db, *within)
        since = last.get(connector.id, _LONG_AGO)
        kind = EventKind.CONNECTOR_REJECTED
        before = await count_since(work.db, connector.institution_id, connector.id, kind, since)
        if before >= REJECTIONS_IN_A_ROW:
            return
        await record_event(
            work,
            kind,
            institution_id=connector.institution_id,
            subject_id=connector.id,
            data={
                "id": connector.id,
                "name": connector.name,
                "reason": refusal.detail,
                "isRepeated": before + 1 == REJECTIONS_IN_A_ROW,
            },
        )


async def list_events(
    db: Connection,
    operator: Operator,
    connector_id: UUID,
    filters: InboxFilter,
    paging: Paging,
) -> Listing[ShownEvent]:
    """List the events of a connector that match, with what they are about."""
    connector = await fetch_connector(db, operator, connector_id)
    listing = await inbox.list_events(db, connector, filters, paging)
    return listing.with_items(await _shown(db, operator, listing.items))


async def _shown(
    db: Connection, operator: Operator, events: Sequence[InboxEvent]
) -> list[ShownEvent]:
    """Add what the events of one connector are about."""
    if not events:
        return []
    institution_id = events[0].institution_id
    ids = list({item.order_id for item in events if item.order_id is not None})
    orders = await stored_orders.ORDERS.fetch_each(db, [institution_id], ids) if ids else {}
    buyers = [(order.institution_id, order.customer_id) for order in orders.values()]
    names = await find_seen_names(db, operator, buyers)
    money = await inbox.fetch_money(db, institution_id, [item.id for item in events])
    return [
        ShownEvent(
            event=item,
            order_number=None if order is None else order.external_id or None,
            customer_name=None if order is None else names.get(order.customer_id),
            money=money.get(item.id),
        )
        for item in events
        for order in (None if item.order_id is None else orders.get(item.order_id),)
    ]


async def replay(work: UnitOfWork, operator: Operator, event_id: UUID) -> ShownEvent:
    """Process an event and its order again.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` while it is pending.
    """
    found = await INBOX.lock(work.db, operator.roles, event_id)
    event = operator.found(found, "event")
    if event.status is InboxEventStatus.PENDING:
        raise errors.event_pending()
    if event.body:
        event = replace(event, status=InboxEventStatus.PENDING, error=None)
        await INBOX.save(work.db, event)
    if event.order_id is not None:
        await stored_orders.mark_due(work.db, event.institution_id, [event.order_id], work.now)
    await _record_replay(work, operator, event)
    [shown] = await _shown(work.db, operator, [event])
    return shown


async def _record_replay(work: UnitOfWork, operator: Operator, event: InboxEvent) -> None:
    connector = await fetch_connector(work.db, operator, event.connector_id)
    await record_event(
        work,
        EventKind.CONNECTOR_EVENT_REPLAYED,
        institution_id=connector.institution_id,
        subject_id=connector.id,
        data={
            "id": connector.id,
            "name": connector.name,
            "eventId": event.id,
            "type": event.type,
            "orderId": event.order_id,
        },
    )
