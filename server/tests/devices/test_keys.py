"""Keys of devices: recorded, asked for, and what a copied request is worth then."""

from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from devices.proving import Prover
from metering.factories import new_key
from world import World

UNPROVEN = (403, "DeviceProofRequired")
ANOTHER = (403, "HardwareMismatch")
TWO_SEATS = {"maxActiveUsersCount": 2}


async def clones_of(world: World, license_: dict[str, Any]) -> int:
    [device] = await world.devices(license_)
    events = await world.events_of(device["id"])
    return sum(event["kind"] == "activation.clone_detected" for event in events)


async def test_a_proven_key_is_recorded_with_its_device(world: World) -> None:
    license_ = await world.issue("Concurrent", **TWO_SEATS)
    machine = Prover.of(world)
    known = {"deviceKey": machine.device.jwk, "deviceKeyLevel": "OS"}
    made = await machine.activate(license_, "machine-1", **known)
    assert made.status_code == 201, made.text
    key = {"jkt": machine.jkt, "level": "OS", "since": "2030-01-15T12:00:00Z"}
    assert made.json()["deviceKey"] == key
    again = await world.activate(license_, "machine-1")
    assert (again.status_code, again.json()["deviceKey"]) == (200, key), "Off: nothing is asked for"
    [device] = await world.devices(license_)
    assert device["deviceKey"] == key
    await world.operate(device, "deactivate")
    other = Prover.of(world)
    assert (await other.activate(license_, "machine-1")).json()["deviceKey"]["jkt"] == other.jkt


async def test_the_key_in_the_body_is_the_one_that_is_proven(world: World) -> None:
    license_ = await world.issue("Concurrent", **TWO_SEATS)
    machine, other = Prover.of(world), Prover.of(world)
    for sender in (machine, world):
        answer = await sender.activate(license_, "machine-1", deviceKey=other.device.jwk)
        assert bad_fields(answer) == ["deviceKey"]
    private = machine.device.key.as_dict(private=True)
    answer = await machine.activate(license_, "machine-1", deviceKey=private)
    assert answer.status_code == 400


async def test_where_proofs_are_off_another_key_is_seen_once_a_day(world: World) -> None:
    license_ = await world.issue("Concurrent", **TWO_SEATS)
    machine, clone = Prover.of(world), Prover.of(world)
    await machine.activate(license_, "machine-1")
    await machine.activate(license_, "machine-1")
    assert await clones_of(world, license_) == 0
    for _ in range(2):
        assert (await clone.activate(license_, "machine-1")).status_code == 200
    assert await clones_of(world, license_) == 1
    world.clock.advance(days=1, seconds=1)
    await world.owner.sign_in()
    await clone.activate(license_, "machine-1", deviceName="changed")
    assert await clones_of(world, license_) == 2
    [device] = await world.devices(license_)
    assert device["deviceKey"]["jkt"] == machine.jkt


async def test_when_present_a_device_proves_the_key_that_it_showed_first(world: World) -> None:
    license_ = await world.issue("Concurrent", **TWO_SEATS, deviceProof="WhenPresent")
    assert (await world.activate(license_, "machine-1")).status_code == 201, "old SDKs go on"
    assert (await world.validate(license_, "machine-1"))["status"] == "Valid"
    machine, clone = Prover.of(world), Prover.of(world)
    assert (await machine.validate(license_, "machine-1", deviceKeyLevel="Hardware"))["valid"]
    [device] = await world.devices(license_)
    assert device["deviceKey"]["jkt"] == machine.jkt
    assert device["deviceKey"]["level"] == "Hardware"
    assert (await machine.validate(license_, "machine-1"))["valid"]
    verdict = await world.validate(license_, "machine-1")
    assert (verdict["valid"], verdict["status"]) == (False, "DeviceProofRequired")
    assert "Update the application" in verdict["message"]
    assert refusal(await world.activate(license_, "machine-1")) == UNPROVEN
    verdict = await clone.validate(license_, "machine-1")
    assert verdict["status"] == "HardwareMismatch"
    assert "another key" in verdict["message"]
    assert refusal(await clone.activate(license_, "machine-1")) == ANOTHER
    assert await clones_of(world, license_) == 1
    assert (await world.activate(license_, "machine-2")).status_code == 201


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ({"htm": "GET"}, "for another request"),
        ({"htu": "http://licet.test/api/sessions/connect"}, "for another request"),
        ({"body": b"{}"}, "for another request"),
        ({"iat": 1}, "Set the clock"),
        ({"jti": "short"}, "is not one"),
    ],
    ids=str,
)
async def test_the_refusal_says_what_is_wrong_with_a_proof(
    world: World, claims: dict[str, Any], words: str
) -> None:
    license_ = await world.issue("Perpetual", deviceProof="Required")
    machine = Prover.of(world)
    machine.claims = claims
    verdict = await machine.validate(license_, "machine-1")
    assert verdict["status"] == "DeviceProofRequired"
    assert words in verdict["message"]


