"""Events reach their projections once, whoever dies in between."""

import asyncio
import uuid
from collections.abc import Sequence

import pytest
from testkit import Owner

from licet_server.events.rules.model import Event, Recorded
from licet_server.events.service.dispatching import Projection, dispatch_next
from licet_server.events.storage.recording import record_many
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.worker import dispatch_events


class Listener:
    """A projection that remembers, and fails when it is told to."""

    def __init__(self) -> None:
        self.heard: list[Recorded] = []
        self.fails = False

    async def project(self, work: UnitOfWork, told: Sequence[Recorded]) -> None:
        self.heard += told
        if self.fails:
            raise OSError("the process died")

    def of(self, owner: Owner) -> list[Recorded]:
        mine = uuid.UUID(owner.institution_id)
        return [item for item in self.heard if item.institution_id == mine]


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    made = Listener()
    projections: tuple[Projection, ...] = (made.project,)
    monkeypatch.setattr("licet_server.worker.PROJECTIONS", projections)
    return made


async def record_some(platform: Platform, owner: Owner, count: int) -> list[uuid.UUID]:
    """Answers their subjects."""
    institution = uuid.UUID(owner.institution_id)
    async with platform.unit_of_work(Origin()) as work:
        subjects = [work.new_id() for _ in range(count)]
        told: list[tuple[Event, Origin]] = [
            (Event("license.created", institution, subject, {"amount": 1}), Origin())
            for subject in subjects
        ]
        await record_many(work.db, told, work.now)
    return subjects


async def test_each_event_is_told_once_in_order(
    platform: Platform, owner: Owner, listener: Listener
) -> None:
    subjects = await record_some(platform, owner, 1_200)
    assert await dispatch_events(platform) >= 1_200
    told = [item for item in listener.of(owner) if item.kind == "license.created"]
    assert [item.subject_id for item in told] == subjects
    assert told[0].data == '{"amount": 1}'
    before = len(listener.of(owner))
    await dispatch_events(platform)
    assert len(listener.of(owner)) == before


async def test_what_a_crash_interrupts_is_told_again(
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
    """What one holds, the other skips, and neither waits."""
    await dispatch_events(platform)
    await record_some(platform, owner, 10)
    listener.heard = []
    async with platform.unit_of_work(Origin()) as first:
        assert await dispatch_next(first, [listener.project], 4) == 4
        async with asyncio.timeout(10):
            await dispatch_events(platform)
    found = [item.id for item in listener.of(owner)]
    assert len(found) == len(set(found)) == 10


async def test_what_is_not_committed_is_not_told(
    platform: Platform, owner: Owner, listener: Listener
) -> None:
    await dispatch_events(platform)
    listener.heard = []
    institution = uuid.UUID(owner.institution_id)
    event = Event("license.created", institution, institution, {})
    async with platform.unit_of_work(Origin()) as work:
        late: list[tuple[Event, Origin]] = [(event, Origin())]
        await record_many(work.db, late, work.now)
        await dispatch_events(platform)
        assert listener.of(owner) == []
    await dispatch_events(platform)
    assert len(listener.of(owner)) == 1
