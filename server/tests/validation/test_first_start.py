"""One request for a first start: validate takes the seat, and adds the license file."""

import asyncio
from collections import Counter
from typing import Any

import pytest
from catalog.factories import bad_fields
from devices.books import assert_counters_match, counters_of, flood, rows_of, state_of
from devices.unlocked import count_then_take, remove_locks
from licenses.factories import EXAMPLES
from world import Vendor, World

from licet_server.devices.service.runtime import ACTIVATIONS_A_MINUTE
from licet_server.devices.storage import seats as stored_seats
from licet_server.devices.tables import activations

WITH_SEATS_OF_DEVICES = {"Concurrent", "NodeLocked"}


async def start(
    vendor: Vendor, license_: dict[str, Any], machine: str | None = "machine-1", **fields: Any
) -> dict[str, Any]:
    return await vendor.validate(license_, machine, **{"activate": True, "file": True, **fields})


@pytest.mark.parametrize("model", EXAMPLES)
async def test_one_request_does_what_three_do(world: World, model: str) -> None:
    apart, at_once = await world.issue(model), await world.issue(model)
    machine = {"deviceName": "Desk", "os": "Linux"}
    activated = None
    if model in WITH_SEATS_OF_DEVICES:
        activated = (await world.activate(apart, "machine-1", **machine)).json()["status"]
    validated = await world.validate(apart, "machine-1")
    refreshed = await world.refresh(apart, "machine-1")

    answer = await start(world, at_once, **machine)
    assert (answer["valid"], answer["status"]) == (True, "Valid")
    assert answer["seat"] == validated["seat"]
    assert (answer["activation"] or {}).get("status") == activated
    file = await world.claims_of(answer["file"])
    same = await world.claims_of(refreshed.json()["file"])
    assert file.get("hardwareIds") == same.get("hardwareIds")
    assert file["sub"] == at_once["id"]
    described = [
        [(device["deviceName"], device["os"], device["status"]) for device in devices]
        for devices in (await world.devices(at_once), await world.devices(apart))
    ]
    assert described == [[("Desk", "Linux", activated)] if activated else []] * 2
    assert await world.sessions(at_once) == []

    before = await state_of(world.platform, at_once)
    again = await start(world, at_once, **machine, file=False)
    assert "file" not in again
    assert await state_of(world.platform, at_once) == before
    varying = {"file": "", "serverTime": "", "requestId": ""}
    assert {**again, **varying} == {**answer, **varying}


async def test_the_signed_verdict_is_of_after_the_seat_was_taken(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2)
    answer = await start(world, license_, signed=True, file=False)
    held = {"kind": "Device", "held": True, "used": 1, "total": 2}
    claims = await world.claims_of(answer["token"])
    assert (claims["valid"], claims["status"], claims["seat"]) == (True, "Valid", held)
    assert answer["seat"] == held


async def test_without_activate_no_device_takes_a_seat(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2)
    answer = await start(world, license_, activate=False)
    assert (answer["status"], answer["seat"]["used"]) == ("ActivationRequired", 0)
    assert "file" not in answer
    assert await world.devices(license_) == []


async def test_a_full_pool_is_the_verdict_with_its_reason(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1)
    await start(world, license_, "machine-1")
    answer = await start(world, license_, "machine-2", signed=True)
    refused = await world.activate(license_, "machine-2")
    assert answer["status"] == "ActivationRequired"
    assert answer["message"] == refused.json()["detail"]
    assert answer["seat"] == {"kind": "Device", "held": False, "used": 1, "total": 1}
    assert "file" not in answer
    claims = await world.claims_of(answer["token"])
    assert (claims["valid"], claims["status"]) == (False, "ActivationRequired")


async def test_machines_of_a_node_locked_license(world: World) -> None:
    bound = await world.issue("NodeLocked")
    assert (await start(world, bound, "machine-1"))["seat"]["held"] is True
    elsewhere = await start(world, bound, "machine-2")
    assert (elsewhere["status"], "file" in elsewhere) == ("HardwareMismatch", False)
    [attempt] = await world.attempts(bound)
    assert (attempt["attemptedHardwareId"], attempt["attemptCount"]) == ("machine-2", 1)

    approved = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    waiting = await start(world, approved)
    assert (waiting["status"], waiting["activation"]["status"]) == ("PendingApproval", "Pending")
    assert "file" not in waiting
    await world.operate(waiting["activation"]["id"], "approve")
    assert (await start(world, approved))["valid"] is True


async def test_a_blocked_device_and_a_revoked_license_take_nothing(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2)
    [device] = [(await start(world, license_))["activation"]["id"]]
    await world.operate(device, "block")
    before = await state_of(world.platform, license_)
    blocked = await start(world, license_)
    assert (blocked["status"], "file" in blocked) == ("DeviceBlocked", False)
    old = await start(world, license_, "machine-2", appVersion="9.0.0")
    assert (old["status"], "file" in old) == ("ReleaseNotAllowed", False)
    await world.owner.ok("POST", f"/api/licenses/{license_['id']}/revoke")
    revoked = await start(world, license_, "machine-2")
    assert (revoked["status"], "file" in revoked) == ("Revoked", False)
    after = await state_of(world.platform, license_)
    assert (after["activations"], after["device_counters"]) == (
        before["activations"],
        before["device_counters"],
    )


