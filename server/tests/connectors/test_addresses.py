"""A sale whose buyer has an address that cannot be used, or none, or that was paid in test mode."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from connectors.factories import Stall, nameless, open_stall
from sqlalchemy import text
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.service.asking import ask_for_buyers
from licet_server.kit.outbound.network import Network, admits_public, public_trust
from licet_server.kit.platform import Platform

LATER = "jane@xn--mller-kva.example"


def renamed(stall: Stall, address: str) -> list[Any]:
    """A sale whose every event has another address of the buyer."""
    shop = stall.shop()
    shop.buy()
    for sent in shop.sent:
        written = json.dumps(sent.body).replace(json.dumps(shop.email), json.dumps(address))
        sent.body.clear()
        sent.body.update(json.loads(written))
    return shop.sent


async def sold_to(stall: Stall, address: str) -> dict[str, Any]:
    await stall.deliver(*renamed(stall, address))
    await stall.work_off()
    [order] = await stall.orders()
    return order


async def test_an_address_is_read_as_it_is_meant(stall: Stall) -> None:
    order = await sold_to(stall, ' "Doe, Jane" <jane@Müller.example.>')
    assert (order["status"], order["email"]) == ("Fulfilled", LATER)
    [license_] = await stall.licenses(order)
    assert license_["issuedTo"] == LATER


async def test_an_order_names_the_address_that_cannot_be_used(stall: Stall) -> None:
    order = await sold_to(stall, 'jane"<>doe@@example.com')
    assert (order["status"], order["email"], order["licenseIds"]) == ("Open", None, [])
    assert '"jane\'<>doe@@example.com"' in order["problem"]
    recorded = "SELECT data::text || changes::text FROM events WHERE subject_id = :id"
    async with stall.platform.database.reading() as db:
        told = (await db.execute(text(recorded), {"id": order["id"]})).scalars().all()
    assert told
    assert not any("doe@@" in item for item in told), "what is recorded could not be erased"
    path = f"/api/orders/{order['id']}"
    given = await stall.owner.ok("PUT", path, {"email": "Jane <jane@müller.example>"})
    assert given["email"] == LATER
    await stall.work_off()
    [order] = await stall.orders()
    assert (order["status"], order["email"], order["problem"]) == ("Fulfilled", LATER, None)


async def test_the_customer_with_the_reference_is_the_buyer(stall: Stall) -> None:
    shop = nameless(stall)
    await stall.deliver(*shop.sent)
    await stall.work_off()
    [order] = await stall.orders()
    async with stall.platform.database.reading() as db:
        reference = (
            await db.execute(
                text("SELECT buyer_reference FROM orders WHERE id = :id"), {"id": order["id"]}
            )
        ).scalar_one()
    if reference is None:
        pytest.skip("this shop has no ID of a buyer without an address")
    body = {
        "name": "Jane",
        "email": "jane@example.org",
        "externalReference": reference.removeprefix("customer:"),
    }
    customer = await stall.owner.ok("POST", "/api/customers", body)
    async with stall.platform.database.transaction() as db:
        await db.execute(
            text("UPDATE orders SET due_at = :now WHERE id = :id"),
            {"now": stall.clock(), "id": order["id"]},
        )
    await stall.work_off()
    [order] = await stall.orders()
    assert (order["status"], order["email"]) == ("Fulfilled", "jane@example.org")
    assert order["customerId"] == customer["id"]


def in_test_mode(kind: ConnectorKind, body: dict[str, Any]) -> None:
    match kind:
        case ConnectorKind.STRIPE:
            body["livemode"] = False
        case ConnectorKind.PADDLE:
            body["event_id"] = f"ntfsimevt_{body['event_id']}"
        case ConnectorKind.LEMON_SQUEEZY:
            body["data"]["attributes"]["test_mode"] = True
        case ConnectorKind.GENERIC:
            body["data"]["testMode"] = True


async def test_test_money_buys_nothing(stall: Stall) -> None:
    shop = stall.shop()
    shop.buy()
    live = [json.loads(json.dumps(sent.body)) for sent in shop.sent]
    for sent in shop.sent:
        in_test_mode(stall.kind, sent.body)
    order = await stall.sell(shop)
    assert (order["testMode"], order["status"], order["licenseIds"]) == (True, "Open", [])
    assert "test mode" in order["problem"]
    assert order["customerId"] is None
    again = stall.shop()
    again.buy()
    for sent, body in zip(again.sent, live, strict=True):
        sent.body.clear()
        sent.body.update(body)
        if stall.kind is ConnectorKind.STRIPE:
            sent.body["id"] += "_live"
    await stall.deliver(*again.sent)
    await stall.work_off()
    [order] = await stall.orders()
    assert (order["testMode"], order["status"]) == (False, "Fulfilled"), "it was paid after all"
    assert len(order["licenseIds"]) == 1


async def test_all_sales_of_a_sandbox_are_tests(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(
        owner, platform, clock, ConnectorKind.PADDLE, apiUrl="https://sandbox-api.paddle.com"
    )
    shop = stall.shop()
    shop.buy()
    order = await stall.sell(shop)
    assert (order["testMode"], order["licenseIds"]) == (True, [])


@dataclass
class Api:
    """A shop's API that knows one buyer."""

    answer: dict[str, Any]
    port: int = 0
    status: int = 200
    asked: list[tuple[str, str]] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        key = next(it for it in head if it.lower().startswith("authorization"))
        self.asked.append((head[0].split()[1], key.partition(": ")[2]))
        body = json.dumps(self.answer).encode()
        writer.write(
            f"HTTP/1.1 {self.status} x\r\ncontent-length: {len(body)}\r\n"
            "connection: close\r\n\r\n".encode()
            + body
        )
        await writer.drain()
        writer.close()


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    found = Api({})
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    async with server:
        yield found


