"""A vendor with one of everything, and everybody who may come to its door."""

import json
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from catalog.associations import associate, invite, tied_product, token_of
from catalog.factories import join
from connectors.shops import sign
from leases.borrower import some_lease
from licenses.factories import issue, make_product, product_key
from offline.machine import some_request
from placement_faults import is_of_tenants
from sqlalchemy import text
from testkit import Owner, numbers
from world import Vendor

import licet_server.migrations  # noqa: F401 - registers every table
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.operators import Scope
from licet_server.kit.database import metadata
from licet_server.kit.platform import Platform
from licet_server.worker import work_off_connector_events

NewOwner = Callable[..., Any]

SOME_SCOPES = (Scope.ACTIVATIONS_READ, Scope.LICENSES_READ, Scope.METER_WRITE)
"""Every scope has its own walk, in the tests of API keys."""
PEOPLE = {"admin": Role.ADMIN, "member": Role.MEMBER, "viewer": Role.VIEWER}
SPECIAL = {
    "/associations": {"product_id": "tied_id"},
    "/received-licenses/{license_id}/balance": {"license_id": "received_metered_id"},
    "/received-licenses": {
        "license_id": "received_id",
        "activation_id": "received_activation_id",
        "key_id": "received_enrollment_key_id",
    },
    "/enrollment-keys": {"key_id": "enrollment_key_id"},
    "/api/api-keys/": {"key_id": "api_key_id"},
    "/access-attempts": {"license_id": "bound_id"},
    "/ledger": {"license_id": "metered_id"},
    "/meter": {"license_id": "metered_id"},
    "/convert": {"license_id": "trial_id"},
    "/merge": {"customer_id": "duplicate_id"},
}
"""Parts of paths, and where a name in them stands for something else than usual."""
VOLATILE = {"api_keys": ["last_used_at"], "events": ["salt", "seal", "seal_number"]}
"""Columns that change without anybody having done anything."""
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass
class Tenant:
    """Ids by the names that paths have for them, and the people by their roles.

    `known_to_members` is what everybody in the institution may know, `hidden` what those do not
    who see its product but not its licenses.
    """

    owner: Owner
    ids: dict[str, str]
    license_keys: dict[str, str]
    product_key: str
    people: dict[str, Owner] = field(default_factory=dict)
    api_keys: dict[str, str] = field(default_factory=dict)
    known_to_members: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)

    def url(self, template: str) -> str:
        """A path of the application, with this tenant's ids in it."""
        special = next((names for part, names in SPECIAL.items() if part in template), {})
        return re.sub(r"{(\w+)}", lambda found: self.ids[special.get(found[1], found[1])], template)


