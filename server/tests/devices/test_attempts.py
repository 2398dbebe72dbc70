"""Access attempts: what is recorded, and that it affects no decision."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from catalog.factories import NOWHERE, refusal
from devices.books import (
    assert_counters_match,
    counters_of,
    events_in,
    flood,
    kinds_of,
    rows_of,
    state_of,
)
from testkit import Owner, client_of
from world import World, open_vendor

from licet_server.app import Application
from licet_server.devices.tables import access_attempts
from licet_server.identity.rules.memberships import Role


@pytest.fixture
async def bound(world: World) -> dict[str, Any]:
    """A license that is bound to `machine-1`."""
    license_ = await world.issue("NodeLocked")
    await world.validate(license_, "machine-1")
    return license_


def place(license_: dict[str, Any], attempt: Any = None) -> str:
    path = f"/api/licenses/{license_['id']}/access-attempts"
    return path if attempt is None else f"{path}/{attempt}/acknowledge"


@pytest.mark.specification("attempts.recorded")
async def test_a_device_has_one_attempt_across_entry_points(
    world: World, bound: dict[str, Any], application: Application
) -> None:
    await world.validate(bound, "machine-2")
    [first] = await world.attempts(bound)
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
    world.clock.advance(minutes=1)
    assert (await world.activate(bound, "machine-2")).status_code == 409
    world.clock.advance(minutes=1)
    body = {"licenseKey": bound["licenseKey"], "hardwareId": "machine-2"}
    async with client_of(application, "198.51.100.7") as elsewhere:
        answer = await elsewhere.post("/api/sessions/connect", json=body, headers=world.key)
    assert refusal(answer) == (403, "HardwareMismatch")
    [last] = await world.attempts(bound)
    assert last == first | {
        "ipAddress": "198.51.100.7",
        "entryPoint": "Connect",
        "attemptCount": 3,
        "lastSeenAt": "2030-01-15T12:02:00Z",
    }


@pytest.mark.specification("mission-bug-entry-point")
async def test_a_refresh_is_an_entry_point_of_its_own(world: World, bound: dict[str, Any]) -> None:
    assert refusal(await world.refresh(bound, "machine-2")) == (403, "HardwareMismatch")
    [attempt] = await world.attempts(bound)
    assert (attempt["entryPoint"], attempt["attemptCount"]) == ("Refresh", 1)


@pytest.mark.specification("attempts.recorded")
async def test_an_attempt_shows_the_device_bound_at_the_time(
    world: World, bound: dict[str, Any]
) -> None:
    await world.validate(bound, "machine-3")
    await world.deactivate(bound, "machine-1")
    await world.validate(bound, "machine-2")
    await world.validate(bound, "machine-3")
    [attempt] = await world.attempts(bound)
    assert (attempt["boundHardwareId"], attempt["attemptCount"]) == ("machine-2", 2)


async def test_attempts_are_sorted(world: World, bound: dict[str, Any]) -> None:
    for machine in ("a", "b", "c", "a", "a", "b"):
        world.clock.advance(seconds=1)
        await world.validate(bound, machine)

    async def order(query: str) -> list[str]:
        items = (await world.owner.ok("GET", place(bound) + query))["items"]
        return [item["attemptedHardwareId"] for item in items]

    assert await order("") == ["c", "b", "a"]
    assert await order("?sort=attemptCount") == ["c", "b", "a"]
    assert await order("?sort=-attemptCount") == ["a", "b", "c"]
    assert await order("?sort=-lastSeenAt") == ["b", "a", "c"]
    assert await order("?sort=firstSeenAt") == ["a", "b", "c"]
    assert await order("?pageSize=1&page=2") == ["b"]
    page = await world.owner.ok("GET", place(bound))
    assert (page["page"], page["pageSize"], page["totalCount"]) == (1, 25, 3)


@pytest.mark.specification("states.attempt-reviewed")
async def test_an_attempt_is_reviewed_once(world: World, bound: dict[str, Any]) -> None:
    for machine in ("machine-2", "machine-3"):
        await world.validate(bound, machine)
    second, first = await world.attempts(bound)
    assert (await world.read(bound))["unreviewedAccessAttempts"] == 2
    world.clock.advance(minutes=1)
    reviewed = await world.owner.ok("POST", place(bound, first["id"]))
    assert reviewed == first | {"reviewed": True, "reviewedAt": "2030-01-15T12:01:00Z"}
    world.clock.advance(minutes=1)
    assert await world.owner.ok("POST", place(bound, first["id"])) == reviewed
    assert (await world.read(bound))["unreviewedAccessAttempts"] == 1
    await world.validate(bound, "machine-2")
    [_, again] = await world.attempts(bound)
    assert (again["attemptCount"], again["reviewed"]) == (2, True)
    assert again["reviewedAt"] == "2030-01-15T12:01:00Z"
    assert (await world.read(bound))["unreviewedAccessAttempts"] == 1
    answers = await asyncio.gather(
        *(world.owner.ok("POST", place(bound, second["id"])) for _ in range(8))
    )
    assert all(answer["reviewed"] for answer in answers)
    assert (await world.read(bound))["unreviewedAccessAttempts"] == 0
    await assert_counters_match(world.platform, bound)


async def test_a_review_is_taken_back(world: World, bound: dict[str, Any]) -> None:
    await world.validate(bound, "machine-2")
    [attempt] = await world.attempts(bound)
    back = {"toReview": True}
    assert await world.owner.ok("POST", place(bound, attempt["id"]), back) == attempt
    await world.owner.ok("POST", place(bound, attempt["id"]))
    for _ in range(2):
        assert await world.owner.ok("POST", place(bound, attempt["id"]), back) == attempt
        assert (await world.read(bound))["unreviewedAccessAttempts"] == 1
    await assert_counters_match(world.platform, bound)
    assert await kinds_of(world.platform, world, "access_attempt.") == [
        "access_attempt.detected",
        "access_attempt.acknowledged",
        "access_attempt.reopened",
    ]


@pytest.mark.specification("attempts.who")
async def test_who_may_read_and_review(
    world: World, bound: dict[str, Any], stranger: Owner, new_owner: Callable[..., Any]
) -> None:
    await world.validate(bound, "machine-2")
    [attempt] = await world.attempts(bound)
    other = await world.issue("NodeLocked")
    before = await state_of(world.platform, bound)
    for role in (Role.VIEWER, Role.MEMBER):
        user = await new_owner(role)
        await world.join(user, role)
        assert refusal(await user.send("GET", place(bound))) == (403, "Forbidden")
        answer = await user.send("POST", place(bound, attempt["id"]))
        assert refusal(answer) == (403, "Forbidden")
        assert (await user.ok("GET", f"/api/licenses/{bound['id']}"))[
            "unreviewedAccessAttempts"
        ] == 1
    foreign = await open_vendor(stranger)
    foreign_license = await foreign.issue("NodeLocked")
    wrong = [
        (stranger, "GET", place(bound)),
        (stranger, "POST", place(bound, attempt["id"])),
        (stranger, "POST", place(foreign_license, attempt["id"])),
        (world.owner, "POST", place(other, attempt["id"])),
        (world.owner, "POST", place(bound, NOWHERE)),
        (world.owner, "GET", place({"id": NOWHERE})),
        (world.owner, "GET", place({"id": "no-id"})),
        (world.owner, "POST", place(bound, "no-id")),
    ]
    for user, method, path in wrong:
        assert refusal(await user.send(method, path)) == (404, "NotFound"), path
    for path in (place(bound), place(bound, attempt["id"])):
        method = "GET" if path.endswith("attempts") else "POST"
        answer = await world.owner.client.request(method, path, headers=world.key)
        assert refusal(answer) == (401, "Unauthorized")
    assert await state_of(world.platform, bound) == before
    admin = await new_owner("Admin")
    await world.join(admin, Role.ADMIN)
    assert (await admin.ok("POST", place(bound, attempt["id"])))["reviewed"]


@pytest.mark.specification("attempts.alert")
async def test_one_event_per_device_and_day(world: World, bound: dict[str, Any]) -> None:
    async def recorded() -> list[str]:
        return [
            f"{item['occurred_at']:%d %H:%M} {item['data']['attemptedHardwareId']}"
            for item in await events_in(world.platform, world, "access_attempt.")
        ]

    for machine in ("machine-00000002", "machine-00000003", "machine-00000002"):
        await world.validate(bound, machine)
    assert await recorded() == ["15 12:00 mach…0002", "15 12:00 mach…0003"]
    world.clock.advance(hours=11, minutes=59)
    await world.validate(bound, "machine-00000002")
    world.clock.advance(minutes=1)  # a new day (UTC)
    for _ in range(3):
        await world.validate(bound, "machine-00000002")
    assert await recorded() == ["15 12:00 mach…0002", "15 12:00 mach…0003", "16 00:00 mach…0002"]
    *_, last = await events_in(world.platform, world, "access_attempt.")
    assert last["data"]["attemptCount"] == 4
    assert last["actor_kind"] == "ProductKey"


async def test_beyond_the_daily_limit_attempts_are_only_counted(
    world: World, bound: dict[str, Any]
) -> None:
    await world.validate(bound, "machine-2")
    async with world.platform.database.transaction() as db:
        await flood(db, bound, 199)
    answers = await asyncio.gather(*(world.validate(bound, f"flood-{n}") for n in range(12)))
    assert {answer["status"] for answer in answers} == {"HardwareMismatch"}
    assert len({answer["message"] for answer in answers}) == 1
    counters = await counters_of(world.platform, bound)
    assert (counters["new_rows"], counters["uncounted"]) == (200, 11)
    assert len(await world.attempts(bound)) == 2
    assert (await world.read(bound))["unreviewedAccessAttempts"] == 2
    await world.validate(bound, "machine-2")  # known devices are still counted
    assert (await counters_of(world.platform, bound))["uncounted"] == 11
    known = await rows_of(world.platform, access_attempts, bound)
    assert max(item["attempt_count"] for item in known) == 2
    world.clock.advance(days=1)
    await world.validate(bound, "tomorrow")
    counters = await counters_of(world.platform, bound)
    assert (counters["new_rows"], counters["uncounted"]) == (1, 0)
    await assert_counters_match(world.platform, bound)


@pytest.mark.specification("attempts.observed")
@pytest.mark.parametrize("mode", ["AutoBind", "OwnerApproval"])
async def test_attempts_affect_no_decision(world: World, mode: str) -> None:
    """Earlier attempts change no response of any endpoint."""

    async def answers(others_tried: bool) -> list[Any]:
        license_ = await world.issue("NodeLocked", deviceBindingMode=mode)
        first = (await world.activate(license_, "machine-1")).json()
        await world.operate(first["activationId"], "approve")
        if others_tried:
            for n in range(20):
                await world.validate(license_, f"other-{n}")
                await world.validate(license_, "machine-2")
        results = []
        for machine in ("machine-1", "machine-2", "machine-3"):
            verdict = await world.validate(license_, machine)
            activated = (await world.activate(license_, machine)).json()
            results.append((verdict["valid"], verdict["status"], verdict["message"]))
            results.append((activated.get("errorCode"), activated.get("detail")))
        results.append([item["hardwareId"] for item in await world.devices(license_)])
        results.append((await world.read(license_))["status"])
        return results

    assert await answers(others_tried=True) == await answers(others_tried=False)


async def test_concurrent_attempts_on_several_licenses_are_each_counted(world: World) -> None:
    licenses = [await world.issue("NodeLocked", licenseName=f"L{n}") for n in range(3)]
    for license_ in licenses:
        await world.validate(license_, "machine-1")
    await asyncio.gather(
        *(world.validate(licenses[n % 3], f"other-{n % 5}") for n in range(60)),
    )
    for license_ in licenses:
        attempts = await world.attempts(license_)
        assert sorted(item["attemptCount"] for item in attempts) == [4] * 5
        assert (await world.read(license_))["unreviewedAccessAttempts"] == 5
        await assert_counters_match(world.platform, license_)


async def test_only_node_locked_licenses_have_attempts(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1)
    for machine in ("machine-1", "machine-2"):
        await world.activate(license_, machine)
        await world.validate(license_, machine)
    assert await world.attempts(license_) == []
    assert (await world.read(license_))["unreviewedAccessAttempts"] == 0


@pytest.mark.specification("attempts.observed")
async def test_an_attempt_leaves_license_and_binding_as_they_are(
    world: World, bound: dict[str, Any]
) -> None:
    before, devices = await world.read(bound), await world.devices(bound)
    await world.validate(bound, "machine-2")
    await world.activate(bound, "machine-2")
    await world.refresh(bound, "machine-2")
    machine = {"licenseKey": bound["licenseKey"], "hardwareId": "machine-2"}
    await world.call("POST", "/api/sessions/connect", machine)
    [attempt] = await world.attempts(bound)
    assert attempt["attemptCount"] == 4
    assert await world.read(bound) == before | {"unreviewedAccessAttempts": 1}
    assert await world.devices(bound) == devices
