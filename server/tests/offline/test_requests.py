"""Offline requests: answered like any device, once, and for the machine that asked alone."""

from base64 import b64decode
from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key
from offline.machine import ANSWER, APPROVAL, PREVIEW, SELF_SERVICE, Machine, hash_of
from world import World

from licet_server.licenses.rules.traits import LicenseType
from licet_server.offline.rules.codes import Code, answer_text, read_code

NOT_ALLOWED = (403, "OfflineActivationNotAllowed")
OUTDATED = (409, "OfflineRequestOutdated")
TWO_SEATS = {"maxActiveUsersCount": 2, **SELF_SERVICE}


async def concurrent(world: World, **fields: Any) -> dict[str, Any]:
    return await world.issue("Concurrent", **{**TWO_SEATS, **fields})


async def test_a_request_is_answered_by_a_file_for_its_machine(world: World) -> None:
    machine = Machine(world, await concurrent(world))
    shown = await machine.send(machine.sign(), PREVIEW)
    assert shown.status_code == 200, shown.text
    assert shown.json() == {
        "kind": "Activate",
        "productName": world.product["name"],
        "licenseName": machine.license["licenseName"],
        "deviceName": "Press 7",
        "hardwareIdEnding": "hine-1",
        "seatsUsed": 0,
        "seatsTotal": 2,
        "approval": False,
        "state": "New",
        "reason": None,
        "needsLicenseKey": False,
        "endsAt": None,
    }
    assert await world.devices(machine.license) == []
    answer = await machine.send(machine.last)
    assert answer.status_code == 200, answer.text
    given = answer.json()
    assert (given["state"], given["fileName"], given["code"]) == ("Answered", "license.bin", None)
    claims = await machine.claims_in(given)
    assert claims["hardwareIds"] == ["machine-1"]
    assert claims["cnf"] == {"jkt": machine.device.jkt}
    assert claims["request"] == {"nonce": machine.nonce, "seq": 1}
    assert claims["exp"] - claims["iat"] == 30 * 86400 - 1
    [device] = await world.devices(machine.license)
    assert (device["deviceName"], device["deviceKey"]["jkt"]) == ("Press 7", machine.device.jkt)
    assert (await machine.send(machine.last, PREVIEW)).json()["state"] == "Answered"


async def test_the_same_request_gets_the_same_answer_and_no_second_seat(world: World) -> None:
    machine = Machine(world, await concurrent(world))
    first = await machine.answered(base="base-1")
    events = len(await world.events_of(machine.license["id"]))
    world.clock.advance(minutes=10)
    again = await machine.send(machine.last)
    assert again.json() == first
    assert await machine.seats() == 1
    assert len(await world.events_of(machine.license["id"])) == events


async def test_an_older_request_is_refused_and_told_of_once_a_day(world: World) -> None:
    machine = Machine(world, await concurrent(world))
    old = machine.sign()
    await machine.answered()
    for _ in range(2):
        assert refusal(await machine.send(old)) == OUTDATED
    assert refusal(await machine.send(old, PREVIEW)) == OUTDATED
    machine.seq -= 1
    other_nonce = machine.sign(nonce="A" * 22)
    assert refusal(await machine.send(other_nonce)) == OUTDATED
    [device] = await world.devices(machine.license)
    kinds = [item["kind"] for item in await world.events_of(device["id"])]
    assert kinds.count("activation.clone_detected") == 1


async def test_a_code_is_valid_with_the_base_file_that_it_names(world: World) -> None:
    license_ = await concurrent(world)
    path = f"/api/licenses/{license_['id']}/file"
    base = await world.owner.send("GET", path, params={"byCode": "true"})
    assert base.status_code == 200, base.text
    claims = await world.claims_of(base.text)
    assert not {"exp", "hardwareIds", "cnf", "request"} & set(claims)
    machine = Machine(world, license_)
    given = await machine.answered(base=claims["jti"])
    code = read_code(given["code"])
    assert isinstance(code, Code)
    day = (world.clock.now.timestamp() + 30 * 86400) // 86400 - 1
    assert code.number == day, "the last day that is over when the answer ends"
    keys = await world.owner.ok("GET", f"/api/products/{world.product['id']}/keys/public")
    public = load_der_public_key(b64decode(keys["compactKey"]))
    assert isinstance(public, ec.EllipticCurvePublicKey)
    numbers = public.public_numbers()
    x, y = (b64decode(claims["codeKey"][name] + "=", altchars=b"-_") for name in "xy")
    assert (int.from_bytes(x, "big"), int.from_bytes(y, "big")) == (numbers.x, numbers.y)
    text = answer_text(
        product_id=world.product["id"],
        key_hash=hash_of(license_),
        hardware_id="machine-1",
        jkt=machine.device.jkt,
        nonce=machine.nonce,
        base=claims["jti"],
        end_day=code.number,
    )
    r, s = (int.from_bytes(part, "big") for part in (code.signature[:32], code.signature[32:]))
    public.verify(encode_dss_signature(r, s), text, ec.ECDSA(SHA256()))
    for other in ({"hardwareId": "machine-1"}, {"protected": "true"}):
        bad = await world.owner.send("GET", path, params={"byCode": "true", **other})
        assert bad_fields(bad) == list(other)


