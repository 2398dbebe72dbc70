"""Sessions of a user: listed, and ended immediately, by that user only."""

from identity.people import is_signed_in, recorded, signed_in_again
from testkit import FakeClock, Owner

from licet_server.kit.platform import Platform

PATH = "/api/auth/sessions"


async def test_sessions_are_listed(owner: Owner, stranger: Owner, clock: FakeClock) -> None:
    clock.advance(minutes=5)
    owner.client.headers["user-agent"] = "A browser " + "x" * 1000
    other = await signed_in_again(owner)
    listed = await other.ok("GET", PATH)
    assert listed["totalCount"] == 2
    newest, oldest = listed["items"]
    assert set(newest) == {"id", "createdAt", "lastUsedAt", "ipAddress", "userAgent", "current"}
    assert (newest["current"], oldest["current"]) == (True, False)
    assert newest["createdAt"] == "2030-01-15T12:05:00Z"
    assert newest["ipAddress"].startswith("10.0.")
    assert newest["userAgent"].startswith("A browser")
    assert len(newest["userAgent"]) == 300
    by_age = await other.ok("GET", f"{PATH}?sort=createdAt&pageSize=1")
    assert [item["id"] for item in by_age["items"]] == [oldest["id"]]


async def test_a_session_is_ended_immediately(owner: Owner, platform: Platform) -> None:
    other = await signed_in_again(owner)
    [found] = [item for item in (await owner.ok("GET", PATH))["items"] if not item["current"]]
    assert (await owner.send("DELETE", f"{PATH}/{found['id']}")).status_code == 204
    assert not await is_signed_in(other)
    assert await is_signed_in(owner)
    assert (await owner.send("DELETE", f"{PATH}/{found['id']}")).status_code == 404
    assert await recorded(platform, owner) == [("user.session_ended", owner.user_id)]


async def test_sessions_of_others_do_not_exist(owner: Owner, stranger: Owner) -> None:
    [theirs] = (await stranger.ok("GET", PATH))["items"]
    answer = await owner.send("DELETE", f"{PATH}/{theirs['id']}")
    assert (answer.status_code, answer.json()["errorCode"]) == (404, "NotFound")
    assert await is_signed_in(stranger)


async def test_signing_out_everywhere_includes_this_session(
    owner: Owner, stranger: Owner, platform: Platform
) -> None:
    other = await signed_in_again(owner)
    assert (await owner.send("DELETE", PATH)).status_code == 204
    assert not await is_signed_in(owner)
    assert not await is_signed_in(other)
    assert await is_signed_in(stranger)
    assert await recorded(platform, owner) == [("user.all_sessions_ended", owner.user_id)]


async def test_ended_and_expired_sessions_are_not_listed(owner: Owner, clock: FakeClock) -> None:
    await signed_in_again(owner)
    clock.advance(days=30)
    await owner.sign_in()
    listed = await owner.ok("GET", PATH)
    assert [item["current"] for item in listed["items"]] == [True]
