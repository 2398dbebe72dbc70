"""Offline requests of devices that share a hardware ID, or have taken another one."""

from catalog.factories import refusal
from devices.books import assert_counters_match
from devices.proving import Prover
from devices.test_components import THREE_OF_FIVE, later, parts
from offline.machine import SELF_SERVICE, Machine
from world import World

OWN_SEAT = {"deviceProof": "Required", "onClone": "OwnSeat", **SELF_SERVICE}
FULL = (409, "MaxActivationsReached")


async def test_each_clone_is_answered_with_a_seat_of_its_own(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **OWN_SEAT)
    first, clone, third = (Machine(world, license_, "image") for _ in range(3))
    for machine in (first, clone):
        for kind in ("Activate", "Refresh"):
            claims = await machine.claims_in(await machine.answered(kind))
            assert (claims["hardwareIds"], claims["cnf"]) == (
                ["image"],
                {"jkt": machine.device.jkt},
            )
        assert (await machine.send(machine.last)).status_code == 200, "the same answer again"
    assert refusal(await third.ask()) == FULL
    ids = {item["hardwareId"]: item["deviceKey"]["jkt"] for item in await world.devices(license_)}
    assert ids == {"image": first.device.jkt, f"image~{clone.device.jkt[:12]}": clone.device.jkt}
    assert (await clone.answered("Release"))["state"] == "Released"
    assert [item["hardwareId"] for item in await world.devices(license_)] == ["image"]
    assert (await third.ask()).status_code == 200
    await assert_counters_match(world.platform, license_)


async def test_a_blocked_clone_is_answered_no_more(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **OWN_SEAT)
    first, clone = Machine(world, license_, "image"), Machine(world, license_, "image")
    await first.answered()
    await clone.answered()
    [device] = [it for it in await world.devices(license_) if "~" in it["hardwareId"]]
    await world.operate(device, "block")
    for kind in ("Activate", "Refresh", "Release"):
        assert refusal(await clone.ask(kind)) == (403, "DeviceBlocked"), kind
    assert (await first.ask("Refresh")).status_code == 200


async def test_an_operator_answers_a_clone_with_a_seat_of_its_own(world: World) -> None:
    terms = {**OWN_SEAT, "offlineActivation": "Approval"}
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **terms)
    first, clone = Machine(world, license_, "image"), Machine(world, license_, "image")
    for machine in (first, clone):
        await machine.ask()
        path = f"/api/licenses/{license_['id']}/offline"
        answer = await world.owner.send("POST", path, {"request": machine.last})
        assert answer.status_code == 200, answer.text
    keys = {item["deviceKey"]["jkt"] for item in await world.devices(license_)}
    assert keys == {first.device.jkt, clone.device.jkt}


async def test_a_device_that_has_taken_another_hardware_id_gives_its_seat_back(
    world: World,
) -> None:
    terms = {"deviceProof": "Required", **SELF_SERVICE, **THREE_OF_FIVE}
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1, **terms)
    machine = Machine(world, license_, "machine-1")
    online = Prover(world.owner, world.product, world.key, world.clock, machine.device)
    await online.activate(license_, "machine-1", components=parts())
    await machine.answered()
    await later(world, days=1)
    moved = await online.activate(license_, "machine-2", components=parts(disk=1))
    assert moved.status_code == 200, moved.text
    await machine.answered("Release")
    assert await world.devices(license_) == []
    await assert_counters_match(world.platform, license_)
