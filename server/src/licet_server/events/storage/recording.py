"""Inserted events, and claims of rate-limited topics."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Integer,
    Row,
    Select,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.events.rules.kinds import (
    PERMANENT_PER_HOUR,
    is_bounded,
    is_of_instance,
    license_id,
    subject_name,
)
from licet_server.events.rules.model import INSTANCE, Event, RecordedEvent, Topic
from licet_server.events.storage.reading import EVENTS
from licet_server.events.tables import event_topics, events
from licet_server.kit.backlogs import Backlog, count_waiting
from licet_server.kit.clock import product_instant
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.ids import least_id, new_id
from licet_server.kit.kept import kept
from licet_server.kit.origin import Origin
from licet_server.kit.statements import Arrays, insert_rows, insertion_of
from licet_server.kit.together import Change

_LATER = {"permanent", "seal_number", "seal", "salt", "erasure"}
_STORED = [column.name for column in events.c if column.name not in _LATER]
_BOUNDED = Arrays(
    "bounded", **{name: events.c[name].type for name in _STORED}, hour_begins=Id, earlier=Integer
)
_first_of_hour = (
    select(literal(1))
    .where(
        events.c.institution_id == _BOUNDED.c.institution_id,
        events.c.license_id == _BOUNDED.c.license_id,
        events.c.id >= _BOUNDED.c.hour_begins,
        events.c.permanent,
    )
    .limit(PERMANENT_PER_HOUR)
    .correlate(_BOUNDED.table)
    .subquery()
)
_number_of_hour = select(func.count()).select_from(_first_of_hour).scalar_subquery()
_before = func.max(case((_BOUNDED.c.earlier == 0, _number_of_hour))).over(
    partition_by=(_BOUNDED.c.institution_id, _BOUNDED.c.license_id)
)
_INSERT_BOUNDED = insert(events).from_select(
    [*_STORED, "permanent"],
    select(
        *(_BOUNDED.c[name] for name in _STORED),
        _before + _BOUNDED.c.earlier < PERMANENT_PER_HOUR,
    ),
)
"""Reads no more than the first permanent events of the hour, which the index has in order, and once
for each license. `earlier` is the number of events of the license before this one."""


async def insert_event(
    db: Connection, event: Event, origin: Origin, now: datetime, clock: datetime | None
) -> UUID:
    """Insert an event; returns its ID. `clock` is as for `insert_events`."""
    return (await insert_events(db, [(event, origin)], now, clock))[0]


async def insert_events(
    db: Connection,
    recorded: Sequence[tuple[Event, Origin]],
    now: datetime,
    clock: datetime | None = None,
) -> list[UUID]:
    """Insert events, bounded ones and others in one round trip each; returns their IDs.

    Events happen `now`; `clock` is where the test clock of their product stands, if it has one.
    """
    ids, plain, bounded = _rows_of(recorded, now, clock)
    await insert_rows(db, events, plain)
    if bounded:
        await db.execute(*_insertion_of_bounded(bounded, now))
    return ids


def changes_of(
    recorded: Sequence[tuple[Event, Origin]], now: datetime, clock: datetime | None = None
) -> list[Change]:
    """Return what inserts these events, as `insert_events` does."""
    _, plain, bounded = _rows_of(recorded, now, clock)
    changes = [insertion_of(events, plain)] if plain else []
    return changes + ([_insertion_of_bounded(bounded, now)] if bounded else [])


def _rows_of(
    recorded: Sequence[tuple[Event, Origin]], now: datetime, clock: datetime | None
) -> tuple[list[UUID], list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the IDs of the events, the rows of those that are not bounded, and of those that are.

    The former include the copies for the instance.
    """
    clock = clock or product_instant()
    plain: list[dict[str, Any]] = []
    bounded: list[dict[str, Any]] = []
    ids: list[UUID] = []
    for event, origin in recorded:
        row = _row(event, origin, now, clock)
        ids.append(row["id"])
        is_of_license = row["license_id"] is not None
        (bounded if is_of_license and is_bounded(event.kind, origin) else plain).append(row)
        if event.institution_id != INSTANCE and is_of_instance(event.kind, origin):
            plain.append(_copy_for_instance(row, now))
    return ids, plain, bounded


