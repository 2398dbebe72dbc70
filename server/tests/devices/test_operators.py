"""Approving, blocking and removing devices, by operators and by the device itself."""

from collections.abc import Callable
from typing import Any

import pytest
from catalog.factories import join, refusal
from devices.books import assert_counters_match, state_of
from devices.factories import Shop, open_shop
from testkit import FakeClock, Owner

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform


@pytest.fixture
async def shop(owner: Owner) -> Shop:
    return await open_shop(owner)


async def refresh(shop: Shop, license_: dict[str, Any], machine: str) -> Any:
    body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
    return await shop.call("POST", "/api/licenses/refresh", body)


@pytest.mark.specification("states.blocked")
async def test_a_blocked_device_keeps_its_seat_and_is_denied_everywhere(
    shop: Shop, platform: Platform
) -> None:
    license_ = await shop.issue("Concurrent", maxActiveUsersCount=1)
    device = (await shop.activate(license_, "machine-1")).json()["activationId"]
    blocked = await shop.operate(device, "block")
    assert (blocked.status_code, blocked.json()["status"]) == (200, "Blocked")
    before = await state_of(platform, license_)
    assert refusal(await shop.activate(license_, "machine-1")) == (403, "DeviceBlocked")
    assert refusal(await refresh(shop, license_, "machine-1")) == (403, "DeviceBlocked")
    assert refusal(await shop.deactivate(license_, "machine-1")) == (403, "DeviceBlocked")
    verdict = await shop.validate(license_, "machine-1")
    assert (verdict["valid"], verdict["status"]) == (False, "DeviceBlocked")
    assert verdict["activation"] == {"id": device, "status": "Blocked"}
    assert refusal(await shop.activate(license_, "machine-2")) == (409, "MaxActivationsReached")
    assert (await shop.operate(device, "block")).json() == blocked.json()
    after = await state_of(platform, license_)
    assert (after["activations"], after["device_counters"]) == (
        before["activations"],
        before["device_counters"],
    )
    assert (await shop.read(license_))["seatsUsed"] == 1


@pytest.mark.parametrize("model", ["Perpetual", "Floating", "MeteredCount"])
async def test_a_block_applies_without_a_cap(shop: Shop, model: str) -> None:
    license_ = await shop.issue(model)
    device = (await shop.activate(license_, "machine-1")).json()["activationId"]
    await shop.operate(device, "block")
    assert (await shop.validate(license_, "machine-1"))["status"] == "DeviceBlocked"
    assert (await shop.validate(license_, "machine-2"))["status"] == "Valid"
    assert (await shop.operate(device, "unblock")).json()["status"] == "Active"
    assert (await shop.validate(license_, "machine-1"))["status"] == "Valid"


@pytest.mark.specification("states.blocked")
async def test_unblocking_restores_the_status(
    shop: Shop, clock: FakeClock, platform: Platform
) -> None:
    license_ = await shop.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    for machine in ("bound", "waiting"):
        await shop.activate(license_, machine)
    waiting, bound = await shop.devices(license_)
    await shop.operate(bound, "approve")
    clock.advance(minutes=1)
    before = (await state_of(platform, license_))["activations"]
    for device, status in ((bound, "Active"), (waiting, "Pending")):
        assert (await shop.operate(device, "block")).json()["status"] == "Blocked"
        assert (await shop.operate(device, "unblock")).json()["status"] == status
        assert (await shop.operate(device, "unblock")).json()["status"] == status
    assert (await state_of(platform, license_))["activations"] == before
    assert (await shop.validate(license_, "bound"))["status"] == "Valid"


async def test_a_blocked_pending_device_cannot_be_approved(shop: Shop) -> None:
    license_ = await shop.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    device = (await shop.activate(license_, "machine-1")).json()["activationId"]
    await shop.operate(device, "block")
    assert refusal(await shop.operate(device, "approve")) == (409, "Conflict")
    assert (await shop.validate(license_, "machine-1"))["status"] == "DeviceBlocked"
    assert refusal(await shop.activate(license_, "machine-1")) == (403, "DeviceBlocked")
    await shop.operate(device, "unblock")
    assert (await shop.activate(license_, "machine-1")).status_code == 202
    assert (await shop.operate(device, "approve")).json()["status"] == "Active"


async def test_the_bound_machine_stays_bound_while_it_is_blocked(shop: Shop) -> None:
    license_ = await shop.issue("NodeLocked")
    device = (await shop.validate(license_, "machine-1"))["activation"]["id"]
    await shop.operate(device, "block")
    assert (await shop.validate(license_, "machine-1"))["status"] == "DeviceBlocked"
    assert (await shop.validate(license_, "machine-2"))["status"] == "HardwareMismatch"
    assert (await shop.activate(license_, "machine-2")).status_code == 409
    await shop.operate(device, "unblock")
    assert (await shop.validate(license_, "machine-1"))["status"] == "Valid"


