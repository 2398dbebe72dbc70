"""Tags of licenses: kept as written, compared without case, filtered, searched, set in bulk."""

import csv
import io
from collections.abc import AsyncIterator
from typing import Any

import pytest
from plans import explain, taken_down
from sqlalchemy import text
from testkit import Owner
from unhurried import unhurried, vacuum
from volumes import is_long
from world import Vendor, World, open_vendor

from licet_server.kit.platform import Platform
from licet_server.kit.tags import MAX_TAGS

BULK = "/api/licenses/bulk"


async def names(owner: Owner, query: str) -> list[str]:
    listing = await owner.ok("GET", f"/api/licenses?{query}&sort=licenseName")
    return [item["licenseName"] for item in listing["items"]]


async def changes(platform: Platform, made: dict[str, Any]) -> list[Any]:
    statement = text("SELECT kind, changes FROM events WHERE subject_id = :id ORDER BY id")
    async with platform.database.reading() as db:
        rows = (await db.execute(statement, {"id": made["id"]})).all()
    return [(row.kind, row.changes.get("tags")) for row in rows[1:]]


async def test_tags_are_given_changed_and_cleared(world: World) -> None:
    made = await world.issue(tags=[" VIP ", "beta", "vip"])
    path = f"/api/licenses/{made['id']}"
    assert made["tags"] == ["VIP", "beta"]
    assert (await world.owner.ok("PUT", path, {"notes": "x"}))["tags"] == ["VIP", "beta"]
    assert (await world.owner.ok("PUT", path, {"tags": ["Churned"]}))["tags"] == ["Churned"]
    assert (await world.owner.ok("PUT", path, {"tags": None}))["tags"] == []
    assert await changes(world.platform, made) == [
        ("license.updated", None),
        ("license.updated", [["VIP", "beta"], ["Churned"]]),
        ("license.updated", [["Churned"], []]),
    ]
    await world.owner.ok("POST", f"{path}/revoke")
    assert (await world.owner.ok("PUT", path, {"tags": ["late"]}))["tags"] == ["late"]


@pytest.mark.parametrize(
    "tags", [[""], ["x" * 41], ["a\nb"], ["\u0000"], [f"tag {n}" for n in range(21)], "vip", [1]]
)
async def test_bad_tags_are_refused_by_name(world: World, tags: Any) -> None:
    made = await world.issue()
    answer = await world.owner.send("PUT", f"/api/licenses/{made['id']}", {"tags": tags})
    assert answer.status_code == 400
    assert {item["field"].split("[")[0] for item in answer.json()["errors"]} == {"tags"}


async def test_a_list_is_filtered_and_searched_by_tag(world: World) -> None:
    await world.issue(licenseName="A", tags=["VIP", '50% "off", \\ \''])
    await world.issue(licenseName="B", tags=["vip", "Beta"])
    await world.issue(licenseName="C", tags=["vip2"])
    await world.issue(licenseName="D")
    owner = world.owner
    assert await names(owner, "tag=VIP") == ["A", "B"]
    assert await names(owner, "tag=vip&tag=%20BETA%20") == ["B"]
    assert await names(owner, "tag=50%25%20%22OFF%22,%20%5C%20'") == ["A"]
    assert await names(owner, "tag=vi") == []
    assert await names(owner, "tag=a%0Ab") == await names(owner, f"tag={'x' * 41}") == []
    assert await names(owner, "tag=") == ["A", "B", "C", "D"]
    assert await names(owner, "search=Vip") == ["A", "B"]
    found = await owner.ok("GET", "/api/search?q=beta")
    assert [item["title"] for group in found["groups"] for item in group["items"]] == ["B"]
    known = await owner.ok("GET", "/api/licenses/tags")
    assert known == {"tags": ['50% "off", \\ \'', "Beta", "VIP", "vip2"]}