def _insertion_of_bounded(rows: Sequence[Mapping[str, Any]], now: datetime) -> Change:
    """Return what inserts bounded events, of which each counts those of its license before it."""
    hour_begins = least_id(now.replace(minute=0, second=0, microsecond=0))
    earlier: Counter[UUID] = Counter()
    given = []
    for row in rows:
        license_id = row["license_id"]
        given.append([*(row[name] for name in _STORED), hour_begins, earlier[license_id]])
        earlier[license_id] += 1
    return _INSERT_BOUNDED, _BOUNDED.given(given)


def _copy_for_instance(row: dict[str, Any], now: datetime) -> dict[str, Any]:
    return row | {
        "institution_id": INSTANCE,
        "id": new_id(now),
        "data": {**row["data"], "institutionId": row["institution_id"]},
        "license_id": None,
        "product_id": None,
        "dispatched": True,
    }


def _row(event: Event, origin: Origin, now: datetime, clock: datetime | None) -> dict[str, Any]:
    return {
        "institution_id": event.institution_id,
        "id": new_id(now),
        "kind": event.kind,
        "occurred_at": now,
        "subject_id": event.subject_id,
        "subject_name": subject_name(event.kind, event.data),
        "license_id": license_id(event.kind, event.subject_id, event.data),
        "product_id": event.product_id,
        "data": dict(event.data) if clock is None else {**event.data, "clock": clock},
        "changes": dict(event.changes) if event.changes is not None else None,
        "actor_kind": origin.actor_kind,
        "actor_id": origin.actor_id,
        "actor_name": origin.actor_name,
        "ip_address": origin.ip_address,
        "request_id": origin.request_id,
        "dispatched": event.institution_id == INSTANCE,
    }


_REQUESTED = Arrays("requested", institution_id=Id, topic=String)
_due = select(
    _REQUESTED.c.institution_id, _REQUESTED.c.topic, bindparam("now", type_=Instant)
).where(
    ~select(event_topics.c.topic)
    .where(
        _REQUESTED.same(event_topics, "institution_id", "topic"),
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


_DISPATCHED = Arrays("done", institution_id=Id, id=Id)
_MARK = (
    update(events).where(_DISPATCHED.same(events, "institution_id", "id")).values(dispatched=True)
)


async def lock_undispatched(db: Connection, limit: int) -> list[RecordedEvent]:
    """Lock and return the oldest undispatched, unlocked events, until the transaction ends.

    Several processes may call this at once: each skips what another has locked.
    """
    return await EVENTS.all(db, *_undispatched(limit))


@kept
def _undispatched(limit: int) -> Select[Any]:
    return (
        EVENTS.select(~events.c.dispatched)
        .order_by(events.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )


async def mark_dispatched(db: Connection, dispatched: Sequence[RecordedEvent]) -> None:
    keys = [(item.institution_id, item.id) for item in dispatched]
    await db.execute(_MARK, _DISPATCHED.given(keys))


async def count_undispatched(db: Connection) -> Backlog:
    """Count events that were not dispatched yet."""
    waiting = select(events.c.occurred_at).where(~events.c.dispatched).order_by(events.c.id)
    return await count_waiting(db, waiting)


async def count_by_hour(db: Connection, since: datetime, until: datetime) -> Sequence[Row[Any]]:
    """Count these events by institution, license, hour and kind, in this order."""
    hour = func.date_trunc("hour", events.c.occurred_at, "UTC").label("hour")
    key = (events.c.institution_id, events.c.license_id, hour, events.c.kind)
    statement = (
        select(*key, func.count().label("number"))
        .where(~events.c.permanent, events.c.occurred_at >= since, events.c.occurred_at < until)
        .group_by(*key)
        .order_by(*key)
    )
    return (await db.execute(statement)).all()


async def delete_before(db: Connection, instant: datetime) -> int:
    """Delete these events if they are older; returns how many."""
    old = delete(events).where(~events.c.permanent, events.c.occurred_at < instant)
    return (await db.execute(old)).rowcount
