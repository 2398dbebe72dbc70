"""Many licenses at once: the rules and events of the single routes, in one transaction."""

from typing import Any

import pytest
from bodies import refused_fields
from catalog.factories import NOWHERE, refusal
from licenses.factories import FUTURE, issue, make_product
from sqlalchemy import Engine, event, text
from testkit import FakeClock, Owner
from world import World

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform
from licet_server.licenses.schemas.bulk import BulkLicensesBody

PATH = "/api/licenses/bulk"
LATER = "2032-01-01T00:00:00Z"


async def bulk(owner: Owner, action: str, *licenses: Any, **fields: Any) -> dict[str, Any]:
    query = fields.pop("query", {})
    ids = [item if isinstance(item, str) else item["id"] for item in licenses]
    body = {"action": action, **({"ids": ids} if ids else {}), **fields}
    return dict(await owner.ok("POST", PATH, body, params=query))


async def status_of(owner: Owner, made: dict[str, Any]) -> str:
    return str((await owner.ok("GET", f"/api/licenses/{made['id']}"))["status"])


async def told(platform: Platform, made: dict[str, Any]) -> list[tuple[str, str | None]]:
    statement = text("SELECT kind, data FROM events WHERE subject_id = :id ORDER BY id")
    async with platform.database.reading() as db:
        rows = (await db.execute(statement, {"id": made["id"]})).all()
    return [(row.kind, row.data.get("reason")) for row in rows[1:]]


def codes(answer: dict[str, Any]) -> dict[str, str]:
    return {item["id"]: item["errorCode"] for item in answer["refused"]}


async def test_the_rules_and_events_are_those_of_the_single_routes(world: World) -> None:
    active, suspended, revoked = [await world.issue("Subscription") for _ in range(3)]
    await world.owner.ok("POST", f"/api/licenses/{suspended['id']}/suspend")
    await world.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    answer = await bulk(world.owner, "suspend", active, suspended, revoked, active, reason="Unpaid")
    assert (answer["done"], codes(answer)) == (2, {revoked["id"]: "Conflict"})
    assert answer["refused"][0]["detail"].startswith("The license is revoked: only its notes")
    assert await told(world.platform, active) == [("license.suspended", "Unpaid")]
    assert await told(world.platform, suspended) == [("license.suspended", None)]
    answer = await bulk(world.owner, "reinstate", active, suspended, revoked)
    assert (answer["done"], codes(answer)) == (2, {revoked["id"]: "Conflict"})
    assert [await status_of(world.owner, item) for item in (active, suspended)] == ["Active"] * 2
    answer = await bulk(world.owner, "revoke", active, revoked)
    assert (answer["done"], answer["refused"]) == (2, [])
    assert (await told(world.platform, active))[-1] == ("license.revoked", None)
    assert await told(world.platform, revoked) == [("license.revoked", None)]
    shown = await world.owner.ok("GET", f"/api/licenses/{active['id']}")
    assert (shown["status"], shown["updatedAt"]) == ("Revoked", shown["revokedAt"])
    answer = await bulk(world.owner, "restore", active, suspended)
    assert (answer["done"], answer["refused"]) == (2, [])
    assert (await told(world.platform, active))[-1] == ("license.restored", None)
    assert await status_of(world.owner, active) == "Active"


async def test_extending_to_a_date_and_by_days(world: World) -> None:
    soon = await world.issue("Trial", expirationDate="2030-01-15T13:00:00Z")
    year = await world.issue("Subscription")
    longer = await world.issue("Subscription", expirationDate="2040-01-01T00:00:00Z")
    forever = await world.issue("Perpetual")
    world.clock.advance(hours=2)
    await world.owner.sign_in()
    everything = (soon, year, longer, forever)
    answer = await bulk(world.owner, "extend", *everything, days=30)
    assert (answer["done"], codes(answer)) == (3, {forever["id"]: "Conflict"})
    ends = [(await world.owner.ok("GET", f"/api/licenses/{item['id']}")) for item in everything]
    assert [item["expirationDate"] for item in ends] == [
        "2030-02-14T14:00:00Z",  # it had ended, so from now
        "2031-01-31T00:00:00Z",
        "2040-01-31T00:00:00Z",
        None,
    ]
    assert ends[0]["status"] == "Active"
    answer = await bulk(world.owner, "extend", *everything, expirationDate=LATER)
    assert answer["done"] == 2
    assert codes(answer) == {longer["id"]: "Conflict", forever["id"]: "Conflict"}
    assert await told(world.platform, year) == [("license.renewed", None)] * 2
    assert (await bulk(world.owner, "extend", year, expirationDate=LATER))["done"] == 1
    assert len(await told(world.platform, year)) == 2, "it ends then already"


async def test_a_dry_run_tells_the_same_and_changes_nothing(world: World) -> None:
    active, revoked = [await world.issue("Subscription") for _ in range(2)]
    await world.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    for action, fields in (("suspend", {}), ("revoke", {}), ("extend", {"days": 5})):
        preview = await bulk(
            world.owner, action, active, revoked, query={"dryRun": "true"}, **fields
        )
        assert await status_of(world.owner, active) == "Active"
        assert await told(world.platform, active) == []
        if action == "suspend":
            assert (preview["done"], codes(preview)) == (1, {revoked["id"]: "Conflict"})
    preview = await bulk(world.owner, "suspend", active, revoked, query={"dryRun": "true"})
    assert preview == await bulk(world.owner, "suspend", active, revoked)


