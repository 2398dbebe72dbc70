"""Approving, blocking and removing devices, by operators and by the device itself."""

import csv
import io

import pytest
from catalog.factories import refusal
from devices.books import assert_counters_match, state_of
from world import World


@pytest.mark.specification("states.blocked")
async def test_a_blocked_device_keeps_its_seat_and_is_denied_everywhere(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1)
    device = (await world.activate(license_, "machine-1")).json()["activationId"]
    blocked = await world.operate(device, "block")
    assert (blocked.status_code, blocked.json()["status"]) == (200, "Blocked")
    before = await state_of(world.platform, license_)
    assert refusal(await world.activate(license_, "machine-1")) == (403, "DeviceBlocked")
    assert refusal(await world.refresh(license_, "machine-1")) == (403, "DeviceBlocked")
    assert refusal(await world.deactivate(license_, "machine-1")) == (403, "DeviceBlocked")
    verdict = await world.validate(license_, "machine-1")
    assert (verdict["valid"], verdict["status"]) == (False, "DeviceBlocked")
    assert verdict["activation"] == {"id": device, "status": "Blocked"}
    assert refusal(await world.activate(license_, "machine-2")) == (409, "MaxActivationsReached")
    assert (await world.operate(device, "block")).json() == blocked.json()
    after = await state_of(world.platform, license_)
    assert (after["activations"], after["device_counters"]) == (
        before["activations"],
        before["device_counters"],
    )
    assert (await world.read(license_))["seatsUsed"] == 1


@pytest.mark.parametrize("model", ["Perpetual", "Floating", "MeteredCount"])
async def test_a_block_applies_without_a_cap(world: World, model: str) -> None:
    license_ = await world.issue(model)
    device = (await world.activate(license_, "machine-1")).json()["activationId"]
    await world.operate(device, "block")
    assert (await world.validate(license_, "machine-1"))["status"] == "DeviceBlocked"
    assert (await world.validate(license_, "machine-2"))["status"] == "Valid"
    assert (await world.operate(device, "unblock")).json()["status"] == "Active"
    assert (await world.validate(license_, "machine-1"))["status"] == "Valid"


