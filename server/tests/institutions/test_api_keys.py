"""API keys: what they allow, for how long, from where, and never more than their creator."""

import uuid
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

import httpx
import pytest
from catalog.factories import join
from institutions.members import outcome
from licenses.factories import issue, license_body, make_product
from litestar.handlers import HTTPRouteHandler
from sqlalchemy import text
from testkit import FakeClock, Owner, client_of
from world import World

from licet_server.app import Application
from licet_server.identity.access import UserOnly
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.operators import Scope
from licet_server.institutions.service.api_keys import institution_of_api_token
from licet_server.kit.platform import Platform
from licet_server.kit.web.access import declared_access

PATH = "/api/api-keys"
ALL = [scope.value for scope in Scope]


async def make_key(owner: Owner, *scopes: str, **fields: Any) -> dict[str, Any]:
    body = {"name": "CI", "scopes": list(scopes or ALL), **fields}
    return dict(await owner.ok("POST", PATH, body))


async def use(
    client: httpx.AsyncClient, secret: str, method: str, path: str, body: Any = None
) -> httpx.Response:
    headers = {"authorization": f"Bearer {secret}"}
    return await client.request(method, path, json=body, headers=headers)


UNAUTHORIZED, FORBIDDEN = (401, "Unauthorized"), (403, "Forbidden")


@pytest.mark.specification("auth.api-key")
async def test_the_secret_is_shown_once(owner: Owner, platform: Platform) -> None:
    made = await make_key(owner, "Licenses.Read", description="For the *build*")
    assert made["secret"].startswith("licet_ak_")
    assert len(made["secret"].split(".")) == 3
    listed = (await owner.ok("GET", PATH))["items"]
    assert listed == [{key: value for key, value in made.items() if key != "secret"}]
    file = await owner.send("GET", PATH, headers={"accept": "text/csv"})
    assert made["id"] in file.text
    assert "licet_ak_" not in file.text
    assert made["scopes"] == ["Licenses.Read"]
    assert (made["lastUsedAt"], made["revokedAt"], made["expirationDate"]) == (None, None, None)
    async with platform.database.reading() as db:
        stored = await db.execute(
            text("SELECT CAST(k AS text) FROM api_keys k WHERE id = :id"), {"id": made["id"]}
        )
        assert made["secret"] not in stored.scalar_one()


async def test_a_secret_is_recognized_whatever_its_signature(owner: Owner) -> None:
    """One signature in 256 begins like a JSON object."""
    head, claims, _ = (await make_key(owner))["secret"].split(".")
    for signature in (b"{" + bytes(31), b"[" + bytes(31), bytes(32)):
        token = f"{head}.{claims}.{urlsafe_b64encode(signature).decode().rstrip('=')}"
        assert institution_of_api_token(token) == UUID(owner.institution_id)


async def test_api_key_works_within_its_scopes(owner: Owner) -> None:
    product = await make_product(owner)
    made = await issue(owner, product)
    key = await make_key(owner, "Licenses.Read", "Products.Write")
    client, path = owner.client, f"/api/licenses/{made['id']}"
    assert (await use(client, key["secret"], "GET", path)).json()["id"] == made["id"]
    assert outcome(await use(client, key["secret"], "POST", f"{path}/revoke")) == FORBIDDEN
    new = license_body(product)
    assert outcome(await use(client, key["secret"], "POST", "/api/licenses", new)) == FORBIDDEN
    # Write scopes include read scopes.
    of_product = f"/api/products/{product['id']}"
    assert (await use(client, key["secret"], "GET", of_product)).is_success
    renamed = {"name": "Renamed by a key"}
    assert (await use(client, key["secret"], "PUT", of_product, renamed)).is_success
    audit = f"/api/institutions/{owner.institution_id}/audit?kind=product.updated"
    [entry] = (await owner.ok("GET", audit))["items"]
    assert (entry["actorKind"], entry["actorId"], entry["actorName"]) == ("ApiKey", key["id"], "CI")


async def test_user_only_routes_refuse_api_keys(owner: Owner) -> None:
    key = await make_key(owner)
    for method, path in (
        ("GET", PATH),
        ("POST", PATH),
        ("GET", "/api/auth/me"),
        ("GET", f"/api/institutions/{owner.institution_id}/overview"),
        ("POST", "/api/institutions"),
        ("GET", f"/api/institutions/{owner.institution_id}/settings"),
    ):
        body: dict[str, object] | None = {} if method == "POST" else None
        assert outcome(await use(owner.client, key["secret"], method, path, body)) == FORBIDDEN


