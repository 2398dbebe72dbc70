"""Activations through HTTP: seats, idempotency, caps, and what operators do with devices."""

import asyncio

import pytest
from devices.factories import Shop, open_shop
from testkit import Owner


@pytest.fixture
async def shop(owner: Owner) -> Shop:
    return await open_shop(owner)


async def test_a_device_takes_one_seat_however_often_it_asks(shop: Shop) -> None:
    license_ = await shop.issue("Concurrent", maxActiveUsersCount=2)
    first = await shop.activate(license_, "machine-1", deviceName="Desk", os="Linux")
    assert first.status_code == 201, first.text
    made = first.json()
    assert made == {
        "activationId": made["activationId"],
        "status": "Active",
        "seatsUsed": 1,
        "seatsTotal": 2,
        "activatedAt": "2030-01-15T12:00:00Z",
    }
    again = await shop.activate(license_, "machine-1")
    assert (again.status_code, again.json()) == (200, made)
    [device] = await shop.devices(license_)
    assert (device["deviceName"], device["os"], device["status"]) == ("Desk", "Linux", "Active")
    assert (await shop.read(license_))["seatsUsed"] == 1


async def test_the_cap_holds_and_a_seat_that_is_given_back_is_free(shop: Shop) -> None:
    license_ = await shop.issue("Concurrent", maxActiveUsersCount=1)
    assert (await shop.activate(license_, "machine-1")).status_code == 201
    full = await shop.activate(license_, "machine-2")
    assert full.status_code == 409
    problem = full.json()
    assert problem["errorCode"] == "MaxActivationsReached"
    assert (problem["seatsUsed"], problem["seatsTotal"]) == (1, 1)


async def test_sixty_at_once_for_seven_seats(shop: Shop) -> None:
    license_ = await shop.issue("Concurrent", maxActiveUsersCount=7)
    answers = await asyncio.gather(*(shop.activate(license_, f"machine-{n}") for n in range(60)))
    assert sorted(answer.status_code for answer in answers) == [201] * 7 + [409] * 53
    assert len(await shop.devices(license_, pageSize="100")) == 7


async def test_auto_bind(shop: Shop) -> None:
    license_ = await shop.issue("NodeLocked")
    first = await shop.validate(license_, "machine-1")
    assert (first["status"], first["activation"]["status"]) == ("Valid", "Active")
    other = await shop.validate(license_, "machine-2")
    assert (other["status"], other["activation"]) == ("HardwareMismatch", None)
    await shop.validate(license_, "machine-2")
    [attempt] = await shop.attempts(license_)
    assert (attempt["attemptedHardwareId"], attempt["attemptCount"]) == ("machine-2", 2)
    assert (await shop.read(license_))["unreviewedAccessAttempts"] == 1


async def test_owner_approval(shop: Shop) -> None:
    license_ = await shop.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    first = await shop.validate(license_, "machine-1")
    assert (first["status"], first["activation"]["status"]) == ("PendingApproval", "Pending")
    pending = await shop.activate(license_, "machine-2")
    assert pending.status_code == 202
    approved = await shop.operate(first["activation"]["id"], "approve")
    assert approved.json()["status"] == "Active"
    assert (await shop.validate(license_, "machine-1"))["status"] == "Valid"
    assert (await shop.validate(license_, "machine-2"))["status"] == "HardwareMismatch"
    assert (await shop.operate(pending.json()["activationId"], "approve")).status_code == 409
