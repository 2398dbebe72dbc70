"""A buyer is exported with their orders, and erased from them and from what shops have sent."""

from collections.abc import Callable
from typing import Any

import pytest
from connectors.factories import Stall, open_stall
from connectors.shops import Shop
from customers.dump import dump_of, lines_with
from testkit import FakeClock, Owner

from licet_server.app import Application
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform
from licet_server.kit.text import ERASED_ADDRESS
from licet_server.worker import dispatch_events

NAME = "Jane Doe"


@pytest.fixture
def application(fresh_application: Application) -> Application:
    """On a database of its own, which is dumped."""
    return fresh_application


@pytest.fixture
async def stall(owner: Owner, platform: Platform, clock: FakeClock) -> Stall:
    return await open_stall(owner, platform, clock, ConnectorKind.PADDLE)


async def sell(stall: Stall) -> tuple[Shop, dict[str, Any]]:
    """A sale, with an event that cannot be read, and one that nobody has read yet."""
    shop = stall.shop()
    shop.buy()
    strange = {**shop.sent[-1].body, "event_id": "evt_strange"}
    await stall.tell({**strange, "data": {"id": "sub_x", "status": "odd", "email": shop.email}})
    order = await stall.sell(shop)
    shop.fail()
    await stall.deliver(*shop.sent)
    await stall.tell({**shop.sent[0].body, "event_id": "evt_again"})
    await dispatch_events(stall.platform)
    return shop, order


async def test_export_has_orders_and_events_of_providers(stall: Stall) -> None:
    shop, order = await sell(stall)
    path = f"/api/customers/{order['customerId']}/export"
    records = (await stall.owner.ok("GET", path))["records"]
    assert [item["id"] for item in records["orders"]] == [order["id"]]
    assert [item["plan"]["issued_to"] for item in records["orderLicenses"]] == [shop.email]
    about = [
        item["id"]
        for item in await stall.events()
        if item["orderId"] == order["id"]
        or any(said in item["payload"] for said in (shop.email, f"ctm_{shop.name}"))
    ]
    assert {item["id"] for item in records["connectorEvents"]} == set(about)
    [buyer] = records["connectorBuyers"]
    assert (buyer["email"], buyer["name"]) == (shop.email, NAME)


@pytest.mark.parametrize(("licenses", "status"), [("Keep", "Active"), ("Revoke", "Revoked")])
async def test_dump_has_no_trace_of_erased_buyer(stall: Stall, licenses: str, status: str) -> None:
    shop, order = await sell(stall)
    assert len(lines_with(dump_of(stall.platform), shop.email, NAME)) > 5
    path = f"/api/customers/{order['customerId']}/erase"
    await stall.owner.ok("POST", path, {"licenses": licenses})
    assert lines_with(dump_of(stall.platform), shop.email, NAME) == []
    [license_] = await stall.licenses(order)
    assert (license_["issuedTo"], license_["status"]) == (ERASED_ADDRESS, status)
    shop.renew()
    stall.clock.advance(days=31)
    await stall.owner.sign_in()
    left = await stall.sell(shop)
    assert left["licenseIds"] == order["licenseIds"]
    [license_] = await stall.licenses(left)
    assert (license_["issuedTo"], license_["status"] == "Revoked") == (
        ERASED_ADDRESS,
        status == "Revoked",
    )
    assert lines_with(dump_of(stall.platform), shop.email, NAME) == []


async def test_erasure_does_not_touch_other_buyers(
    stall: Stall, new_owner: Callable[..., Any], clock: FakeClock
) -> None:
    other = await open_stall(await new_owner(), stall.platform, clock, ConnectorKind.GENERIC)
    shop, order = await sell(stall)
    theirs = other.shop()
    theirs.email = shop.email
    theirs.buy()
    await other.sell(theirs)
    path = f"/api/customers/{order['customerId']}/erase"
    await stall.owner.ok("POST", path, {"licenses": "Keep"})
    [event] = await other.events()
    assert shop.email in event["payload"]


async def test_orders_of_merged_customers_move_along_and_stay(stall: Stall) -> None:
    shop, order = await sell(stall)
    kept = await stall.owner.ok(
        "POST", "/api/customers", {"name": "Kept", "email": "kept@example.com"}
    )
    path = f"/api/customers/{order['customerId']}/merge"
    await stall.owner.ok("POST", path, {"intoId": kept["id"]})
    found = await stall.owner.ok("GET", f"/api/orders?customerId={kept['id']}")
    assert [item["id"] for item in found["items"]] == [order["id"]]
    shop.renew()
    renewed = await stall.sell(shop)
    assert renewed["customerId"] == kept["id"]
    customers = await stall.owner.ok("GET", "/api/customers")
    assert [item["id"] for item in customers["items"]] == [kept["id"]]


async def test_address_that_an_operator_gave_is_erased(stall: Stall) -> None:
    """Of an order that is not paid yet, so that it has no customer."""
    data = {"id": "sub_1", "status": "active", "items": []}
    at = stall.clock().isoformat()
    event = {"event_id": "evt_1", "event_type": "subscription.created", "occurred_at": at}
    await stall.tell({**event, "data": data})
    await stall.work_off()
    [order] = await stall.orders()
    address = "given@example.com"
    body = {"email": address, "name": "Given"}
    customer = await stall.owner.ok("POST", "/api/customers", body)
    await stall.owner.ok("PUT", f"/api/orders/{order['id']}", {"email": address})
    await stall.work_off()
    await dispatch_events(stall.platform)
    assert len(lines_with(dump_of(stall.platform), address)) > 2
    path = f"/api/customers/{customer['id']}"
    exported = (await stall.owner.ok("GET", f"{path}/export"))["records"]["orders"]
    assert [item["email"] for item in exported] == [address]
    await stall.owner.ok("POST", f"{path}/erase", {"licenses": "Keep"})
    assert lines_with(dump_of(stall.platform), address) == []
    [order] = await stall.orders()
    assert (order["email"], order["customerId"]) == (ERASED_ADDRESS, None)