@pytest.mark.specification("auth.api-key-revoked", "auth.api-key", "auth.api-key-hardening")
async def test_a_key_expires_or_is_revoked(owner: Owner, clock: FakeClock) -> None:
    brief = await make_key(owner, expirationDate="2030-01-15T12:10:00Z")
    revoked, rotated = await make_key(owner), await make_key(owner)
    for key in (brief, revoked, rotated):
        assert (await use(owner.client, key["secret"], "GET", "/api/licenses")).is_success
    await owner.ok("DELETE", f"{PATH}/{revoked['id']}")
    await owner.ok("DELETE", f"{PATH}/{revoked['id']}")
    fresh = await owner.ok("POST", f"{PATH}/{rotated['id']}/rotate")
    assert fresh["id"] == rotated["id"]
    clock.advance(minutes=10)
    for secret in (brief["secret"], revoked["secret"], rotated["secret"]):
        assert outcome(await use(owner.client, secret, "GET", "/api/licenses")) == UNAUTHORIZED
    assert (await use(owner.client, fresh["secret"], "GET", "/api/licenses")).is_success
    for key in (brief, revoked):
        assert (await owner.send("POST", f"{PATH}/{key['id']}/rotate")).status_code == 409
    items = {item["id"]: item for item in (await owner.ok("GET", PATH))["items"]}
    assert items[revoked["id"]]["revokedAt"] == "2030-01-15T12:00:00Z"
    assert items[rotated["id"]]["lastUsedAt"] == "2030-01-15T12:10:00Z"


@pytest.mark.specification("auth.api-key-hardening")
@pytest.mark.parametrize(
    ("allowed", "address", "admitted"),
    [
        (["203.0.113.7"], "203.0.113.7", True),
        (["203.0.113.0/24", "2001:db8::/32"], "203.0.113.200", True),
        (["203.0.113.0/24", "2001:db8::/32"], "2001:db8::7", True),
        (["203.0.113.0/24"], "::ffff:203.0.113.9", True),
        (["203.0.113.0/24"], "203.0.114.1", False),
        (["203.0.113.0/24"], "2001:db8::7", False),
    ],
)
async def test_only_from_allowed_addresses(
    owner: Owner, application: Application, allowed: list[str], address: str, admitted: bool
) -> None:
    key = await make_key(owner, ipAllowList=allowed, confirm=True)
    assert key["ipAllowList"] == allowed
    async with client_of(application, address) as client:
        answer = await use(client, key["secret"], "GET", "/api/licenses")
    assert outcome(answer) == ((200, None) if admitted else FORBIDDEN)


async def test_a_list_without_the_callers_address_needs_to_be_confirmed(owner: Owner) -> None:
    body = {"name": "CI", "scopes": ["Licenses.Read"], "ipAllowList": ["203.0.113.7"]}
    refused = await owner.send("POST", PATH, body)
    assert outcome(refused) == (400, "InvalidRequest")
    [error] = refused.json()["errors"]
    assert error["field"] == "ipAllowList"
    address = (await owner.ok("GET", f"/api/institutions/{owner.institution_id}/settings"))[
        "callerAddress"
    ]
    assert address in error["message"]
    assert "confirm: true" in error["message"]
    assert (await owner.ok("GET", PATH))["items"] == []
    await owner.ok("POST", PATH, {**body, "confirm": True})
    await owner.ok("POST", PATH, {**body, "ipAllowList": ["203.0.113.7", address]})


async def test_scopes_of_connectors_members_and_the_audit_log(owner: Owner) -> None:
    institution = f"/api/institutions/{owner.institution_id}"
    made = await issue(owner, await make_product(owner), "NodeLocked")
    paths = {
        "Connectors.Read": ["/api/connectors", "/api/orders"],
        "Members.Read": [f"{institution}/members", f"{institution}/invitations"],
        "Audit.Read": [f"{institution}/audit"],
        "Activations.Read": [f"/api/licenses/{made['id']}/access-attempts"],
        "Customers.Read": ["/api/orders"],
    }
    for scope, opened in paths.items():
        key = await make_key(owner, scope)
        for path in {item for items in paths.values() for item in items}:
            answer = await use(owner.client, key["secret"], "GET", path)
            assert outcome(answer) == ((200, None) if path in opened else FORBIDDEN), path
    connector = {"kind": "Generic", "name": "Shop"}
    invitation = {"email": "guest@example.com", "role": "Viewer"}
    for scope, path, body in (
        ("Connectors", "/api/connectors", connector),
        ("Members", f"{institution}/invitations", invitation),
    ):
        reading = await make_key(owner, f"{scope}.Read")
        writing = await make_key(owner, f"{scope}.Write")
        assert outcome(await use(owner.client, reading["secret"], "POST", path, body)) == FORBIDDEN
        answer = await use(owner.client, writing["secret"], "POST", path, body)
        assert answer.status_code == 201, answer.text
        assert (await use(owner.client, writing["secret"], "GET", path)).is_success


