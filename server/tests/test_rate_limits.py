"""Limits of keys that institutions set: exact over processes, told in headers, free where unset."""

import asyncio
from typing import Any

import httpx
import pytest
from applications import AnotherServer
from metering.factories import new_key
from statements import sent_statements
from testkit import Owner, client_of
from world import Vendor, World, open_vendor

from licet_server.app import Application


async def limit(owner: Owner, **limits: int | None) -> None:
    await owner.ok("PUT", f"/api/institutions/{owner.institution_id}/settings", limits)


def headers_of(answer: httpx.Response) -> tuple[int, int, int] | None:
    """Limit, remaining and reset."""
    found = [answer.headers.get(f"ratelimit-{name}") for name in ("limit", "remaining", "reset")]
    if found == [None] * 3:
        return None
    first, second, third = (int(value or "") for value in found)
    return first, second, third


async def validate(vendor: Vendor, license_: dict[str, Any]) -> httpx.Response:
    return await vendor.call(
        "POST", "/api/licenses/validate", {"licenseKey": license_["licenseKey"]}
    )


@pytest.mark.specification("institutions.settings")
async def test_a_product_key_has_so_many_requests_a_minute(world: World) -> None:
    made = await world.issue("Perpetual")
    assert headers_of(await validate(world, made)) is None
    await limit(world.owner, runtimeRateLimit=3)
    world.clock.advance(seconds=20)
    told = [headers_of(await validate(world, made)) for _ in range(3)]
    assert told == [(3, 2, 40), (3, 1, 40), (3, 0, 40)]
    refused = await validate(world, made)
    assert (refused.status_code, refused.json()["errorCode"]) == (429, "RateLimited")
    assert refused.headers["retry-after"] == "40"
    assert headers_of(refused) == (3, 0, 40)
    world.clock.advance(seconds=40)
    assert headers_of(await validate(world, made)) == (3, 2, 60)
    await limit(world.owner, runtimeRateLimit=None)
    assert headers_of(await validate(world, made)) is None


async def test_each_of_many_validations_counts(world: World) -> None:
    made = await world.issue("Perpetual")
    body = {"requests": [{"licenseKey": made["licenseKey"]}] * 3}
    await limit(world.owner, runtimeRateLimit=5)
    admitted = await world.call("POST", "/api/licenses/validate-many", body)
    assert (admitted.status_code, (headers_of(admitted) or ())[:2]) == (200, (5, 2))
    refused = await world.call("POST", "/api/licenses/validate-many", body)
    assert (refused.status_code, refused.json()["errorCode"]) == (429, "RateLimited")


async def test_each_key_has_its_own_minute(world: World, stranger: Owner) -> None:
    made = await world.issue("Perpetual")
    other = await open_vendor(stranger)
    of_other = await other.issue("Perpetual")
    await limit(world.owner, runtimeRateLimit=1)
    path = f"/api/products/{world.product['id']}/credentials/rotate"
    rotated = await world.owner.ok("POST", path, {"graceSeconds": None})
    second = Vendor(world.owner, world.product, {"X-API-KEY": rotated["apiKey"]})
    assert second.key != world.key
    assert (await validate(world, made)).is_success
    assert (await validate(world, made)).status_code == 429
    assert (await validate(second, made)).is_success
    assert headers_of(await validate(other, of_other)) is None


async def test_refusals_and_bad_requests_count_and_tell(world: World) -> None:
    await limit(world.owner, runtimeRateLimit=10)
    broken = await world.call("POST", "/api/licenses/validate", {"licenseKey": 7})
    assert (broken.status_code, headers_of(broken)) == (400, (10, 9, 60))
    body = {"licenseKey": "nothing-like-a-key", "featureName": "export", "idempotencyKey": "k"}
    unknown = await world.call("POST", "/api/meter/consume", body)
    assert (unknown.status_code, headers_of(unknown)) == (404, (10, 8, 60))
    nobody = await world.owner.client.post(
        "/api/licenses/validate", json={}, headers={"x-api-key": "pk_nobody"}
    )
    assert (nobody.status_code, headers_of(nobody)) == (401, None)


async def test_an_api_key_has_so_many_requests_a_minute(world: World) -> None:
    async def make_key(*scopes: str) -> dict[str, str]:
        body = {"name": "CI", "scopes": list(scopes), "ipAllowList": ["10.0.0.0/8"]}
        made = await world.owner.ok("POST", "/api/api-keys", body)
        return {"authorization": f"Bearer {made['secret']}"}

    await limit(world.owner, apiKeyRateLimit=3)
    first, second = await make_key("Licenses.Read"), await make_key("Licenses.Read")
    ask, path = world.owner.client.get, "/api/licenses"
    assert headers_of(await ask(path, headers=first)) == (3, 2, 60)
    out_of_scope = await ask("/api/products", headers=first)
    assert (out_of_scope.status_code, headers_of(out_of_scope)) == (403, (3, 1, 60))
    missing = await ask(f"{path}/{world.product['id']}", headers=first)
    assert (missing.status_code, headers_of(missing)) == (404, (3, 0, 60))
    refused = await ask(path, headers=first)
    assert (refused.status_code, headers_of(refused)) == (429, (3, 0, 60))
    assert refused.headers["retry-after"] == "60"
    assert (await ask(path, headers=second)).is_success
    # Neither people nor applications are held up by it.
    assert headers_of(await world.owner.send("GET", path)) is None
    made = await world.issue("Perpetual")
    assert headers_of(await validate(world, made)) is None


