"""Features with kinds, and the values that entitlement sets and licenses have of them."""

import asyncio
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from catalog.factories import bad_fields, events_of, make_keys, make_product, refusal
from locks import until_it_waits
from testkit import Owner

from licet_server.catalog.rules.model import FeatureKind
from licet_server.catalog.rules.values import stored_value, value_breach
from licet_server.catalog.service.features import share_features
from licet_server.kit.platform import Platform

KINDS = {"export": "Flag", "projects": "Number", "tier": "Text"}
VALUES = [{"featureName": "export"}, {"featureName": "PROJECTS", "value": 5}]


@pytest.fixture
async def product(owner: Owner) -> dict[str, Any]:
    """A product with signing keys and a feature of each kind."""
    product = await make_product(owner)
    await make_keys(owner, product)
    product["features"] = {
        name: (await owner.ok("POST", features(product), {"name": name, "kind": kind}))["id"]
        for name, kind in KINDS.items()
    }
    return product


def features(product: dict[str, Any]) -> str:
    return f"/api/products/{product['id']}/features"


def sets(product: dict[str, Any]) -> str:
    return f"/api/products/{product['id']}/entitlement-sets"


def license_body(product: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"productId": product["id"], "type": "Perpetual", "licenseName": "Any"}
    return {**body, **fields}


async def issue(owner: Owner, product: dict[str, Any], **fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = await owner.ok("POST", "/api/licenses", license_body(product, **fields))
    return made


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("Flag", None),
        ("Flag", True),
        ("Number", 0),
        ("Number", -17),
        ("Number", 999_999_999_999_999),
        ("Number", Decimal("999999999.999999")),
        ("Number", Decimal("0.000001")),
        ("Number", Decimal("1E+3")),
        ("Text", "gold"),
        ("Text", "x" * 200),
    ],
)
def test_valid_values_are_accepted(kind: str, value: Any) -> None:
    assert value_breach("value", FeatureKind(kind), value) is None


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("Flag", False),
        ("Flag", 1),
        ("Flag", "yes"),
        ("Number", None),
        ("Number", True),
        ("Number", "5"),
        ("Number", 10**15),
        ("Number", Decimal("0.0000001")),
        ("Number", Decimal("1000000000.000001")),
        ("Number", Decimal("NaN")),
        ("Number", Decimal("1E+400")),
        ("Text", None),
        ("Text", True),
        ("Text", 5),
        ("Text", ""),
        ("Text", " gold"),
        ("Text", "two\nlines"),
        ("Text", "x" * 201),
    ],
)
def test_invalid_values_are_rejected(kind: str, value: Any) -> None:
    assert value_breach("value", FeatureKind(kind), value) is not None


def test_numbers_are_stored_exactly() -> None:
    for text in ("999999999.999999", "0.1", "-0.000001", "123456789.5", "0.30"):
        stored = stored_value(FeatureKind.NUMBER, Decimal(text))
        assert Decimal(str(stored)) == Decimal(text)
    assert stored_value(FeatureKind.NUMBER, Decimal("5.0")) == 5
    assert isinstance(stored_value(FeatureKind.NUMBER, Decimal("5.0")), int)