async def test_credentials_come_first(world: World) -> None:
    license_ = await world.issue("Perpetual", username="ada", password="correct horse")
    for given in ({}, {"username": "ada", "password": "wrong"}):
        answer = await start(world, license_, **given)
        assert answer["status"] in {"CredentialsRequired", "CredentialsInvalid"}
        assert (answer["license"], "file" in answer) == (None, False)
    assert await world.devices(license_) == []
    assert (await start(world, license_, username="ada", password="correct horse"))["file"]


@pytest.mark.parametrize("model", EXAMPLES)
async def test_a_seat_needs_the_hardware_id_of_a_device(world: World, model: str) -> None:
    answer = await start(world, await world.issue(model), None)
    if model in WITH_SEATS_OF_DEVICES:
        assert (answer["status"], "file" in answer) == ("HardwareIdRequired", False)
    else:
        assert (answer["status"], "file" in answer) == ("Valid", True)


async def test_a_released_device_takes_its_seat_up_again(world: World) -> None:
    license_ = await world.issue("Concurrent", activationMode="Offline", maxActiveUsersCount=1)
    assert (await start(world, license_))["file"]
    await world.deactivate(license_, "machine-1")
    assert (await world.validate(license_, "machine-1"))["status"] == "ActivationRequired"
    again = await start(world, license_)
    assert (again["valid"], again["seat"]["used"]) == (True, 1)
    await assert_counters_match(world.platform, license_)


async def test_a_file_that_takes_a_seat_takes_it_as_in_refresh(world: World) -> None:
    license_ = await world.issue("Concurrent", activationMode="Offline", maxActiveUsersCount=1)
    answer = await start(world, license_, activate=False)
    assert (answer["valid"], answer["seat"]["used"]) == (True, 1)
    assert (await world.claims_of(answer["file"]))["hardwareIds"] == ["machine-1"]
    full = await start(world, license_, "machine-2", activate=False)
    assert (full["status"], "file" in full) == ("ActivationRequired", False)
    assert "All seats of the license are taken" in full["message"]
    nameless = await start(world, license_, None, activate=False)
    assert (nameless["status"], "file" in nameless) == ("ActivationRequired", False)


async def test_the_limits_of_new_devices_are_the_verdict(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2)
    await start(world, license_, "machine-1")
    async with world.platform.database.transaction() as db:
        await flood(db, license_, 200)
    answer = await start(world, license_, "machine-2")
    assert (answer["status"], answer["seat"]["used"]) == ("ActivationRequired", 1)
    assert "today's limit is reached" in answer["message"]
    for _ in range(ACTIVATIONS_A_MINUTE + 1):
        answer = await start(world, license_, "machine-1", file=False)
    assert answer["valid"] is True


async def test_a_term_begins_with_the_first_start(world: World) -> None:
    policy = await world.owner.ok(
        "POST",
        "/api/policies",
        {
            "productId": world.product["id"],
            "name": "A year",
            "type": "Concurrent",
            "durationDays": 365,
            "termStarts": "FirstUse",
            "maxActiveUsersCount": 1,
        },
    )
    license_ = await world.owner.ok(
        "POST",
        "/api/licenses",
        {
            "productId": world.product["id"],
            "policyId": policy["id"],
            "licenseName": "A year",
            "issuedTo": "customer@example.com",
        },
    )
    assert license_["expirationDate"] is None
    answer = await start(world, license_)
    assert answer["license"]["expirationDate"] == (await world.read(license_))["expirationDate"]
    claims = await world.claims_of(answer["file"])
    assert claims["license"]["expirationDate"] == answer["license"]["expirationDate"]


async def test_many_at_once_take_no_seats(world: World) -> None:
    license_ = await world.issue("Concurrent")
    body = {"licenseKey": license_["licenseKey"], "hardwareId": "machine-1"}
    wrong = [body, {**body, "activate": True}, {**body, "file": True, "activate": False}]
    answer = await world.call("POST", "/api/licenses/validate-many", {"requests": wrong})
    assert bad_fields(answer) == ["requests[1].activate", "requests[2].file"]
    assert await world.devices(license_) == []
    plain = [{**body, "activate": False, "file": False}]
    answer = await world.call("POST", "/api/licenses/validate-many", {"requests": plain})
    assert answer.status_code == 200


async def rush(world: World) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=5)
    calls = (start(world, license_, f"machine-{n}", file=n % 3 == 0) for n in range(30))
    return license_, await asyncio.gather(*calls)


async def test_thirty_first_starts_fill_five_seats(world: World) -> None:
    license_, answers = await rush(world)
    assert Counter(item["status"] for item in answers) == {"Valid": 5, "ActivationRequired": 25}
    for answer in answers:
        assert answer["seat"]["held"] is answer["valid"]
        assert answer["seat"]["used"] <= 5
    assert (await counters_of(world.platform, license_))["seats_used"] == 5
    await assert_counters_match(world.platform, license_)


async def test_thirty_first_starts_of_one_machine_take_one_seat(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=5)
    answers = await asyncio.gather(*(start(world, license_) for _ in range(30)))
    assert {item["status"] for item in answers} == {"Valid"}
    assert {item["seat"]["used"] for item in answers} == {1}
    await assert_counters_match(world.platform, license_)


async def test_control_without_locks_the_cap_is_exceeded(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_locks(monkeypatch)
    monkeypatch.setattr(stored_seats, "increment_seats", count_then_take)
    for _ in range(6):
        license_, _ = await rush(world)
        if len(await rows_of(world.platform, activations, license_)) > 5:
            return
    pytest.fail("the control proves nothing: the cap was not exceeded without locks")
