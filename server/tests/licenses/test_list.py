"""Lists: filters, search, sorting, pages, keyset pagination, CSV."""

import csv
import io
import uuid
from typing import Any

import pytest
from licenses.factories import issue, make_product
from testkit import Owner
from world import World

from licet_server.licenses.rules.model import LicenseStatus


@pytest.fixture
async def shelf(world: World) -> dict[str, Any]:
    """Licenses of several models and of every status, by name."""
    made = {
        "plain": await world.issue(licenseName="Jo Miller", issuer="Acme GmbH"),
        "short": await world.issue(
            "Trial",
            licenseName="Kim Sato",
            issuedTo="Kim@Studio-Nord.example",
            expirationDate="2030-01-15T12:05:00Z",
        ),
        "year": await world.issue("Subscription", licenseName="Åsa Öberg, yearly"),
        "gone": await world.issue(licenseName="Gone", expirationDate="2031-02-01T00:00:00Z"),
        "held": await world.issue("Concurrent", licenseName="Held 50% off_"),
    }
    await world.owner.ok("POST", f"/api/licenses/{made['gone']['id']}/revoke")
    await world.owner.ok("POST", f"/api/licenses/{made['held']['id']}/suspend")
    world.clock.advance(minutes=6)
    return made


async def names(owner: Owner, query: str) -> list[str]:
    listing = await owner.ok("GET", f"/api/licenses?{query}")
    return [item["licenseName"] for item in listing["items"]]


async def test_each_status_filter_agrees_with_the_status_shown(
    owner: Owner, shelf: dict[str, Any]
) -> None:
    everything = (await owner.ok("GET", "/api/licenses"))["items"]
    assert len(everything) == len(shelf)
    for status in LicenseStatus:
        expected = [item["id"] for item in everything if item["status"] == status]
        listing = await owner.ok("GET", f"/api/licenses?status={status}")
        assert [item["id"] for item in listing["items"]] == expected
        assert expected


@pytest.mark.specification("licenses.list")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("search=mill", ["Jo Miller"]),
        ("search=MILLER%20jo", ["Jo Miller"]),
        ("search=acme", ["Jo Miller"]),
        ("search=studio", ["Kim Sato"]),
        ("search=kim@studio-nord.example", ["Kim Sato"]),
        ("search=öberg", ["Åsa Öberg, yearly"]),
        ("search=50%25", ["Held 50% off_"]),
        ("search=%25", []),
        ("search='%20OR%201=1", []),
        ("search=iller", []),
        ("type=Trial", ["Kim Sato"]),
        ("issuedTo=kim@studio-nord.example", ["Kim Sato"]),
        ("expiringBefore=2030-06-01T00:00:00Z", ["Kim Sato"]),
        ("type=Concurrent&status=Active", []),
    ],
)
async def test_filters(
    owner: Owner, shelf: dict[str, Any], query: str, expected: list[str]
) -> None:
    assert await names(owner, query) == expected


async def test_search_finds_a_key_as_a_customer_types_it(
    owner: Owner, shelf: dict[str, Any]
) -> None:
    key = shelf["plain"]["licenseKey"].lower()
    assert await names(owner, f"search={key}") == ["Jo Miller"]
    assert "Jo Miller" in await names(owner, f"search={key[:8]}")


async def test_search_finds_an_imported_key_that_could_be_the_start_of_another(
    world: World,
) -> None:
    key = "ACME-2024-0001"
    await world.issue(licenseName="Imported", licenseKey=key)
    for search in (key, key[:9]):
        assert await names(world.owner, f"search={search}") == ["Imported"]


@pytest.mark.specification("licenses.list")
async def test_sorting_and_pages_cover_everything_once(owner: Owner, shelf: dict[str, Any]) -> None:
    for sort in ("licenseName", "-licenseName", "createdAt", "-expirationDate", "type", "issuedTo"):
        seen: list[str] = []
        for page in (1, 2, 3):
            listing = await owner.ok("GET", f"/api/licenses?sort={sort}&page={page}&pageSize=2")
            assert (listing["page"], listing["pageSize"], listing["totalCount"]) == (page, 2, 5)
            seen += [item["id"] for item in listing["items"]]
        assert sorted(seen) == sorted(item["id"] for item in shelf.values())
    assert (await names(owner, "sort=licenseName"))[0] == "Gone"


