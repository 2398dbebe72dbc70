"""The table *route x caller*: what each caller gets, derived from what the routes declare."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from licenses.factories import FUTURE
from litestar.handlers import HTTPRouteHandler
from testkit import FakeClock
from walls.tenant import Tenant

from licet_server.app import Application
from licet_server.catalog.access import ProductKey
from licet_server.identity.access import SystemAdmin, UserOnly
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import (
    EndUser,
    InstitutionRole,
    MaybeSignedIn,
)
from licet_server.institutions.rules.operators import Scope
from licet_server.kit.web.access import Anonymous, declared_access

Body = Callable[[Tenant], dict[str, Any]]


@dataclass(frozen=True)
class Route:
    """A route, and who may call it."""

    method: str
    template: str
    access: Any

    @property
    def name(self) -> str:
        return f"{self.method} {self.template}"

    @property
    def names_a_thing(self) -> bool:
        return "{" in self.template or self.name in BY_BODY


def closed_routes(application: Application) -> Iterator[Route]:
    for route in routes(application):
        if not isinstance(route.access, (Anonymous, MaybeSignedIn)):
            yield route


def open_routes(application: Application) -> Iterator[Route]:
    for route in routes(application):
        if isinstance(route.access, (Anonymous, MaybeSignedIn)):
            yield route


def routes(application: Application) -> Iterator[Route]:
    for route in application.litestar.routes:
        for handler in getattr(route, "route_handlers", []):
            if not isinstance(handler, HTTPRouteHandler):
                continue
            for method in handler.http_methods - {"OPTIONS"}:
                yield Route(method, route.path_format, declared_access(handler))


CREDENTIAL = {
    "id": "AAAA",
    "rawId": "AAAA",
    "response": {"clientDataJSON": "e30", "attestationObject": "oA"},
}
"""Of no authenticator."""

BODIES: dict[str, Body] = {
    "POST /api/products": lambda tenant: {
        "institutionId": tenant.ids["institution_id"],
        "name": "Another",
        "initialVersion": "1.0.0",
    },
    "PUT /api/products/{product_id}": lambda _: {"description": "Changed"},
    "POST /api/products/{product_id}/keys/generate": lambda _: {"keySize": 2048},
    "POST /api/products/{product_id}/keys/prepare": lambda _: {"keySize": 2048},
    "POST /api/products/{product_id}/test-copy": lambda _: {},
    "POST /api/products/{product_id}/credentials/rotate": lambda _: {},
    "POST /api/products/{product_id}/releases": lambda _: {"version": "7.0.0"},
    "PUT /api/releases/{release_id}": lambda _: {"notes": "Changed"},
    "POST /api/products/{product_id}/features": lambda _: {"name": "another"},
    "PUT /api/features/{feature_id}": lambda _: {"description": "Changed"},
    "POST /api/products/{product_id}/associations": lambda _: {"email": "another@example.com"},
    "POST /api/associations/accept": lambda tenant: {"token": tenant.ids["association_token"]},
    "POST /api/products/{product_id}/entitlement-sets": lambda _: {
        "name": "Another",
        "featureNames": [],
    },
    "PUT /api/entitlement-sets/{set_id}": lambda _: {"name": "Changed"},
    "POST /api/policies": lambda tenant: {
        "productId": tenant.ids["product_id"],
        "name": "Another",
        "type": "Perpetual",
    },
    "PUT /api/policies/{policy_id}": lambda _: {"name": "Changed"},
    "POST /api/test-clocks": lambda tenant: {"productId": tenant.ids["test_product_id"]},
    "POST /api/test-clocks/{clock_id}/advance": lambda _: {"days": 1},
    "POST /api/policies/{policy_id}/apply": lambda _: {"all": True, "dryRun": False},
    "POST /api/licenses": lambda tenant: {
        "productId": tenant.ids["product_id"],
        "type": "Trial",
        "licenseName": "Another",
        "issuedTo": "customer@example.com",
        "expirationDate": FUTURE,
    },
    "POST /api/licenses/batch": lambda tenant: {
        "productId": tenant.ids["product_id"],
        "type": "Perpetual",
        "licenseName": "Another",
        "count": 2,
    },
    "POST /api/products/{product_id}/import": lambda _: {
        "columns": ["licenseKey"],
        "rows": [["CARRIED-OVER-1"]],
    },
    "POST /api/customers": lambda tenant: {
        "institutionId": tenant.ids["institution_id"],
        "name": "Another",
        "email": "another@example.com",
    },
    "PUT /api/customers/{customer_id}": lambda _: {"company": "Changed"},
    "POST /api/customers/{customer_id}/notes": lambda _: {"note": "Noted"},
    "POST /api/customers/{customer_id}/merge": lambda tenant: {
        "intoId": tenant.ids["other_customer_id"]
    },
    "POST /api/customers/{customer_id}/erase": lambda _: {"licenses": "Keep"},
    "PUT /api/products/{product_id}/mail-templates/{kind}": lambda _: {"automatic": True},
    "POST /api/products/{product_id}/mail-templates/{kind}/preview": lambda _: {},
    "POST /api/products/{product_id}/mail-templates/{kind}/test": lambda _: {},
    "PUT /api/institutions/{institution_id}/mail-templates/{kind}": lambda _: {"automatic": True},
    "POST /api/institutions/{institution_id}/mail-templates/{kind}/preview": lambda _: {},
    "POST /api/institutions/{institution_id}/mail-templates/{kind}/test": lambda _: {},
    "POST /api/licenses/{license_id}/send": lambda _: {"kind": "Issued"},
    "PUT /api/licenses/{license_id}": lambda _: {"notes": "Changed"},
    "POST /api/licenses/{license_id}/convert": lambda _: {"type": "Perpetual"},
    "POST /api/licenses/{license_id}/notes": lambda _: {"note": "Noted"},
    "POST /api/licenses/{license_id}/explain": lambda _: {},
    "POST /api/licenses/{license_id}/revoke": lambda _: {},
    "POST /api/licenses/{license_id}/suspend": lambda _: {},
    "PUT /api/licenses/{license_id}/meter-settings": lambda _: {"lowBalanceThreshold": 1},
    "POST /api/meter/grant": lambda tenant: {"licenseId": tenant.ids["metered_id"], "amount": 1},
    "POST /api/meter/adjust": lambda tenant: {
        "licenseId": tenant.ids["metered_id"],
        "amount": 1,
        "reason": "A correction",
    },
    "POST /api/licenses/bulk": lambda tenant: {
        "ids": [tenant.ids["license_id"]],
        "action": "suspend",
    },
    "POST /api/meter/reconcile": lambda tenant: {"licenseId": tenant.ids["metered_id"]},
    "PUT /api/meter/features/{feature_id}/pricing": lambda _: {"tokenCost": 2},
    "POST /api/api-keys": lambda tenant: {
        "institutionId": tenant.ids["institution_id"],
        "name": "Another",
        "scopes": ["Licenses.Read"],
    },
    "POST /api/webhooks": lambda tenant: {
        "institutionId": tenant.ids["institution_id"],
        "url": "https://hooks.example.com/another",
        "eventTypes": ["license.*"],
    },
    "PUT /api/webhooks/{webhook_id}": lambda _: {"description": "Changed"},
    "POST /api/connectors": lambda tenant: {
        "institutionId": tenant.ids["institution_id"],
        "kind": "Generic",
        "name": "Another",
    },
    "PUT /api/connectors/{connector_id}": lambda _: {"name": "Changed"},
    "POST /api/connectors/{connector_id}/rules": lambda tenant: {
        "match": {"product": "another"},
        "policyId": tenant.ids["policy_id"],
    },
    "POST /api/connectors/{connector_id}/rotate-secret": lambda _: {},
    "PUT /api/institutions/{institution_id}/order-reports/{user_id}": lambda _: {"period": "Week"},
    "POST /api/institutions/{institution_id}/order-reports": lambda _: {
        "email": "another@example.com",
        "period": "Week",
    },
    "POST /api/institutions/{institution_id}/order-reports/send": lambda _: {"period": "Week"},
    "PUT /api/orders/{order_id}": lambda _: {"email": "buyer@example.com"},
    "POST /api/views": lambda tenant: {
        "institutionId": tenant.ids["institution_id"],
        "list": "Licenses",
        "name": "Another",
    },
    "PUT /api/views/{view_id}": lambda _: {"name": "Changed"},
    "PUT /api/institutions/{institution_id}/appearance": lambda _: {"welcome": "Changed"},
    "PUT /api/institutions/{institution_id}": lambda _: {"name": "Changed"},
    "PUT /api/institutions/{institution_id}/settings": lambda _: {"runtimeRateLimit": 100_000},
    "PUT /api/institutions/{institution_id}/members/{user_id}": lambda _: {"role": "Member"},
    "POST /api/institutions/{institution_id}/invitations": lambda _: {
        "email": "another@example.com",
        "role": "Viewer",
    },
    "PUT /api/institutions/{institution_id}/plan": lambda _: {"plan": "Pro"},
    "POST /api/institutions": lambda _: {"name": "Another"},
    "PUT /api/notifications/preferences": lambda _: {"LowBalance": {"email": False}},
    "PUT /api/auth/me": lambda _: {"fullName": "Changed"},
    "POST /api/auth/password": lambda _: {"currentPassword": "wrong one", "newPassword": "x" * 9},
    "PUT /api/users/{user_id}": lambda _: {"disabled": False},
    "POST /api/auth/step-up": lambda _: {"password": "wrong one"},
    "PUT /api/institutions/{institution_id}/sso": lambda _: {"roleClaim": "groups"},
    "POST /api/institutions/{institution_id}/sso/domains/email": lambda tenant: {
        "domain": tenant.ids["sso_domain"],
        "email": f"admin@{tenant.ids['sso_domain']}",
    },
    "POST /api/institutions/{institution_id}/sso/domains/confirm": lambda tenant: {
        "domain": tenant.ids["sso_domain"]
    },
    "POST /api/auth/accept-invitation": lambda _: {"token": "of no invitation"},
    "POST /api/auth/passkeys/register": lambda _: {"name": "Another", "credential": CREDENTIAL},
    "POST /api/auth/totp/confirm": lambda _: {"otpCode": "000000"},
    "DELETE /api/auth/totp": lambda _: {"otpCode": "000000"},
    "POST /api/licenses/validate": lambda tenant: {
        "licenseKey": tenant.license_keys["seats"],
        "nonce": "walls",
        "signed": True,
    },
    "POST /api/licenses/validate-many": lambda tenant: {
        "requests": [{"licenseKey": key} for key in tenant.license_keys.values()]
    },
    "POST /ofrep/v1/evaluate/flags": lambda tenant: {
        "context": {"licenseKey": tenant.license_keys["seats"], "hardwareId": "machine-1"}
    },
    "POST /ofrep/v1/evaluate/flags/{key}": lambda tenant: {
        "context": {"licenseKey": tenant.license_keys["seats"], "hardwareId": "machine-1"}
    },
    "POST /api/licenses/refresh": lambda tenant: {
        "licenseKey": tenant.license_keys["seats"],
        "hardwareId": "machine-1",
    },
    "POST /api/activations": lambda tenant: {
        "licenseKey": tenant.license_keys["seats"],
        "hardwareId": "machine-1",
    },
    "POST /api/activations/enroll": lambda tenant: {
        "enrollmentKey": tenant.ids["enrollment_secret"],
        "hardwareId": "machine-2",
    },
    "POST /api/activations/{activation_id}/release": lambda tenant: {
        "licenseKey": tenant.license_keys["seats"],
        "hardwareId": "machine-1",
    },
    "POST /api/licenses/{license_id}/enrollment-keys": lambda _: {"name": "Another"},
    "POST /api/received-licenses/{license_id}/enrollment-keys": lambda _: {"name": "Another"},
    "POST /api/portal/licenses/{license_id}/enrollment-keys": lambda _: {"name": "Another"},
    "DELETE /api/activations/current": lambda tenant: {
        "licenseKey": tenant.license_keys["seats"],
        "hardwareId": "machine-1",
    },
    "POST /api/sessions/connect": lambda tenant: {
        "licenseKey": tenant.license_keys["seats"],
        "hardwareId": "machine-1",
    },
    "POST /api/sessions/heartbeat": lambda tenant: {"sessionId": tenant.ids["session_id"]},
    "POST /api/sessions/disconnect": lambda tenant: {"sessionId": tenant.ids["session_id"]},
    "POST /api/leases": lambda tenant: {
        "licenseKey": tenant.license_keys["seats"],
        "hardwareId": "machine-1",
        "days": 1,
        "idempotencyKey": "walls",
    },
    "POST /api/leases/{lease_id}/renew": lambda _: {
        "seq": 1,
        "days": 1,
        "idempotencyKey": "walls",
    },
    "POST /api/leases/{lease_id}/report": lambda _: {"receipt": "walls", "journal": []},
    "POST /api/leases/{lease_id}/return": lambda _: {"receipt": "walls"},
    "POST /api/offline/requests": lambda tenant: {"request": tenant.ids["offline_text"]},
    "POST /api/offline/requests/answer": lambda tenant: {"request": tenant.ids["offline_text"]},
    "POST /api/licenses/{license_id}/offline": lambda tenant: {
        "request": tenant.ids["offline_text"]
    },
    "POST /api/meter/consume": lambda tenant: {
        "licenseKey": tenant.license_keys["metered"],
        "featureName": "export",
        "idempotencyKey": "walls",
    },
    "POST /api/telemetry": lambda tenant: {
        "licenseKey": tenant.license_keys["seats"],
        "hardwareId": "machine-1",
        "events": [{"name": "walls", "occurredAt": FakeClock.START.isoformat()}],
    },
}
"""A body that does something; a route that takes one and is not here fails the test."""

FORM = (
    b'--edge\r\nContent-Disposition: form-data; name="file"; filename="another.bin"\r\n\r\n'
    b"bytes\r\n--edge--\r\n"
)
IMAGE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a49444154789c6360000000020001e221bc330000000049454e44ae426082"
)

RAW_BODIES: dict[str, tuple[str, bytes]] = {
    "POST /api/releases/{release_id}/files": ("multipart/form-data; boundary=edge", FORM),
    "PUT /api/products/{product_id}/image": ("image/png", IMAGE),
    "PUT /api/institutions/{institution_id}/logo": ("image/png", IMAGE),
}
"""The same for bodies that are no JSON, with their content types."""

BY_BODY = {
    "POST /api/products": 400,
    "POST /api/licenses": 400,
    "POST /api/api-keys": 400,
    "POST /api/webhooks": 400,
    "POST /api/connectors": 400,
    "POST /api/views": 400,
    "POST /api/test-clocks": 404,
    "POST /api/meter/grant": 404,
    "POST /api/meter/adjust": 404,
    "POST /api/meter/reconcile": 404,
}
"""Routes whose body names their target, and the refusal for a target that is not visible."""

ENDLESS = {"GET /api/notifications/stream"}
"""Routes whose answers do not end for whoever is let in."""

IN_QUERY: dict[str, Callable[[Tenant], dict[str, str]]] = {
    "GET /api/meter/balance": lambda tenant: {"licenseKey": tenant.license_keys["metered"]},
    "GET /api/search": lambda _: {"q": "Walled"},
    "GET /api/activations": lambda tenant: {
        "licenseKey": tenant.license_keys["seats"],
        "hardwareId": "machine-1",
    },
    "GET /api/updates/latest": lambda tenant: {
        "channel": "Beta",
        "licenseKey": tenant.license_keys["seats"],
    },
}

OF_OTHERS = {
    "DELETE /api/institutions/{institution_id}/members/{user_id}": Role.ADMIN,
    "PUT /api/institutions/{institution_id}/order-reports/{user_id}": Role.ADMIN,
    "DELETE /api/institutions/{institution_id}/order-reports/{user_id}": Role.ADMIN,
    "PUT /api/views/{view_id}": Role.ADMIN,
    "DELETE /api/views/{view_id}": Role.ADMIN,
}
"""Routes that all users have for themselves, and the role that they need for others."""

OF_INSTITUTIONS = (
    "/api/institutions",
    "/api/api-keys",
    "/api/users",
    "/api/views",
    "/api/webhook",
    "/api/connector",
)
NOT_OF_PRODUCTS = ("/api/received-licenses/", "/api/customers/", "/api/orders/")
"""Owners, Admins and Viewers see what belongs to no product; Members do not."""
UNDER_A_LICENSE = {
    "license_id",
    "activation_id",
    "session_id",
    "attempt_id",
    "lease_id",
    "request_id",
}


class Level(StrEnum):
    """How much of a tenant must be visible for the target of a route to be visible."""

    INSTITUTION = "institution"
    PRODUCT = "product"
    LICENSE = "license"


def level_of(route: Route) -> Level:
    names = set(re.findall(r"{(\w+)}", route.template))
    if route.template.startswith(OF_INSTITUTIONS):
        return Level.INSTITUTION
    if names & UNDER_A_LICENSE or (route.template.startswith("/api/meter/") and not names):
        return Level.LICENSE
    if route.template == "/api/products/{product_id}/telemetry":
        return Level.LICENSE  # it tells of all of them
    if "/associations" in route.template or route.template.startswith("/api/test-clocks"):
        return Level.LICENSE  # of a product of their own, which no release stands for
    return Level.INSTITUTION if route.name == "POST /api/products" else Level.PRODUCT


@dataclass(frozen=True)
class Caller:
    """A caller with a credential, and their role in the tenant that is requested, or elsewhere."""

    name: str
    headers: dict[str, str]
    role: Role | None = None
    sees: frozenset[Level] = frozenset(Level)
    scopes: tuple[Scope, ...] | None = None
    is_system_admin: bool = False
    product_key: str | None = None
    is_known: bool = True
    elsewhere: Role | None = None


ADMITTED = 200
VERDICTS = {
    "/api/licenses/validate",
    "/api/licenses/validate-many",
    "/ofrep/v1/evaluate/flags",
}
"""Routes that respond to an unknown license with a verdict."""


UNKNOWN = {"/api/activations/enroll": 401}
"""The refusal of what is not known, where it is a credential."""


def expected(route: Route, caller: Caller) -> int:
    """The status, where 200 stands for whatever an admitted caller gets."""
    if isinstance(route.access, ProductKey):
        if caller.product_key == "other":
            return ADMITTED if route.template in VERDICTS else UNKNOWN.get(route.template, 404)
        return ADMITTED if caller.product_key == "own" else 401
    if not caller.is_known or caller.product_key is not None:
        return 401
    if caller.scopes is not None and not _is_in_scope(
        getattr(route.access, "scopes", ()), caller.scopes
    ):
        return 403
    if isinstance(route.access, SystemAdmin):
        return ADMITTED if caller.is_system_admin else 403
    if isinstance(route.access, InstitutionRole):
        return _by_role(route, caller)
    assert isinstance(route.access, UserOnly), route.name
    # The licenses of tenants are issued to somebody who is none of the callers.
    return 404 if isinstance(route.access, EndUser) and route.names_a_thing else ADMITTED


def _is_in_scope(fitting: tuple[Scope, ...], held: tuple[Scope, ...]) -> bool:
    return any(item in held or item.replace("Read", "Write") in held for item in fitting)


def _by_role(route: Route, caller: Caller) -> int:
    needed = OF_OTHERS.get(route.name, route.access.needed)
    best = caller.role or caller.elsewhere
    if route.method in {"POST", "PUT"} and (best is None or not best.covers(route.access.needed)):
        return 403  # whatever the path and the body name
    if caller.role is None:
        if route.names_a_thing:
            return BY_BODY.get(route.name, 404)
        return ADMITTED if caller.elsewhere or route.access.needed is Role.VIEWER else 403
    is_of_none = route.names_a_thing and route.template.startswith(NOT_OF_PRODUCTS)
    if is_of_none and caller.role is Role.MEMBER:
        return 404
    if route.names_a_thing and level_of(route) not in caller.sees:
        return BY_BODY.get(route.name, 404)
    return ADMITTED if caller.role.covers(needed) else 403
