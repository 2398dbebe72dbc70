"""Streaming notifications over real connections to the real application."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import uvicorn
from catalog.factories import join
from e2e.process import NO_TLS
from events.factories import event_of, recorded_event
from events.factories import record as record_events
from notifications.inbox import Inbox
from patience import PATIENCE_S, until
from sqlalchemy import text
from testkit import FakeClock, Owner

from licet_server.app import Application
from licet_server.events.rules.kinds import NotificationKind
from licet_server.identity.rules.memberships import Role
from licet_server.kit.database import Connection
from licet_server.kit.ids import least_id, new_id
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.notifications import http as notifications
from licet_server.notifications import storage
from licet_server.notifications.http import STREAMS
from licet_server.notifications.rules.model import Notification, NotificationSubject
from licet_server.notifications.service.notifying import create_notifications
from licet_server.notifications.service.reading import (
    MAX_QUEUED,
    TASK_NAME,
    FeedSubscriber,
)
from licet_server.worker import dispatch_events

PATH = "/api/notifications/stream"


class Server(uvicorn.Server):
    """In this process; the signals are those of the tests."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        task = asyncio.create_task(self._serve())
        await until(lambda: self.started)
        port = self.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
        self.should_exit = True
        await task


@pytest.fixture
async def server(application: Application) -> AsyncIterator[Server]:
    config = uvicorn.Config(
        application.asgi, port=0, lifespan="off", log_config=None, timeout_graceful_shutdown=1
    )
    server = Server(config)
    async with server.running() as address:
        server.address = address  # type: ignore[attr-defined]
        yield server
    await gone()


@dataclass
class Stream:
    """The messages of a connection."""

    answer: httpx.Response

    def __post_init__(self) -> None:
        self._lines = self.answer.aiter_lines()

    async def block(self) -> dict[str, str]:
        """The next message or comment; empty at the end of the stream."""
        found: dict[str, str] = {}
        async with asyncio.timeout(PATIENCE_S):
            async for line in self._lines:
                if not line and found:
                    return found
                if line:
                    name, _, value = line.partition(": ")
                    found[name or "comment"] = value
        return found

    async def message(self, kind: str) -> Any:
        block = await self.block()
        assert block.get("event") == kind, block
        return json.loads(block["data"])


@pytest.fixture
async def follow(server: Server) -> AsyncIterator[Callable[[Owner], Any]]:
    """Open connections, which are closed at the end."""
    address: str = server.address  # type: ignore[attr-defined]
    async with httpx.AsyncClient(
        base_url=address, timeout=PATIENCE_S, trust_env=False, verify=NO_TLS
    ) as client:
        opened: list[httpx.Response] = []

        async def open_(user: Owner) -> Stream:
            request = client.build_request("GET", PATH, headers=user.headers)
            answer = await client.send(request, stream=True)
            opened.append(answer)
            return Stream(answer)

        yield open_
        for answer in opened:
            await answer.aclose()


async def followed(follow: Callable[[Owner], Any], user: Owner) -> Stream:
    """Return a stream that has started."""
    stream: Stream = await follow(user)
    assert stream.answer.status_code == 200, await stream.answer.aread()
    await stream.message("unread")
    return stream


async def record(platform: Platform, owner: Owner, kind: str = "meter.depleted") -> None:
    await record_events(platform, event_of(owner, kind))
    await dispatch_events(platform)


def tasks() -> list[asyncio.Task[Any]]:
    return [task for task in asyncio.all_tasks() if task.get_name() == TASK_NAME]


async def gone() -> None:
    """Wait until polling has stopped."""
    await until(lambda: not tasks())


async def test_head_of_the_stream_comes_without_the_stream(owner: Owner) -> None:
    async with asyncio.timeout(PATIENCE_S):  # the stream would not end
        answer = await owner.send("HEAD", PATH)
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert not tasks()


async def test_new_notifications_are_pushed(
    owner: Owner, platform: Platform, follow: Callable[[Owner], Any]
) -> None:
    await record(platform, owner)
    stream: Stream = await follow(owner)
    assert stream.answer.headers["content-type"].startswith("text/event-stream")
    assert stream.answer.headers["cache-control"] == "no-store"
    assert await stream.message("unread") == {"unread": 1}
    for kind in ("webhook.disabled", "meter.low_balance"):
        await record(platform, owner, kind)
        pushed = await stream.message("notification")
        [newest, *_] = await Inbox(owner, platform).notifications()
        assert pushed == newest


async def test_each_subscriber_gets_their_own_once(
    owner: Owner, stranger: Owner, platform: Platform, follow: Callable[[Owner], Any]
) -> None:
    streams = {user.email: await followed(follow, user) for user in (owner, stranger)}
    second = await followed(follow, owner)
    for user in (stranger, owner, stranger):
        await record(platform, user)
    theirs = [await streams[stranger.email].message("notification") for _ in range(2)]
    mine = await streams[owner.email].message("notification")
    assert {item["institutionId"] for item in theirs} == {stranger.institution_id}
    assert len({item["id"] for item in theirs}) == 2
    assert mine["institutionId"] == owner.institution_id
    assert await second.message("notification") == mine


async def test_late_commits_are_pushed(
    owner: Owner, platform: Platform, clock: FakeClock, follow: Callable[[Owner], Any]
) -> None:
    """Another process may have created it half a minute ago, with an ID older than others."""
    stream = await followed(follow, owner)
    await record(platform, owner)
    first = await stream.message("notification")
    clock.advance(seconds=-30)
    await record(platform, owner)
    clock.advance(seconds=30)
    second = await stream.message("notification")
    assert second["id"] < first["id"]


async def test_a_stream_ends_with_the_token(
    owner: Owner, clock: FakeClock, follow: Callable[[Owner], Any]
) -> None:
    stream = await followed(follow, owner)
    clock.advance(minutes=15)
    assert await stream.block() == {}
    await gone()


