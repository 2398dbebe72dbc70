"""Who gets what: every route there is, with every role, for one's own institution and another's.

The table is generated from the routes and from what they declare; a new route is in it by itself,
and fails here until there is an example of a body for it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs
from testkit import Owner, client_of
from volumes import is_long
from walls.private_keys import everything_in, private_marks
from walls.table import (
    ADMITTED,
    BODIES,
    ENDLESS,
    IN_QUERY,
    RAW_BODIES,
    Caller,
    Level,
    Route,
    closed_routes,
    expected,
    open_routes,
)
from walls.tenant import (
    PEOPLE,
    SOME_SCOPES,
    Tenant,
    count_events,
    everything_of,
    found_tenant,
    marks_in,
)

from licet_server.app import Application
from licet_server.catalog.access import ProductKey
from licet_server.identity.access import SystemAdmin
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Scope
from licet_server.kit.platform import Platform

Callers = list[Caller]

CODES = {400: {"InvalidRequest"}, 401: {"Unauthorized"}, 403: {"Forbidden"}, 404: {"NotFound"}}
PARTS = 2
"""The walk of all routes is cut into so many tests, which processes share."""
OF_RUNTIME = {
    401: {"Unauthorized", "EnrollmentKeyInvalid"},
    404: {"LicenseNotFound", "SessionNotFound", "LeaseNotFound", "FLAG_NOT_FOUND"},
}
LAST = (
    "POST /api/sessions/{session_id}/disconnect",
    "POST /api/sessions/disconnect",
    "POST /api/activations/{activation_id}/block",
    "POST /api/activations/{activation_id}/unblock",
    "DELETE /api/licenses/{license_id}/enrollment-keys/{key_id}",
    "DELETE /api/received-licenses/{license_id}/enrollment-keys/{key_id}",
    "DELETE /api/activations/current",
    "POST /api/activations/{activation_id}/deactivate",
    "POST /api/licenses/{license_id}/revoke",
    "DELETE /api/licenses/{license_id}",
    "POST /api/products/{product_id}/keys/activate",
    "POST /api/products/{product_id}/keys/prepare",
    "DELETE /api/products/{product_id}/keys/next",
    "DELETE /api/products/{product_id}/image",
    "DELETE /api/institutions/{institution_id}/logo",
    "DELETE /api/products/{product_id}/mail-templates/{kind}",
    "DELETE /api/institutions/{institution_id}/mail-templates/{kind}",
    "DELETE /api/policies/{policy_id}",
    "POST /api/customers/{customer_id}/erase",
    "DELETE /api/customers/{customer_id}",
    "DELETE /api/entitlement-sets/{set_id}",
    "DELETE /api/features/{feature_id}",
    "DELETE /api/releases/{release_id}/files/{file_id}",
    "DELETE /api/releases/{release_id}",
    "DELETE /api/products/{product_id}/credentials/{key_id}",
    "DELETE /api/products/{product_id}/associations/{association_id}",
    "DELETE /api/test-clocks/{clock_id}",
    "DELETE /api/products/{product_id}",
    "DELETE /api/institutions/{institution_id}/invitations/{invitation_id}",
    "PUT /api/institutions/{institution_id}/members/{user_id}",
    "DELETE /api/institutions/{institution_id}/order-reports/{user_id}",
    "DELETE /api/institutions/{institution_id}/members/{user_id}",
    "DELETE /api/api-keys/{key_id}",
    "DELETE /api/webhooks/{webhook_id}",
    "DELETE /api/connectors/{connector_id}",
    "DELETE /api/views/{view_id}",
    "DELETE /api/institutions/{institution_id}/sso",
    "DELETE /api/institutions/{institution_id}",
)
"""What takes the things away that other routes are about, in an order in which it can."""
WITHOUT_PROOF = {
    "POST /api/leases",
    "POST /api/leases/{lease_id}/renew",
    "POST /api/leases/{lease_id}/report",
    "POST /api/leases/{lease_id}/return",
}
"""Routes that ask every device to prove its key, which no caller of the walk does."""

REFUSED_BY_STATE = {
    "GET /api/activations",
    "POST /api/activations/{activation_id}/accept-change",
    "POST /api/activations/{activation_id}/release",
    "POST /api/leases/{lease_id}/acknowledge",
    "POST /api/licenses/{license_id}/offline",
    "POST /api/offline/requests/{request_id}/reject",
    *WITHOUT_PROOF,
    "POST /api/test-clocks",
    "DELETE /api/products/{product_id}",
    "DELETE /api/institutions/{institution_id}",
    "DELETE /api/users/{user_id}/totp",
    "POST /api/customers/{customer_id}/portal-link",
}
"""Let in, and refused for what stands under them, or for what is not there."""

IDLE = {
    "POST /api/activations/{activation_id}/approve",
    "POST /api/institutions/{institution_id}/mail-templates/{kind}/preview",
    "POST /api/institutions/{institution_id}/mail-templates/{kind}/test",
    "POST /api/institutions/{institution_id}/order-reports/send",
    "POST /api/institutions/{institution_id}/sso/check",
    "POST /api/licenses/{license_id}/explain",
    "POST /api/licenses/{license_id}/restore",
    "POST /api/meter/reconcile",
    "POST /api/policies/{policy_id}/apply",
    "POST /api/products/{product_id}/mail-templates/{kind}/preview",
    "POST /api/products/{product_id}/mail-templates/{kind}/test",
}
"""What the Owner does on the walk that changes no row of the institution, and needs no record."""

UNRECORDED = {
    # The vendor's log has it.
    "DELETE /api/received-licenses/{license_id}/activations/{activation_id}",
    "DELETE /api/received-licenses/{license_id}/enrollment-keys/{key_id}",
    "POST /api/received-licenses/{license_id}/enrollment-keys",
    # They leave what is sold, and who may do what, as it is.
    "POST /api/views",
    "PUT /api/views/{view_id}",
    "DELETE /api/views/{view_id}",
    "PUT /api/institutions/{institution_id}/order-reports/{user_id}",
    "DELETE /api/institutions/{institution_id}/order-reports/{user_id}",
}
"""What the Owner changes on the walk that is not in the audit log of the institution."""


IDLE_OF_SERVICE = {
    "POST /api/doctor/repair",
    "PUT /api/users/{user_id}",
    "POST /api/users/{user_id}/verify-email",
}
"""What a system Admin does on the walk that changes nothing: it is so already."""


@pytest.fixture
async def tenant(new_owner: Callable[..., Any], platform: Platform) -> Tenant:
    return await found_tenant(new_owner, platform)


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def members_of(tenant: Tenant) -> Iterator[Caller]:
    people = tenant.people
    yield Caller("Owner", people["owner"].headers, Role.OWNER)
    yield Caller("Admin", people["admin"].headers, Role.ADMIN)
    yield Caller("Viewer", people["viewer"].headers, Role.VIEWER)
    yield Caller("Member", people["member"].headers, Role.MEMBER)
    of_release = frozenset({Level.INSTITUTION, Level.PRODUCT})
    yield Caller("Member of a release", people["tester"].headers, Role.MEMBER, of_release)
    nothing = frozenset({Level.INSTITUTION})
    yield Caller("Member of nothing", people["newcomer"].headers, Role.MEMBER, nothing)
    for name, secret in tenant.api_keys.items():
        scopes = tuple(Scope) if name == "every scope" else (Scope(name),)
        yield Caller(f"API key: {name}", bearer(secret), Role.OWNER, scopes=scopes)
    every = {"x-api-key": tenant.api_keys["every scope"]}
    yield Caller("X-API-KEY", every, Role.OWNER, scopes=tuple(Scope))
    yield Caller("product key", {"x-api-key": tenant.product_key}, product_key="own")


def outsiders(other: Tenant, nobody: Owner) -> Iterator[Caller]:
    roles = dict.fromkeys(other.people, Role.MEMBER) | {"owner": Role.OWNER} | PEOPLE
    for name, user in other.people.items():
        yield Caller(f"{name} elsewhere", user.headers, elsewhere=roles[name])
    key = bearer(other.api_keys["every scope"])
    yield Caller("API key elsewhere", key, elsewhere=Role.OWNER, scopes=tuple(Scope))
    in_header = {"x-api-key": other.api_keys["every scope"]}
    yield Caller("X-API-KEY elsewhere", in_header, elsewhere=Role.OWNER, scopes=tuple(Scope))
    yield Caller("nobody's", nobody.headers)
    yield Caller("product key elsewhere", {"x-api-key": other.product_key}, product_key="other")
    yield Caller("without credential", {}, is_known=False)
    yield Caller("with an edited token", bearer(_edited(nobody.token)), is_known=False)
    edited = bearer(_edited(other.api_keys["every scope"]))
    yield Caller("with an edited API key", edited, is_known=False)
    yield Caller(
        "with an edited product key", {"x-api-key": _edited(other.product_key)}, is_known=False
    )


def _edited(token: str) -> str:
    return token[:-3] + ("aaa" if token[-3:] != "aaa" else "bbb")


class Knocker:
    """Calls routes with a tenant's things, each caller from an address of its own."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._clients: dict[str, httpx.AsyncClient] = {}

    async def knock(self, route: Route, caller: Caller, tenant: Tenant) -> httpx.Response:
        if caller.name not in self._clients:
            address = f"198.51.100.{len(self._clients) + 1}"
            self._clients[caller.name] = client_of(self._application, address)
        body = BODIES.get(route.name)
        query = IN_QUERY.get(route.name)
        headers, content = caller.headers, None
        if route.name in RAW_BODIES:
            kind, content = RAW_BODIES[route.name]
            headers = {**headers, "content-type": kind}
        return await self._clients[caller.name].request(
            route.method,
            tenant.url(route.template),
            headers=headers,
            content=content,
            json=None if body is None else body(tenant),
            params=None if query is None else query(tenant),
        )

    async def aclose(self) -> None:
        for client in self._clients.values():
            await client.aclose()


