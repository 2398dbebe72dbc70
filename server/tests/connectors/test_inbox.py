"""The inbox stores what the shop signed, once, and refuses everything else."""

import asyncio
import json
from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from connectors.factories import Stall, make_connector, open_stall
from connectors.shops import SECRETS, TIMED, Sent, sign
from connectors.test_sales import PAID_UNTIL, sell
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import Connector, ConnectorKind, InboxEvent
from licet_server.connectors.rules.providers import MAX_BODY_BYTES
from licet_server.connectors.storage import connectors as storage
from licet_server.connectors.storage import inbox
from licet_server.kit.database import Connection
from licet_server.kit.errors import conflict
from licet_server.kit.platform import Platform
from licet_server.kit.signing_secrets import OVERLAP

AT_ONCE = 60


@pytest.fixture
async def generic(owner: Owner, platform: Platform, clock: FakeClock) -> Stall:
    return await open_stall(owner, platform, clock, ConnectorKind.GENERIC)


def message(stall: Stall) -> Sent:
    shop = stall.shop()
    shop.buy()
    return shop.sent[-1]


async def test_a_signed_event_is_stored_once(stall: Stall) -> None:
    sent = message(stall)
    answers = [(await stall.send(sent)).json() for _ in range(3)]
    assert answers == [
        {"received": True, "duplicate": False},
        {"received": True, "duplicate": True},
        {"received": True, "duplicate": True},
    ]
    [event] = await stall.events()
    assert json.loads(event["payload"]) == sent.body
    assert (event["status"], event["error"], event["orderId"]) == ("Pending", None, None)


async def test_a_forged_signature_is_refused(stall: Stall) -> None:
    sent = message(stall)
    other = "whsec_" + "B" * 32 if stall.kind is ConnectorKind.GENERIC else "another-secret"
    answers = [
        await stall.send(sent, secret=other),
        await stall.post(sent.raw + b" ", sent.headers(stall.clock())),
        await stall.post(sent.raw, {}),
    ]
    for name, value in sent.headers(stall.clock()).items():
        garbled = [value.replace("=", "=é"), "", "v1=", ",;=,", value[:20], "t=1,v1=", "x" * 5_000]
        for item in garbled:
            header = {**sent.headers(stall.clock()), name: item}
            if name == "x-event-name" or item == value:
                continue
            raw_headers = {key: text.encode() for key, text in header.items()}
            answers.append(await stall.post(sent.raw, raw_headers))  # type: ignore[arg-type]
    assert {item.status_code for item in answers} == {401}
    assert {item.json()["errorCode"] for item in answers} == {"Unauthorized"}
    assert await stall.events() == []


@pytest.mark.parametrize("kind", TIMED)
@pytest.mark.parametrize("late", [301, -301])
async def test_an_old_signature_is_refused(
    kind: ConnectorKind, late: int, owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, kind)
    sent = message(stall)
    signed_at = clock() - timedelta(seconds=late)
    assert (await stall.send(sent, signed_at)).status_code == 401
    just = clock() - timedelta(seconds=late - (1 if late > 0 else -1))
    assert (await stall.send(sent, just)).status_code == 200


async def test_both_secrets_are_valid_while_one_replaces_the_other(stall: Stall) -> None:
    path = f"/api/connectors/{stall.connector['id']}/rotate-secret"
    another = SECRETS[stall.kind].replace("e", "E").replace("K", "k")
    rotated = await stall.owner.ok("POST", path, {"signingSecret": another})
    assert rotated["signingSecret"] is None
    assert rotated["previousSecretUntil"] is not None
    first, second, third = message(stall), message(stall), message(stall)
    assert (await stall.send(first)).status_code == 200
    assert (await stall.send(second, secret=another)).status_code == 200
    stall.clock.advance(seconds=OVERLAP.total_seconds())
    assert (await stall.send(third)).status_code == 401
    assert (await stall.send(third, secret=another)).status_code == 200


async def test_events_of_another_account_are_refused(stall: Stall, stranger: Owner) -> None:
    secret = "whsec_" + "C" * 43 + "=" if stall.kind is ConnectorKind.GENERIC else "their-secret"
    theirs = await make_connector(stranger, stall.kind, signingSecret=secret)
    sent = message(stall)
    path = f"/api/connectors/{theirs['id']}/inbox"
    answer = await stall.owner.client.post(
        path, content=sent.raw, headers=sent.headers(stall.clock())
    )
    assert answer.status_code == 401
    unknown = f"/api/connectors/{stall.product['id']}/inbox"
    answer = await stall.owner.client.post(unknown, content=sent.raw)
    assert answer.status_code == 404


