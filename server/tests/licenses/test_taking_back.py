"""A reinstatement and a restoration that are taken back leave the license stopped as it was."""

import pytest
from licenses.factories import FUTURE
from sqlalchemy import text
from world import World

from licet_server.kit.platform import Platform


async def last_event(platform: Platform, license_id: str) -> tuple[str, str | None, str | None]:
    """Return the kind of the latest event, since when the license is stopped then, and why."""
    async with platform.database.reading() as db:
        found = await db.execute(
            text(
                "SELECT kind, coalesce(data->>'revokedAt', data->>'suspendedAt') AS since,"
                " data->>'reason' AS reason FROM events WHERE subject_id = :id"
                " ORDER BY id DESC LIMIT 1"
            ),
            {"id": license_id},
        )
        row = found.one()
    return row.kind, row.since, row.reason


@pytest.mark.specification("states.suspended", "states.revoked")
@pytest.mark.parametrize(("stop", "end"), [("suspend", "reinstate"), ("revoke", "restore")])
async def test_what_ended_a_stop_is_taken_back_with_its_reason_and_date(
    world: World, stop: str, end: str
) -> None:
    made = await world.issue("Subscription", expirationDate=FUTURE)
    path = f"/api/licenses/{made['id']}"
    never = await world.owner.send("POST", f"{path}/{stop}", {"asBefore": True})
    assert (never.status_code, never.json()["errorCode"]) == (409, "Conflict")
    await world.owner.ok("POST", f"{path}/{stop}", {"reason": "an earlier one"})
    await world.owner.ok("POST", f"{path}/{end}")
    world.clock.advance(hours=1)
    await world.owner.sign_in()
    stopped = await world.owner.ok("POST", f"{path}/{stop}", {"reason": "unpaid"})
    before = await last_event(world.platform, made["id"])
    assert before[2] == "unpaid"
    for _ in range(2):
        world.clock.advance(hours=10)
        await world.owner.sign_in()
        await world.owner.ok("POST", f"{path}/{end}")
        again = await world.owner.ok("POST", f"{path}/{stop}", {"asBefore": True})
        assert again == stopped | {"updatedAt": again["updatedAt"]}
        assert await last_event(world.platform, made["id"]) == before
    assert await world.owner.ok("POST", f"{path}/{stop}", {"asBefore": True}) == again
    both = {"asBefore": True, "reason": "another"}
    answer = await world.owner.send("POST", f"{path}/{stop}", both)
    assert [error["field"] for error in answer.json()["errors"]] == ["reason"]


async def test_a_reinstatement_is_taken_back_for_a_day(world: World) -> None:
    made = await world.issue()
    path = f"/api/licenses/{made['id']}"
    await world.owner.ok("POST", f"{path}/suspend")
    await world.owner.ok("POST", f"{path}/reinstate")
    world.clock.advance(hours=24, seconds=1)
    await world.owner.sign_in()
    answer = await world.owner.send("POST", f"{path}/suspend", {"asBefore": True})
    assert (answer.status_code, answer.json()["errorCode"]) == (409, "Conflict")
    assert (await world.owner.ok("GET", path))["status"] == "Active"
