"""What holds for every route there is: walked, so that none is left out."""

import re
import uuid
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import httpx
import pytest
from access_table import render
from body_places import places_of
from litestar.handlers import HTTPRouteHandler
from testkit import Owner, client_of
from walls.table import routes

from licet_server.app import Application, build_app
from licet_server.catalog.access import ProductKey
from licet_server.identity.access import SystemAdmin, UserOnly
from licet_server.institutions.access import MaybeSignedIn
from licet_server.kit.metrics import Metrics
from licet_server.kit.platform import Platform
from licet_server.kit.settings import OWN_PATHS
from licet_server.kit.web.access import Anonymous, declared_access
from licet_server.kit.web.body import RuntimeBody

OPEN = {
    "GET /",
    "GET /assets/{name}",
    "GET /health/live",
    "GET /health/ready",
    "GET /metrics",
    "GET /api/openapi.json",
    "GET /api/docs",
    "GET /api/docs/openapi.json",
    "GET /api/docs/{path}",
    "GET /api/auth/setup",
    "POST /api/auth/setup",
    "POST /api/auth/register",
    "POST /api/auth/password-reset",
    "POST /api/auth/password-reset/confirm",
    "POST /api/auth/password-reset/preview",
    "POST /api/auth/verify-email",
    "POST /api/auth/invitation",
    "POST /api/auth/accept-invitation",
    "POST /api/auth/login",
    "POST /api/auth/passkeys/sign-in/options",
    "POST /api/auth/passkeys/sign-in/verify",
    "GET /api/auth/sso/start",
    "GET /api/auth/sso/callback",
    "POST /api/auth/sso/confirm-domain",
    "POST /api/order-reports/stop",
    "POST /api/auth/refresh",
    "POST /api/auth/logout",
    "POST /api/security/derive-key",
    "POST /api/offline/requests",
    "POST /api/offline/requests/answer",
    "POST /api/portal/access",
    "POST /api/portal/access/confirm",
    "GET /api/products/{product_id}/image",
    "GET /api/institutions/{institution_id}/logo",
    "GET /api/portal/vendors/{institution_id}",
    "GET /api/downloads/{token}",
    "GET /api/version",
    "POST /api/associations/preview",
    "POST /api/connectors/{connector_id}/inbox",
}
"""The routes that anybody may call; a route joins this list by a decision, never by accident."""


def routes_of(application: Application) -> dict[str, HTTPRouteHandler]:
    return {
        f"{method} {route.path_format}": handler
        for route in application.litestar.routes
        for handler in getattr(route, "route_handlers", [])
        if isinstance(handler, HTTPRouteHandler)
        for method in handler.http_methods
        if method != "OPTIONS"
    }


@pytest.mark.specification("roles.every-route")
async def test_every_route_declares_its_access(application: Application) -> None:
    anonymous = set()
    for name, handler in routes_of(application).items():
        access = declared_access(handler)
        assert access is not None, name
        assert isinstance(access, (Anonymous, MaybeSignedIn, UserOnly, ProductKey)), name
        if isinstance(access, (Anonymous, MaybeSignedIn)):
            anonymous.add(name)
    assert anonymous == OPEN


async def test_every_runtime_route_takes_bodies_of_newer_applications(
    application: Application,
) -> None:
    runtime = [place for place in places_of(application) if isinstance(place.access, ProductKey)]
    assert runtime
    for place in runtime:
        assert issubclass(place.body, RuntimeBody), place.path


async def test_the_page_of_all_routes_is_up_to_date(application: Application) -> None:
    page = Path(__file__).parents[2] / "docs" / "access.md"
    assert page.read_text() == render(application.litestar), "run `make openapi`"


async def test_every_closed_route_refuses_a_caller_without_credential(
    application: Application, client: httpx.AsyncClient
) -> None:
    for name in routes_of(application).keys() - OPEN:
        method, template = name.split(" ", 1)
        path = template
        while "{" in path:
            path = f"{path[: path.index('{')]}{uuid.UUID(int=1)}{path[path.index('}') + 1 :]}"
        answer = await client.request(method, path, json={})
        assert answer.status_code == 401, name
        assert answer.json()["errorCode"] == "Unauthorized", name


