"""In whatever order events arrive, and however often: the licenses end the same."""

import random  # noqa: TID251 - seeded, so that a failure can be repeated
from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest
from connectors.shops import Sent, Shop
from connectors.simulation import BEGIN, END, World, customers, delivered, live_a_year
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import is_long

from licet_server.connectors.rules.licensing import LicenseState
from licet_server.connectors.rules.model import (
    ConnectorKind,
    Consequence,
    Consequences,
    OrderStatus,
    PaymentFailureConsequence,
)

CUSTOMERS = 200 if is_long() else 60
CONSEQUENCES = (
    Consequences(),
    Consequences(
        on_refund=Consequence.SUSPEND,
        on_dispute=Consequence.REVOKE,
        on_payment_failed=PaymentFailureConsequence.NOTHING,
        grace_days=0,
    ),
    Consequences(on_refund=Consequence.NOTHING, on_dispute=Consequence.NOTHING, grace_days=14),
)


def outcome(kind: ConnectorKind, messages: list[Sent], consequences: Consequences) -> Any:
    world = World(kind, consequences)
    for item in messages:
        world.receive(item, item.at)
    world.settle_all(END)
    return world.outcome()


@pytest.mark.parametrize("consequences", CONSEQUENCES)
def test_order_of_delivery_does_not_change_the_result_of_a_year(consequences: Consequences) -> None:
    for shop in customers(CUSTOMERS, seed=7):
        clean = outcome(shop.kind, shop.sent, consequences)
        arriving = [item for _, item in delivered(shop.sent, seed=len(shop.sent))]
        bad = outcome(shop.kind, arriving, consequences)
        assert bad == clean, shop.name
        assert len(clean) == 1


def test_the_year_has_everything_in_it() -> None:
    """A control: without all of it, the test above would say little."""
    found = [outcome(shop.kind, shop.sent, Consequences()) for shop in customers(CUSTOMERS, seed=7)]
    orders = [order for result in found for order in result.values()]
    assert {status for status, _ in orders} == {
        OrderStatus.FULFILLED,
        OrderStatus.CANCELED,
        OrderStatus.REFUNDED,
    }
    states = {current[-1] for _, licenses in orders for current in licenses}
    assert states == set(LicenseState)
    assert max(len(licenses) for _, licenses in orders) > 3


@settings(max_examples=100 if is_long() else 30)
@given(st.sampled_from(list(ConnectorKind)), st.integers(0, 10_000), st.randoms())
def test_shuffled_and_duplicated_events_have_the_same_result(
    kind: ConnectorKind, seed: int, chance: random.Random
) -> None:
    shop = Shop(kind, "x", "x@example.com", BEGIN)
    life = random.Random(seed)
    live_a_year(shop, life)
    messages = [item for item in shop.sent for _ in range(life.randint(1, 3))]
    chance.shuffle(messages)
    for consequences in CONSEQUENCES:
        assert outcome(kind, messages, consequences) == outcome(kind, shop.sent, consequences)


@pytest.mark.parametrize("kind", ConnectorKind)
def test_every_permutation_of_a_few_events_has_the_same_result(kind: ConnectorKind) -> None:
    shop = Shop(kind, "short", "short@example.com", BEGIN)
    shop.buy()
    shop.refund()
    expected = outcome(kind, shop.sent, Consequences())
    [(status, licenses)] = expected.values()
    assert status is OrderStatus.REFUNDED
    assert [current[-1] for current in licenses] == [LicenseState.REVOKED]
    for messages in permutations(shop.sent):
        assert outcome(kind, list(messages), Consequences()) == expected


@pytest.mark.parametrize("kind", [ConnectorKind.STRIPE, ConnectorKind.PADDLE])
def test_a_plan_that_comes_back_later_is_not_held_beside_the_one_between(
    kind: ConnectorKind,
) -> None:
    """Payments of these shops name only what they charge for, and the last state may come first."""
    shop = Shop(kind, "back", "back@example.com", BEGIN)
    shop.buy()
    shop.plan = "pro"
    shop.renew()
    shop.wait(days=10)
    shop.change("basic", 1)
    expected = outcome(kind, shop.sent, Consequences())
    [(_, licenses)] = expected.values()
    assert [state for _, state in licenses] == [LicenseState.ACTIVE]
    early, late = shop.sent[:-4], shop.sent[-4:]
    for messages in permutations(late):
        assert outcome(kind, [*early, *messages], Consequences()) == expected


def test_a_year_on_the_clocks_of_the_products_is_a_year_of_the_present() -> None:
    """Step by step. A control: where neither the present nor a clock moves, it is another year."""
    others = 0
    for shop in customers(20, seed=7):
        real, on_clocks, still = (
            World(shop.kind),
            World(shop.kind, present=BEGIN),
            World(shop.kind),
        )
        for item in shop.sent:
            later = item.at + timedelta(days=10)
            for world in (real, on_clocks):
                world.receive(item, item.at)
                world.settle_all(later)
            still.receive(item, BEGIN)
            assert on_clocks.outcome() == real.outcome(), shop.name
            others += still.outcome() != real.outcome()
    assert others


def test_control_of_the_order_of_arrival() -> None:
    """A control: licenses that follow from the last event that came end otherwise."""
    shop = Shop(ConnectorKind.GENERIC, "naive", "naive@example.com", BEGIN)
    shop.buy()
    shop.wait(days=1)
    shop.change("pro", 2)

    def naive(messages: list[Sent]) -> Any:
        world = World(shop.kind)
        for item in messages:
            world.facts.clear()
            world.order_of.clear()
            world.receive(item, item.at)
        return world.outcome()

    assert naive(shop.sent) != naive(shop.sent[::-1])


@pytest.mark.parametrize("kind", ConnectorKind)
def test_a_failed_payment_suspends_after_the_grace(kind: ConnectorKind) -> None:
    shop = Shop(kind, "late", "late@example.com", BEGIN)
    shop.buy()
    shop.fail()
    world = World(kind)
    for item in shop.sent:
        world.receive(item, item.at)

    def state() -> LicenseState:
        [(_, [(_, found)])] = world.outcome().values()
        return found

    assert state() is LicenseState.ACTIVE
    world.settle_all(shop.at + timedelta(days=6))
    assert state() is LicenseState.ACTIVE
    world.settle_all(shop.at + timedelta(days=7))
    assert state() is LicenseState.SUSPENDED
    shop.wait(days=10)
    shop.renew()
    for item in shop.sent:
        world.receive(item, item.at)
    assert state() is LicenseState.ACTIVE
