"""Devices that share a hardware ID, each with a key and a seat of its own."""

from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from devices.books import assert_counters_match
from devices.proving import Prover
from devices.test_components import NAMES, OTHER_PARTS, THREE_OF_FIVE, kinds_of, later, parts
from world import World

from licet_server.devices.service.runtime import ACTIVATIONS_A_MINUTE

OWN_SEAT = {"deviceProof": "Required", "onClone": "OwnSeat"}
ANOTHER = (403, "HardwareMismatch")
FULL = (409, "MaxActivationsReached")


@pytest.mark.parametrize("mode", ["WhenPresent", "Required"])
async def test_a_clone_takes_one_further_seat(world: World, mode: str) -> None:
    license_ = await world.issue(
        "Concurrent", maxActiveUsersCount=2, deviceProof=mode, onClone="OwnSeat"
    )
    first, clone, third = (Prover.of(world) for _ in range(3))
    made = (await first.activate(license_, "image")).json()
    assert (await clone.validate(license_, "image"))["status"] == "ActivationRequired"
    assert refusal(await clone.connect(license_, "image")) == (403, "ActivationRequired")
    own = await clone.activate(license_, "image")
    assert own.status_code == 201, own.text
    assert own.json()["activationId"] != made["activationId"]
    for _ in range(2):
        await later(world, days=2)
        for machine, answer in ((first, made), (clone, own.json())):
            again = await machine.activate(license_, "image", deviceName="Kiosk")
            assert (again.status_code, again.json()["activationId"]) == (
                200,
                answer["activationId"],
            )
            assert (await machine.validate(license_, "image"))["valid"]
            session = await machine.connected(license_, "image")
            world.clock.advance(seconds=6)
            assert (await machine.heartbeat(session)).status_code == 200
    assert refusal(await third.activate(license_, "image")) == FULL
    ids = {item["hardwareId"]: item["deviceKey"]["jkt"] for item in await world.devices(license_)}
    assert ids == {"image": first.jkt, f"image~{clone.jkt[:12]}": clone.jkt}
    assert await kinds_of(world, made["activationId"]) == ["clone_detected"] * 2, "and the third"
    await assert_counters_match(world.platform, license_)
    assert (await clone.deactivate(license_, "image")).status_code == 204
    assert (await third.activate(license_, "image")).status_code == 201
    assert (await first.validate(license_, "image"))["valid"]
    assert refusal(await clone.deactivate(license_, "image")) == (404, "ActivationNotFound")


async def test_a_blocked_clone_stays_blocked_and_the_first_device_goes_on(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **OWN_SEAT)
    first, clone = Prover.of(world), Prover.of(world)
    await first.activate(license_, "image")
    own = (await clone.activate(license_, "image")).json()
    session = await clone.connected(license_, "image")
    await world.operate(own["activationId"], "block")
    assert (await clone.heartbeat(session)).status_code == 403
    assert (await clone.validate(license_, "image"))["status"] == "DeviceBlocked"
    assert refusal(await clone.activate(license_, "image")) == (403, "DeviceBlocked")
    assert (await first.validate(license_, "image"))["valid"]


async def test_a_repeated_activation_of_a_clone_is_refused(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **OWN_SEAT)
    first, clone = Prover.of(world), Prover.of(world)
    await first.activate(license_, "image")
    for _ in range(2):
        assert (await clone.activate(license_, "image")).status_code in {200, 201}
        clone.repeated = True
        answer = await clone.activate(license_, "image")
        assert refusal(answer) == (403, "DeviceProofRequired")
        clone.repeated = False
    earlier = int(world.clock().timestamp()) - 1
    first.claims = {"iat": earlier}
    assert refusal(await first.activate(license_, "image")) == (403, "DeviceProofRequired")


async def test_the_file_of_a_clone_has_the_hardware_id_that_it_shares(world: World) -> None:
    license_ = await world.issue(
        "Concurrent", maxActiveUsersCount=2, activationMode="Offline", **OWN_SEAT
    )
    for machine in (Prover.of(world), Prover.of(world)):
        answer = await machine.refresh(license_, "image")
        assert answer.status_code == 200, answer.text
        claims = await world.claims_of(answer.json()["file"])
        assert (claims["hardwareIds"], claims["cnf"]) == (["image"], {"jkt": machine.jkt})
    assert len(await world.devices(license_)) == 2


async def test_operators_and_holders_get_the_file_of_a_clone_by_its_own_id(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **OWN_SEAT)
    first, clone = Prover.of(world), Prover.of(world)
    for machine in (first, clone):
        await machine.activate(license_, "image")
    for machine, name in ((first, "image"), (clone, f"image~{clone.jkt[:12]}")):
        answer = await world.file(license_, name)
        claims = await world.claims_of(answer.text)
        assert (claims["hardwareIds"], claims["cnf"]) == (["image"], {"jkt": machine.jkt})


async def test_an_enrolled_clone_has_a_token_of_its_own(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **OWN_SEAT)
    path = f"/api/licenses/{license_['id']}/enrollment-keys"
    key = await world.owner.ok("POST", path, {"name": "Image"})
    body = {"enrollmentKey": key["secret"], "hardwareId": "image"}
    for machine in (Prover.of(world), Prover.of(world)):
        answer = await machine.call("POST", "/api/activations/enroll", body)
        assert answer.status_code == 201, answer.text
        token = {"licenseKey": answer.json()["deviceToken"]}
        assert (await machine.validate(token, "image"))["valid"]
    assert len(await world.devices(license_)) == 2


