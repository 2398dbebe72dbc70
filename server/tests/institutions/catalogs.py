"""A vendor with three products, of which a Member sees one whole and one release of another."""

from dataclasses import dataclass
from typing import Any

import httpx
from institutions.members import enlist
from sessions.factories import SessionShop, open_session_shop
from testkit import Owner

MODELS = ("Perpetual", "Floating", "Concurrent", "MeteredCount")


@dataclass
class Stock:
    """Licenses on one release: of each model one, with a live session and a device."""

    licenses: dict[str, str]
    activation: str
    session: str


@dataclass
class Shelf:
    """A product with what stands under it."""

    shop: SessionShop
    releases: list[str]
    feature: str
    entitlements: str
    key: str

    @property
    def product(self) -> str:
        return str(self.shop.product["id"])


@dataclass
class World:
    """`stocks`: of the product assigned, of the release assigned, of its sister, of nothing."""

    owner: Owner
    member: Owner
    whole: Shelf
    part: Shelf
    hidden: Shelf
    stocks: dict[str, Stock]

    @property
    def seen(self) -> list[Stock]:
        return [self.stocks["whole"], self.stocks["part"]]

    @property
    def unseen(self) -> list[Stock]:
        return [self.stocks["sister"], self.stocks["hidden"]]

    def seen_licenses(self) -> list[str]:
        return sorted(item for stock in self.seen for item in stock.licenses.values())


async def open_shelf(owner: Owner, name: str) -> Shelf:
    shop = await open_session_shop(owner, name=name, institutionId=owner.institution_id)
    path = f"/api/products/{shop.product['id']}"
    [first] = (await owner.ok("GET", f"{path}/releases"))["items"]
    second = await owner.ok("POST", f"{path}/releases", {"version": "3.0", "status": "Published"})
    feature = await owner.ok("POST", f"{path}/features", {"name": "export"})
    body = {"name": "Standard", "featureNames": ["export"]}
    entitlements = await owner.ok("POST", f"{path}/entitlement-sets", body)
    [key] = (await owner.ok("GET", f"{path}/credentials"))["keys"]
    return Shelf(shop, [first["id"], second["id"]], feature["id"], entitlements["id"], key["id"])


async def stock_up(shelf: Shelf, release_id: str) -> Stock:
    shop = shelf.shop
    made = {model: await shop.issue(model, softwareReleaseId=release_id) for model in MODELS}
    session = await shop.connected(made["Floating"])
    assert (await shop.activate(made["Concurrent"], "machine-1")).status_code == 201
    [device] = await shop.devices(made["Concurrent"])
    ids = {model: str(item["id"]) for model, item in made.items()}
    return Stock(ids, device["id"], session["sessionId"])


async def open_world(owner: Owner, person: Owner) -> World:
    whole, part, hidden = [await open_shelf(owner, name) for name in ("Whole", "Part", "Hidden")]
    stocks = {
        "whole": await stock_up(whole, whole.releases[0]),
        "part": await stock_up(part, part.releases[1]),
        "sister": await stock_up(part, part.releases[0]),
        "hidden": await stock_up(hidden, hidden.releases[0]),
    }
    assigned = {"productIds": [whole.product], "releaseIds": [part.releases[1]]}
    await enlist(owner, person, "Member", **assigned)
    return World(owner, person, whole, part, hidden, stocks)


def reads_of(stock: Stock) -> list[tuple[str, str]]:
    """Every way to look at licenses and what goes on under them."""
    metered = stock.licenses["MeteredCount"]
    found = [
        ("GET", f"/api/licenses/{metered}/ledger"),
        ("GET", f"/api/meter/balance/{metered}"),
        ("GET", f"/api/licenses/{stock.licenses['Floating']}/sessions"),
        ("GET", f"/api/licenses/{stock.licenses['Concurrent']}/activations"),
    ]
    for license_id in stock.licenses.values():
        path = f"/api/licenses/{license_id}"
        found += [("GET", path), ("GET", f"{path}/file"), ("POST", f"{path}/explain")]
    return found


def writes_of(stock: Stock) -> list[tuple[str, str, Any]]:
    """Every way to change them, and what is for Owners and Admins alone."""
    metered = stock.licenses["MeteredCount"]
    path = f"/api/licenses/{stock.licenses['Perpetual']}"
    device = f"/api/activations/{stock.activation}"
    return [
        ("POST", f"/api/sessions/{stock.session}/disconnect", None),
        ("POST", "/api/meter/grant", {"licenseId": metered, "amount": 1}),
        ("POST", "/api/meter/adjust", {"licenseId": metered, "amount": 1, "reason": "A gift"}),
        ("POST", "/api/meter/reconcile", {"licenseId": metered}),
        ("PUT", f"/api/licenses/{metered}/meter-settings", {"lowBalanceThreshold": 5}),
        *(("POST", f"{device}/{act}", None) for act in ("approve", "block", "unblock")),
        ("POST", f"{device}/deactivate", None),
        *(("POST", f"{path}/{act}", {}) for act in ("revoke", "suspend", "reinstate")),
        ("POST", f"{path}/convert", {"type": "Perpetual"}),
        ("PUT", path, {"licenseName": "Mine"}),
        ("DELETE", path, None),
        ("GET", f"{path}/access-attempts", None),
    ]


def reads_of_shelf(shelf: Shelf) -> list[str]:
    path = f"/api/products/{shelf.product}"
    parts = ("", "/releases", "/features", "/entitlement-sets", "/keys/status", "/keys/public")
    return [path + part for part in parts]


def writes_of_shelf(shelf: Shelf) -> list[tuple[str, str, Any]]:
    path = f"/api/products/{shelf.product}"
    return [
        ("PUT", path, {"name": "Mine"}),
        ("POST", f"{path}/releases", {"version": "9"}),
        ("POST", f"{path}/features", {"name": "mine"}),
        ("POST", f"{path}/entitlement-sets", {"name": "Mine", "featureNames": []}),
        ("POST", f"{path}/keys/generate", {"keySize": 2048}),
        ("GET", f"{path}/credentials", None),
        ("POST", f"{path}/credentials/rotate", {}),
        ("DELETE", f"{path}/credentials/{shelf.key}", None),
        ("PUT", f"/api/features/{shelf.feature}", {"displayName": "Mine"}),
        ("DELETE", f"/api/features/{shelf.feature}", None),
        ("GET", f"/api/meter/features/{shelf.feature}/pricing", None),
        ("PUT", f"/api/meter/features/{shelf.feature}/pricing", {"tokenCost": 1}),
        ("PUT", f"/api/entitlement-sets/{shelf.entitlements}", {"name": "Mine"}),
        ("DELETE", f"/api/entitlement-sets/{shelf.entitlements}", None),
        ("DELETE", path, None),
    ]


async def ids(person: Owner, path: str, **query: Any) -> list[str]:
    listed = await person.ok("GET", path, params={"pageSize": 100, **query})
    assert listed["totalCount"] == len(listed["items"])
    return sorted(item["id"] for item in listed["items"])


def field_of(answer: httpx.Response) -> str:
    """The one field that a 400 names."""
    [error] = answer.json()["errors"]
    return str(error["field"])
