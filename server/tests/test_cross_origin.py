"""Browsers of any origin may call what applications call, and nothing else."""

import re
from typing import Any

from world import Vendor, World

from licet_server.app import Application
from licet_server.catalog.access import ProductKey
from licet_server.kit.web.access import declared_access

ORIGIN = {"Origin": "https://app.example"}
ALLOW = "access-control-allow-origin"


def routes(application: Application) -> list[tuple[str, str, bool]]:
    """Method and path of every route, and whether it takes a product key."""
    return [
        (str(method), route.path, isinstance(declared_access(handler), ProductKey))
        for route in application.litestar.routes
        for handler in getattr(route, "route_handlers", [])
        for method in handler.http_methods - {"OPTIONS"}
    ]


async def preflight(vendor: Vendor, path: str, method: str, **headers: str) -> Any:
    asked = {**ORIGIN, "Access-Control-Request-Method": method, **headers}
    return await vendor.owner.client.request("OPTIONS", path, headers=asked)


async def test_every_route_with_a_product_key_answers_any_origin_and_no_other_does(
    world: World, application: Application
) -> None:
    told = {}
    for method, path, _ in routes(application):
        spelled = re.sub(r"{(\w+).*?}", r"\1", path)
        answer = await preflight(world, spelled, method)
        allowed = answer.headers.get("access-control-allow-methods", "").split(", ")
        told[method, path] = answer.headers.get(ALLOW) == "*" and method in allowed
        sent = await world.owner.client.request(method, spelled, headers=ORIGIN)
        assert (sent.headers.get(ALLOW) == "*") == told[method, path], (method, path)
        assert "access-control-allow-credentials" not in sent.headers
    assert told == {(method, path): is_key for method, path, is_key in routes(application)}
    assert sum(told.values()) >= 10


async def test_a_preflight_request_names_the_headers_of_applications(world: World) -> None:
    answer = await preflight(
        world, "/api/Licenses/validate", "POST",
        **{"Access-Control-Request-Headers": "content-type,x-api-key"},
    )  # fmt: skip
    assert (answer.status_code, answer.content) == (204, b"")
    allowed = answer.headers["access-control-allow-headers"].lower().split(", ")
    assert {"content-type", "x-api-key", "x-license-username", "x-license-password"} <= set(allowed)
    assert "authorization" not in allowed
    assert answer.headers["access-control-allow-methods"] == "POST"
    assert int(answer.headers["access-control-max-age"]) > 0


async def test_answers_and_refusals_are_readable_with_their_limits(world: World) -> None:
    made = await world.issue("Perpetual")
    body = {"licenseKey": made["licenseKey"]}
    path = "/api/licenses/validate"
    good = await world.owner.client.post(path, json=body, headers={**ORIGIN, **world.key})
    bad = await world.owner.client.post(path, json=[], headers={**ORIGIN, **world.key})
    stranger = await world.owner.client.post(path, json=body, headers=ORIGIN)
    assert [answer.status_code for answer in (good, bad, stranger)] == [200, 400, 401]
    for answer in (good, bad, stranger):
        assert answer.headers[ALLOW] == "*"
        exposed = answer.headers["access-control-expose-headers"]
        assert {"Date", "Retry-After"} <= set(exposed.split(", "))


async def test_heads_and_paths_with_a_slash_at_the_end_are_readable_too(world: World) -> None:
    made = await world.issue("MeteredCount")
    path, query = "/api/meter/balance", {"licenseKey": made["licenseKey"]}
    for method, spelled in (("HEAD", path), ("GET", f"{path}/"), ("HEAD", f"{path}/")):
        answer = await world.owner.client.request(
            method, spelled, params=query, headers={**ORIGIN, **world.key}
        )
        assert (answer.status_code, answer.headers.get(ALLOW)) == (200, "*"), (method, spelled)
        told = await preflight(world, spelled, method)
        assert told.headers["access-control-allow-methods"] == "GET, HEAD"
