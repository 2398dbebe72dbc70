"""Licenses that are imported through the API."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from importing.test_importing import all_licenses
from institutions.members import wait_for_lock
from interleaving import pause_after
from licenses.factories import license_body
from world import World

from licet_server.catalog.service.lookup import fetch_product, lock_product
from licet_server.importing.service import importing
from licet_server.licenses.service import issuing

COLUMNS = ["Key", "licenseKey", "issuedTo", "devices", "maxActiveUsersCount"]


def rows(*more: list[str]) -> dict[str, Any]:
    return {
        "columns": COLUMNS,
        "rows": [["1", "OLD-KEY-0001", "a@example.com", "pc-1 pc-2", "3"], *more],
    }


async def carry(world: World, body: dict[str, Any], query: str = "") -> Any:
    return await world.owner.ok("POST", f"/api/products/{world.product['id']}/import{query}", body)


async def test_dry_run_says_what_an_import_does_and_a_second_one_changes_nothing(
    world: World,
) -> None:
    body = rows(["2", "", "b@example.com", "", ""], ["3", "OLD-KEY-0003", "nobody", "", ""])
    expected = {
        "dryRun": False,
        "licenses": 1,
        "devices": 2,
        "alreadyThere": 0,
        "refused": [
            {"line": 3, "detail": "licenseKey is missing"},
            {"line": 4, "detail": "its email address is not valid"},
        ],
        "lost": [{"what": "the column Key", "licenses": 1}],
    }
    assert await carry(world, body, "?dryRun=true") == {**expected, "dryRun": True}
    assert await all_licenses(world) == {}
    assert await carry(world, body) == expected
    assert (await carry(world, body))["alreadyThere"] == 1
    [found] = (await all_licenses(world)).values()
    assert (found["type"], found["seatsUsed"]) == ("Concurrent", 2)
    log = await world.owner.ok("GET", f"/api/institutions/{world.owner.institution_id}/audit")
    [event] = [e for e in log["items"] if e["kind"] == "product.licenses_imported"]
    assert event["actorName"] == world.owner.email


async def test_columns_without_keys_are_refused(world: World) -> None:
    path = f"/api/products/{world.product['id']}/import"
    answer = await world.owner.send("POST", path, {"columns": ["name"], "rows": [["A"]]})
    assert [item["field"] for item in answer.json()["errors"]] == ["columns"]


async def test_other_institutions_import_nothing(
    world: World, new_owner: Callable[..., Any]
) -> None:
    path, other = f"/api/products/{world.product['id']}/import", await new_owner()
    assert (await other.send("POST", path, rows())).status_code == 404


@pytest.mark.parametrize("first", [fetch_product, lock_product])
async def test_import_and_issue_of_one_customer_wait_for_each_other_in_one_order(
    world: World, monkeypatch: pytest.MonkeyPatch, first: Callable[..., Any]
) -> None:
    """In the control, the import locks its product first, which an issue does last."""
    monkeypatch.setattr(importing, "fetch_product", first)
    pause = pause_after(monkeypatch, issuing, "customer_of")
    body = license_body(world.product, "Perpetual", issuedTo="a@example.com")
    issued = await pause.reached_by(world.owner.send("POST", "/api/licenses", body))
    path = f"/api/products/{world.product['id']}/import"
    imported = asyncio.create_task(world.owner.send("POST", path, rows()))
    await wait_for_lock(world.platform)
    pause.end()
    codes = [answer.status_code for answer in await asyncio.gather(issued, imported)]
    assert (503 in codes) == (first is lock_product)
    assert len(await all_licenses(world)) == 2 - codes.count(503)
