"""Who has what: the active licenses that have each feature, and its values."""

from typing import Any

import pytest
from testkit import Owner
from world import Vendor, open_vendor


@pytest.fixture
async def vendor(owner: Owner) -> Vendor:
    vendor = await open_vendor(owner)
    path = f"/api/products/{vendor.product['id']}/features"
    for name, kind in {"export": "Flag", "projects": "Number", "unused": "Text"}.items():
        await owner.ok("POST", path, {"name": name, "kind": kind})
    return vendor


async def make_set(vendor: Vendor, name: str, projects: int) -> str:
    entries = [{"featureName": "export"}, {"featureName": "projects", "value": projects}]
    path = f"/api/products/{vendor.product['id']}/entitlement-sets"
    made = await vendor.owner.ok("POST", path, {"name": name, "entries": entries})
    return str(made["id"])


async def read(vendor: Vendor, **query: Any) -> Any:
    return await vendor.owner.ok("GET", "/api/statistics/features", params=query)


async def test_licenses_are_counted_by_feature_and_value(vendor: Vendor) -> None:
    small, large = await make_set(vendor, "Small", 5), await make_set(vendor, "Large", 50)
    for _ in range(3):
        await vendor.issue("Perpetual", entitlementSetId=small)
    await vendor.issue("Perpetual", entitlementSetId=large)
    own = {"projects": 50}
    await vendor.issue("Perpetual", entitlementSetId=small, featureValues=own)
    await vendor.issue("Perpetual", featureValues={"projects": 7})
    await vendor.issue("Perpetual")
    revoked = await vendor.issue("Perpetual", entitlementSetId=large)
    await vendor.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    told = await read(vendor)
    about = {"productId": vendor.product["id"], "productName": vendor.product["name"]}
    assert told["byFeature"] == [
        {
            **about,
            "featureName": "projects",
            "kind": "Number",
            "licenses": 6,
            "values": [
                {"value": 5, "licenses": 3},
                {"value": 50, "licenses": 2},
                {"value": 7, "licenses": 1},
            ],
            "otherValues": 0,
        },
        {
            **about,
            "featureName": "export",
            "kind": "Flag",
            "licenses": 5,
            "values": [],
            "otherValues": 0,
        },
    ]
    assert told["unrestricted"] == [{**about, "licenses": 2}]
    assert await read(vendor, productId=vendor.product["id"]) == told


async def test_rare_values_are_counted_together(vendor: Vendor) -> None:
    for number in range(22):
        await vendor.issue("Perpetual", featureValues={"projects": number})
    [told] = (await read(vendor))["byFeature"]
    assert (told["licenses"], len(told["values"]), told["otherValues"]) == (22, 20, 2)


async def test_strangers_see_nothing(vendor: Vendor, stranger: Owner) -> None:
    await vendor.issue("Perpetual", featureValues={"projects": 1})
    told = await stranger.ok("GET", "/api/statistics/features")
    assert told == {"byFeature": [], "unrestricted": []}