async def found_tenant(new_owner: NewOwner, platform: Platform) -> Tenant:
    """Everything that there can be under an institution, and somebody in each role.

    To `member` its product is assigned, to `newcomer` nothing, and to `tester` a release alone,
    on which no license is but one of its own.
    """
    owner: Owner = await new_owner()
    mark = f"Walled{next(numbers)}"
    product = await make_product(owner, name=mark)
    path = f"/api/products/{product['id']}"
    await owner.ok("POST", f"{path}/keys/prepare", {"keySize": 2048})
    feature = await owner.ok("POST", f"{path}/features", {"name": "export"})
    entitlements = {"name": "Standard", "featureNames": []}
    the_set = await owner.ok("POST", f"{path}/entitlement-sets", entitlements)
    template = {"productId": product["id"], "name": "Yearly", "type": "Trial", "durationDays": 30}
    policy = await owner.ok("POST", "/api/policies", template)
    tests = await make_product(owner, name=f"{mark} tests", mode="Test")
    test_clock = await owner.ok("POST", "/api/test-clocks", {"productId": tests["id"]})
    await owner.ok("PUT", f"/api/meter/features/{feature['id']}/pricing", {"tokenCost": 1})
    release = await owner.ok("POST", f"{path}/releases", {"version": "9.0.0", "channel": "Beta"})
    releases = (await owner.ok("GET", f"{path}/releases"))["items"]
    [first_release] = [item["id"] for item in releases if item["id"] != release["id"]]
    upload = {"files": {"file": ("setup.bin", b"bytes")}}
    file = await owner.ok("POST", f"/api/releases/{release['id']}/files", **upload)
    vendor = Vendor(owner, product, {"X-API-KEY": await product_key(owner, product)})
    seats = await vendor.issue("Concurrent")
    bound = await vendor.issue("NodeLocked", deviceBindingMode="AutoBind")
    tokens = await vendor.issue("MeteredToken")
    place = f"/api/licenses/{seats['id']}/enrollment-keys"
    enrollment = await owner.ok("POST", place, {"name": mark})
    activation = (await vendor.activate(seats, "machine-1")).json()
    connect = {"licenseKey": seats["licenseKey"], "hardwareId": "machine-1"}
    session = (await vendor.call("POST", "/api/sessions/connect", connect)).json()
    lease = await some_lease(vendor)
    waiting, offline_text = await some_request(vendor)
    await vendor.validate(bound, "machine-1")
    await vendor.validate(bound, "machine-2")
    [attempt] = await vendor.attempts(bound)
    body = {"name": mark, "email": f"customer@{mark.lower()}.example"}
    customer = await owner.ok("POST", "/api/customers", body)
    body["email"] = f"duplicate@{mark.lower()}.example"
    duplicate = await owner.ok("POST", "/api/customers", body)
    rotated = await owner.ok("POST", f"{path}/credentials/rotate", {})
    invitation = {"email": f"{mark.lower()}@example.com", "role": "Viewer"}
    invitations = f"/api/institutions/{owner.institution_id}/invitations"
    invited = await owner.ok("POST", invitations, invitation)
    made = await owner.ok("POST", "/api/api-keys", {"name": mark, "scopes": list(Scope)})
    wanted = {"url": "https://hooks.example.com/licet", "eventTypes": ["*"], "description": mark}
    webhook = await owner.ok("POST", "/api/webhooks", wanted)
    delivery = await owner.ok("POST", f"/api/webhooks/{webhook['id']}/test")
    async with platform.database.transaction() as db:
        await db.execute(
            text("UPDATE webhook_deliveries SET status = 'Failed', due_at = NULL WHERE id = :id"),
            {"id": delivery["id"]},
        )
    connector = await owner.ok("POST", "/api/connectors", {"kind": "Generic", "name": mark})
    await _sell(owner, connector, platform)
    [order] = (await owner.ok("GET", "/api/orders"))["items"]
    [event] = (await owner.ok("GET", f"/api/connectors/{connector['id']}/events"))["items"]
    view = {"list": "Licenses", "name": mark, "shared": True}
    view = await owner.ok("POST", "/api/views", view)
    domain = f"{mark.lower()}.example"
    # Nobody listens there, so nothing is asked.
    provider = {"issuer": "https://127.0.0.1:1", "clientId": mark, "domains": [domain]}
    await owner.ok("PUT", f"/api/institutions/{owner.institution_id}/sso", provider)
    tenant = Tenant(
        owner,
        {
            "institution_id": owner.institution_id,
            "policy_id": policy["id"],
            "product_id": product["id"],
            "clock_id": test_clock["id"],
            "test_product_id": tests["id"],
            "feature_id": feature["id"],
            "set_id": the_set["id"],
            "release_id": release["id"],
            "file_id": file["id"],
            "license_id": seats["id"],
            "bound_id": bound["id"],
            "metered_id": tokens["id"],
            "customer_id": customer["id"],
            "other_customer_id": tokens["customerId"],
            "duplicate_id": duplicate["id"],
            "trial_id": (await vendor.issue("Trial"))["id"],
            "activation_id": activation["activationId"],
            "session_id": session["sessionId"],
            "attempt_id": attempt["id"],
            "lease_id": lease["leaseId"],
            "request_id": waiting["id"],
            "offline_text": offline_text,
            "key_id": next(item["id"] for item in rotated["keys"]),
            "api_key_id": made["id"],
            "enrollment_key_id": enrollment["id"],
            "enrollment_secret": enrollment["secret"],
            "invitation_id": invited["id"],
            "view_id": view["id"],
            "webhook_id": webhook["id"],
            "delivery_id": delivery["id"],
            "connector_id": connector["id"],
            "event_id": event["id"],
            "order_id": order["id"],
            "sign_in_id": str(uuid.UUID(int=9)),
            "passkey_id": str(uuid.UUID(int=9)),
            "sso_domain": domain,
            "kind": "issued",
            "notification_id": str(uuid.UUID(int=9)),
            **await _associate(owner, new_owner),
        },
        {"seats": seats["licenseKey"], "metered": tokens["licenseKey"]},
        rotated["apiKey"],
        {"owner": owner},
        {"every scope": made["secret"]},
    )
    for name, role in PEOPLE.items():
        tenant.people[name] = await _user(new_owner, name)
        await join(platform, owner, tenant.people[name], role)
    for scope in SOME_SCOPES:
        key = await owner.ok("POST", "/api/api-keys", {"name": scope, "scopes": [scope]})
        tenant.api_keys[scope] = key["secret"]
    await _let_in_with_less(tenant, new_owner, platform)
    leaver = await _user(new_owner, "leaver")
    await join(platform, owner, leaver, Role.VIEWER)
    reports = f"/api/institutions/{owner.institution_id}/order-reports"
    await owner.ok("PUT", f"{reports}/{leaver.user_id}", {"period": "Month"})
    tenant.ids |= {"user_id": leaver.user_id, "key": "export"}
    tenant.known_to_members.add(leaver.user_id)
    tenant.known_to_members |= {owner.institution_id, view["id"]}
    tenant.known_to_members |= {user.user_id for user in tenant.people.values()}
    of_licenses = (
        "clock_id",
        "test_product_id",
        "order_id",
        "customer_id",
        "other_customer_id",
        "license_id",
        "bound_id",
        "metered_id",
        "trial_id",
        "activation_id",
    )
    tenant.hidden |= {tenant.ids[name] for name in of_licenses}
    tenant.hidden |= {first_release, *tenant.license_keys.values()}
    return tenant


