"""Inserts events, and claims rate-limited topics."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.events.rules.catalog import license_id, subject_name
from licet_server.events.rules.model import Event, Topic
from licet_server.events.tables import event_topics, events
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.ids import new_id
from licet_server.kit.origin import Origin


async def insert_event(db: Connection, event: Event, origin: Origin, now: datetime) -> UUID:
    """Insert an event; returns its ID."""
    row = _row(event, origin, now)
    await db.execute(insert(events), row)
    event_id: UUID = row["id"]
    return event_id


async def insert_events(
    db: Connection, recorded: Sequence[tuple[Event, Origin]], now: datetime
) -> None:
    """Insert events in one round trip."""
    if recorded:
        await db.execute(insert(events), [_row(event, origin, now) for event, origin in recorded])


def _row(event: Event, origin: Origin, now: datetime) -> dict[str, Any]:
    return {
        "institution_id": event.institution_id,
        "id": new_id(now),
        "kind": event.kind,
        "occurred_at": now,
        "subject_id": event.subject_id,
        "subject_name": subject_name(event.kind, event.data),
        "license_id": license_id(event.kind, event.subject_id, event.data),
        "product_id": event.product_id,
        "data": dict(event.data),
        "changes": dict(event.changes) if event.changes is not None else None,
        "actor_kind": origin.actor_kind,
        "actor_id": origin.actor_id,
        "actor_name": origin.actor_name,
        "ip_address": origin.ip_address,
        "request_id": origin.request_id,
    }


_REQUESTED = Arrays("requested", institution_id=Id, topic=String)
_due = select(
    _REQUESTED.c.institution_id, _REQUESTED.c.topic, bindparam("now", type_=Instant)
).where(
    ~select(event_topics.c.topic)
    .where(
        event_topics.c.institution_id == _REQUESTED.c.institution_id,
        event_topics.c.topic == _REQUESTED.c.topic,
        event_topics.c.recorded_at > bindparam("since", type_=Instant),
    )
    .exists()
)
_CLAIM = (
    upsert(event_topics)
    .from_select(["institution_id", "topic", "recorded_at"], _due)
    .on_conflict_do_update(
        index_elements=["institution_id", "topic"],
        set_={"recorded_at": bindparam("now", type_=Instant)},
        where=event_topics.c.recorded_at <= bindparam("since", type_=Instant),
    )
    .returning(event_topics.c.institution_id, event_topics.c.topic)
)


async def claim_topics(
    db: Connection, topics: Collection[Topic], every: timedelta, now: datetime
) -> set[Topic]:
    """Claim the topics that no process has claimed within `every`; returns those claimed.

    A topic that is not due costs no write.
    """
    distinct = sorted(set(topics))
    if not distinct:
        return set()
    given = {**_REQUESTED.given(distinct), "now": now, "since": now - every}
    return {(row.institution_id, row.topic) for row in await db.execute(_CLAIM, given)}