@pytest.fixture
async def knocker(application: Application) -> Any:
    made = Knocker(application)
    yield made
    await made.aclose()


def some_callers(callers: Callers, number: int) -> Callers:
    """Return who knocks at a route: in the short form, every member and every third outsider.

    Routes are numbered, so that each outsider knocks at a third of them.
    """
    members = [item for item in callers if item.role or item.product_key == "own"]
    outside = [item for item in callers if item not in members]
    return [*members, *(outside if is_long() else outside[number % 3 :: 3])]


def of_others(route: Route) -> bool:
    """Whether the route is about more than the caller."""
    return isinstance(route.access, (InstitutionRole, SystemAdmin, ProductKey))


def leaks(tenant: Tenant, caller: Caller, marks: set[str], answer: httpx.Response) -> set[str]:
    """What of the tenant's stands in an answer to somebody who must not see it."""
    if caller.product_key == "own":
        return set()
    secret = marks | set(tenant.license_keys.values()) | {tenant.product_key}
    if caller.role is not None:
        if Level.INSTITUTION in caller.sees:
            secret -= tenant.known_to_members
        if Level.PRODUCT in caller.sees:
            secret &= tenant.hidden
        if Level.LICENSE in caller.sees:
            return set()
    sent = marks_in(
        {"request": [str(answer.request.url), answer.request.content.decode(errors="replace")]}
    )
    return {mark for mark in secret - sent if mark in answer.text}


