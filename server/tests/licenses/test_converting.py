"""Any model becomes any other under the same key, and nothing that was paid is lost unsaid."""

from itertools import permutations
from typing import Any

import pytest
from catalog.factories import refusal
from devices.books import assert_counters_match, events_in, kinds_of
from licenses.factories import FUTURE
from world import World

from licet_server.licenses.rules.traits import LicenseType

NEEDS: dict[str, dict[str, Any]] = {
    "Perpetual": {},
    "Trial": {"expirationDate": FUTURE},
    "Subscription": {"expirationDate": FUTURE},
    "Floating": {"maxActiveUsersCount": 2},
    "Concurrent": {"maxActiveUsersCount": 2},
    "NodeLocked": {},
    "MeteredToken": {"initialMeterBalance": 12.5},
    "MeteredCount": {"initialMeterBalance": 20},
}
assert set(NEEDS) == set(LicenseType)


async def convert(world: World, license_: dict[str, Any], kind: str, **fields: Any) -> Any:
    body = {"type": kind, **NEEDS[kind], **fields}
    return await world.owner.ok("POST", f"/api/licenses/{license_['id']}/convert", body)


async def statuses(world: World, license_: dict[str, Any]) -> dict[str, str]:
    found = await world.devices(license_, sort="createdAt")
    return {item["hardwareId"]: item["status"] for item in found}


@pytest.mark.parametrize("start", NEEDS)
async def test_every_model_becomes_every_other(world: World, start: str) -> None:
    made = await world.issue(start, issuedTo="jane@example.com", **NEEDS[start])
    kind, converted = start, 0
    for before, after in permutations(NEEDS, 2):
        if before != kind:
            continue
        for target in (after, before):
            converted += 1
            found = await convert(world, made, target)
            assert (found["type"], found["licenseKey"]) == (target, made["licenseKey"])
            assert found["status"] == "Active"
            assert found["maxActiveUsersCount"] == NEEDS[target].get("maxActiveUsersCount")
            verdict = await world.validate(found, "machine-1")
            seated = target == "Concurrent"
            assert verdict["status"] == ("ActivationRequired" if seated else "Valid")
            assert verdict["license"]["type"] == target
            assert (await world.owner.ok("GET", f"/api/licenses/{made['id']}"))["type"] == target
            for device in await world.devices(found):
                await world.operate(device, "deactivate")
    kinds = await kinds_of(world.platform, world, "license.")
    assert kinds.count("license.converted") == converted == 14


async def test_a_conversion_says_what_is_wrong(world: World) -> None:
    made = await world.issue("Perpetual", issuedTo=None)
    path = f"/api/licenses/{made['id']}/convert"
    for body, fields in (
        ({"type": "Perpetual"}, ["type"]),
        ({"type": "Floating"}, ["maxActiveUsersCount", "issuedTo"]),
        ({"type": "Trial", "issuedTo": "jane@example.com"}, ["expirationDate"]),
        ({"type": "NodeLocked", "issuedTo": "nobody"}, ["issuedTo"]),
        ({"type": 8}, ["type"]),
        (
            {"type": "NodeLocked", "issuedTo": "j@example.com", "keepActivationIds": [made["id"]]},
            ["keepActivationIds"],
        ),
    ):
        answer = await world.owner.send("POST", path, body)
        assert answer.status_code == 400, body
        assert [error["field"] for error in answer.json()["errors"]] == fields
    assert (await world.owner.ok("GET", f"/api/licenses/{made['id']}"))["type"] == "Perpetual"
    found = await convert(world, made, "NodeLocked", issuedTo="jane@example.com")
    assert found["issuedTo"] == "jane@example.com"
    assert found["customerId"] is not None


