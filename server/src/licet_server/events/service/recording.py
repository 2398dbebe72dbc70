"""Recording of events in the transaction of the change that they describe.

Those that are not permanent are counted and deleted.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Generic, TypeVar
from uuid import UUID

from licet_server.events.rules.kinds import TRANSIENT_DAYS, EventKind
from licet_server.events.rules.model import INSTANCE, Event, RecordedEvent, Topic, differences
from licet_server.events.storage import reading, recording
from licet_server.events.storage import recording as storage
from licet_server.events.storage.recording import (
    count_undispatched,
    lock_undispatched,
    mark_dispatched,
)
from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.together import Change
from licet_server.kit.unit_of_work import UnitOfWork


async def record_event(
    work: UnitOfWork,
    kind: EventKind,
    *,
    institution_id: UUID,
    subject_id: UUID,
    data: Mapping[str, object],
    product_id: UUID | None = None,
    changes: Mapping[str, object] | None = None,
) -> UUID:
    """Record one event, which commits with the change or not at all; returns its ID."""
    event = Event(
        kind=kind,
        institution_id=institution_id,
        subject_id=subject_id,
        data=data,
        product_id=product_id,
        changes=changes,
    )
    return await recording.insert_event(work.db, event, work.origin, work.recorded_at, work.clock)


Item = TypeVar("Item")
Facts = Mapping[str, object]


def _product_of(item: Any) -> UUID | None:
    product_id: UUID | None = getattr(item, "product_id", None)
    return product_id


@dataclass(frozen=True, slots=True)
class Recorder(Generic[Item]):
    """Records what happens to the items of one kind, which have an ID and an institution.

    An event says which of the `facts` changed, and all of them; `data` is what it says instead.

    Example:
        >>> EVENTS = Recorder(policy_facts)
        >>> await EVENTS.changed(work, EventKind.POLICY_UPDATED, current, changed)
    """

    facts: Callable[[Item], Facts]
    data: Callable[[Item], Facts] | None = None
    product_of: Callable[[Item], UUID | None] = _product_of

    async def created(self, work: UnitOfWork, kind: EventKind, item: Item) -> None:
        """Record that an item was created."""
        await self.happened(work, kind, item, differences({}, self.facts(item)))

    async def changed(self, work: UnitOfWork, kind: EventKind, before: Item, after: Item) -> None:
        """Record what changed about an item."""
        await self.happened(work, kind, after, differences(self.facts(before), self.facts(after)))

    async def deleted(self, work: UnitOfWork, kind: EventKind, item: Item) -> None:
        """Record that an item was deleted."""
        await self.happened(work, kind, item, differences(self.facts(item), {}))

    async def happened(
        self, work: UnitOfWork, kind: EventKind, item: Any, changes: Facts | None = None
    ) -> None:
        """Record an event about an item, with these changes."""
        await record_event(
            work,
            kind,
            institution_id=item.institution_id,
            subject_id=item.id,
            product_id=self.product_of(item),
            data=(self.data or self.facts)(item),
            changes=changes,
        )


async def record_for_instance(
    work: UnitOfWork, kind: EventKind, *, subject_id: UUID, data: Mapping[str, object]
) -> None:
    """Record an event that concerns no institution but the operation of the service."""
    event = Event(kind=kind, institution_id=INSTANCE, subject_id=subject_id, data=data)
    await recording.insert_event(work.db, event, work.origin, work.recorded_at, work.clock)


async def record_events(work: UnitOfWork, events: Sequence[Event]) -> None:
    """Record events of one origin in one round trip."""
    recorded = [(event, work.origin) for event in events]
    await recording.insert_events(work.db, recorded, work.recorded_at, work.clock)


def changes_of_events(work: UnitOfWork, events: Sequence[Event]) -> list[Change]:
    """Return what `record_events` does, to be done together with other changes."""
    recorded = [(event, work.origin) for event in events]
    return recording.changes_of(recorded, work.recorded_at, work.clock)


async def record_batch(
    db: Connection, events: Sequence[tuple[Event, Origin]], now: datetime
) -> None:
    """Record events of several origins in one round trip, in the caller's transaction."""
    await recording.insert_events(db, events, now)


def changes_of_batch(events: Sequence[tuple[Event, Origin]], now: datetime) -> list[Change]:
    """Return what records events of several origins, to be done together with other changes."""
    return recording.changes_of(events, now)


async def claim_topics(
    db: Connection, topics: Collection[Topic], every: timedelta, now: datetime
) -> set[Topic]:
    """Claim the topics that no process has claimed within `every`; returns those claimed.

    The process that claims a topic records its event, so that it is recorded at most once in that
    time.
    """
    return await recording.claim_topics(db, topics, every, now)


EventSubscriber = Callable[[UnitOfWork, Sequence[RecordedEvent]], Awaitable[None]]
"""Writes what follows from events, in the transaction and at the instant of the unit of work."""


async def dispatch_next(
    work: UnitOfWork, subscribers: Sequence[EventSubscriber], limit: int
) -> int:
    """Dispatch the oldest undispatched, unlocked events to every subscriber; returns how many.

    Several processes may do so at once: each skips what another has locked.
    """
    events = await lock_undispatched(work.db, limit)
    if not events:
        return 0
    for subscriber in subscribers:
        await subscriber(work, events)
    await mark_dispatched(work.db, events)
    return len(events)


async def measure_undispatched(db: Connection, _now: datetime) -> Backlog:
    """Measure the events that wait to be dispatched."""
    return await count_undispatched(db)


async def count_since(
    db: Connection, institution_id: UUID, subject_id: UUID, kind: EventKind, since: datetime
) -> int:
    """Count the events of a kind about a subject, after an instant."""
    return await reading.count_since(db, institution_id, subject_id, kind, since)


_HOUR = timedelta(hours=1)


async def summarize_omitted_events(platform: Platform) -> int:
    """Record how many events of each license were not permanent, once for each past hour."""
    async with platform.unit_of_work(Origin()) as work:
        until = work.now.replace(minute=0, second=0, microsecond=0)
        counted = await storage.count_by_hour(work.db, until - timedelta(days=1), until)
        summaries = {
            _topic(institution_id, license_id, hour): _summary(
                institution_id, license_id, hour, {item.kind: item.number for item in items}
            )
            for (institution_id, license_id, hour), items in groupby(
                counted, key=lambda item: (item.institution_id, item.license_id, item.hour)
            )
        }
        due = await claim_topics(work.db, summaries, timedelta(days=2), work.now)
        await record_events(work, [summaries[topic] for topic in sorted(due)])
    return len(due)


async def delete_transient_events(platform: Platform) -> int:
    """Delete the events that are not permanent and older than a week; returns how many."""
    async with platform.unit_of_work(Origin()) as work:
        return await storage.delete_before(work.db, work.now - timedelta(days=TRANSIENT_DAYS))


def _topic(institution_id: UUID, license_id: UUID, hour: datetime) -> Topic:
    return institution_id, f"omitted:{license_id}:{hour:%Y-%m-%dT%H}"


def _summary(
    institution_id: UUID, license_id: UUID, hour: datetime, counts: dict[str, int]
) -> Event:
    return Event(
        kind=EventKind.LICENSE_EVENTS_OMITTED,
        institution_id=institution_id,
        subject_id=license_id,
        data={
            "id": license_id,
            "from": hour.isoformat(),
            "to": (hour + _HOUR).isoformat(),
            "counts": counts,
        },
    )