async def test_a_disabled_connector_stores_nothing(generic: Stall) -> None:
    path = f"/api/connectors/{generic.connector['id']}"
    await generic.owner.ok("PUT", path, {"enabled": False})
    assert (await generic.send(message(generic))).status_code == 409
    await generic.owner.ok("PUT", path, {"enabled": True})
    assert (await generic.send(message(generic))).status_code == 200


async def test_message_without_event_is_rejected(stall: Stall) -> None:
    for raw in (b"", b"[]", b"{", b"null", b"{}", b'{"id": 1}', b"\xff\xfe", b"[" * 100_000):
        try:
            headers = sign(stall.kind, raw, stall.clock(), SECRETS[stall.kind], "msg_1")
        except UnicodeDecodeError:
            continue
        answer = await stall.post(raw, headers)
        assert answer.status_code == 400, raw[:10]
        assert answer.json()["errorCode"] == "InvalidRequest"
    assert await stall.events() == []


async def test_a_message_that_is_too_large_is_refused(generic: Stall) -> None:
    answer = await generic.tell({"type": "order.paid", "more": "x" * MAX_BODY_BYTES})
    assert answer.status_code == 413


async def test_an_event_delivered_sixty_times_at_once_makes_one_order(generic: Stall) -> None:
    shop = generic.shop()
    shop.buy()
    [sent] = shop.sent
    answers = await asyncio.gather(*(generic.send(sent) for _ in range(AT_ONCE)))
    assert {item.status_code for item in answers} == {200}
    assert sum(not item.json()["duplicate"] for item in answers) == 1
    await asyncio.gather(*(generic.work_off() for _ in range(8)))
    [order] = await generic.orders()
    assert len(order["licenseIds"]) == 1
    found = await generic.owner.ok("GET", f"/api/licenses?productId={generic.product['id']}")
    assert found["totalCount"] == 1


