"""Features, and the entitlement sets that are made of them."""

import asyncio
import uuid
from typing import Any

import pytest
from bodies import refused_fields
from catalog.factories import bad_fields, events_of, make_features, make_product, refusal
from testkit import FakeClock, Owner

from licet_server.catalog.reading import entitled_features, find_entitlement_set
from licet_server.catalog.schemas.features import EntitlementSetBody, FeatureBody, FeatureChange
from licet_server.kit.platform import Platform


async def make_set(
    owner: Owner, product: dict[str, Any], name: str, *features: str
) -> dict[str, Any]:
    path = f"/api/products/{product['id']}/entitlement-sets"
    made: dict[str, Any] = await owner.ok("POST", path, {"name": name, "featureNames": features})
    return made


async def test_features_are_created_changed_and_listed(owner: Owner, clock: FakeClock) -> None:
    product = await make_product(owner)
    path = f"/api/products/{product['id']}/features"
    body = {"name": "batch-export", "displayName": "Batch export", "description": "Many at once."}
    made = await owner.ok("POST", path, body)
    assert made.keys() == {
        "id",
        "productId",
        "name",
        "kind",
        "displayName",
        "description",
        "createdAt",
    }
    assert made["kind"] == "Flag"
    clock.advance(seconds=1)
    changed = await owner.ok("PUT", f"/api/features/{made['id']}", {"displayName": None})
    assert changed == {**made, "displayName": None}
    await make_features(owner, product, "AI denoise")
    listed = await owner.ok("GET", f"{path}?sort=name")
    assert [item["name"] for item in listed["items"]] == ["AI denoise", "batch-export"]
    newest = await owner.ok("GET", path)
    assert [item["name"] for item in newest["items"]] == ["AI denoise", "batch-export"]


@pytest.mark.specification("mission-bug-feature-case")
async def test_feature_names_are_unique_per_product_without_case(owner: Owner) -> None:
    product = await make_product(owner)
    first, second = await make_features(owner, product, "Export", "Import")
    path = f"/api/products/{product['id']}/features"
    assert refusal(await owner.send("POST", path, {"name": "eXPORT"})) == (409, "Conflict")
    answer = await owner.send("PUT", f"/api/features/{second}", {"name": "EXPORT"})
    assert refusal(answer) == (409, "Conflict")
    await owner.ok("PUT", f"/api/features/{first}", {"name": "EXPORT"})
    await make_features(owner, await make_product(owner, "Other"), "Export")


async def test_set_keeps_the_given_order_and_the_spelling_of_names(
    owner: Owner, platform: Platform
) -> None:
    product = await make_product(owner)
    export, *_ = await make_features(owner, product, "Export", "Import", "Print")
    made = await make_set(owner, product, "Standard", "PRINT", "export")
    assert made["featureNames"] == ["Print", "Export"]
    assert made["entries"] == [{"featureName": "Print"}, {"featureName": "Export"}]
    assert made.keys() == {
        "id",
        "productId",
        "name",
        "entries",
        "featureNames",
        "createdAt",
        "updatedAt",
    }
    await owner.ok("PUT", f"/api/features/{export}", {"name": "Archive"})
    path = f"/api/products/{product['id']}/entitlement-sets"
    [listed] = (await owner.ok("GET", path))["items"]
    assert listed["featureNames"] == ["Print", "Archive"]
    key = uuid.UUID(owner.institution_id), uuid.UUID(made["id"])
    async with platform.database.reading() as db:
        entitled = await entitled_features(db, [key, key])
    assert list(entitled[key[1]].items()) == [("Print", True), ("Archive", True)]


async def test_set_is_renamed_and_its_features_are_replaced(owner: Owner, clock: FakeClock) -> None:
    product = await make_product(owner)
    await make_features(owner, product, "one", "two", "three")
    made = await make_set(owner, product, "Set", "one", "two")
    path = f"/api/entitlement-sets/{made['id']}"
    clock.advance(seconds=1)
    renamed = await owner.ok("PUT", path, {"name": "Pro"})
    assert (renamed["name"], renamed["featureNames"]) == ("Pro", ["one", "two"])
    assert renamed["updatedAt"] > made["updatedAt"]
    refilled = await owner.ok("PUT", path, {"featureNames": ["three", "one"]})
    assert (refilled["name"], refilled["featureNames"]) == ("Pro", ["three", "one"])
    assert (await owner.ok("PUT", path, {"featureNames": ["one", "three"]}))["featureNames"] == [
        "one",
        "three",
    ]
    assert (await owner.ok("PUT", path, {"featureNames": []}))["featureNames"] == []
    assert (await owner.send("DELETE", path)).status_code == 204
    assert refusal(await owner.send("DELETE", path)) == (404, "NotFound")


async def test_unknown_features_of_a_set_are_rejected_by_field(owner: Owner) -> None:
    product, other = await make_product(owner), await make_product(owner, "Other")
    await make_features(owner, product, "one", "two")
    await make_features(owner, other, "theirs")
    path = f"/api/products/{product['id']}/entitlement-sets"
    body = {"name": "Set", "featureNames": ["one", "none", "ONE", "theirs"]}
    assert bad_fields(await owner.send("POST", path, body)) == [
        "featureNames[1]",
        "featureNames[2]",
        "featureNames[3]",
    ]
    made = await make_set(owner, product, "Set", "one")
    answer = await owner.send(
        "PUT", f"/api/entitlement-sets/{made['id']}", {"featureNames": ["two", "none"]}
    )
    assert bad_fields(answer) == ["featureNames[1]"]


