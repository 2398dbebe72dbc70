"""What strangers try with components: more seats than the cap, and a way around a block."""

import pytest
from catalog.factories import refusal
from devices.books import assert_counters_match
from devices.proving import Prover
from devices.test_components import OTHER_PARTS, THREE_OF_FIVE, later, parts
from world import World

BLOCKED = (403, "DeviceBlocked")
OWN_SEAT = {"deviceProof": "Required", "onClone": "OwnSeat", **THREE_OF_FIVE}


async def test_a_reinstalled_machine_that_refreshes_first_takes_no_second_seat(
    world: World,
) -> None:
    license_ = await world.issue(
        "Concurrent", maxActiveUsersCount=2, activationMode="Offline", **THREE_OF_FIVE
    )
    await world.activate(license_, "machine-1", components=parts())
    answer = await world.refresh(license_, "machine-2", components=parts(osInstall=1))
    assert answer.status_code == 200, answer.text
    [device] = await world.devices(license_)
    assert device["hardwareId"] == "machine-2"


@pytest.mark.parametrize("model", ["Concurrent", "NodeLocked"])
async def test_a_blocked_machine_stays_blocked_under_another_hardware_id(
    world: World, model: str
) -> None:
    seats = {"maxActiveUsersCount": 3} if model == "Concurrent" else {}
    license_ = await world.issue(model, **seats, **THREE_OF_FIVE)
    made = (await world.activate(license_, "machine-1", components=parts())).json()
    await world.operate(made["activationId"], "block")
    for number in range(2, 5):  # oftener than a device may move
        machine, shown = f"machine-{number}", parts(osInstall=number, disk=number)
        assert (await world.validate(license_, machine, components=shown))["status"] == (
            "DeviceBlocked"
        )
        assert refusal(await world.activate(license_, machine, components=shown)) == BLOCKED
        assert refusal(await world.connect(license_, machine, components=shown)) == BLOCKED
        assert refusal(await world.refresh(license_, machine, components=shown)) == BLOCKED
    [device] = await world.devices(license_)
    assert (device["hardwareId"], device["drifts"]) == ("machine-1", [])
    if model == "Concurrent":
        other = await world.activate(license_, "machine-9", components=OTHER_PARTS)
        assert other.status_code == 201, "another machine is not blocked"
    await world.operate(made["activationId"], "unblock")
    again = await world.activate(license_, "machine-2", components=parts(disk=1))
    assert again.json()["activationId"] == made["activationId"]


async def test_a_blocked_machine_stays_blocked_with_another_key(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=9, **OWN_SEAT)
    first, lost, clone = (Prover.of(world) for _ in range(3))
    made = (await first.activate(license_, "image", components=parts())).json()
    await world.operate(made["activationId"], "block")
    assert refusal(await lost.activate(license_, "image", components=parts())) == BLOCKED
    assert (await lost.validate(license_, "image", components=parts()))["status"] == "DeviceBlocked"
    assert refusal(await first.activate(license_, "other", components=OTHER_PARTS)) == BLOCKED
    own = await clone.activate(license_, "image", components=OTHER_PARTS)
    assert own.status_code == 201, own.text


async def test_a_clone_with_a_row_takes_over_no_other(world: World) -> None:
    """A device that is known by its hardware ID and key is that, whatever others look like."""
    license_ = await world.issue("Concurrent", maxActiveUsersCount=9, **OWN_SEAT)
    first, clone = Prover.of(world), Prover.of(world)
    rows = []
    for machine, shown in ((first, parts()), (clone, OTHER_PARTS)):
        answer = await machine.activate(license_, "image", components=shown)
        rows.append(answer.json()["activationId"])
    await later(world, days=1)
    for route in ("activate", "validate", "connect"):
        await getattr(clone, route)(license_, "image", components=parts())
        keys = {item["id"]: item["deviceKey"]["jkt"] for item in await world.devices(license_)}
        assert keys == {rows[0]: first.jkt, rows[1]: clone.jkt}, route
    await assert_counters_match(world.platform, license_)


async def test_a_clone_that_lost_its_key_keeps_its_seat(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=9, **OWN_SEAT)
    first, clone, lost = (Prover.of(world) for _ in range(3))
    await first.activate(license_, "image", components=parts())
    own = (await clone.activate(license_, "image", components=OTHER_PARTS)).json()
    again = await lost.activate(license_, "image", components=OTHER_PARTS)
    assert (again.status_code, again.json()["activationId"]) == (200, own["activationId"])
    ids = {item["hardwareId"] for item in await world.devices(license_)}
    assert ids == {"image", f"image~{lost.jkt[:12]}"}
    assert (await lost.validate(license_, "image"))["valid"]
    assert (await lost.connect(license_, "image")).status_code == 201


async def test_a_clone_keeps_its_seat_when_the_first_device_is_gone(world: World) -> None:
    terms = {"deviceProof": "WhenPresent", "onClone": "OwnSeat"}
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **terms)
    first, clone = Prover.of(world), Prover.of(world)
    await first.activate(license_, "image")
    own = (await clone.activate(license_, "image")).json()["activationId"]
    assert (await first.deactivate(license_, "image")).status_code == 204
    for _ in range(2):
        assert (await clone.validate(license_, "image"))["activation"]["id"] == own
        assert (await clone.connect(license_, "image")).status_code == 201
        again = await clone.activate(license_, "image")
        assert (again.status_code, again.json()["activationId"]) == (200, own)
        clone.repeated = True
        assert refusal(await clone.activate(license_, "image")) == (403, "DeviceProofRequired")
        clone.repeated = False
        await later(world, days=1)
        await world.activate(license_, "image")  # an old application, which has no key
    ids = {item["hardwareId"] for item in await world.devices(license_)}
    assert ids == {"image", f"image~{clone.jkt[:12]}"}
    assert (await clone.deactivate(license_, "image")).status_code == 204
    assert [item["hardwareId"] for item in await world.devices(license_)] == ["image"]


async def test_a_machine_that_was_blocked_while_it_waited_is_not_bound(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval", **THREE_OF_FIVE)
    await world.validate(license_, "machine-1", components=parts())
    [waiting] = await world.devices(license_)
    await world.operate(waiting, "block")
    body = {"deviceBindingMode": "AutoBind"}
    await world.owner.ok("PUT", f"/api/licenses/{license_['id']}", body)
    verdict = await world.validate(license_, "machine-2", components=parts(disk=1))
    assert verdict["status"] == "DeviceBlocked"
    assert len(await world.devices(license_)) == 1


@pytest.mark.parametrize("proof", ["Required", "Off"])
async def test_a_clone_keeps_the_license_that_becomes_one_for_it_alone(
    world: World, proof: str
) -> None:
    terms = {"deviceProof": "Required", "onClone": "OwnSeat"}
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **terms)
    first, clone = Prover.of(world), Prover.of(world)
    await first.activate(license_, "image")
    own = (await clone.activate(license_, "image")).json()["activationId"]
    body = {"type": "NodeLocked", "keepActivationIds": [own]}
    await world.owner.ok("POST", f"/api/licenses/{license_['id']}/convert", body)
    await world.owner.ok("PUT", f"/api/licenses/{license_['id']}", {"deviceProof": proof})
    assert (await clone.validate(license_, "image"))["activation"]["id"] == own
    assert (await clone.activate(license_, "image")).json()["activationId"] == own
    assert (await clone.connect(license_, "image")).status_code == 201
    assert not (await first.validate(license_, "image"))["valid"]
