"""After a buyer is erased, all orders go on as if they were not, whatever buyers are called."""

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from applications import ApplicationWith, emptied
from connectors.factories import Stall, open_stall
from connectors.shops import DISPUTABLE, Shop
from customers.rows import changed, rows_of
from testkit import FakeClock, Owner

from licet_server.app import Application
from licet_server.connectors.rules.erasure import erased_body
from licet_server.connectors.rules.facts import ERASED_BUYER, Fact, FactKind
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.providers import fact_of
from licet_server.kit.platform import Platform
from licet_server.kit.text import ERASED_ADDRESS

ACTS = ("refund", "cancel", "renew", "fail")


@pytest.fixture(scope="module")
async def shared_application(application_with: ApplicationWith) -> Application:
    """An application on a database of its own, all of whose rows are compared."""
    return await emptied(await application_with("fresh"))


async def deliver(stall: Stall, shop: Shop, name: str, since: int = 0) -> None:
    """Deliver what a shop has sent of a buyer who calls themselves so."""
    for item in shop.sent[since:]:
        said = json.dumps(item.body).replace("Jane Doe", name)
        await stall.deliver(replace(item, body=json.loads(said)))


async def order_of(stall: Stall, shop: Shop) -> dict[str, Any]:
    customers = (await stall.owner.ok("GET", f"/api/customers?search={shop.email}"))["items"]
    [found] = await stall.orders(f"customerId={customers[0]['id']}")
    return found


async def outcome(stall: Stall, order_id: str) -> list[Any]:
    order = await stall.owner.ok("GET", f"/api/orders/{order_id}")
    fields = ("status", "expirationDate", "type")
    licenses = [[item[name] for name in fields] for item in await stall.licenses(order)]
    lines = [{**line, "licenseIds": len(line["licenseIds"])} for line in order["lines"]]
    return [order["status"], order["problem"], lines, sorted(licenses)]


@pytest.mark.parametrize("kind", ConnectorKind)
@pytest.mark.parametrize("act", ACTS)
async def test_order_of_erased_buyer_has_the_same_result(
    owner: Owner, platform: Platform, clock: FakeClock, kind: ConnectorKind, act: str
) -> None:
    """The erased, somebody else, and a control of whom nobody is erased."""
    stall = await open_stall(owner, platform, clock, kind)
    shops = {who: stall.shop() for who in ("erased", "other", "control")}
    called = {"erased": "order", "other": "paid", "control": "order"}
    for who, shop in shops.items():
        shop.buy()
        await deliver(stall, shop, called[who])
    await stall.work_off()
    orders = {who: await order_of(stall, shop) for who, shop in shops.items()}
    sold = {who: len(shop.sent) for who, shop in shops.items()}
    if act != "renew":
        for who, shop in shops.items():
            getattr(shop, act)()
            await deliver(stall, shop, called[who], sold[who])  # pending while they are erased
            sold[who] = len(shop.sent)
    before = await rows_of(platform)
    customer = orders["erased"]["customerId"]
    await owner.ok("POST", f"/api/customers/{customer}/erase", {"licenses": "Keep"})
    after = await rows_of(platform)
    order = orders["erased"]
    names = (shops["erased"].email, f"_{shops['erased'].name}")
    own = (*names, customer, order["id"], *order["licenseIds"])
    for table, was, left in changed(before, after):
        assert any(item in str(was) for item in own), (table, was, left)
    assert shops["erased"].email not in str(after)
    if act == "renew":
        for who, shop in shops.items():
            shop.renew()
            await deliver(stall, shop, called[who], sold[who])
    await stall.work_off()
    found = {who: await outcome(stall, order["id"]) for who, order in orders.items()}
    if act == "renew" and kind is not ConnectorKind.PADDLE:
        assert found["other"] == found["control"]  # the shop names the erased buyer again
        assert found["erased"][0] == found["control"][0]
    else:
        assert found["erased"] == found["other"] == found["control"]
    for event in await stall.events():
        if event["payload"]:
            await owner.ok("POST", f"/api/connector-events/{event['id']}/replay")
    await stall.work_off()
    again = {who: await outcome(stall, order["id"]) for who, order in orders.items()}
    assert again == found


@pytest.mark.parametrize("kind", ConnectorKind)
async def test_pending_sale_of_erased_buyer_gets_no_license(
    owner: Owner, platform: Platform, clock: FakeClock, kind: ConnectorKind
) -> None:
    stall = await open_stall(owner, platform, clock, kind)
    first, second = stall.shop(), stall.shop()
    second.email = first.email
    first.buy()
    await deliver(stall, first, "order")
    await stall.work_off()
    order = await order_of(stall, first)
    second.buy()
    await deliver(stall, second, "order")
    path = f"/api/customers/{order['customerId']}/erase"
    await owner.ok("POST", path, {"licenses": "Keep"})
    await stall.work_off()
    [waiting] = [item for item in await stall.orders() if item["id"] != order["id"]]
    assert (waiting["licenseIds"], waiting["customerId"], waiting["status"]) == ([], None, "Open")
    assert waiting["problem"]
    assert first.email not in str(await rows_of(platform))
    customers = (await owner.ok("GET", "/api/customers"))["items"]
    assert [item["id"] for item in customers] == [order["customerId"]]
    licenses = (await owner.ok("GET", "/api/licenses"))["items"]
    assert [item["issuedTo"] for item in licenses] == [ERASED_ADDRESS]


def life_of(shop: Shop) -> None:
    shop.buy()
    shop.renew()
    shop.change("pro", 2)
    shop.fail()
    shop.renew()
    if shop.kind in DISPUTABLE:
        shop.dispute()
        shop.win()
    shop.refund()
    shop.cancel()


@pytest.mark.parametrize("kind", ConnectorKind)
def test_erased_body_is_still_readable(kind: ConnectorKind, clock: FakeClock) -> None:
    shop = Shop(kind, "o1", "jane@example.com", clock.now)
    life_of(shop)
    read = 0
    for sent in shop.sent:
        fact = fact_of(kind, sent.message_id, sent.raw)
        if fact is None or fact.kind is FactKind.BUYER:
            continue
        left = msgspec.json.encode(erased_body(sent.body))
        assert not any(said in left for said in (b"jane", b"Jane Doe", b"cus_", b"ctm_"))
        again = fact_of(kind, sent.message_id, left)
        assert again is not None
        assert again.buyer == (fact.buyer and ERASED_BUYER)
        assert without_names(again) == without_names(fact)
        read += 1
    assert read > 5


def without_names(fact: Fact) -> Fact:
    """Some shops give events no ID, so that it follows from the text."""
    return msgspec.structs.replace(fact, buyer=None, event_id="")
