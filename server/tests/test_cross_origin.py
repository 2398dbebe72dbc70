"""Browsers of any origin may call what applications call, and nothing else."""

from typing import Any

import pytest
from devices.factories import Shop
from metering.factories import MeterShop, open_meter_shop
from testkit import Owner

from licet_server.app import Application
from licet_server.catalog.access import ProductKey
from licet_server.kit.web.access import declared_access

ORIGIN = {"Origin": "https://app.example"}
ALLOW = "access-control-allow-origin"


@pytest.fixture
async def shop(owner: Owner) -> MeterShop:
    return await open_meter_shop(owner)


def routes(application: Application) -> list[tuple[str, str, bool]]:
    """Method and path of every route, and whether it takes a product key."""
    return [
        (str(method), route.path, isinstance(declared_access(handler), ProductKey))
        for route in application.litestar.routes
        for handler in getattr(route, "route_handlers", [])
        for method in handler.http_methods - {"OPTIONS"}
    ]


async def preflight(shop: Shop, path: str, method: str, **headers: str) -> Any:
    asked = {**ORIGIN, "Access-Control-Request-Method": method, **headers}
    return await shop.owner.client.request("OPTIONS", path, headers=asked)


async def test_every_route_with_a_product_key_answers_any_origin_and_no_other_does(
    shop: MeterShop, application: Application
) -> None:
    told = {}
    for method, path, _ in routes(application):
        spelled = path.replace("{", "").replace("}", "").partition(":")[0]
        answer = await preflight(shop, spelled, method)
        allowed = answer.headers.get("access-control-allow-methods", "").split(", ")
        told[method, path] = answer.headers.get(ALLOW) == "*" and method in allowed
        sent = await shop.owner.client.request(method, spelled, headers=ORIGIN)
        assert (sent.headers.get(ALLOW) == "*") == told[method, path], (method, path)
        assert "access-control-allow-credentials" not in sent.headers
    assert told == {(method, path): is_key for method, path, is_key in routes(application)}
    assert sum(told.values()) >= 10


async def test_a_preflight_request_names_the_headers_of_applications(shop: MeterShop) -> None:
    answer = await preflight(
        shop, "/api/Licenses/validate", "POST",
        **{"Access-Control-Request-Headers": "content-type,x-api-key"},
    )  # fmt: skip
    assert (answer.status_code, answer.content) == (204, b"")
    allowed = answer.headers["access-control-allow-headers"].lower().split(", ")
    assert {"content-type", "x-api-key", "x-license-username", "x-license-password"} <= set(allowed)
    assert "authorization" not in allowed
    assert answer.headers["access-control-allow-methods"] == "POST"
    assert int(answer.headers["access-control-max-age"]) > 0


async def test_answers_and_refusals_are_readable_with_their_limits(shop: MeterShop) -> None:
    made = await shop.issue("Perpetual")
    body = {"licenseKey": made["licenseKey"]}
    path = "/api/licenses/validate"
    good = await shop.owner.client.post(path, json=body, headers={**ORIGIN, **shop.key})
    bad = await shop.owner.client.post(path, json=[], headers={**ORIGIN, **shop.key})
    stranger = await shop.owner.client.post(path, json=body, headers=ORIGIN)
    assert [answer.status_code for answer in (good, bad, stranger)] == [200, 400, 401]
    for answer in (good, bad, stranger):
        assert answer.headers[ALLOW] == "*"
        assert "Retry-After" in answer.headers["access-control-expose-headers"]
