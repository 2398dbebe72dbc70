"""A list of licenses says, if asked, when each was used last and which order it came of."""

import csv
import io
from typing import Any

import pytest
from connectors.factories import open_stall
from connectors.test_sales import sell
from identity.test_reset_and_api_keys import make_key
from licenses.factories import issue
from plans import taken_down
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform

FIELDS = ("lastSeenAt", "orderId", "orderNumber")


@pytest.fixture
async def sold(owner: Owner, platform: Platform, clock: FakeClock) -> Owner:
    """An owner with a license that was sold and used, and one that was neither."""
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    await sell(stall, 4711, amount="1")
    [license_] = (await owner.ok("GET", "/api/licenses"))["items"]
    key = (await owner.ok("GET", f"/api/products/{stall.product['id']}/credentials"))["apiKey"]
    body = {"licenseKey": license_["licenseKey"], "hardwareId": "A" * 64}
    answer = await owner.client.post("/api/activations", json=body, headers={"x-api-key": key})
    assert answer.is_success, answer.text
    await issue(owner, stall.product)
    return owner


async def test_extra_fields_of_licenses_are_read_only_where_they_are_asked_for(
    sold: Owner, clock: FakeClock
) -> None:
    with taken_down("order_licenses") as orders, taken_down("max(") as seen:
        plain = (await sold.ok("GET", "/api/licenses"))["items"]
    assert not orders
    assert not seen
    assert not any(name in it for it in plain for name in FIELDS)

    [order] = (await sold.ok("GET", "/api/orders"))["items"]
    asked = "/api/licenses?sort=createdAt&include=LastSeen&include=Order"
    bought, other = (await sold.ok("GET", asked))["items"]
    seen_at = clock().isoformat().replace("+00:00", "Z")
    assert [bought[name] for name in FIELDS] == [seen_at, order["id"], "4711"]
    assert [other[name] for name in FIELDS] == [None, None, None]
    assert {**bought, "lastSeenAt": 0, "orderId": 0, "orderNumber": 0} == {
        **plain[1], "lastSeenAt": 0, "orderId": 0, "orderNumber": 0,
    }  # fmt: skip
    [only] = (await sold.ok("GET", "/api/licenses?include=LastSeen&search=ada"))["items"]
    assert only["lastSeenAt"] == seen_at
    assert "orderId" not in only
    answer = await sold.send("GET", "/api/licenses", headers={"accept": "text/csv"})
    first, second = csv.DictReader(io.StringIO(answer.text))
    assert [first[name] for name in FIELDS] == [seen_at, order["id"], "4711"]
    assert [second[name] for name in FIELDS] == ["", "", ""]


@pytest.mark.parametrize(("more", "number"), [([], None), (["Connectors.Read"], "4711")])
async def test_keys_see_orders_of_licenses_only_if_they_read_orders(
    sold: Owner, more: list[str], number: str | None
) -> None:
    key: dict[str, Any] = await make_key(sold, scopes=["Licenses.Read", *more])
    answer = await sold.client.get(
        "/api/licenses?include=Order&sort=createdAt", headers={"x-api-key": key["secret"]}
    )
    assert answer.json()["items"][0]["orderNumber"] == number
