"""Reading notifications: the list, its pages, what is read, and what is purged."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from catalog.factories import join
from notifications.inbox import Inbox, record
from testkit import FakeClock, Owner

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform
from licet_server.notifications.service.reading import KEPT_FOR, purge_notifications

NewOwner = Callable[..., Any]


@pytest.fixture
def inbox(owner: Owner, platform: Platform) -> Inbox:
    return Inbox(owner, platform)


async def test_reading_is_counted_and_stored(
    owner: Owner, platform: Platform, inbox: Inbox, clock: FakeClock
) -> None:
    await record(platform, owner, *[("webhook.disabled", {})] * 3)
    newest, middle, oldest = await inbox.notifications()
    assert await inbox.unread() == 3
    path = f"/api/notifications/{middle['id']}/read"
    read = await owner.ok("POST", path)
    assert read == {**middle, "readAt": "2030-01-15T12:00:00Z"}
    clock.advance(minutes=1)
    assert await owner.ok("POST", path) == read, "the time of the first call counts"
    assert await inbox.unread() == 2
    assert await inbox.notifications(unread="true") == [newest, oldest]
    assert await inbox.notifications(unread="false") == [read]
    assert await owner.ok("POST", "/api/notifications/read-all") == {"unread": 0}
    assert await inbox.notifications(unread="true") == []
    first = (await inbox.notifications())[0]
    assert first["readAt"] == "2030-01-15T12:01:00Z"


async def test_the_list_has_pages_and_the_keyset_walk(
    owner: Owner, platform: Platform, inbox: Inbox
) -> None:
    await record(platform, owner, *[("webhook.disabled", {})] * 5)
    newest_first = [item["id"] for item in await inbox.notifications()]
    page = await owner.ok("GET", "/api/notifications", params={"page": 2, "pageSize": 2})
    assert [item["id"] for item in page["items"]] == newest_first[2:4]
    assert page["totalCount"] == 5
    walk = await owner.ok("GET", "/api/notifications", params={"after": "", "pageSize": 3})
    assert [item["id"] for item in walk["items"]] == newest_first[::-1][:3]
    oldest_first = await inbox.notifications(sort="createdAt")
    assert [item["id"] for item in oldest_first] == newest_first[::-1]
    assert (await owner.send("GET", "/api/notifications?unread=maybe")).status_code == 400


async def test_notifications_of_others_are_not_visible(
    owner: Owner, stranger: Owner, new_owner: NewOwner, platform: Platform, inbox: Inbox
) -> None:
    """Neither for strangers nor for another Owner of the same institution."""
    partner = await new_owner("Partner")
    await join(platform, owner, partner, Role.OWNER)
    await record(platform, owner, ("webhook.disabled", {}))
    [mine] = await inbox.notifications()
    for other in (stranger, partner):
        answer = await other.send("POST", f"/api/notifications/{mine['id']}/read")
        assert (answer.status_code, answer.json()["errorCode"]) == (404, "NotFound")
        await other.ok("POST", "/api/notifications/read-all")
    assert await inbox.unread() == 1
    [theirs] = await Inbox(partner, platform).notifications()
    assert theirs["id"] != mine["id"]


async def test_old_notifications_are_purged(
    owner: Owner, platform: Platform, inbox: Inbox, clock: FakeClock
) -> None:
    await record(platform, owner, ("webhook.disabled", {}))
    assert len(await inbox.notifications()) == 1
    clock.advance(days=KEPT_FOR.days - 1)
    await record(platform, owner, ("meter.depleted", {}))
    await owner.sign_in()
    assert len(await inbox.notifications()) == 2
    await purge_notifications(platform)
    assert len(await inbox.notifications()) == 2
    clock.now += timedelta(days=2)
    await purge_notifications(platform)
    await owner.sign_in()
    assert [item["kind"] for item in await inbox.notifications()] == ["LowBalance"]
