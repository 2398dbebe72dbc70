"""Recording events: many at once, rate-limited topics, names and licenses, counts by day."""

import asyncio
import contextlib
from datetime import date, timedelta
from uuid import UUID

from testkit import FakeClock, Owner

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import claim_topics, record_batch
from licet_server.events.storage.reading import count_by_day
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.visibility import Visibility

MINUTE = timedelta(minutes=1)
KIND = EventKind.LICENSE_UPDATED


async def test_many_events_of_several_origins(
    platform: Platform, owner: Owner, clock: FakeClock
) -> None:
    institution = UUID(owner.institution_id)
    events = [
        (Event(KIND, institution, institution, {"n": n}), Origin(request_id=f"r{n}"))
        for n in range(3)
    ]
    async with platform.database.transaction() as db:
        await record_batch(db, events, clock())
        await record_batch(db, [], clock())
    day = clock().date()
    period = {"since": clock() - timedelta(days=1), "until": clock() + timedelta(days=1)}
    async with platform.database.reading() as db:
        counts = await count_by_day(db, Visibility((institution,)), [KIND, "other"], **period)
        before = await count_by_day(
            db,
            Visibility((institution,)),
            [KIND],
            since=clock() - timedelta(days=1),
            until=clock(),
        )
    assert counts == {(day, KIND): 3}
    assert before == {}


async def test_days_are_days_in_utc(platform: Platform, owner: Owner, clock: FakeClock) -> None:
    institution = UUID(owner.institution_id)
    last_instant = clock().replace(hour=23, minute=59, second=59, microsecond=999_999)
    event = Event(KIND, institution, institution, {})
    async with platform.database.transaction() as db:
        await record_batch(db, [(event, Origin())], last_instant)
        await record_batch(db, [(event, Origin())], last_instant + timedelta(microseconds=1))
        counts = await count_by_day(
            db,
            Visibility((institution,)),
            [KIND],
            since=clock(),
            until=clock() + timedelta(days=3),
        )
    assert counts == {
        (date(2030, 1, 15), KIND): 1,
        (date(2030, 1, 16), KIND): 1,
    }


async def test_a_topic_is_claimed_once_per_period(
    platform: Platform, owner: Owner, stranger: Owner, clock: FakeClock
) -> None:
    mine, theirs = (UUID(user.institution_id) for user in (owner, stranger))
    topic, other = (mine, "full:1"), (mine, "full:2")

    async def claim(*topics: tuple[UUID, str]) -> set[tuple[UUID, str]]:
        async with platform.database.transaction() as db:
            return await claim_topics(db, topics, MINUTE, clock())

    assert await claim(topic, topic) == {topic}
    clock.advance(seconds=59)
    assert await claim(topic, other) == {other}
    assert await claim((theirs, "full:1")) == {(theirs, "full:1")}
    clock.advance(seconds=1)
    assert await claim(topic, other) == {topic}
    assert await claim() == set()


async def test_a_claim_that_is_rolled_back_leaves_the_topic_due(
    platform: Platform, owner: Owner, clock: FakeClock
) -> None:
    topic = (UUID(owner.institution_id), "full:1")
    with contextlib.suppress(RuntimeError):
        async with platform.database.transaction() as db:
            assert await claim_topics(db, [topic], MINUTE, clock())
            raise RuntimeError("the change failed")
    async with platform.database.transaction() as db:
        assert await claim_topics(db, [topic], MINUTE, clock()) == {topic}


async def test_one_of_many_concurrent_claims_succeeds(
    platform: Platform, owner: Owner, clock: FakeClock
) -> None:
    topic = (UUID(owner.institution_id), "full:1")

    async def claim() -> bool:
        async with platform.database.transaction() as db:
            return bool(await claim_topics(db, [topic], MINUTE, clock()))

    assert sum(await asyncio.gather(*(claim() for _ in range(20)))) == 1
