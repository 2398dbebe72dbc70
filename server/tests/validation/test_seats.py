"""The seat in every verdict, and blocks that no request evades."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from catalog.factories import NOWHERE, bad_fields, refusal
from joserfc import jws
from joserfc.jwk import RSAKey
from statements import sent_statements
from testkit import FakeClock
from world import World

EVENT = {"name": "file.exported", "occurredAt": FakeClock.START.isoformat()}


def seat(kind: str, held: bool | None, used: int | None, total: int | None) -> dict[str, Any]:
    return {"kind": kind, "held": held, "used": used, "total": total}


@pytest.mark.specification("mission-3")
async def test_the_cap_of_a_concurrent_license_is_enforced_by_validation(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1)
    await world.activate(license_, "machine-1")
    statuses = [(await world.validate(license_, f"machine-{n}"))["status"] for n in (1, 2, 3)]
    assert statuses == ["Valid", "ActivationRequired", "ActivationRequired"]
    assert refusal(await world.connect(license_, "machine-2")) == (403, "ActivationRequired")
    assert refusal(await world.refresh(license_, "machine-2")) == (403, "ActivationRequired")
    place = f"/api/licenses/{license_['id']}/explain"
    explained = await world.owner.ok("POST", place, {"hardwareId": "machine-2"})
    assert explained["status"] == "ActivationRequired"
    public = f"/api/products/{world.product['id']}/keys/public/download"
    key = RSAKey.import_key((await world.owner.send("GET", public)).text)
    signed = await world.validate(license_, "machine-2", signed=True, nonce="n")
    claims = json.loads(jws.deserialize_compact(signed["token"], key, ["RS256"]).payload)
    assert (claims["valid"], claims["status"]) == (False, "ActivationRequired")
    assert claims["seat"] == seat("Device", False, 1, 1)
    assert claims["license"]["entitlements"] is None


@pytest.mark.parametrize("model", ["Perpetual", "Trial", "Subscription", "MeteredToken"])
async def test_most_models_count_no_seats(world: World, model: str) -> None:
    license_ = await world.issue(model)
    await world.activate(license_, "machine-1")
    for machine in (None, "machine-1"):
        assert (await world.validate(license_, machine))["seat"] == seat("None", None, None, None)


async def test_the_seat_of_a_node_locked_license_is_its_machine(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    assert (await world.validate(license_))["seat"] == seat("Machine", None, 0, 1)
    assert (await world.validate(license_, "machine-1"))["seat"] == seat("Machine", False, 0, 1)
    [device] = await world.devices(license_)
    await world.operate(device, "approve")
    assert (await world.validate(license_, "machine-1"))["seat"] == seat("Machine", True, 1, 1)
    assert (await world.validate(license_, "machine-2"))["seat"] == seat("Machine", False, 1, 1)
    assert (await world.validate(license_))["seat"] == seat("Machine", None, 1, 1)


async def test_a_floating_seat_is_named_by_its_session(world: World) -> None:
    license_ = await world.issue("Floating", maxActiveUsersCount=2)
    other = await world.issue("Floating", maxActiveUsersCount=2)
    mine, foreign = await world.connected(license_), await world.connected(other)

    async def told(session: object) -> Any:
        return (await world.validate(license_, "machine-1", sessionId=session))["seat"]

    assert await told(None) == seat("Session", None, 1, 2)
    assert await told(mine["sessionId"]) == seat("Session", True, 1, 2)
    for session in (foreign["sessionId"], NOWHERE):
        assert await told(session) == seat("Session", False, 1, 2)
    world.clock.advance(seconds=90)
    assert await told(mine["sessionId"]) == seat("Session", False, 0, 2)
    for bad in ("x", "", 7, "\0", mine["sessionId"] * 2):
        body = {"licenseKey": license_["licenseKey"], "sessionId": bad}
        assert bad_fields(await world.call("POST", "/api/licenses/validate", body)) == ["sessionId"]


async def test_verdicts_without_a_license_have_no_seat(world: World) -> None:
    unknown = await world.validate({"licenseKey": "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA"})
    assert (unknown["seat"], unknown["license"]) == (None, None)


async def test_entitlements_accompany_the_features(world: World) -> None:
    path = f"/api/products/{world.product['id']}"
    for name in ("export", "scan"):
        await world.owner.ok("POST", f"{path}/features", {"name": name})
    body = {"name": "Basic", "featureNames": ["scan", "export"]}
    made = await world.owner.ok("POST", f"{path}/entitlement-sets", body)
    license_ = await world.issue("Perpetual", entitlementSetId=made["id"])
    told = (await world.validate(license_))["license"]
    assert sorted(told["features"]) == ["export", "scan"]
    assert told["entitlements"] == {"export": True, "scan": True}
    key = RSAKey.import_key((await world.owner.send("GET", f"{path}/keys/public/download")).text)
    file = jws.deserialize_compact((await world.file(license_)).text, key, ["RS256"])
    assert json.loads(file.payload)["license"]["entitlements"] == {"export": True, "scan": True}


async def test_values_are_in_verdicts_and_files_and_cost_no_statement(world: World) -> None:
    path = f"/api/products/{world.product['id']}"
    for name, kind in {"export": "Flag", "projects": "Number", "tier": "Text"}.items():
        await world.owner.ok("POST", f"{path}/features", {"name": name, "kind": kind})
    entries = [{"featureName": "export"}, {"featureName": "projects", "value": 5}]
    made = await world.owner.ok(
        "POST", f"{path}/entitlement-sets", {"name": "A", "entries": entries}
    )
    plain = await world.issue("Perpetual", entitlementSetId=made["id"])
    own = {"projects": 0.1, "tier": "gold"}
    valued = await world.issue("Perpetual", entitlementSetId=made["id"], featureValues=own)
    free = await world.issue("Perpetual", featureValues=own)
    bare = await world.issue("Perpetual")
    sent = {}
    for license_ in (plain, valued, free, bare):
        await world.validate(license_)
        with sent_statements() as taken:
            told = (await world.validate(license_))["license"]
        assert told["entitlements"] == license_["entitlements"]
        sent[license_["id"]] = len(taken)
    assert sent[valued["id"]] == sent[plain["id"]] == sent[free["id"]] + 1 == sent[bare["id"]] + 1
    assert told["features"] is None
    key = RSAKey.import_key((await world.owner.send("GET", f"{path}/keys/public/download")).text)
    signed = await world.validate(valued, signed=True, nonce="n")
    for text in (signed["token"], (await world.file(valued)).text):
        claims = json.loads(jws.deserialize_compact(text, key, ["RS256"]).payload)
        assert claims["license"]["entitlements"] == {"export": True, **own}
        assert claims["license"]["features"] == ["export", "projects", "tier"]
    signed = await world.validate(free, signed=True, nonce="n")
    claims = json.loads(jws.deserialize_compact(signed["token"], key, ["RS256"]).payload)
    assert (claims["license"]["features"], claims["license"]["entitlements"]) == (None, own)


async def test_a_seat_costs_no_statement_more(world: World) -> None:
    """One for the key, one for license and device; a Floating license has its sessions counted."""
    sent = {}
    for model in ("Perpetual", "Concurrent", "NodeLocked", "Floating"):
        license_ = await world.issue(model)
        await world.activate(license_, "machine-1")
        await world.validate(license_, "machine-1")
        for times in (1, 8):
            asked = [world.validate(license_, "machine-1") for _ in range(times)]
            with sent_statements() as taken:
                answers = await asyncio.gather(*asked)
            assert {item["status"] for item in answers} == {"Valid"}
            assert not any(text.startswith(("INSERT", "UPDATE", "DELETE")) for text in taken)
            sent[model, times] = len(taken)
    assert [sent[model, 1] for model in ("Perpetual", "Concurrent", "NodeLocked")] == [2, 2, 2]
    assert sent["Floating", 1] == 3


async def test_an_activation_that_changes_nothing_costs_two_statements(world: World) -> None:
    license_ = await world.issue("Concurrent")
    await world.activate(license_, "machine-1")
    with sent_statements() as taken:
        answer = await world.activate(license_, "machine-1")
    assert answer.status_code == 200
    assert len(taken) == 2


@pytest.mark.specification("mission-3", "states.blocked")
@pytest.mark.parametrize("model", ["Concurrent", "Perpetual", "Trial", "Floating", "MeteredCount"])
async def test_a_block_is_not_evaded_by_leaving_out_the_hardware_id(
    world: World, model: str
) -> None:
    license_ = await world.issue(model)
    key = license_["licenseKey"]
    device = (await world.activate(license_, "machine-1")).json()["activationId"]
    await world.activate(license_, "machine-2")
    is_metered = model == "MeteredCount"

    async def balance(**query: str) -> httpx.Response:
        asked = {"licenseKey": key, **query}
        return await world.owner.client.get("/api/meter/balance", params=asked, headers=world.key)

    async def update(**query: str) -> httpx.Response:
        asked = {"licenseKey": key, **query}
        return await world.owner.client.get("/api/updates/latest", params=asked, headers=world.key)

    async def consume(**fields: Any) -> httpx.Response:
        body = {"licenseKey": key, "featureName": "export", **fields}
        return await world.call("POST", "/api/meter/consume", body)

    async def telemetry(**fields: Any) -> httpx.Response:
        return await world.call(
            "POST", "/api/telemetry", {"licenseKey": key, "events": [EVENT]} | fields
        )

    async def refresh(**fields: Any) -> httpx.Response:
        return await world.call("POST", "/api/licenses/refresh", {"licenseKey": key, **fields})

    ways = [update, telemetry, refresh]
    ways += [balance, consume] if is_metered else []
    needs_seat = model == "Concurrent"
    for ask in ways:
        expected = 400 if needs_seat and ask is refresh else (202 if ask is telemetry else 200)
        assert (await ask()).status_code == expected
    await world.operate(device, "block")
    assert (await world.validate(license_))["status"] == "HardwareIdRequired"
    assert (await world.validate(license_, "machine-1"))["status"] == "DeviceBlocked"
    assert (await world.validate(license_, "machine-2"))["status"] == "Valid"
    for ask in ways:
        assert bad_fields(await ask()) == ["hardwareId"]
        assert refusal(await ask(hardwareId="machine-1")) == (403, "DeviceBlocked")
        assert (await ask(hardwareId="machine-2")).is_success
    assert refusal(await world.connect(license_, "machine-1")) == (403, "DeviceBlocked")
    assert refusal(await world.activate(license_, "machine-1")) == (403, "DeviceBlocked")
    if is_metered:
        other = (await world.activate(license_, "machine-2")).json()["activationId"]
        assert bad_fields(await consume(activationId=other)) == ["hardwareId"]
    await world.operate(device, "unblock")
    assert (await world.validate(license_))["status"] in {"Valid", "ActivationRequired"}
    await world.operate(device, "block")
    await world.operate(device, "deactivate")
    assert (await world.validate(license_))["status"] in {"Valid", "ActivationRequired"}