async def test_a_term_that_was_paid_for_stays(world: World) -> None:
    paid = await world.issue("Subscription", expirationDate=FUTURE, graceDays=7)
    found = await convert(world, paid, "Concurrent")
    assert (found["expirationDate"], found["graceDays"]) == (FUTURE, 7)
    assert (await convert(world, paid, "NodeLocked"))["expirationDate"] == FUTURE
    body = {"type": "Subscription"}
    path = f"/api/licenses/{paid['id']}/convert"
    assert (await world.owner.ok("POST", path, body))["expirationDate"] == FUTURE
    assert (await convert(world, paid, "Perpetual"))["expirationDate"] is None
    other = await world.issue("Subscription", expirationDate=FUTURE)
    assert (await convert(world, other, "NodeLocked", expirationDate=None))[
        "expirationDate"
    ] is None
    trial = await world.issue("Trial", expirationDate=FUTURE)
    assert (await convert(world, trial, "NodeLocked"))["expirationDate"] is None


async def test_credentials_are_removed_and_that_is_said(world: World) -> None:
    made = await world.issue(username="jo", password="hunter2hunter2")
    assert (await world.validate(made, "m"))["status"] == "CredentialsRequired"
    found = await convert(world, made, "NodeLocked")
    assert (found["credentialsRemoved"], found["username"]) == (True, None)
    assert (await world.validate(made, "m"))["status"] == "Valid"
    assert not (await convert(world, made, "Perpetual"))["credentialsRemoved"]


async def test_a_balance_rests_and_counts_again(world: World) -> None:
    made = await world.issue("MeteredCount", initialMeterBalance=100)
    await world.consumed(made, quantity=30)
    found = await convert(world, made, "Perpetual")
    assert (found["meterBalanceKept"], found["meterBalance"]) == (70, None)
    assert refusal(await world.consume(made)) == (400, "NotMeteredLicense")
    assert refusal(await world.grant(made, 5)) == (400, "NotMeteredLicense")
    assert (await world.ledger(made))[-1]["balanceAfter"] == 70
    found = await convert(world, made, "MeteredCount", initialMeterBalance=5)
    assert (found["meterBalance"], found["meterBalanceClosed"]) == (75, None)
    await world.consumed(made, quantity=1)
    found = await convert(world, made, "MeteredToken", initialMeterBalance=2.5)
    assert (found["meterBalance"], found["meterBalanceClosed"]) == (2.5, 74)
    reasons = [item["reason"] for item in await world.ledger(made)][-2:]
    assert reasons == ["Converted from MeteredCount to MeteredToken"] * 2
    reconciled = await world.owner.ok("POST", "/api/meter/reconcile", {"licenseId": made["id"]})
    assert (reconciled["checked"], reconciled["mismatches"]) == (1, [])


async def test_the_operator_chooses_which_devices_stay(world: World) -> None:
    made = await world.issue("Subscription")
    for n in range(5):
        await world.activate(made, f"m-{n}", deviceName=f"Desk {n}")
    ids = {item["hardwareId"]: item["id"] for item in await world.devices(made)}
    keep = [ids["m-4"], ids["m-2"]]
    found = await convert(world, made, "Concurrent", keepActivationIds=keep)
    assert [item["id"] for item in found["overLimit"]] == [ids["m-3"], ids["m-1"], ids["m-0"]]
    assert found["overLimit"][0]["deviceName"] == "Desk 3"
    assert (found["devicesOverLimit"], found["seatsUsed"]) == (3, 2)
    expected = {"m-0": "OverLimit", "m-1": "OverLimit", "m-2": "Active", "m-3": "OverLimit"}
    assert await statuses(world, made) == {**expected, "m-4": "Active"}
    only = await world.devices(made, status="OverLimit")
    assert {item["hardwareId"] for item in only} == {"m-0", "m-1", "m-3"}
    assert (await world.validate(made, "m-0"))["status"] == "ActivationRequired"
    for fields in ({"keepActivationIds": list(ids.values())}, {"maxActiveUsersCount": 0}):
        body = {"type": "Floating", **fields}
        answer = await world.owner.send("POST", f"/api/licenses/{made['id']}/convert", body)
        assert answer.status_code == 400
    found = await convert(world, made, "NodeLocked", keepActivationIds=[ids["m-1"]])
    assert (await world.validate(made, "m-1"))["status"] == "Valid"
    assert found["devicesOverLimit"] == 4
    found = await convert(world, made, "Perpetual")
    assert (found["overLimit"], found["devicesOverLimit"]) == ([], 0)
    assert set((await statuses(world, made)).values()) == {"Active"}
    await assert_counters_match(world.platform, made | {"type": "Perpetual"})


