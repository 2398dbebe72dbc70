"""A device that is refused a seat releases another one, where the product allows it."""

import asyncio
from typing import Any

import httpx
import pytest
from catalog.factories import refusal
from devices.books import assert_counters_match, events_in, rows_of
from devices.test_trials import set_up
from world import World

from licet_server.devices.storage import releases
from licet_server.devices.tables import seat_refusals

CONFLICT = (409, "Conflict")


@pytest.fixture
async def open_to_apps(world: World) -> World:
    await set_up(world, appDeviceRelease="On", appReleasesPerYear=2)
    return world


async def seen(world: World, license_: dict[str, Any], machine: str) -> httpx.Response:
    query = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
    return await world.owner.client.get("/api/activations", params=query, headers=world.key)


async def release(
    world: World, license_: dict[str, Any], device: str, machine: str = "new"
) -> httpx.Response:
    body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
    return await world.call("POST", f"/api/activations/{device}/release", body)


async def full(world: World, seats: int = 2, **fields: Any) -> dict[str, Any]:
    """A license whose seats `old-0` and so on hold; the first is unseen for the longest time."""
    made = await world.issue("Concurrent", maxActiveUsersCount=seats, **fields)
    for n in range(seats):
        name = {"deviceName": f"Laptop {n}", "os": "Linux"}
        assert (await world.activate(made, f"old-{n}", **name)).status_code == 201
        world.clock.advance(minutes=1)
    return made


async def test_a_refused_device_releases_another_and_takes_its_seat(open_to_apps: World) -> None:
    world = open_to_apps
    license_ = await full(world)
    refused = (await world.activate(license_, "new")).json()
    assert (refused["seatsUsed"], refused["seatsTotal"], refused["canRelease"]) == (2, 2, True)
    listed = (await seen(world, license_, "new")).json()
    assert listed["releasesLeft"] == 2
    first, second = listed["items"]
    assert (first["deviceName"], first["os"], first["current"]) == ("Laptop 0", "Linux", False)
    assert first.keys() == {"id", "deviceName", "os", "lastSeenAt", "seatFreeAt", "current"}
    assert [item["current"] for item in (await seen(world, license_, "old-1")).json()["items"]] == [
        False,
        True,
    ]
    answer = (await release(world, license_, first["id"])).json()
    assert (answer["id"], answer["seatFreeAt"], answer["releasesLeft"]) == (first["id"], None, 1)
    [event] = await events_in(world.platform, world, "activation.deleted")
    assert event["data"]["reason"] == "Application"
    assert (await world.activate(license_, "new")).status_code == 201
    assert refusal(await release(world, license_, first["id"])) == (404, "ActivationNotFound")
    assert (await world.activate(license_, "third")).json()["canRelease"] is True
    assert (await release(world, license_, second["id"], "third")).json()["releasesLeft"] == 0
    assert (await world.activate(license_, "third")).status_code == 201
    # The limit is reached; the owner's own is not touched.
    assert (await world.activate(license_, "fourth")).json()["canRelease"] is False
    [device, _] = await world.devices(license_)
    assert refusal(await release(world, license_, device["id"], "fourth")) == CONFLICT
    await assert_counters_match(world.platform, license_)


async def test_a_device_whose_enrollment_is_refused_asks_with_the_enrollment_key(
    open_to_apps: World,
) -> None:
    world = open_to_apps
    license_ = await full(world)
    keys = f"/api/licenses/{license_['id']}/enrollment-keys"
    key = await world.owner.ok("POST", keys, {"name": "Intune"})
    enroll = {"enrollmentKey": key["secret"], "hardwareId": "new"}
    refused = await world.call("POST", "/api/activations/enroll", enroll)
    assert refusal(refused) == (409, "MaxActivationsReached")
    as_enrollment = {"licenseKey": key["secret"]}
    [device, _] = (await seen(world, as_enrollment, "new")).json()["items"]
    assert refusal(await seen(world, as_enrollment, "other")) == CONFLICT
    assert (await release(world, as_enrollment, device["id"])).json()["seatFreeAt"] is None
    assert (await world.call("POST", "/api/activations/enroll", enroll)).status_code == 201
    await world.owner.ok("DELETE", f"{keys}/{key['id']}")
    assert refusal(await seen(world, as_enrollment, "new")) == (401, "EnrollmentKeyInvalid")


async def test_a_key_that_is_used_up_frees_no_seat(open_to_apps: World) -> None:
    world = open_to_apps
    license_ = await full(world, seats=1)
    keys = f"/api/licenses/{license_['id']}/enrollment-keys"
    key = await world.owner.ok("POST", keys, {"name": "Leaked", "maxDevices": 1})
    [device] = await world.devices(license_)
    await world.owner.ok("POST", f"/api/activations/{device['id']}/deactivate")
    for machine, answer in (("new", 201), ("third", 401)):
        enroll = {"enrollmentKey": key["secret"], "hardwareId": machine}
        enrolled = await world.call("POST", "/api/activations/enroll", enroll)
        assert enrolled.status_code == answer
    as_enrollment = {"licenseKey": key["secret"]}
    assert refusal(await seen(world, as_enrollment, "third")) == (401, "EnrollmentKeyInvalid")
    assert await rows_of(world.platform, seat_refusals, license_) == []