async def test_a_clone_that_was_refused_a_seat_may_free_one(world: World) -> None:
    product = f"/api/products/{world.product['id']}"
    await world.owner.ok("PUT", product, {"settings": {"appDeviceRelease": "On"}})
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1, **OWN_SEAT)
    first, clone = Prover.of(world), Prover.of(world)
    made = (await first.activate(license_, "image")).json()
    assert refusal(await clone.activate(license_, "image")) == FULL
    body = {"licenseKey": license_["licenseKey"], "hardwareId": "image"}
    path = f"/api/activations/{made['activationId']}/release"
    answer = await clone.call("POST", path, body)
    assert answer.status_code == 200, answer.text
    assert (await clone.activate(license_, "image")).status_code == 201
    query = f"?licenseKey={license_['licenseKey']}&hardwareId=image"
    clone.claims = {"url": "http://licet.test/api/activations"}
    listed = await clone.call("GET", f"/api/activations{query}", None)
    assert [item["current"] for item in listed.json()["items"]] == [True]


async def test_components_come_first_then_a_seat_of_its_own(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **OWN_SEAT, **THREE_OF_FIVE)
    first, lost, clone = (Prover.of(world) for _ in range(3))
    made = (await first.activate(license_, "image", components=parts())).json()
    again = await lost.activate(license_, "image", components=parts(cpu=1))
    assert again.json()["activationId"] == made["activationId"], "it has lost its key"
    other = await clone.activate(license_, "image", components=OTHER_PARTS)
    assert other.status_code == 201, other.text
    assert len(await world.devices(license_)) == 2
    assert (await clone.validate(license_, "image", components=OTHER_PARTS))["valid"]
    copied = await lost.activate(license_, "copied", components=parts(**dict.fromkeys(NAMES, 7)))
    assert refusal(copied) == FULL, "the key of a device, on another machine"
    await world.owner.ok("PUT", f"/api/licenses/{license_['id']}", {"maxActiveUsersCount": 3})
    copied = await lost.activate(license_, "copied", components=parts(**dict.fromkeys(NAMES, 7)))
    assert copied.status_code == 201, copied.text
    await later(world, days=2)
    moved = await clone.activate(license_, "renamed", components=OTHER_PARTS)
    assert moved.json()["activationId"] == other.json()["activationId"]


async def test_old_applications_and_refuse_are_as_before(world: World) -> None:
    own = await world.issue("Concurrent", maxActiveUsersCount=2, **OWN_SEAT)
    refused = await world.issue("Concurrent", maxActiveUsersCount=2, deviceProof="Required")
    first, clone = Prover.of(world), Prover.of(world)
    for license_ in (own, refused):
        await first.activate(license_, "image")
        assert refusal(await world.activate(license_, "image")) == (403, "DeviceProofRequired")
    assert refusal(await clone.activate(refused, "image")) == ANOTHER
    assert len(await world.devices(refused)) == 1


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        ("Concurrent", {}),
        ("NodeLocked", {"deviceProof": "Required"}),
        ("Floating", {"deviceProof": "Required"}),
    ],
    ids=["unproven", "node-locked", "floating"],
)
async def test_only_proven_devices_of_concurrent_licenses_have_seats_of_their_own(
    world: World, model: str, fields: dict[str, Any]
) -> None:
    seats = {} if model == "NodeLocked" else {"maxActiveUsersCount": 2}
    body = {
        "productId": world.product["id"],
        "type": model,
        "licenseName": "Paint",
        "issuedTo": "tom@example.com",
        "onClone": "OwnSeat",
        **seats,
        **fields,
    }
    assert bad_fields(await world.owner.send("POST", "/api/licenses", body)) == ["onClone"]


async def test_beyond_the_budget_of_new_keys_a_machine_takes_a_seat_of_its_own(
    world: World,
) -> None:
    product = f"/api/products/{world.product['id']}"
    await world.owner.ok("PUT", product, {"settings": {"deviceReleasesPerYear": 0}})
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **OWN_SEAT, **THREE_OF_FIVE)
    first, copy = Prover.of(world), Prover.of(world)
    await first.activate(license_, "image", components=parts())
    assert (await copy.activate(license_, "image", components=parts())).status_code == 201
    assert (await copy.validate(license_, "image", components=parts()))["valid"]
    first.claims = {"iat": int(world.clock().timestamp())}
    assert (await first.activate(license_, "image", components=parts())).status_code == 200
    assert len(await world.devices(license_)) == 2


async def test_a_clone_that_takes_and_gives_back_its_seat_in_a_loop_is_limited(
    world: World,
) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **OWN_SEAT)
    first, clone = Prover.of(world), Prover.of(world)
    await first.activate(license_, "image")
    for _ in range(ACTIVATIONS_A_MINUTE):
        assert (await clone.activate(license_, "image")).status_code == 201
        assert (await clone.deactivate(license_, "image")).status_code == 204
    assert refusal(await clone.activate(license_, "image")) == (429, "RateLimited")
    assert (await first.activate(license_, "image")).status_code == 200
