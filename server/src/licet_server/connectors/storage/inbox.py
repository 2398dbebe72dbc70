"""Reads and writes the events that connectors receive."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import (
    ColumnElement,
    Select,
    exists,
    func,
    literal_column,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.connectors.rules.facts import Fact, Money
from licet_server.connectors.rules.model import Connector, InboxEvent, InboxEventStatus, InboxFilter
from licet_server.connectors.tables import connector_events as events
from licet_server.connectors.tables import connectors, orders
from licet_server.kit.backlogs import Backlog, count_waiting
from licet_server.kit.database import Connection, Id, Instant, Json, String
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays, related

_within = events.c.institution_id.in_

INBOX = Rows(
    events,
    InboxEvent,
    _within,
    sortable={"receivedAt": events.c.id, "occurredAt": events.c.occurred_at},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadEvent:
    """The result of reading a pending event."""

    event: InboxEvent
    status: InboxEventStatus
    error: str | None = None
    order_id: UUID | None = None
    fact: Fact | None = None


_INSERT = (
    upsert(events)
    .on_conflict_do_nothing(constraint="connector_events_external_id_key")
    .returning(events.c.id)
)


async def insert_event(db: Connection, event: InboxEvent) -> bool:
    """Insert an event unless the connector has it already; return whether it is new."""
    return (await db.execute(_INSERT, INBOX.values(event))).scalar_one_or_none() is not None


async def list_events(
    db: Connection, connector: Connector, filters: InboxFilter, paging: Paging
) -> Listing[InboxEvent]:
    """List the events of a connector that match."""
    about = (connector.id, filters)
    return await INBOX.page(db, [connector.institution_id], paging, _matching, *about)


def _matching(connector_id: UUID, filters: InboxFilter) -> list[ColumnElement[bool]]:
    where = [events.c.connector_id == connector_id]
    if filters.status is not None:
        where.append(events.c.status == filters.status)
    if filters.order_id is not None:
        where.append(events.c.order_id == filters.order_id)
    return where


async def fetch_pending(db: Connection, connector: Connector, limit: int) -> list[InboxEvent]:
    """Fetch the oldest pending events of a connector, which is locked."""
    return await INBOX.all(db, *_pending(connector.institution_id, connector.id, limit))


@kept
def _pending(institution_id: UUID, connector_id: UUID, limit: int) -> Select[Any]:
    return (
        INBOX.select(
            events.c.institution_id == institution_id,
            events.c.connector_id == connector_id,
            events.c.status == "Pending",
        )
        .order_by(events.c.id)
        .limit(limit)
    )


_READ = Arrays(
    "read",
    institution_id=Id,
    id=Id,
    status=String,
    error=String,
    order_id=Id,
    occurred_at=Instant,
    fact=Json,
)
_SAVE = (
    update(events)
    .where(events.c.institution_id == _READ.c.institution_id, events.c.id == _READ.c.id)
    .values({column.name: column for column in list(_READ.c)[2:]})
)


async def save_read(db: Connection, found: Sequence[ReadEvent]) -> None:
    """Store the results of reading events."""
    rows = [
        (
            item.event.institution_id,
            item.event.id,
            item.status,
            item.error,
            item.order_id,
            None if item.fact is None else item.fact.occurred_at,
            item.fact,
        )
        for item in found
    ]
    await db.execute(_SAVE, _READ.given(rows))


async def fetch_facts(db: Connection, institution_id: UUID, order_id: UUID) -> list[Fact]:
    found = (await db.execute(*_facts(institution_id, order_id))).scalars().all()
    return msgspec.convert(found, list[Fact])


@kept
def _facts(institution_id: UUID, order_id: UUID) -> Select[Any]:
    return select(events.c.fact).where(
        events.c.institution_id == institution_id,
        events.c.order_id == order_id,
        events.c.fact.is_not(None),
    )


async def fetch_money(
    db: Connection, institution_id: UUID, event_ids: Collection[UUID]
) -> dict[UUID, Money]:
    """Fetch what was paid or paid back according to these events, by event; others are omitted."""
    rows = await db.execute(*_facts_of(institution_id, event_ids))
    read = ((row.id, _money_in(row.fact)) for row in rows)
    return {id_: money for id_, money in read if money is not None}


def _money_in(fact: Any) -> Money | None:
    try:
        return msgspec.convert(fact, Fact).money
    except (msgspec.ValidationError, RecursionError):
        return None  # one that the service did not write tells nothing


@kept
def _facts_of(institution_id: UUID, event_ids: Collection[UUID]) -> Select[Any]:
    return select(events.c.id, events.c.fact).where(
        events.c.institution_id == institution_id,
        events.c.id.in_(event_ids),
        events.c.fact.is_not(None),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class IncompleteEvent:
    """An event that carries only a part of its lines, and what the rest is fetched with."""

    institution_id: UUID
    id: UUID
    connector_id: UUID
    body: str
    api_url: str | None
    api_key: bytes = field(repr=False)


async def fetch_incomplete(db: Connection, now: datetime, limit: int) -> list[IncompleteEvent]:
    """Fetch events of due orders that lack lines, of connectors that have an API key."""
    found = await db.execute(*_incomplete(now, limit))
    return [IncompleteEvent(**row) for row in found.mappings()]


@kept
def _incomplete(now: datetime, limit: int) -> Select[Any]:
    return (
        select(
            events.c.institution_id,
            events.c.id,
            events.c.connector_id,
            events.c.body,
            connectors.c.api_url,
            connectors.c.api_key,
        )
        .join_from(orders, events)
        .join(connectors)
        .where(
            orders.c.due_at <= now,
            connectors.c.is_enabled,
            connectors.c.api_key.is_not(None),
            events.c.fact["lacks_lines"].as_boolean(),
            events.c.body != "",
        )
        .order_by(orders.c.due_at, events.c.id)
        .limit(limit)
    )


async def save_completed(db: Connection, item: IncompleteEvent, body: str) -> None:
    """Store an event with all its lines, to be read again, unless it was changed meanwhile."""
    await db.execute(
        update(events)
        .where(
            events.c.institution_id == item.institution_id,
            events.c.id == item.id,
            events.c.body == item.body,
        )
        .values(body=body, status=InboxEventStatus.PENDING)
    )


async def move_events(db: Connection, institution_id: UUID, merged: UUID, into: UUID) -> None:
    """Move the events of a merged order."""
    await db.execute(
        update(events)
        .where(events.c.institution_id == institution_id, events.c.order_id == merged)
        .values(order_id=into)
    )


async def delete_bodies_before(db: Connection, before: datetime) -> int:
    """Delete the payloads of events that were received before; their facts are kept."""
    statement = (
        update(events)
        .where(events.c.received_at < before, events.c.body != "", events.c.status != "Pending")
        .values(body="")
    )
    return int((await db.execute(statement)).rowcount)


_COUNTED_PER_CONNECTOR = 100

_IS_ENABLED = exists().where(related(orders, connectors), connectors.c.is_enabled)
_PENDING = (
    select(events.c.received_at)
    .where(
        related(events, connectors),
        events.c.status == literal_column("'Pending'"),  # a parameter hides the index
    )
    .order_by(events.c.id)
    .limit(_COUNTED_PER_CONNECTOR)
    .correlate(connectors)
    .lateral("pending")
)
_INBOX = (
    select(func.count(), func.min(_PENDING.c.received_at))
    .select_from(connectors.join(_PENDING, true()))
    .where(connectors.c.is_enabled)
)


async def count_due(db: Connection, now: datetime) -> Backlog:
    """Count the orders that are due, and find the one that has been due for longest."""
    due = select(orders.c.due_at).where(orders.c.due_at <= now, _IS_ENABLED)
    return await count_waiting(db, due.order_by(orders.c.due_at))


async def count_pending(db: Connection) -> Backlog:
    """Count pending events, up to 100 for each connector, and find the oldest."""
    row = (await db.execute(_INBOX)).one()
    return Backlog(row[0], row[1])
