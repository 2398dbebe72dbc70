"""Policies: what a license issued under one gets, and what one may say."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from bodies import refused_fields
from catalog.factories import NOWHERE, bad_fields, refusal
from licenses.factories import make_product
from testkit import FakeClock, Owner
from world import World

from licet_server.kit.web.body import read_body
from licet_server.licenses.rules.policies import Policy, policy_breaches
from licet_server.licenses.schemas.policies import PolicyBody, PolicyChange

CUSTOMER = {"issuedTo": "customer@example.com"}


async def make_policy(owner: Owner, product: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"productId": product["id"], "name": "Yearly", "type": "Subscription", **fields}
    made: dict[str, Any] = await owner.ok("POST", "/api/policies", body)
    return made


async def issue(owner: Owner, policy: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"policyId": policy["id"], **CUSTOMER, **fields}
    made: dict[str, Any] = await owner.ok("POST", "/api/licenses", body)
    return made


async def test_policies_are_created_changed_listed_and_deleted(world: World) -> None:
    made = await make_policy(
        world.owner, world.product, durationDays=365, metadata={"plan": "yearly"}
    )
    path = f"/api/policies/{made['id']}"
    assert await world.owner.ok("GET", path) == made
    assert made["durationDays"] == 365
    assert (made["termStarts"], made["graceDays"]) == ("Issue", 0)
    assert (made["activationMode"], made["entitlementSetId"]) == (None, None)
    world.clock.advance(seconds=1)
    changed = await world.owner.ok("PUT", path, {"name": "Annual", "durationDays": None})
    assert changed == {
        **made,
        "name": "Annual",
        "durationDays": None,
        "updatedAt": changed["updatedAt"],
    }
    assert changed["updatedAt"] > made["updatedAt"]
    assert await world.owner.ok("PUT", path, {"name": "Annual"}) == changed
    other = await make_policy(world.owner, await make_product(world.owner, name="Other"))
    assert [
        item["id"] for item in (await world.owner.ok("GET", "/api/policies?sort=name"))["items"]
    ] == [
        made["id"],
        other["id"],
    ]
    of_product = await world.owner.ok("GET", f"/api/policies?productId={world.product['id']}")
    assert [item["id"] for item in of_product["items"]] == [made["id"]]
    assert (await world.owner.send("DELETE", path)).status_code == 204
    assert refusal(await world.owner.send("GET", path)) == (404, "NotFound")
    recorded = await world.events_of(made["id"])
    assert [item["kind"] for item in recorded] == [
        "policy.created",
        "policy.updated",
        "policy.deleted",
    ]
    assert recorded[1]["changes"] == {"name": ["Yearly", "Annual"], "durationDays": [365, None]}


async def test_names_are_unique_per_product_without_case(world: World) -> None:
    await make_policy(world.owner, world.product)
    second = await make_policy(world.owner, world.product, name="Monthly")
    body = {"productId": world.product["id"], "name": "YEARLY", "type": "Perpetual"}
    assert refusal(await world.owner.send("POST", "/api/policies", body)) == (409, "Conflict")
    answer = await world.owner.send("PUT", f"/api/policies/{second['id']}", {"name": "yearly"})
    assert refusal(answer) == (409, "Conflict")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"durationDays": 0}, ["durationDays"]),
        ({"durationDays": 36_501}, ["durationDays"]),
        ({"termStarts": "Never"}, ["termStarts"]),
        ({"graceDays": -1}, ["graceDays"]),
        ({"graceDays": 366}, ["graceDays"]),
        ({"licenseNamePattern": "{nobody}"}, ["licenseNamePattern"]),
        ({"licenseNamePattern": "{product"}, ["licenseNamePattern"]),
        ({"licenseNamePattern": "{product!r}"}, ["licenseNamePattern"]),
        ({"licenseNamePattern": "{product:>99999999}"}, ["licenseNamePattern"]),
        ({"licenseNamePattern": "{product.name}"}, ["licenseNamePattern"]),
        ({"licenseNamePattern": "{}"}, ["licenseNamePattern"]),
        ({"licenseNamePattern": " "}, ["licenseNamePattern"]),
        ({"metadata": {"": "x"}}, ["metadata"]),
        ({"type": "Site"}, ["type"]),
    ],
)
def test_bad_fields_are_named(fields: dict[str, Any], expected: list[str]) -> None:
    body = {"productId": NOWHERE, "name": "Bad", "type": "Subscription", **fields}
    assert refused_fields(PolicyBody, body) == expected
    assert refused_fields(PolicyChange, fields) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"maxActiveUsersCount": 5}, "maxActiveUsersCount"),
        ({"type": "Floating", "maxActiveUsersCount": 0}, "maxActiveUsersCount"),
        ({"type": "Floating", "activationMode": "Offline"}, "activationMode"),
        ({"type": "Perpetual", "initialMeterBalance": 5}, "initialMeterBalance"),
        ({"type": "MeteredCount", "initialMeterBalance": 1.5}, "initialMeterBalance"),
        ({"type": "Perpetual", "deviceBindingMode": "AutoBind"}, "deviceBindingMode"),
        ({"termStarts": "FirstUse"}, "durationDays"),
    ],
)
def test_what_no_license_of_the_model_may_have(fields: dict[str, Any], expected: str) -> None:
    body = {"productId": NOWHERE, "name": "Bad", "type": "Subscription", **fields}
    read = read_body(json.dumps(body).encode(), PolicyBody, FakeClock())
    assert isinstance(read, PolicyBody)
    ids: Any = dict.fromkeys(("institution_id", "id", "product_id"), UUID(NOWHERE))
    times: Any = dict.fromkeys(("created_at", "updated_at"), FakeClock.START)
    breaches = policy_breaches(Policy(**ids, **times, **read.fields()), FakeClock.START)
    assert [item.field for item in breaches] == [expected]


async def test_what_is_refused_changes_nothing(world: World) -> None:
    body = {"productId": world.product["id"], "name": "Bad", "type": "Subscription"}
    made = await make_policy(world.owner, world.product)
    path = f"/api/policies/{made['id']}"
    for fields in ({"maxActiveUsersCount": 5}, {"termStarts": "Never"}):
        answer = await world.owner.send("POST", "/api/policies", {**body, **fields})
        assert bad_fields(answer) == [*fields]
        assert bad_fields(await world.owner.send("PUT", path, fields)) == [*fields]
    assert (await world.owner.ok("GET", "/api/policies"))["items"] == [made]


async def test_what_a_model_requires_may_be_left_to_the_license(world: World) -> None:
    for model in ("Trial", "Subscription", "Floating", "Concurrent", "NodeLocked", "MeteredToken"):
        await make_policy(world.owner, world.product, name=model, type=model)
    listed = (await world.owner.ok("GET", "/api/policies"))["items"]
    policy = next(item for item in listed if item["type"] == "Floating")
    body = {"policyId": policy["id"], **CUSTOMER}
    assert bad_fields(await world.owner.send("POST", "/api/licenses", body)) == [
        "maxActiveUsersCount"
    ]
    assert (await issue(world.owner, policy, maxActiveUsersCount=2))["maxActiveUsersCount"] == 2


async def test_a_license_gets_what_the_policy_says(world: World) -> None:
    path = f"/api/products/{world.product['id']}/entitlement-sets"
    the_set = await world.owner.ok("POST", path, {"name": "Pro", "entries": []})
    policy = await make_policy(
        world.owner,
        world.product,
        type="Concurrent",
        durationDays=30,
        maxActiveUsersCount=5,
        activationMode="Offline",
        entitlementSetId=the_set["id"],
        licenseNamePattern="{product} for {customer}, {policy} {date}",
        metadata={"plan": "team", "tier": "gold"},
    )
    made = await issue(world.owner, policy)
    assert (made["policyId"], made["productId"], made["type"]) == (
        policy["id"],
        world.product["id"],
        "Concurrent",
    )
    assert made["licenseName"] == "Aurora for customer@example.com, Yearly 2030-01-15"
    assert datetime.fromisoformat(made["expirationDate"]) == datetime(2030, 2, 14, 12, tzinfo=UTC)
    assert (made["maxActiveUsersCount"], made["activationMode"]) == (5, "Offline")
    assert made["entitlementSetId"] == the_set["id"]
    assert made["metadata"] == {"plan": "team", "tier": "gold"}
    given = await issue(
        world.owner,
        policy,
        licenseName="Own",
        expirationDate="2031-01-01T00:00:00Z",
        maxActiveUsersCount=9,
        activationMode="Online",
        metadata={"tier": "silver"},
    )
    assert (given["licenseName"], given["maxActiveUsersCount"]) == ("Own", 9)
    assert (given["expirationDate"], given["activationMode"]) == ("2031-01-01T00:00:00Z", "Online")
    assert given["metadata"] == {"plan": "team", "tier": "silver"}
    await world.owner.ok("PUT", f"/api/policies/{policy['id']}", {"maxActiveUsersCount": 50})
    assert await world.owner.ok("GET", f"/api/licenses/{made['id']}") == made
    await world.owner.ok("POST", "/api/licenses", {
        "productId": world.product["id"], "type": "Perpetual", "licenseName": "None"
    })  # fmt: skip
    listed = await world.owner.ok("GET", f"/api/licenses?policyId={policy['id']}")
    assert {item["id"] for item in listed["items"]} == {made["id"], given["id"]}
    body = {"filter": {"policyId": policy["id"]}, "action": "suspend"}
    assert (await world.owner.ok("POST", "/api/licenses/bulk?dryRun=true", body))["done"] == 2


async def test_a_name_by_pattern_is_cut(world: World) -> None:
    policy = await make_policy(
        world.owner, world.product, type="Perpetual", licenseNamePattern="{product}" * 22
    )
    assert len((await issue(world.owner, policy))["licenseName"]) == 132
    await world.owner.ok("PUT", f"/api/products/{world.product['id']}", {"name": "x" * 150})
    assert (await issue(world.owner, policy))["licenseName"] == "x" * 200
    plain = await make_policy(world.owner, world.product, name="Plain", type="Perpetual")
    assert (await issue(world.owner, plain))["licenseName"] == "Plain"
    braces = await make_policy(
        world.owner,
        world.product,
        name="{customer}",
        type="Perpetual",
        licenseNamePattern="{policy}",
    )
    assert (await issue(world.owner, braces))["licenseName"] == "{customer}"


async def test_a_policy_of_another_product_is_a_bad_field(world: World) -> None:
    policy = await make_policy(world.owner, world.product, type="Perpetual")
    other = await make_product(world.owner, name="Other")
    body = {"policyId": policy["id"], "productId": other["id"], **CUSTOMER}
    assert bad_fields(await world.owner.send("POST", "/api/licenses", body)) == ["policyId"]
    assert bad_fields(await world.owner.send("POST", "/api/licenses", CUSTOMER)) == [
        "productId",
        "type",
        "licenseName",
    ]


async def test_a_policy_that_licenses_remember_stays(world: World) -> None:
    path = f"/api/products/{world.product['id']}/entitlement-sets"
    the_set = await world.owner.ok("POST", path, {"name": "Pro", "entries": []})
    policy = await make_policy(
        world.owner, world.product, type="Perpetual", entitlementSetId=the_set["id"]
    )
    place = f"/api/policies/{policy['id']}"
    made = await issue(world.owner, policy, entitlementSetId=None)
    deleted = await world.owner.send("DELETE", place)
    assert (refusal(deleted), deleted.json()["licenseCount"]) == ((409, "Conflict"), 1)
    await world.owner.ok("DELETE", f"/api/licenses/{made['id']}")
    the_set_path = f"/api/entitlement-sets/{the_set['id']}"
    assert refusal(await world.owner.send("DELETE", the_set_path)) == (409, "Conflict")
    assert (
        await world.owner.send("DELETE", f"/api/products/{world.product['id']}")
    ).status_code == 204


async def test_a_license_never_remembers_a_deleted_policy(world: World) -> None:
    for number in range(8):
        policy = await make_policy(world.owner, world.product, name=f"p{number}", type="Perpetual")
        body = {"policyId": policy["id"], **CUSTOMER}
        made, deleted = await asyncio.gather(
            world.owner.send("POST", "/api/licenses", body),
            world.owner.send("DELETE", f"/api/policies/{policy['id']}"),
        )
        outcome = (made.status_code, deleted.status_code)
        assert outcome in {(201, 409), (400, 204)}, (made.text, deleted.text)
