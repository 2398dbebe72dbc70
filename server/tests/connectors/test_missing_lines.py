"""An invoice with more lines than its event carries: the rest is fetched, or the order says so."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from connectors.factories import Stall, open_stall
from sqlalchemy import text
from testkit import FakeClock, Owner

from licet_server.connectors.service.asking import complete_due
from licet_server.kit.outbound.network import Network, admits_public, public_trust
from licet_server.kit.platform import Platform

LINES = 12


def line(number: int, clock: FakeClock) -> dict[str, Any]:
    start = int(clock.START.timestamp())
    kind = "price_pro" if number == LINES - 1 else "price_basic"
    sold = {"price": kind, "product": f"prod_{number}"}
    return {
        "id": f"il_{number}",
        "amount": 100,
        "quantity": 1,
        "period": {"start": start, "end": start + 86_400 * (30 + number)},
        "parent": {"subscription_item_details": {"proration": False}},
        "pricing": {"price_details": sold},
        "description": "x" * 100,
    }


@dataclass
class Api:
    """A shop's API that serves lines in pages of five."""

    lines: list[dict[str, Any]]
    port: int = 0
    status: int = 200
    asked: list[tuple[str, str]] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        path = head[0].split()[1]
        key = next(it for it in head if it.lower().startswith("authorization"))
        self.asked.append((path, key.partition(": ")[2]))
        after = path.partition("starting_after=")[2]
        ids = [it["id"] for it in self.lines]
        begin = ids.index(after) + 1 if after else 0
        page = self.lines[begin : begin + 5]
        has_more = begin + 5 < len(self.lines)
        body = json.dumps({"object": "list", "data": page, "has_more": has_more}).encode()
        writer.write(
            f"HTTP/1.1 {self.status} x\r\ncontent-length: {len(body)}\r\n"
            "connection: close\r\n\r\n".encode()
            + body
        )
        await writer.drain()
        writer.close()


@pytest.fixture
async def api(clock: FakeClock) -> AsyncIterator[Api]:
    found = Api([line(number, clock) for number in range(LINES)])
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    async with server:
        yield found


async def sold(stall: Stall, lines: list[dict[str, Any]]) -> dict[str, Any]:
    item = {
        "id": "in_1",
        "subscription": "sub_1",
        "customer_email": "a@example.com",
        "lines": {"data": lines, "has_more": True, "url": "/v1/invoices/in_1/lines"},
    }
    created = int(stall.clock().timestamp())
    event = {"id": "evt_1", "type": "invoice.paid", "created": created, "data": {"object": item}}
    assert (await stall.tell(event)).status_code == 200
    await stall.work_off()
    [order] = await stall.orders()
    return order


def loopback() -> Network:
    return Network(admits_public(allow_private=True), public_trust)


async def test_lines_are_fetched_with_the_key_of_the_connector(
    owner: Owner, platform: Platform, clock: FakeClock, api: Api
) -> None:
    stall = await open_stall(owner, platform, clock)
    order = await sold(stall, api.lines[:5])
    assert order["status"] == "Open"
    assert "Lines are missing" in order["problem"]
    assert len(order["licenseIds"]) == 5
    assert [len(it["licenseIds"]) for it in order["lines"]] == [1] * 5
    assert await complete_due(platform, loopback()) == 0, "there is no key"
    path = f"/api/connectors/{stall.connector['id']}"
    await owner.ok("PUT", path, {"apiKey": "rk_live_1"})
    async with platform.database.transaction() as db:
        await db.execute(
            text("UPDATE connectors SET api_url = :url"), {"url": f"http://127.0.0.1:{api.port}"}
        )
        await db.execute(text("UPDATE orders SET due_at = :now"), {"now": clock()})
    api.status = 500
    assert await complete_due(platform, loopback()) == 0
    await stall.work_off()
    [order] = await stall.orders()
    assert order["status"] == "Open"
    assert order["nextAttemptAt"] is not None
    api.status = 200
    clock.advance(minutes=1)
    api.asked.clear()
    assert await complete_due(platform, loopback()) == 1
    assert api.asked == [
        ("/v1/invoices/in_1/lines?limit=100", "Bearer rk_live_1"),
        ("/v1/invoices/in_1/lines?limit=100&starting_after=il_4", "Bearer rk_live_1"),
        ("/v1/invoices/in_1/lines?limit=100&starting_after=il_9", "Bearer rk_live_1"),
    ]
    await stall.work_off()
    [order] = await stall.orders()
    assert (order["status"], order["problem"]) == ("Fulfilled", None)
    assert len(order["licenseIds"]) == LINES
    named = [it["licenseIds"] for it in order["lines"]]
    assert [len(ids) for ids in named] == [1] * LINES
    assert len({id_ for ids in named for id_ in ids}) == LINES
    ends = {
        it["policyId"]: await owner.ok("GET", f"/api/licenses/{it['licenseIds'][0]}")
        for it in order["lines"]
    }
    last = ends[stall.policies["pro"]["id"]]
    expected = clock.START + timedelta(days=30 + LINES - 1)
    assert last["expirationDate"].startswith(f"{expected:%Y-%m-%dT%H:%M}")
