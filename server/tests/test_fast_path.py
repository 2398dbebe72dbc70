"""The fast path responds as the framework does, to valid requests and to invalid ones."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from prometheus_client import CollectorRegistry
from world import World

from licet_server.app import BODY_LIMIT_BYTES, Application
from licet_server.kit.metrics import HttpMetrics
from licet_server.kit.web.cross_origin import CrossOrigin
from licet_server.kit.web.middleware import RequestMiddleware
from licet_server.kit.web.paths import PathFolder

JSON = {"content-type": "application/json"}
ROUTES = (
    "/api/licenses/validate",
    "/api/sessions/connect",
    "/api/sessions/heartbeat",
    "/api/meter/consume",
    "/api/activations",
)
_VARYING = {
    "x-request-id",
    "access-control-allow-origin",
    "access-control-expose-headers",
    "ratelimit-remaining",
}


@pytest.fixture
async def framework(application: Application) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the same routes without the fast path."""
    edge: Any = RequestMiddleware(
        application.litestar,
        application.platform,
        PathFolder([]),
        HttpMetrics(CollectorRegistry()),
        CrossOrigin({}),
        application.litestar.state["queue"],
    )
    transport = httpx.ASGITransport(edge, client=("203.0.113.9", 50_000))
    async with httpx.AsyncClient(transport=transport, base_url="http://licet.test") as client:
        yield client


def told(response: httpx.Response) -> tuple[int, Any, dict[str, str]]:
    """Status, body and headers without what differs between any two responses."""
    body = response.json()
    for name in ("requestId", "serverTime"):
        body.pop(name, None)
    headers = {name: text for name, text in response.headers.items() if name not in _VARYING}
    return response.status_code, body, headers


BAD: dict[str, tuple[dict[str, str], bytes]] = {
    "nothing": ({}, b""),
    "no media type": ({}, b"{}"),
    "another media type": ({"content-type": "text/plain"}, b"{}"),
    "a form": ({"content-type": "application/x-www-form-urlencoded"}, b"a=1"),
    "no body": (JSON, b""),
    "no JSON": (JSON, b"{"),
    "not UTF-8": (JSON, b'{"licenseKey": "\xff"}'),
    "a list": (JSON, b"[]"),
    "null": (JSON, b"null"),
    "nothing in it": (JSON, b"{}"),
    "wrong types": (
        JSON,
        b'{"licenseKey": 1, "sessionId": "x", "hardwareId": [], "quantity": 0.5}',
    ),
    "a NUL": (JSON, b'{"licenseKey": "a\\u0000b"}'),
    "a NUL in the query": (JSON, b"{}"),
    "deeply nested": (JSON, b"[" * 5000),
    "too large": (JSON, b" " * (BODY_LIMIT_BYTES + 1)),
    "as large as allowed": (JSON, b"{}" + b" " * (BODY_LIMIT_BYTES - 2)),
    "JSON of a vendor": ({"content-type": "application/vnd.x+json; charset=utf-8"}, b"{}"),
    "no length": ({**JSON, "transfer-encoding": "chunked"}, b"{}"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("path", ROUTES)
async def test_bad_requests_are_refused_alike(
    world: World, client: httpx.AsyncClient, framework: httpx.AsyncClient, path: str, case: str
) -> None:
    headers, body = BAD[case]
    query = "?a=%00" if case == "a NUL in the query" else ""
    answers = [
        await way.post(path + query, content=body, headers={**headers, **caller})
        for caller in ({}, {"x-api-key": "pk_none"}, world.key)
        for way in (client, framework)
    ]
    for short, long in zip(answers[::2], answers[1::2], strict=True):
        assert told(short) == told(long)
    assert answers[-1].status_code >= 400


async def test_good_requests_are_responded_to_alike(
    world: World, client: httpx.AsyncClient, framework: httpx.AsyncClient
) -> None:
    made = {
        model: await world.issue(model)
        for model in ("Perpetual", "Floating", "Concurrent", "MeteredCount")
    }
    keys = {model: license_["licenseKey"] for model, license_ in made.items()}
    use = {"featureName": "export", "idempotencyKey": "once"}
    requests: list[tuple[str, dict[str, Any]]] = [
        *(("/api/licenses/validate", {"licenseKey": key}) for key in keys.values()),
        ("/api/licenses/validate", {"licenseKey": "unknown-key", "unknownField": {}}),
        ("/api/activations", {"licenseKey": keys["Concurrent"], "hardwareId": "machine-1"}),
        ("/api/sessions/connect", {"licenseKey": keys["Floating"], "hardwareId": "machine-1"}),
        ("/api/sessions/heartbeat", {"sessionId": "00000000-0000-7000-8000-000000000000"}),
        ("/api/meter/consume", {"licenseKey": keys["MeteredCount"], **use}),
        ("/api/meter/consume", {"licenseKey": keys["Perpetual"], **use}),
    ]
    for path, body in requests:
        short, long, again = [
            await way.post(path, content=json.dumps(body), headers={**JSON, **world.key})
            for way in (client, framework, client)
        ]
        if path == "/api/sessions/connect":  # each is a new session, which takes another seat
            assert {*short.json()} == {*long.json()}
            assert (short.status_code, long.status_code) == (201, 201)
        elif short.status_code == 201 or short.json().get("replayed") is False:
            assert told(long) == told(again)
        else:
            assert told(short) == told(long)


async def test_only_the_declared_method_is_taken(
    world: World, client: httpx.AsyncClient, framework: httpx.AsyncClient
) -> None:
    for method in ("GET", "PUT", "DELETE"):
        for path in ROUTES:
            short = await client.request(method, path, headers=world.key)
            long = await framework.request(method, path, headers=world.key)
            assert short.status_code == long.status_code
            assert short.status_code in {405, 404} or path == "/api/activations"
