"""What operators look up by key keeps its plan; what a filter chooses is planned for its values."""

from typing import Any
from uuid import UUID

import pytest
from licenses.factories import license_body, make_product
from plans import Question, plan_of, taken_down
from world import World

from licet_server.kit.database import Database
from licet_server.kit.visibility import Visibility
from licet_server.licenses.storage import records

SCOPES = ["Products.Read", "Licenses.Read", "Customers.Read", "Releases.Read", "Meter.Read"]


@pytest.fixture
async def paths(world: World) -> dict[str, str]:
    """What is looked up: one thing of a kind, or the newest of a list."""
    owner, product = world.owner, world.product
    licenses = [await world.issue(model) for model in ("Perpetual", "Floating", "MeteredToken")]
    [release] = (await owner.ok("GET", f"/api/products/{product['id']}/releases"))["items"]
    [customer] = (await owner.ok("GET", "/api/customers"))["items"]
    body = {"productId": product["id"], "name": "Site", "type": "Perpetual"}
    policy = await owner.ok("POST", "/api/policies", body)
    return {
        "product": f"/api/products/{product['id']}",
        "public key": f"/api/products/{product['id']}/keys/public",
        "perpetual license": f"/api/licenses/{licenses[0]['id']}",
        "floating license": f"/api/licenses/{licenses[1]['id']}",
        "metered license": f"/api/licenses/{licenses[2]['id']}",
        "balance": f"/api/meter/balance/{licenses[2]['id']}",
        "release": f"/api/releases/{release['id']}",
        "customer": f"/api/customers/{customer['id']}",
        "policy": f"/api/policies/{policy['id']}",
        "institution": f"/api/institutions/{owner.institution_id}",
        "page": "/api/licenses",
        "page of a product": f"/api/licenses?productId={product['id']}&sort=-createdAt",
    }


async def test_look_ups_keep_plans_that_find_each_row_by_an_index(
    world: World, paths: dict[str, str]
) -> None:
    kept: dict[str, Question] = {}
    for name, path in paths.items():
        with taken_down("") as sent:
            await world.owner.ok("GET", path)
        assert sent
        assert [item.statement for item in sent if not item.is_keyed] == [], name
        kept |= {item.statement: item for item in sent}
    for question in kept.values():
        conditions = await _conditions(world.platform.database, question)
        assert all(condition for _, condition in conditions), question.statement


async def test_issuing_keeps_plans_that_find_each_row_by_an_index(world: World) -> None:
    """Whatever a license may name: a policy, a set, a value, and a day."""
    owner, product = world.owner, world.product
    path = f"/api/products/{product['id']}"
    await owner.ok("POST", f"{path}/features", {"name": "seats", "kind": "Number"})
    chosen = {"name": "All", "entries": [{"featureName": "seats", "value": 3}]}
    entitlements = await owner.ok("POST", f"{path}/entitlement-sets", chosen)
    terms = {"name": "Site", "type": "Subscription", "durationMonths": 1}
    policy = await owner.ok("POST", "/api/policies", {"productId": product["id"], **terms})
    named = {
        "policyId": policy["id"],
        "entitlementSetId": entitlements["id"],
        "featureValues": {"seats": 5},
        "updatesUntil": "2031-01-31",
    }
    kept: dict[str, Question] = {}
    for body in (
        license_body(product, "Perpetual"),
        license_body(product, "MeteredToken"),
        license_body(product, "Subscription", **named),
    ):
        with taken_down("") as sent:
            await owner.ok("POST", "/api/licenses", body)
        assert [item.statement for item in sent if not item.is_keyed] == []
        kept |= {item.statement: item for item in sent}
    for question in kept.values():
        conditions = await _conditions(world.platform.database, question)
        assert all(condition for _, condition in conditions), question.statement


@pytest.mark.parametrize(
    "query",
    [
        "status=Active",
        "search=spring",
        "issuedTo=somebody%40example.com",
        "sort=licenseName",
        "after=",
    ],
)
async def test_a_filtered_or_sorted_list_is_planned_for_its_values(
    world: World, query: str
) -> None:
    await world.issue()
    with taken_down(" licenses", "WITH") as sent:
        await world.owner.ok("GET", f"/api/licenses?{query}")
    assert sent
    assert [item.statement for item in sent if item.is_keyed] == []


async def test_api_keys_are_admitted_by_a_kept_plan(world: World, paths: dict[str, str]) -> None:
    key = await world.owner.ok("POST", "/api/api-keys", {"name": "A", "scopes": SCOPES})
    headers = {"authorization": f"Bearer {key['secret']}"}
    with taken_down("api_keys") as sent:
        answer = await world.owner.client.get(paths["product"], headers=headers)
    assert answer.is_success
    [admission] = sent
    assert admission.is_keyed
    conditions = await _conditions(world.platform.database, admission)
    assert all(condition for _, condition in conditions)


@pytest.mark.undivided
async def test_a_license_is_found_by_its_key_also_where_only_a_part_is_visible(
    world: World,
) -> None:
    """A member of one institution to whom a product and a release of another are assigned."""
    product = await make_product(world.owner, name="Borealis")
    made = await world.issue()
    other, release = UUID(product["id"]), UUID(int=7)
    visibility = Visibility(
        institutions=(UUID(int=1), UUID(int=2)),
        narrowed=(UUID(world.owner.institution_id),),
        products=(other,),
        releases=(release,),
    )
    with taken_down("FROM licenses") as sent:
        async with world.platform.database.keyed() as db:
            await records.fetch_license(db, visibility, UUID(made["id"]))
    [question] = sent
    conditions = await _conditions(world.platform.database, question)
    assert {table for table, _ in conditions} == {"licenses", "test_clocks"}
    assert all("institution_id" in condition for _, condition in conditions)


async def _conditions(database: Database, question: Question) -> list[tuple[str, str]]:
    """Return each table that the kept plan scans, and the condition on the index it uses."""
    async with database.keyed_transaction() as db:
        root = await plan_of(db, question)
    found: list[tuple[str, str]] = []

    def walk(node: dict[str, Any]) -> None:
        if "Relation Name" in node and node["Node Type"] != "ModifyTable":
            found.append((node["Relation Name"], node.get("Index Cond", "")))
        for inner in node.get("Plans", []):
            walk(inner)

    walk(root)
    return found