async def test_where_proofs_are_required_every_route_of_applications_asks(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceProof="Required", activationMode="Offline")
    machine, clone = Prover.of(world), Prover.of(world)
    assert (await world.validate(license_, "machine-1"))["status"] == "DeviceProofRequired"
    assert refusal(await world.activate(license_, "machine-1")) == UNPROVEN
    assert await world.devices(license_) == []
    verdict = await machine.validate(license_, "machine-1", activate=True, file=True)
    assert (verdict["status"], verdict["activation"]["status"]) == ("Valid", "Active")
    claims = await world.claims_of(verdict["file"])
    assert claims["cnf"] == {"jkt": machine.jkt}
    assert (await world.claims_of((await world.file(license_)).text))["cnf"] == claims["cnf"]
    [device] = await world.devices(license_)
    assert device["deviceKey"]["jkt"] == machine.jkt, "bound with its key"
    many = {"requests": [{"licenseKey": license_["licenseKey"], "hardwareId": "machine-1"}]}
    for sender, code in ((world, UNPROVEN), (clone, ANOTHER)):
        assert refusal(await sender.refresh(license_, "machine-1")) == code
        assert refusal(await sender.connect(license_, "machine-1")) == code
        assert refusal(await sender.deactivate(license_, "machine-1")) == code
        answer = await sender.call("POST", "/api/licenses/validate-many", many)
        assert answer.json()["results"][0]["status"] == code[1]
    assert (await machine.refresh(license_, "machine-1")).status_code == 200
    assert (await machine.deactivate(license_, "machine-1")).status_code == 204


async def test_charges_are_proven_by_the_device_that_they_name(world: World) -> None:
    fields = {"initialMeterBalance": 10, "deviceProof": "Required"}
    license_ = await world.issue("MeteredCount", **fields)
    machine = Prover.of(world)
    await world.feature()
    charge = {"hardwareId": "machine-1", "idempotencyKey": new_key()}
    assert refusal(await world.consume(license_, **charge)) == UNPROVEN
    assert (await machine.consume(license_, **charge)).status_code == 200
    query = f"?licenseKey={license_['licenseKey']}&hardwareId=machine-1"
    path = "/api/meter/balance"
    assert refusal(await world.call("GET", path + query, None)) == UNPROVEN
    machine.claims = {"url": f"http://licet.test{path}"}
    answer = await machine.call("GET", path + query, None)
    assert (answer.status_code, answer.json().get("balance")) == (200, 9), answer.text


async def test_a_proven_session_is_worth_nothing_without_the_key(world: World) -> None:
    license_ = await world.issue("Floating", deviceProof="WhenPresent")
    machine, thief = Prover.of(world), Prover.of(world)
    session = await machine.connected(license_)
    for sender in (world, thief):
        assert refusal(await sender.heartbeat(session)) == UNPROVEN
        assert refusal(await sender.disconnect(session)) == UNPROVEN
    world.clock.advance(seconds=6)
    answer = await machine.heartbeat(session)
    assert answer.status_code == 200, answer.text
    assert (await machine.disconnect(session)).status_code == 204
    plain = await world.connected(license_)
    assert (await world.heartbeat(plain)).status_code == 200, "old SDKs go on"


async def test_a_repeated_connect_gains_nothing(world: World) -> None:
    license_ = await world.issue("Floating", deviceProof="WhenPresent")
    machine = Prover.of(world)
    await machine.connected(license_, instanceId="one")
    machine.repeated = True
    answer = await machine.connect(license_, instanceId="one")
    assert refusal(answer) == UNPROVEN
    assert "used before" in answer.json()["detail"]
    machine.repeated = False
    await machine.connected(license_, instanceId="one")
    off = await world.issue("Floating")
    await machine.connected(off)
    machine.repeated = True
    assert (await machine.connect(off)).status_code == 201, "the control asks for nothing"


async def test_a_repeated_activation_is_refused(world: World) -> None:
    license_ = await world.issue("Concurrent", **TWO_SEATS, deviceProof="Required")
    machine = Prover.of(world)
    assert (await machine.activate(license_, "machine-1")).status_code == 201
    machine.repeated = True
    assert refusal(await machine.activate(license_, "machine-1")) == UNPROVEN
    machine.repeated = False
    earlier = int(world.clock().timestamp()) - 1
    machine.claims = {"iat": earlier}
    assert refusal(await machine.activate(license_, "machine-1")) == UNPROVEN
    machine.claims = {}
    assert (await machine.activate(license_, "machine-1")).status_code == 200


async def test_a_policy_says_which_devices_prove_their_keys(world: World) -> None:
    body = {
        "productId": world.product["id"],
        "name": "Proven",
        "type": "Perpetual",
        "deviceProof": "Required",
    }
    policy = await world.owner.ok("POST", "/api/policies", body)
    assert policy["deviceProof"] == "Required"
    license_ = await world.owner.ok("POST", "/api/licenses", {"policyId": policy["id"]})
    assert license_["deviceProof"] == "Required"
    path = f"/api/licenses/{license_['id']}"
    assert (await world.owner.ok("PUT", path, {"deviceProof": "Off"}))["deviceProof"] == "Off"


async def test_machines_that_share_a_hardware_id_prove_keys_of_their_own(world: World) -> None:
    license_ = await world.issue("Concurrent", deviceProof="Required", maxActiveUsersCount=1)
    project = f"h1j-{'0' * 40}"
    for job in (Prover.of(world), Prover.of(world)):
        assert (await job.activate(license_, project)).status_code in {200, 201}
    assert refusal(await world.activate(license_, project)) == UNPROVEN
    [device] = await world.devices(license_)
    assert device["deviceKey"] is None


async def test_without_proofs_a_file_is_for_whatever_key_a_device_has(world: World) -> None:
    license_ = await world.issue("NodeLocked", activationMode="Offline")
    machine = Prover.of(world)
    assert (await machine.activate(license_, "machine-1")).status_code in {200, 201}
    [device] = await world.devices(license_)
    assert device["deviceKey"]["jkt"] == machine.jkt
    assert "cnf" not in await world.claims_of((await world.file(license_)).text)
