"""Node-locked licenses: how they are bound to a device, and to another one later."""

import asyncio
from typing import Any

import pytest
from catalog.factories import refusal
from devices.books import assert_counters_match, kinds_of, state_of
from world import Vendor, World

from licet_server.devices.service import admission
from licet_server.kit.errors import ErrorCode, Refused


async def connect(vendor: Vendor, license_: dict[str, Any], machine: str) -> Any:
    body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
    return await vendor.call("POST", "/api/sessions/connect", body)


async def use(vendor: Vendor, license_: dict[str, Any], machine: str, way: str) -> str:
    """Use a license through an endpoint; returns the error code or the status of the verdict."""
    if way == "validate":
        return str((await vendor.validate(license_, machine))["status"])
    if way == "refresh":
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
        answer = await vendor.call("POST", "/api/licenses/refresh", body)
    elif way == "connect":
        answer = await connect(vendor, license_, machine)
    else:
        answer = await vendor.activate(license_, machine)
    body = answer.json()
    return str(body["errorCode"]) if answer.status_code >= 400 else "Valid"


REFUSED_BY = {
    "validate": "HardwareMismatch",
    "refresh": "HardwareMismatch",
    "connect": "HardwareMismatch",
    "activate": "MaxActivationsReached",
}


@pytest.mark.specification("models.auto-bind")
@pytest.mark.parametrize("way", REFUSED_BY)
async def test_every_endpoint_binds_the_first_device(world: World, way: str) -> None:
    license_ = await world.issue("NodeLocked")
    assert await use(world, license_, "machine-1", way) == "Valid"
    [device] = await world.devices(license_)
    assert (device["hardwareId"], device["status"]) == ("machine-1", "Active")
    assert await use(world, license_, "machine-1", way) == "Valid"
    for other, code in REFUSED_BY.items():
        assert await use(world, license_, "machine-2", other) == code
    assert len(await world.devices(license_)) == 1
    assert await kinds_of(world.platform, world, "activation.") == ["activation.created"]
    await assert_counters_match(world.platform, license_)


@pytest.mark.specification("models.node-locked")
async def test_one_of_many_devices_is_bound(world: World) -> None:
    license_ = await world.issue("NodeLocked")
    ways = [("validate", "activate", "connect")[n % 3] for n in range(30)]
    results = await asyncio.gather(
        *(use(world, license_, f"machine-{n}", way) for n, way in enumerate(ways))
    )
    [winner] = [n for n, result in enumerate(results) if result == "Valid"]
    for n, result in enumerate(results):
        assert result == "Valid" if n == winner else REFUSED_BY[ways[n]]
    [device] = await world.devices(license_)
    assert device["hardwareId"] == f"machine-{winner}"
    attempts = await world.owner.ok(
        "GET", f"/api/licenses/{license_['id']}/access-attempts?pageSize=100"
    )
    assert {item["attemptedHardwareId"] for item in attempts["items"]} == {
        f"machine-{n}" for n in range(30) if n != winner
    }
    assert {item["attemptCount"] for item in attempts["items"]} == {1}
    assert (await world.read(license_))["unreviewedAccessAttempts"] == 29
    await assert_counters_match(world.platform, license_)


async def test_removing_the_bound_device_unbinds_the_license(world: World) -> None:
    license_ = await world.issue("NodeLocked")
    for n in range(3):
        first = (await world.validate(license_, f"machine-{n}"))["activation"]["id"]
        assert (await world.validate(license_, "machine-9"))["status"] == "HardwareMismatch"
        if n % 2:
            assert (await world.deactivate(license_, f"machine-{n}")).status_code == 204
        else:
            assert (await world.operate(first, "deactivate")).is_success
    assert (await world.validate(license_, "machine-9"))["status"] == "Valid"
    assert (await world.validate(license_, "machine-0"))["status"] == "HardwareMismatch"
    await assert_counters_match(world.platform, license_)


@pytest.mark.specification("models.owner-approval")
@pytest.mark.parametrize("way", ["validate", "activate", "connect"])
async def test_every_device_is_pending_until_approved(world: World, way: str) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    answers = {await use(world, license_, f"machine-{n}", way) for n in (1, 2, 2)}
    assert answers == {"Valid" if way == "activate" else "PendingApproval"}  # 202
    assert {item["status"] for item in await world.devices(license_)} == {"Pending"}
    assert await kinds_of(world.platform, world, "activation.") == ["activation.pending"] * 2
    assert await world.attempts(license_) == []
    [second, first] = await world.devices(license_)
    assert (await world.operate(first, "approve")).json()["status"] == "Active"
    assert await use(world, license_, "machine-1", way) == "Valid"
    assert await use(world, license_, "machine-2", way) == REFUSED_BY[way]
    assert await use(world, license_, "machine-3", way) == REFUSED_BY[way]
    assert {item["hardwareId"] for item in await world.devices(license_)} == {
        "machine-1",
        "machine-2",
    }
    assert len(await world.attempts(license_)) == 2
    assert second["status"] == "Pending"


