"""Orders have what was paid for them, and paid back, as far as the shop says so."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest
from connectors.factories import Stall, nameless
from connectors.shops import SECRETS

from licet_server.connectors.rules.erasure import erased_body
from licet_server.connectors.rules.facts import Fact, Money
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.orders import order_state
from licet_server.connectors.rules.payments import Paid
from licet_server.connectors.rules.providers import fact_of, received_event
from licet_server.connectors.rules.reading import money_in, smallest_units_in

RECORDED = json.loads((Path(__file__).parent / "recorded_stripe.json").read_text())
START = datetime(2030, 1, 1, tzinfo=UTC)
LINES = {"data": [{"amount": 1, "price": {"id": "p"}}]}
PADDLE_LINES = [{"price": {"id": "p"}}]
ITEM = {"product_id": 1, "variant_id": 2}


def stripe(kind: str, item: dict[str, Any], at: int = 0, **event: Any) -> dict[str, Any]:
    created = int(START.timestamp()) + at
    return {
        "id": f"evt_{kind}_{at}",
        "type": kind,
        "created": created,
        "data": {"object": item},
        **event,
    }


def paddle(kind: str, data: dict[str, Any], at: int = 0) -> dict[str, Any]:
    moment = (START + timedelta(seconds=at)).isoformat()
    return {
        "event_id": f"evt_{kind}_{at}",
        "event_type": kind,
        "occurred_at": moment,
        "data": data,
    }


def lemon(name: str, kind: str, said: dict[str, Any], at: int = 0) -> dict[str, Any]:
    moment = (START + timedelta(seconds=at)).isoformat()
    attributes = {"created_at": moment, "updated_at": moment, "currency": "USD", **said}
    data = {"type": kind, "id": f"{kind}-{at}", "attributes": attributes}
    return {"meta": {"event_name": name}, "data": data}


def generic(kind: str, at: int = 0, **data: Any) -> dict[str, Any]:
    moment = (START + timedelta(seconds=at)).isoformat()
    lines = [{"product": "app"}]
    return {"type": kind, "timestamp": moment, "data": {"id": "1", "lines": lines, **data}}


def invoice(number: int, **fields: Any) -> dict[str, Any]:
    return {"id": f"in_{number}", "subscription": "sub_1", "lines": LINES, **fields}


def transaction(number: int, total: str, currency: str) -> dict[str, Any]:
    totals = {"grand_total": total, "total": "9", "currency_code": currency}
    return {"id": f"txn_{number}", "items": PADDLE_LINES, "details": {"totals": totals}}


def adjustment(number: int, total: str) -> dict[str, Any]:
    totals = {"total": total, "currency_code": "JPY"}
    return {
        "id": f"adj_{number}",
        "action": "refund",
        "status": "approved",
        "type": "partial",
        "transaction_id": "txn_1",
        "totals": totals,
    }


STRIPE_SALE = [
    stripe("invoice.paid", invoice(1, amount_paid=1999, currency="eur")),
    stripe("invoice.payment_succeeded", invoice(1, amount_paid=1999, currency="eur")),
    stripe("invoice.paid", invoice(2, amount_paid=500, currency="eur"), 60),
]
CHARGE = {"id": "ch_1", "amount": 1999, "currency": "eur"}
STRIPE_REFUNDS = [
    stripe("charge.refunded", {**CHARGE, "amount_refunded": 500}, 70),
    stripe("charge.refunded", {**CHARGE, "amount_refunded": 1999, "refunded": True}, 80),
]
PADDLE_SALE = [
    paddle("transaction.paid", transaction(1, "1500", "JPY")),
    paddle("transaction.completed", transaction(1, "1500", "JPY"), 1),
]
LEMON_ORDER = {
    "status": "paid",
    "first_order_item": ITEM,
    "total": 4900,
    "refunded_amount": 0,
    "test_mode": True,
}
FIRST = {"subscription_id": 1, "billing_reason": "initial", "total": 4900}
LEMON_SALE = [
    lemon("order_created", "orders", LEMON_ORDER),
    lemon("subscription_payment_success", "subscription-invoices", FIRST, 1),
    lemon(
        "subscription_payment_success",
        "subscription-invoices",
        {**FIRST, "billing_reason": "renewal", "total": 1205},
        60,
    ),
]
LEMON_REFUNDS = [
    lemon("order_refunded", "orders", {**LEMON_ORDER, "refunded_amount": 1000}, 70),
    lemon(
        "subscription_payment_refunded",
        "subscription-invoices",
        {**FIRST, "refunded_amount": 1000},
        71,
    ),
]
S, P, L, G = ConnectorKind
SALES: list[tuple[ConnectorKind, list[dict[str, Any]], tuple[str | None, str | None, str | None]]]
SALES = [
    (S, STRIPE_SALE, ("24.99", "0", "EUR")),
    (S, [*STRIPE_SALE, *STRIPE_REFUNDS], ("24.99", "19.99", "EUR")),
    (S, [*STRIPE_SALE[:2], stripe("invoice.paid", invoice(2), 60)], (None, "0", "EUR")),
    (S, [stripe("invoice.paid", invoice(1))], (None, None, None)),
    (P, PADDLE_SALE, ("1500", "0", "JPY")),
    (
        P,
        [*PADDLE_SALE, paddle("adjustment.updated", adjustment(1, "500"), 5)]
        + [paddle("adjustment.updated", adjustment(n, "100"), n) for n in (2, 2, 3)],
        ("1500", "700", "JPY"),
    ),
    (P, [paddle("transaction.completed", transaction(1, "abc", "JPY"))], (None, None, None)),
    (L, LEMON_SALE, ("61.05", "0", "USD")),
    (L, LEMON_SALE[1:], ("61.05", "0", "USD")),
    (L, [*LEMON_SALE, *LEMON_REFUNDS], ("61.05", "10", "USD")),
    (G, [generic("order.paid", amount=19.9, currency="CHF")], ("19.9", "0", "CHF")),
    (G, [generic("order.paid", amount="0.001", currency="kwd")], ("0.001", "0", "KWD")),
    (
        G,
        [
            generic("order.paid", amount=20, currency="CHF"),
            generic("order.refunded", 1, amount=20, currency="CHF"),
        ],
        ("20", "20", "CHF"),
    ),
    (
        G,
        [generic("order.paid", amount=20, currency="CHF"), generic("order.refunded", 1)],
        ("20", None, "CHF"),
    ),
    (
        G,
        [
            generic("order.paid", amount=20, currency="CHF"),
            generic("order.renewed", 1, amount=20, currency="EUR"),
        ],
        (None, None, None),
    ),
]


def facts_of(kind: ConnectorKind, events: list[dict[str, Any]]) -> list[Fact]:
    """The facts as they are stored and read again."""
    found = []
    for at, event in enumerate(events):
        raw = msgspec.json.encode(event)
        headers = {"webhook-id": f"msg_{at}"}
        fact = fact_of(kind, received_event(kind, headers, raw).external_id, raw)
        assert fact is not None
        found.append(msgspec.convert(msgspec.json.decode(msgspec.json.encode(fact)), Fact))
    return found


@pytest.mark.parametrize(("kind", "events", "expected"), SALES)
def test_amounts_are_what_the_shop_says(
    kind: ConnectorKind,
    events: list[dict[str, Any]],
    expected: tuple[str | None, str | None, str | None],
) -> None:
    amount, refunded, currency = expected
    paid = Paid(
        None if amount is None else Decimal(amount),
        None if refunded is None else Decimal(refunded),
        currency,
    )
    facts = facts_of(kind, events)
    assert order_state(facts).paid == paid
    assert order_state([*facts[::-1], *facts]).paid == paid
    erased = facts_of(kind, [erased_body(event) for event in events])
    if kind is not L:  # whose events are known by what they say
        assert order_state(erased).paid == paid


@pytest.mark.parametrize(
    ("amount", "currency", "expected"),
    [
        (1999, "usd", Money("19.99", "USD")),
        ("1999", "JPY", Money("1999", "JPY")),
        (1999, "bhd", Money("1.999", "BHD")),
        (0, "EUR", Money("0", "EUR")),
        (10**15, "EUR", Money("10000000000000", "EUR")),
        (10**16, "EUR", None),
        (-1, "EUR", None),
        (1.5, "EUR", None),
        (True, "EUR", None),
        ("NaN", "EUR", None),
        ("1e999999999", "EUR", None),
        ("", "EUR", None),
        ([], "EUR", None),
        (1999, None, None),
        (1999, "E", None),
        (1999, {"code": "EUR"}, None),
    ],
)
def test_amounts_in_smallest_units(amount: Any, currency: Any, expected: Money | None) -> None:
    assert smallest_units_in(amount, currency) == expected


@pytest.mark.parametrize("amount", ["1.0000001", "-0.01", "inf", None, {}, "12,50"])
def test_what_is_no_amount_is_none(amount: Any) -> None:
    assert money_in(amount, "EUR") is None


def test_recorded_sale_has_its_amount() -> None:
    facts = []
    for sent in RECORDED:
        raw = sent["body"].encode()
        fact = fact_of(S, received_event(S, {}, raw).external_id, raw)
        assert fact is not None
        facts.append(fact)
    state = order_state(facts)
    assert state.is_test
    assert state.paid.currency == "EUR"
    assert state.paid.amount is not None
    assert state.paid.amount >= 18


async def test_order_shows_its_address_and_amounts(stall: Stall) -> None:
    shop = stall.shop()
    shop.buy()
    for sent in shop.sent:
        say_amounts(stall.kind, sent.body)
    order = await stall.sell(shop)
    shown = ("email", "amount", "currency", "refundedAmount", "testMode")
    assert [order[name] for name in shown] == [shop.email, 18.5, "EUR", 0, False]
    details = await stall.owner.ok("GET", f"/api/orders/{order['id']}")
    assert [details[name] for name in shown] == [order[name] for name in shown]


def say_amounts(kind: ConnectorKind, body: dict[str, Any]) -> None:
    """Add what the shops in the tests leave out."""
    match kind:
        case ConnectorKind.STRIPE:
            body["data"]["object"] |= {"amount_paid": 1850, "currency": "eur"}
        case ConnectorKind.PADDLE:
            totals = {"grand_total": "1850", "currency_code": "EUR"}
            body["data"]["details"] = {"totals": totals}
        case ConnectorKind.LEMON_SQUEEZY:
            said = {"total": 1850, "currency": "EUR"}
            body["data"]["attributes"] |= {**said, "billing_reason": "initial"}
        case ConnectorKind.GENERIC:
            body["data"] |= {"amount": 18.5, "currency": "EUR"}


async def test_order_without_an_address_gets_one_from_an_operator(stall: Stall) -> None:
    shop = nameless(stall)
    order = await stall.sell(shop)
    assert (order["email"], order["status"], order["licenseIds"]) == (None, "Open", [])
    path = f"/api/orders/{order['id']}"
    for address in ("nobody", None, 5):
        assert (await stall.owner.send("PUT", path, {"email": address})).status_code == 400
    given = await stall.owner.ok("PUT", path, {"email": "jane@example.org"})
    assert given["email"] == "jane@example.org"
    assert (await stall.owner.send("PUT", path, {"email": shop.email})).status_code == 409
    await stall.work_off()
    [order] = await stall.orders()
    assert (order["status"], order["email"]) == ("Fulfilled", "jane@example.org")
    [license_] = await stall.licenses(order)
    assert license_["issuedTo"] == "jane@example.org"
    shop.renew()
    stall.clock.advance(days=31)
    await stall.owner.sign_in()
    before = order["licenseIds"]
    order = await stall.sell(shop)
    assert order["licenseIds"] == before
    assert order["email"] == ("jane@example.org" if stall.kind is P else shop.email)


async def test_rejections_are_noted_once_a_minute(stall: Stall) -> None:
    path = f"/api/connectors/{stall.connector['id']}"
    names = ("lastEventAt", "lastRejectedAt", "lastRejection")
    assert [stall.connector[name] for name in names] == [None, None, None]
    shop = stall.shop()
    shop.buy()
    assert (await stall.post(shop.sent[0].raw, {})).status_code == 401
    first = await stall.owner.ok("GET", path)
    assert first["lastEventAt"] is None
    assert first["lastRejectedAt"] is not None
    assert "signature" in first["lastRejection"]
    assert (await stall.post(b"x" * 300_000, {})).status_code == 413
    assert (await stall.tell({}, SECRETS[stall.kind])).status_code == 400
    again = await stall.owner.ok("GET", path)
    assert again == first, "no write for what strangers send within the minute"
    stall.clock.advance(minutes=1)
    assert (await stall.post(b"x" * 300_000, {})).status_code == 413
    large = await stall.owner.ok("GET", path)
    assert "kB" in large["lastRejection"]
    stall.clock.advance(minutes=1)
    assert (await stall.tell({}, SECRETS[stall.kind])).status_code == 400
    assert "no event" in (await stall.owner.ok("GET", path))["lastRejection"]
    await stall.deliver(shop.sent[0])
    [listed] = (await stall.owner.ok("GET", "/api/connectors"))["items"]
    assert listed["lastEventAt"] is not None
    assert listed["updatedAt"] == first["updatedAt"]
