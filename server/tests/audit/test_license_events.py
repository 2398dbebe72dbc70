"""The events of one license, and how much of them each role sees."""

from typing import Any

from plans import explain, taken_down
from sqlalchemy import text
from testkit import FakeClock, Owner
from unhurried import unhurried
from volumes import is_long
from world import Vendor, World

from licet_server.identity.rules.memberships import Role

LENGTH = 100_000 if is_long() else 30_000


async def read(user: Owner, license_: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
    path = f"/api/licenses/{license_['id']}/events"
    return list((await user.ok("GET", path, params=query))["items"])


def types(events: list[dict[str, Any]]) -> list[str]:
    return [item["type"] for item in events]


async def live(vendor: Vendor, clock: FakeClock) -> dict[str, Any]:
    """Return a license with events of several kinds, beside another with the same events."""
    made = await vendor.issue("NodeLocked")
    other = await vendor.issue("NodeLocked", licenseName="Other")
    for license_ in (made, other):
        await vendor.validate(license_, "machine-1", deviceName="Studio PC")
        clock.advance(seconds=1)
        await vendor.validate(license_, "machine-2")
        clock.advance(seconds=1)
        connect = {"licenseKey": license_["licenseKey"], "hardwareId": "machine-1"}
        session = (await vendor.call("POST", "/api/sessions/connect", connect)).json()
        clock.advance(seconds=1)
        ended = {"sessionId": session["sessionId"]}
        await vendor.call("POST", "/api/sessions/disconnect", ended)
    clock.advance(seconds=1)
    await vendor.owner.ok("PUT", f"/api/licenses/{made['id']}", {"licenseName": "New name"})
    return made


HAPPENED = [
    "license.updated",
    "session.ended",
    "session.started",
    "access_attempt.detected",
    "activation.created",
    "license.created",
]


async def test_all_events_of_the_license_and_no_others(world: World) -> None:
    made = await live(world, world.clock)
    events = await read(world.owner, made)
    assert types(events) == HAPPENED
    renamed, *_, attempt, device, created = events
    assert set(renamed) == {
        "id",
        "type",
        "occurredAt",
        "actorKind",
        "actorName",
        "subjectId",
        "data",
        "changes",
    }
    assert renamed["changes"] == {"licenseName": [made["licenseName"], "New name"]}
    assert (renamed["actorKind"], renamed["actorName"]) == ("User", world.owner.email)
    assert (renamed["subjectId"], renamed["occurredAt"]) == (made["id"], "2030-01-15T12:00:07Z")
    assert (device["data"]["deviceName"], device["actorKind"]) == ("Studio PC", "ProductKey")
    assert attempt["data"]["ipAddress"].startswith("10.")
    assert attempt["data"]["attemptedHardwareId"] != "machine-2"
    assert made["licenseKey"] not in str(events)
    assert created["data"]["id"] == made["id"]


async def test_meter_and_limit_events_belong_to_the_license(world: World) -> None:
    metered = await world.issue("MeteredCount", initialMeterBalance=1)
    await world.consumed(metered)
    await world.grant(metered, 5)
    assert set(types(await read(world.owner, metered))) == {
        "license.created",
        "meter.depleted",
        "meter.granted",
    }
    seats = await world.issue("Concurrent", maxActiveUsersCount=1)
    await world.activate(seats, "machine-1")
    assert (await world.activate(seats, "machine-2")).status_code == 409
    assert set(types(await read(world.owner, seats))) == {
        "license.created",
        "activation.created",
        "activation.limit_reached",
    }


async def test_pages_and_the_keyset_walk_cover_all_events(world: World) -> None:
    made = await live(world, world.clock)
    path = f"/api/licenses/{made['id']}/events"
    seen: list[str] = []
    for page in (1, 2, 3):
        listing = await world.owner.ok("GET", path, params={"page": page, "pageSize": 2})
        assert (listing["page"], listing["totalCount"]) == (page, 6)
        seen += types(listing["items"])
    assert seen == HAPPENED
    walked: list[str] = []
    after: str | None = ""
    while after is not None:
        step = await world.owner.ok("GET", path, params={"after": after, "pageSize": 4})
        walked += types(step["items"])
        after = step["nextAfter"]
    assert walked == HAPPENED[::-1]
    assert types(await read(world.owner, made, sort="occurredAt")) == HAPPENED[::-1]


async def test_only_events_of_a_kind_or_of_a_family_of_kinds(world: World) -> None:
    made = await live(world, world.clock)
    assert types(await read(world.owner, made, kind="license.created")) == ["license.created"]
    family = await read(world.owner, made, kind="session.*")
    assert types(family) == ["session.ended", "session.started"]
    assert await read(world.owner, made, kind="licen") == []


async def test_readers_without_the_audit_log_see_less(world: World, stranger: Owner) -> None:
    made = await live(world, world.clock)
    path = f"/api/licenses/{made['id']}/events"
    refused = await stranger.send("GET", path)
    assert (refused.status_code, refused.json()["errorCode"]) == (404, "NotFound")
    await world.join(stranger, Role.VIEWER)
    member = f"/api/institutions/{world.owner.institution_id}/members/{stranger.user_id}"
    whole = await read(world.owner, made)
    public = [item["id"] for item in whole if item["type"].startswith("license.")]
    assert 0 < len(public) < len(whole)
    for role in ({"role": "Viewer"}, {"role": "Member", "productIds": [world.product["id"]]}):
        await world.owner.ok("PUT", member, role)
        partial = await read(stranger, made)
        assert [item["id"] for item in partial] == public
        for item in partial:
            assert (item["actorKind"], item["actorName"], item["changes"]) == (None, None, None)
        assert world.owner.email not in str(partial)
    await world.owner.ok("PUT", member, {"productIds": []})
    assert (await stranger.send("GET", path)).status_code == 404
    await world.owner.ok("PUT", member, {"role": "Admin"})
    assert await read(stranger, made) == await read(world.owner, made)


_FILL = f"""
INSERT INTO events
    (institution_id, id, kind, occurred_at, subject_id, license_id, product_id, data, actor_kind)
SELECT :i, uuidv7(), 'session.started', now(), uuidv7(), uuidv7(), CAST(:p AS uuid), '{{}}',
    'ProductKey'
FROM generate_series(1, {LENGTH})
"""


async def test_a_long_history_of_other_licenses_is_not_scanned(world: World) -> None:
    made = await live(world, world.clock)
    given = {"i": world.owner.institution_id, "p": world.product["id"]}
    async with unhurried(world.platform) as db:
        await db.execute(text(_FILL), given)
    try:
        async with world.platform.database.reading() as db:
            await db.execute(text("ANALYZE events"))
        for query in ({"pageSize": 3}, {"after": made["id"]}, {"page": 2, "pageSize": 3}):
            with taken_down("FROM events") as taken:
                assert await read(world.owner, made, **query)
            assert taken
            for question in taken:
                plan = await explain(world.platform, question)
                assert plan.scanned == {"events_license_idx"}, query
                assert plan.pages < 20
    finally:
        async with unhurried(world.platform) as db:
            await db.execute(text("DELETE FROM events WHERE product_id = :p"), {"p": given["p"]})


async def test_a_note_is_an_event_with_its_author_and_changes_nothing(world: World) -> None:
    made = await world.issue("NodeLocked", notes="Pays late.")
    path = f"/api/licenses/{made['id']}"
    await world.owner.ok("POST", f"{path}/revoke")
    before = await world.owner.ok("GET", path)
    world.clock.advance(minutes=1)
    await world.owner.ok("POST", f"{path}/notes", {"note": "Paul called.\nHe waits."})
    [noted, *_] = await read(world.owner, made)
    assert (noted["type"], noted["actorName"]) == ("license.noted", world.owner.email)
    assert noted["data"]["note"] == "Paul called.\nHe waits."
    assert await world.owner.ok("GET", path) == before
    for note in ("", " \n ", "x" * 2_001):
        refused = await world.owner.send("POST", f"{path}/notes", {"note": note})
        assert [item["field"] for item in refused.json()["errors"]] == ["note"]
    assert len(await read(world.owner, made)) == 3