async def test_sessions_end_where_a_seat_is_needed_that_their_device_lacks(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=5)
    await world.activate(made, "seated")
    kept = await world.connected(made, "seated")
    lost = await world.connected(made, "stranger")
    found = await convert(world, made, "Concurrent")
    assert found["sessionsEnded"] == 1
    assert (await world.heartbeat(kept)).status_code == 200
    assert refusal(await world.heartbeat(lost)) == (404, "SessionNotFound")
    assert refusal(await world.connect(made, "stranger")) == (403, "ActivationRequired")


async def test_many_licenses_are_converted_at_once(world: World) -> None:
    made = [await world.issue("Subscription") for _ in range(2)]
    revoked = await world.issue("Subscription")
    await world.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    for n in range(3):
        await world.activate(made[0], f"m-{n}")
    body = {
        "action": "convert",
        "ids": [item["id"] for item in (*made, revoked)],
        "type": "Concurrent",
        "maxActiveUsersCount": 1,
    }
    path = "/api/licenses/bulk"
    for query in ("?dryRun=true", ""):
        answer = await world.owner.ok("POST", path + query, body)
        assert (answer["done"], [item["id"] for item in answer["refused"]]) == (2, [revoked["id"]])
    assert list((await statuses(world, made[0])).values()) == ["Active", "OverLimit", "OverLimit"]
    await assert_counters_match(world.platform, made[0] | {"type": "Concurrent"})
    again = await world.owner.ok("POST", path, {**body, "ids": [made[0]["id"]]})
    assert again["refused"][0]["errorCode"] == "InvalidRequest"
    metered = {"type": "MeteredCount", "initialMeterBalance": 9}
    body = {"action": "convert", "ids": [made[1]["id"]], **metered}
    assert (await world.owner.ok("POST", path, body))["done"] == 1
    assert await world.balance(made[1]) == 9
    for fields, field in (
        ({}, "type"),
        ({"type": 99}, "type"),
        ({"type": "Floating", "days": 3}, "days"),
    ):
        asked = {"action": "convert", "ids": [made[0]["id"]], **fields}
        answer = await world.owner.send("POST", path, asked)
        assert [error["field"] for error in answer.json()["errors"]] == [field], fields


async def test_a_policy_with_fewer_seats_puts_devices_over_the_limit(world: World) -> None:
    made = await world.issue("Concurrent", maxActiveUsersCount=3)
    for n in range(3):
        await world.activate(made, f"m-{n}")
    policy = await world.owner.ok(
        "POST",
        "/api/policies",
        {
            "productId": world.product["id"],
            "name": "One",
            "type": "Concurrent",
            "maxActiveUsersCount": 1,
        },
    )
    answer = await world.owner.ok(
        "POST", f"/api/policies/{policy['id']}/apply", {"licenseIds": [made["id"]], "dryRun": False}
    )
    assert answer["changed"]
    assert list((await statuses(world, made)).values()) == ["Active", "OverLimit", "OverLimit"]


async def test_devices_over_the_limit_are_recorded(world: World) -> None:
    made = await world.issue("Concurrent", maxActiveUsersCount=2)
    for n in range(2):
        await world.activate(made, f"m-{n}")
    path = f"/api/licenses/{made['id']}"
    await world.owner.ok("PUT", path, {"maxActiveUsersCount": 1})
    await world.owner.ok("PUT", path, {"maxActiveUsersCount": 2})
    recorded = await events_in(world.platform, world, "activation.")
    assert [(item["kind"], item["data"]["status"]) for item in recorded[2:]] == [
        ("activation.over_limit", "OverLimit"),
        ("activation.created", "Active"),
    ]
