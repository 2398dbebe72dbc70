"""Concurrent licenses for offline use: each license file is for a device that takes a seat."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from devices.books import assert_counters_match, events_in, flood, state_of
from portal.people import EndUser, make_end_user
from testkit import FakeClock, Owner
from world import Vendor, World

from licet_server.identity.rules.memberships import Role
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform

LONGEST = timedelta(days=30)


@pytest.fixture
async def user(platform: Platform, owner: Owner, fast_passwords: Passwords) -> EndUser:
    return await make_end_user(platform, owner.client, fast_passwords)


async def issue(vendor: Vendor, cap: int = 1, **fields: Any) -> dict[str, Any]:
    return await vendor.issue(
        "Concurrent", activationMode="Offline", maxActiveUsersCount=cap, **fields
    )


async def seats(vendor: Vendor, license_: dict[str, Any]) -> int:
    return int((await vendor.read(license_))["seatsUsed"])


def wire(instant: datetime) -> str:
    return instant.isoformat().replace("+00:00", "Z")


async def pass_days(vendor: Vendor, clock: FakeClock, **time: float) -> None:
    clock.advance(**time)
    await vendor.owner.sign_in()


@pytest.mark.specification("mission-1")
async def test_a_file_of_a_concurrent_offline_license_takes_a_seat(
    world: World, user: EndUser
) -> None:
    """One seat, and three ways to ask for a file: whoever comes first gets the only one."""
    for way in ("operator", "application", "portal"):
        license_ = await issue(world, issuedTo=user.email)

        async def ask(machine: str, chosen: str, of: dict[str, Any] = license_) -> Any:
            if chosen == "operator":
                return await world.file(of, machine)
            if chosen == "application":
                return await world.refresh(of, machine)
            return await user.file(of, hardwareId=machine)

        answer = await ask("machine-1", way)
        assert answer.status_code == 200, answer.text
        text = answer.json()["file"] if way == "application" else answer.text
        claims = await world.claims_of(text)
        assert claims["hardwareIds"] == ["machine-1"]
        assert claims["exp"] == int((world.clock.now + LONGEST).timestamp())
        [device] = await world.devices(license_)
        assert (device["hardwareId"], device["status"]) == ("machine-1", "Active")
        assert device["fileEndsAt"] == wire(world.clock.now + LONGEST)
        assert (device["releasedAt"], device["seatFreeAt"]) == (None, None)
        assert await seats(world, license_) == 1
        before = await state_of(world.platform, license_)
        for other in ("operator", "application", "portal"):
            refused = await ask("machine-2", other)
            assert refusal(refused) == (409, "MaxActivationsReached")
            assert (refused.json()["seatsUsed"], refused.json()["seatsTotal"]) == (1, 1)
        limit_events = 1
        assert (await state_of(world.platform, license_)) == before | {
            "events": before["events"] + limit_events
        }
        for other in ("operator", "application", "portal"):
            assert (await ask("machine-1", other)).status_code == 200
        assert (await world.validate(license_, "machine-1"))["status"] == "Valid"
        assert (await world.validate(license_, "machine-2"))["status"] == "ActivationRequired"
        await assert_counters_match(world.platform, license_)


async def test_a_file_without_a_hardware_id_is_refused(world: World, user: EndUser) -> None:
    license_ = await issue(world, issuedTo=user.email)
    for answer in (
        await world.file(license_),
        await world.refresh(license_),
        await user.file(license_),
    ):
        assert bad_fields(answer) == ["hardwareId"]
    assert await world.devices(license_) == []


async def test_a_file_lasts_as_long_as_the_product_or_the_term_says(world: World) -> None:
    long = await issue(world)
    short = await issue(world, expirationDate="2030-01-20T12:00:00Z")
    claims = await world.claims_of((await world.file(short, "a")).text)
    assert claims["exp"] == int((world.clock.now + timedelta(days=5)).timestamp())
    place = f"/api/products/{world.product['id']}"
    await world.owner.ok("PUT", place, {"settings": {"offlineFileLifetimeDays": 90}})
    await world.file(long, "a")
    await world.owner.ok("PUT", place, {"settings": {"offlineFileLifetimeDays": 2}})
    await world.file(long, "a")
    [device] = await world.devices(long)
    assert device["fileEndsAt"] == wire(world.clock.now + timedelta(days=90)), "the longest counts"


async def test_a_concurrent_online_license_gives_files_without_a_seat(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1)
    for machine in (None, "machine-1", "machine-2"):
        assert (await world.file(license_, machine)).status_code == 200
    assert await seats(world, license_) == 0


@pytest.mark.parametrize("way", ["device", "operator", "portal"])
async def test_the_seat_of_a_released_device_is_free_when_its_file_has_ended(
    world: World, user: EndUser, way: str
) -> None:
    license_ = await issue(world, issuedTo=user.email)
    await world.file(license_, "machine-1")
    await pass_days(world, world.clock, days=1)
    await user.sign_in()
    assert (await world.refresh(license_, "machine-1")).status_code == 200
    free_at, released_at = wire(world.clock.now + LONGEST), wire(world.clock.now)
    [device] = await world.devices(license_)
    if way == "device":
        assert (await world.deactivate(license_, "machine-1")).status_code == 204
        assert refusal(await world.deactivate(license_, "machine-1")) == (404, "ActivationNotFound")
    elif way == "operator":
        for _ in range(2):
            told = (await world.operate(device, "deactivate")).json()
            assert (told["releasedAt"], told["seatFreeAt"]) == (released_at, free_at)
    else:
        assert (await user.release(license_, device["id"])).status_code == 204
        assert refusal(await user.release(license_, device["id"])) == (409, "Conflict")
        [mine] = await user.devices(license_)
        assert mine["seatFreeAt"] == free_at
    [device] = await world.devices(license_)
    assert (device["status"], device["releasedAt"], device["seatFreeAt"]) == (
        "Released",
        released_at,
        free_at,
    )
    assert await seats(world, license_) == 1
    verdict = await world.validate(license_, "machine-1")
    assert (verdict["status"], verdict["activation"]) == ("ActivationRequired", None)
    assert verdict["seat"] == {"kind": "Device", "held": False, "used": 1, "total": 1}
    connect = {"licenseKey": license_["licenseKey"], "hardwareId": "machine-1"}
    answer = await world.call("POST", "/api/sessions/connect", connect)
    assert refusal(answer) == (403, "ActivationRequired")
    assert refusal(await world.activate(license_, "machine-2")) == (409, "MaxActivationsReached")
    [*_, event] = await events_in(world.platform, world, "activation.deleted")
    assert event["data"]["seatFreeAt"] == free_at
    await assert_counters_match(world.platform, license_)

    await pass_days(world, world.clock, seconds=LONGEST.total_seconds() - 1)
    assert refusal(await world.refresh(license_, "machine-2")) == (409, "MaxActivationsReached")
    await pass_days(world, world.clock, seconds=1)
    assert await world.devices(license_) == []
    assert await seats(world, license_) == 0
    assert (await world.validate(license_, "machine-2"))["seat"]["used"] == 0
    statistics = await world.owner.ok("GET", "/api/statistics/activations")
    assert (statistics["total"], statistics["topLicenses"]) == (0, [])
    for action in ("block", "unblock", "approve", "deactivate"):
        assert refusal(await world.operate(device, action)) == (404, "NotFound")
    assert (await world.refresh(license_, "machine-2")).status_code == 200
    assert await seats(world, license_) == 1
    await assert_counters_match(world.platform, license_)


@pytest.mark.parametrize("way", ["activate", "file", "refresh"])
@pytest.mark.parametrize("late", [False, True])
async def test_a_released_device_may_take_its_seat_up_again(
    world: World, way: str, late: bool
) -> None:
    license_ = await issue(world)
    await world.file(license_, "machine-1")
    await world.deactivate(license_, "machine-1")
    if late:
        await pass_days(world, world.clock, days=31)
    answer = await getattr(world, way)(license_, "machine-1")
    assert answer.status_code == (201 if way == "activate" else 200)
    [device] = await world.devices(license_)
    assert (device["releasedAt"], device["seatFreeAt"]) == (None, None)
    assert (await world.validate(license_, "machine-1"))["status"] == "Valid"
    assert await seats(world, license_) == 1
    await assert_counters_match(world.platform, license_)


@pytest.mark.parametrize("released", [False, True])
async def test_an_admin_can_force_a_seat_free(
    world: World, new_owner: Callable[..., Any], released: bool
) -> None:
    license_ = await issue(world)
    await world.file(license_, "machine-1")
    [device] = await world.devices(license_)
    if released:
        await world.operate(device, "deactivate")
    viewer = await new_owner(Role.VIEWER)
    await world.join(viewer, Role.VIEWER)
    path = f"/api/activations/{device['id']}/deactivate"
    assert refusal(await viewer.send("POST", path, {"force": True})) == (403, "Forbidden")
    for bad in ({"force": "yes"}, {"force": 1}, {"force": None, "x": 1}):
        assert (await world.operate(device, "deactivate", **bad)).status_code == 400
    assert await seats(world, license_) == 1
    told = (await world.operate(device, "deactivate", force=True)).json()
    assert told["hardwareId"] == "machine-1"
    assert await world.devices(license_) == []
    assert await seats(world, license_) == 0
    [*_, event] = await events_in(world.platform, world, "activation.deleted")
    assert event["data"]["reason"] == "Forced"
    assert (await world.refresh(license_, "machine-2")).status_code == 200
    await assert_counters_match(world.platform, license_)


async def test_a_device_without_a_file_is_free_at_once(world: World) -> None:
    license_ = await issue(world)
    made = (await world.activate(license_, "machine-1")).json()
    told = (await world.operate(made["activationId"], "deactivate")).json()
    assert (told["status"], told["fileEndsAt"]) == ("Released", None)
    assert told["seatFreeAt"] == told["releasedAt"] is not None
    assert (await world.activate(license_, "machine-2")).status_code == 201
    await assert_counters_match(world.platform, license_)


async def test_a_blocked_device_gets_no_file_and_keeps_its_seat(
    world: World, user: EndUser
) -> None:
    license_ = await issue(world, issuedTo=user.email)
    await world.file(license_, "machine-1")
    [device] = await world.devices(license_)
    await world.operate(device, "deactivate")
    blocked = (await world.operate(device, "block")).json()
    assert (blocked["status"], blocked["seatFreeAt"]) == ("Blocked", None)
    await assert_counters_match(world.platform, license_)
    before = await state_of(world.platform, license_)
    assert refusal(await world.file(license_, "machine-1")) == (409, "Conflict")
    assert refusal(await world.refresh(license_, "machine-1")) == (403, "DeviceBlocked")
    assert refusal(await user.file(license_, hardwareId="machine-1")) == (403, "DeviceBlocked")
    assert await state_of(world.platform, license_) == before
    await pass_days(world, world.clock, days=31)
    assert await seats(world, license_) == 1
    assert refusal(await world.refresh(license_, "machine-2")) == (409, "MaxActivationsReached")
    await world.operate(device, "unblock")
    assert (await world.validate(license_, "machine-1"))["status"] == "Valid"
    await assert_counters_match(world.platform, license_)


async def test_a_refused_file_takes_no_seat(world: World) -> None:
    license_ = await issue(world, licenseKey="SHORT-KEY-0001")
    before = await state_of(world.platform, license_)
    query = {"hardwareId": "machine-1", "protected": "true"}
    answer = await world.owner.send("GET", f"/api/licenses/{license_['id']}/file", params=query)
    assert refusal(answer) == (409, "Conflict")
    answer = await world.refresh(license_, "machine-1", protected=True)
    assert refusal(answer) == (409, "Conflict")
    assert await state_of(world.platform, license_) == before
    await world.owner.ok("POST", f"/api/licenses/{license_['id']}/suspend")
    assert refusal(await world.file(license_, "machine-1")) == (409, "Conflict")
    assert refusal(await world.refresh(license_, "machine-1")) == (400, "LicenseInvalid")
    assert await world.devices(license_) == []


async def test_a_viewer_downloads_for_seated_devices_only(
    world: World, new_owner: Callable[..., Any]
) -> None:
    license_ = await issue(world, cap=2)
    viewer = await new_owner(Role.VIEWER)
    await world.join(viewer, Role.VIEWER)
    await world.activate(license_, "machine-1")
    path = f"/api/licenses/{license_['id']}/file"
    seated = await viewer.send("GET", path, params={"hardwareId": "machine-1"})
    assert seated.status_code == 200
    [device] = await world.devices(license_)
    assert device["fileEndsAt"] is not None
    await world.operate(device, "deactivate")
    before = await state_of(world.platform, license_)
    for machine in ("machine-1", "machine-2"):
        answer = await viewer.send("GET", path, params={"hardwareId": machine})
        assert refusal(answer) == (403, "Forbidden")
    assert await state_of(world.platform, license_) == before


async def test_a_flood_of_devices_does_not_prevent_a_file(world: World) -> None:
    """Somebody who knows the key has used up the daily limit of new devices."""
    license_ = await issue(world, cap=2)
    await world.activate(license_, "machine-0")
    async with world.platform.database.transaction() as db:
        await flood(db, license_, 200)
    assert refusal(await world.refresh(license_, "machine-1")) == (429, "RateLimited")
    assert await seats(world, license_) == 1
    assert (await world.file(license_, "machine-1")).status_code == 200
    await assert_counters_match(world.platform, license_)
