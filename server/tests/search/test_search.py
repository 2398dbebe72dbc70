"""Search from anywhere: everything that a name, a key or an ID leads to, for whoever may see it."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from catalog.factories import join
from sqlalchemy import text as sql
from testkit import FakeClock, Owner
from world import Vendor, open_vendor

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform

PATH = "/api/search"


async def search(user: Owner, text: str, **query: Any) -> dict[str, list[dict[str, Any]]]:
    """What is found, by kind."""
    answer = await user.ok("GET", PATH, params={"q": text, **query})
    return {group["kind"]: group["items"] for group in answer["groups"]}


def titles(found: dict[str, list[dict[str, Any]]]) -> dict[str, list[str]]:
    return {kind: [item["title"] for item in items] for kind, items in found.items()}


@pytest.fixture
async def vendor(owner: Owner) -> Vendor:
    return await open_vendor(owner, name="Aurora Editor")


@pytest.mark.specification("find.search")
async def test_license_is_found_by_each_of_its_names(vendor: Vendor) -> None:
    made = await vendor.issue(
        "Perpetual", licenseName="Studio Berlin", issuedTo="ada@studio.example"
    )
    await vendor.issue("Perpetual", licenseName="Other", issuedTo="bob@other.example")
    key = made["licenseKey"]
    expected = {
        made["id"]: "Exact",
        key: "Exact",
        key.lower(): "Exact",
        key[:8]: "Start",
        key[-5:]: "Word",
        key[-5:].lower(): "Word",
        "studio berlin": "Exact",
        "Studio": "Start",
        "berlin": "Word",
        "stu ber": "Word",
        "ADA@studio.example": "Exact",
        "ada@studio": "Start",
    }
    for text, match in expected.items():
        [hit] = (await search(vendor.owner, text))["License"]
        assert (hit["id"], hit["match"]) == (made["id"], match), text
    assert hit == {
        "kind": "License",
        "id": made["id"],
        "institutionId": vendor.owner.institution_id,
        "title": "Studio Berlin",
        "detail": "ada@studio.example",
        "match": "Start",
        "status": "Active",
        "productId": vendor.product["id"],
        "productName": "Aurora Editor",
        "licenseId": None,
        "licenseName": None,
        "formerKey": False,
    }
    assert "License" not in await search(vendor.owner, "studio munich")


async def test_a_license_is_found_by_the_keys_that_it_had(
    vendor: Vendor, stranger: Owner, clock: FakeClock
) -> None:
    made = await vendor.issue("Perpetual", licenseKey="ACME_OLD/2019-77")
    other = await vendor.issue("Perpetual")
    owner, path = vendor.owner, f"/api/licenses/{made['id']}/rekey"
    second = await owner.ok("POST", path, {"graceDays": 3})
    present = (await owner.ok("POST", path, {"graceDays": 3}))["licenseKey"]
    for days in (0, 400):
        clock.advance(days=days)
        await owner.sign_in()
        await stranger.sign_in()
        for text in ("ACME_OLD/2019-77", second["licenseKey"].lower(), second["licenseKey"][:11]):
            [hit] = (await search(owner, f" {text} "))["License"]
            assert (hit["id"], hit["formerKey"]) == (made["id"], True)
            listed = await owner.ok("GET", "/api/licenses", params={"search": text})
            assert [item["id"] for item in listed["items"]] == [made["id"]]
            chosen = {"action": "addTag", "tag": "old key", "filter": {"search": text}}
            assert (await owner.ok("POST", "/api/licenses/bulk", chosen))["done"] == 1
            assert await search(stranger, text) == {}
    for license_, key in ((made, present), (other, other["licenseKey"])):
        [hit] = (await search(owner, key))["License"]
        assert (hit["id"], hit["formerKey"]) == (license_["id"], False)


async def test_no_license_is_lost_among_many_former_keys_that_begin_alike(
    vendor: Vendor, platform: Platform
) -> None:
    older, often, latest = [await vendor.issue("Perpetual") for _ in range(3)]
    async with platform.database.transaction() as db:
        for made, first, last in ((older, 0, 0), (often, 1, 1_000), (latest, 1_001, 1_001)):
            statement = """
                INSERT INTO license_former_keys
                SELECT institution_id, product_id, 'OLD-KEYS-' || n, 'OLD-KEYS-' || n, id,
                    now() + n * interval '1 second'
                FROM licenses, generate_series(CAST(:first AS int), CAST(:last AS int)) AS n
                WHERE id = :license
            """
            given = {"license": UUID(made["id"]), "first": first, "last": last}
            await db.execute(sql(statement), given)
    hits = (await search(vendor.owner, "OLD-KEYS-"))["License"]
    assert {hit["id"] for hit in hits} >= {latest["id"], often["id"]}
    for field in ("-createdAt", "licenseName"):
        query = {"search": "OLD-KEYS-", "sort": field}
        listed = await vendor.owner.ok("GET", "/api/licenses", params=query)
        assert {it["id"] for it in listed["items"]} == {it["id"] for it in (older, often, latest)}
        assert listed["totalCount"] == 3


async def test_a_customer_is_found_by_the_address_that_they_moved_away_from(
    vendor: Vendor, stranger: Owner
) -> None:
    made = await vendor.issue("Perpetual", issuedTo="eva.lind@studio.example")
    path = f"/api/customers/{made['customerId']}"
    await vendor.owner.ok("PUT", path, {"email": "eva@retouching.example"})
    for text in ("eva.lind@studio.example", "EVA.LIND@studio.example"):
        [customer] = (await search(vendor.owner, text))["Customer"]
        assert (customer["id"], customer["detail"]) == (
            made["customerId"],
            "eva@retouching.example",
        )
    assert await search(stranger, "eva.lind@studio.example") == {}
    await vendor.owner.ok("POST", f"{path}/erase", {"licenses": "Keep"})
    assert await search(vendor.owner, "eva.lind@studio.example") == {}


@pytest.mark.specification("find.search")
async def test_customers_products_and_releases_are_found(vendor: Vendor) -> None:
    made = await vendor.issue("Perpetual", issuedTo="ada@studio.example")
    path = f"/api/customers/{made['customerId']}"
    await vendor.owner.ok("PUT", path, {"name": "Ada Lovelace", "externalReference": "CRM-17"})
    for text in ("lovelace", "ada love", "ada@studio.example", "CRM-17", made["customerId"]):
        [customer] = (await search(vendor.owner, text))["Customer"]
        assert (customer["title"], customer["detail"]) == ("Ada Lovelace", "ada@studio.example")
    for text in ("aurora", "EDITOR", "ora edi", vendor.product["id"]):
        assert titles(await search(vendor.owner, text))["Product"] == ["Aurora Editor"], text
    releases = f"/api/products/{vendor.product['id']}/releases"
    beta = await vendor.owner.ok("POST", releases, {"version": "3.0.0", "channel": "Beta"})
    for text in ("3.0", "3.0.0", "aurora 3.0", "editor aurora 3", beta["id"]):
        [release] = (await search(vendor.owner, text))["Release"]
        assert (release["id"], release["detail"], release["status"]) == (
            beta["id"],
            "Beta",
            "Draft",
        )
    assert "Release" not in await search(vendor.owner, "nebula 3.0")


@pytest.mark.specification("find.search")
async def test_devices_are_for_owners_and_admins(
    vendor: Vendor, stranger: Owner, platform: Platform
) -> None:
    made = await vendor.issue("Concurrent", licenseName="Pool")
    answer = await vendor.activate(made, "hw-8c1f0a77", deviceName="Render Node 7")
    device_id = answer.json()["activationId"]
    for text, match in {
        "hw-8c1f": "Start",
        "hw-8c1f0a77": "Exact",
        "render no": "Start",
        device_id: "Exact",
    }.items():
        [device] = (await search(vendor.owner, text))["Device"]
        assert (device["id"], device["match"]) == (device_id, match)
    assert (device["licenseId"], device["licenseName"]) == (made["id"], "Pool")
    assert (device["title"], device["detail"]) == ("Render Node 7", "hw-8c1f0a77")
    await join(platform, vendor.owner, stranger, Role.VIEWER)
    for text in ("hw-8c1f0a77", "render", device_id):
        assert "Device" not in await search(stranger, text)
    assert "License" in await search(stranger, "pool")


@pytest.mark.specification("find.search")
async def test_live_sessions_are_found_by_their_devices(
    vendor: Vendor, stranger: Owner, platform: Platform
) -> None:
    made = await vendor.issue("Floating", licenseName="Pool", maxActiveUsersCount=3)
    ended = await vendor.connected(made, "hw-8c1f0a66", deviceName="Render Node 8")
    live = await vendor.connected(made, "hw-8c1f0a77", deviceName="Render Node 7")
    assert (await vendor.disconnect(ended)).status_code == 204
    for text, match in {
        "hw-8c1f": "Start",
        "HW-8C1F0A77": "Exact",
        "render no": "Start",
        live["sessionId"]: "Exact",
    }.items():
        [hit] = (await search(vendor.owner, text))["Session"]
        assert (hit["id"], hit["match"]) == (live["sessionId"], match), text
    assert hit["status"] == "Live"
    assert (hit["licenseId"], hit["licenseName"]) == (made["id"], "Pool")
    assert (hit["title"], hit["detail"]) == ("Render Node 7", "hw-8c1f0a77")
    assert "Session" not in await search(vendor.owner, ended["sessionId"])
    await join(platform, vendor.owner, stranger, Role.VIEWER)
    for text in ("hw-8c1f0a77", "render", live["sessionId"]):
        assert "Session" not in await search(stranger, text)


async def test_a_session_that_timed_out_or_outlived_its_license_is_not_found(
    vendor: Vendor, clock: FakeClock
) -> None:
    end = (clock() + timedelta(seconds=60)).isoformat()
    made = await vendor.issue("Floating", maxActiveUsersCount=3, expirationDate=end)
    await vendor.connected(made, "hw-over", deviceName="Over")
    other = await vendor.issue("Floating", maxActiveUsersCount=3)
    await vendor.connected(other, "hw-silent", deviceName="Silent")
    assert "Session" in await search(vendor.owner, "over")
    clock.advance(seconds=61)
    assert "Session" not in await search(vendor.owner, "over")
    assert "Session" in await search(vendor.owner, "silent")
    clock.advance(hours=2)
    await vendor.owner.sign_in()
    assert "Session" not in await search(vendor.owner, "silent")


async def test_the_best_group_comes_first_and_says_that_there_are_more(vendor: Vendor) -> None:
    for number in range(8):
        await vendor.issue("Perpetual", licenseName=f"Copy {number} of Aurora Editor")
    exact = await vendor.issue("Perpetual", licenseName="Copy")
    answer = await vendor.owner.ok("GET", PATH, params={"q": "Aurora Editor"})
    assert [(group["kind"], group["hasMore"]) for group in answer["groups"]] == [
        ("Product", False),
        ("License", True),
    ]
    found = (await search(vendor.owner, "copy"))["License"]
    assert len(found) == 6
    assert (found[0]["id"], found[0]["match"]) == (exact["id"], "Exact")
    assert [item["title"][5] for item in found[1:4]] == ["7", "6", "5"]


@pytest.mark.specification("find.search")
async def test_data_of_other_institutions_is_not_found(
    vendor: Vendor, stranger: Owner, platform: Platform
) -> None:
    made = await vendor.issue("Concurrent", licenseName="Secret plan")
    await vendor.activate(made, "hw-secret", deviceName="Secret machine")
    texts = ("secret", made["licenseKey"], made["id"], made["customerId"], vendor.product["id"])
    for text in (*texts, "aurora", "hw-secret", "2.1.0", made["issuedTo"]):
        assert await search(stranger, text) == {}, text
    await join(platform, vendor.owner, stranger, Role.VIEWER)
    assert set(await search(stranger, "secret")) == {"License"}
    own = {"institutionId": stranger.institution_id}
    theirs = {"institutionId": vendor.owner.institution_id}
    assert await search(stranger, "secret", **own) == {}
    assert set(await search(stranger, "secret", **theirs)) == {"License"}


@pytest.mark.specification("find.search")
async def test_members_find_assigned_products_only(
    vendor: Vendor, stranger: Owner, platform: Platform
) -> None:
    hidden = await open_vendor(vendor.owner, name="Aurora Server")
    await join(platform, vendor.owner, stranger, Role.MEMBER)
    for place in (vendor, hidden):
        await place.issue("Perpetual", licenseName="Plan", issuedTo="ada@studio.example")
    path = f"/api/institutions/{vendor.owner.institution_id}/members/{stranger.user_id}"
    await vendor.owner.ok("PUT", path, {"productIds": [vendor.product["id"]]})
    found = await search(stranger, "plan")
    assert set(found) == {"License"}
    assert [item["productName"] for item in found["License"]] == ["Aurora Editor"]
    assert titles(await search(stranger, "aurora")) == {"Product": ["Aurora Editor"]}
    assert len((await search(stranger, "2.1"))["Release"]) == 1
    assert set(await search(stranger, "ada@studio.example")) == {"License"}
    await vendor.owner.ok("PUT", path, {"productIds": []})
    assert await search(stranger, "plan") == {}


KINDS = {
    "Licenses.Read": "License",
    "Customers.Read": "Customer",
    "Products.Read": "Product",
    "Releases.Write": "Release",
    "Activations.Read": "Device",
}
"""One of the kinds of each scope; that of devices finds their sessions, too."""


async def test_api_keys_find_what_their_scopes_let_them_read(vendor: Vendor) -> None:
    made = await vendor.issue("Concurrent", licenseName="Nine", issuedTo="nine@studio.example")
    await vendor.activate(made, "nine", deviceName="nine")
    await vendor.owner.ok("PUT", f"/api/products/{vendor.product['id']}", {"name": "Nine"})
    releases = f"/api/products/{vendor.product['id']}/releases"
    await vendor.owner.ok("POST", releases, {"version": "nine"})
    await vendor.connected(made, "nine", deviceName="nine")
    assert set(await search(vendor.owner, "nine")) == {*KINDS.values(), "Session"}
    for scopes in (
        ["Licenses.Read"],
        ["Products.Read", "Customers.Read"],
        [*KINDS],
        ["Webhooks.Read"],
    ):
        key = await vendor.owner.ok("POST", "/api/api-keys", {"name": "Key", "scopes": scopes})
        answer = await vendor.owner.client.get(
            PATH, params={"q": "nine"}, headers={"x-api-key": key["secret"]}
        )
        if scopes == ["Webhooks.Read"]:
            assert (answer.status_code, answer.json()["errorCode"]) == (403, "Forbidden")
            continue
        found = {group["kind"] for group in answer.json()["groups"]}
        expected = {KINDS[scope] for scope in scopes}
        assert found == expected | ({"Session"} if "Device" in expected else set())


async def test_unusual_queries_are_answered(vendor: Vendor) -> None:
    await vendor.issue("Perpetual", licenseName="100% of it_all")
    for text in ("   ", "%", "_", "'", "\\", "!&|()", "🙂", "a" * 200):
        assert await search(vendor.owner, text) == {}, text
    assert titles(await search(vendor.owner, "100% of"))["License"] == ["100% of it_all"]
    for query in ({}, {"q": ""}, {"q": "a" * 201}):
        refused = await vendor.owner.send("GET", PATH, params=query)
        assert (refused.status_code, refused.json()["errorCode"]) == (400, "InvalidRequest")
