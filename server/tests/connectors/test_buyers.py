"""Buyers get their licenses by mail, in the language that the shop names."""

from typing import Any

import pytest
from connectors.factories import Stall, open_stall
from delivery.post import mails_of
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform
from licet_server.worker import dispatch_events


async def mailed(stall: Stall) -> list[dict[str, Any]]:
    await dispatch_events(stall.platform)
    return await mails_of(stall.owner, pageSize=100)


async def test_each_license_is_mailed_once(stall: Stall) -> None:
    shop = stall.shop(quantity=2)
    shop.buy()
    order = await stall.sell(shop)
    sent = await mailed(stall)
    assert sorted(item["licenseId"] for item in sent) == sorted(order["licenseIds"])
    assert {(item["kind"], item["recipient"]) for item in sent} == {("Issued", shop.email)}
    shop.wait(days=1)
    stall.clock.advance(days=1)
    await stall.owner.sign_in()
    shop.change("basic", 3)
    order = await stall.sell(shop)
    assert len(await mailed(stall)) == len(order["licenseIds"]) == 3


async def test_revoked_license_is_not_mailed(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    shop = stall.shop(quantity=3)
    shop.buy()
    shop.change("basic", 1)
    order = await stall.sell(shop)
    statuses = sorted(item["status"] for item in await stall.licenses(order))
    assert statuses == ["Active", "Suspended", "Suspended"]
    assert len(await mailed(stall)) == 1


NAMED = [
    (ConnectorKind.STRIPE, "preferred_locales", ["de-AT", "en"]),
    (ConnectorKind.PADDLE, "locale", "de_at"),
    (ConnectorKind.GENERIC, "locale", "de-at"),
]


@pytest.mark.parametrize(("kind", "field", "value"), NAMED)
async def test_customer_gets_the_language_of_the_provider(
    kind: ConnectorKind,
    field: str,
    value: Any,
    owner: Owner,
    platform: Platform,
    clock: FakeClock,
) -> None:
    stall = await open_stall(owner, platform, clock, kind)
    shop = stall.shop()
    shop.buy()
    first = shop.sent[0].body["data"]
    first = first.get("object") or first.get("customer") or first
    first[field] = value
    order = await stall.sell(shop)
    customer = await owner.ok("GET", f"/api/customers/{order['customerId']}")
    assert customer["locale"] == "de-AT"


async def test_invalid_language_is_ignored(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    for value in ("auto", 7, ["de"], "x" * 99, "de\0"):
        shop = stall.shop()
        shop.buy()
        shop.sent[0].body["data"]["customer"]["locale"] = value
        await stall.deliver(*shop.sent)
    await stall.work_off()
    orders = await stall.orders()
    assert {item["status"] for item in orders} == {"Fulfilled"}
    for order in orders:
        customer = await owner.ok("GET", f"/api/customers/{order['customerId']}")
        assert customer["locale"] is None
