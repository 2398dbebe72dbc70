"""Owners and Admins see devices, sessions and access attempts; Members and Viewers count them."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from catalog.factories import join
from testkit import Owner
from volumes import is_long
from walls.table import ENDLESS, IN_QUERY, closed_routes
from walls.tenant import Tenant, found_tenant
from world import Vendor, open_vendor

from licet_server.app import Application
from licet_server.catalog.access import ProductKey
from licet_server.devices.rules.model import masked
from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform

BOUND, OTHER = "bound-machine-0001", "other-machine-0002"
NAME = "Laptop of Ada"
NO_ONE = {"accessAttempts": 0, "unreviewedAccessAttempts": 0, "liveSessions": 0}


@pytest.fixture
async def tenant(new_owner: Callable[..., Any], platform: Platform) -> Tenant:
    """A tenant whose devices have names and hardware IDs that stand nowhere else."""
    tenant = await found_tenant(new_owner, platform)
    product = {"id": tenant.ids["product_id"]}
    vendor = Vendor(tenant.owner, product, {"X-API-KEY": tenant.product_key})
    bound = await vendor.issue("NodeLocked")
    await vendor.validate(bound, BOUND, deviceName=NAME)
    await vendor.validate(bound, OTHER, deviceName=NAME)
    seats = await vendor.issue("Concurrent")
    await vendor.activate(seats, BOUND, deviceName=NAME)
    pool = await vendor.issue("Floating")
    connect = {"licenseKey": pool["licenseKey"], "hardwareId": BOUND, "deviceName": NAME}
    assert (await vendor.call("POST", "/api/sessions/connect", connect)).is_success
    waiting = await vendor.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    await vendor.validate(waiting, BOUND, deviceName=NAME)
    tenant.ids |= {"bound_id": bound["id"], "seats_id": seats["id"], "pool_id": pool["id"]}
    return tenant


def traces(text: str) -> set[str]:
    return {mark for mark in (BOUND, OTHER, masked(BOUND), masked(OTHER), NAME) if mark in text}


async def read_everything(application: Application, tenant: Tenant, user: Owner) -> set[str]:
    """Read all routes for all licenses, as JSON and as CSV; return the traces of devices."""
    found: set[str] = set()
    for route in closed_routes(application):
        if route.method != "GET" or route.name in ENDLESS or isinstance(route.access, ProductKey):
            continue
        licenses = ("bound_id", "seats_id", "pool_id") if "license_id" in route.template else ("",)
        for name in licenses:
            path = tenant.url(route.template.replace("{license_id}", tenant.ids.get(name, "")))
            for accept in ("application/json", "text/csv"):
                query = IN_QUERY[route.name](tenant) if route.name in IN_QUERY else None
                headers = {"accept": accept}
                answer = await user.send("GET", path, params=query, headers=headers)
                found |= {f"{route.name}: {mark}" for mark in traces(decoded(answer.text))}
    return found


def decoded(text: str) -> str:
    """The text, with the claims of a license file readable."""
    parts = text.split(".")
    if len(parts) != 3 or not text.startswith("ey"):
        return text
    return base64.urlsafe_b64decode(parts[1] + "==").decode(errors="replace")


@pytest.mark.specification("mission-8")
async def test_members_and_viewers_see_counts_of_devices_only(
    application: Application, tenant: Tenant
) -> None:
    for name in ("viewer", "member"):
        user = tenant.people[name]
        assert not await read_everything(application, tenant, user), name
        for of in ("activations", "sessions", "access-attempts"):
            path = f"/api/licenses/{tenant.ids['bound_id']}/{of}"
            answer = await user.send("GET", path)
            assert (answer.status_code, answer.json()["errorCode"]) == (403, "Forbidden")
        assert await counts(user, tenant, "bound_id") == {
            "activeDevices": 1,
            "pendingDevices": 0,
            "blockedDevices": 0,
            "overLimitDevices": 0,
            "reclaimableDevices": 0,
            "liveSessions": 0,
            "accessAttempts": 1,
            "unreviewedAccessAttempts": 1,
        }
        assert (await counts(user, tenant, "pool_id"))["liveSessions"] == 1
        attention = await user.ok("GET", "/api/statistics/attention")
        assert attention["pendingActivations"] == {"count": 1, "items": []}


async def counts(user: Owner, tenant: Tenant, name: str) -> dict[str, Any]:
    found = dict(await user.ok("GET", f"/api/licenses/{tenant.ids[name]}/counts"))
    assert found.pop("licenseId") == tenant.ids[name]
    return found


async def test_the_search_for_traces_finds_them(application: Application, tenant: Tenant) -> None:
    """A control: Owners and Admins see them all."""
    for name in ("owner", "admin") if is_long() else ("owner",):
        found = await read_everything(application, tenant, tenant.people[name])
        assert {
            f"GET /api/licenses/{{license_id}}/activations: {BOUND}",
            f"GET /api/licenses/{{license_id}}/sessions: {NAME}",
            f"GET /api/licenses/{{license_id}}/access-attempts: {OTHER}",
            f"GET /api/licenses/{{license_id}}/file: {BOUND}",
            f"GET /api/licenses/{{license_id}}/events: {masked(BOUND)}",
            f"GET /api/statistics/attention: {NAME}",
        } <= found


async def test_a_key_sees_what_its_maker_sees(
    application: Application, tenant: Tenant, platform: Platform
) -> None:
    admin = tenant.people["admin"]
    body = {"name": "Support", "scopes": ["Activations.Read", "Licenses.Read"]}
    body["institutionId"] = tenant.owner.institution_id
    made = await admin.ok("POST", "/api/api-keys", body)
    key = {"X-API-KEY": made["secret"]}
    path = f"/api/licenses/{tenant.ids['seats_id']}/activations"
    answer = await admin.client.get(path, headers=key)
    assert [item["hardwareId"] for item in answer.json()["items"]] == [BOUND]
    members = f"/api/institutions/{tenant.owner.institution_id}/members"
    await tenant.owner.ok("PUT", f"{members}/{admin.user_id}", {"role": "Viewer"})
    assert (await admin.client.get(path, headers=key)).status_code == 403
    of_license = f"/api/licenses/{tenant.ids['seats_id']}/counts"
    answer = await admin.client.get(of_license, headers=key)
    assert answer.json()["activeDevices"] == 1


async def test_a_viewer_gets_the_file_of_a_machine_that_they_name(
    owner: Owner, stranger: Owner, platform: Platform
) -> None:
    vendor = await open_vendor(owner)
    free, bound = await vendor.issue("NodeLocked"), await vendor.issue("NodeLocked")
    await vendor.validate(bound, BOUND)
    await join(platform, owner, stranger, Role.VIEWER)
    for license_ in (free, bound):
        path = f"/api/licenses/{license_['id']}/file"
        refused = await stranger.send("GET", path)
        assert refused.status_code == (200 if license_ is free else 403)
    named = await stranger.send("GET", path, params={"hardwareId": BOUND})
    claims = json.loads(base64.urlsafe_b64decode(named.text.split(".")[1] + "=="))
    assert claims["hardwareIds"] == [BOUND]
    other = await stranger.send("GET", path, params={"hardwareId": OTHER})
    assert other.status_code == 409
    assert not traces(refused.text + other.text)


async def test_a_license_without_devices_counts_none(owner: Owner) -> None:
    vendor = await open_vendor(owner)
    license_ = await vendor.issue("Perpetual")
    found = await owner.ok("GET", f"/api/licenses/{license_['id']}/counts")
    assert found.items() >= NO_ONE.items()
    assert found["activeDevices"] == 0
