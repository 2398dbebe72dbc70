"""What a bulk action did is undone for the licenses that it changed, as they were before."""

from itertools import permutations
from typing import Any

import pytest
from catalog.factories import refusal
from licenses.test_bulk import LATER, PATH, bulk, codes, told
from licenses.test_converting import NEEDS
from sqlalchemy import text
from world import World

from licet_server.licenses.rules.model import LicenseStatus

COLUMNS = "SELECT to_jsonb(l) - 'updated_at' - 'version' FROM licenses l WHERE id = ANY(:ids)"


async def stored(world: World, *made: Any) -> list[Any]:
    """Return the rows of licenses, as they are stored, without the time of their last change."""
    async with world.platform.database.reading() as db:
        rows = await db.execute(text(f"{COLUMNS} ORDER BY id"), {"ids": [it["id"] for it in made]})
        return list(rows.scalars())


async def done(world: World, action: str, *made: Any, **fields: Any) -> str:
    """Do something to licenses; return the ID of the request."""
    body = {"action": action, "ids": [item["id"] for item in made], **fields}
    answer = await world.owner.send("POST", PATH, body)
    assert answer.status_code == 200, answer.text
    return str(answer.headers["x-request-id"])


async def undo(world: World, request: str, *made: Any, **fields: Any) -> dict[str, Any]:
    return await bulk(world.owner, "undo", *made, requestId=request, **fields)


async def later(world: World, **passed: int) -> None:
    world.clock.advance(**passed)
    await world.owner.sign_in()


@pytest.mark.parametrize("by", [{"days": 400}, {"months": 1}, {"expirationDate": LATER}])
async def test_extended_terms_end_where_they_did(world: World, by: dict[str, Any]) -> None:
    soon = await world.issue("Trial", expirationDate="2030-01-15T13:00:00Z")
    year = await world.issue("Subscription", expirationDate="2030-01-31T22:59:59Z")
    forever = await world.issue("Perpetual")
    await bulk(world.owner, "extend", year, months=1)
    await later(world, hours=2)
    everything = (soon, year, forever)
    before = await stored(world, *everything)
    request = await done(world, "extend", *everything, **by)
    answer = await undo(world, request, *everything, query={"dryRun": "true"})
    assert answer == {"done": 3, "changed": 2, "refused": []}
    assert await undo(world, request, *everything) == answer
    assert await stored(world, *everything) == before
    assert (await told(world.platform, year))[-2:] == [
        ("license.renewed", None),
        ("license.updated", None),
    ]
    assert await undo(world, request, *everything) == {"done": 3, "changed": 0, "refused": []}


@pytest.mark.parametrize("grace_days", [0, 10])
async def test_a_term_that_had_ended_has_ended_again_with_its_sessions(
    world: World, grace_days: int
) -> None:
    terms = {"expirationDate": "2030-01-16T00:00:00Z", "graceDays": grace_days}
    one, other = [await world.issue("Floating", maxActiveUsersCount=2, **terms) for _ in range(2)]
    await later(world, days=3)
    before, shown = await stored(world, one, other), await world.read(one)
    answer = await world.owner.send("PUT", f"/api/licenses/{one['id']}", {"expirationDate": LATER})
    request = await done(world, "extend", other, days=30)
    await world.connected(one, "laptop")
    assert (await undo(world, answer.headers["x-request-id"], one))["changed"] == 1
    assert (await undo(world, request, other))["changed"] == 1
    assert await stored(world, one, other) == before
    again = await world.read(one)
    assert (again["status"], again["inGraceUntil"]) == (shown["status"], shown["inGraceUntil"])
    assert len(await world.sessions(one)) == (1 if grace_days else 0)