async def test_a_thief_elsewhere_uses_nothing_up(owner: Owner, application: Application) -> None:
    await limit(owner, apiKeyRateLimit=2)
    body = {"name": "CI", "scopes": ["Licenses.Read"], "ipAllowList": ["10.0.0.0/8"]}
    key = (await owner.ok("POST", "/api/api-keys", body))["secret"]
    headers = {"authorization": f"Bearer {key}"}
    async with client_of(application, "198.51.100.7") as thief:
        for _ in range(3):
            refused = await thief.get("/api/licenses", headers=headers)
            assert (refused.status_code, headers_of(refused)) == (403, None)
    assert headers_of(await owner.client.get("/api/licenses", headers=headers)) == (2, 1, 60)


async def test_limits_that_everybody_has_are_told_too(world: World) -> None:
    world.clock.advance(seconds=30)
    body = {"licenseKey": "a-key-of-twenty-symbols", "salt": "A" * 22}
    derived = await world.owner.client.post("/api/security/derive-key", json=body)
    assert (derived.status_code, headers_of(derived)) == (200, (60, 59, 30))
    login = {"email": world.owner.email, "password": "wrong password"}
    failed = await world.owner.client.post("/api/auth/login", json=login)
    assert (failed.status_code, headers_of(failed)) == (401, (10, 9, 30))
    await world.owner.sign_in()
    again = await world.owner.client.post("/api/auth/login", json=login)
    assert headers_of(again) == (10, 8, 30)  # a sign-in that succeeds does not count
    unknown = await world.validate({"licenseKey": "nothing-like-a-key"})
    assert unknown["status"] == "LicenseNotFound"
    body = {"licenseKey": "nothing-like-a-key"}
    answer = await world.call("POST", "/api/licenses/validate", body)
    assert (answer.status_code, headers_of(answer)) == (200, (120, 118, 30))
    made = await world.issue("Perpetual")
    assert headers_of(await validate(world, made)) is None
    session = await world.owner.client.post("/api/auth/login", json={**login, "password": "x" * 9})
    assert headers_of(session) == (10, 7, 30)


async def test_of_several_limits_the_tightest_is_told(world: World) -> None:
    await limit(world.owner, runtimeRateLimit=200)
    nothing = {"licenseKey": "nothing-like-a-key"}
    assert headers_of(await validate(world, nothing)) == (120, 119, 60)
    await limit(world.owner, runtimeRateLimit=20)
    assert headers_of(await validate(world, nothing)) == (20, 18, 60)


async def test_a_reset_tells_nothing_of_an_address(owner: Owner) -> None:
    for email in (owner.email, "nobody@example.com"):
        for _ in range(7):
            answer = await owner.client.post("/api/auth/password-reset", json={"email": email})
            assert (answer.status_code, headers_of(answer)) == (202, None)


async def test_two_processes_admit_no_more_than_one(
    world: World, another_server: AnotherServer
) -> None:
    made = await world.issue("Perpetual")
    await limit(world.owner, runtimeRateLimit=25)
    body = {"licenseKey": made["licenseKey"]}
    async with client_of(await another_server()) as elsewhere:
        for _ in range(2):
            answers = await asyncio.gather(
                *(
                    client.post("/api/licenses/validate", json=body, headers=world.key)
                    for _ in range(30)
                    for client in (world.owner.client, elsewhere)
                )
            )
            codes = [answer.status_code for answer in answers]
            assert (codes.count(200), codes.count(429)) == (25, 35)
            left = sorted(found[1] for answer in answers if (found := headers_of(answer)))
            assert left == [0] * 36 + list(range(1, 25))
            world.clock.advance(minutes=1)


@pytest.mark.undivided
async def test_without_a_limit_there_is_no_statement_more_and_with_one_a_single_one(
    world: World,
) -> None:
    """On each of the hot routes, for one request and for those that come together."""
    plain = await world.issue("Perpetual")
    metered = await world.issue("MeteredCount")
    floating = await world.issue("Floating")
    sessions = Vendor(world.owner, world.product, world.key)
    held = await sessions.connected(floating)

    async def ask_all(times: int) -> list[list[str]]:
        sent = []
        for ask in (
            lambda: validate(world, plain),
            lambda: sessions.heartbeat(held),
            lambda: world.consume(metered, idempotencyKey=new_key()),
        ):
            world.clock.advance(seconds=10)
            with sent_statements() as taken:
                answers = await asyncio.gather(*(ask() for _ in range(times)))
            assert any(answer.is_success for answer in answers)
            sent.append(list(taken))
        return sent

    def counts(statements: list[str]) -> int:
        return sum("rate_counters" in statement for statement in statements)

    await ask_all(1)  # what a route does once in its life
    without = await ask_all(1)
    assert [counts(sent) for sent in without] == [0, 0, 0]
    assert [counts(sent) for sent in await ask_all(8)] == [0, 0, 0]
    await limit(world.owner, runtimeRateLimit=1_000_000)
    limited = await ask_all(1)
    assert [counts(sent) for sent in limited] == [1, 1, 1]
    assert [len(sent) for sent in limited] == [len(sent) + 1 for sent in without]
    assert [counts(sent) for sent in await ask_all(8)] == [1, 1, 1]


async def test_a_copy_connects_60_times_a_minute(world: World) -> None:
    made, other = await world.issue("Floating"), await world.issue("Floating")

    async def ask(machine: str, license_: dict[str, Any] = made) -> httpx.Response:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine, "instanceId": "one"}
        return await world.call("POST", "/api/sessions/connect", body)

    told = [answer.status_code for answer in await asyncio.gather(*(ask("a") for _ in range(61)))]
    assert max(told) == 429
    assert told.count(429) == 1
    refused = await ask("a")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
    assert (await ask("b")).is_success
    assert (await ask("a", other)).is_success
    world.clock.advance(minutes=1)
    assert (await ask("a")).is_success