async def test_where_a_token_may_be_sent_it_must_be_a_valid_one(
    application: Application, client: httpx.AsyncClient
) -> None:
    maybe = [
        name.split(" ", 1)
        for name, handler in routes_of(application).items()
        if isinstance(declared_access(handler), MaybeSignedIn)
    ]
    assert maybe
    for method, path in maybe:
        for sent in ("Bearer nonsense", "Bearer ", "Basic YTpi", ""):
            headers = {"authorization": sent}
            answer = await client.request(method, path, json={}, headers=headers)
            assert (answer.status_code, answer.json()["errorCode"]) == (401, "Unauthorized"), sent
        # Without any, it is the body that is looked at.
        assert (await client.request(method, path, json={})).status_code == 400


async def test_every_route_of_a_thing_hides_it_from_strangers(
    application: Application, stranger: Owner
) -> None:
    """Random ids stand for other people's: the answer must be the same 404."""
    for name, handler in routes_of(application).items():
        access = declared_access(handler)
        if "{" not in name or not isinstance(access, UserOnly) or isinstance(access, SystemAdmin):
            continue
        method, path = name.split(" ", 1)
        while "{" in path:
            path = f"{path[: path.index('{')]}{uuid.UUID(int=1)}{path[path.index('}') + 1 :]}"
        answer = await stranger.send(method, path, {} if method in {"POST", "PUT"} else None)
        assert answer.status_code in {400, 404}, (name, answer.text)


async def test_a_silent_route_stops_the_start() -> None:
    from litestar import Litestar, get

    from licet_server.kit.web.access import require_declared_access

    @get("/silent")
    async def silent() -> None:
        return None

    with pytest.raises(RuntimeError, match="/silent"):
        require_declared_access(Litestar([silent], openapi_config=None, logging_config=None))


@pytest.mark.specification("service.path-case")
async def test_literal_segments_match_in_any_case(
    application: Application, client: httpx.AsyncClient
) -> None:
    answer = await client.post("/API/Auth/Login", json={})
    assert answer.status_code == 400
    assert {error["field"] for error in answer.json()["errors"]} == {"email", "password"}
    for name in routes_of(application).keys() - OPEN:
        method, template = name.split(" ", 1)
        path = re.sub(r"{[^}]*}", str(uuid.UUID(int=1)), template.upper())
        assert (await client.request(method, path, json={})).status_code == 401, path


async def test_request_ids_are_echoed_when_sane(client: httpx.AsyncClient) -> None:
    sane = await client.get("/health/live", headers={"x-request-id": "abc-123"})
    assert sane.headers["x-request-id"] == "abc-123"
    for odd in ("x" * 200, "a b", "<script>"):
        answer = await client.get("/health/live", headers={"x-request-id": odd})
        uuid.UUID(answer.headers["x-request-id"])


async def test_unknown_routes_and_methods_are_problems(client: httpx.AsyncClient) -> None:
    unknown = await client.get("/api/nothing/here")
    assert unknown.status_code == 404
    assert unknown.headers["content-type"] == "application/problem+json"
    wrong = await client.delete("/api/auth/login")
    assert wrong.status_code == 405
    assert wrong.json()["errorCode"] == "MethodNotAllowed"
    assert "POST" in wrong.headers["allow"]


async def test_bodies_of_the_wrong_kind_are_refused(client: httpx.AsyncClient) -> None:
    plain = await client.post("/api/auth/login", content=b"{}", headers={"content-type": "a/b"})
    assert (plain.status_code, plain.json()["errorCode"]) == (415, "UnsupportedMediaType")
    huge = await client.post(
        "/api/auth/login",
        content=b'{"email": "' + b"x" * 1_100_000 + b'"}',
        headers={"content-type": "application/json"},
    )
    assert (huge.status_code, huge.json()["errorCode"]) == (413, "PayloadTooLarge")
    empty = await client.post("/api/auth/login")
    assert (empty.status_code, empty.json()["errorCode"]) == (400, "InvalidRequest")