@pytest.fixture
async def callers(tenant: Tenant, new_owner: Callable[..., Any], platform: Platform) -> Callers:
    other = await found_tenant(new_owner, platform)
    nobody = await new_owner("Nobody")
    await nobody.ok("DELETE", f"/api/institutions/{nobody.institution_id}")
    return [*members_of(tenant), *outsiders(other, nobody)]


@pytest.mark.specification("roles.every-route", "roles.viewer", "roles.member")
@pytest.mark.parametrize("part", range(PARTS))
async def test_who_is_not_let_in_gets_the_right_refusal_and_changes_nothing(
    application: Application,
    tenant: Tenant,
    callers: Callers,
    platform: Platform,
    knocker: Knocker,
    part: int,
) -> None:
    before = await everything_of(platform, tenant)
    marks = marks_in(before)
    counts: Counter[int] = Counter()
    for number, route in enumerate([*closed_routes(application)][part::PARTS]):
        for caller in some_callers(callers, number):
            wanted = expected(route, caller)
            if wanted == ADMITTED:
                continue
            answer = await knocker.knock(route, caller, tenant)
            what = f"{caller.name}: {route.name}"
            assert answer.status_code == wanted, f"{what}: {answer.status_code} {answer.text}"
            codes = OF_RUNTIME if isinstance(route.access, ProductKey) else CODES
            assert answer.json()["errorCode"] in codes[wanted], f"{what}: {answer.text}"
            assert not leaks(tenant, caller, marks, answer), what
            counts[wanted] += 1
        if route.method != "GET" and is_long():  # to say which it was
            assert await everything_of(platform, tenant) == before, route.name
    assert await everything_of(platform, tenant) == before
    assert min(counts[status] for status in (401, 403, 404)) > 10
    assert counts.total() > (1_500 if is_long() else 700) / PARTS


@pytest.mark.specification("service.tenants")
async def test_what_outsiders_read_tells_nothing_of_a_tenant(
    application: Application,
    tenant: Tenant,
    callers: Callers,
    platform: Platform,
    knocker: Knocker,
) -> None:
    """Answers are searched for every id and key that stands anywhere in the tenant's rows."""
    marks = marks_in(await everything_of(platform, tenant))
    looked = 0
    for number, route in enumerate(closed_routes(application)):
        for caller in some_callers(callers, number):
            if route.method != "GET" or route.name in ENDLESS:
                continue
            if expected(route, caller) != ADMITTED:
                continue
            answer = await knocker.knock(route, caller, tenant)
            leaked = leaks(tenant, caller, marks, answer)
            assert not leaked, f"{caller.name}: {route.name}: {leaked}"
            looked += 1
    assert looked > 100


