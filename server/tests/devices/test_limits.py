"""The daily limit of new devices, and how often the vendor is notified of a full license."""

import asyncio
from typing import Any

import pytest
from catalog.factories import refusal
from devices.books import assert_counters_match, counters_of, events_in, flood, kinds_of, state_of
from devices.test_app_releases import seen
from devices.test_enrollment import enroll, enrolled, fleet
from devices.test_trials import set_up
from world import World

from licet_server.devices.service import releases, runtime
from licet_server.devices.service.runtime import ACTIVATIONS_A_MINUTE
from licet_server.kit.platform import Platform
from licet_server.sessions.service.runtime import CONNECTS_A_MINUTE


async def set_new_rows(platform: Platform, license_: dict[str, Any], count: int) -> None:
    async with platform.database.transaction() as db:
        await flood(db, license_, count)


async def test_two_hundred_new_devices_a_day(world: World) -> None:
    license_ = await world.issue("Perpetual")
    await world.activate(license_, "machine-1")
    await set_new_rows(world.platform, license_, 199)
    assert (await world.activate(license_, "machine-2")).status_code == 201
    before = await state_of(world.platform, license_)
    world.clock.advance(hours=11, minutes=59)
    full = await world.activate(license_, "machine-3")
    assert refusal(full) == (429, "RateLimited")
    assert full.headers["retry-after"] == "60"
    assert (await world.activate(license_, "machine-1")).status_code == 200
    after = await state_of(world.platform, license_)
    assert (after["device_counters"], after["events"]) == (
        before["device_counters"],
        before["events"],
    )
    world.clock.advance(minutes=1)
    assert (await world.activate(license_, "machine-3")).status_code == 201
    assert (await counters_of(world.platform, license_))["new_rows"] == 1
    await assert_counters_match(world.platform, license_)


async def test_removing_a_device_of_today_frees_its_place_in_the_limit(world: World) -> None:
    license_ = await world.issue("Trial")
    await world.activate(license_, "of-yesterday")
    world.clock.advance(days=1)
    await world.activate(license_, "machine-1")
    await set_new_rows(world.platform, license_, 200)
    await world.deactivate(license_, "of-yesterday")
    assert refusal(await world.activate(license_, "machine-2")) == (429, "RateLimited")
    for n in range(3):
        assert (await world.deactivate(license_, f"machine-{n + 1}")).status_code == 204
        assert (await world.activate(license_, f"machine-{n + 2}")).status_code == 201
        assert (await counters_of(world.platform, license_))["new_rows"] == 200
    await assert_counters_match(world.platform, license_)


async def test_a_large_pool_can_be_filled_on_one_day(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=500)
    await world.activate(license_, "machine-1")
    await set_new_rows(world.platform, license_, 499)
    assert (await world.activate(license_, "machine-2")).status_code == 201
    full = await world.activate(license_, "machine-3")
    assert refusal(full) == (429, "RateLimited")
    assert "500" in full.json()["detail"]


