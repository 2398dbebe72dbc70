"""The release of the service, and the feed that names a newer one."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from testkit import FakeClock, Owner
from webhooks.receiver import HANG, Receiver, Reply, receiving

import licet
import licet_server
from licet_server.kit.platform import Platform
from licet_server.kit.web.dashboard import BUILT_FOLDER
from licet_server.upgrades import service, storage
from licet_server.upgrades.service import check_feed

CHANGELOG = Path(__file__).parents[3] / "CHANGELOG.md"
MOST_LINES = 45
NEWER = {
    "version": "9.0.0",
    "releasedAt": "2031-01-01T00:00:00Z",
    "notesUrl": "https://example.com/9",
}


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as made:
        yield made


@pytest.fixture
async def fed(platform: Platform, receiver: Receiver) -> Callable[..., Platform]:
    """The platform, asking the receiver for newer releases; no check has been made yet."""
    await check_feed(platform)

    def make(reply: Reply) -> Platform:
        receiver.says(reply)
        return replace(platform, settings=replace(platform.settings, update_feed_url=receiver.url))

    return make


def body(**changes: object) -> Reply:
    return Reply(200, json.dumps(NEWER | changes).encode())


async def named(platform: Platform) -> str | None:
    """The version of the release to upgrade to."""
    async with platform.database.transaction() as db:
        release = await service.find_upgrade(db)
    return None if release is None else release.version


@pytest.mark.specification("mission-9", "versions.notes")
def test_the_newest_release_notes_are_those_of_this_version() -> None:
    notes = CHANGELOG.read_text().replace("\n## Unreleased\n", "\n")
    headings = re.findall(r"^## (\S+), (\d{4}-\d\d-\d\d)$", notes, re.MULTILINE)
    assert headings[0] == (licet_server.__version__, licet_server.RELEASE_DATE)
    assert len(headings) == notes.count("\n## ")
    assert licet.__version__ == licet_server.__version__


def test_notes_of_a_release_can_be_read_at_once() -> None:
    _, *releases = CHANGELOG.read_text().split("\n## ")
    lines = {
        release.splitlines()[0]: [line for line in release.splitlines()[1:] if line]
        for release in releases
    }
    assert {name: len(found) for name, found in lines.items() if len(found) > MOST_LINES} == {}


@pytest.mark.specification("mission-9", "versions.notes")
async def test_version_has_its_day_and_notes(owner: Owner, platform: Platform) -> None:
    answer = await owner.client.get("/api/version")
    assert answer.json() == {
        "version": licet_server.__version__,
        "releasedAt": f"{licet_server.RELEASE_DATE}T00:00:00Z",
        "notesUrl": f"{platform.settings.address}/whats-new",
    }


async def test_no_request_is_sent_without_a_feed(
    platform: Platform, admin: Owner, receiver: Receiver
) -> None:
    assert await check_feed(platform) == 0
    assert receiver.connections == 0
    assert await admin.ok("GET", "/api/version/upgrade") == {"upgrade": None}


async def test_a_newer_release_is_shown_to_system_admins(
    fed: Callable[..., Platform],
    platform: Platform,
    admin: Owner,
    owner: Owner,
    clock: FakeClock,
) -> None:
    assert await check_feed(fed(body())) == 1
    assert await admin.ok("GET", "/api/version/upgrade") == {"upgrade": NEWER}
    assert (await owner.send("GET", "/api/version/upgrade")).status_code == 403
    clock.advance(days=1)
    assert await check_feed(fed(body(version="9.1.0"))) == 1
    assert await named(platform) == "9.1.0"
    assert await check_feed(platform) == 0
    assert await named(platform) is None


async def _checks_at_once(platform: Platform) -> None:
    await asyncio.gather(*(check_feed(platform) for _ in range(6)))


async def test_one_of_many_processes_checks_once_a_day(
    fed: Callable[..., Platform], receiver: Receiver, clock: FakeClock
) -> None:
    platform = fed(body())
    await _checks_at_once(platform)
    clock.advance(hours=23)
    await _checks_at_once(platform)
    assert len(receiver.received) == 1
    clock.advance(hours=1)
    await _checks_at_once(platform)
    assert len(receiver.received) == 2


async def test_control_without_the_claim_each_process_checks(
    fed: Callable[..., Platform], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def always(*_: object) -> bool:
        return True

    monkeypatch.setattr(storage, "claim_check", always)
    await _checks_at_once(fed(body()))
    assert len(receiver.received) == 6


async def test_failing_feed_keeps_the_last_release(
    fed: Callable[..., Platform], platform: Platform, clock: FakeClock
) -> None:
    assert await check_feed(fed(body())) == 1
    clock.advance(days=1)
    assert await check_feed(fed(Reply(500))) == 0
    assert await named(platform) == NEWER["version"]


@pytest.mark.parametrize(
    "reply",
    [
        HANG,
        Reply(500),
        Reply(302, headers={"location": "http://127.0.0.1:1/"}),
        Reply(200, b"{"),
        Reply(200, b"[]"),
        Reply(200, b'{"version": 9}'),
        Reply(200, b'{"version": "' + b"9" * 200_000, without_end=True),
        body(notesUrl="javascript:alert(1)"),
        body(version="0.0.1"),
        body(version="x\0y"),
    ],
)
async def test_malformed_feed_changes_nothing(
    fed: Callable[..., Platform], admin: Owner, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    monkeypatch.setattr(service, "FEED_SECONDS", 0.5)
    assert await check_feed(fed(reply)) == 0
    assert await admin.ok("GET", "/api/version/upgrade") == {"upgrade": None}


@pytest.mark.specification("mission-9", "versions.notes")
async def test_the_page_of_the_notes_has_each_release_with_its_day(
    owner: Owner, platform: Platform
) -> None:
    address = (await owner.client.get("/api/version")).json()["notesUrl"]
    page = await owner.client.get(address.removeprefix(platform.settings.address))
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    built = "\n".join(path.read_text() for path in BUILT_FOLDER.glob("assets/*.js"))
    headings = re.findall(r"^## \d.*$", CHANGELOG.read_text(), re.MULTILINE)
    assert headings
    assert [heading for heading in headings if heading not in built] == []