async def test_what_somebody_changed_meanwhile_stays(world: World) -> None:
    kept, moved, revoked = [await world.issue("Subscription") for _ in range(3)]
    request = await done(world, "extend", kept, moved, revoked, days=30)
    await world.owner.ok("PUT", f"/api/licenses/{moved['id']}", {"expirationDate": LATER})
    await bulk(world.owner, "revoke", revoked)
    others = await stored(world, moved, revoked)
    answer = await undo(world, request, kept, moved, revoked)
    assert (answer["done"], answer["changed"]) == (1, 1)
    assert codes(answer) == {moved["id"]: "Conflict", revoked["id"]: "Conflict"}
    assert answer["refused"][0]["detail"].startswith("The license was changed again since then")
    assert await stored(world, moved, revoked) == others
    shown = await world.owner.ok("GET", f"/api/licenses/{kept['id']}")
    assert shown["expirationDate"] == kept["expirationDate"]


@pytest.mark.parametrize(("stop", "end"), [("suspend", "reinstate"), ("revoke", "restore")])
async def test_licenses_stop_again_with_their_reason_and_date(
    world: World, stop: str, end: str
) -> None:
    first, second, active = [await world.issue("Subscription") for _ in range(3)]
    await bulk(world.owner, stop, first, reason="Unpaid")
    await bulk(world.owner, stop, second)
    await later(world, hours=1)
    before = await stored(world, first, second, active)
    request = await done(world, end, first, second, active)
    assert (await undo(world, request, first, second, active))["changed"] == 2
    assert await stored(world, first, second, active) == before
    stopped = "license.suspended" if stop == "suspend" else "license.revoked"
    assert (await told(world.platform, first))[-1] == (stopped, "Unpaid")
    assert (await told(world.platform, second))[-1] == (stopped, None)
    await bulk(world.owner, end, first)
    await bulk(world.owner, stop, first)
    assert codes(await undo(world, request, first)) == {first["id"]: "Conflict"}


@pytest.mark.parametrize("start", NEEDS)
async def test_converted_licenses_have_their_model_and_its_terms_again(
    world: World, start: str
) -> None:
    metered = {"MeteredToken", "MeteredCount"}
    for before, after in permutations(NEEDS, 2):
        if before != start:
            continue
        made = await world.issue(start, issuedTo="jane@example.com", **NEEDS[start])
        was = await stored(world, made)
        request = await done(world, "convert", made, type=after, **NEEDS[after])
        is_now = await stored(world, made)
        answer = await undo(world, request, made)
        if metered & {before, after}:
            assert codes(answer) == {made["id"]: "Conflict"}
            assert await stored(world, made) == is_now
        else:
            assert answer == {"done": 1, "changed": 1, "refused": []}
            assert await stored(world, made) == was


async def test_a_password_that_a_conversion_forgot_is_not_brought_back(world: World) -> None:
    made = await world.issue("Perpetual", username="jane", password="correct horse")
    request = await done(world, "convert", made, type="Trial", **NEEDS["Trial"])
    answer = await undo(world, request, made)
    assert codes(answer) == {made["id"]: "Conflict"}
    assert "removed the user name and the password" in answer["refused"][0]["detail"]


async def test_a_day_later_or_for_another_institution_nothing_is_undone(
    world: World, stranger: Any
) -> None:
    made = await world.issue("Subscription")
    request = await done(world, "extend", made, days=30)
    body = {"action": "undo", "ids": [made["id"]], "requestId": request}
    foreign = await stranger.send("POST", PATH, body)
    await later(world, hours=24, seconds=1)
    for answer in (foreign, await world.owner.send("POST", PATH, body)):
        assert refusal(answer) == (400, "InvalidRequest")
        assert [item["field"] for item in answer.json()["errors"]] == ["requestId"]


async def test_figures_leave_out_what_was_undone(world: World) -> None:
    made = await world.issue("Subscription", expirationDate="2030-03-20T00:00:00Z")
    for action, fields in (
        ("extend", {"days": 30}),
        ("convert", {"type": "Floating", **NEEDS["Floating"]}),
    ):
        await undo(world, await done(world, action, made, **fields), made)
    query = {"from": "2030-01-15", "to": "2030-01-16"}
    path = "/api/statistics/licenses"
    figures = await world.owner.ok("GET", path, params=query)
    assert (figures["renewed"], figures["converted"]) == (0, 0)
    shown = await world.owner.ok("GET", f"/api/licenses/{made['id']}")
    assert shown["status"] == LicenseStatus.ACTIVE
