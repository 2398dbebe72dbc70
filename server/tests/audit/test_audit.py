"""The audit log over HTTP: who changed what, the values before and after, from where, when."""

from typing import Any

import pytest
from testkit import Owner
from world import World

from licet_server.events.service.sealing import seal_events


async def read(owner: Owner, **query: Any) -> list[dict[str, Any]]:
    path = f"/api/institutions/{owner.institution_id}/audit"
    return list((await owner.ok("GET", path, params={"pageSize": 100, **query}))["items"])


@pytest.mark.specification("events.audit")
async def test_an_entry_says_who_changed_what_and_from_where(world: World) -> None:
    made = await world.issue()
    body = {"licenseName": "Another name"}
    answer = await world.owner.send(
        "PUT", f"/api/licenses/{made['id']}", body, headers={"x-request-id": "request-7"}
    )
    assert answer.is_success
    [entry] = await read(world.owner, kind="license.updated")
    assert entry["changes"] == {"licenseName": [made["licenseName"], "Another name"]}
    assert (entry["actorKind"], entry["actorName"]) == ("User", world.owner.email)
    assert (entry["subjectId"], entry["requestId"]) == (made["id"], "request-7")
    assert entry["ipAddress"].startswith("10.")
    assert entry["sealNumber"] is None
    await seal_events(world.platform)
    [entry] = await read(world.owner, kind="license.updated")
    assert entry["sealNumber"] > 0


async def test_filters(world: World) -> None:
    first = await world.issue()
    world.clock.advance(hours=1)
    await world.owner.sign_in()
    second = await world.issue()
    kinds = {item["kind"] for item in await read(world.owner, kind="license.*")}
    assert kinds == {"license.created"}
    assert [item["subjectId"] for item in await read(world.owner, subjectId=second["id"])] == [
        second["id"]
    ]
    late = {"from": "2030-01-15T12:30:00Z", "kind": "license.created"}
    assert [item["subjectId"] for item in await read(world.owner, **late)] == [second["id"]]
    early = {"to": "2030-01-15T12:30:00Z", "kind": "license.created"}
    assert [item["subjectId"] for item in await read(world.owner, **early)] == [first["id"]]
    everybody = await read(world.owner)
    assert await read(world.owner, actorId=everybody[0]["actorId"]) == everybody
    assert await read(world.owner, actorId=first["id"]) == []
    path = f"/api/institutions/{world.owner.institution_id}/audit"
    for query in ("from=2030-01-15T12:30:00", "from=x", "actorId=x"):
        assert (await world.owner.send("GET", f"{path}?{query}")).status_code == 400


async def test_the_log_as_csv(world: World) -> None:
    made = await world.issue()
    path = f"/api/institutions/{world.owner.institution_id}/audit?kind=license.*"
    answer = await world.owner.send("GET", path, headers={"accept": "text/csv"})
    header, line = answer.text.splitlines()
    assert header.startswith("id,kind,occurredAt,actorKind")
    assert made["id"] in line


async def test_values_before_and_after(world: World) -> None:
    made = await world.issue()
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/suspend", {"reason": "Not paid"})
    [entry] = await read(world.owner, kind="license.suspended")
    assert entry["changes"] == {"suspendedAt": [None, "2030-01-15T12:00:00Z"]}
    assert entry["data"]["reason"] == "Not paid"
    await world.owner.ok(
        "PUT", f"/api/institutions/{world.owner.institution_id}", {"name": "New name"}
    )
    renamed, created = await read(world.owner, kind="institution.*")
    assert renamed["changes"]["name"][1] == "New name"
    assert created["changes"]["name"] == [None, renamed["changes"]["name"][0]]


async def test_amounts_are_exact(world: World) -> None:
    made = await world.issue("MeteredToken", initialMeterBalance=1)
    for amount in ("999999999999998.123456", "0.000001"):
        answer = await world.owner.client.post(
            "/api/meter/grant",
            content=f'{{"licenseId": "{made["id"]}", "amount": {amount}}}',
            headers={
                "authorization": f"Bearer {world.owner.token}",
                "content-type": "application/json",
            },
        )
        assert answer.is_success, answer.text
    path = f"/api/institutions/{world.owner.institution_id}/audit?kind=meter.granted"
    raw = (await world.owner.send("GET", path)).text
    assert '"balance":[1,999999999999999.123456]' in raw
    assert '"balance":[999999999999999.123456,999999999999999.123457]' in raw
