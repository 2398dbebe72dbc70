"""`scan` and `SCAN` are one feature: charged, priced, entitled, listed and counted as one."""

import asyncio
from typing import Any

import pytest
from metering.factories import MeterShop, open_meter_shop, refused
from sqlalchemy import Engine, event
from testkit import Owner

from licet_server.kit.platform import Platform
from licet_server.metering.jobs import roll_up


@pytest.fixture
async def shop(owner: Owner) -> MeterShop:
    return await open_meter_shop(owner)


async def names(shop: MeterShop, made: dict[str, Any]) -> list[str]:
    return [item["featureName"] for item in await shop.ledger(made) if item["featureName"]]


async def top(shop: MeterShop, **query: Any) -> list[tuple[str, float]]:
    found = await shop.owner.ok("GET", "/api/statistics/meter-usage", params=query)
    return [(item["featureName"], item["consumed"]) for item in found["topFeatures"]]


@pytest.mark.specification("mission-bug-feature-case")
@pytest.mark.parametrize("counted", [False, True])
async def test_an_unknown_feature_is_spelled_as_it_was_first_used(
    shop: MeterShop, platform: Platform, counted: bool
) -> None:
    first, second = [await shop.issue("MeteredCount") for _ in range(2)]
    told = [(await shop.consumed(first, name))["featureName"] for name in ("Scan", "scan", "SCAN")]
    if counted:
        await roll_up(platform)
    told.append((await shop.consumed(second, "sCAN", quantity=4))["featureName"])
    assert told == ["Scan"] * 4
    assert await names(shop, first) == ["Scan"] * 3
    assert await top(shop) == [("Scan", 7)]
    assert await top(shop, licenseId=first["id"]) == [("Scan", 3)]


@pytest.mark.parametrize("model", ["MeteredCount", "MeteredToken"])
async def test_a_known_feature_is_spelled_as_its_vendor_spells_it(
    shop: MeterShop, platform: Platform, model: str
) -> None:
    feature = await shop.priced("Scan", cost=1)
    made = await shop.issue(model)
    for name in ("scan", "SCAN", "Scan"):
        assert (await shop.consumed(made, name))["featureName"] == "Scan"
    assert await names(shop, made) == ["Scan"] * 3
    assert await top(shop) == [("Scan", 3)]
    await roll_up(platform)
    path = f"/api/features/{feature['id']}"
    await shop.owner.ok("PUT", path, {"name": "SCAN"})
    await shop.consumed(made, "scan")
    assert await names(shop, made) == ["SCAN"] * 4
    assert await top(shop) == [("SCAN", 4)]
    assert await top(shop, licenseId=made["id"]) == [("SCAN", 4)]


async def test_a_feature_that_becomes_known_later_is_spelled_as_such(shop: MeterShop) -> None:
    made = await shop.issue("MeteredCount")
    await shop.consumed(made, "sCaN")
    await shop.feature("scan")
    assert (await shop.consumed(made, "SCAN"))["featureName"] == "scan"
    assert await names(shop, made) == ["scan"] * 2
    assert await top(shop) == [("scan", 2)]


async def test_products_and_modes_share_one_line(shop: MeterShop, owner: Owner) -> None:
    other = await open_meter_shop(owner, name="Other")
    await shop.consumed(await shop.issue("MeteredCount"), "Scan")
    await other.priced("SCAN", cost=2)
    await other.consumed(await other.issue("MeteredToken"), "scan")
    assert await top(shop) == [("SCAN", 3)]


async def test_a_retry_in_another_case_is_the_same_request(shop: MeterShop) -> None:
    made = await shop.issue("MeteredCount")
    answer = await shop.consumed(made, "scan", idempotencyKey="k")
    again = await shop.consumed(made, "SCAN", idempotencyKey="k")
    assert again == {**answer, "replayed": True}
    assert refused(await shop.consume(made, "print", idempotencyKey="k")) == (
        422,
        "IdempotencyKeyReused",
    )
    assert await shop.balance(made) == 99


async def test_entitlements_compare_without_case(shop: MeterShop) -> None:
    await shop.feature("Scan")
    path = f"/api/products/{shop.product['id']}/entitlement-sets"
    made_set = await shop.owner.ok("POST", path, {"name": "Basic", "featureNames": ["SCAN"]})
    made = await shop.issue("MeteredCount", entitlementSetId=made_set["id"])
    assert made["features"] == ["Scan"]
    assert (await shop.consumed(made, "scan"))["featureName"] == "Scan"
    assert refused(await shop.consume(made, "print")) == (403, "FeatureNotEntitled")


async def test_first_uses_at_the_same_time_agree_on_one_spelling(
    shop: MeterShop, owner: Owner
) -> None:
    for number in range(3):
        licenses = [await shop.issue("MeteredCount") for _ in range(6)]
        words = [f"scan{number}", f"SCAN{number}", f"Scan{number}"]
        charged = await asyncio.gather(
            *(shop.consumed(made, words[n % 3]) for n, made in enumerate(licenses))
        )
        assert len({item["featureName"] for item in charged}) == 1
        for made in licenses:
            assert await names(shop, made) == [charged[0]["featureName"]]


async def test_other_institutions_spell_as_they_like(shop: MeterShop, stranger: Owner) -> None:
    theirs = await open_meter_shop(stranger)
    await shop.consumed(await shop.issue("MeteredCount"), "Scan")
    answer = await theirs.consumed(await theirs.issue("MeteredCount"), "SCAN")
    assert answer["featureName"] == "SCAN"


async def test_the_spelling_costs_no_statement(shop: MeterShop) -> None:
    made = await shop.issue("MeteredCount")
    await shop.consumed(made, "scan")
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        await shop.consumed(made, "SCAN")
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    spelling = [item for item in sent if "meter_feature_names" in item or "features" in item]
    assert len(spelling) == 1
    assert "INSERT INTO meter_entries" in spelling[0]