async def test_a_stream_ends_with_the_session(owner: Owner, follow: Callable[[Owner], Any]) -> None:
    stream = await followed(follow, owner)
    await owner.ok("DELETE", "/api/auth/sessions")
    assert await stream.block() == {}
    await gone()


async def test_users_who_lose_their_role_get_nothing_more(
    owner: Owner, stranger: Owner, platform: Platform, follow: Callable[[Owner], Any]
) -> None:
    """Not even what was already created for them."""
    await join(platform, owner, stranger, Role.ADMIN)
    stream = await followed(follow, stranger)
    await record(platform, owner)
    assert (await stream.message("notification"))["institutionId"] == owner.institution_id
    async with platform.unit_of_work(Origin()) as work:
        await create_notifications(work, [recorded_event(platform, owner, "meter.depleted")])
        await work.db.execute(
            text("DELETE FROM memberships WHERE user_id = :id AND institution_id = :at"),
            {"id": stranger.user_id, "at": owner.institution_id},
        )
    await record(platform, stranger)
    assert (await stream.message("notification"))["institutionId"] == stranger.institution_id


async def test_disconnected_subscriber_is_removed(
    owner: Owner, follow: Callable[[Owner], Any]
) -> None:
    first, second = [await followed(follow, owner) for _ in range(2)]
    assert len(tasks()) == 1, "one task polls for all"
    await first.answer.aclose()
    await second.answer.aclose()
    await gone()
    for _ in range(2 * STREAMS.per_user):
        stream = await followed(follow, owner)
        await stream.answer.aclose()
        await gone()


async def test_the_number_of_streams_per_user_is_limited(
    owner: Owner, stranger: Owner, follow: Callable[[Owner], Any]
) -> None:
    streams = [await followed(follow, owner) for _ in range(STREAMS.per_user)]
    refused: Stream = await follow(owner)
    assert refused.answer.status_code == 429
    assert int(refused.answer.headers["retry-after"]) > 0
    assert json.loads(await refused.answer.aread())["errorCode"] == "RateLimited"
    await followed(follow, stranger)
    await streams[0].answer.aclose()
    again: Stream = await follow(owner)
    for _ in range(200):
        if again.answer.status_code == 200:
            break
        again = await follow(owner)
    assert again.answer.status_code == 200


async def test_heartbeats_are_comments(
    owner: Owner, follow: Callable[[Owner], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "HEARTBEAT_SECONDS", 0.05)
    stream = await followed(follow, owner)
    assert await stream.block() == {"comment": "still here"}
    assert await stream.block() == {"comment": "still here"}


async def test_the_database_is_polled_once_for_all_subscribers(
    owner: Owner,
    stranger: Owner,
    follow: Callable[[Owner], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    streams = [await followed(follow, user) for user in (owner, owner, owner, stranger)]
    asked: list[set[str]] = []
    enough = asyncio.Event()

    async def fetch_latest(db: Connection, people: Collection[uuid.UUID], *more: Any) -> Any:
        asked.append({str(user) for user in people})
        if len(asked) == 3:
            enough.set()
        return await storage.fetch_latest(db, people, *more)

    counted = SimpleNamespace(fetch_latest=fetch_latest)
    monkeypatch.setattr("licet_server.notifications.service.reading.storage", counted)
    async with asyncio.timeout(PATIENCE_S):
        await enough.wait()
    assert asked == [{owner.user_id, stranger.user_id}] * 3
    assert len(streams) == 4


async def test_an_unavailable_database_ends_no_stream(
    owner: Owner,
    platform: Platform,
    follow: Callable[[Owner], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = await followed(follow, owner)
    failed = asyncio.Event()

    async def fail(*_: Any) -> None:
        failed.set()
        raise OSError("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr("licet_server.notifications.service.reading.storage.fetch_latest", fail)
        async with asyncio.timeout(PATIENCE_S):
            await failed.wait()
    await record(platform, owner)
    await stream.message("notification")


# --- one subscriber --------------------------------------------------------------------------


def subscriber_at(platform: Platform) -> FeedSubscriber:
    now = platform.clock()
    user_id = new_id(now)
    return FeedSubscriber(
        user_id=user_id,
        presence=(user_id, "127.0.0.1"),
        ends_at=now + timedelta(minutes=15),
        since=least_id(now - timedelta(minutes=1)),
    )


def notification(platform: Platform, seconds_ago: float = 0) -> Notification:
    now = platform.clock() - timedelta(seconds=seconds_ago)
    id_ = new_id(now)
    return Notification(
        institution_id=id_,
        id=id_,
        user_id=id_,
        kind=NotificationKind.LOW_BALANCE,
        title="Title",
        body="Body",
        facts=None,
        product_id=None,
        subject_id=id_,
        subject_kind=NotificationSubject.LICENSE,
        created_at=now,
        read_at=None,
    )


async def test_a_subscriber_whose_queue_is_full_is_dropped(platform: Platform) -> None:
    slow = subscriber_at(platform)
    for _ in range(MAX_QUEUED):
        slow.push(notification(platform))
    assert not slow.is_over
    slow.push(notification(platform))
    assert slow.is_over
    assert await slow.next() is None


async def test_a_subscriber_gets_nothing_twice_and_nothing_old(platform: Platform) -> None:
    new, old, seen = (notification(platform, ago) for ago in (0, 61, 5))
    newest, subscriber = notification(platform), subscriber_at(platform)
    subscriber.mark_seen([seen])
    for item in (new, old, seen, new, newest, new):
        subscriber.push(item)
    assert [await subscriber.next() for _ in range(2)] == [new, newest]
    subscriber.end()
    assert await subscriber.next() is None
