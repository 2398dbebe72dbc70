"""Changes of one second, ends that come early, and terms that add up."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import permutations
from typing import Any

import msgspec
import pytest
from connectors.simulation import BASIC, BEGIN, POLICIES, RULES, World
from connectors.test_changed_plans import stored
from connectors.tills import Till
from msgspec.structs import replace as replace_fields

from licet_server.connectors.rules.changing import changed_license
from licet_server.connectors.rules.facts import Fact
from licet_server.connectors.rules.licensing import LicenseState, Plan, decide
from licet_server.connectors.rules.model import ConnectorKind, Consequences, SaleRule
from licet_server.connectors.rules.orders import order_state
from licet_server.connectors.rules.providers import fact_of
from licet_server.licenses.rules.drafts import LicenseDraft
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.policies import draft_under

YEAR_END = BEGIN + timedelta(days=360)


def stripe(kind: str, item: dict[str, Any], at: datetime = BEGIN, **data: Any) -> dict[str, Any]:
    created = int(at.timestamp())
    return {"id": "", "type": kind, "created": created, "data": {"object": item, **data}}


def facts(kind: ConnectorKind, events: Sequence[dict[str, Any]], ids: Sequence[int]) -> list[Fact]:
    found = []
    for number, event in zip(ids, events, strict=True):
        raw = msgspec.json.encode({**event, "id": f"evt_{number}", "event_id": f"evt_{number}"})
        fact = fact_of(kind, f"evt_{number}", raw)
        assert fact is not None
        found.append(msgspec.json.decode(msgspec.json.encode(fact), type=Fact))
    return found


def item(price: str, quantity: int) -> dict[str, Any]:
    return {
        "price": {"id": price, "product": "prod_app", "recurring": {"interval": "year"}},
        "quantity": quantity,
    }


def subscription(quantity: int, status: str = "active", **fields: Any) -> dict[str, Any]:
    items = {"data": [item("price_team", quantity)]}
    return {"id": "sub_1", "status": status, "items": items, **fields}


def invoice(number: int, at: datetime = BEGIN, quantity: int = 1, **fields: Any) -> dict[str, Any]:
    line = {
        "amount": 100,
        "quantity": quantity,
        "period": {"start": int(at.timestamp()), "end": int(YEAR_END.timestamp())},
        **item("price_team", quantity),
    }
    said = {"id": f"in_{number}", "subscription": "sub_1", "customer_email": "a@example.com"}
    return {**said, "lines": {"data": [line]}, **fields}


LATER = BEGIN + timedelta(days=30)
UPDATED = "customer.subscription.updated"


def seats(before: int, after: int) -> dict[str, Any]:
    items = {"data": [{"quantity": before}]}
    return stripe(UPDATED, subscription(after), LATER, previous_attributes={"items": items})


def test_changes_of_one_second_follow_each_other_whatever_their_ids() -> None:
    sold = [
        stripe("invoice.paid", invoice(1)),
        stripe("customer.subscription.created", subscription(1)),
        seats(1, 3),
        seats(3, 7),
        seats(7, 2),
        seats(2, 3),
        seats(3, 4),
    ]
    chances = list(permutations(range(7)))[::13]
    for ids in chances:
        [line] = order_state(facts(ConnectorKind.STRIPE, sold, ids)).lines
        assert line.quantity == 4
    assert len(chances) > 300


def test_payer_is_not_failing_in_the_second_in_which_they_paid() -> None:
    status = {"status": "active"}
    past_due = {"previous_attributes": status}
    sold = [
        stripe("invoice.paid", invoice(1)),
        stripe("invoice.payment_failed", invoice(2), LATER),
        stripe(UPDATED, subscription(1, "past_due"), LATER, **past_due),
        stripe("invoice.paid", invoice(2), LATER),
        stripe(UPDATED, subscription(1), LATER, previous_attributes={"status": "past_due"}),
    ]
    for ids in permutations(range(5)):
        assert order_state(facts(ConnectorKind.STRIPE, sold, ids)).failing_since is None
    without = facts(ConnectorKind.STRIPE, sold[:3], range(3))
    assert order_state(without).failing_since == LATER


@pytest.mark.parametrize("is_paddle", [False, True])
def test_subscription_that_is_ended_at_once_ends_then(*, is_paddle: bool) -> None:
    if is_paddle:
        till = Till(ConnectorKind.PADDLE, BEGIN)
        till.buy(1, extra=False)
        last = till.sent[-1].body["data"]
        ended = {
            "event_type": "subscription.canceled",
            "occurred_at": LATER.isoformat(),
            "data": {**last, "status": "canceled", "canceled_at": LATER.isoformat()},
        }
        events = [item.body for item in till.sent[1:]] + [ended]
        found = facts(ConnectorKind.PADDLE, events, range(len(events)))
    else:
        over = subscription(1, "canceled", ended_at=int(LATER.timestamp()))
        events = [
            stripe("invoice.paid", invoice(1)),
            stripe("customer.subscription.deleted", over, LATER),
        ]
        found = facts(ConnectorKind.STRIPE, events, range(2))
    [line] = order_state(found).lines
    assert line.paid_until == LATER
    [line] = order_state(found[:-1]).lines
    assert line.paid_until == YEAR_END


def paid(day: int, number: int, kind: str = "order.renewed", **line: Any) -> dict[str, Any]:
    data = {
        "id": "1",
        "customer": {"email": "a@example.com"},
        "lines": [{"product": "prod_app", "price": "price_basic", **line}],
    }
    return {"type": kind, "timestamp": (BEGIN + timedelta(days=day)).isoformat(), "data": data}


def planned(events: Sequence[dict[str, Any]], days: int, held: Sequence[Plan] = ()) -> Plan:
    policy = replace_fields(BASIC, duration_days=days)
    rules = (SaleRule(policy_id=policy.id),)
    state = order_state(facts(ConnectorKind.GENERIC, events, range(len(events))))
    found = decide(state, rules, {policy.id: policy}, Consequences(), BEGIN, held)
    assert found.licenses is not None
    return found.licenses[0].plan


def test_terms_of_a_policy_add_up() -> None:
    sold = [paid(0, 0, "order.paid"), paid(20, 1), paid(100, 2)]
    ends = [planned(sold[:count], 30).ends_at for count in (1, 2, 3)]
    assert ends == [BEGIN + timedelta(days=days) for days in (30, 60, 130)]
    held = planned(sold[:2], 30)
    assert planned(sold, 10, [held]).ends_at == BEGIN + timedelta(days=110)
    assert planned([*sold[:2], paid(21, 2, "order.canceled")], 30).ends_at == ends[1]


def license_until(end: datetime | None) -> License:
    draft = LicenseDraft(license_name="A", issued_to="a@example.com", expiration_date=end)
    under = draft_under(BASIC, draft, BEGIN)

    return stored(under)


def test_longer_end_that_an_operator_gave_stays() -> None:
    def plan(days: int) -> Plan:
        end = BEGIN + timedelta(days=days)
        one = planned([paid(0, 0, "order.paid", periodEnd=end.isoformat())], 1)
        assert one.ends_at == end
        return one

    def end(given: int, before: int, after: int) -> int:
        license_ = license_until(BEGIN + timedelta(days=given))
        found = changed_license(license_, plan(before), plan(after), BASIC).expiration_date
        assert found is not None
        return (found - BEGIN).days

    assert end(given=30, before=30, after=60) == 60
    assert end(given=44, before=30, after=60) == 60
    assert end(given=90, before=30, after=60) == 90
    assert end(given=90, before=30, after=20) == 90
    assert end(given=30, before=30, after=20) == 20
    assert end(given=10, before=30, after=20) == 10


@pytest.mark.parametrize("kind", [ConnectorKind.STRIPE, ConnectorKind.PADDLE])
def test_newest_address_of_a_buyer_counts_at_once(kind: ConnectorKind) -> None:
    till = Till(kind, BEGIN)
    till.buy(1, extra=False)
    moved = {"id": "cus_1" if kind is ConnectorKind.STRIPE else "ctm_1", "email": "b@example.com"}
    body = (
        stripe("customer.updated", moved, LATER)
        if kind is ConnectorKind.STRIPE
        else {
            "event_id": "",
            "event_type": "customer.updated",
            "occurred_at": LATER.isoformat(),
            "data": moved,
        }
    )
    named = {name: "evt_moved" for name in ("id", "event_id") if name in body}
    last = replace(till.sent[-1], body={**body, **named}, message_id="moved")
    rules = (*RULES, SaleRule(policy_id=BASIC.id))
    for messages in ([*till.sent, last], [last, *till.sent]):
        world = World(kind, rules=rules, policies=POLICIES)
        for message in messages:
            world.receive(message, LATER)
        [[license_]] = world.held.values()
        assert license_.plan.issued_to == "b@example.com"
        assert license_.state is LicenseState.ACTIVE


def several(day: int, *prices: str, kind: str = UPDATED) -> dict[str, Any]:
    items = {"data": [product_item(price) for price in prices]}
    sold = {"id": "sub_1", "status": "active", "items": items}
    before: dict[str, Any] = {"previous_attributes": {"items": {}}} if kind == UPDATED else {}
    return stripe(kind, sold, BEGIN + timedelta(days=day), **before)


def charged(day: int, **days: int) -> dict[str, Any]:
    lines = [
        {
            "amount": 100,
            "period": {
                "start": int((BEGIN + timedelta(days=day)).timestamp()),
                "end": int((BEGIN + timedelta(days=day + length)).timestamp()),
            },
            **product_item(price),
        }
        for price, length in days.items()
    ]
    said = {"id": f"in_{day}", "subscription": "sub_1", "customer_email": "a@example.com"}
    sold = {**said, "lines": {"data": lines}}
    return stripe("invoice.paid", sold, BEGIN + timedelta(days=day))


def product_item(price: str) -> dict[str, Any]:
    product = "prod_app" if price.startswith("price") else f"prod_{price}"
    found = {"id": price, "product": product, "recurring": {"interval": "month"}}
    return {"price": found, "quantity": 1}


BOTH = [charged(0, price_basic=360, extra=30), several(0, "price_basic", "extra")]


@pytest.mark.parametrize(
    ("later", "left"),
    [
        ([several(10, "price_basic")], {"price_basic": (360, True), "extra": (30, False)}),
        ([several(40, "price_basic")], {"price_basic": (360, True)}),
        (
            [several(10, "price_basic"), several(20, "price_basic")],
            {"price_basic": (360, True), "extra": (30, False)},
        ),
        (
            [several(10, "price_basic"), several(20, "price_basic", "extra")],
            {"price_basic": (360, True), "extra": (30, True)},
        ),
        ([several(10, "price_basic"), several(35, "price_basic")], {"price_basic": (360, True)}),
        (
            [several(10, "price_basic"), charged(20, extra=30)],
            {"price_basic": (360, True), "extra": (50, True)},
        ),
        ([several(10, "price_pro")], {"price_pro": (360, True), "extra": (30, False)}),
        ([several(10, "other")], {"other": (360, True)}),
        ([several(10, "price_basic", "other")], {"price_basic": (360, True), "other": (30, True)}),
        (
            [several(5, "price_basic", "extra", "other"), several(10, "price_basic", "extra")],
            {"price_basic": (360, True), "extra": (30, True)},
        ),
        ([several(10, "extra")], {"price_basic": (360, False), "extra": (30, True)}),
        (
            [several(10, "extra"), charged(30, extra=30)],
            {"price_basic": (360, False), "extra": (60, True)},
        ),
        (
            [charged(370, extra=30), several(371, "price_basic", "extra")],
            {"price_basic": (360, True), "extra": (400, True)},
        ),
        (
            [
                charged(370, extra=30),
                several(371, "extra"),
                several(380, "price_basic", "extra"),
            ],
            {"price_basic": (400, True), "extra": (400, True)},
        ),
    ],
)
def test_dropped_item_stays_as_long_as_it_is_paid_and_has_no_grace(
    later: Sequence[dict[str, Any]], left: dict[str, tuple[int, bool]]
) -> None:
    events = [*BOTH, *later]
    state = order_state(facts(ConnectorKind.STRIPE, events, range(len(events))))
    found = {
        line.price: (line.paid_until and (line.paid_until - BEGIN).days, line.ended_at is None)
        for line in state.lines
    }
    assert found == left