async def test_a_set_has_values(owner: Owner, product: dict[str, Any], platform: Platform) -> None:
    made = await owner.ok("POST", sets(product), {"name": "Pro", "entries": VALUES})
    assert made["entries"] == [{"featureName": "export"}, {"featureName": "projects", "value": 5}]
    assert made["featureNames"] == ["export", "projects"]
    path = f"/api/entitlement-sets/{made['id']}"
    tiers = [{"featureName": "tier", "value": "gold"}, {"featureName": "projects", "value": 0.1}]
    changed = await owner.ok("PUT", path, {"entries": tiers})
    assert changed["entries"] == tiers
    [listed] = (await owner.ok("GET", sets(product)))["items"]
    assert listed["entries"] == tiers
    assert (await owner.ok("PUT", path, {"name": "Max"}))["entries"] == tiers
    assert (await owner.ok("PUT", path, {"entries": tiers, "featureNames": ["tier"]}))[
        "entries"
    ] == tiers
    same = await owner.ok("PUT", path, {"entries": tiers})
    assert same["updatedAt"] == changed["updatedAt"]
    recorded = (await events_of(platform, made["id"]))[1]
    assert recorded["changes"] == {"entries": [made["entries"], tiers]}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"entries": [{"featureName": "projects"}]}, ["entries[0].value"]),
        ({"featureNames": ["export", "projects"]}, ["featureNames[1]"]),
        (
            {"entries": [{"featureName": "tier", "value": 1}, {"featureName": "no", "value": 1}]},
            ["entries[0].value", "entries[1].featureName"],
        ),
        (
            {"entries": [{"featureName": ""}, {"featureName": 7}, {"value": {}}, 5]},
            [
                "entries[0].featureName",
                "entries[1].featureName",
                "entries[2].featureName",
                "entries[2].value",
                "entries[3]",
            ],
        ),
        ({"entries": [{"featureName": "export", "more": 1}]}, ["entries[0].more"]),
        ({}, ["entries"]),
        ({"entries": {}}, ["entries"]),
        ({"entries": [{"featureName": "export"}] * 1_001}, ["entries"]),
        ({"entries": [{"featureName": "projects", "value": 1e300}]}, ["entries[0].value"]),
        ({"entries": [{"featureName": "export"}] * 2}, ["entries[1].featureName"]),
    ],
)
async def test_invalid_entries_are_rejected_by_field(
    owner: Owner, product: dict[str, Any], body: dict[str, Any], expected: list[str]
) -> None:
    answer = await owner.send("POST", sets(product), {"name": "Set", **body})
    assert sorted(bad_fields(answer)) == sorted(expected)


async def test_numbers_beyond_double_precision_are_rejected(
    owner: Owner, product: dict[str, Any]
) -> None:
    for number in ("1.00000000000000000001", "9007199254740993", "1e400", "0.1234567"):
        content = (
            '{"name": "Set", "entries": [{"featureName": "projects", "value": ' + number + "}]}"
        )
        sent = {**owner.headers, "content-type": "application/json"}
        answer = await owner.client.post(sets(product), content=content, headers=sent)
        assert bad_fields(answer) == ["entries[0].value"], number


async def test_a_license_has_values_that_win_over_its_set(
    owner: Owner, product: dict[str, Any], platform: Platform
) -> None:
    the_set = await owner.ok("POST", sets(product), {"name": "Pro", "entries": VALUES})
    own = {"Projects": 50, "tier": "gold"}
    made = await issue(owner, product, entitlementSetId=the_set["id"], featureValues=own)
    assert made["featureValues"] == {"projects": 50, "tier": "gold"}
    assert made["entitlements"] == {"export": True, "projects": 50, "tier": "gold"}
    assert made["features"] == ["export", "projects", "tier"]
    path = f"/api/licenses/{made['id']}"
    assert await owner.ok("GET", path) == made
    changed = await owner.ok("PUT", path, {"featureValues": {"projects": 0.5}})
    assert changed["entitlements"] == {"export": True, "projects": 0.5}
    renamed = await owner.ok("PUT", path, {"licenseName": "Other"})
    assert renamed["featureValues"] == {"projects": 0.5}
    cleared = await owner.ok("PUT", path, {"featureValues": None})
    assert (cleared["featureValues"], cleared["entitlements"]["projects"]) == ({}, 5)
    recorded = await events_of(platform, made["id"])
    assert recorded[1]["changes"]["featureValues"] == [
        {"projects": 50, "tier": "gold"},
        {"projects": 0.5},
    ]
    explained = await owner.ok("POST", f"{path}/explain")
    assert explained["entitlements"] == {"export": True, "projects": 5}
    csv = await owner.send("GET", "/api/licenses", headers={"accept": "text/csv"})
    assert '""projects"":5' in csv.text