async def test_beyond_the_limit_a_device_is_pending_but_not_stored(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    await world.activate(license_, "machine-1")
    await set_new_rows(world.platform, license_, 200)
    before = await state_of(world.platform, license_)
    verdict = await world.validate(license_, "machine-2")
    assert (verdict["status"], verdict["activation"]) == ("PendingApproval", None)
    body = {"licenseKey": license_["licenseKey"], "hardwareId": "machine-2"}
    answer = await world.call("POST", "/api/sessions/connect", body)
    assert refusal(answer) == (403, "PendingApproval")
    assert refusal(await world.activate(license_, "machine-2")) == (429, "RateLimited")
    assert await state_of(world.platform, license_) == before


async def test_a_clock_that_is_behind_does_not_restart_the_day(world: World) -> None:
    """On two servers, or for a request that waited over midnight."""
    license_ = await world.issue("Perpetual")
    world.clock.advance(hours=12)
    await world.activate(license_, "machine-1")
    await set_new_rows(world.platform, license_, 200)
    for seconds in (-1, 1, -1):
        world.clock.advance(seconds=seconds)
        assert (await world.activate(license_, "machine-1")).status_code == 200
        assert refusal(await world.activate(license_, "machine-2")) == (429, "RateLimited")
    assert (await counters_of(world.platform, license_))["new_rows"] == 200


async def test_one_event_a_minute_for_a_full_license(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1)
    twin = await world.issue("Concurrent", maxActiveUsersCount=1)
    for item in (license_, twin):
        await world.activate(item, "machine-1")
    for n in range(4):
        assert (await world.activate(license_, f"other-{n}")).status_code == 409
    assert await kinds_of(world.platform, world, "activation.limit") == ["activation.limit_reached"]
    world.clock.advance(seconds=59)
    await world.activate(license_, "other-0")
    assert len(await kinds_of(world.platform, world, "activation.limit")) == 1
    await world.activate(twin, "other-0")
    world.clock.advance(seconds=1)
    for _ in range(2):
        await world.activate(license_, "other-0")
    first, second, third = await events_in(world.platform, world, "activation.limit")
    assert [str(item["subject_id"]) for item in (first, second, third)] == [
        license_["id"],
        twin["id"],
        license_["id"],
    ]
    assert first["data"] == {
        "licenseId": license_["id"],
        "productId": world.product["id"],
        "seatsUsed": 1,
        "seatsTotal": 1,
    }


async def test_a_hundred_users_of_one_machine_are_not_limited(world: World) -> None:
    """A terminal server or a CI project is one device, however many people use it at once."""
    pool = await world.issue("Floating", maxActiveUsersCount=100)
    seats = await world.issue("Concurrent", maxActiveUsersCount=1)
    for n in range(100):
        answer = await world.activate(seats, "shared", deviceName=f"user-{n}")
        assert answer.status_code in {200, 201}
        await world.connected(pool, "shared", instanceId=f"copy-{n}" if n % 2 else None)


async def test_refusals_and_new_devices_of_one_machine_are_limited(world: World) -> None:
    pool = await world.issue("Floating", maxActiveUsersCount=1)
    await world.connected(pool, "shared", instanceId="copy-1")
    for n in range(CONNECTS_A_MINUTE):
        answer = await world.connect(pool, "shared", instanceId=f"other-{n}")
        assert refusal(answer) == (409, "MaxConcurrentSessionsReached")
    assert refusal(await world.connect(pool, "shared")) == (429, "RateLimited")
    await world.connected(pool, "shared", instanceId="copy-1")
    seats = await world.issue("Concurrent", maxActiveUsersCount=1)
    for _ in range(ACTIVATIONS_A_MINUTE):
        assert (await world.activate(seats, "shared")).status_code == 201
        await world.deactivate(seats, "shared")
    assert refusal(await world.activate(seats, "shared")) == (429, "RateLimited")


async def test_a_hundred_jobs_of_a_ci_project_enroll_and_list_devices_at_once(world: World) -> None:
    license_, key = await fleet(world, 1)
    await set_up(world, appDeviceRelease="On")
    jobs = [enrolled(world, key, "ci", deviceName=f"job-{n}") for n in range(100)]
    tokens = [job["licenseKey"] for job in await asyncio.gather(*jobs)]
    assert len(set(tokens)) == 100
    lists = [seen(world, license_, "ci") for _ in range(releases.REFUSALS_A_MINUTE + 1)]
    assert {answer.status_code for answer in await asyncio.gather(*lists)} == {200}
    verdict = await world.validate({"licenseKey": tokens[0]}, "ci")
    assert verdict["status"] == "Valid", "the token of the first job works"
    await assert_counters_match(world.platform, license_)


async def test_refusals_and_seats_taken_again_by_enrollments_are_limited(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "ACTIVATIONS_A_MINUTE", 3)
    monkeypatch.setattr(releases, "REFUSALS_A_MINUTE", 2)
    license_, key = await fleet(world, 1)
    for _ in range(3):
        assert (await enroll(world, key, "ci")).status_code == 201
        await world.deactivate(license_, "ci")
    assert refusal(await enroll(world, key, "ci")) == (429, "RateLimited")
    assert (await enroll(world, key, "other")).status_code == 201
    await set_up(world, appDeviceRelease="On")
    for code in [409, 409, 429]:
        assert (await seen(world, license_, "third")).status_code == code
    for code in [409, 409, 409, 429]:
        assert (await enroll(world, key, "third")).status_code == code
    await world.deactivate(license_, "other")
    assert (await enroll(world, key, "third")).status_code == 201, "a seat is free"


async def test_one_copy_that_connects_in_a_loop_is_limited(world: World) -> None:
    pool = await world.issue("Floating", maxActiveUsersCount=2)
    for _ in range(CONNECTS_A_MINUTE):
        await world.connected(pool, "shared", instanceId="looping")
    looping = await world.connect(pool, "shared", instanceId="looping")
    assert refusal(looping) == (429, "RateLimited")
    await world.connected(pool, "shared", instanceId="another")
