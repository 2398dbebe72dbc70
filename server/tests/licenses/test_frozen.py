"""A revoked license takes notes, metadata and tags only, and a trial becomes any paid model."""

from typing import Any

import pytest
from catalog.factories import refusal
from licenses.factories import FUTURE
from metering.ledger_checks import assert_ledger_matches
from sqlalchemy import text
from testkit import Owner
from world import Vendor, World, open_vendor

from licet_server.kit.platform import Platform

LATER = "2032-01-01T00:00:00Z"


async def kinds_of(platform: Platform, license_id: str) -> list[str]:
    statement = text("SELECT kind FROM events WHERE subject_id = :id ORDER BY id")
    async with platform.database.reading() as db:
        return list((await db.execute(statement, {"id": license_id})).scalars())


CHANGES: list[dict[str, Any]] = [
    {"expirationDate": LATER},
    {"licenseName": "Another"},
    {"licenseName": "A Subscription license"},
    {"issuedTo": "other@example.com"},
    {"activationMode": "Offline"},
    {"entitlementSetId": None},
    {"issuer": "Somebody", "notes": "Both"},
    {"username": "u", "password": "p"},
    {"password": "p"},
    {"password": None},
]


@pytest.mark.specification("mission-bug-false-renewed")
@pytest.mark.parametrize("change", CHANGES)
async def test_a_revoked_license_is_frozen(world: World, change: dict[str, Any]) -> None:
    made = await world.issue("Subscription")
    path = f"/api/licenses/{made['id']}"
    before = await world.owner.ok("POST", f"{path}/revoke")
    answer = await world.owner.send("PUT", path, change)
    assert refusal(answer) == (409, "Conflict")
    assert "only its notes, metadata and tags" in answer.json()["detail"]
    assert await world.owner.ok("GET", path) == before
    assert await kinds_of(world.platform, made["id"]) == ["license.created", "license.revoked"]


async def test_a_revoked_license_takes_notes_and_metadata(world: World) -> None:
    made = await world.issue("Subscription")
    path = f"/api/licenses/{made['id']}"
    await world.owner.ok("POST", f"{path}/revoke")
    changed = await world.owner.ok("PUT", path, {"notes": "Refunded", "metadata": {"ticket": "7"}})
    assert (changed["notes"], changed["metadata"]) == ("Refunded", {"ticket": "7"})
    assert (changed["status"], changed["expirationDate"]) == ("Revoked", FUTURE)
    cleared = await world.owner.ok("PUT", path, {"notes": None, "metadata": None})
    assert (cleared["notes"], cleared["metadata"]) == (None, {})
    assert (await world.owner.send("PUT", path, {"notes": "x" * 30_000})).status_code == 400
    assert (await kinds_of(world.platform, made["id"]))[2:] == ["license.updated"] * 2


@pytest.mark.parametrize(
    "action",
    [("suspend", None), ("reinstate", None), ("convert", {"type": "Perpetual"})],
)
async def test_a_revoked_license_changes_its_state_no_more(
    world: World, action: tuple[str, Any]
) -> None:
    made = await world.issue("Trial")
    path = f"/api/licenses/{made['id']}"
    await world.owner.ok("POST", f"{path}/revoke")
    assert refusal(await world.owner.send("POST", f"{path}/{action[0]}", action[1])) == (
        409,
        "Conflict",
    )
    assert (await world.owner.ok("POST", f"{path}/revoke"))["status"] == "Revoked"
    assert (await world.owner.send("DELETE", path)).status_code == 204


async def test_the_balance_of_a_revoked_license_is_frozen(owner: Owner, platform: Platform) -> None:
    vendor = await open_vendor(owner)
    made = await vendor.issue("MeteredCount")
    await owner.ok("POST", f"/api/licenses/{made['id']}/revoke")
    for answer in (
        await vendor.grant(made, 5),
        await vendor.adjust(made, -5),
        await vendor.warn_at(made, 10),
        await vendor.warn_at(made, None),
    ):
        assert refusal(answer) == (409, "Conflict")
    assert await vendor.balance(made) == 100
    assert len(await vendor.ledger(made)) == 1
    assert await kinds_of(platform, made["id"]) == ["license.created", "license.revoked"]