async def test_keyset_pagination_covers_everything_in_creation_order(
    owner: Owner, shelf: dict[str, Any]
) -> None:
    seen: list[str] = []
    after: str | None = ""
    while after is not None:
        step = await owner.ok("GET", f"/api/licenses?after={after}&pageSize=2")
        assert set(step) == {"items", "nextAfter"}
        seen += [item["id"] for item in step["items"]]
        after = step["nextAfter"]
    assert seen == [item["id"] for item in shelf.values()]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("page=0", "page"),
        ("page=x", "page"),
        ("page=99999999999999999999", "page"),
        ("pageSize=101", "pageSize"),
        ("pageSize=0", "pageSize"),
        ("page=401&pageSize=25", "page"),
        ("sort=color", "sort"),
        ("sort=licenseName;drop", "sort"),
        ("after=xyz", "after"),
        ("status=Sleeping", "status"),
        ("type=Eternal", "type"),
        ("productId=5", "productId"),
        ("expiringBefore=soon", "expiringBefore"),
        ("expiringBefore=2030-01-01T00:00:00", "expiringBefore"),
        ("expiringBefore=0001-01-01T00:00:00%2B23:00", "expiringBefore"),
        ("search=" + "x" * 201, "search"),
    ],
)
async def test_bad_queries_name_their_field(owner: Owner, query: str, field: str) -> None:
    answer = await owner.send("GET", f"/api/licenses?{query}")
    assert answer.status_code == 400, answer.text
    assert [error["field"] for error in answer.json()["errors"]] == [field]


async def test_csv_has_every_license_and_no_formulas(world: World, shelf: dict[str, Any]) -> None:
    await world.issue(licenseName="=HYPERLINK(1)", notes='two\nlines, "quoted"')
    answer = await world.owner.send("GET", "/api/licenses", headers={"accept": "text/csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == 6
    assert rows[0]["licenseName"] == "Jo Miller"
    assert rows[-1]["licenseName"] == "'=HYPERLINK(1)"
    assert rows[-1]["notes"] == 'two\nlines, "quoted"'
    filtered = await world.owner.send(
        "GET", "/api/licenses?status=Revoked", headers={"accept": "text/csv"}
    )
    assert len(list(csv.DictReader(io.StringIO(filtered.text)))) == 1
    for accept, kind in (
        ("Text/CSV", "text/csv"),
        ("application/json, text/csv;q=0.5", "application/json"),
        ("text/csv;q=0", "application/json"),
    ):
        answer = await world.owner.send("GET", "/api/licenses", headers={"accept": accept})
        assert answer.headers["content-type"].startswith(kind), accept


async def test_the_list_can_be_filtered_by_institution(world: World, stranger: Owner) -> None:
    await world.issue(licenseName="In the first")
    second = (await world.owner.ok("POST", "/api/institutions", {"name": "Second"}))["id"]
    there = await make_product(world.owner, name="There", institutionId=second)
    await issue(world.owner, there, licenseName="In the second")
    assert sorted(await names(world.owner, "")) == ["In the first", "In the second"]
    path = f"/api/licenses?institutionId={second}"
    for query in ("", f"&productId={there['id']}", "&search=second", "&type=Perpetual"):
        listing = await world.owner.ok("GET", path + query)
        assert [item["licenseName"] for item in listing["items"]] == ["In the second"]
        assert listing["totalCount"] == 1
    assert (await world.owner.ok("GET", f"{path}&productId={world.product['id']}"))[
        "totalCount"
    ] == 0
    for kind in ("application/json", "text/csv"):
        for institution_id in (stranger.institution_id, uuid.UUID(int=1)):
            asked = f"/api/licenses?institutionId={institution_id}"
            refused = await world.owner.send("GET", asked, headers={"accept": kind})
            assert (refused.status_code, refused.json()["errorCode"]) == (404, "NotFound")
    file = await world.owner.send("GET", path, headers={"accept": "text/csv"})
    rows = list(csv.DictReader(io.StringIO(file.text)))
    assert [row["licenseName"] for row in rows] == ["In the second"]


async def test_totals_count_what_is_issued_and_deleted(world: World) -> None:
    other = await make_product(world.owner, name="Borealis")
    first = await world.issue()
    for item in (world.product, other, other):
        await issue(world.owner, item)

    async def total(query: str) -> int:
        return int((await world.owner.ok("GET", f"/api/licenses?{query}"))["totalCount"])

    of_product = f"productId={world.product['id']}"
    assert (await total(""), await total(of_product)) == (4, 2)
    await world.owner.ok("DELETE", f"/api/licenses/{first['id']}")
    assert (await total(""), await total(of_product)) == (3, 1)
    assert await total(f"productId={other['id']}&page=9") == 2
    assert await total(f"{of_product}&type=Trial") == 0