async def test_control_of_one_event_at_once(
    generic: Stall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control: whoever looks first and inserts then collides with others who do."""
    insert, both_looked = inbox.insert_event, asyncio.Barrier(2)

    async def look_and_insert(db: Connection, event: InboxEvent) -> bool:
        known = await db.execute(
            text("SELECT 1 FROM connector_events WHERE external_id = :id"),
            {"id": event.external_id},
        )
        if known.first() is not None:
            return False
        await both_looked.wait()
        if not await insert(db, event):
            raise conflict("Somebody else has inserted it.")
        return True

    monkeypatch.setattr(inbox, "insert_event", look_and_insert)
    sent = message(generic)
    answers = await asyncio.gather(*(generic.send(sent) for _ in range(2)))
    assert {item.status_code for item in answers} == {200, 409}


async def deliver_at_once(stall: Stall) -> None:
    """Many different events about one order, and many processes that work them off."""
    shop = stall.shop()
    for _ in range(AT_ONCE):
        shop.buy()
    await stall.deliver(*shop.sent)
    await asyncio.gather(*(stall.work_off() for _ in range(8)))


async def test_many_events_about_one_order_at_once_make_one_order(generic: Stall) -> None:
    await deliver_at_once(generic)
    [order] = await generic.orders()
    assert len(order["licenseIds"]) == 1
    assert len(await generic.events("status=Processed")) == AT_ONCE


async def test_control_of_many_events_at_once(
    generic: Stall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control: where several processes link events at a time, they collide."""

    async def without_lock(db: Connection, others: Collection[UUID]) -> Connector | None:
        connector_id = UUID(generic.connector["id"])
        found = await storage.find_connector(db, connector_id)
        return None if found is None or connector_id in others else found[0]

    monkeypatch.setattr(storage, "claim_connector", without_lock)
    with pytest.raises(IntegrityError):
        await deliver_at_once(generic)


async def test_one_customer_of_two_sales_at_once(generic: Stall) -> None:
    shops = [generic.shop() for _ in range(12)]
    for shop in shops:
        shop.email = "twice@example.com"
        shop.buy()
    await generic.deliver(*(item for shop in shops for item in shop.sent))
    await asyncio.gather(*(generic.work_off() for _ in range(6)))
    orders = await generic.orders()
    assert len(orders) == 12
    assert {item["status"] for item in orders} == {"Fulfilled"}
    assert len({item["customerId"] for item in orders}) == 1
    found = await generic.owner.ok("GET", "/api/customers?search=twice")
    assert [item["licenseCount"] for item in found["items"]] == [12]


ABSURD: list[dict[str, Any]] = [
    {"quantity": -1},
    {"quantity": 1.5},
    {"quantity": "3"},
    {"quantity": True},
    {"quantity": 10**9},
    {"periodEnd": "soon"},
    {"periodEnd": "9999-12-31T23:59:59Z"},
    {"product": "x" * 300},
    {"product": None},
    {"product": "nul\0"},
    {"testMode": "true"},
]


@pytest.mark.parametrize("line", ABSURD)
async def test_nonsensical_event_fails_with_a_reason(line: dict[str, Any], generic: Stall) -> None:
    data = {
        "id": "1",
        "customer": {"email": "a@example.com"},
        "lines": [{"product": "prod_app", "price": "price_basic", **line}],
        "testMode": line.get("testMode", False),
    }
    body = {"type": "order.paid", "timestamp": generic.clock().isoformat(), "data": data}
    assert (await generic.tell(body)).status_code == 200
    await generic.work_off()
    [event] = await generic.events()
    assert event["status"] == "Failed"
    assert event["error"]
    assert await generic.orders() == []
    assert [item["id"] for item in await generic.events("status=Failed")] == [event["id"]]


async def test_too_many_licenses_are_considered_a_mistake(generic: Stall) -> None:
    shop = generic.shop(quantity=100_000)
    shop.buy()
    order = await generic.sell(shop)
    assert (order["status"], order["licenseIds"]) == ("Open", [])
    assert "1,000 licenses" in order["problem"]


async def test_events_that_are_not_about_sales_are_ignored(generic: Stall) -> None:
    body = {"type": "user.signed_in", "timestamp": generic.clock().isoformat(), "data": {}}
    await generic.tell(body)
    await generic.work_off()
    [event] = await generic.events()
    assert event["status"] == "Ignored"


async def test_an_order_without_an_address_waits_for_it(generic: Stall) -> None:
    ends = "2031-01-01T00:00:00Z"
    lines = [{"product": "prod_app", "price": "price_basic", "periodEnd": ends}]
    data = {"id": "9", "customer": {"email": "no address"}, "lines": lines}
    stamp = generic.clock().isoformat()
    await generic.tell({"type": "order.paid", "timestamp": stamp, "data": data})
    await generic.work_off()
    [order] = await generic.orders()
    assert order["status"] == "Open"
    assert "email address" in order["problem"]
    data = {**data, "customer": {"email": "jane@example.com"}}
    await generic.tell({"type": "order.paid", "timestamp": stamp, "data": data})
    await generic.work_off()
    [order] = await generic.orders()
    assert (order["status"], order["problem"]) == ("Fulfilled", None)


async def test_lost_secret_is_reported_until_it_is_replaced(stall: Stall) -> None:
    async with stall.platform.database.reading() as db:
        await db.execute(
            text("UPDATE connectors SET secret = '\\x00' WHERE id = :id"),
            {"id": stall.connector["id"]},
        )
    sent = message(stall)
    refused = await stall.send(sent)
    assert (refused.status_code, refused.json()["errorCode"]) == (409, "Conflict")
    assert "Replace the secret" in refused.json()["detail"]
    path = f"/api/connectors/{stall.connector['id']}/rotate-secret"
    await stall.owner.ok("POST", path, {"signingSecret": SECRETS[stall.kind]})
    assert (await stall.send(sent)).json() == {"received": True, "duplicate": False}


async def test_events_are_found_by_their_order(stall: Stall) -> None:
    first, other = stall.shop(), stall.shop()
    for shop in (first, other):
        shop.buy()
        await stall.deliver(*shop.sent)
    await stall.work_off()
    [*orders] = await stall.orders()
    assert len(orders) == 2
    for order in orders:
        found = await stall.events(f"orderId={order['id']}")
        assert found
        assert {item["orderId"] for item in found} == {order["id"]}
        assert await stall.events(f"orderId={order['id']}&status=Failed") == []


async def test_an_event_says_which_order_whose_and_how_much(generic: Stall) -> None:
    buyer = {"email": "carla@example.com", "name": "Carla Ruiz"}
    line = {"product": "flow", "price": "price_basic", "periodEnd": PAID_UNTIL}
    await sell(generic, 4713, customer=buyer, currency="EUR", lines=[line], amount="29.50")
    [event] = await generic.events()
    about = {name: event[name] for name in ("orderNumber", "customerName", "amount", "currency")}
    assert about == {
        "orderNumber": "4713",
        "customerName": "Carla Ruiz",
        "amount": 29.5,
        "currency": "EUR",
    }
    replay = f"/api/connector-events/{event['id']}/replay"
    assert (await generic.owner.ok("POST", replay))["orderNumber"] == "4713"