async def test_nul_in_a_query_is_refused(owner: Owner) -> None:
    answer = await owner.send("GET", "/api/institutions?search=a%00b")
    assert answer.status_code == 400


async def test_head_is_answered(client: httpx.AsyncClient) -> None:
    assert (await client.head("/health/live")).status_code == 200


async def test_options_and_refused_methods_name_all_methods_of_a_path(
    client: httpx.AsyncClient,
) -> None:
    for path, methods in (
        ("/api/licenses", "GET, HEAD, OPTIONS, POST"),
        (f"/api/licenses/{uuid.UUID(int=1)}", "DELETE, GET, HEAD, OPTIONS, PUT"),
        ("/api/activations/current", "DELETE, OPTIONS"),
    ):
        options = await client.options(path)
        assert (options.status_code, options.headers["allow"]) == (204, methods)
        refused = await client.patch(path)
        assert refused.status_code == 405
        assert sorted(refused.headers["allow"].split(", ")) == methods.split(", ")


async def test_a_refused_query_takes_no_connection(application: Application, owner: Owner) -> None:
    for _ in range(3):
        for query in ("page=0", "after=xyz", "expiringBefore=2030-01-01T00:00:00"):
            assert (await owner.send("GET", f"/api/licenses?{query}")).status_code == 400
    pool = application.platform.database._engine.pool
    assert pool.checkedout() == 0  # type: ignore[attr-defined]


async def test_connections_are_taken_last_and_alone(application: Application) -> None:
    """Taken beside something that refuses, a connection would be lost half-way."""
    for route in application.litestar.routes:
        for _, model in getattr(route, "route_handler_map", {}).values():
            for batch in model.dependency_batches:
                names = {dependency.key for dependency in batch}
                assert names in ({"db"}, {"work"}) or not names & {"db", "work"}


async def test_security_headers_stand_on_every_answer(client: httpx.AsyncClient) -> None:
    for path in ("/", "/api/docs", "/api/nothing", "/health/live"):
        headers = (await client.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "default-src 'none'" in headers["content-security-policy"]


async def test_metrics_are_not_for_everybody(
    application: Application, client: httpx.AsyncClient
) -> None:
    assert (await client.get("/metrics")).status_code == 403
    async with client_of(application, "127.0.0.1") as local:
        local.headers["host"] = "localhost"
        answer = await local.get("/metrics")
        assert "licet_http_requests_total" in answer.text
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        for name in ("x-forwarded-for", "forwarded", "x-forwarded-proto", "x-real-ip", "via"):
            proxied = await local.get("/metrics", headers={name: "127.0.0.1"})
            assert proxied.status_code == 403, name
        for host in ("licenses.example.com", "licenses.example.com:443", "10.0.0.1"):
            proxied = await local.get("/metrics", headers={"host": host})
            assert proxied.status_code == 403, host
        for host in ("localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000"):
            assert (await local.get("/metrics", headers={"host": host})).status_code == 200, host


@pytest.mark.parametrize(
    "described",
    [
        {"public_url": "https://licenses.example.com"},
        {"trusted_proxies": (ip_network("127.0.0.1/32"),)},
    ],
    ids=str,
)
async def test_behind_a_proxy_metrics_need_the_token(
    platform: Platform, described: dict[str, Any]
) -> None:
    """A proxy on this machine comes from loopback, whether it says so or not."""
    settings = replace(platform.settings, metrics_token="s3cret", **described)
    behind = build_app(replace(platform, settings=settings, metrics=Metrics()))
    async with client_of(behind, "127.0.0.1") as local:
        local.headers["host"] = "localhost"
        assert (await local.get("/metrics")).status_code == 403
        for token, status in (("wrong", 403), ("s3cret", 200)):
            told = await local.get("/metrics", headers={"authorization": f"Bearer {token}"})
            assert told.status_code == status


def test_no_path_of_the_service_can_be_the_path_that_it_is_served_below(
    application: Application,
) -> None:
    """A proxy that strips such a path would send what looks like one that keeps it."""
    own = {route.template.split("/")[1] for route in routes(application)}
    assert own - {""} <= OWN_PATHS