NAMED = {"email": "Jane <jane@müller.example>", "name": "Jane Doe"}
ANSWERS: dict[ConnectorKind, tuple[str, dict[str, Any]]] = {
    ConnectorKind.STRIPE: ("/v1/customers/", {"object": "customer", **NAMED}),
    ConnectorKind.PADDLE: ("/customers/", {"data": {**NAMED, "locale": "de"}}),
    ConnectorKind.LEMON_SQUEEZY: (
        "/v1/orders/",
        {"data": {"attributes": {"user_email": NAMED["email"], "user_name": NAMED["name"]}}},
    ),
}


@pytest.mark.parametrize("kind", ANSWERS)
async def test_the_shop_is_asked_for_a_buyer_it_knew_before(
    kind: ConnectorKind, owner: Owner, platform: Platform, clock: FakeClock, api: Api
) -> None:
    stall = await open_stall(
        owner, platform, clock, kind, apiKey="rk_1", apiUrl="https://shop.example"
    )
    path, api.answer = ANSWERS[kind]
    shop = nameless(stall)
    for sent in shop.sent:
        if kind is ConnectorKind.LEMON_SQUEEZY:
            sent.body["data"]["attributes"]["customer_id"] = 77
    await stall.deliver(*shop.sent)
    async with platform.database.transaction() as db:
        await db.execute(
            text("UPDATE connectors SET api_url = :url WHERE id = :id"),
            {"url": f"http://127.0.0.1:{api.port}", "id": stall.connector["id"]},
        )
    await stall.work_off()
    [order] = await stall.orders()
    assert (order["status"], order["email"]) == ("Open", None)
    assert "apiKey" in order["problem"]
    assert order["nextAttemptAt"] is not None
    network = Network(admits_public(allow_private=True), public_trust)
    clock.advance(minutes=2)
    for status, answer in ((500, api.answer), (200, {"data": []}), (200, {"email": None})):
        asked = Api(answer, status=status)
        api.status, given, api.answer = asked.status, api.answer, asked.answer
        assert await ask_for_buyers(platform, network) == 0
        api.answer = given
    api.status = 200
    assert await ask_for_buyers(platform, network) == 1
    assert api.asked[-1][0].startswith(path)
    assert api.asked[-1][1] == "Bearer rk_1"
    await stall.work_off()
    [order] = await stall.orders()
    assert (order["status"], order["email"]) == ("Fulfilled", LATER)
    assert await ask_for_buyers(platform, network) == 0, "nothing is lacking any more"
