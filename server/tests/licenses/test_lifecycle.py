"""Renew, suspend, revoke, convert and delete licenses, and the events of each."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from licenses.factories import FUTURE
from sqlalchemy import text
from world import World

from licet_server.kit.platform import Platform
from licet_server.licenses.rules.transitions import RESTORABLE_FOR

ROOT = Path(__file__).parents[3]


async def events_of(platform: Platform, license_id: str) -> list[str]:
    async with platform.database.reading() as db:
        found = await db.execute(
            text("SELECT kind FROM events WHERE subject_id = :id ORDER BY id"), {"id": license_id}
        )
        return list(found.scalars())


@pytest.mark.specification(
    "models.trial", "models.subscription", "states.expired", "states.renewed"
)
async def test_a_term_ends_at_its_instant_and_a_renewal_reactivates(world: World) -> None:
    made = await world.issue("Subscription", expirationDate="2030-01-15T12:10:00Z")
    path = f"/api/licenses/{made['id']}"
    world.clock.advance(minutes=9, seconds=59)
    assert (await world.owner.ok("GET", path))["status"] == "Active"
    world.clock.advance(seconds=1)
    assert (await world.owner.ok("GET", path))["status"] == "Expired"
    renewed = await world.owner.ok("PUT", path, {"expirationDate": FUTURE})
    assert (renewed["status"], renewed["expirationDate"]) == ("Active", FUTURE)
    assert await events_of(world.platform, made["id"]) == ["license.created", "license.renewed"]


async def test_put_changes_present_fields_and_null_clears(world: World) -> None:
    made = await world.issue(notes="**old**", issuer="Us", metadata={"order": "1"})
    path = f"/api/licenses/{made['id']}"
    changed = await world.owner.ok("PUT", path, {"notes": None, "licenseName": "New name"})
    assert (changed["notes"], changed["licenseName"], changed["issuer"]) == (None, "New name", "Us")
    assert changed["metadata"] == {"order": "1"}
    assert (await world.owner.ok("PUT", path, {}))["licenseName"] == "New name"
    for body, field in (
        ({"licenseName": None}, "licenseName"),
        ({"licenseName": ""}, "licenseName"),
        ({"type": "Trial"}, "type"),
        ({"licenseKey": "ANOTHER-KEY"}, "licenseKey"),
        ({"maxActiveUsersCount": 3}, "maxActiveUsersCount"),
        ({"expirationDate": "2020-01-01T00:00:00Z"}, "expirationDate"),
        ({"softwareReleaseId": "00000000-0000-7000-8000-000000000000"}, "softwareReleaseId"),
    ):
        answer = await world.owner.send("PUT", path, body)
        assert answer.status_code == 400, body
        assert [error["field"] for error in answer.json()["errors"]] == [field]


@pytest.mark.specification("models.subscription")
async def test_a_subscription_requires_its_term(world: World) -> None:
    made = await world.issue("Subscription")
    answer = await world.owner.send("PUT", f"/api/licenses/{made['id']}", {"expirationDate": None})
    assert [error["field"] for error in answer.json()["errors"]] == ["expirationDate"]


@pytest.mark.specification("states.suspended")
async def test_suspend_and_reinstate(world: World) -> None:
    made = await world.issue()
    path = f"/api/licenses/{made['id']}"
    assert (await world.owner.ok("POST", f"{path}/suspend", {"reason": "unpaid"}))[
        "status"
    ] == "Suspended"
    assert (await world.owner.ok("POST", f"{path}/suspend"))["status"] == "Suspended"
    assert (await world.owner.ok("POST", f"{path}/reinstate"))["status"] == "Active"
    assert await events_of(world.platform, made["id"]) == [
        "license.created",
        "license.suspended",
        "license.reinstated",
    ]


@pytest.mark.specification("states.revoked")
async def test_revoking_is_final(world: World) -> None:
    made = await world.issue("Trial")
    path = f"/api/licenses/{made['id']}"
    revoked = await world.owner.ok("POST", f"{path}/revoke", {"reason": "refund"})
    assert revoked["status"] == "Revoked"
    assert revoked["revokedAt"] is not None
    assert (await world.owner.ok("POST", f"{path}/revoke"))["revokedAt"] == revoked["revokedAt"]
    for action, body in (
        ("reinstate", None),
        ("suspend", None),
        ("convert", {"type": "Perpetual"}),
    ):
        answer = await world.owner.send("POST", f"{path}/{action}", body)
        assert (answer.status_code, answer.json()["errorCode"]) == (409, "Conflict")
    assert (await events_of(world.platform, made["id"]))[-1] == "license.revoked"


def test_the_dashboard_offers_to_restore_for_as_long_as_the_server_does() -> None:
    source = (ROOT / "dashboard/src/ui/license/available.ts").read_text()
    hours = re.findall(r"RESTORABLE_FOR_HOURS = (\d+);", source)
    assert [timedelta(hours=int(item)) for item in hours] == [RESTORABLE_FOR]


@pytest.mark.specification("states.revoked")
async def test_restoring_undoes_a_revocation_for_a_day(world: World) -> None:
    made = await world.issue("Subscription", expirationDate=FUTURE)
    path = f"/api/licenses/{made['id']}"
    for suspended in (False, True):
        before = await world.owner.ok("POST", f"{path}/suspend") if suspended else made
        await world.owner.ok("POST", f"{path}/revoke")
        world.clock.advance(hours=24)
        await world.owner.sign_in()
        restored = await world.owner.ok("POST", f"{path}/restore")
        assert restored == before | {"updatedAt": restored["updatedAt"]}
    events = await events_of(world.platform, made["id"])
    assert await world.owner.ok("POST", f"{path}/restore") == restored
    assert await events_of(world.platform, made["id"]) == events
    assert events[1:3] == ["license.revoked", "license.restored"]

    await world.owner.ok("POST", f"{path}/revoke")
    world.clock.advance(hours=24, seconds=1)
    await world.owner.sign_in()
    answer = await world.owner.send("POST", f"{path}/restore")
    assert (answer.status_code, answer.json()["errorCode"]) == (409, "Conflict")
    assert "2030-01-17 12:00 UTC" in answer.json()["detail"]


@pytest.mark.specification("models.trial")
async def test_a_trial_converts_with_the_same_key(world: World) -> None:
    made = await world.issue("Trial", expirationDate="2030-01-15T12:01:00Z")
    world.clock.advance(minutes=2)
    path = f"/api/licenses/{made['id']}/convert"
    for body, field in (
        ({"type": "Subscription"}, "expirationDate"),
        ({"type": "Floating"}, "maxActiveUsersCount"),
        ({"type": "Trial", "expirationDate": FUTURE}, "type"),
        ({"type": "MeteredCount"}, "initialMeterBalance"),
        ({"type": "MeteredToken", "initialMeterBalance": 0}, "initialMeterBalance"),
        ({"type": "MeteredCount", "initialMeterBalance": 1.5}, "initialMeterBalance"),
        ({"type": "Perpetual", "initialMeterBalance": 5}, "initialMeterBalance"),
        ({"type": 99}, "type"),
    ):
        answer = await world.owner.send("POST", path, body)
        assert answer.status_code == 400, answer.text
        assert [error["field"] for error in answer.json()["errors"]] == [field]
    paid = await world.owner.ok("POST", path, {"type": "Concurrent", "maxActiveUsersCount": 2})
    assert (paid["type"], paid["status"], paid["licenseKey"]) == (
        "Concurrent",
        "Active",
        made["licenseKey"],
    )
    again = await world.owner.ok("POST", path, {"type": "Perpetual"})
    assert (again["type"], again["licenseKey"]) == ("Perpetual", made["licenseKey"])


async def test_deleting_makes_the_key_unknown_and_keeps_the_events(world: World) -> None:
    made = await world.issue()
    path = f"/api/licenses/{made['id']}"
    place = f"/api/products/{world.product['id']}"
    assert (await world.owner.ok("GET", place))["licenseCount"] == 1
    assert (await world.owner.send("DELETE", place)).status_code == 409
    assert (await world.owner.send("DELETE", path)).status_code == 204
    assert (await world.owner.send("GET", path)).status_code == 404
    assert (await world.owner.ok("GET", place))["licenseCount"] == 0
    assert await events_of(world.platform, made["id"]) == ["license.created", "license.deleted"]
    await world.issue(licenseKey=made["licenseKey"])


async def test_events_contain_no_secrets(world: World) -> None:
    made = await world.issue(username="jo", password="hunter2hunter2")
    async with world.platform.database.reading() as db:
        found = await db.execute(
            text(
                "SELECT data::text || coalesce(changes::text, '') FROM events"
                " WHERE subject_id = :id"
            ),
            {"id": made["id"]},
        )
        everything = "".join(found.scalars())
    assert "hunter2" not in everything
    assert "argon2" not in everything
    assert made["licenseKey"] not in everything
    assert "password" not in made
