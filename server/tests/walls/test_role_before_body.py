"""The role, and the scope of an API key, are checked before a body is read, on every route."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from catalog.factories import join
from testkit import Owner
from volumes import is_long
from walls.table import BODIES, RAW_BODIES, Route, closed_routes
from walls.tenant import Tenant, found_tenant

from licet_server.app import BODY_LIMIT_BYTES, Application
from licet_server.catalog.access import ProductKey
from licet_server.identity.access import SystemAdmin
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.kit.platform import Platform

JSON = "application/json"
BAD_BODIES = [
    (JSON, b'{"nonsense": '),
    (JSON, b"[]"),
    (JSON, b'{"nobody": {"knows": "this"}}'),
    (JSON, b""),
    ("text/plain", b"words"),
    ("multipart/form-data; boundary=edge", b"no form"),
]
_turns = itertools.count()
"""In the short form, each call of a route sends two of the bodies, in turn."""
BY_BODY_ONLY = {"POST /api/licenses", "POST /api/products", "POST /api/webhooks"}


def with_body(application: Application) -> Iterator[Route]:
    """Management routes that take a body and ask for a role."""
    for route in closed_routes(application):
        takes_body = route.name in BODIES or route.name in RAW_BODIES
        if takes_body and isinstance(route.access, (InstitutionRole, SystemAdmin)):
            yield route


def manages(route: Route) -> bool:
    return isinstance(route.access, SystemAdmin) or route.access.needed is not Role.VIEWER


async def send_all(
    client: httpx.AsyncClient, tenant: Tenant, route: Route, headers: dict[str, str]
) -> list[tuple[int, str]]:
    answers = []
    for kind, content in BAD_BODIES if is_long() else BAD_BODIES[next(_turns) % 3 :: 3]:
        answer = await client.request(
            route.method,
            tenant.url(route.template),
            content=content,
            headers={**headers, "content-type": kind},
        )
        said = (answer.status_code, answer.json().get("errorCode", "") if answer.content else "")
        answers.append(said)
    return answers


@pytest.fixture
async def tenant(new_owner: Callable[..., Any], platform: Platform) -> Tenant:
    return await found_tenant(new_owner, platform)


@pytest.mark.specification("mission-bug-role-before-body")
async def test_a_bad_body_is_not_looked_at_without_role_or_scope(
    application: Application, tenant: Tenant, client: httpx.AsyncClient, stranger: Owner
) -> None:
    nobody = stranger
    await nobody.ok("DELETE", f"/api/institutions/{nobody.institution_id}")
    people = {name: tenant.people[name].headers for name in ("viewer", "member", "newcomer")}
    people["nobody"] = nobody.headers
    walked = 0
    for route in with_body(application):
        for name, headers in people.items():
            if manages(route) or name == "nobody":
                answers = await send_all(client, tenant, route, headers)
                assert set(answers) == {(403, "Forbidden")}, (name, route.name, answers)
                walked += 1
        fitting = getattr(route.access, "scopes", ())
        scopes = {item.replace("Read", "Write") for item in fitting} | set(fitting)
        unfit = next(name for name in tenant.api_keys if "." in name and name not in scopes)
        key = {"x-api-key": tenant.api_keys[unfit]}
        assert set(await send_all(client, tenant, route, key)) == {(403, "Forbidden")}, route.name
        for wrong in ({}, {"authorization": "Bearer nonsense"}, {"x-api-key": "licet_ak_x"}):
            answers = await send_all(client, tenant, route, wrong)
            assert set(answers) == {(401, "Unauthorized")}, route.name
    assert walked > 80


@pytest.mark.specification("mission-bug-role-before-body")
async def test_a_role_elsewhere_opens_no_body_here(
    application: Application,
    tenant: Tenant,
    client: httpx.AsyncClient,
    platform: Platform,
    stranger: Owner,
) -> None:
    """An Owner of one institution is a Viewer of another: the path tells which of them counts."""
    await join(platform, tenant.owner, stranger, Role.VIEWER)
    named = 0
    for route in with_body(application):
        if "{" in route.template and manages(route):
            answers = await send_all(client, tenant, route, stranger.headers)
            assert set(answers) == {(403, "Forbidden")}, (route.name, answers)
            named += 1
    assert named > 20
    # Where only the body names the institution, the role in any of them is enough to be read.
    for name in BY_BODY_ONLY:
        method, path = name.split()
        answer = await stranger.send(method, path, {"nobody": "knows"})
        assert (answer.status_code, answer.json()["errorCode"]) == (400, "InvalidRequest")


async def test_the_same_bodies_are_refused_for_what_they_are_with_the_role(
    application: Application, tenant: Tenant, client: httpx.AsyncClient
) -> None:
    """A control, and the limits of bodies hold for those whose bodies are read."""
    optional = {
        route.name
        for route in with_body(application)
        if not isinstance(route.access, SystemAdmin)
        and {status for status, _ in await send_all(client, tenant, route, tenant.owner.headers)}
        & {401, 403, 404, 500}
    }
    assert not optional
    huge = b'{"name": "' + b"x" * BODY_LIMIT_BYTES + b'"}'
    sent = {"content-type": JSON}
    path = f"/api/products/{tenant.ids['product_id']}"
    for headers, expected in (
        (tenant.owner.headers, (413, "PayloadTooLarge")),
        (tenant.people["viewer"].headers, (403, "Forbidden")),
    ):
        answer = await client.put(path, content=huge, headers={**headers, **sent})
        assert (answer.status_code, answer.json()["errorCode"]) == expected


async def test_product_keys_are_checked_before_the_body(
    application: Application, tenant: Tenant, client: httpx.AsyncClient
) -> None:
    for route in closed_routes(application):
        if isinstance(route.access, ProductKey) and route.name in BODIES:
            for headers in ({}, {"x-api-key": "pk_wrong"}, {"x-api-key": "licet_ak_wrong"}):
                answers = await send_all(client, tenant, route, headers)
                assert set(answers) == {(401, "Unauthorized")}, route.name
