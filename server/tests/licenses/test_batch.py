"""Several licenses that are issued at once."""

from typing import Any

from world import World

from licet_server.worker import dispatch_events


def batch(world: World, **fields: Any) -> dict[str, Any]:
    return {
        "productId": world.product["id"],
        "type": "Perpetual",
        "licenseName": "Box",
        "count": 3,
        **fields,
    }


async def test_licenses_of_a_batch_differ_in_their_keys_alone(world: World) -> None:
    policy = await world.owner.ok(
        "POST",
        "/api/policies",
        {
            "productId": world.product["id"],
            "name": "Credits",
            "type": "MeteredToken",
            "initialMeterBalance": 50,
        },
    )
    body = {"policyId": policy["id"], "count": 3, "issuedTo": "shop@example.com", "tags": ["box"]}
    once = {"Idempotency-Key": "a-box-of-three"}
    made = await world.owner.ok("POST", "/api/licenses/batch", body, headers=once)
    again = await world.owner.ok("POST", "/api/licenses/batch", body, headers=once)
    assert again == made
    found = (await world.owner.ok("GET", "/api/licenses"))["items"]
    assert len({item["licenseKey"] for item in made["licenses"]}) == 3
    assert {item["licenseKey"] for item in found} == {
        item["licenseKey"] for item in made["licenses"]
    }
    assert [(item["meterBalance"], item["tags"], item["policyId"]) for item in found] == [
        (50, ["box"], policy["id"])
    ] * 3
    assert len({item["customerId"] for item in found}) == 1
    product = await world.owner.ok("GET", f"/api/products/{world.product['id']}")
    assert product["licenseCount"] == 3


async def test_licenses_of_a_batch_are_not_mailed(world: World) -> None:
    template = f"/api/products/{world.product['id']}/mail-templates/issued"
    await world.owner.ok("PUT", template, {"automatic": True})
    await world.owner.ok("POST", "/api/licenses/batch", batch(world, issuedTo="shop@example.com"))
    await dispatch_events(world.platform)
    assert (await world.owner.ok("GET", "/api/license-mails"))["totalCount"] == 0


async def test_batch_without_room_issues_none(world: World) -> None:
    answer = await world.owner.send(
        "POST", "/api/licenses/batch", batch(world, count=501, licenseKey="A" * 20, notify=True)
    )
    assert {error["field"] for error in answer.json()["errors"]} == {
        "count",
        "licenseKey",
        "notify",
    }
