"""Node-locked licenses: how they are bound to a device, and to another one later."""

import asyncio
from typing import Any

import pytest
from catalog.factories import refusal
from devices.books import assert_counters_match, kinds_of, state_of
from devices.factories import Shop, open_shop
from testkit import FakeClock, Owner

from licet_server.devices.service import admission
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.platform import Platform


@pytest.fixture
async def shop(owner: Owner) -> Shop:
    return await open_shop(owner)


async def connect(shop: Shop, license_: dict[str, Any], machine: str) -> Any:
    body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
    return await shop.call("POST", "/api/sessions/connect", body)


async def use(shop: Shop, license_: dict[str, Any], machine: str, way: str) -> str:
    """Use a license through an endpoint; returns the error code or the status of the verdict."""
    if way == "validate":
        return str((await shop.validate(license_, machine))["status"])
    if way == "refresh":
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
        answer = await shop.call("POST", "/api/licenses/refresh", body)
    elif way == "connect":
        answer = await connect(shop, license_, machine)
    else:
        answer = await shop.activate(license_, machine)
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
async def test_every_endpoint_binds_the_first_device(
    shop: Shop, platform: Platform, way: str
) -> None:
    license_ = await shop.issue("NodeLocked")
    assert await use(shop, license_, "machine-1", way) == "Valid"
    [device] = await shop.devices(license_)
    assert (device["hardwareId"], device["status"]) == ("machine-1", "Active")
    assert await use(shop, license_, "machine-1", way) == "Valid"
    for other, code in REFUSED_BY.items():
        assert await use(shop, license_, "machine-2", other) == code
    assert len(await shop.devices(license_)) == 1
    assert await kinds_of(platform, shop, "activation.") == ["activation.created"]
    await assert_counters_match(platform, license_)


@pytest.mark.specification("models.node-locked")
async def test_one_of_many_devices_is_bound(shop: Shop, platform: Platform) -> None:
    license_ = await shop.issue("NodeLocked")
    ways = [("validate", "activate", "connect")[n % 3] for n in range(30)]
    results = await asyncio.gather(
        *(use(shop, license_, f"machine-{n}", way) for n, way in enumerate(ways))
    )
    [winner] = [n for n, result in enumerate(results) if result == "Valid"]
    for n, result in enumerate(results):
        assert result == "Valid" if n == winner else REFUSED_BY[ways[n]]
    [device] = await shop.devices(license_)
    assert device["hardwareId"] == f"machine-{winner}"
    attempts = await shop.owner.ok(
        "GET", f"/api/licenses/{license_['id']}/access-attempts?pageSize=100"
    )
    assert {item["attemptedHardwareId"] for item in attempts["items"]} == {
        f"machine-{n}" for n in range(30) if n != winner
    }
    assert {item["attemptCount"] for item in attempts["items"]} == {1}
    assert (await shop.read(license_))["unreviewedAccessAttempts"] == 29
    await assert_counters_match(platform, license_)


async def test_removing_the_bound_device_unbinds_the_license(
    shop: Shop, platform: Platform
) -> None:
    license_ = await shop.issue("NodeLocked")
    for n in range(3):
        first = (await shop.validate(license_, f"machine-{n}"))["activation"]["id"]
        assert (await shop.validate(license_, "machine-9"))["status"] == "HardwareMismatch"
        if n % 2:
            assert (await shop.deactivate(license_, f"machine-{n}")).status_code == 204
        else:
            assert (await shop.operate(first, "deactivate")).is_success
    assert (await shop.validate(license_, "machine-9"))["status"] == "Valid"
    assert (await shop.validate(license_, "machine-0"))["status"] == "HardwareMismatch"
    await assert_counters_match(platform, license_)


@pytest.mark.specification("models.owner-approval")
@pytest.mark.parametrize("way", ["validate", "activate", "connect"])
async def test_every_device_is_pending_until_approved(
    shop: Shop, platform: Platform, way: str
) -> None:
    license_ = await shop.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    answers = {await use(shop, license_, f"machine-{n}", way) for n in (1, 2, 2)}
    assert answers == {"Valid" if way == "activate" else "PendingApproval"}  # 202
    assert {item["status"] for item in await shop.devices(license_)} == {"Pending"}
    assert await kinds_of(platform, shop, "activation.") == ["activation.pending"] * 2
    assert await shop.attempts(license_) == []
    [second, first] = await shop.devices(license_)
    assert (await shop.operate(first, "approve")).json()["status"] == "Active"
    assert await use(shop, license_, "machine-1", way) == "Valid"
    assert await use(shop, license_, "machine-2", way) == REFUSED_BY[way]
    assert await use(shop, license_, "machine-3", way) == REFUSED_BY[way]
    assert {item["hardwareId"] for item in await shop.devices(license_)} == {
        "machine-1",
        "machine-2",
    }
    assert len(await shop.attempts(license_)) == 2
    assert second["status"] == "Pending"


