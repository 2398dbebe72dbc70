"""Concurrent licenses for offline use: each license file is for a device that takes a seat."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from catalog.factories import bad_fields, join, refusal
from devices.books import assert_counters_match, events_in, flood, state_of
from devices.factories import Shop, open_shop
from joserfc import jws
from joserfc.jwk import RSAKey
from portal.people import EndUser, make_end_user
from testkit import FakeClock, Owner

from licet_server.identity.rules.memberships import Role
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform

LONGEST = timedelta(days=30)


@pytest.fixture
async def shop(owner: Owner) -> Shop:
    return await open_shop(owner)


@pytest.fixture
async def user(platform: Platform, owner: Owner, fast_passwords: Passwords) -> EndUser:
    return await make_end_user(platform, owner.client, fast_passwords)


async def issue(shop: Shop, cap: int = 1, **fields: Any) -> dict[str, Any]:
    return await shop.issue(
        "Concurrent", activationMode="Offline", maxActiveUsersCount=cap, **fields
    )


async def claims_of(shop: Shop, text: str) -> dict[str, Any]:
    place = f"/api/products/{shop.product['id']}/keys/public/download"
    key = RSAKey.import_key((await shop.owner.send("GET", place)).text)
    return dict(json.loads(jws.deserialize_compact(text, key, algorithms=["RS256"]).payload))


async def seats(shop: Shop, license_: dict[str, Any]) -> int:
    return int((await shop.read(license_))["seatsUsed"])


def wire(instant: datetime) -> str:
    return instant.isoformat().replace("+00:00", "Z")


async def pass_days(shop: Shop, clock: FakeClock, **time: float) -> None:
    clock.advance(**time)
    await shop.owner.sign_in()


@pytest.mark.specification("mission-1")
async def test_a_file_of_a_concurrent_offline_license_takes_a_seat(
    shop: Shop, platform: Platform, user: EndUser, clock: FakeClock
) -> None:
    """One seat, and three ways to ask for a file: whoever comes first gets the only one."""
    for way in ("operator", "application", "portal"):
        license_ = await issue(shop, issuedTo=user.email)

        async def ask(machine: str, chosen: str, of: dict[str, Any] = license_) -> Any:
            if chosen == "operator":
                return await shop.file(of, machine)
            if chosen == "application":
                return await shop.refresh(of, machine)
            return await user.file(of, hardwareId=machine)

        answer = await ask("machine-1", way)
        assert answer.status_code == 200, answer.text
        text = answer.json()["file"] if way == "application" else answer.text
        claims = await claims_of(shop, text)
        assert claims["hardwareIds"] == ["machine-1"]
        assert claims["exp"] == int((clock.now + LONGEST).timestamp())
        [device] = await shop.devices(license_)
        assert (device["hardwareId"], device["status"]) == ("machine-1", "Active")
        assert device["fileEndsAt"] == wire(clock.now + LONGEST)
        assert (device["releasedAt"], device["seatFreeAt"]) == (None, None)
        assert await seats(shop, license_) == 1
        before = await state_of(platform, license_)
        for other in ("operator", "application", "portal"):
            refused = await ask("machine-2", other)
            assert refusal(refused) == (409, "MaxActivationsReached")
            assert (refused.json()["seatsUsed"], refused.json()["seatsTotal"]) == (1, 1)
        limit_events = 1
        assert (await state_of(platform, license_)) == before | {
            "events": before["events"] + limit_events
        }
        for other in ("operator", "application", "portal"):
            assert (await ask("machine-1", other)).status_code == 200
        assert (await shop.validate(license_, "machine-1"))["status"] == "Valid"
        assert (await shop.validate(license_, "machine-2"))["status"] == "ActivationRequired"
        await assert_counters_match(platform, license_)


async def test_a_file_without_a_hardware_id_is_refused(shop: Shop, user: EndUser) -> None:
    license_ = await issue(shop, issuedTo=user.email)
    for answer in (
        await shop.file(license_),
        await shop.refresh(license_),
        await user.file(license_),
    ):
        assert bad_fields(answer) == ["hardwareId"]
    assert await shop.devices(license_) == []


async def test_a_file_lasts_as_long_as_the_product_or_the_term_says(
    shop: Shop, clock: FakeClock
) -> None:
    long = await issue(shop)
    short = await issue(shop, expirationDate="2030-01-20T12:00:00Z")
    claims = await claims_of(shop, (await shop.file(short, "a")).text)
    assert claims["exp"] == int((clock.now + timedelta(days=5)).timestamp())
    place = f"/api/products/{shop.product['id']}"
    await shop.owner.ok("PUT", place, {"settings": {"offlineFileLifetimeDays": 90}})
    await shop.file(long, "a")
    await shop.owner.ok("PUT", place, {"settings": {"offlineFileLifetimeDays": 2}})
    await shop.file(long, "a")
    [device] = await shop.devices(long)
    assert device["fileEndsAt"] == wire(clock.now + timedelta(days=90)), "the longest counts"


async def test_a_concurrent_online_license_gives_files_without_a_seat(shop: Shop) -> None:
    license_ = await shop.issue("Concurrent", maxActiveUsersCount=1)
    for machine in (None, "machine-1", "machine-2"):
        assert (await shop.file(license_, machine)).status_code == 200
    assert await seats(shop, license_) == 0


@pytest.mark.parametrize("way", ["device", "operator", "portal"])
async def test_the_seat_of_a_released_device_is_free_when_its_file_has_ended(
    shop: Shop, platform: Platform, user: EndUser, clock: FakeClock, way: str
) -> None:
    license_ = await issue(shop, issuedTo=user.email)
    await shop.file(license_, "machine-1")
    await pass_days(shop, clock, days=1)
    await user.sign_in()
    assert (await shop.refresh(license_, "machine-1")).status_code == 200
    free_at, released_at = wire(clock.now + LONGEST), wire(clock.now)
    [device] = await shop.devices(license_)
    if way == "device":
        assert (await shop.deactivate(license_, "machine-1")).status_code == 204
        assert refusal(await shop.deactivate(license_, "machine-1")) == (404, "ActivationNotFound")
    elif way == "operator":
        for _ in range(2):
            told = (await shop.operate(device, "deactivate")).json()
            assert (told["releasedAt"], told["seatFreeAt"]) == (released_at, free_at)
    else:
        assert (await user.release(license_, device["id"])).status_code == 204
        assert refusal(await user.release(license_, device["id"])) == (409, "Conflict")
        [mine] = await user.devices(license_)
        assert mine["seatFreeAt"] == free_at
    [device] = await shop.devices(license_)
    assert (device["status"], device["releasedAt"], device["seatFreeAt"]) == (
        "Active",
        released_at,
        free_at,
    )
    assert await seats(shop, license_) == 1
    verdict = await shop.validate(license_, "machine-1")
    assert (verdict["status"], verdict["activation"]) == ("ActivationRequired", None)
    assert verdict["seat"] == {"kind": "Device", "held": False, "used": 1, "total": 1}
    connect = {"licenseKey": license_["licenseKey"], "hardwareId": "machine-1"}
    answer = await shop.call("POST", "/api/sessions/connect", connect)
    assert refusal(answer) == (403, "ActivationRequired")
    assert refusal(await shop.activate(license_, "machine-2")) == (409, "MaxActivationsReached")
    [*_, event] = await events_in(platform, shop, "activation.deleted")
    assert event["data"]["seatFreeAt"] == free_at
    await assert_counters_match(platform, license_)

    await pass_days(shop, clock, seconds=LONGEST.total_seconds() - 1)
    assert refusal(await shop.refresh(license_, "machine-2")) == (409, "MaxActivationsReached")
    await pass_days(shop, clock, seconds=1)
    assert await shop.devices(license_) == []
    assert await seats(shop, license_) == 0
    assert (await shop.validate(license_, "machine-2"))["seat"]["used"] == 0
    statistics = await shop.owner.ok("GET", "/api/statistics/activations")
    assert (statistics["total"], statistics["topLicenses"]) == (0, [])
    for action in ("block", "unblock", "approve", "deactivate"):
        assert refusal(await shop.operate(device, action)) == (404, "NotFound")
    assert (await shop.refresh(license_, "machine-2")).status_code == 200
    assert await seats(shop, license_) == 1
    await assert_counters_match(platform, license_)


@pytest.mark.parametrize("way", ["activate", "file", "refresh"])
@pytest.mark.parametrize("late", [False, True])
async def test_a_released_device_may_take_its_seat_up_again(
    shop: Shop, platform: Platform, clock: FakeClock, way: str, late: bool
) -> None:
    license_ = await issue(shop)
    await shop.file(license_, "machine-1")
    await shop.deactivate(license_, "machine-1")
    if late:
        await pass_days(shop, clock, days=31)
    answer = await getattr(shop, way)(license_, "machine-1")
    assert answer.status_code == (201 if way == "activate" else 200)
    [device] = await shop.devices(license_)
    assert (device["releasedAt"], device["seatFreeAt"]) == (None, None)
    assert (await shop.validate(license_, "machine-1"))["status"] == "Valid"
    assert await seats(shop, license_) == 1
    await assert_counters_match(platform, license_)


@pytest.mark.parametrize("released", [False, True])
async def test_an_admin_can_force_a_seat_free(
    shop: Shop, platform: Platform, new_owner: Callable[..., Any], released: bool
) -> None:
    license_ = await issue(shop)
    await shop.file(license_, "machine-1")
    [device] = await shop.devices(license_)
    if released:
        await shop.operate(device, "deactivate")
    viewer = await new_owner(Role.VIEWER)
    await join(platform, shop.owner, viewer, Role.VIEWER)
    path = f"/api/activations/{device['id']}/deactivate"
    assert refusal(await viewer.send("POST", path, {"force": True})) == (403, "Forbidden")
    for bad in ({"force": "yes"}, {"force": 1}, {"force": None, "x": 1}):
        assert (await shop.operate(device, "deactivate", **bad)).status_code == 400
    assert await seats(shop, license_) == 1
    told = (await shop.operate(device, "deactivate", force=True)).json()
    assert told["hardwareId"] == "machine-1"
    assert await shop.devices(license_) == []
    assert await seats(shop, license_) == 0
    [*_, event] = await events_in(platform, shop, "activation.deleted")
    assert event["data"]["reason"] == "Forced"
    assert (await shop.refresh(license_, "machine-2")).status_code == 200
    await assert_counters_match(platform, license_)


async def test_a_device_without_a_file_is_free_at_once(shop: Shop, platform: Platform) -> None:
    license_ = await issue(shop)
    made = (await shop.activate(license_, "machine-1")).json()
    told = (await shop.operate(made["activationId"], "deactivate")).json()
    assert (told["fileEndsAt"], told["seatFreeAt"]) == (None, None)
    assert (await shop.activate(license_, "machine-2")).status_code == 201
    await assert_counters_match(platform, license_)


async def test_a_blocked_device_gets_no_file_and_keeps_its_seat(
    shop: Shop, platform: Platform, user: EndUser, clock: FakeClock
) -> None:
    license_ = await issue(shop, issuedTo=user.email)
    await shop.file(license_, "machine-1")
    [device] = await shop.devices(license_)
    await shop.operate(device, "deactivate")
    blocked = (await shop.operate(device, "block")).json()
    assert (blocked["status"], blocked["seatFreeAt"]) == ("Blocked", None)
    await assert_counters_match(platform, license_)
    before = await state_of(platform, license_)
    assert refusal(await shop.file(license_, "machine-1")) == (409, "Conflict")
    assert refusal(await shop.refresh(license_, "machine-1")) == (403, "DeviceBlocked")
    assert refusal(await user.file(license_, hardwareId="machine-1")) == (403, "DeviceBlocked")
    assert await state_of(platform, license_) == before
    await pass_days(shop, clock, days=31)
    assert await seats(shop, license_) == 1
    assert refusal(await shop.refresh(license_, "machine-2")) == (409, "MaxActivationsReached")
    await shop.operate(device, "unblock")
    assert (await shop.validate(license_, "machine-1"))["status"] == "Valid"
    await assert_counters_match(platform, license_)


async def test_a_refused_file_takes_no_seat(shop: Shop, platform: Platform) -> None:
    license_ = await issue(shop, licenseKey="SHORT-KEY-0001")
    before = await state_of(platform, license_)
    query = {"hardwareId": "machine-1", "protected": "true"}
    answer = await shop.owner.send("GET", f"/api/licenses/{license_['id']}/file", params=query)
    assert refusal(answer) == (409, "Conflict")
    answer = await shop.refresh(license_, "machine-1", protected=True)
    assert refusal(answer) == (409, "Conflict")
    assert await state_of(platform, license_) == before
    await shop.owner.ok("POST", f"/api/licenses/{license_['id']}/suspend")
    assert refusal(await shop.file(license_, "machine-1")) == (409, "Conflict")
    assert refusal(await shop.refresh(license_, "machine-1")) == (400, "LicenseInvalid")
    assert await shop.devices(license_) == []


async def test_a_viewer_downloads_for_seated_devices_only(
    shop: Shop, platform: Platform, new_owner: Callable[..., Any]
) -> None:
    license_ = await issue(shop, cap=2)
    viewer = await new_owner(Role.VIEWER)
    await join(platform, shop.owner, viewer, Role.VIEWER)
    await shop.activate(license_, "machine-1")
    path = f"/api/licenses/{license_['id']}/file"
    seated = await viewer.send("GET", path, params={"hardwareId": "machine-1"})
    assert seated.status_code == 200
    [device] = await shop.devices(license_)
    assert device["fileEndsAt"] is not None
    await shop.operate(device, "deactivate")
    before = await state_of(platform, license_)
    for machine in ("machine-1", "machine-2"):
        answer = await viewer.send("GET", path, params={"hardwareId": machine})
        assert refusal(answer) == (403, "Forbidden")
    assert await state_of(platform, license_) == before


async def test_a_flood_of_devices_does_not_prevent_a_file(shop: Shop, platform: Platform) -> None:
    """Somebody who knows the key has used up the daily limit of new devices."""
    license_ = await issue(shop, cap=2)
    await shop.activate(license_, "machine-0")
    async with platform.database.transaction() as db:
        await flood(db, license_, 200)
    assert refusal(await shop.refresh(license_, "machine-1")) == (429, "RateLimited")
    assert await seats(shop, license_) == 1
    assert (await shop.file(license_, "machine-1")).status_code == 200
    await assert_counters_match(platform, license_)