async def test_a_filter_chooses_up_to_a_thousand(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("licet_server.licenses.service.bulk.MOST_AT_ONCE", 3)
    other = await make_product(world.owner, name="Other")
    mine = [await world.issue("Trial") for _ in range(3)]
    await world.issue("Perpetual")
    theirs = await issue(world.owner, other, "Trial")
    chosen = {"productId": world.product["id"], "type": "Trial"}
    assert (await bulk(world.owner, "suspend", filter=chosen))["done"] == 3
    assert {await status_of(world.owner, item) for item in mine} == {"Suspended"}
    assert await status_of(world.owner, theirs) == "Active"
    answer = await world.owner.send("POST", PATH, {"action": "revoke", "filter": {"type": "Trial"}})
    assert refusal(answer) == (400, "InvalidRequest")
    [error] = answer.json()["errors"]
    assert error["field"] == "filter"
    assert "matches 4 licenses" in error["message"]
    everywhere = {"institutionId": world.owner.institution_id, "status": "Suspended"}
    assert (await bulk(world.owner, "reinstate", filter=everywhere))["done"] == 3
    nowhere = await world.owner.send(
        "POST", PATH, {"action": "revoke", "filter": {"institutionId": NOWHERE}}
    )
    assert refusal(nowhere) == (404, "NotFound")


async def test_foreign_and_unknown_licenses_are_not_found(world: World, stranger: Owner) -> None:
    made = await world.issue()
    unknown = NOWHERE
    answer = await bulk(stranger, "revoke", made, unknown)
    assert (answer["done"], codes(answer)) == (0, {made["id"]: "NotFound", unknown: "NotFound"})
    await world.join(stranger, Role.VIEWER)
    answer = await bulk(stranger, "revoke", made)
    assert (answer["done"], codes(answer)) == (0, {made["id"]: "Forbidden"})
    assert await status_of(world.owner, made) == "Active"


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["action", "ids"]),
        ({"action": "revoke"}, ["ids"]),
        ({"action": "revoke", "ids": []}, ["ids"]),
        ({"action": "revoke", "ids": [NOWHERE] * 1001}, ["ids"]),
        ({"action": "revoke", "ids": ["x"]}, ["ids[0]"]),
        ({"action": "revoke", "ids": [NOWHERE], "filter": {"type": "Trial"}}, ["ids"]),
        ({"action": "revoke", "filter": {}}, ["filter"]),
        ({"action": "revoke", "filter": {"type": None}}, ["filter"]),
        ({"action": "revoke", "filter": {"key": "x"}}, ["filter.key"]),
        ({"action": "revoke", "filter": {"search": "  "}}, ["filter.search"]),
        ({"action": "delete", "ids": [NOWHERE]}, ["action"]),
        ({"action": "Revoke", "ids": [NOWHERE]}, ["action"]),
        ({"action": "revoke", "ids": [NOWHERE], "days": 5}, ["days"]),
        ({"action": "extend", "ids": [NOWHERE]}, ["expirationDate"]),
        (
            {"action": "extend", "ids": [NOWHERE], "days": 5, "expirationDate": FUTURE},
            ["expirationDate"],
        ),
        ({"action": "extend", "ids": [NOWHERE], "days": 0}, ["days"]),
        ({"action": "extend", "ids": [NOWHERE], "days": 10**9}, ["days"]),
        ({"action": "extend", "ids": [NOWHERE], "days": 1.5}, ["days"]),
        ({"action": "extend", "ids": [NOWHERE], "months": 0}, ["months"]),
        ({"action": "extend", "ids": [], "months": 0}, ["ids", "months"]),
        (
            {"action": "extend", "ids": [NOWHERE], "expirationDate": "2020-01-01T00:00:00Z"},
            ["expirationDate"],
        ),
        ({"action": "suspend", "ids": [NOWHERE], "reason": "a\u0000b"}, ["reason"]),
        ({"action": "suspend", "ids": [NOWHERE], "reason": "x" * 10_000}, ["reason"]),
    ],
)
def test_bad_bodies_name_their_fields(body: dict[str, Any], fields: list[str]) -> None:
    assert refused_fields(BulkLicensesBody, body, FakeClock()) == fields


async def test_an_extension_beyond_the_calendar_is_refused_for_its_license(world: World) -> None:
    far = await world.issue("Subscription", expirationDate="8999-06-01T00:00:00Z")
    near = await world.issue("Subscription")
    answer = await bulk(world.owner, "extend", far, near, days=36_500)
    assert (answer["done"], codes(answer)) == (1, {far["id"]: "InvalidRequest"})


async def test_many_licenses_need_no_more_statements_than_few(world: World) -> None:
    async def statements(count: int) -> int:
        made = [await world.issue("Floating") for _ in range(count)]
        sent: list[str] = []

        def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            sent.append(statement)

        event.listen(Engine, "before_cursor_execute", note)
        try:
            assert (await bulk(world.owner, "revoke", *made))["done"] == count
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        return len(sent)

    assert await statements(12) <= await statements(2)