async def _sell(owner: Owner, connector: dict[str, Any], platform: Platform) -> None:
    """An order that was canceled before anybody paid for it."""
    data = {"id": connector["name"]}
    now = platform.clock()
    body = {"type": "order.canceled", "timestamp": now.isoformat(), "data": data}
    raw = json.dumps(body).encode()
    secret = connector["signingSecret"]
    headers = sign(ConnectorKind.GENERIC, raw, now, secret, f"msg_{connector['name']}")
    path = f"/api/connectors/{connector['id']}/inbox"
    (await owner.client.post(path, content=raw, headers=headers)).raise_for_status()
    await work_off_connector_events(platform)


async def _associate(owner: Owner, new_owner: NewOwner) -> dict[str, str]:
    """The ids of an association that the owner offers, and of licenses that they received."""
    tied = await tied_product(owner, name=f"Tied{next(numbers)}")
    offered = await invite(owner, tied, email="offered@example.com")
    seller: Owner = await new_owner("vendor")
    product = await tied_product(seller)
    await associate(seller, product, owner)
    vendor = Vendor(seller, product, {"X-API-KEY": await product_key(seller, product)})
    received = {"customerInstitutionId": owner.institution_id}
    seats = await vendor.issue("Concurrent", **received)
    metered = await vendor.issue("MeteredToken", **received)
    activation = (await vendor.activate(seats, "machine-1")).json()
    place = f"/api/licenses/{seats['id']}/enrollment-keys"
    enrollment = await seller.ok("POST", place, {"name": "Received"})
    other = await invite(seller, await tied_product(seller, "Other"), email=owner.email)
    return {
        "tied_id": tied["id"],
        "association_id": offered["id"],
        "association_token": token_of(other),
        "received_id": seats["id"],
        "received_metered_id": metered["id"],
        "received_activation_id": activation["activationId"],
        "received_enrollment_key_id": enrollment["id"],
    }


async def _user(new_owner: NewOwner, name: str) -> Owner:
    """Somebody who belongs to no institution."""
    user: Owner = await new_owner(name)
    await user.ok("DELETE", f"/api/institutions/{user.institution_id}")
    return user


async def _let_in_with_less(tenant: Tenant, new_owner: NewOwner, platform: Platform) -> None:
    hidden = await make_product(tenant.owner, name=f"Hidden{next(numbers)}")
    license_ = await issue(tenant.owner, hidden, "Trial")
    tenant.hidden |= {hidden["id"], license_["id"], license_["licenseKey"]}
    for name in ("newcomer", "tester"):
        user = await _user(new_owner, name)
        await join(platform, tenant.owner, user, Role.MEMBER)
        names = {"person": user.user_id, "owned": tenant.owner.institution_id}
        async with platform.database.transaction() as db:
            await db.execute(
                text("DELETE FROM assigned_products WHERE user_id = :person"),
                {"person": user.user_id},
            )
            if name == "tester":
                every_release = (
                    "INSERT INTO assigned_releases (institution_id, user_id, release_id) "
                    "SELECT institution_id, :person, id FROM releases WHERE id = :release"
                )
                release = {"release": tenant.ids["release_id"]}
                await db.execute(text(every_release), {**names, **release})
        tenant.people[name] = user


WRITTEN_LATER = {"license_requests"}
"""Tables that are written some time after the requests that they are about."""


async def everything_of(platform: Platform, tenant: Tenant) -> dict[str, list[str]]:
    """All rows of an institution by table, as text: to compare, and to look for what leaked."""
    found = {}
    async with platform.database.reading() as db:
        for name, table in metadata.tables.items():
            if not is_of_tenants(table) or name in WRITTEN_LATER:
                continue
            unstable = VOLATILE.get(name, [])
            rows = await db.execute(
                text(
                    f"SELECT (to_jsonb(t) - CAST(:unstable AS text[]))::text FROM {name} t "
                    "WHERE institution_id = :one"
                ),
                {"one": tenant.owner.institution_id, "unstable": unstable},
            )
            found[name] = sorted(rows.scalars())
    return found


async def count_events(platform: Platform, tenant: Tenant | None) -> int:
    """Return how many entries the audit log of the institution has, or without one all logs."""
    async with platform.database.reading() as db:
        found = await db.execute(
            text(
                "SELECT count(*) FROM events WHERE institution_id = coalesce(:one, institution_id)"
            ),
            {"one": None if tenant is None else tenant.owner.institution_id},
        )
        return int(found.scalar_one())


def marks_in(rows: dict[str, list[str]]) -> set[str]:
    """The ids that stand in these rows."""
    return set(_UUID.findall("\n".join(line for lines in rows.values() for line in lines)))
