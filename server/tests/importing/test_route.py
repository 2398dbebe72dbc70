"""Licenses that are imported through the API."""

from collections.abc import Callable
from typing import Any

from importing.test_importing import all_licenses
from world import World

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
            {"line": 4, "detail": "its e-mail address is none that mail can be sent to"},
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
