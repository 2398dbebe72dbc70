"""Test products: their mode and keys, what their licenses say, and copies of Live ones."""

import json
from base64 import urlsafe_b64decode
from typing import Any

import pytest
from catalog.factories import make_product
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from testkit import Owner
from world import Vendor, World, open_vendor

from licet_server.as_code.fetching import fetch_products
from licet_server.as_code.rules.model import Kind, Present
from licet_server.catalog.rules.model import TEST_PRODUCTS_MAX
from licet_server.kit.platform import Platform


async def test_the_mode_is_chosen_at_creation_and_stays(owner: Owner) -> None:
    live = await make_product(owner)
    test = await make_product(owner, "Aurora tests", mode="Test")
    assert (live["mode"], test["mode"]) == ("Live", "Test")
    for product, others in ((live, "Test"), (test, "Live")):
        path = f"/api/products/{product['id']}"
        assert (await owner.send("PUT", path, {"mode": others})).status_code == 400
        assert await owner.ok("GET", path) == product
    listed = await owner.ok("GET", "/api/products", params={"mode": "Test"})
    assert [item["id"] for item in listed["items"]] == [test["id"]]


async def test_product_keys_of_tests_are_told_by_their_beginning(owner: Owner) -> None:
    vendor = await open_vendor(owner, mode="Test")
    assert vendor.key["X-API-KEY"].startswith("pk_test_")
    made = await vendor.issue()
    assert (await vendor.validate(made))["valid"] is True
    live = await open_vendor(owner, name="Borealis")
    assert not live.key["X-API-KEY"].startswith("pk_test_")
    assert (await live.validate(made))["status"] == "LicenseNotFound"


@pytest.mark.parametrize("mode", ["Live", "Test"])
async def test_everything_about_a_license_says_whether_it_is_for_tests(
    owner: Owner, mode: str
) -> None:
    vendor = await open_vendor(owner, mode=mode)
    is_test = mode == "Test"
    made = await vendor.issue("Concurrent")
    assert made["test"] is is_test
    activated = await vendor.activate(made, "machine-1")
    connected = await vendor.connect(made, "machine-1")
    assert [item.json()["test"] for item in (activated, connected)] == [is_test, is_test]
    verdict = await vendor.validate(made, "machine-1", signed=True, file=True)
    assert verdict["license"]["test"] is is_test
    assert claims(verdict["token"])["license"]["test"] is is_test
    assert claims((await vendor.file(made, "machine-1")).text)["license"]["test"] is is_test
    listed = await owner.ok("GET", "/api/licenses", params={"test": is_test})
    assert [item["id"] for item in listed["items"]] == [made["id"]]
    others = await owner.ok("GET", "/api/licenses", params={"test": not is_test})
    assert others["items"] == []
    csv = (await owner.send("GET", "/api/licenses", headers={"accept": "text/csv"})).text
    header, row = csv.splitlines()[:2]
    assert row.split(",")[header.split(",").index("test")] == str(is_test).lower()


def claims(token: str) -> Any:
    return json.loads(urlsafe_b64decode(token.split(".")[1] + "=="))


async def test_no_license_is_of_another_mode_than_its_product(
    world: World, platform: Platform
) -> None:
    made = await world.issue()
    with pytest.raises(IntegrityError):
        async with platform.database.reading() as db:
            await db.execute(
                text("UPDATE licenses SET test = true WHERE id = :id"), {"id": made["id"]}
            )


async def test_there_are_no_more_than_a_hundred(owner: Owner) -> None:
    for number in range(TEST_PRODUCTS_MAX):
        product = await make_product(owner, f"Tests {number}", mode="Test")
    body = {"name": "One more", "initialVersion": "1", "mode": "Test"}
    assert (await owner.send("POST", "/api/products", body)).status_code == 409
    copy = await owner.send("POST", f"/api/products/{product['id']}/test-copy")
    assert copy.status_code == 409
    await make_product(owner, "Live")


