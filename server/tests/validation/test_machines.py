"""Validate, refresh and explain for machines: verdicts, seats, and no writes."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from devices.books import state_of
from joserfc import jws
from joserfc.jwk import RSAKey
from sqlalchemy import text
from world import Vendor, World

from licet_server.kit.platform import Platform

RULES = [
    "LicenseExists",
    "Credentials",
    "NotRevoked",
    "NotSuspended",
    "NotExpired",
    "ReleaseAllowed",
    "HardwareIdGiven",
    "HardwareIdAccepted",
    "DeviceNotBlocked",
    "DeviceProven",
    "MachineBound",
    "Seat",
    "FirstTrial",
]


async def explain(vendor: Vendor, license_: dict[str, Any], **asked: Any) -> dict[str, Any]:
    place = f"/api/licenses/{license_['id']}/explain"
    explained = dict(await vendor.owner.ok("POST", place, asked))
    assert [rule["rule"] for rule in explained["rules"]] == RULES
    assert all(rule["detail"] for rule in explained["rules"])
    return explained


def failing(explained: dict[str, Any]) -> list[str]:
    return [rule["rule"] for rule in explained["rules"] if not rule["passed"]]


def detail(explained: dict[str, Any], name: str) -> str:
    return next(str(rule["detail"]) for rule in explained["rules"] if rule["rule"] == name)


async def test_a_concurrent_license_is_valid_only_on_a_device_with_a_seat(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1)
    without = await world.validate(license_, "machine-1")
    assert (without["valid"], without["status"]) == (False, "ActivationRequired")
    assert (without["activation"], without["license"]["id"]) == (None, license_["id"])
    assert await world.devices(license_) == []
    made = (await world.activate(license_, "machine-1")).json()
    seated = await world.validate(license_, "machine-1")
    assert (seated["status"], seated["seat"]["held"]) == ("Valid", True)
    assert seated["activation"] == {"id": made["activationId"], "status": "Active"}
    unnamed = await world.validate(license_)
    assert (unnamed["status"], unnamed["activation"]) == ("ActivationRequired", None)
    assert unnamed["seat"] == {"kind": "Device", "held": None, "used": 1, "total": 1}
    full = await world.validate(license_, "machine-2")
    assert (full["status"], full["activation"]) == ("ActivationRequired", None)
    assert full["seat"] == {"kind": "Device", "held": False, "used": 1, "total": 1}


@pytest.mark.parametrize("model", ["Perpetual", "Trial", "Floating", "MeteredToken"])
async def test_other_models_show_the_device_that_was_activated(world: World, model: str) -> None:
    license_ = await world.issue(model)
    assert (await world.validate(license_, "machine-1"))["activation"] is None
    made = (await world.activate(license_, "machine-1")).json()
    shown = (await world.validate(license_, "machine-1"))["activation"]
    assert shown == {"id": made["activationId"], "status": "Active"}


async def test_rules_of_the_license_come_before_rules_of_the_machine(world: World) -> None:
    license_ = await world.issue("NodeLocked")
    device = (await world.validate(license_, "machine-1"))["activation"]["id"]
    await world.operate(device, "block")
    assert (await world.validate(license_, "machine-1"))["status"] == "DeviceBlocked"
    newer = await world.validate(license_, "machine-1", appVersion="3.0.0")
    assert newer["status"] == "ReleaseNotAllowed"
    await world.owner.ok("POST", f"/api/licenses/{license_['id']}/suspend")
    for machine in ("machine-1", "machine-2"):
        assert (await world.validate(license_, machine))["status"] == "Suspended"
    assert (await world.validate(license_))["status"] == "Suspended"


async def test_without_credentials_a_license_reveals_nothing_of_its_devices(world: World) -> None:
    license_ = await world.issue("Perpetual", username="jo", password="s3cret pass")
    right = {"username": "jo", "password": "s3cret pass"}
    device = (await world.activate(license_, "machine-1", **right)).json()["activationId"]
    for asked, status in (
        ({}, "CredentialsRequired"),
        (right | {"password": "x"}, "CredentialsInvalid"),
    ):
        answer = await world.validate(license_, "machine-1", **asked)
        assert (answer["status"], answer["license"], answer["activation"]) == (status, None, None)
        assert (await world.operate(device, "block")).is_success
        assert (await world.validate(license_, "machine-1", **asked))["status"] == status
        assert (await world.operate(device, "unblock")).is_success
    assert (await world.validate(license_, "machine-1", **right))["activation"]["id"] == device
    await world.operate(device, "block")
    assert (await world.validate(license_, "machine-1", **right))["status"] == "DeviceBlocked"


async def test_a_signed_verdict_names_the_denied_machine(world: World) -> None:
    license_ = await world.issue("NodeLocked")
    await world.validate(license_, "machine-1")
    place = f"/api/products/{world.product['id']}/keys/public/download"
    key = RSAKey.import_key((await world.owner.send("GET", place)).text)
    for machine, status in (("machine-1", "Valid"), ("machine-2", "HardwareMismatch")):
        answer = await world.validate(license_, machine, signed=True, nonce="n")
        claims = json.loads(jws.deserialize_compact(answer["token"], key, ["RS256"]).payload)
        assert (claims["hardwareId"], claims["status"]) == (machine, status)
        assert claims["valid"] is (status == "Valid")


async def test_explaining_an_unbound_license_does_not_bind_it(world: World) -> None:
    license_ = await world.issue("NodeLocked")
    before = await state_of(world.platform, license_)
    explained = await explain(world, license_, hardwareId="machine-1")
    assert (explained["status"], failing(explained)) == ("Valid", [])
    assert "not bound to a machine yet" in detail(explained, "MachineBound")
    nobody = await explain(world, license_)
    assert (nobody["status"], failing(nobody)) == ("HardwareIdRequired", ["HardwareIdGiven"])
    await world.owner.ok(
        "PUT", f"/api/licenses/{license_['id']}", {"deviceBindingMode": "OwnerApproval"}
    )
    waiting = await explain(world, license_, hardwareId="machine-1")
    assert (waiting["status"], failing(waiting)) == ("PendingApproval", ["MachineBound"])
    after = await state_of(world.platform, license_)
    assert after == before | {"events": after["events"]}
    assert after["events"] == before["events"] + 1  # the change of the mode


async def test_explaining_shows_every_rule_that_fails_and_changes_nothing(world: World) -> None:
    license_ = await world.issue("NodeLocked", expirationDate="2030-01-15T12:01:00Z")
    device = (await world.validate(license_, "machine-1"))["activation"]["id"]
    bound = await explain(world, license_, hardwareId="machine-1")
    assert (bound["status"], failing(bound)) == ("Valid", [])
    assert "bound to this machine" in detail(bound, "MachineBound")
    await world.validate(license_, "machine-2")
    await world.operate(device, "block")
    await world.owner.ok("POST", f"/api/licenses/{license_['id']}/suspend")
    world.clock.advance(minutes=1)
    before = await state_of(world.platform, license_)
    for machine in ("machine-2", "machine-3"):
        explained = await explain(world, license_, hardwareId=machine, appVersion="9.0.0")
        assert explained["status"] == "Suspended"
        assert failing(explained) == [
            "NotSuspended",
            "NotExpired",
            "ReleaseAllowed",
            "MachineBound",
        ]
    explained = await explain(world, license_, hardwareId="machine-1")
    assert failing(explained) == ["NotSuspended", "NotExpired", "DeviceNotBlocked"]
    assert await state_of(world.platform, license_) == before


async def test_explaining_seats(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1)
    await world.activate(license_, "machine-1")
    before = await state_of(world.platform, license_)
    seated = await explain(world, license_, hardwareId="machine-1")
    without = await explain(world, license_, hardwareId="machine-2")
    unnamed = await explain(world, license_)
    assert (seated["status"], failing(seated)) == ("Valid", [])
    for explained in (without, unnamed):
        assert (explained["status"], failing(explained)) == ("ActivationRequired", ["Seat"])
    assert detail(seated, "Seat") == "This device holds a seat."
    assert await state_of(world.platform, license_) == before


async def test_refreshing_a_concurrent_license_requires_a_seat_of_the_device(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1)
    assert bad_fields(await world.refresh(license_, None)) == ["hardwareId"]
    assert refusal(await world.refresh(license_, "machine-1")) == (403, "ActivationRequired")
    device = (await world.activate(license_, "machine-1")).json()["activationId"]
    before = await state_of(world.platform, license_)
    assert (await world.refresh(license_, "machine-1")).status_code == 200
    assert refusal(await world.refresh(license_, "machine-2")) == (403, "ActivationRequired")
    assert await state_of(world.platform, license_) == before
    await world.operate(device, "block")
    assert refusal(await world.refresh(license_, "machine-1")) == (403, "DeviceBlocked")
    await world.operate(device, "deactivate")
    assert refusal(await world.refresh(license_, "machine-1")) == (403, "ActivationRequired")


async def test_refreshing_is_refused_with_the_code_of_the_verdict(world: World) -> None:
    locked = await world.issue("NodeLocked", expirationDate="2030-01-15T12:10:00Z")
    assert bad_fields(await world.refresh(locked, None)) == ["hardwareId"]
    assert (await world.refresh(locked, "machine-1")).status_code == 200
    assert refusal(await world.refresh(locked, "machine-2")) == (403, "HardwareMismatch")
    waiting = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    assert refusal(await world.refresh(waiting, "machine-1")) == (403, "PendingApproval")
    [device] = await world.devices(waiting)
    await world.operate(device, "block")
    assert refusal(await world.refresh(waiting, "machine-1")) == (403, "DeviceBlocked")
    await world.owner.ok("POST", f"/api/licenses/{waiting['id']}/suspend")
    assert refusal(await world.refresh(waiting, "machine-1")) == (400, "LicenseInvalid")
    world.clock.advance(minutes=10)
    assert refusal(await world.refresh(locked, "machine-1")) == (400, "LicenseExpired")
    assert refusal(await world.refresh(locked, "machine-2")) == (400, "LicenseExpired")
    assert len(await world.attempts(locked)) == 1


async def test_a_file_names_the_machine_that_it_is_for(world: World) -> None:
    place = f"/api/products/{world.product['id']}/keys/public/download"
    key = RSAKey.import_key((await world.owner.send("GET", place)).text)
    for model, machines in (
        ("NodeLocked", ["machine-1"]),
        ("Perpetual", None),
        ("Concurrent", ["machine-1"]),
    ):
        license_ = await world.issue(model)
        await world.activate(license_, "machine-1")
        file = (await world.refresh(license_, "machine-1")).json()["file"]
        claims = json.loads(jws.deserialize_compact(file, key, ["RS256"]).payload)
        assert claims.get("hardwareIds") == machines
        protected = await world.refresh(license_, "machine-1", protected=True)
        assert protected.json()["file"].count(".") == 4


@asynccontextmanager
async def refusing_writes(platform: Platform) -> AsyncIterator[None]:
    """Every write to the database fails."""
    async with platform.database.reading() as db:
        name = (await db.execute(text("SELECT current_database()"))).scalar_one()
        await db.execute(text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'))
    await platform.database.close()
    try:
        yield
    finally:
        async with platform.database.reading() as db:
            await db.execute(text("SET default_transaction_read_only = off"))
            await db.execute(text(f'ALTER DATABASE "{name}" RESET default_transaction_read_only'))
        await platform.database.close()


async def test_verdicts_that_write_nothing(world: World) -> None:
    locked = await world.issue("NodeLocked")
    device = (await world.validate(locked, "machine-1"))["activation"]["id"]
    waiting = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    await world.validate(waiting, "machine-1")
    pool = await world.issue("Concurrent", maxActiveUsersCount=1)
    await world.activate(pool, "machine-1")
    unbound = await world.issue("NodeLocked")
    async with refusing_writes(world.platform):
        for signed in (False, True):
            for license_, machine, status in (
                (locked, "machine-1", "Valid"),
                (locked, None, "HardwareIdRequired"),
                (waiting, "machine-1", "PendingApproval"),
                (pool, "machine-1", "Valid"),
                (pool, "machine-2", "ActivationRequired"),
                (pool, None, "ActivationRequired"),
            ):
                answer = await world.validate(license_, machine, signed=signed)
                assert answer["status"] == status
        for license_ in (locked, pool):
            assert (await world.refresh(license_, "machine-1")).status_code == 200
        assert refusal(await world.refresh(pool, "machine-2")) == (403, "ActivationRequired")
        assert (await explain(world, unbound, hardwareId="machine-1"))["status"] == "Valid"
        body = {"licenseKey": unbound["licenseKey"], "hardwareId": "machine-1"}
        control = await world.call("POST", "/api/licenses/validate", body)
        assert control.status_code == 503  # binding does write
        assert (await world.operate(device, "block")).status_code == 503
    assert (await world.validate(unbound, "machine-1"))["status"] == "Valid"