async def test_no_machine_is_approved_for_a_revoked_license(owner: Owner) -> None:
    vendor = await open_vendor(owner)
    made = await vendor.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    body = {"licenseKey": made["licenseKey"], "hardwareId": "machine-1"}
    await vendor.call("POST", "/api/licenses/validate", body)
    [device] = await vendor.devices(made)
    await owner.ok("POST", f"/api/licenses/{made['id']}/revoke")
    assert refusal(await vendor.operate(device, "approve")) == (409, "Conflict")
    [still] = await vendor.devices(made)
    assert still["status"] == "Pending"
    assert (await vendor.operate(device, "deactivate")).status_code == 200


# --- conversion ------------------------------------------------------------------------------


PAID: dict[str, dict[str, Any]] = {
    "Perpetual": {},
    "Subscription": {"expirationDate": LATER},
    "Floating": {"maxActiveUsersCount": 2},
    "Concurrent": {"maxActiveUsersCount": 2},
    "NodeLocked": {},
    "MeteredToken": {"initialMeterBalance": 12.5},
    "MeteredCount": {"initialMeterBalance": 40, "expirationDate": LATER},
}


@pytest.mark.specification("mission-7", "models.trial")
@pytest.mark.parametrize("model", PAID)
async def test_a_trial_becomes_any_paid_model_with_the_same_key(
    owner: Owner, platform: Platform, model: str
) -> None:
    vendor: Vendor = await open_vendor(owner)
    made = await vendor.issue("Trial", activationMode="Offline")
    paid = await owner.ok(
        "POST", f"/api/licenses/{made['id']}/convert", {"type": model, **PAID[model]}
    )
    assert (paid["type"], paid["licenseKey"], paid["status"]) == (
        model,
        made["licenseKey"],
        "Active",
    )
    for name in ("expirationDate", "maxActiveUsersCount"):
        assert paid[name] == PAID[model].get(name)
    balance = PAID[model].get("initialMeterBalance")
    assert paid["meterBalance"] == balance
    assert (await kinds_of(platform, made["id"]))[1:] == ["license.converted"]
    if balance is None:
        return
    assert paid["activationMode"] == "Online"
    [entry] = await vendor.ledger(made)
    assert (entry["type"], entry["amount"], entry["sequence"]) == ("InitialGrant", balance, 1)
    await vendor.priced(cost=2.5)
    await vendor.consumed(made, quantity=2)
    assert await vendor.balance(made) == (7.5 if model == "MeteredToken" else 38)
    await assert_ledger_matches(platform, made)
    reconciled = await owner.ok("POST", "/api/meter/reconcile", {"licenseId": made["id"]})
    assert (reconciled["checked"], reconciled["mismatches"]) == (1, [])
    usage = await owner.ok("GET", f"/api/statistics/meter-usage?licenseId={made['id']}")
    assert usage["grants"] == balance


async def test_a_conversion_that_is_refused_leaves_no_wallet(world: World) -> None:
    made = await world.issue("Trial")
    path = f"/api/licenses/{made['id']}"
    for balance in (None, 0, -1, 0.0000001, 1e30, "NaN", True):
        body = {"type": "MeteredToken", "initialMeterBalance": balance}
        assert refusal(await world.owner.send("POST", f"{path}/convert", body)) == (
            400,
            "InvalidRequest",
        )
    assert (await world.owner.ok("GET", path))["type"] == "Trial"
    answer = await world.owner.send("GET", f"/api/meter/balance/{made['id']}")
    assert refusal(answer) == (400, "NotMeteredLicense")