class AsCode:
    """Answers for `as_code` what an Owner has read."""

    def __init__(self, read: dict[str, Any]) -> None:
        self.read = read

    def list_all(self, path: str) -> list[Any]:
        return list(self.read[path]["items"])

    def send(self, request: Any) -> Any:
        return self.read[request.path]


async def exported(owner: Owner, product: dict[str, Any]) -> list[Present]:
    """Return what as-code exports of a product."""
    inside = f"/api/products/{product['id']}"
    paths = (
        "/api/products",
        f"{inside}/features",
        f"{inside}/entitlement-sets",
        f"/api/policies?productId={product['id']}",
        f"{inside}/mail-templates",
    )
    service: Any = AsCode({path: await owner.ok("GET", path) for path in paths})
    found = fetch_products(service, lambda name: name == product["name"])
    return [item for item in found if product["name"].lower() in (item.key.name, item.key.product)]


async def fill(vendor: Vendor) -> None:
    owner, inside = vendor.owner, f"/api/products/{vendor.product['id']}"
    await owner.ok("PUT", inside, {"settings": {"deviceReleasesPerYear": 7}})
    await vendor.feature("export")
    await owner.ok("POST", f"{inside}/features", {"name": "projects", "kind": "Number"})
    entries = [{"featureName": "export"}, {"featureName": "projects", "value": 25}]
    made = await owner.ok("POST", f"{inside}/entitlement-sets", {"name": "Pro", "entries": entries})
    policy = {"productId": vendor.product["id"], "name": "Yearly", "type": "Subscription"}
    await owner.ok(
        "POST", "/api/policies", {**policy, "durationMonths": 12, "entitlementSetId": made["id"]}
    )
    release = {"version": "2.2.0", "status": "Published", "coverage": "Everyone"}
    await owner.ok("POST", f"{inside}/releases", release)
    await owner.ok("POST", f"{inside}/releases", {"version": "3.0.0"})


async def test_a_test_copy_sells_what_the_product_sells_with_keys_of_its_own(world: World) -> None:
    await fill(world)
    world.clock.advance(minutes=1)
    owner, path = world.owner, f"/api/products/{world.product['id']}"
    copy = await owner.ok("POST", f"{path}/test-copy")
    assert (copy["name"], copy["mode"], copy["licenseCount"]) == ("Aurora (Test)", "Test", 0)
    source = await exported(owner, world.product)
    same = await exported(owner, copy)
    assert [(item.key.kind, without_name(item)) for item in source] == [
        (item.key.kind, without_name(item)) for item in same
    ]
    releases = [await published(owner, product) for product in (world.product, copy)]
    assert releases[0] == releases[1]
    kids = [await kid_of(owner, product) for product in (world.product, copy)]
    assert kids[0] != kids[1]
    credentials = await owner.ok("GET", f"/api/products/{copy['id']}/credentials")
    assert credentials["apiKey"].startswith("pk_test_")
    policy = (await owner.ok("GET", f"/api/policies?productId={copy['id']}"))["items"][0]
    made = await owner.ok(
        "POST", "/api/licenses", {"policyId": policy["id"], "issuedTo": "a@example.com"}
    )
    assert (made["test"], made["entitlements"]) == (True, {"export": True, "projects": 25})
    again = await owner.send("POST", f"{path}/test-copy")
    assert again.status_code == 409, "the name is taken"
    assert (await owner.ok("POST", f"{path}/test-copy", {"name": "Other"}))["name"] == "Other"


def without_name(item: Present) -> dict[str, Any]:
    if item.key.kind is not Kind.PRODUCT:
        return dict(item.fields)
    return {name: value for name, value in item.fields.items() if name not in ("name", "mode")}


async def published(owner: Owner, product: dict[str, Any]) -> list[Any]:
    listed = await owner.ok("GET", f"/api/products/{product['id']}/releases")
    names = ("version", "channel", "status", "coverage", "firstPublishedAt")
    return sorted(
        [item[name] for name in names] for item in listed["items"] if item["status"] == "Published"
    )


async def kid_of(owner: Owner, product: dict[str, Any]) -> str:
    key = await owner.ok("GET", f"/api/products/{product['id']}/keys/public")
    return str(key["kid"])
