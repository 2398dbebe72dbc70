"""Searches find people and things whatever accents someone types, and whatever they have."""

from typing import Any

import pytest
from testkit import Owner
from world import Vendor, open_vendor

NAMES = {
    "Jürgen Müller": ("jurgen", "MULLER", "Müll", "ju\u0308rgen mu\u0308ller"),
    "Jose Alvarez": ("josé", "Álvarez", "alvárez jose"),
    "Łukasz Żółć": ("lukasz", "zolc", "ŁUKASZ"),
    "Hans Strasse": ("straße", "STRAẞE"),
    "Anna Weißstraße": ("weissstrasse",),
    "Søren Øresund": ("oresund", "soren ør"),
    "Nguyễn Phương": ("nguyen phuong",),
}
"""What people type for each name; nobody else has it."""


@pytest.fixture
async def vendor(owner: Owner) -> Vendor:
    return await open_vendor(owner, name="Aurora Éditeur")


async def of_palette(vendor: Vendor, text: str, kind: str) -> list[dict[str, Any]]:
    answer = await vendor.owner.ok("GET", "/api/search", params={"q": text})
    return next((group["items"] for group in answer["groups"] if group["kind"] == kind), [])


async def listed(vendor: Vendor, path: str, text: str) -> list[dict[str, Any]]:
    answer = await vendor.owner.ok("GET", path, params={"search": text})
    found: list[dict[str, Any]] = answer["items"]
    return found


@pytest.mark.specification("find.search")
async def test_people_and_licenses_are_found_whatever_accents_someone_types(vendor: Vendor) -> None:
    for number, name in enumerate(NAMES):
        made = await vendor.issue(
            "Perpetual", licenseName=name, issuedTo=f"buyer{number}@example.com"
        )
        await vendor.owner.ok("PUT", f"/api/customers/{made['customerId']}", {"name": name})
    for name, typed in NAMES.items():
        for text in (name, *typed):
            for path, field in (("/api/licenses", "licenseName"), ("/api/customers", "name")):
                found = await listed(vendor, path, text)
                assert [item[field] for item in found] == [name], (path, text)
            for kind in ("License", "Customer"):
                [hit] = await of_palette(vendor, text, kind)
                assert hit["title"] == name, (kind, text)
    [hit] = await of_palette(vendor, "LUKASZ ZOLC", "License")
    assert hit["match"] == "Exact"
    assert await listed(vendor, "/api/licenses", "m%ller") == []
    assert await listed(vendor, "/api/customers", "m_ller") == []


async def test_devices_sessions_products_and_tags_are_found_without_accents(
    vendor: Vendor,
) -> None:
    made = await vendor.issue("Floating", licenseName="Pool", maxActiveUsersCount=3)
    await vendor.connected(made, "hw-1", deviceName="Küche Nord")
    await vendor.connected(made, "hw-2", deviceName="Kuche Sud")
    path = f"/api/licenses/{made['id']}/sessions"
    for text in ("kuche n", "KÜCHE N"):
        [session] = await of_palette(vendor, text, "Session")
        assert session["title"] == "Küche Nord"
        [row] = await listed(vendor, path, text)
        assert row["deviceName"] == "Küche Nord"
    assert len(await of_palette(vendor, "küche", "Session")) == 2
    assert await listed(vendor, path, "k%che") == []
    node = await vendor.issue("Concurrent", licenseName="Farm")
    await vendor.activate(node, "hw-3", deviceName="Büro")
    [device] = await of_palette(vendor, "buro", "Device")
    assert (device["title"], device["match"]) == ("Büro", "Exact")
    for text in ("editeur", "ÉDITEUR", "e\u0301dit"):
        [product] = await of_palette(vendor, text, "Product")
        assert product["title"] == "Aurora Éditeur"
        [row] = await listed(vendor, "/api/products", text)
        assert row["name"] == "Aurora Éditeur"
    await vendor.owner.ok("PUT", f"/api/licenses/{made['id']}", {"tags": ["München"]})
    await vendor.owner.ok("PUT", f"/api/licenses/{node['id']}", {"tags": ["Koln"]})
    for text, name in {"munchen": "Pool", "MÜNCHEN": "Pool", "köln": "Farm"}.items():
        [hit] = await of_palette(vendor, text, "License")
        assert hit["title"] == name
        [row] = await listed(vendor, "/api/licenses", text)
        assert row["licenseName"] == name
    by_tag = {tag: len(await tagged(vendor, tag)) for tag in ("münchen", "munchen")}
    assert by_tag == {"münchen": 1, "munchen": 0}


async def tagged(vendor: Vendor, tag: str) -> list[dict[str, Any]]:
    given = {"institutionId": vendor.owner.institution_id, "tag": tag}
    found: list[dict[str, Any]] = (await vendor.owner.ok("GET", "/api/licenses", params=given))[
        "items"
    ]
    return found


async def test_addresses_that_differ_by_an_accent_are_two_customers(vendor: Vendor) -> None:
    for address in ("josé@example.com", "jose@example.com"):
        await vendor.issue("Perpetual", licenseName=address, issuedTo=address)
    for address in ("josé@example.com", "jose@example.com"):
        given = {"institutionId": vendor.owner.institution_id, "issuedTo": address}
        [row] = (await vendor.owner.ok("GET", "/api/licenses", params=given))["items"]
        assert row["licenseName"] == address
    assert len(await listed(vendor, "/api/customers", "jose@example.com")) == 2