async def test_the_key_of_an_owner_makes_no_owner(
    owner: Owner, new_owner: Callable[..., Any], platform: Platform
) -> None:
    institution = f"/api/institutions/{owner.institution_id}"
    viewer, other = await new_owner("Viewer"), await new_owner("Other")
    await join(platform, owner, viewer, Role.VIEWER)
    await join(platform, owner, other, Role.OWNER)
    pending = {}
    for role in ("Owner", "Viewer"):
        body = {"email": f"{role}@example.com".lower(), "role": role}
        pending[role] = await owner.ok("POST", f"{institution}/invitations", body)
        assert pending[role]["acceptUrl"]
    secret = (await make_key(owner, "Members.Write"))["secret"]
    of_viewer = f"{institution}/members/{viewer.user_id}"
    for method, path, sent in (
        ("PUT", of_viewer, {"role": "Owner"}),
        ("PUT", f"{institution}/members/{other.user_id}", {"role": "Viewer"}),
        ("DELETE", f"{institution}/members/{other.user_id}", None),
        ("DELETE", f"{institution}/members/{owner.user_id}", None),
        ("POST", f"{institution}/invitations", {"email": "a@example.com", "role": "Owner"}),
        ("POST", f"{institution}/invitations/{pending['Owner']['id']}/resend", {}),
        ("DELETE", f"{institution}/invitations/{pending['Owner']['id']}", None),
    ):
        answer = await use(owner.client, secret, method, path, sent)
        assert outcome(answer) == FORBIDDEN, (method, path)
    reading = (await make_key(owner, "Members.Read"))["secret"]
    for key, shown in ((secret, {"Viewer"}), (reading, set[str]())):
        listed = (await use(owner.client, key, "GET", f"{institution}/invitations")).json()["items"]
        assert {item["role"] for item in listed if item["acceptUrl"]} == shown
    assert (await use(owner.client, secret, "PUT", of_viewer, {"role": "Admin"})).is_success
    assert (await use(owner.client, secret, "DELETE", of_viewer)).is_success


async def test_api_key_has_no_more_access_than_its_creator(
    world: World, new_owner: Callable[..., Any]
) -> None:
    maker = await new_owner("Maker")
    given = {"i": world.owner.institution_id, "u": maker.user_id}

    async def execute(statement: str) -> None:
        async with world.platform.database.transaction() as db:
            await db.execute(text(statement), given)

    await execute(
        "INSERT INTO memberships (institution_id, user_id, role, created_at) "
        "VALUES (:i, :u, 'Admin', '2031-01-01T00:00:00Z')"
    )
    key = await make_key(maker, institutionId=world.owner.institution_id)
    path = f"/api/products/{world.product['id']}"
    change = {"description": "By a key"}
    assert (await use(world.owner.client, key["secret"], "PUT", path, change)).is_success
    of_makers_own = await make_product(maker, name="Their own")
    other = await use(
        world.owner.client, key["secret"], "GET", f"/api/products/{of_makers_own['id']}"
    )
    assert outcome(other) == (404, "NotFound")
    where = " WHERE institution_id = :i AND user_id = :u"
    await execute("UPDATE memberships SET role = 'Viewer'" + where)
    assert outcome(await use(world.owner.client, key["secret"], "PUT", path, change)) == FORBIDDEN
    assert (await use(world.owner.client, key["secret"], "GET", path)).is_success
    await execute("DELETE FROM memberships" + where)
    assert outcome(await use(world.owner.client, key["secret"], "GET", path)) == UNAUTHORIZED


async def test_a_read_scope_does_not_bind_a_machine(owner: Owner) -> None:
    made = await issue(owner, await make_product(owner), "NodeLocked")
    path = f"/api/licenses/{made['id']}/file"
    reading, writing = await make_key(owner, "Licenses.Read"), await make_key(owner)
    bind = f"{path}?hardwareId=machine-1"
    assert outcome(await use(owner.client, reading["secret"], "GET", bind)) == FORBIDDEN
    assert (await use(owner.client, reading["secret"], "GET", path)).is_success
    assert (await use(owner.client, writing["secret"], "GET", bind)).is_success