async def test_a_device_that_is_blocked_since_it_was_refused_frees_no_seat(
    open_to_apps: World,
) -> None:
    world = open_to_apps
    license_ = await full(world)
    ids = {item["hardwareId"]: item["id"] for item in await world.devices(license_)}
    first, second = ids["old-0"], ids["old-1"]
    change = {"maxActiveUsersCount": 1, "keepActivationIds": [first]}
    await world.owner.ok("PUT", f"/api/licenses/{license_['id']}", change)
    assert refusal(await world.activate(license_, "old-1")) == (409, "MaxActivationsReached")
    await world.owner.ok("POST", f"/api/activations/{second}/block")
    answer = await release(world, license_, first, "old-1")
    assert refusal(answer) == (403, "DeviceBlocked")


async def test_only_a_device_refused_in_the_last_ten_minutes_releases(open_to_apps: World) -> None:
    world = open_to_apps
    license_ = await full(world)
    [device, _] = await world.devices(license_)
    for machine in ("new", "old-1"):
        assert refusal(await release(world, license_, device["id"], machine)) == CONFLICT
    assert refusal(await seen(world, license_, "new")) == CONFLICT
    await world.activate(license_, "new")
    world.clock.advance(minutes=10)
    assert refusal(await seen(world, license_, "new")) == CONFLICT
    assert refusal(await release(world, license_, device["id"])) == CONFLICT
    verdict = await world.validate(license_, "new", activate=True)
    assert verdict["status"] == "ActivationRequired"
    blocked, other = await world.devices(license_)
    await world.operate(blocked, "block")
    assert [item["id"] for item in (await seen(world, license_, "new")).json()["items"]] == [
        other["id"]
    ]
    assert refusal(await release(world, license_, blocked["id"])) == (403, "DeviceBlocked")
    elsewhere = await full(world, 1)
    assert refusal(await release(world, elsewhere, other["id"])) == CONFLICT
    await world.activate(elsewhere, "new")
    assert refusal(await release(world, elsewhere, other["id"])) == (404, "ActivationNotFound")
    assert (await release(world, license_, other["id"])).status_code == 200


async def test_nothing_is_listed_or_released_where_the_product_does_not_allow_it(
    world: World,
) -> None:
    license_ = await full(world)
    assert (await world.activate(license_, "new")).json()["canRelease"] is False
    assert await rows_of(world.platform, seat_refusals, license_) == []
    [device, _] = await world.devices(license_)
    assert refusal(await seen(world, license_, "old-0")) == CONFLICT
    assert refusal(await release(world, license_, device["id"])) == CONFLICT
    await set_up(world, appDeviceRelease="On")
    bound = await world.issue("NodeLocked")
    await world.activate(bound, "old-0")
    assert (await world.activate(bound, "new")).json()["canRelease"] is False
    assert refusal(await seen(world, bound, "old-0")) == CONFLICT


async def test_a_device_with_a_license_file_keeps_its_seat_until_the_file_ends(
    open_to_apps: World,
) -> None:
    world = open_to_apps
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1, activationMode="Offline")
    assert (await world.refresh(license_, "old-0")).status_code == 200
    assert (await world.refresh(license_, "new")).json()["canRelease"] is True
    [item] = (await seen(world, license_, "new")).json()["items"]
    assert item["seatFreeAt"] is not None
    answer = (await release(world, license_, item["id"])).json()
    assert (answer["seatFreeAt"], answer["releasesLeft"]) == (item["seatFreeAt"], 1)
    assert refusal(await release(world, license_, item["id"])) == CONFLICT


async def test_refusals_of_invented_devices_do_not_accumulate(
    open_to_apps: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = open_to_apps
    monkeypatch.setattr(releases, "REFUSALS_KEPT", 3)
    license_ = await full(world, 1)
    for n in range(5):
        await world.activate(license_, f"new-{n}")
        world.clock.advance(seconds=1)
    kept = await rows_of(world.platform, seat_refusals, license_)
    assert [item["hardware_id"] for item in kept] == ["new-2", "new-3", "new-4"]
    world.clock.advance(minutes=10)
    await world.activate(license_, "last")
    [last] = await rows_of(world.platform, seat_refusals, license_)
    assert last["hardware_id"] == "last"


async def test_ten_devices_release_at_once_and_no_more_than_the_limit_are_released(
    open_to_apps: World,
) -> None:
    world = open_to_apps
    license_ = await full(world, 5)
    devices = await world.devices(license_)
    for n in range(10):
        await world.activate(license_, f"new-{n}")
    answers = await asyncio.gather(
        *(release(world, license_, devices[n % 5]["id"], f"new-{n}") for n in range(10))
    )
    assert [answer.status_code for answer in answers].count(200) == 2
    assert len(await world.devices(license_)) == 3
    await assert_counters_match(world.platform, license_)