async def test_an_export_has_the_tags(world: World) -> None:
    await world.issue(licenseName="A", tags=["VIP", "a, b"])
    answer = await world.owner.send("GET", "/api/licenses", headers={"accept": "text/csv"})
    [row] = csv.DictReader(io.StringIO(answer.text))
    assert row["tags"] == '["VIP","a, b"]'


async def test_many_licenses_get_and_lose_a_tag(world: World) -> None:
    tagged, bare = await world.issue(tags=["VIP"]), await world.issue()
    full = await world.issue(tags=[f"tag {n}" for n in range(MAX_TAGS)])
    gone = await world.issue()
    await world.owner.ok("POST", f"/api/licenses/{gone['id']}/revoke")
    ids = [item["id"] for item in (tagged, bare, full, gone)]
    body = {"action": "addTag", "ids": ids, "tag": " vip "}
    assert (await world.owner.ok("POST", BULK, body, params={"dryRun": True}))["done"] == 3
    answer = await world.owner.ok("POST", BULK, body)
    refused = [(item["id"], item["errorCode"]) for item in answer["refused"]]
    assert (answer["done"], refused) == (3, [(full["id"], "Conflict")])
    assert await changes(world.platform, tagged) == []
    assert await changes(world.platform, bare) == [("license.updated", [[], ["vip"]])]
    removal = {"action": "removeTag", "filter": {"tag": ["VIP"]}, "tag": "Vip"}
    assert (await world.owner.ok("POST", BULK, removal))["done"] == 3
    assert await names(world.owner, "tag=vip") == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"action": "addTag"}, "tag"),
        ({"action": "removeTag", "tag": " "}, "tag"),
        ({"action": "addTag", "tag": "x" * 41}, "tag"),
        ({"action": "suspend", "tag": "vip"}, "tag"),
        ({"action": "addTag", "tag": "vip", "days": 3}, "days"),
        ({"action": "addTag", "tag": "vip", "ids": None, "filter": {"tag": [" "]}}, "filter"),
    ],
)
async def test_a_bulk_action_takes_its_own_fields(
    world: World, body: dict[str, Any], field: str
) -> None:
    made = await world.issue()
    answer = await world.owner.send("POST", BULK, {"ids": [made["id"]], **body})
    assert answer.status_code == 400
    assert [item["field"] for item in answer.json()["errors"]] == [field]


MANY = 200_000 if is_long() else 20_000
_FILL = f"""
INSERT INTO licenses (institution_id, id, product_id, software_release_id, type, license_key,
    normal_key, license_name, activation_mode, tags, created_at, updated_at)
SELECT institution_id, uuidv7(), product_id, software_release_id, type, 'TAGGED-' || n,
    'TAGGED' || lpad(n::text, 20, '0'), 'Many', activation_mode,
    CASE WHEN n % 2000 = 0 THEN '["Rare", "Common"]'::jsonb WHEN n % 3 = 0
    THEN '["Common"]'::jsonb END, now(), now()
FROM licenses, generate_series(1, {MANY}) n WHERE id = :license
"""


@pytest.fixture
async def vendor(owner: Owner, platform: Platform) -> AsyncIterator[Vendor]:
    """A vendor with many licenses, of which few have one tag, and many another."""
    vendor = await open_vendor(owner)
    made = await vendor.issue()
    async with unhurried(platform) as db:
        await db.execute(text(_FILL), {"license": made["id"]})
    await vacuum(platform, "licenses")
    yield vendor
    async with unhurried(platform) as db:
        await db.execute(text("DELETE FROM licenses WHERE license_key LIKE 'TAGGED-%'"))


@pytest.mark.undivided  # the index is that of the whole table
async def test_a_rare_tag_is_found_by_an_index(vendor: Vendor, platform: Platform) -> None:
    with taken_down("FROM licenses", "WITH") as taken:
        found = await vendor.owner.ok("GET", "/api/licenses?tag=rare&tag=common")
    assert found["totalCount"] == MANY // 2000
    for question in taken:
        explained = await explain(platform, question)
        assert "licenses_tags_idx" in explained.scanned
