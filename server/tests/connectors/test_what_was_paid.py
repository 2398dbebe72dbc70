"""A buyer has what they paid for, and nothing else, however the shop's messages arrive.

The judge is a till that keeps in the plainest way what was paid until when for each price.
"""

import random  # noqa: TID251 - seeded, so that a failure can be repeated
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from connectors.shops import Sent
from connectors.simulation import BEGIN, World, policy
from connectors.tills import Till, Verdict
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import is_long

from licet_server.connectors.rules.licensing import LicenseState
from licet_server.connectors.rules.model import ConnectorKind, QuantityMeaning, SaleRule
from licet_server.licenses.rules.traits import LicenseType

BASE, EXTRA = policy(21, 3, LicenseType.FLOATING), policy(22, 4)
RULES = (
    SaleRule(price="base", policy_id=BASE.id, quantity_as=QuantityMeaning.SEATS),
    SaleRule(price="extra", policy_id=EXTRA.id),
)
POLICIES = {item.id: item for item in (BASE, EXTRA)}
MODELS = {"base": BASE, "extra": EXTRA}

Step = Callable[[Till], None]
STEPS = st.one_of(
    st.builds(lambda days: lambda till: till.renew("extra", days), st.integers(0, 5)),
    st.builds(lambda days: lambda till: till.renew("base", days), st.integers(0, 40)),
    st.just(Till.add_seats),
    st.builds(
        lambda number, parts, rest: lambda till: till.refund(number, parts=parts, rest=rest),
        st.integers(0, 9),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(lambda number: lambda till: till.fail_refund(number), st.integers(0, 9)),
    st.builds(lambda credited: lambda till: till.drop(credited=credited), st.booleans()),
)


def lived(kind: ConnectorKind, *, extra: bool, steps: Sequence[Step]) -> Till:
    till = Till(kind, BEGIN)
    till.buy(3, extra=extra)
    for step in steps:
        step(till)
    return till


def renamed(sent: Sequence[Sent], chance: random.Random) -> list[Sent]:
    """Return the messages with other IDs, so that those of one second sort in another way."""
    found = []
    for item in sent:
        name = f"evt_{chance.getrandbits(40):x}"
        own: dict[str, Any] = {key: name for key in ("id", "event_id") if key in item.body}
        found.append(replace(item, body={**item.body, **own}, message_id=name))
    return found


def settled(kind: ConnectorKind, messages: Sequence[Sent], till: Till) -> World:
    world = World(kind, rules=RULES, policies=POLICIES)
    for item in messages:
        world.receive(item, till.at)
    return world


def found_of(world: World, price: str) -> list[Verdict]:
    [licenses] = world.held.values()
    return [
        Verdict(item.state, item.plan.ends_at, item.plan.seats or 1)
        if item.state is LicenseState.ACTIVE
        else Verdict(item.state)
        for item in licenses
        if item.plan.product_id == MODELS[price].product_id
    ]


def check(world: World, till: Till) -> None:
    for price in ("base", "extra"):
        verdict = till.verdict(price)
        expected = [] if verdict is None else [verdict]
        found = found_of(world, price)
        if price == "extra" and till.dropped_at is not None:
            # One that is over may be suspended, too.
            assert [valid(it, till) for it in found] == [valid(it, till) for it in expected]
            continue
        if till.kind is ConnectorKind.GENERIC:
            # A message names what it did not pay, too, which is more than the till knows.
            expected, found = ([_as_told(it) for it in items] for items in (expected, found))
        assert found == expected, price


def valid(verdict: Verdict, till: Till) -> Verdict | None:
    """What the buyer has of a dropped price as long as it is paid."""
    is_paid = verdict.ends is not None and verdict.ends > till.at
    return verdict if is_paid else None


def _as_told(verdict: Verdict) -> Verdict:
    is_lost = verdict.state is not LicenseState.ACTIVE
    return Verdict(LicenseState.SUSPENDED) if is_lost else replace(verdict, quantity=None)


@settings(max_examples=1_500 if is_long() else 60, deadline=None, derandomize=not is_long())
@given(
    st.sampled_from(list(ConnectorKind)),
    st.booleans(),
    st.lists(STEPS, max_size=7),
    st.integers(0, 10_000),
)
def test_buyer_has_what_was_paid(
    kind: ConnectorKind, extra: bool, steps: list[Step], seed: int
) -> None:
    till = lived(kind, extra=extra, steps=steps)
    check(settled(kind, till.sent, till), till)
    chance = random.Random(seed)
    for _ in range(4):
        messages = [
            item for item in renamed(till.sent, chance) for _ in range(chance.randint(1, 2))
        ]
        chance.shuffle(messages)
        check(settled(kind, messages, till), till)


def lives(kind: ConnectorKind) -> dict[str, list[Step]]:
    return {
        "supplement": [Till.add_seats],
        "refunded supplement": [
            Till.add_seats,
            lambda till: till.refund(-1, parts=False, rest=True),
        ],
        "refunded year": [Till.add_seats, lambda till: till.refund(0, parts=False, rest=True)],
        "early": [lambda till: till.renew("base", 40)],
        "dropped": [lambda till: till.drop(credited=False)],
        "dropped and given back": [lambda till: till.drop(credited=True)],
    }


@pytest.mark.parametrize("kind", ConnectorKind)
@pytest.mark.parametrize("name", lives(ConnectorKind.STRIPE))
def test_each_permutation_of_a_short_life(kind: ConnectorKind, name: str) -> None:
    till = lived(kind, extra="dropped" in name, steps=lives(kind)[name])
    check(settled(kind, till.sent, till), till)
    few = till.sent[-5:]
    for messages in permutations(few):
        check(settled(kind, [*messages, *till.sent[:-5]], till), till)