async def test_edited_and_foreign_tokens_are_refused(owner: Owner) -> None:
    secret = (await make_key(owner))["secret"]
    header, payload, signature = secret.split(".")
    for wrong in (
        f"{header}.{payload}.",
        f"{header}.{payload}.{signature[:-1]}{'A' if signature[-1] != 'A' else 'B'}",
        f"{header}.{payload[:-2]}.{signature}",
        f"{header}.{payload}.{signature}.{signature}",
        f"{header}..{signature}",
        secret[:-1],
        secret.removeprefix("licet_ak_"),
        f"licet_ak_{secret}",
        "licet_ak_",
        secret + "x" * 10_000,
        "..",
        "e30.e30.e30",
        "e3t7e3t7.e30.e30",
        "eyJ0eXAiOiJhayt0d3QifQ.e3t7.e30",
        f"{header}.e30.{signature}",
        f"{header}.e3t7.{signature}",
    ):
        answer = await use(owner.client, wrong, "GET", "/api/licenses")
        assert outcome(answer) == UNAUTHORIZED, wrong[:80]


async def test_bad_keys_are_refused(owner: Owner) -> None:
    good = {"name": "CI", "scopes": ["Licenses.Read"]}
    for field, value in (
        ("name", ""),
        ("name", "x" * 10_000),
        ("scopes", []),
        ("scopes", ["Licenses.Everything"]),
        ("scopes", ["licenses.read"]),
        ("scopes", "Licenses.Read"),
        ("expirationDate", "2030-01-15T11:59:59Z"),
        ("ipAllowList", ["somewhere"]),
        ("ipAllowList", ["203.0.113.7/24"]),
        ("ipAllowList", ["203.0.113.0/33"]),
        ("ipAllowList", ["10.0.0.1"] * 101),
        ("institutionId", "01b92571-ea00-7032-a7e8-1d0429f5abbb"),
        ("secret", "mine"),
    ):
        answer = await owner.send("POST", PATH, {**good, field: value})
        assert outcome(answer) == (400, "InvalidRequest"), (field, value)
        assert answer.json()["errors"][0]["field"].startswith(field)
    assert (await owner.ok("GET", PATH))["items"] == []


def routes_with_scopes(application: Application) -> list[tuple[str, str, tuple[Scope, ...]]]:
    return [
        (method, route.path_format, getattr(access, "scopes", ()))
        for route in application.litestar.routes
        for handler in getattr(route, "route_handlers", [])
        if isinstance(handler, HTTPRouteHandler)
        for method in handler.http_methods
        if method != "OPTIONS" and isinstance(access := declared_access(handler), UserOnly)
    ]


@pytest.mark.specification("auth.api-key")
async def test_every_route_requires_its_scope(owner: Owner, application: Application) -> None:
    """A key with all other scopes is refused; one with the route's scope is not."""
    keys: dict[frozenset[str], str] = {}

    async def key_with(scopes: Iterable[str]) -> str:
        wanted = frozenset(scopes)
        if wanted not in keys:
            keys[wanted] = (await make_key(owner, *wanted))["secret"]
        return keys[wanted]

    walked = 0
    for method, template, fitting in routes_with_scopes(application):
        path = template
        while "{" in path:
            path = f"{path[: path.index('{')]}{uuid.UUID(int=1)}{path[path.index('}') + 1 :]}"
        body: dict[str, object] | None = {} if method in {"POST", "PUT"} else None
        writing = {item.replace(".Read", ".Write") for item in fitting}
        opening = (writing | set(fitting)) & set(ALL)
        for scopes in (frozenset(ALL) - opening, *({item} for item in opening)):
            answer = await use(owner.client, await key_with(scopes), method, path, body)
            opens = bool(opening & scopes)
            assert (answer.status_code in {401, 403}) is not opens, (method, template, scopes)
            walked += 1
    assert walked > 200


