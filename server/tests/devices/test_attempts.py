"""Access attempts: what is recorded, and that it affects no decision."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from catalog.factories import NOWHERE, join, refusal
from devices.books import assert_counters_match, counters_of, events_in, flood, rows_of, state_of
from devices.factories import Shop, open_shop
from testkit import FakeClock, Owner, client_of

from licet_server.app import Application
from licet_server.devices.tables import access_attempts
from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform


@pytest.fixture
async def shop(owner: Owner) -> Shop:
    return await open_shop(owner)


@pytest.fixture
async def bound(shop: Shop) -> dict[str, Any]:
    """A license that is bound to `machine-1`."""
    license_ = await shop.issue("NodeLocked")
    await shop.validate(license_, "machine-1")
    return license_


def place(license_: dict[str, Any], attempt: Any = None) -> str:
    path = f"/api/licenses/{license_['id']}/access-attempts"
    return path if attempt is None else f"{path}/{attempt}/acknowledge"


@pytest.mark.specification("attempts.recorded")
async def test_a_device_has_one_attempt_across_entry_points(
    shop: Shop, bound: dict[str, Any], clock: FakeClock, application: Application
) -> None:
    await shop.validate(bound, "machine-2")
    [first] = await shop.attempts(bound)
    assert first == {
        "id": first["id"],
        "attemptedHardwareId": "machine-2",
        "boundHardwareId": "machine-1",
        "ipAddress": first["ipAddress"],
        "entryPoint": "Validate",
        "attemptCount": 1,
        "firstSeenAt": "2030-01-15T12:00:00Z",
        "lastSeenAt": "2030-01-15T12:00:00Z",
        "reviewed": False,
        "reviewedAt": None,
    }
    clock.advance(minutes=1)
    assert (await shop.activate(bound, "machine-2")).status_code == 409
    clock.advance(minutes=1)
    body = {"licenseKey": bound["licenseKey"], "hardwareId": "machine-2"}
    async with client_of(application, "198.51.100.7") as elsewhere:
        answer = await elsewhere.post("/api/sessions/connect", json=body, headers=shop.key)
    assert refusal(answer) == (403, "HardwareMismatch")
    [last] = await shop.attempts(bound)
    assert last == first | {
        "ipAddress": "198.51.100.7",
        "entryPoint": "Connect",
        "attemptCount": 3,
        "lastSeenAt": "2030-01-15T12:02:00Z",
    }


@pytest.mark.specification("mission-bug-entry-point")
async def test_a_refresh_is_an_entry_point_of_its_own(shop: Shop, bound: dict[str, Any]) -> None:
    assert refusal(await shop.refresh(bound, "machine-2")) == (403, "HardwareMismatch")
    [attempt] = await shop.attempts(bound)
    assert (attempt["entryPoint"], attempt["attemptCount"]) == ("Refresh", 1)


@pytest.mark.specification("attempts.recorded")
async def test_an_attempt_shows_the_device_bound_at_the_time(
    shop: Shop, bound: dict[str, Any]
) -> None:
    await shop.validate(bound, "machine-3")
    await shop.deactivate(bound, "machine-1")
    await shop.validate(bound, "machine-2")
    await shop.validate(bound, "machine-3")
    [attempt] = await shop.attempts(bound)
    assert (attempt["boundHardwareId"], attempt["attemptCount"]) == ("machine-2", 2)


async def test_attempts_are_sorted(shop: Shop, bound: dict[str, Any], clock: FakeClock) -> None:
    for machine in ("a", "b", "c", "a", "a", "b"):
        clock.advance(seconds=1)
        await shop.validate(bound, machine)

    async def order(query: str) -> list[str]:
        items = (await shop.owner.ok("GET", place(bound) + query))["items"]
        return [item["attemptedHardwareId"] for item in items]

    assert await order("") == ["c", "b", "a"]
    assert await order("?sort=attemptCount") == ["c", "b", "a"]
    assert await order("?sort=-attemptCount") == ["a", "b", "c"]
    assert await order("?sort=-lastSeenAt") == ["b", "a", "c"]
    assert await order("?sort=firstSeenAt") == ["a", "b", "c"]
    assert await order("?pageSize=1&page=2") == ["b"]
    page = await shop.owner.ok("GET", place(bound))
    assert (page["page"], page["pageSize"], page["totalCount"]) == (1, 25, 3)


@pytest.mark.specification("states.attempt-reviewed")
async def test_an_attempt_is_reviewed_once(
    shop: Shop, bound: dict[str, Any], clock: FakeClock, platform: Platform
) -> None:
    for machine in ("machine-2", "machine-3"):
        await shop.validate(bound, machine)
    second, first = await shop.attempts(bound)
    assert (await shop.read(bound))["unreviewedAccessAttempts"] == 2
    clock.advance(minutes=1)
    reviewed = await shop.owner.ok("POST", place(bound, first["id"]))
    assert reviewed == first | {"reviewed": True, "reviewedAt": "2030-01-15T12:01:00Z"}
    clock.advance(minutes=1)
    assert await shop.owner.ok("POST", place(bound, first["id"])) == reviewed
    assert (await shop.read(bound))["unreviewedAccessAttempts"] == 1
    await shop.validate(bound, "machine-2")
    [_, again] = await shop.attempts(bound)
    assert (again["attemptCount"], again["reviewed"]) == (2, True)
    assert again["reviewedAt"] == "2030-01-15T12:01:00Z"
    assert (await shop.read(bound))["unreviewedAccessAttempts"] == 1
    answers = await asyncio.gather(
        *(shop.owner.ok("POST", place(bound, second["id"])) for _ in range(8))
    )
    assert all(answer["reviewed"] for answer in answers)
    assert (await shop.read(bound))["unreviewedAccessAttempts"] == 0
    await assert_counters_match(platform, bound)


@pytest.mark.specification("attempts.who")
async def test_who_may_read_and_review(
    shop: Shop,
    bound: dict[str, Any],
    stranger: Owner,
    new_owner: Callable[..., Any],
    platform: Platform,
) -> None:
    await shop.validate(bound, "machine-2")
    [attempt] = await shop.attempts(bound)
    other = await shop.issue("NodeLocked")
    before = await state_of(platform, bound)
    for role in (Role.VIEWER, Role.MEMBER):
        person = await new_owner(role)
        await join(platform, shop.owner, person, role)
        assert refusal(await person.send("GET", place(bound))) == (403, "Forbidden")
        answer = await person.send("POST", place(bound, attempt["id"]))
        assert refusal(answer) == (403, "Forbidden")
        assert (await person.ok("GET", f"/api/licenses/{bound['id']}"))[
            "unreviewedAccessAttempts"
        ] == 1
    foreign = await open_shop(stranger)
    foreign_license = await foreign.issue("NodeLocked")
    wrong = [
        (stranger, "GET", place(bound)),
        (stranger, "POST", place(bound, attempt["id"])),
        (stranger, "POST", place(foreign_license, attempt["id"])),
        (shop.owner, "POST", place(other, attempt["id"])),
        (shop.owner, "POST", place(bound, NOWHERE)),
        (shop.owner, "GET", place({"id": NOWHERE})),
        (shop.owner, "GET", place({"id": "no-id"})),
        (shop.owner, "POST", place(bound, "no-id")),
    ]
    for person, method, path in wrong:
        assert refusal(await person.send(method, path)) == (404, "NotFound"), path
    for path in (place(bound), place(bound, attempt["id"])):
        method = "GET" if path.endswith("attempts") else "POST"
        answer = await shop.owner.client.request(method, path, headers=shop.key)
        assert refusal(answer) == (401, "Unauthorized")
    assert await state_of(platform, bound) == before
    admin = await new_owner("Admin")
    await join(platform, shop.owner, admin, Role.ADMIN)
    assert (await admin.ok("POST", place(bound, attempt["id"])))["reviewed"]


@pytest.mark.specification("attempts.alert")
async def test_one_event_per_device_and_day(
    shop: Shop, bound: dict[str, Any], clock: FakeClock, platform: Platform
) -> None:
    async def recorded() -> list[str]:
        return [
            f"{item['occurred_at']:%d %H:%M} {item['data']['attemptedHardwareId']}"
            for item in await events_in(platform, shop, "access_attempt.")
        ]

    for machine in ("machine-00000002", "machine-00000003", "machine-00000002"):
        await shop.validate(bound, machine)
    assert await recorded() == ["15 12:00 mach…0002", "15 12:00 mach…0003"]
    clock.advance(hours=11, minutes=59)
    await shop.validate(bound, "machine-00000002")
    clock.advance(minutes=1)  # a new day (UTC)
    for _ in range(3):
        await shop.validate(bound, "machine-00000002")
    assert await recorded() == ["15 12:00 mach…0002", "15 12:00 mach…0003", "16 00:00 mach…0002"]
    *_, last = await events_in(platform, shop, "access_attempt.")
    assert last["data"]["attemptCount"] == 4
    assert last["actor_kind"] == "ProductKey"


async def test_beyond_the_daily_limit_attempts_are_only_counted(
    shop: Shop, bound: dict[str, Any], clock: FakeClock, platform: Platform
) -> None:
    await shop.validate(bound, "machine-2")
    async with platform.database.transaction() as db:
        await flood(db, bound, 199)
    answers = await asyncio.gather(*(shop.validate(bound, f"flood-{n}") for n in range(12)))
    assert {answer["status"] for answer in answers} == {"HardwareMismatch"}
    assert len({answer["message"] for answer in answers}) == 1
    counters = await counters_of(platform, bound)
    assert (counters["new_rows"], counters["uncounted"]) == (200, 11)
    assert len(await shop.attempts(bound)) == 2
    assert (await shop.read(bound))["unreviewedAccessAttempts"] == 2
    await shop.validate(bound, "machine-2")  # known devices are still counted
    assert (await counters_of(platform, bound))["uncounted"] == 11
    known = await rows_of(platform, access_attempts, bound)
    assert max(item["attempt_count"] for item in known) == 2
    clock.advance(days=1)
    await shop.validate(bound, "tomorrow")
    counters = await counters_of(platform, bound)
    assert (counters["new_rows"], counters["uncounted"]) == (1, 0)
    await assert_counters_match(platform, bound)


@pytest.mark.specification("attempts.observed")
@pytest.mark.parametrize("mode", ["AutoBind", "OwnerApproval"])
async def test_attempts_affect_no_decision(shop: Shop, mode: str) -> None:
    """Earlier attempts change no response of any endpoint."""

    async def answers(others_tried: bool) -> list[Any]:
        license_ = await shop.issue("NodeLocked", deviceBindingMode=mode)
        first = (await shop.activate(license_, "machine-1")).json()
        await shop.operate(first["activationId"], "approve")
        if others_tried:
            for n in range(20):
                await shop.validate(license_, f"other-{n}")
                await shop.validate(license_, "machine-2")
        results = []
        for machine in ("machine-1", "machine-2", "machine-3"):
            verdict = await shop.validate(license_, machine)
            activated = (await shop.activate(license_, machine)).json()
            results.append((verdict["valid"], verdict["status"], verdict["message"]))
            results.append((activated.get("errorCode"), activated.get("detail")))
        results.append([item["hardwareId"] for item in await shop.devices(license_)])
        results.append((await shop.read(license_))["status"])
        return results

    assert await answers(others_tried=True) == await answers(others_tried=False)


async def test_concurrent_attempts_on_several_licenses_are_each_counted(
    shop: Shop, platform: Platform
) -> None:
    licenses = [await shop.issue("NodeLocked", licenseName=f"L{n}") for n in range(3)]
    for license_ in licenses:
        await shop.validate(license_, "machine-1")
    await asyncio.gather(
        *(shop.validate(licenses[n % 3], f"other-{n % 5}") for n in range(60)),
    )
    for license_ in licenses:
        attempts = await shop.attempts(license_)
        assert sorted(item["attemptCount"] for item in attempts) == [4] * 5
        assert (await shop.read(license_))["unreviewedAccessAttempts"] == 5
        await assert_counters_match(platform, license_)


async def test_only_node_locked_licenses_have_attempts(shop: Shop) -> None:
    license_ = await shop.issue("Concurrent", maxActiveUsersCount=1)
    for machine in ("machine-1", "machine-2"):
        await shop.activate(license_, machine)
        await shop.validate(license_, machine)
    assert await shop.attempts(license_) == []
    assert (await shop.read(license_))["unreviewedAccessAttempts"] == 0


@pytest.mark.specification("attempts.observed")
async def test_an_attempt_leaves_license_and_binding_as_they_are(
    shop: Shop, bound: dict[str, Any]
) -> None:
    before, devices = await shop.read(bound), await shop.devices(bound)
    await shop.validate(bound, "machine-2")
    await shop.activate(bound, "machine-2")
    await shop.refresh(bound, "machine-2")
    machine = {"licenseKey": bound["licenseKey"], "hardwareId": "machine-2"}
    await shop.call("POST", "/api/sessions/connect", machine)
    [attempt] = await shop.attempts(bound)
    assert attempt["attemptCount"] == 4
    assert await shop.read(bound) == before | {"unreviewedAccessAttempts": 1}
    assert await shop.devices(bound) == devices