async def test_changing_the_binding_mode_with_pending_devices(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    place = f"/api/licenses/{license_['id']}"
    for machine in ("machine-1", "machine-2"):
        assert (await world.validate(license_, machine))["status"] == "PendingApproval"
    await world.owner.ok("PUT", place, {"deviceBindingMode": "AutoBind"})
    assert (await world.validate(license_, "machine-2"))["status"] == "Valid"
    assert (await world.validate(license_, "machine-1"))["status"] == "HardwareMismatch"
    await world.owner.ok("PUT", place, {"deviceBindingMode": "OwnerApproval"})
    assert (await world.validate(license_, "machine-2"))["status"] == "Valid"
    await world.deactivate(license_, "machine-2")
    assert (await world.validate(license_, "machine-2"))["status"] == "PendingApproval"
    assert (await world.validate(license_, "machine-1"))["status"] == "PendingApproval"
    await assert_counters_match(world.platform, license_)


@pytest.mark.parametrize(
    ("status", "fields", "asked"),
    [
        ("Expired", {"expirationDate": "2030-01-15T12:01:00Z"}, {}),
        ("Suspended", {}, {}),
        ("Revoked", {}, {}),
        ("ReleaseNotAllowed", {}, {"appVersion": "3.0.0"}),
        ("HardwareIdRequired", {}, {"hardwareId": None}),
    ],
)
@pytest.mark.parametrize("bound", [False, True])
async def test_a_validation_that_fails_otherwise_stores_nothing(
    world: World, status: str, fields: dict[str, Any], asked: dict[str, Any], bound: bool
) -> None:
    license_ = await world.issue("NodeLocked", **fields)
    if bound:
        await world.validate(license_, "machine-1")
    action = {"Suspended": "suspend", "Revoked": "revoke"}.get(status)
    if action is not None:
        await world.owner.ok("POST", f"/api/licenses/{license_['id']}/{action}")
    world.clock.advance(minutes=2)
    before = await state_of(world.platform, license_)
    body = {"licenseKey": license_["licenseKey"], "hardwareId": "machine-2", **asked}
    answer = await world.call("POST", "/api/licenses/validate", body)
    assert answer.json()["status"] == status
    assert await state_of(world.platform, license_) == before


async def test_a_converted_trial_is_bound_to_its_oldest_device(world: World) -> None:
    license_ = await world.issue("Trial")
    for n in range(3):
        await world.activate(license_, f"machine-{n}")
    license_ = await world.owner.ok(
        "POST", f"/api/licenses/{license_['id']}/convert", {"type": "NodeLocked"}
    )
    assert [item["deviceName"] for item in license_["overLimit"]] == [None, None]
    assert {item["hardwareId"]: item["status"] for item in await world.devices(license_)} == {
        "machine-0": "Active",
        "machine-1": "OverLimit",
        "machine-2": "OverLimit",
    }
    assert (await world.validate(license_, "machine-0"))["status"] == "Valid"
    for machine in ("machine-1", "machine-2"):
        assert (await world.validate(license_, machine))["status"] == "ActivationRequired"
        assert refusal(await world.activate(license_, machine)) == (409, "MaxActivationsReached")
        assert refusal(await connect(world, license_, machine)) == (403, "ActivationRequired")
    assert (await world.validate(license_, "stranger"))["status"] == "HardwareMismatch"
    await assert_counters_match(world.platform, license_)
    await world.deactivate(license_, "machine-0")
    assert (await world.validate(license_, "machine-1"))["status"] == "Valid"
    await assert_counters_match(world.platform, license_)


async def test_a_converted_trial_binds_new_devices_with_approval(world: World) -> None:
    license_ = await world.issue("Trial")
    await world.activate(license_, "machine-0")
    place = f"/api/licenses/{license_['id']}"
    license_ = await world.owner.ok("POST", f"{place}/convert", {"type": "NodeLocked"})
    await world.owner.ok("PUT", place, {"deviceBindingMode": "OwnerApproval"})
    assert (await world.validate(license_, "machine-0"))["status"] == "Valid"
    await world.deactivate(license_, "machine-0")
    verdict = await world.validate(license_, "machine-1")
    assert (verdict["status"], verdict["activation"]["status"]) == ("PendingApproval", "Pending")
    assert (await world.operate(verdict["activation"]["id"], "approve")).is_success
    assert (await world.validate(license_, "machine-1"))["status"] == "Valid"
    await assert_counters_match(world.platform, license_)


async def test_a_conversion_keeps_devices_blocked(world: World) -> None:
    license_ = await world.issue("Trial")
    device = (await world.activate(license_, "banned")).json()["activationId"]
    await world.operate(device, "block")
    place = f"/api/licenses/{license_['id']}"
    license_ = await world.owner.ok("POST", f"{place}/convert", {"type": "NodeLocked"})
    assert (await world.validate(license_, "machine-1"))["status"] == "Valid"
    assert (await world.validate(license_, "banned"))["status"] == "DeviceBlocked"
    await assert_counters_match(world.platform, license_)
    await world.deactivate(license_, "machine-1")
    assert (await world.validate(license_, "banned"))["status"] == "DeviceBlocked"
    await world.operate(device, "unblock")
    assert (await world.validate(license_, "banned"))["status"] == "Valid"
    await assert_counters_match(world.platform, license_)


async def test_a_license_suspended_concurrently(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The vendor suspends the license after it is read, and before it is locked."""
    license_ = await world.issue("NodeLocked")
    place = f"/api/licenses/{license_['id']}"

    async def suspended_before(*given: Any) -> Any:
        await world.owner.ok("POST", f"{place}/suspend")
        monkeypatch.setattr(admission, "_lock", lock)
        return await lock(*given)

    lock = admission._lock
    for way, status in (("validate", "Suspended"), ("connect", "LicenseInvalid")):
        await world.owner.ok("POST", f"{place}/reinstate")
        monkeypatch.setattr(admission, "_lock", suspended_before)
        assert await use(world, license_, "machine-1", way) == status
    assert await world.devices(license_) == []


async def test_a_license_that_expires_concurrently(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    license_ = await world.issue("NodeLocked", expirationDate="2030-01-15T12:01:00Z")

    async def later(*given: Any) -> Any:
        world.clock.advance(minutes=1)
        raise Refused(ErrorCode.LICENSE_EXPIRED, "over")

    monkeypatch.setattr(admission, "_lock", later)
    assert (await world.validate(license_, "machine-1"))["status"] == "Expired"
