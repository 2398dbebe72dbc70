"""What the events of shops say, in their different forms."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_server.connectors.rules.facts import (
    Buyer,
    Fact,
    FactKind,
    Line,
    SubscriptionState,
    UnreadableEvent,
)
from licet_server.connectors.rules.model import ConnectorKind, SaleRule, rule_for
from licet_server.connectors.rules.providers import fact_of, received_event

AT = 1_900_000_000
TIME = datetime.fromtimestamp(AT, UTC)
LATER = datetime.fromtimestamp(AT + 86_400, UTC)


def read(kind: ConnectorKind, event: Any) -> Fact:
    fact = fact_of(kind, "evt_1", msgspec.json.encode(event))
    assert fact is not None
    return fact


def stripe(kind: str, item: dict[str, Any]) -> Fact:
    event = {"id": "evt_1", "type": kind, "created": AT, "data": {"object": item}}
    return read(ConnectorKind.STRIPE, event)


def test_an_invoice_of_a_former_version_of_stripe() -> None:
    price = {"id": "price_1", "product": "prod_1", "type": "recurring", "recurring": {}}
    line = {
        "type": "subscription",
        "amount": 900,
        "quantity": 2,
        "price": price,
        "period": {"start": AT, "end": AT + 86_400},
    }
    fact = stripe(
        "invoice.paid",
        {
            "id": "in_1",
            "subscription": "sub_1",
            "payment_intent": "pi_1",
            "charge": {"id": "ch_1", "object": "charge"},
            "customer": "cus_1",
            "customer_email": " Jane@example.com ",
            "customer_name": "Jane\nDoe",
            "lines": {"data": [line]},
        },
    )
    assert fact.references == ("in_1", "sub_1", "pi_1", "ch_1")
    assert fact.buyer == Buyer("cus_1", "Jane@example.com", "Jane Doe")
    assert fact.lines == (
        Line(product="prod_1", price="price_1", quantity=2, recurs=True, paid_until=LATER),
    )
    assert (fact.is_paid, fact.paid_from, fact.payment) == (True, TIME, "in_1")


def line_of(price: str, amount: int, *, proration: bool, **fields: Any) -> dict[str, Any]:
    details = {"subscription_item_details": {"proration": proration}}
    sold = {"price_details": {"price": price, "product": "prod_1"}}
    period = {"start": AT, "end": AT + 86_400}
    return {"amount": amount, "parent": details, "pricing": sold, "period": period, **fields}


def test_upgrade_during_a_period_replaces_the_plan() -> None:
    lines = [
        line_of("basic", -500, proration=True, quantity=1),
        line_of("pro", 800, proration=True, quantity=3),
        line_of(
            "pro", 1200, proration=True, quantity=5, period={"start": AT + 9, "end": AT + 86_400}
        ),
    ]
    fact = stripe("invoice.paid", {"id": "in_1", "lines": {"data": lines}})
    assert [(line.price, line.quantity) for line in fact.lines] == [("pro", 5)]


def test_prorations_do_not_count_beside_the_next_period() -> None:
    next_period = {"start": AT + 86_400, "end": AT + 172_800}
    lines = [
        line_of("basic", -500, proration=True),
        line_of("pro", 800, proration=True),
        line_of("pro", 2000, proration=False, period=next_period, quantity=1),
        line_of("pro", 500, proration=False, period=next_period, quantity=4),
    ]
    fact = stripe("invoice.paid", {"id": "in_1", "lines": {"data": lines}})
    assert [(line.price, line.quantity) for line in fact.lines] == [("pro", 5)]
    assert fact.paid_from == LATER


def test_a_checkout_says_what_is_sold_in_its_metadata() -> None:
    session = {
        "id": "cs_1",
        "mode": "payment",
        "payment_status": "paid",
        "payment_intent": "pi_1",
        "customer_details": {"email": "jane@example.com", "name": "Jane"},
        "metadata": {"price": "price_1", "quantity": "2"},
    }
    fact = stripe("checkout.session.completed", session)
    assert fact.kind is FactKind.PAYMENT
    assert fact.lines == (Line(price="price_1", quantity=2, recurs=False),)
    assert fact.buyer == Buyer(None, "jane@example.com", "Jane")
    unpaid = stripe("checkout.session.completed", {**session, "payment_status": "unpaid"})
    assert (unpaid.kind, unpaid.is_paid) == (FactKind.LINK, False)
    by_invoice = {**session, "metadata": {}, "invoice": "in_1"}
    assert stripe("checkout.session.completed", by_invoice).kind is FactKind.LINK


def test_partial_refund_is_not_a_full_refund() -> None:
    charge = {"id": "ch_1", "payment_intent": "pi_1", "amount": 1000, "amount_refunded": 400}
    assert not stripe("charge.refunded", {**charge, "refunded": False}).is_whole
    whole = {**charge, "amount_refunded": 1000, "refunded": True}
    assert stripe("charge.refunded", whole).is_whole
    for amount in (2000, -1, "many", [1]):
        with pytest.raises(UnreadableEvent):
            stripe("charge.refunded", {**charge, "amount_refunded": amount})


def test_inquiry_is_not_a_dispute() -> None:
    dispute = {"id": "dp_1", "charge": "ch_1", "status": "warning_needs_response"}
    assert not stripe("charge.dispute.created", dispute).is_open
    assert stripe("charge.dispute.created", {**dispute, "status": "needs_response"}).is_open
    assert stripe("charge.dispute.closed", {**dispute, "status": "lost"}).is_open
    assert not stripe("charge.dispute.closed", {**dispute, "status": "won"}).is_open


def test_states_of_a_subscription_of_stripe() -> None:
    item = {"id": "sub_1", "status": "active", "items": {"data": []}}
    kind = "customer.subscription.updated"
    assert stripe(kind, item).subscription is SubscriptionState.ACTIVE
    assert (
        stripe(kind, {**item, "cancel_at_period_end": True}).subscription
        is SubscriptionState.ENDING
    )
    assert stripe(kind, {**item, "status": "unpaid"}).subscription is SubscriptionState.PAST_DUE
    assert stripe("customer.subscription.deleted", item).subscription is SubscriptionState.ENDED
    with pytest.raises(UnreadableEvent):
        stripe(kind, {**item, "status": "on fire"})


def paddle(kind: str, data: dict[str, Any]) -> Fact | None:
    time = "2030-03-17T17:46:40Z"
    event = {"event_id": "evt_1", "event_type": kind, "occurred_at": time, "data": data}
    return fact_of(ConnectorKind.PADDLE, "evt_1", msgspec.json.encode(event))


def test_a_transaction_of_paddle_with_an_addon() -> None:
    cycle = {"interval": "month", "frequency": 1}
    items = [
        {"price": {"id": "pri_1", "product_id": "pro_1", "billing_cycle": cycle}, "quantity": 10},
        {"price": {"id": "pri_2", "product_id": "pro_2", "billing_cycle": None}, "quantity": 1},
    ]
    period = {"starts_at": TIME.isoformat(), "ends_at": LATER.isoformat()}
    data = {
        "id": "txn_1",
        "subscription_id": "sub_1",
        "customer_id": "ctm_1",
        "items": items,
        "billing_period": period,
    }
    fact = paddle("transaction.completed", data)
    assert fact is not None
    assert fact.lines == (
        Line(product="pro_1", price="pri_1", quantity=10, recurs=True, paid_until=LATER),
        Line(product="pro_2", price="pri_2", quantity=1, recurs=False),
    )
    assert fact.buyer == Buyer("ctm_1")
    assert fact.references == ("txn_1", "sub_1")
    assert paddle("transaction.ready", data) is None


def test_lines_of_one_price_in_a_transaction_of_paddle_are_one_item() -> None:
    price = {"id": "pri_1", "product_id": "pro_1", "billing_cycle": {"interval": "month"}}
    period = {"starts_at": TIME.isoformat(), "ends_at": LATER.isoformat()}
    prorated = {"price": price, "quantity": 1, "proration": {"billing_period": period}}
    items = [{"price": price, "quantity": 2}, prorated, {"price": price, "quantity": 3}]
    data = {"id": "txn_1", "items": items, "billing_period": period}
    fact = paddle("transaction.completed", data)
    assert fact is not None
    assert [(line.quantity, line.is_supplement) for line in fact.lines] == [(5, False), (1, True)]
    terms = paddle("subscription.updated", {"id": "sub_1", "status": "active", "items": items[::2]})
    assert terms is not None
    assert [line.quantity for line in terms.lines] == [5]


def test_a_byte_order_mark_before_an_event_is_no_part_of_it() -> None:
    event = {"type": "order.paid", "timestamp": TIME.isoformat(), "data": {"id": 1}}
    body = b"\xef\xbb\xbf" + msgspec.json.encode(event)
    assert fact_of(ConnectorKind.GENERIC, "evt_1", body) == read(ConnectorKind.GENERIC, event)


def test_an_id_with_nul_says_so() -> None:
    with pytest.raises(UnreadableEvent, match="id must not contain NUL"):
        stripe("invoice.paid", {"id": "in\0", "lines": {"data": []}})


def test_a_refund_of_paddle_counts_once_it_is_approved() -> None:
    data = {"id": "adj_1", "action": "refund", "transaction_id": "txn_1", "items": []}
    assert paddle("adjustment.created", {**data, "status": "pending_approval"}) is None
    assert paddle("adjustment.updated", {**data, "status": "rejected"}) is None
    partial = paddle("adjustment.updated", {**data, "status": "approved", "type": "partial"})
    assert partial is not None
    assert not partial.is_whole
    items = [{"type": "full"}]
    whole = paddle("adjustment.updated", {**data, "status": "approved", "items": items})
    assert whole is not None
    assert whole.is_whole


def test_a_subscription_of_lemon_squeezy() -> None:
    said = {
        "order_id": 2,
        "product_id": 3,
        "variant_id": 4,
        "customer_id": 5,
        "user_email": "jane@example.com",
        "status": "on_trial",
        "first_subscription_item": {"quantity": 7},
        "renews_at": LATER.isoformat(),
        "updated_at": "2030-03-17T17:46:40.000000Z",
    }
    event: dict[str, Any] = {
        "meta": {"event_name": "subscription_created"},
        "data": {"type": "subscriptions", "id": "1", "attributes": said},
    }
    fact = read(ConnectorKind.LEMON_SQUEEZY, event)
    assert fact.references == ("subscription:1", "order:2")
    assert fact.lines == (Line(product="3", price="4", quantity=7, paid_until=LATER),)
    assert (fact.is_paid, fact.subscription, fact.paid_from) == (
        True,
        SubscriptionState.ACTIVE,
        TIME,
    )
    late = {**said, "status": "past_due"}
    event["data"]["attributes"] = late
    assert not read(ConnectorKind.LEMON_SQUEEZY, event).is_paid


def test_event_id_of_lemon_squeezy_is_a_digest_of_its_content() -> None:
    data = {"type": "orders", "id": "1", "attributes": {"status": "paid", "total": 1}}
    events = [
        {"meta": {"event_name": "order_created", "webhook_id": "a"}, "data": data},
        {"data": dict(reversed(data.items())), "meta": {"event_name": "order_created"}},
        {"meta": {"event_name": "order_refunded"}, "data": data},
    ]
    kind = ConnectorKind.LEMON_SQUEEZY
    found = [received_event(kind, {}, msgspec.json.encode(item)).external_id for item in events]
    assert found[0] == found[1] != found[2]


def test_most_specific_of_overlapping_rules_applies() -> None:
    anything = SaleRule()
    of_product = SaleRule(product="a")
    of_price = SaleRule(price="1")
    of_both = SaleRule(product="a", price="1")
    rules = [anything, of_product, of_price, of_both]
    assert rule_for(rules, "a", "1") is of_both
    assert rule_for(rules[:3], "a", "1") is of_price
    assert rule_for(rules[:2], "a", "1") is of_product
    assert rule_for(rules, "b", "2") is anything
    assert rule_for(rules[1:], "b", "2") is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner),
    max_leaves=10,
)
_NAMES = st.sampled_from(
    [
        "id", "type", "created", "data", "object", "lines", "items", "price", "quantity", "period",
        "customer", "status", "event_type", "event_id", "occurred_at", "meta", "event_name",
        "attributes", "billing_period", "timestamp", "amount", "parent", "metadata", "mode",
    ]
)  # fmt: skip
_LIKE_EVENTS = st.recursive(
    _JSON, lambda inner: st.dictionaries(_NAMES, inner, max_size=6) | st.lists(inner, max_size=3)
)
_TYPES = [
    "invoice.paid", "checkout.session.completed", "customer.subscription.updated",
    "charge.refunded", "charge.dispute.created", "customer.updated", "invoice_payment.paid",
    "transaction.completed",
    "subscription.updated", "adjustment.updated", "order.paid", "order_created",
    "subscription_updated", "subscription_payment_failed",
]  # fmt: skip


@given(st.sampled_from(list(ConnectorKind)), st.sampled_from(_TYPES), _LIKE_EVENTS)
def test_malformed_event_is_only_unreadable(kind: ConnectorKind, name: str, item: Any) -> None:
    event = {
        "id": "evt_1",
        "type": name,
        "created": AT,
        "event_id": "evt_1",
        "event_type": name,
        "occurred_at": "2030-01-01T00:00:00Z",
        "timestamp": "2030-01-01T00:00:00Z",
        "meta": {"event_name": name},
        "data": {"object": item, "id": "1", "type": "subscriptions", "attributes": item},
    }
    if isinstance(item, dict):
        event["data"] = {**item, **event["data"]}  # type: ignore[dict-item]
    try:
        fact = fact_of(kind, "evt_1", msgspec.json.encode(event))
    except UnreadableEvent:
        return
    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(fact)), Fact | None) == fact