async def test_changing_the_binding_mode_with_pending_devices(
    shop: Shop, platform: Platform
) -> None:
    license_ = await shop.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    place = f"/api/licenses/{license_['id']}"
    for machine in ("machine-1", "machine-2"):
        assert (await shop.validate(license_, machine))["status"] == "PendingApproval"
    await shop.owner.ok("PUT", place, {"deviceBindingMode": "AutoBind"})
    assert (await shop.validate(license_, "machine-2"))["status"] == "Valid"
    assert (await shop.validate(license_, "machine-1"))["status"] == "HardwareMismatch"
    await shop.owner.ok("PUT", place, {"deviceBindingMode": "OwnerApproval"})
    assert (await shop.validate(license_, "machine-2"))["status"] == "Valid"
    await shop.deactivate(license_, "machine-2")
    assert (await shop.validate(license_, "machine-2"))["status"] == "PendingApproval"
    assert (await shop.validate(license_, "machine-1"))["status"] == "PendingApproval"
    await assert_counters_match(platform, license_)


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
    shop: Shop,
    platform: Platform,
    clock: FakeClock,
    status: str,
    fields: dict[str, Any],
    asked: dict[str, Any],
    bound: bool,
) -> None:
    license_ = await shop.issue("NodeLocked", **fields)
    if bound:
        await shop.validate(license_, "machine-1")
    action = {"Suspended": "suspend", "Revoked": "revoke"}.get(status)
    if action is not None:
        await shop.owner.ok("POST", f"/api/licenses/{license_['id']}/{action}")
    clock.advance(minutes=2)
    before = await state_of(platform, license_)
    body = {"licenseKey": license_["licenseKey"], "hardwareId": "machine-2", **asked}
    answer = await shop.call("POST", "/api/licenses/validate", body)
    assert answer.json()["status"] == status
    assert await state_of(platform, license_) == before


async def test_other_devices_of_a_converted_trial_are_removed_on_binding(
    shop: Shop, platform: Platform
) -> None:
    license_ = await shop.issue("Trial")
    for n in range(3):
        await shop.activate(license_, f"machine-{n}")
    license_ = await shop.owner.ok(
        "POST", f"/api/licenses/{license_['id']}/convert", {"type": "NodeLocked"}
    )
    assert len(await shop.devices(license_)) == 3
    assert (await shop.validate(license_, "machine-1"))["status"] == "Valid"
    [left] = await shop.devices(license_)
    assert (left["hardwareId"], left["status"]) == ("machine-1", "Active")
    assert (await shop.validate(license_, "machine-0"))["status"] == "HardwareMismatch"
    assert (await kinds_of(platform, shop, "activation.")).count("activation.deleted") == 2
    await assert_counters_match(platform, license_)


async def test_devices_of_a_converted_trial_are_pending_under_owner_approval(
    shop: Shop, platform: Platform
) -> None:
    license_ = await shop.issue("Trial")
    for n in range(3):
        await shop.activate(license_, f"machine-{n}")
    place = f"/api/licenses/{license_['id']}"
    license_ = await shop.owner.ok("POST", f"{place}/convert", {"type": "NodeLocked"})
    await shop.owner.ok("PUT", place, {"deviceBindingMode": "OwnerApproval"})
    again = await shop.activate(license_, "machine-0")
    assert (again.status_code, again.json()["status"]) == (202, "Pending")
    verdict = await shop.validate(license_, "machine-1")
    assert (verdict["status"], verdict["activation"]["status"]) == ("PendingApproval", "Pending")
    assert refusal(await connect(shop, license_, "machine-2")) == (403, "PendingApproval")
    assert {item["status"] for item in await shop.devices(license_)} == {"Pending"}
    await assert_counters_match(platform, license_)
    assert (await shop.operate(verdict["activation"]["id"], "approve")).is_success
    assert (await shop.validate(license_, "machine-1"))["status"] == "Valid"
    await assert_counters_match(platform, license_)


async def test_a_conversion_keeps_devices_blocked(shop: Shop, platform: Platform) -> None:
    license_ = await shop.issue("Trial")
    device = (await shop.activate(license_, "banned")).json()["activationId"]
    await shop.operate(device, "block")
    place = f"/api/licenses/{license_['id']}"
    license_ = await shop.owner.ok("POST", f"{place}/convert", {"type": "NodeLocked"})
    assert (await shop.validate(license_, "machine-1"))["status"] == "Valid"
    assert (await shop.validate(license_, "banned"))["status"] == "DeviceBlocked"
    await assert_counters_match(platform, license_)
    await shop.deactivate(license_, "machine-1")
    assert (await shop.validate(license_, "banned"))["status"] == "DeviceBlocked"
    await shop.operate(device, "unblock")
    assert (await shop.validate(license_, "banned"))["status"] == "Valid"
    await assert_counters_match(platform, license_)


async def test_a_license_suspended_concurrently(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The vendor suspends the license after it is read, and before it is locked."""
    license_ = await shop.issue("NodeLocked")
    place = f"/api/licenses/{license_['id']}"

    async def suspended_before(*given: Any) -> Any:
        await shop.owner.ok("POST", f"{place}/suspend")
        monkeypatch.setattr(admission, "_lock_license", lock)
        return await lock(*given)

    lock = admission._lock_license
    for way, status in (("validate", "Suspended"), ("connect", "LicenseInvalid")):
        await shop.owner.ok("POST", f"{place}/reinstate")
        monkeypatch.setattr(admission, "_lock_license", suspended_before)
        assert await use(shop, license_, "machine-1", way) == status
    assert await shop.devices(license_) == []


async def test_a_license_that_expires_concurrently(
    shop: Shop, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    license_ = await shop.issue("NodeLocked", expirationDate="2030-01-15T12:01:00Z")

    async def later(*given: Any) -> Any:
        clock.advance(minutes=1)
        raise Refused(ErrorCode.LICENSE_EXPIRED, "over")

    monkeypatch.setattr(admission, "_lock_license", later)
    assert (await shop.validate(license_, "machine-1"))["status"] == "Expired"