async def test_the_secret_is_accepted_in_either_header(owner: Owner) -> None:
    product = await make_product(owner)
    key = await make_key(owner, "Licenses.Read")
    of_product = f"/api/products/{product['id']}/credentials"
    product_key = (await owner.ok("GET", of_product))["apiKey"]
    bearer = {"authorization": f"Bearer {key['secret']}"}
    in_header = {"X-API-KEY": key["secret"]}
    signed_in = owner.headers["authorization"].removeprefix("Bearer ")
    for headers, status in (
        (bearer, 200),
        (in_header, 200),
        ({"X-API-KEY": f"  {key['secret']} "}, 200),
        ({**bearer, "X-API-KEY": product_key}, 200),
        ({**in_header, "authorization": "Bearer nonsense"}, 401),
        ({"X-API-KEY": product_key}, 401),
        ({"X-API-KEY": signed_in}, 401),  # not a place for people's tokens
        ({"authorization": f"Bearer {product_key}"}, 401),
        ({"X-API-KEY": "licet_ak_"}, 401),
        ({"X-API-KEY": ""}, 401),
    ):
        answer = await owner.client.get("/api/licenses", headers=headers)
        assert answer.status_code == status, headers
    # Applications do not validate with it.
    body = {"licenseKey": "00000-00000-00000-00000-00000"}
    answer = await owner.client.post("/api/licenses/validate", json=body, headers=in_header)
    assert outcome(answer) == UNAUTHORIZED
    # Where a credential may be left out, a wrong kind of it is refused all the same.
    answer = await owner.client.post("/api/auth/accept-invitation", json={}, headers=in_header)
    assert outcome(answer) == FORBIDDEN


async def test_a_key_acts_for_a_member(owner: Owner, admin: Owner) -> None:
    """A system Admin manages all institutions, but an API key of theirs would act for nobody."""
    body = {"name": "CI", "scopes": ALL, "institutionId": owner.institution_id}
    assert outcome(await admin.send("POST", PATH, body)) == (409, "Conflict")
    key = await make_key(owner)
    assert outcome(await admin.send("POST", f"{PATH}/{key['id']}/rotate")) == (409, "Conflict")
    assert (await use(owner.client, key["secret"], "GET", "/api/licenses")).is_success
    assert (await admin.send("DELETE", f"{PATH}/{key['id']}")).is_success


@pytest.mark.specification("mission-4", "service.api")
async def test_keys_bill(world: World) -> None:
    """Grants, corrections, prices, reconciliation, statistics and webhooks with fitting scopes."""
    made = await world.issue("MeteredToken")
    feature = await world.owner.ok(
        "POST", f"/api/products/{world.product['id']}/features", {"name": "scan"}
    )
    pricing = f"/api/meter/features/{feature['id']}/pricing"
    path = f"/api/licenses/{made['id']}"
    adjust = {"licenseId": made["id"], "amount": 5, "reason": "Typo"}
    grant = {"licenseId": made["id"], "amount": 5, "externalReference": "INV-7"}
    hook = {"url": "https://hooks.example.com/licet", "eventTypes": ["license.*"]}
    calls: list[tuple[str, str, str, Any]] = [
        ("Meter.Write", "POST", "/api/meter/grant", grant),
        ("Meter.Write", "POST", "/api/meter/adjust", adjust),
        ("Meter.Write", "PUT", pricing, {"tokenCost": 2}),
        ("Meter.Write", "POST", "/api/meter/reconcile", {"licenseId": made["id"]}),
        ("Meter.Write", "PUT", f"{path}/meter-settings", {"lowBalanceThreshold": 1}),
        ("Meter.Read", "GET", pricing, None),
        ("Meter.Read", "GET", f"/api/meter/balance/{made['id']}", None),
        ("Meter.Read", "GET", f"{path}/ledger", None),
        ("Meter.Read", "GET", "/api/statistics/meter-usage", None),
        ("Statistics.Read", "GET", "/api/statistics/overview", None),
        ("Statistics.Read", "GET", "/api/statistics/meter-usage", None),
        ("Webhooks.Write", "POST", "/api/webhooks", hook),
        ("Webhooks.Read", "GET", "/api/webhooks", None),
    ]
    keys = {scope: (await make_key(world.owner, scope))["secret"] for scope in ALL}
    for scope, method, url, body in calls:
        answer = await use(world.owner.client, keys[scope], method, url, body)
        assert answer.is_success, (scope, url, answer.text)
        answer = await use(world.owner.client, keys["Licenses.Write"], method, url, body)
        assert outcome(answer) == FORBIDDEN, url
    ledger = await world.owner.ok("GET", f"{path}/ledger")
    assert [item["amount"] for item in ledger["items"]] == [5, 5, 12.5]
    assert [item["externalReference"] for item in ledger["items"]] == [None, "INV-7", None]