async def test_approving_binds_one_device_and_is_idempotent(
    shop: Shop, platform: Platform, clock: FakeClock
) -> None:
    license_ = await shop.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    one, two = [
        (await shop.activate(license_, machine)).json() for machine in ("machine-1", "machine-2")
    ]
    assert (one["status"], one["seatsUsed"], one["seatsTotal"], one["activatedAt"]) == (
        "Pending",
        0,
        1,
        None,
    )
    assert (await shop.activate(license_, "machine-1")).status_code == 202
    clock.advance(minutes=1)
    approved = await shop.operate(one["activationId"], "approve")
    assert approved.json()["status"] == "Active"
    assert (await shop.operate(one["activationId"], "approve")).json() == approved.json()
    assert refusal(await shop.operate(two["activationId"], "approve")) == (409, "Conflict")
    seated = await shop.activate(license_, "machine-1")
    assert (seated.status_code, seated.json()["seatsUsed"]) == (200, 1)
    assert seated.json()["activatedAt"] == "2030-01-15T12:01:00Z"
    await assert_counters_match(platform, license_)
    assert (await shop.operate(one["activationId"], "deactivate")).is_success
    assert (await shop.operate(two["activationId"], "approve")).json()["status"] == "Active"
    assert (await shop.validate(license_, "machine-1"))["status"] == "HardwareMismatch"
    await assert_counters_match(platform, license_)


async def test_approving_an_active_device_changes_nothing(shop: Shop, platform: Platform) -> None:
    license_ = await shop.issue("Concurrent")
    device = (await shop.activate(license_, "machine-1")).json()["activationId"]
    before = await state_of(platform, license_)
    assert (await shop.operate(device, "approve")).json()["status"] == "Active"
    assert await state_of(platform, license_) == before | {
        "device_counters": before["device_counters"]
    }


@pytest.mark.specification("states.deactivation", "runtime.activate")
@pytest.mark.parametrize("by", ["device", "operator", "operator, blocked"])
async def test_a_released_seat_is_free(shop: Shop, platform: Platform, by: str) -> None:
    license_ = await shop.issue("Concurrent", maxActiveUsersCount=1)
    first = (await shop.activate(license_, "machine-1")).json()["activationId"]
    if by == "device":
        assert (await shop.deactivate(license_, "machine-1")).status_code == 204
        gone = await shop.deactivate(license_, "machine-1")
        assert refusal(gone) == (404, "ActivationNotFound")
    else:
        if by == "operator, blocked":
            await shop.operate(first, "block")
        assert (await shop.operate(first, "deactivate")).is_success
        assert refusal(await shop.operate(first, "deactivate")) == (404, "NotFound")
    assert await shop.devices(license_) == []
    assert (await shop.read(license_))["seatsUsed"] == 0
    second = await shop.activate(license_, "machine-2")
    assert (second.status_code, second.json()["seatsUsed"]) == (201, 1)
    assert refusal(await shop.activate(license_, "machine-1")) == (409, "MaxActivationsReached")
    await assert_counters_match(platform, license_)


async def test_a_device_that_is_not_activated_cannot_be_deactivated(
    shop: Shop, platform: Platform
) -> None:
    license_ = await shop.issue("NodeLocked")
    await shop.validate(license_, "machine-1")
    before = await state_of(platform, license_)
    unknown = await shop.deactivate(license_, "machine-2")
    assert refusal(unknown) == (404, "ActivationNotFound")
    foreign = await shop.deactivate({"licenseKey": "no-such-key"}, "machine-1")
    assert refusal(foreign) == (404, "LicenseNotFound")
    assert await state_of(platform, license_) == before


async def test_deactivating_by_query(shop: Shop) -> None:
    license_ = await shop.issue("Concurrent")
    await shop.activate(license_, "machine 1/ü")
    query = {"licenseKey": license_["licenseKey"].lower(), "hardwareId": "machine 1/ü"}
    answer = await shop.owner.client.delete(
        "/api/activations/current", params=query, headers=shop.key
    )
    assert answer.status_code == 204, answer.text
    assert await shop.devices(license_) == []


@pytest.mark.parametrize("action", ["block", "unblock", "approve", "deactivate"])
async def test_only_owners_and_admins_may_act(
    shop: Shop,
    stranger: Owner,
    new_owner: Callable[..., Any],
    platform: Platform,
    action: str,
) -> None:
    license_ = await shop.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    device = (await shop.activate(license_, "machine-1")).json()["activationId"]
    place = f"/api/activations/{device}/{action}"
    people = {role: await new_owner(role) for role in (Role.VIEWER, Role.MEMBER, Role.ADMIN)}
    for role, person in people.items():
        await join(platform, shop.owner, person, role)
    before = await state_of(platform, license_)
    assert refusal(await stranger.send("POST", place)) == (404, "NotFound")
    for role in (Role.VIEWER, Role.MEMBER):
        assert refusal(await people[role].send("POST", place)) == (403, "Forbidden")
        listed = await people[role].send("GET", f"/api/licenses/{license_['id']}/activations")
        assert refusal(listed) == (403, "Forbidden")
    assert await state_of(platform, license_) == before
    listing = f"/api/licenses/{license_['id']}/activations"
    assert refusal(await stranger.send("GET", listing)) == (404, "NotFound")
    assert refusal(await shop.owner.client.request("POST", place)) == (401, "Unauthorized")
    product_key = await shop.owner.client.request("POST", place, headers=shop.key)
    assert refusal(product_key) == (401, "Unauthorized")
    assert (await people[Role.ADMIN].send("POST", place)).is_success