async def test_a_license_without_a_set_may_have_values(
    owner: Owner, product: dict[str, Any]
) -> None:
    made = await issue(owner, product, featureValues={"projects": 3})
    assert (made["features"], made["entitlements"]) == (None, {"projects": 3})
    free = await issue(owner, product)
    assert (free["features"], free["entitlements"], free["featureValues"]) == (None, None, {})


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"projects": "five"}, ["featureValues.projects"]),
        ({"export": False, "tier": 7}, ["featureValues.export", "featureValues.tier"]),
        ({"none": 1}, ["featureValues.none"]),
        ({"projects": 1, "PROJECTS": 2}, ["featureValues.PROJECTS"]),
        ({"projects": None}, ["featureValues.projects"]),
        ({"projects": [1]}, ["featureValues.projects"]),
        ([], ["featureValues"]),
        ({f"f{number}": 1 for number in range(101)}, ["featureValues"]),
    ],
)
async def test_invalid_values_of_a_license_are_rejected_by_field(
    owner: Owner, product: dict[str, Any], values: Any, expected: list[str]
) -> None:
    body = license_body(product, featureValues=values)
    assert bad_fields(await owner.send("POST", "/api/licenses", body)) == expected
    made = await issue(owner, product)
    answer = await owner.send("PUT", f"/api/licenses/{made['id']}", {"featureValues": values})
    assert bad_fields(answer) == expected


async def test_a_feature_in_use_keeps_its_kind(owner: Owner, product: dict[str, Any]) -> None:
    made = await owner.ok("POST", sets(product), {"name": "Pro", "entries": VALUES})
    license_ = await issue(owner, product, featureValues={"projects": 5})
    projects = f"/api/features/{product['features']['projects']}"
    answer = await owner.send("PUT", projects, {"kind": "Text"})
    assert refusal(answer) == (409, "Conflict")
    told = answer.json()
    assert (told["entitlementSetCount"], told["licenseCount"]) == (1, 1)
    assert "1 entitlement set and 1 license" in told["detail"]
    assert refusal(await owner.send("PUT", projects, {"name": "p"})) == (409, "Conflict")
    assert (await owner.ok("PUT", projects, {"displayName": "Projects"}))["kind"] == "Number"
    await owner.ok("DELETE", f"/api/entitlement-sets/{made['id']}")
    deleted = await owner.send("DELETE", projects)
    assert (refusal(deleted), deleted.json()["licenseCount"]) == ((409, "Conflict"), 1)
    await owner.ok("DELETE", f"/api/licenses/{license_['id']}")
    assert (await owner.ok("PUT", projects, {"kind": "Text"}))["kind"] == "Text"
    await owner.ok("DELETE", projects)


async def test_value_never_belongs_to_a_feature_of_another_kind(
    owner: Owner, product: dict[str, Any]
) -> None:
    """Whoever comes first decides: the value is a bad field, or the new kind a conflict."""
    for number in range(8):
        body = {"name": f"n{number}", "kind": "Number"}
        made = await owner.ok("POST", features(product), body)
        entries = [{"featureName": f"n{number}", "value": 1}]
        use = (
            owner.send("POST", sets(product), {"name": f"s{number}", "entries": entries})
            if number % 2
            else owner.send(
                "POST", "/api/licenses", license_body(product, featureValues={f"n{number}": 1})
            )
        )
        used, changed = await asyncio.gather(
            use, owner.send("PUT", f"/api/features/{made['id']}", {"kind": "Text"})
        )
        outcome = (used.status_code, changed.status_code)
        assert outcome in {(201, 409), (400, 200)}, (used.text, changed.text)


async def test_feature_cannot_change_while_a_license_gets_a_value(
    owner: Owner, product: dict[str, Any], platform: Platform
) -> None:
    """The change waits for the transaction that has read the kind, and then sees its license."""
    institution, product_id = UUID(owner.institution_id), UUID(product["id"])
    path = f"/api/features/{product['features']['tier']}"
    async with platform.database.transaction() as db:
        await share_features(db, institution, product_id, ["TIER"])
        change = asyncio.create_task(owner.send("PUT", path, {"kind": "Number"}))
        await until_it_waits(platform, change)
    assert (await change).status_code == 200