async def test_the_second_key_stays_when_a_prepared_key_is_activated(world: World) -> None:
    path = f"/api/products/{world.product['id']}/keys"
    before = (await world.owner.ok("GET", f"{path}/status"))["compactKey"]
    assert before
    await world.owner.ok("POST", f"{path}/prepare", {"keySize": 3072})
    await world.owner.ok("POST", f"{path}/activate")
    assert (await world.owner.ok("GET", f"{path}/status"))["compactKey"] == before
    await world.owner.ok("POST", f"{path}/generate", {"keySize": 3072})
    assert (await world.owner.ok("GET", f"{path}/status"))["compactKey"] != before


async def test_seats_are_limited_as_for_any_device(world: World) -> None:
    license_ = await concurrent(world)
    for number in (1, 2):
        await Machine(world, license_, f"machine-{number}").answered()
    third = Machine(world, license_, "machine-3")
    assert refusal(await third.ask()) == (409, "MaxActivationsReached")
    assert await third.rows() != []
    assert all(row["hardwareId"] != "machine-3" for row in await third.rows())


async def test_a_node_locked_license_is_bound_to_the_machine_that_asked(world: World) -> None:
    license_ = await world.issue("NodeLocked", **SELF_SERVICE)
    await Machine(world, license_).answered()
    other = Machine(world, license_, "machine-2")
    assert refusal(await other.ask()) == (403, "HardwareMismatch")


