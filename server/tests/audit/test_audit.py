"""The audit log over HTTP: who changed what, the values before and after, from where, when."""

from typing import Any

import pytest
from licenses.factories import issue, make_product
from testkit import FakeClock, Owner

from licet_server.events.service.sealing import seal_events
from licet_server.kit.platform import Platform


@pytest.fixture
async def product(owner: Owner) -> dict[str, Any]:
    return await make_product(owner)


async def read(owner: Owner, **query: Any) -> list[dict[str, Any]]:
    path = f"/api/institutions/{owner.institution_id}/audit"
    return list((await owner.ok("GET", path, params={"pageSize": 100, **query}))["items"])


@pytest.mark.specification("events.audit")
async def test_an_entry_says_who_changed_what_and_from_where(
    owner: Owner, product: dict[str, Any], platform: Platform
) -> None:
    made = await issue(owner, product)
    body = {"licenseName": "Another name"}
    answer = await owner.send(
        "PUT", f"/api/licenses/{made['id']}", body, headers={"x-request-id": "request-7"}
    )
    assert answer.is_success
    [entry] = await read(owner, kind="license.updated")
    assert entry["changes"] == {"licenseName": [made["licenseName"], "Another name"]}
    assert (entry["actorKind"], entry["actorName"]) == ("User", owner.email)
    assert (entry["subjectId"], entry["requestId"]) == (made["id"], "request-7")
    assert entry["ipAddress"].startswith("10.")
    assert entry["sealNumber"] is None
    await seal_events(platform)
    [entry] = await read(owner, kind="license.updated")
    assert entry["sealNumber"] > 0


async def test_filters(owner: Owner, product: dict[str, Any], clock: FakeClock) -> None:
    first = await issue(owner, product)
    clock.advance(hours=1)
    await owner.sign_in()
    second = await issue(owner, product)
    kinds = {item["kind"] for item in await read(owner, kind="license.*")}
    assert kinds == {"license.created"}
    assert [item["subjectId"] for item in await read(owner, subjectId=second["id"])] == [
        second["id"]
    ]
    late = {"from": "2030-01-15T12:30:00Z", "kind": "license.created"}
    assert [item["subjectId"] for item in await read(owner, **late)] == [second["id"]]
    early = {"to": "2030-01-15T12:30:00Z", "kind": "license.created"}
    assert [item["subjectId"] for item in await read(owner, **early)] == [first["id"]]
    everybody = await read(owner)
    assert await read(owner, actorId=everybody[0]["actorId"]) == everybody
    assert await read(owner, actorId=first["id"]) == []
    path = f"/api/institutions/{owner.institution_id}/audit"
    for query in ("from=2030-01-15T12:30:00", "from=x", "actorId=x"):
        assert (await owner.send("GET", f"{path}?{query}")).status_code == 400


async def test_the_log_as_csv(owner: Owner, product: dict[str, Any]) -> None:
    made = await issue(owner, product)
    path = f"/api/institutions/{owner.institution_id}/audit?kind=license.*"
    answer = await owner.send("GET", path, headers={"accept": "text/csv"})
    header, line = answer.text.splitlines()
    assert header.startswith("id,kind,occurredAt,actorKind")
    assert made["id"] in line


async def test_the_log_is_for_owners_and_admins(
    owner: Owner, stranger: Owner, product: dict[str, Any]
) -> None:
    path = f"/api/institutions/{owner.institution_id}/audit"
    for accept in ("application/json", "text/csv"):
        answer = await stranger.send("GET", path, headers={"accept": accept})
        assert (answer.status_code, answer.json()["errorCode"]) == (404, "NotFound")
    assert (await stranger.client.get(path)).status_code == 401
    assert all(item["subjectId"] != product["id"] for item in await read(stranger))


async def test_values_before_and_after(owner: Owner, product: dict[str, Any]) -> None:
    made = await issue(owner, product)
    await owner.ok("POST", f"/api/licenses/{made['id']}/suspend", {"reason": "Not paid"})
    [entry] = await read(owner, kind="license.suspended")
    assert entry["changes"] == {"suspendedAt": [None, "2030-01-15T12:00:00Z"]}
    assert entry["data"]["reason"] == "Not paid"
    await owner.ok("PUT", f"/api/institutions/{owner.institution_id}", {"name": "New name"})
    renamed, created = await read(owner, kind="institution.*")
    assert renamed["changes"]["name"][1] == "New name"
    assert created["changes"]["name"] == [None, renamed["changes"]["name"][0]]


async def test_amounts_are_exact(owner: Owner, product: dict[str, Any]) -> None:
    made = await issue(owner, product, "MeteredToken", initialMeterBalance=1)
    for amount in ("999999999999998.123456", "0.000001"):
        answer = await owner.client.post(
            "/api/meter/grant",
            content=f'{{"licenseId": "{made["id"]}", "amount": {amount}}}',
            headers={
                "authorization": f"Bearer {owner.token}",
                "content-type": "application/json",
            },
        )
        assert answer.is_success, answer.text
    path = f"/api/institutions/{owner.institution_id}/audit?kind=meter.granted"
    raw = (await owner.send("GET", path)).text
    assert '"balance":[1,999999999999999.123456]' in raw
    assert '"balance":[999999999999999.123456,999999999999999.123457]' in raw
