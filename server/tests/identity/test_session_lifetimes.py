"""How long sessions live, what their cookies are like, and what a reused refresh token gives."""

import asyncio
from ipaddress import ip_network

import httpx
from applications import AnotherServer
from identity.people import login
from sqlalchemy import text
from testkit import FakeClock, Owner, client_of

from licet_server.kit.platform import Platform


async def cookie_of(owner: Owner) -> str:
    owner.client.cookies.clear()
    cookie = (await login(owner.client, owner.email)).raise_for_status().cookies["licet_refresh"]
    owner.client.cookies.clear()
    return cookie


async def refresh(owner: Owner, cookie: str) -> httpx.Response:
    headers = {"cookie": f"licet_refresh={cookie}"}
    answer = await owner.client.post("/api/auth/refresh", headers=headers)
    owner.client.cookies.clear()
    return answer


async def live_tokens(platform: Platform, owner: Owner) -> int:
    statement = text(
        "SELECT count(*) FROM refresh_tokens JOIN sign_ins ON sign_ins.id = sign_in_id "
        "WHERE user_id = :id AND rotated_at IS NULL"
    )
    async with platform.database.reading() as db:
        return int((await db.execute(statement, {"id": owner.user_id})).scalar_one())


async def test_a_token_used_again_within_10_seconds_gives_the_same_chain(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    before = await live_tokens(platform, owner)
    first = await cookie_of(owner)
    answers = [await refresh(owner, first) for _ in range(3)]
    [second] = {answer.raise_for_status().cookies["licet_refresh"] for answer in answers}
    clock.advance(seconds=10)
    third = (await refresh(owner, second)).cookies["licet_refresh"]
    late = (await refresh(owner, first)).cookies["licet_refresh"]  # two tabs, one far ahead
    assert late == third
    assert await live_tokens(platform, owner) == before + 1
    clock.advance(seconds=1)
    assert (await refresh(owner, first)).status_code == 401
    assert (await refresh(owner, third)).status_code == 401, "the whole session has ended"


async def test_concurrent_uses_of_a_token_give_one_chain(owner: Owner, platform: Platform) -> None:
    before = await live_tokens(platform, owner)
    first = await cookie_of(owner)
    answers = await asyncio.gather(*(refresh(owner, first) for _ in range(10)))
    assert len({answer.raise_for_status().cookies["licet_refresh"] for answer in answers}) == 1
    assert await live_tokens(platform, owner) == before + 1


async def test_stored_salt_does_not_reveal_the_next_token(owner: Owner, platform: Platform) -> None:
    second = (await refresh(owner, await cookie_of(owner))).cookies["licet_refresh"]
    async with platform.database.reading() as db:
        rows = (await db.execute(text("SELECT CAST(t AS text) FROM refresh_tokens t"))).scalars()
        assert not any(second in row for row in rows)


async def test_a_session_ends_after_90_days_however_often_it_is_used(
    owner: Owner, clock: FakeClock
) -> None:
    cookie = await cookie_of(owner)
    for _ in range(4):
        clock.advance(days=20)
        answer = (await refresh(owner, cookie)).raise_for_status()
        cookie = answer.cookies["licet_refresh"]
    assert "Max-Age=864000" in answer.headers["set-cookie"], "10 days are left"
    clock.advance(days=9, hours=23, minutes=55)
    answer = (await refresh(owner, cookie)).raise_for_status()
    owner.headers = {"authorization": f"Bearer {answer.json()['accessToken']}"}
    await owner.ok("GET", "/api/auth/me")
    await owner.ok("GET", "/api/products")
    clock.advance(minutes=5)
    assert (await refresh(owner, answer.cookies["licet_refresh"])).status_code == 401
    assert (await owner.send("GET", "/api/auth/me")).status_code == 401
    assert (await owner.send("GET", "/api/products")).status_code == 401


async def test_the_cookie_and_hsts_follow_the_public_address(
    owner: Owner, another_server: AnotherServer
) -> None:
    for public_url, is_secure in (("https://licenses.example.com", True), ("http://a.test", False)):
        async with client_of(await another_server(public_url=public_url)) as client:
            answer = (await login(client, owner.email)).raise_for_status()
            assert ("Secure" in answer.headers["set-cookie"]) is is_secure
            assert ("strict-transport-security" in answer.headers) is is_secure
            live = await client.get("/health/live")
            assert ("strict-transport-security" in live.headers) is is_secure


async def test_a_trusted_proxy_may_name_the_scheme_alone(another_server: AnotherServer) -> None:
    server = await another_server(trusted_proxies=(ip_network("203.0.113.1"),))
    for address, is_secure in (("203.0.113.1", True), ("198.51.100.1", False)):
        async with client_of(server, address) as client:
            answer = await client.get("/health/live", headers={"x-forwarded-proto": "https"})
            assert ("strict-transport-security" in answer.headers) is is_secure