async def test_the_search_for_leaks_finds_what_is_there(
    application: Application, tenant: Tenant, platform: Platform, knocker: Knocker
) -> None:
    """A control: somebody who sees it all, taken for one who sees nothing."""
    marks = marks_in(await everything_of(platform, tenant))
    spy = Caller("spy", tenant.owner.headers)
    leaking = {
        route.template
        for route in closed_routes(application)
        if route.method == "GET"
        and of_others(route)
        and leaks(tenant, spy, marks, await knocker.knock(route, spy, tenant))
    }
    assert {"/api/products", "/api/licenses", "/api/api-keys"} <= leaking
    assert "/api/licenses/{license_id}/activations" in leaking


TOGETHER = ("Owner", "product key", "system Admin")
"""Between them, they may call every route."""


@dataclass
class Walk:
    """What a caller was answered on the way through all routes that let them in.

    Of what is `unrecorded`, `changed` are those that changed rows although they are `IDLE`.
    """

    answered: set[str] = field(default_factory=set)
    unrecorded: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    heard: list[bytes] = field(default_factory=list)


async def walk(application: Application, knocker: Knocker, caller: Caller, tenant: Tenant) -> Walk:
    done = Walk()
    for route in read_by_everybody(application, tenant):
        done.heard.append(everything_in(await knocker.knock(route, caller, tenant)))
    owned = None if caller.is_system_admin else tenant
    count = await count_events(application.platform, owned)
    for route in sorted(closed_routes(application), key=_turn):
        if not of_others(route) or expected(route, caller) != ADMITTED:
            continue
        rows = await everything_of(application.platform, tenant) if route.name in IDLE else {}
        answer = await knocker.knock(route, caller, tenant)
        said = f"{caller.name}: {route.name}: {answer.status_code} {answer.text}"
        refused = {403} if route.name in WITHOUT_PROOF else {400, 402, 409}
        assert answer.is_success or answer.status_code in refused, said
        done.heard.append(everything_in(answer))
        before, count = count, await count_events(application.platform, owned)
        if answer.is_success:
            done.answered.add(route.name)
            if route.method != "GET" and count == before:
                done.unrecorded.add(route.name)
                if rows and rows != await everything_of(application.platform, tenant):
                    done.changed.add(route.name)
    return done


@pytest.mark.specification("roles.owner", "roles.viewer", "keys.private", "events.audit")
@pytest.mark.parametrize(
    "names",
    [
        TOGETHER,
        ("Admin", "Viewer"),
        ("Member", "Member of a release", "Member of nothing"),
        tuple(f"API key: {scope}" for scope in SOME_SCOPES),
        ("API key: every scope", "X-API-KEY"),
    ],
    ids=lambda names: names[0],
)
async def test_who_is_let_in_gets_an_answer(
    application: Application,
    new_owner: Callable[..., Any],
    platform: Platform,
    knocker: Knocker,
    admin: Owner,
    names: tuple[str, ...],
) -> None:
    """Changes are recorded, and neither an answer nor the log has a private key.

    Each caller has a tenant of their own, since half of it is gone afterwards.
    """
    answered: set[str] = set()
    for name in names:
        tenant = await found_tenant(new_owner, platform)
        system = Caller("system Admin", admin.headers, Role.OWNER, is_system_admin=True)
        [caller] = [item for item in [*members_of(tenant), system] if item.name == name]
        marks = await private_marks(platform, tenant)
        with capture_logs() as lines:
            done = await walk(application, knocker, caller, tenant)
        answered |= done.answered
        marks |= await private_marks(platform, tenant)
        everything = b"\n".join([*done.heard, str(lines).encode()])
        assert lines
        assert not [mark for mark in marks if mark in everything], name
        assert name != "Owner" or done.unrecorded == IDLE | UNRECORDED
        assert name != "system Admin" or done.unrecorded <= IDLE | UNRECORDED | IDLE_OF_SERVICE
        assert done.changed == set(), name
    all_routes = {route.name for route in closed_routes(application) if of_others(route)}
    assert names != TOGETHER or answered == all_routes - REFUSED_BY_STATE


def read_by_everybody(application: Application, tenant: Tenant) -> Iterator[Route]:
    """Routes that ask for no role, as far as the tenant has what their paths name."""
    for route in [*closed_routes(application), *open_routes(application)]:
        names = set(re.findall(r"{(\w+)}", route.template))
        is_known = names <= tenant.ids.keys() and route.name not in ENDLESS
        if route.method == "GET" and is_known and not of_others(route):
            yield route


def _turn(route: Route) -> tuple[int, int]:
    if route.name in LAST:
        return 2, LAST.index(route.name)
    return int(route.method != "GET"), 0
