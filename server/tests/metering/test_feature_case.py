"""`scan` and `SCAN` are one feature: charged, priced, entitled, listed and counted as one."""

import asyncio
import unicodedata
from typing import Any

import pytest
from metering.factories import refused
from sqlalchemy import Engine, event
from testkit import Owner
from world import Vendor, World, open_vendor

from licet_server.metering.service.usage import roll_up


async def names(vendor: Vendor, made: dict[str, Any]) -> list[str]:
    return [item["featureName"] for item in await vendor.ledger(made) if item["featureName"]]


async def top(vendor: Vendor, **query: Any) -> list[tuple[str, float]]:
    found = await vendor.owner.ok("GET", "/api/statistics/meter-usage", params=query)
    return [(item["featureName"], item["consumed"]) for item in found["topFeatures"]]


@pytest.mark.specification("mission-bug-feature-case")
@pytest.mark.parametrize("counted", [False, True])
async def test_an_unknown_feature_is_spelled_as_it_was_first_used(
    world: World, counted: bool
) -> None:
    first, second = [await world.issue("MeteredCount") for _ in range(2)]
    told = [(await world.consumed(first, name))["featureName"] for name in ("Scan", "scan", "SCAN")]
    if counted:
        await roll_up(world.platform)
    told.append((await world.consumed(second, "sCAN", quantity=4))["featureName"])
    assert told == ["Scan"] * 4
    assert await names(world, first) == ["Scan"] * 3
    assert await top(world) == [("Scan", 7)]
    assert await top(world, licenseId=first["id"]) == [("Scan", 3)]


@pytest.mark.parametrize("model", ["MeteredCount", "MeteredToken"])
async def test_a_known_feature_is_spelled_as_its_vendor_spells_it(world: World, model: str) -> None:
    feature = await world.priced("Scan", cost=1)
    made = await world.issue(model)
    for name in ("scan", "SCAN", "Scan"):
        assert (await world.consumed(made, name))["featureName"] == "Scan"
    assert await names(world, made) == ["Scan"] * 3
    assert await top(world) == [("Scan", 3)]
    await roll_up(world.platform)
    path = f"/api/features/{feature['id']}"
    await world.owner.ok("PUT", path, {"name": "SCAN"})
    await world.consumed(made, "scan")
    assert await names(world, made) == ["SCAN"] * 4
    assert await top(world) == [("SCAN", 4)]
    assert await top(world, licenseId=made["id"]) == [("SCAN", 4)]


@pytest.mark.parametrize("model", ["MeteredCount", "MeteredToken"])
async def test_a_feature_is_the_same_in_each_form_of_unicode(world: World, model: str) -> None:
    await world.priced("Übersicht", cost=1)
    made = await world.issue(model)
    decomposed = unicodedata.normalize("NFD", "übersicht")
    assert (await world.consumed(made, decomposed))["featureName"] == "Übersicht"
    assert await top(world) == [("Übersicht", 1)]


async def test_a_feature_that_becomes_known_later_is_spelled_as_such(world: World) -> None:
    made = await world.issue("MeteredCount")
    await world.consumed(made, "sCaN")
    await world.feature("scan")
    assert (await world.consumed(made, "SCAN"))["featureName"] == "scan"
    assert await names(world, made) == ["scan"] * 2
    assert await top(world) == [("scan", 2)]


async def test_products_and_modes_share_one_line(world: World) -> None:
    other = await open_vendor(world.owner, name="Other")
    await world.consumed(await world.issue("MeteredCount"), "Scan")
    await other.priced("SCAN", cost=2)
    await other.consumed(await other.issue("MeteredToken"), "scan")
    assert await top(world) == [("SCAN", 3)]


async def test_a_retry_in_another_case_is_the_same_request(world: World) -> None:
    made = await world.issue("MeteredCount")
    answer = await world.consumed(made, "scan", idempotencyKey="k")
    again = await world.consumed(made, "SCAN", idempotencyKey="k")
    assert again == {**answer, "replayed": True}
    assert refused(await world.consume(made, "print", idempotencyKey="k")) == (
        422,
        "IdempotencyKeyReused",
    )
    assert await world.balance(made) == 99


async def test_entitlements_compare_without_case(world: World) -> None:
    await world.feature("Scan")
    path = f"/api/products/{world.product['id']}/entitlement-sets"
    made_set = await world.owner.ok("POST", path, {"name": "Basic", "featureNames": ["SCAN"]})
    made = await world.issue("MeteredCount", entitlementSetId=made_set["id"])
    assert made["features"] == ["Scan"]
    assert (await world.consumed(made, "scan"))["featureName"] == "Scan"
    assert refused(await world.consume(made, "print")) == (403, "FeatureNotEntitled")


async def test_first_uses_at_the_same_time_agree_on_one_spelling(world: World) -> None:
    for number in range(3):
        licenses = [await world.issue("MeteredCount") for _ in range(6)]
        words = [f"scan{number}", f"SCAN{number}", f"Scan{number}"]
        charged = await asyncio.gather(
            *(world.consumed(made, words[n % 3]) for n, made in enumerate(licenses))
        )
        assert len({item["featureName"] for item in charged}) == 1
        for made in licenses:
            assert await names(world, made) == [charged[0]["featureName"]]


async def test_other_institutions_spell_as_they_like(world: World, stranger: Owner) -> None:
    theirs = await open_vendor(stranger)
    await world.consumed(await world.issue("MeteredCount"), "Scan")
    answer = await theirs.consumed(await theirs.issue("MeteredCount"), "SCAN")
    assert answer["featureName"] == "SCAN"


async def test_the_spelling_costs_no_statement(world: World) -> None:
    made = await world.issue("MeteredCount")
    await world.consumed(made, "scan")
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        await world.consumed(made, "SCAN")
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    spelling = [item for item in sent if "meter_feature_names" in item or "features" in item]
    assert len(spelling) == 1
    assert "INSERT INTO meter_entries" in spelling[0]
