"""A vendor with three products: a Member sees one of them, and one release of another."""

from dataclasses import dataclass
from typing import Any

import httpx
from institutions.members import add_member
from testkit import Owner
from world import Vendor, open_vendor

MODELS = ("Perpetual", "Floating", "Concurrent", "MeteredCount")


@dataclass
class LicensesOfRelease:
    """One license of each model on a release, with a live session and a device."""

    licenses: dict[str, str]
    activation: str
    session: str


@dataclass
class CatalogOfProduct:
    """A product with its releases, a feature, an entitlement set and a product key."""

    vendor: Vendor
    releases: list[str]
    feature: str
    entitlements: str
    key: str

    @property
    def product(self) -> str:
        return str(self.vendor.product["id"])


@dataclass
class Team:
    """`licenses_of`: of the assigned product, the assigned release, its sibling, and neither."""

    owner: Owner
    member: Owner
    whole: CatalogOfProduct
    part: CatalogOfProduct
    hidden: CatalogOfProduct
    licenses_of: dict[str, LicensesOfRelease]

    @property
    def seen(self) -> list[LicensesOfRelease]:
        return [self.licenses_of["whole"], self.licenses_of["part"]]

    @property
    def unseen(self) -> list[LicensesOfRelease]:
        return [self.licenses_of["sister"], self.licenses_of["hidden"]]

    def seen_licenses(self) -> list[str]:
        return sorted(item for licensed in self.seen for item in licensed.licenses.values())


async def create_catalog(owner: Owner, name: str) -> CatalogOfProduct:
    vendor = await open_vendor(owner, name=name, institutionId=owner.institution_id)
    path = f"/api/products/{vendor.product['id']}"
    [first] = (await owner.ok("GET", f"{path}/releases"))["items"]
    second = await owner.ok("POST", f"{path}/releases", {"version": "3.0", "status": "Published"})
    feature = await owner.ok("POST", f"{path}/features", {"name": "export"})
    body = {"name": "Standard", "featureNames": ["export"]}
    entitlements = await owner.ok("POST", f"{path}/entitlement-sets", body)
    [key] = (await owner.ok("GET", f"{path}/credentials"))["keys"]
    return CatalogOfProduct(
        vendor, [first["id"], second["id"]], feature["id"], entitlements["id"], key["id"]
    )


async def issue_licenses(catalog: CatalogOfProduct, release_id: str) -> LicensesOfRelease:
    vendor = catalog.vendor
    made = {model: await vendor.issue(model, softwareReleaseId=release_id) for model in MODELS}
    session = await vendor.connected(made["Floating"])
    assert (await vendor.activate(made["Concurrent"], "machine-1")).status_code == 201
    [device] = await vendor.devices(made["Concurrent"])
    ids = {model: str(item["id"]) for model, item in made.items()}
    return LicensesOfRelease(ids, device["id"], session["sessionId"])


async def create_team(owner: Owner, user: Owner) -> Team:
    whole, part, hidden = [
        await create_catalog(owner, name) for name in ("Whole", "Part", "Hidden")
    ]
    licenses_of = {
        "whole": await issue_licenses(whole, whole.releases[0]),
        "part": await issue_licenses(part, part.releases[1]),
        "sister": await issue_licenses(part, part.releases[0]),
        "hidden": await issue_licenses(hidden, hidden.releases[0]),
    }
    assigned = {"productIds": [whole.product], "releaseIds": [part.releases[1]]}
    await add_member(owner, user, "Member", **assigned)
    return Team(owner, user, whole, part, hidden, licenses_of)


def reads_of(licensed: LicensesOfRelease) -> list[tuple[str, str]]:
    """All requests that read licenses, or what belongs to them."""
    metered = licensed.licenses["MeteredCount"]
    found = [
        ("GET", f"/api/licenses/{metered}/ledger"),
        ("GET", f"/api/meter/balance/{metered}"),
        ("GET", f"/api/licenses/{licensed.licenses['Concurrent']}/counts"),
    ]
    for license_id in licensed.licenses.values():
        path = f"/api/licenses/{license_id}"
        found += [("GET", path), ("GET", f"{path}/file"), ("POST", f"{path}/explain")]
    return found


def writes_of(licensed: LicensesOfRelease) -> list[tuple[str, str, Any]]:
    """All requests that change them, or are for Owners and Admins only."""
    metered = licensed.licenses["MeteredCount"]
    path = f"/api/licenses/{licensed.licenses['Perpetual']}"
    device = f"/api/activations/{licensed.activation}"
    return [
        ("GET", f"/api/licenses/{licensed.licenses['Floating']}/sessions", None),
        ("GET", f"/api/licenses/{licensed.licenses['Concurrent']}/activations", None),
        ("POST", f"/api/sessions/{licensed.session}/disconnect", None),
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


def catalog_reads(catalog: CatalogOfProduct) -> list[str]:
    path = f"/api/products/{catalog.product}"
    parts = ("", "/releases", "/features", "/entitlement-sets", "/keys/status", "/keys/public")
    return [path + part for part in parts]


def catalog_writes(catalog: CatalogOfProduct) -> list[tuple[str, str, Any]]:
    path = f"/api/products/{catalog.product}"
    return [
        ("PUT", path, {"name": "Mine"}),
        ("POST", f"{path}/releases", {"version": "9"}),
        ("POST", f"{path}/features", {"name": "mine"}),
        ("POST", f"{path}/entitlement-sets", {"name": "Mine", "featureNames": []}),
        ("POST", f"{path}/keys/generate", {"keySize": 2048}),
        ("GET", f"{path}/credentials", None),
        ("POST", f"{path}/credentials/rotate", {}),
        ("DELETE", f"{path}/credentials/{catalog.key}", None),
        ("PUT", f"/api/features/{catalog.feature}", {"displayName": "Mine"}),
        ("DELETE", f"/api/features/{catalog.feature}", None),
        ("GET", f"/api/meter/features/{catalog.feature}/pricing", None),
        ("PUT", f"/api/meter/features/{catalog.feature}/pricing", {"tokenCost": 1}),
        ("PUT", f"/api/entitlement-sets/{catalog.entitlements}", {"name": "Mine"}),
        ("DELETE", f"/api/entitlement-sets/{catalog.entitlements}", None),
        ("DELETE", path, None),
    ]


async def ids(user: Owner, path: str, **query: Any) -> list[str]:
    listed = await user.ok("GET", path, params={"pageSize": 100, **query})
    assert listed["totalCount"] == len(listed["items"])
    return sorted(item["id"] for item in listed["items"])


def field_of(answer: httpx.Response) -> str:
    """The single field that a 400 names."""
    [error] = answer.json()["errors"]
    return str(error["field"])
