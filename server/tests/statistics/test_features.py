"""Who has what: the active licenses that have each feature, and its values."""

from typing import Any

import pytest
from devices.factories import Shop, open_shop
from testkit import Owner


@pytest.fixture
async def shop(owner: Owner) -> Shop:
    shop = await open_shop(owner)
    path = f"/api/products/{shop.product['id']}/features"
    for name, kind in {"export": "Flag", "projects": "Number", "unused": "Text"}.items():
        await owner.ok("POST", path, {"name": name, "kind": kind})
    return shop


async def make_set(shop: Shop, name: str, projects: int) -> str:
    entries = [{"featureName": "export"}, {"featureName": "projects", "value": projects}]
    path = f"/api/products/{shop.product['id']}/entitlement-sets"
    made = await shop.owner.ok("POST", path, {"name": name, "entries": entries})
    return str(made["id"])


async def read(shop: Shop, **query: Any) -> Any:
    return await shop.owner.ok("GET", "/api/statistics/features", params=query)


async def test_who_has_what(shop: Shop) -> None:
    small, large = await make_set(shop, "Small", 5), await make_set(shop, "Large", 50)
    for _ in range(3):
        await shop.issue("Perpetual", entitlementSetId=small)
    await shop.issue("Perpetual", entitlementSetId=large)
    own = {"projects": 50}
    await shop.issue("Perpetual", entitlementSetId=small, featureValues=own)
    await shop.issue("Perpetual", featureValues={"projects": 7})
    await shop.issue("Perpetual")
    revoked = await shop.issue("Perpetual", entitlementSetId=large)
    await shop.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    told = await read(shop)
    about = {"productId": shop.product["id"], "productName": shop.product["name"]}
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
    assert await read(shop, productId=shop.product["id"]) == told


async def test_rare_values_are_counted_together(shop: Shop) -> None:
    for number in range(22):
        await shop.issue("Perpetual", featureValues={"projects": number})
    [told] = (await read(shop))["byFeature"]
    assert (told["licenses"], len(told["values"]), told["otherValues"]) == (22, 20, 2)


async def test_strangers_see_nothing(shop: Shop, stranger: Owner) -> None:
    await shop.issue("Perpetual", featureValues={"projects": 1})
    told = await stranger.ok("GET", "/api/statistics/features")
    assert told == {"byFeature": [], "unrestricted": []}