async def test_a_machine_that_must_be_approved_waits_as_a_device(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval", **SELF_SERVICE)
    machine = Machine(world, license_)
    assert refusal(await machine.ask()) == (403, "PendingApproval")
    [device] = await world.devices(license_)
    await world.operate(device, "approve")
    assert (await machine.send(machine.last)).status_code == 200


async def test_another_key_is_another_machine(world: World) -> None:
    license_ = await concurrent(world)
    await Machine(world, license_).answered()
    thief = Machine(world, license_)
    assert refusal(await thief.ask()) == (403, "HardwareMismatch")
    [device] = await world.devices(license_)
    kinds = [item["kind"] for item in await world.events_of(device["id"])]
    assert kinds.count("activation.clone_detected") == 1


async def test_a_removed_or_blocked_machine_gets_no_answer(world: World) -> None:
    machine = Machine(world, await concurrent(world))
    await machine.answered()
    [device] = await world.devices(machine.license)
    await world.operate(device, "block")
    assert refusal(await machine.send(machine.last)) == (403, "DeviceBlocked")
    assert refusal(await machine.ask("Refresh")) == (403, "DeviceBlocked")
    await world.operate(device, "unblock")
    await world.operate(device, "deactivate", force=True)
    machine.seq -= 1
    machine.sign()  # the request that was answered
    assert refusal(await machine.ask("Refresh")) == (404, "ActivationNotFound")


async def test_a_refresh_extends_the_answer(world: World) -> None:
    machine = Machine(world, await concurrent(world))
    first = await machine.answered()
    world.clock.advance(days=10)
    await world.owner.sign_in()
    again = await machine.answered("Refresh", file="anything")
    assert again["endsAt"] > first["endsAt"]
    [device] = await world.devices(machine.license)
    assert device["fileEndsAt"] == again["endsAt"]


async def test_a_request_waits_until_an_operator_decides(world: World) -> None:
    machine = Machine(world, await concurrent(world, **APPROVAL))
    waiting = await machine.ask()
    assert (waiting.status_code, waiting.json()["state"]) == (202, "Waiting")
    assert (await machine.send(machine.last)).status_code == 202
    assert await machine.seats() == 0
    shown = (await machine.send(machine.last, PREVIEW)).json()
    assert (shown["approval"], shown["state"]) == (True, "Waiting")
    listed = await world.owner.ok("GET", PREVIEW, params={"state": "Waiting"})
    assert [item["licenseName"] for item in listed["items"]] == [machine.license["licenseName"]]
    rejected = await machine.decide("reject", reason="Not yours.")
    assert rejected.json()["state"] == "Rejected"
    assert refusal(await machine.send(machine.last)) == NOT_ALLOWED
    assert "Not yours." in (await machine.send(machine.last)).text
    approved = await machine.decide("approve")
    assert approved.status_code == 200, approved.text
    assert (await machine.send(machine.last)).json() == approved.json()
    assert await machine.seats() == 1
    assert refusal(await machine.decide("reject")) == (409, "Conflict")
    kinds = [item["kind"] for item in await world.events_of(machine.license["id"])]
    found = sorted(kind for kind in kinds if kind.startswith("activation.offline"))
    assert found == [
        "activation.offline_answered",
        "activation.offline_rejected",
        "activation.offline_requested",
    ]


async def test_a_machine_that_asks_again_and_again_does_not_flood_operators(world: World) -> None:
    machine = Machine(world, await concurrent(world, **APPROVAL))
    for _ in range(5):
        assert (await machine.ask()).status_code == 202
    kinds = [item["kind"] for item in await world.events_of(machine.license["id"])]
    assert kinds.count("activation.offline_requested") == 2
    await machine.decide("reject")
    await machine.ask()
    kinds = [item["kind"] for item in await world.events_of(machine.license["id"])]
    assert kinds.count("activation.offline_requested") == 3, "a new one after a decision"


async def test_an_operator_approves_what_they_saw_and_nothing_newer(world: World) -> None:
    machine = Machine(world, await concurrent(world, **APPROVAL))
    await machine.ask()
    [seen] = await machine.rows()
    await machine.ask(hardwareId="machine-9", deviceName="Not Press 7")
    path = f"{PREVIEW}/{seen['id']}"
    for act in ("approve", "reject"):
        assert refusal(await world.owner.send("POST", f"{path}/{act}")) == (404, "NotFound")
    assert await machine.seats() == 0
    assert (await machine.decide("approve")).status_code == 200


async def test_an_operator_answers_whatever_the_license_says(world: World) -> None:
    machine = Machine(world, await world.issue("Perpetual"))
    text = machine.sign()
    assert refusal(await machine.send(text)) == (404, "LicenseNotFound"), "by the hash alone"
    key = machine.license["licenseKey"]
    assert refusal(await machine.send(text, licenseKey=key)) == NOT_ALLOWED
    path = f"/api/licenses/{machine.license['id']}/offline"
    given = await world.owner.ok("POST", path, {"request": text})
    assert (await machine.claims_in(given))["cnf"] == {"jkt": machine.device.jkt}
    other = Machine(world, await world.issue("Perpetual"))
    bad = await world.owner.send("POST", path, {"request": other.sign()})
    assert bad_fields(bad) == ["request"]


async def test_an_answer_is_not_repeated_once_the_model_has_no_files(world: World) -> None:
    machine = Machine(world, await concurrent(world))
    await machine.answered()
    path = f"/api/licenses/{machine.license['id']}"
    await world.owner.ok("POST", f"{path}/convert", {"type": "Floating", "maxActiveUsersCount": 1})
    again = await world.owner.send("POST", f"{path}/offline", {"request": machine.last})
    assert refusal(again) == NOT_ALLOWED
    [row] = await machine.rows()
    path = f"{PREVIEW}/{row['id']}/approve"
    assert refusal(await world.owner.send("POST", path)) == NOT_ALLOWED


async def test_a_license_with_a_password_is_not_answered_to_everybody(world: World) -> None:
    license_ = await world.issue(
        "Perpetual", username="ada", password="correct horse", **SELF_SERVICE
    )
    assert refusal(await Machine(world, license_).ask()) == NOT_ALLOWED


@pytest.mark.parametrize("model", LicenseType)
async def test_models_without_files_take_no_requests(world: World, model: LicenseType) -> None:
    if not model.traits.online_only:
        await world.issue(model.value, **SELF_SERVICE, **_needed(model))
        return
    with pytest.raises(AssertionError, match="offlineActivation"):
        await world.issue(model.value, **SELF_SERVICE, **_needed(model))


def _needed(model: LicenseType) -> dict[str, Any]:
    return {"maxActiveUsersCount": 1} if model.traits.seat_cap_required else {}


async def test_a_short_key_is_asked_for(world: World) -> None:
    license_ = await world.issue("Perpetual", licenseKey="SHORT-KEY-12", **SELF_SERVICE)
    machine = Machine(world, license_)
    text = machine.sign(licenseKeyHash=None)
    shown = (await machine.send(text, PREVIEW)).json()
    assert (shown["needsLicenseKey"], shown["licenseName"], shown["seatsUsed"]) == (
        True,
        None,
        None,
    )
    assert shown["productName"] == world.product["name"]
    assert bad_fields(await machine.send(text)) == ["licenseKey"]
    answer = await machine.send(text, licenseKey="short-key-12 ".upper())
    assert answer.status_code == 200, answer.text
    other = await world.issue("Perpetual", **SELF_SERVICE)
    wrong = await machine.send(machine.sign(), licenseKey=other["licenseKey"])
    assert bad_fields(wrong) == ["licenseKey"]


async def test_unknown_keys_are_limited(world: World) -> None:
    machine = Machine(world, await world.issue("Perpetual", **SELF_SERVICE))
    statuses = []
    for number in range(70):
        text = machine.sign(licenseKeyHash=hash_of(machine.license)[::-1])
        answer = await machine.send(text, PREVIEW if number % 2 else ANSWER)
        statuses.append(answer.status_code)
    assert set(statuses[:60]) == {404}
    assert set(statuses[60:]) == {429}
