"""A page of the list reads what it shows, not the years of licenses before it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from plans import explain, taken_down
from sqlalchemy import text
from testkit import Owner
from unhurried import unhurried, vacuum
from world import Vendor, open_vendor

from licet_server.kit import paging
from licet_server.kit.platform import Platform

MANY = 20_000
_FILL = f"""
INSERT INTO licenses (institution_id, id, product_id, software_release_id, type, license_key,
    normal_key, license_name, issued_to, expiration_date, activation_mode, created_at, updated_at)
SELECT institution_id, uuidv7(), product_id, software_release_id, type, 'OLD-' || n,
    'OLD' || lpad(n::text, 20, '0'), 'Common number' || n, 'user' || n || '@old.example',
    timestamptz '2020-01-01' + n * interval '1 minute', activation_mode, now(), now()
FROM licenses, generate_series(1, {MANY}) n WHERE id = :license
"""


@pytest.fixture
async def vendor(owner: Owner, platform: Platform) -> AsyncIterator[Vendor]:
    """A vendor with one license that is active, and many that expired long ago."""
    vendor = await open_vendor(owner)
    async with filled(platform, vendor):
        yield vendor


@pytest.fixture
async def two_vendors(owner: Owner, platform: Platform) -> AsyncIterator[tuple[Vendor, Vendor]]:
    """The same in two institutions of one owner; the licenses of the second one are newer."""
    first = await open_vendor(owner)
    second_institution = (await owner.ok("POST", "/api/institutions", {"name": "Second"}))["id"]
    second = await open_vendor(owner, institutionId=second_institution)
    async with filled(platform, first, second):
        yield first, second


@asynccontextmanager
async def filled(platform: Platform, *vendors: Vendor) -> AsyncIterator[None]:
    for vendor in vendors:
        made = await vendor.issue("Trial", expirationDate="2030-02-01T00:00:00Z")
        async with unhurried(platform) as db:
            await db.execute(text(_FILL), {"license": made["id"]})
    await vacuum(platform, "licenses")
    yield
    async with unhurried(platform) as db:
        await db.execute(text("DELETE FROM licenses WHERE license_key LIKE 'OLD-%'"))


async def listed(vendor: Vendor, query: str) -> dict[str, Any]:
    return dict(await vendor.owner.ok("GET", f"/api/licenses?{query}"))


async def test_active_licenses_are_found_without_reading_the_expired(
    vendor: Vendor, platform: Platform
) -> None:
    for other in ("type=Trial", "expiringBefore=2031-01-01T00:00:00Z"):
        with taken_down("FROM licenses", "WITH") as taken:
            found = await listed(vendor, f"status=Active&{other}")
        assert found["totalCount"] == 1
        assert len(taken) >= 2
        for question in taken:
            assert (await explain(platform, question)).pages < 30, other


async def test_a_walk_over_a_common_word_reads_a_page_at_a_time(
    vendor: Vendor, platform: Platform
) -> None:
    first = await listed(vendor, "search=common&pageSize=100&after=")
    with taken_down("FROM licenses") as taken:
        second = await listed(vendor, f"search=common&pageSize=100&after={first['nextAfter']}")
    numbers = [item["licenseName"] for item in first["items"] + second["items"]]
    assert numbers == [f"Common number{n}" for n in range(1, 201)]
    a_page_for_each_license_and_the_index = 100 + 20
    assert (await explain(platform, taken[-1])).pages < a_page_for_each_license_and_the_index


def numbers_of(page: dict[str, Any]) -> list[int]:
    """The numbers of the expired licenses of a page, and 0 for an active one."""
    names = [item["licenseName"] for item in page["items"]]
    return [int(name.removeprefix("Common number")) if "number" in name else 0 for name in names]


NEWEST = [0, 0, *range(MANY, MANY - 23, -1)]
FIRST_EXPIRED = sorted([*range(1, 14), *range(1, 13)])
PAGES_OF_TWO = {
    "": NEWEST,
    "sort=-createdAt": NEWEST,
    "page=2": list(range(MANY - 23, MANY - 48, -1)),
    "type=Trial": NEWEST,
    "search=common": list(range(MANY, MANY - 25, -1)),
    "sort=expirationDate": FIRST_EXPIRED,
    "type=Trial&sort=expirationDate": FIRST_EXPIRED,
    "after=00000000-0000-0000-0000-000000000000&search=common": list(range(1, 26)),
}


async def test_a_list_of_two_institutions_reads_what_it_shows(
    two_vendors: tuple[Vendor, Vendor], platform: Platform
) -> None:
    vendor, second = two_vendors
    oldest = await listed(second, f"productId={second.product['id']}&after=")
    pages = {
        **PAGES_OF_TWO,
        f"productId={vendor.product['id']}&page=2": list(range(MANY - 24, MANY - 49, -1)),
        f"productId={second.product['id']}&page=2": list(range(MANY - 24, MANY - 49, -1)),
        f"after={oldest['items'][0]['id']}": list(range(2, 27)),
    }
    for query, numbers in pages.items():
        with taken_down("FROM licenses") as taken:
            found = await listed(vendor, query)
        assert numbers_of(found) == numbers, query
        assert (await explain(platform, taken[-1])).pages < 100, query


async def test_a_walk_ends_with_the_last_match(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "DEEPEST_ROW", 2)
    vendor = await open_vendor(owner)
    made = [await vendor.issue("Perpetual", licenseName=f"Walked {n}") for n in range(5)]
    seen, after = [], ""
    while after is not None:
        step = await listed(vendor, f"search=walked&pageSize=2&after={after}")
        seen += [item["id"] for item in step["items"]]
        after = step["nextAfter"]
    assert seen == [item["id"] for item in made]