@pytest.mark.specification("states.blocked")
async def test_unblocking_restores_the_status(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    for machine in ("bound", "waiting"):
        await world.activate(license_, machine)
    waiting, bound = await world.devices(license_)
    await world.operate(bound, "approve")
    world.clock.advance(minutes=1)
    before = (await state_of(world.platform, license_))["activations"]
    for device, status in ((bound, "Active"), (waiting, "Pending")):
        assert (await world.operate(device, "block")).json()["status"] == "Blocked"
        assert (await world.operate(device, "unblock")).json()["status"] == status
        assert (await world.operate(device, "unblock")).json()["status"] == status
    assert (await state_of(world.platform, license_))["activations"] == before
    assert (await world.validate(license_, "bound"))["status"] == "Valid"


async def test_a_blocked_pending_device_cannot_be_approved(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    device = (await world.activate(license_, "machine-1")).json()["activationId"]
    await world.operate(device, "block")
    assert refusal(await world.operate(device, "approve")) == (409, "Conflict")
    assert (await world.validate(license_, "machine-1"))["status"] == "DeviceBlocked"
    assert refusal(await world.activate(license_, "machine-1")) == (403, "DeviceBlocked")
    await world.operate(device, "unblock")
    assert (await world.activate(license_, "machine-1")).status_code == 202
    assert (await world.operate(device, "approve")).json()["status"] == "Active"


async def test_the_bound_machine_stays_bound_while_it_is_blocked(world: World) -> None:
    license_ = await world.issue("NodeLocked")
    device = (await world.validate(license_, "machine-1"))["activation"]["id"]
    await world.operate(device, "block")
    assert (await world.validate(license_, "machine-1"))["status"] == "DeviceBlocked"
    assert (await world.validate(license_, "machine-2"))["status"] == "HardwareMismatch"
    assert (await world.activate(license_, "machine-2")).status_code == 409
    await world.operate(device, "unblock")
    assert (await world.validate(license_, "machine-1"))["status"] == "Valid"


async def test_approving_binds_one_device_and_is_idempotent(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    one, two = [
        (await world.activate(license_, machine)).json() for machine in ("machine-1", "machine-2")
    ]
    assert (one["status"], one["seatsUsed"], one["seatsTotal"], one["activatedAt"]) == (
        "Pending",
        0,
        1,
        None,
    )
    assert (await world.activate(license_, "machine-1")).status_code == 202
    world.clock.advance(minutes=1)
    approved = await world.operate(one["activationId"], "approve")
    assert approved.json()["status"] == "Active"
    assert (await world.operate(one["activationId"], "approve")).json() == approved.json()
    assert refusal(await world.operate(two["activationId"], "approve")) == (409, "Conflict")
    seated = await world.activate(license_, "machine-1")
    assert (seated.status_code, seated.json()["seatsUsed"]) == (200, 1)
    assert seated.json()["activatedAt"] == "2030-01-15T12:01:00Z"
    await assert_counters_match(world.platform, license_)
    assert (await world.operate(one["activationId"], "deactivate")).is_success
    assert (await world.operate(two["activationId"], "approve")).json()["status"] == "Active"
    assert (await world.validate(license_, "machine-1"))["status"] == "HardwareMismatch"
    await assert_counters_match(world.platform, license_)


async def test_an_approval_is_taken_back(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    asked = (await world.activate(license_, "machine-1")).json()
    before = await state_of(world.platform, license_)
    path = f"/api/licenses/{license_['id']}/activations"
    waiting = await world.owner.ok("GET", path)
    await world.operate(asked["activationId"], "approve")
    assert (await world.validate(license_, "machine-1"))["status"] == "Valid"
    for _ in range(2):
        answer = await world.operate(asked["activationId"], "deactivate", toPending=True)
        assert (answer.status_code, answer.json()["status"]) == (200, "Pending")
    assert await world.owner.ok("GET", path) == waiting
    after = await state_of(world.platform, license_)
    assert after["device_counters"] == before["device_counters"]
    assert (await world.validate(license_, "machine-1"))["status"] == "PendingApproval"
    both = await world.operate(asked["activationId"], "deactivate", toPending=True, force=True)
    assert refusal(both) == (400, "InvalidRequest")
    await world.operate(asked["activationId"], "block")
    blocked = await world.operate(asked["activationId"], "deactivate", toPending=True)
    assert refusal(blocked) == (409, "Conflict")


async def test_only_an_approval_is_taken_back(world: World) -> None:
    license_ = await world.issue("Concurrent")
    device = (await world.activate(license_, "machine-1")).json()["activationId"]
    answer = await world.operate(device, "deactivate", toPending=True)
    assert refusal(answer) == (409, "Conflict")
    await assert_counters_match(world.platform, license_)


async def test_approving_an_active_device_changes_nothing(world: World) -> None:
    license_ = await world.issue("Concurrent")
    device = (await world.activate(license_, "machine-1")).json()["activationId"]
    before = await state_of(world.platform, license_)
    assert (await world.operate(device, "approve")).json()["status"] == "Active"
    assert await state_of(world.platform, license_) == before | {
        "device_counters": before["device_counters"]
    }


@pytest.mark.specification("states.deactivation", "runtime.activate")
@pytest.mark.parametrize("by", ["device", "operator", "operator, blocked"])
async def test_a_released_seat_is_free(world: World, by: str) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1)
    first = (await world.activate(license_, "machine-1")).json()["activationId"]
    if by == "device":
        assert (await world.deactivate(license_, "machine-1")).status_code == 204
        gone = await world.deactivate(license_, "machine-1")
        assert refusal(gone) == (404, "ActivationNotFound")
    else:
        if by == "operator, blocked":
            await world.operate(first, "block")
        assert (await world.operate(first, "deactivate")).is_success
        assert refusal(await world.operate(first, "deactivate")) == (404, "NotFound")
    assert await world.devices(license_) == []
    assert (await world.read(license_))["seatsUsed"] == 0
    second = await world.activate(license_, "machine-2")
    assert (second.status_code, second.json()["seatsUsed"]) == (201, 1)
    assert refusal(await world.activate(license_, "machine-1")) == (409, "MaxActivationsReached")
    await assert_counters_match(world.platform, license_)


async def test_a_device_that_is_not_activated_cannot_be_deactivated(world: World) -> None:
    license_ = await world.issue("NodeLocked")
    await world.validate(license_, "machine-1")
    before = await state_of(world.platform, license_)
    unknown = await world.deactivate(license_, "machine-2")
    assert refusal(unknown) == (404, "ActivationNotFound")
    foreign = await world.deactivate({"licenseKey": "no-such-key"}, "machine-1")
    assert refusal(foreign) == (404, "LicenseNotFound")
    assert await state_of(world.platform, license_) == before


async def test_deactivating_by_query(world: World) -> None:
    license_ = await world.issue("Concurrent")
    await world.activate(license_, "machine 1/ü")
    query = {"licenseKey": license_["licenseKey"].lower(), "hardwareId": "machine 1/ü"}
    answer = await world.owner.client.delete(
        "/api/activations/current", params=query, headers=world.key
    )
    assert answer.status_code == 204, answer.text
    assert await world.devices(license_) == []


async def test_devices_are_found_by_parts_of_their_names_and_sent_as_csv(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=5)
    for machine, name in (("abc-1", "Desk_1"), ("abc-2", "Laptop 2"), ("xyz-3", None)):
        await world.activate(license_, machine, deviceName=name)
    blocked, *_ = await world.devices(license_, search="xyz")
    await world.operate(blocked["id"], "block")

    async def found(**query: str) -> list[str]:
        return [item["hardwareId"] for item in await world.devices(license_, **query)]

    assert await found(search=" LAPTOP ") == ["abc-2"]
    assert await found(search="BC-") == ["abc-2", "abc-1"]
    assert await found(search="k_1") == ["abc-1"]
    assert await found(search="abc", status="Blocked") == []
    assert await found(search="z-3", status="Blocked") == ["xyz-3"]
    customer = f"/api/customers/{license_['customerId']}/activations"
    for path in (f"/api/licenses/{license_['id']}/activations", customer):
        asked = f"{path}?search=abc&status=Active"
        listed = (await world.owner.ok("GET", asked))["items"]
        answer = await world.owner.send("GET", asked, headers={"accept": "text/csv"})
        assert 'filename="devices.csv"' in answer.headers["content-disposition"]
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert [row["hardwareId"] for row in rows] == ["abc-1", "abc-2"]
        assert {row["id"] for row in rows} == {item["id"] for item in listed}
