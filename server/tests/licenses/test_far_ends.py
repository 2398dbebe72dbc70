"""A date in the year 9000 or later means no end where the license model allows none."""

from typing import Any

import pytest
from licenses.factories import FUTURE, license_body
from world import World

FAR = ["9000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59-14:00"]


@pytest.mark.parametrize("end", FAR)
async def test_no_end_where_the_model_allows_none(world: World, end: str) -> None:
    license_ = await world.issue("Perpetual", expirationDate=end)
    assert license_["expirationDate"] is None
    path = f"/api/licenses/{license_['id']}"
    await world.owner.ok("PUT", path, {"expirationDate": FUTURE})
    changed = await world.owner.ok("PUT", path, {"expirationDate": end})
    assert changed["expirationDate"] is None


@pytest.mark.parametrize("end", FAR)
async def test_refused_where_the_model_needs_an_end(world: World, end: str) -> None:
    body = license_body(world.product, "Subscription", expirationDate=end)
    await refused(world, "POST", "/api/licenses", body)
    license_ = await world.issue("Subscription")
    await refused(world, "PUT", f"/api/licenses/{license_['id']}", {"expirationDate": end})


async def test_no_end_wins_over_the_duration_of_a_policy(world: World) -> None:
    policy = {
        "productId": world.product["id"],
        "name": "Yearly",
        "type": "Perpetual",
        "durationDays": 365,
    }
    policy = await world.owner.ok("POST", "/api/policies", policy)
    body = {"policyId": policy["id"], "expirationDate": FAR[0], "issuedTo": "ada@example.com"}
    assert (await world.owner.ok("POST", "/api/licenses", body))["expirationDate"] is None


async def test_bulk_extension(world: World) -> None:
    perpetual = await world.issue("Perpetual", expirationDate=FUTURE)
    subscription = await world.issue("Subscription")
    ids = [perpetual["id"], subscription["id"]]
    body = {"action": "extend", "ids": ids, "expirationDate": FAR[1]}
    answer = await world.owner.ok("POST", "/api/licenses/bulk", body)
    assert answer["done"] == 1
    [item] = answer["refused"]
    assert item["id"] == subscription["id"]
    assert "must be before the year 9000" in item["detail"]
    assert (await world.read(perpetual))["expirationDate"] is None


@pytest.mark.parametrize("end", ["1969-12-31T00:00:00Z", "0001-01-01T00:00:00+14:00"])
async def test_the_past(world: World, end: str) -> None:
    body = license_body(world.product, "Perpetual", expirationDate=end)
    answer = await world.owner.send("POST", "/api/licenses", body)
    assert answer.status_code == 400
    body = {"action": "suspend", "filter": {"expiringBefore": end}}
    assert (await world.owner.ok("POST", "/api/licenses/bulk", body))["done"] == 0


async def refused(world: World, method: str, path: str, body: Any) -> None:
    answer = await world.owner.send(method, path, body)
    assert answer.status_code == 400, answer.text
    [error] = answer.json()["errors"]
    assert error["field"] == "expirationDate"
    assert "before the year 9000" in error["message"]
