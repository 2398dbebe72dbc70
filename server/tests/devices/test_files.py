"""license.bin for one device: who may bind a license with it, and when it is refused."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from catalog.factories import refusal
from devices.books import assert_counters_match, flood, kinds_of, state_of
from joserfc import jws
from joserfc.jwk import RSAKey
from testkit import Owner
from world import Vendor, World

from licet_server.identity.rules.memberships import Role


async def ask(user: Owner, license_: dict[str, Any], machine: str | None = None) -> Any:
    query = {} if machine is None else {"hardwareId": machine}
    return await user.send("GET", f"/api/licenses/{license_['id']}/file", params=query)


async def machines_in(vendor: Vendor, text: str) -> list[str] | None:
    place = f"/api/products/{vendor.product['id']}/keys/public/download"
    key = RSAKey.import_key((await vendor.owner.send("GET", place)).text)
    claims = json.loads(jws.deserialize_compact(text, key, algorithms=["RS256"]).payload)
    return claims.get("hardwareIds")


@pytest.mark.parametrize("mode", ["AutoBind", "OwnerApproval"])
async def test_downloading_for_a_device_binds_the_license(world: World, mode: str) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode=mode)
    unbound = await ask(world.owner, license_)
    assert await machines_in(world, unbound.text) is None
    assert await world.devices(license_) == []
    file = await ask(world.owner, license_, "machine-1")
    assert await machines_in(world, file.text) == ["machine-1"]
    [device] = await world.devices(license_)
    assert (device["hardwareId"], device["status"]) == ("machine-1", "Active")
    assert (await world.validate(license_, "machine-1"))["status"] == "Valid"
    assert (await world.validate(license_, "machine-2"))["status"] == "HardwareMismatch"
    before = await state_of(world.platform, license_)
    for machine in (None, "machine-1"):
        again = await ask(world.owner, license_, machine)
        assert await machines_in(world, again.text) == ["machine-1"]
    assert refusal(await ask(world.owner, license_, "machine-2")) == (409, "Conflict")
    assert await state_of(world.platform, license_) == before
    assert await kinds_of(world.platform, world, "activation.") == ["activation.created"]
    await assert_counters_match(world.platform, license_)


async def test_downloading_approves_a_pending_device(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    for machine in ("machine-1", "machine-2"):
        await world.activate(license_, machine, deviceName="DemoClient")
    assert (await ask(world.owner, license_, "machine-2")).status_code == 200
    found = {item["hardwareId"]: item for item in await world.devices(license_)}
    assert {name: item["status"] for name, item in found.items()} == {
        "machine-1": "Pending",
        "machine-2": "Active",
    }
    assert found["machine-2"]["deviceName"] == "DemoClient"
    kinds = await kinds_of(world.platform, world, "activation.")
    assert kinds == ["activation.pending", "activation.pending", "activation.approved"]
    await assert_counters_match(world.platform, license_)


async def test_a_viewer_may_download_but_not_bind(
    world: World, stranger: Owner, new_owner: Callable[..., Any]
) -> None:
    license_ = await world.issue("NodeLocked")
    people = {role: await new_owner(role) for role in (Role.VIEWER, Role.MEMBER, Role.ADMIN)}
    for role, user in people.items():
        await world.join(user, role)
    before = await state_of(world.platform, license_)
    for role in (Role.VIEWER, Role.MEMBER):
        answer = await ask(people[role], license_, "machine-1")
        assert refusal(answer) == (403, "Forbidden")
        assert (await ask(people[role], license_)).status_code == 200
    assert refusal(await ask(stranger, license_, "machine-1")) == (404, "NotFound")
    assert await state_of(world.platform, license_) == before
    assert (await ask(people[Role.ADMIN], license_, "machine-1")).status_code == 200
    assert refusal(await ask(people[Role.VIEWER], license_)) == (403, "Forbidden")
    file = await ask(people[Role.VIEWER], license_, "machine-1")
    assert await machines_in(world, file.text) == ["machine-1"]
    answer = await ask(people[Role.VIEWER], license_, "machine-2")
    assert refusal(answer) == (409, "Conflict")


@pytest.mark.parametrize("how", ["revoke", "suspend", "expired"])
async def test_a_license_that_is_not_active_is_not_bound(world: World, how: str) -> None:
    license_ = await world.issue("NodeLocked", expirationDate="2030-01-15T12:01:00Z")
    if how == "expired":
        world.clock.advance(minutes=1)
    else:
        await world.owner.ok("POST", f"/api/licenses/{license_['id']}/{how}")
    before = await state_of(world.platform, license_)
    for machine in (None, "machine-1"):
        assert refusal(await ask(world.owner, license_, machine)) == (409, "Conflict")
    assert await state_of(world.platform, license_) == before


async def test_a_refused_file_binds_nothing(world: World) -> None:
    license_ = await world.issue("NodeLocked", licenseKey="SHORT-KEY-0001")
    before = await state_of(world.platform, license_)
    query = {"hardwareId": "machine-1", "protected": "true"}
    answer = await world.owner.send("GET", f"/api/licenses/{license_['id']}/file", params=query)
    assert refusal(answer) == (409, "Conflict")
    assert await state_of(world.platform, license_) == before


async def test_a_blocked_device_gets_no_file(world: World) -> None:
    bound = await world.issue("NodeLocked")
    device = (await world.validate(bound, "machine-1"))["activation"]["id"]
    waiting = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    other = (await world.activate(waiting, "machine-1")).json()["activationId"]
    for license_, item in ((bound, device), (waiting, other)):
        await world.operate(item, "block")
        before = await state_of(world.platform, license_)
        assert refusal(await ask(world.owner, license_, "machine-1")) == (409, "Conflict")
        assert await state_of(world.platform, license_) == before


async def test_a_flood_of_devices_does_not_prevent_binding(world: World) -> None:
    """Somebody who knows the key has used up the daily limit of new devices."""
    waiting = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    await world.activate(waiting, "invented")
    freed = await world.issue("NodeLocked")
    await world.validate(freed, "machine-0")
    await world.validate(freed, "invented")
    async with world.platform.database.transaction() as db:
        await flood(db, waiting, 200)
        await flood(db, freed, 200)
    await world.deactivate(freed, "machine-0")
    async with world.platform.database.transaction() as db:
        await flood(db, freed, 200)
    assert (await world.validate(freed, "machine-1"))["status"] == "Valid"
    assert (await world.validate(waiting, "machine-1"))["status"] == "PendingApproval"
    assert refusal(await world.activate(waiting, "machine-1")) == (429, "RateLimited")
    assert (await ask(world.owner, waiting, "machine-1")).status_code == 200
    assert (await world.validate(waiting, "machine-1"))["status"] == "Valid"
    for license_ in (waiting, freed):
        await assert_counters_match(world.platform, license_)