async def test_set_names_are_unique_per_product_without_case(owner: Owner) -> None:
    product = await make_product(owner)
    await make_set(owner, product, "Standard")
    second = await make_set(owner, product, "Pro")
    path = f"/api/products/{product['id']}/entitlement-sets"
    same = {"name": "STANDARD", "featureNames": []}
    assert refusal(await owner.send("POST", path, same)) == (409, "Conflict")
    answer = await owner.send("PUT", f"/api/entitlement-sets/{second['id']}", {"name": "standard"})
    assert refusal(answer) == (409, "Conflict")


async def test_a_feature_in_use_is_not_deleted_and_its_sets_are_named(owner: Owner) -> None:
    product = await make_product(owner)
    one, two = await make_features(owner, product, "one", "two")
    made = await make_set(owner, product, "Standard", "one")
    answer = await owner.send("DELETE", f"/api/features/{one}")
    assert refusal(answer) == (409, "Conflict")
    assert "Standard" in answer.json()["detail"]
    assert (await owner.send("DELETE", f"/api/features/{two}")).status_code == 204
    await owner.ok("DELETE", f"/api/entitlement-sets/{made['id']}")
    assert (await owner.send("DELETE", f"/api/features/{one}")).status_code == 204


async def test_a_set_never_contains_a_concurrently_deleted_feature(owner: Owner) -> None:
    product = await make_product(owner)
    path = f"/api/products/{product['id']}/entitlement-sets"
    for number in range(8):
        [feature] = await make_features(owner, product, f"f{number}")
        body = {"name": f"s{number}", "featureNames": [f"f{number}"]}
        made, deleted = await asyncio.gather(
            owner.send("POST", path, body), owner.send("DELETE", f"/api/features/{feature}")
        )
        outcome = (made.status_code, deleted.status_code)
        assert outcome in {(201, 409), (400, 204)}, (made.text, deleted.text)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"name": ""}, ["name"]),
        ({"name": "x" * 129}, ["name"]),
        ({"name": "tab\there"}, ["name"]),
        ({"name": "line\n"}, ["name"]),
        ({"name": None}, ["name"]),
        ({"name": {}}, ["name"]),
        ({"displayName": "x" * 501}, ["displayName"]),
        ({"description": 7}, ["description"]),
        ({"tokenCost": 7}, ["tokenCost"]),
    ],
)
def test_invalid_feature_fields_are_rejected(fields: dict[str, Any], expected: list[str]) -> None:
    assert refused_fields(FeatureBody, {"name": "good", **fields}) == expected
    assert refused_fields(FeatureChange, fields) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"name": ""}, ["name"]),
        ({"name": "\x1b"}, ["name"]),
        ({"featureNames": None}, ["entries"]),
        ({"featureNames": "one"}, ["featureNames"]),
        ({"featureNames": [1]}, ["featureNames[0]"]),
        ({"featureNames": [""]}, ["featureNames[0]"]),
        ({"featureNames": ["one"] * 1_001}, ["featureNames"]),
    ],
)
def test_invalid_set_fields_are_rejected(fields: dict[str, Any], expected: list[str]) -> None:
    assert (
        refused_fields(EntitlementSetBody, {"name": "Set", "featureNames": [], **fields})
        == expected
    )


async def test_sets_are_found_by_product_and_tenant(
    owner: Owner, stranger: Owner, platform: Platform
) -> None:
    product, other = await make_product(owner), await make_product(owner, "Other")
    made = await make_set(owner, product, "Set")
    mine, theirs = uuid.UUID(owner.institution_id), uuid.UUID(stranger.institution_id)
    product_id, set_id = uuid.UUID(product["id"]), uuid.UUID(made["id"])
    async with platform.database.reading() as db:
        assert await find_entitlement_set(db, mine, product_id, set_id) is not None
        assert await find_entitlement_set(db, theirs, product_id, set_id) is None
        other_id = uuid.UUID(other["id"])
        assert await find_entitlement_set(db, mine, other_id, set_id) is None
        assert await entitled_features(db, [(theirs, set_id), (mine, set_id)]) == {}


async def test_changes_are_recorded(owner: Owner, platform: Platform, clock: FakeClock) -> None:
    product = await make_product(owner)
    [feature] = await make_features(owner, product, "one")
    made = await make_set(owner, product, "Set", "one")
    clock.advance(seconds=1)
    await owner.ok("PUT", f"/api/entitlement-sets/{made['id']}", {"featureNames": []})
    await owner.ok("PUT", f"/api/features/{feature}", {"name": "uno"})
    clock.advance(seconds=1)
    await owner.ok("DELETE", f"/api/entitlement-sets/{made['id']}")
    await owner.ok("DELETE", f"/api/features/{feature}")
    of_set, of_feature = await events_of(platform, made["id"]), await events_of(platform, feature)
    assert [event["kind"] for event in of_set] == [
        "entitlement_set.created",
        "entitlement_set.updated",
        "entitlement_set.deleted",
    ]
    assert of_set[1]["changes"] == {"entries": [[{"featureName": "one"}], []]}
    assert [event["kind"] for event in of_feature] == [
        "feature.created",
        "feature.updated",
        "feature.deleted",
    ]
    assert of_feature[1]["changes"] == {"name": ["one", "uno"]}
    assert str(of_feature[1]["product_id"]) == product["id"]
