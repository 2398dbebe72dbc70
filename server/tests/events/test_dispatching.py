"""Each event is dispatched to its subscribers once, even if a process dies in between."""

import asyncio
import uuid
from collections.abc import Sequence

import pytest
from testkit import Owner

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event, RecordedEvent
from licet_server.events.service.recording import EventSubscriber, dispatch_next, record_events
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.worker import dispatch_events


class Listener:
    """A subscriber that remembers events, and fails if the test says so."""

    def __init__(self) -> None:
        self.heard: list[RecordedEvent] = []
        self.fails = False

    async def receive(self, work: UnitOfWork, events: Sequence[RecordedEvent]) -> None:
        self.heard += events
        if self.fails:
            raise OSError("the process died")

    def of(self, owner: Owner) -> list[RecordedEvent]:
        mine = uuid.UUID(owner.institution_id)
        return [item for item in self.heard if item.institution_id == mine]


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    made = Listener()
    subscribers: tuple[EventSubscriber, ...] = (made.receive,)
    monkeypatch.setattr("licet_server.worker.SUBSCRIBERS", subscribers)
    return made


async def record_some(platform: Platform, owner: Owner, count: int) -> list[uuid.UUID]:
    """Returns their subjects."""
    institution = uuid.UUID(owner.institution_id)
    async with platform.unit_of_work(Origin()) as work:
        subjects = [work.new_id() for _ in range(count)]
        kind, data = EventKind.LICENSE_CREATED, {"amount": 1, "licenseName": "Northwind"}
        await record_events(work, [Event(kind, institution, item, data) for item in subjects])
    return subjects


async def test_each_event_is_dispatched_once_in_order(
    platform: Platform, owner: Owner, listener: Listener
) -> None:
    subjects = await record_some(platform, owner, 1_200)
    assert await dispatch_events(platform) >= 1_200
    heard = [item for item in listener.of(owner) if item.kind is EventKind.LICENSE_CREATED]
    assert [item.subject_id for item in heard] == subjects
    assert heard[0].data == {"amount": 1, "licenseName": "Northwind"}
    assert (heard[0].license_id, heard[0].subject_name) == (subjects[0], "Northwind")
    before = len(listener.of(owner))
    await dispatch_events(platform)
    assert len(listener.of(owner)) == before


async def test_events_of_several_vendors_are_dispatched_at_once(
    platform: Platform,
    owner: Owner,
    stranger: Owner,
    listener: Listener,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where rows are locked of one vendor at a time, a step may dispatch more than it asked for."""
    await dispatch_events(platform)
    for vendor in (owner, stranger):
        await record_some(platform, vendor, 5)
    monkeypatch.setattr("licet_server.worker._EVENTS_AT_ONCE", 3)
    assert await dispatch_events(platform) == 10


async def test_what_a_crash_interrupts_is_dispatched_again(
    platform: Platform, owner: Owner, listener: Listener
) -> None:
    await dispatch_events(platform)
    await record_some(platform, owner, 3)
    listener.heard, listener.fails = [], True
    with pytest.raises(OSError, match="died"):
        await dispatch_events(platform)
    listener.heard, listener.fails = [], False
    await dispatch_events(platform)
    assert len(listener.of(owner)) == 3


async def test_two_processes_share_the_work(
    platform: Platform, owner: Owner, listener: Listener
) -> None:
    """What one has locked, the other skips, and neither waits."""
    await dispatch_events(platform)
    await record_some(platform, owner, 10)
    listener.heard = []
    async with platform.unit_of_work(Origin()) as first:
        assert await dispatch_next(first, [listener.receive], 4) == 4
        async with asyncio.timeout(10):
            await dispatch_events(platform)
    found = [item.id for item in listener.of(owner)]
    assert len(found) == len(set(found)) == 10


async def test_what_is_not_committed_is_not_dispatched(
    platform: Platform, owner: Owner, listener: Listener
) -> None:
    await dispatch_events(platform)
    listener.heard = []
    institution = uuid.UUID(owner.institution_id)
    event = Event(EventKind.LICENSE_CREATED, institution, institution, {})
    async with platform.unit_of_work(Origin()) as work:
        await record_events(work, [event])
        await dispatch_events(platform)
        assert listener.of(owner) == []
    await dispatch_events(platform)
    assert len(listener.of(owner)) == 1
