"""Inserts events, claims rate-limited topics, and counts events by day."""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Date, bindparam, cast, func, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.events.rules.model import Event, Topic
from licet_server.events.tables import event_topics, events
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.filters import visible_to
from licet_server.kit.ids import new_id
from licet_server.kit.origin import Origin
from licet_server.kit.visibility import Visibility


async def record(db: Connection, event: Event, origin: Origin, now: datetime) -> UUID:
    """Store the event in the caller's transaction, and answer its id."""
    row = _row(event, origin, now)
    await db.execute(insert(events), row)
    event_id: UUID = row["id"]
    return event_id


async def record_many(db: Connection, told: Sequence[tuple[Event, Origin]], now: datetime) -> None:
    """Store events of several origins in one round trip, in the caller's transaction."""
    if told:
        await db.execute(insert(events), [_row(event, origin, now) for event, origin in told])


def _row(event: Event, origin: Origin, now: datetime) -> dict[str, Any]:
    return {
        "institution_id": event.institution_id,
        "id": new_id(now),
        "kind": event.kind,
        "occurred_at": now,
        "subject_id": event.subject_id,
        "product_id": event.product_id,
        "data": dict(event.data),
        "changes": dict(event.changes) if event.changes is not None else None,
        "actor_kind": origin.actor_kind,
        "actor_id": origin.actor_id,
        "actor_name": origin.actor_name,
        "ip_address": origin.ip_address,
        "request_id": origin.request_id,
    }


_WANTED = Arrays("wanted", institution_id=Id, topic=String)
_due = select(_WANTED.c.institution_id, _WANTED.c.topic, bindparam("now", type_=Instant)).where(
    ~select(event_topics.c.topic)
    .where(
        event_topics.c.institution_id == _WANTED.c.institution_id,
        event_topics.c.topic == _WANTED.c.topic,
        event_topics.c.told_at > bindparam("since", type_=Instant),
    )
    .exists()
)
_CLAIM = (
    upsert(event_topics)
    .from_select(["institution_id", "topic", "told_at"], _due)
    .on_conflict_do_update(
        index_elements=["institution_id", "topic"],
        set_={"told_at": bindparam("now", type_=Instant)},
        where=event_topics.c.told_at <= bindparam("since", type_=Instant),
    )
    .returning(event_topics.c.institution_id, event_topics.c.topic)
)


async def claim_topics(
    db: Connection, topics: Collection[Topic], every: timedelta, now: datetime
) -> set[Topic]:
    """Those topics that may be told of again: none was within `every`, in any process.

    A topic that is not due costs no write.
    """
    distinct = sorted(set(topics))
    if not distinct:
        return set()
    given = {**_WANTED.given(distinct), "now": now, "since": now - every}
    return {(row.institution_id, row.topic) for row in await db.execute(_CLAIM, given)}


async def count_by_day(
    db: Connection,
    visibility: Visibility,
    kinds: Sequence[str],
    *,
    since: datetime,
    until: datetime,
) -> dict[tuple[date, str], int]:
    """How many events that are seen there were on each UTC day in `[since, until)`, by kind."""
    day = cast(func.timezone("UTC", events.c.occurred_at), Date).label("day")
    statement = (
        select(day, events.c.kind, func.count().label("count"))
        .where(
            visible_to(visibility, events.c.institution_id, events.c.product_id),
            events.c.kind.in_(kinds),
            events.c.occurred_at >= since,
            events.c.occurred_at < until,
        )
        .group_by(day, events.c.kind)
    )
    rows = await db.execute(statement)
    return {(row.day, row.kind): row[2] for row in rows}
