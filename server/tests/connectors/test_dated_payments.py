"""Payments and refunds by their dates: exact, once each, and the same however they are told."""

import asyncio
import importlib
import random  # noqa: TID251 - seeded, so that a failure can be repeated
from decimal import Decimal
from typing import Any
from uuid import UUID

from connectors.factories import Stall, open_stall
from connectors.test_amounts import facts_of, generic, say_amounts
from connectors.test_sales import sell
from connectors.test_what_was_paid import STEPS, lived, renamed
from connectors.tills import Till
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select, text
from testkit import FakeClock, Owner
from volumes import is_long

from licet_server.connectors.rules.facts import Fact
from licet_server.connectors.rules.model import ConnectorKind, Payment, PaymentKind
from licet_server.connectors.rules.orders import order_state
from licet_server.connectors.rules.providers import fact_of, received_event
from licet_server.connectors.tables import order_payments
from licet_server.kit.platform import Platform

Dated = tuple[str, Any, Decimal]


def told(till: Till, chance: random.Random) -> list[Fact]:
    """The facts of what a till has sent, in any order and twice."""
    messages = renamed(till.sent, chance) * 2
    chance.shuffle(messages)
    found = []
    for item in messages:
        headers = {"webhook-id": item.message_id}
        name = received_event(till.kind, headers, item.raw).external_id
        fact = fact_of(till.kind, name, item.raw)
        if fact is not None:
            found.append(fact)
    return found


def ledger(till: Till) -> list[Dated]:
    """What moved, as the till kept it; generic messages do not say what bought no term."""
    is_plain = till.kind is ConnectorKind.GENERIC
    paid = [
        (
            "New" if it.number == 0 or (it.is_supplement and not is_plain) else "Renewal",
            it.at,
            Decimal(it.amount),
        )
        for it in till.payments
    ]
    back = [("Refund", at, Decimal(amount)) for it in till.payments for at, amount in it.refunds]
    unit = 1 if is_plain else 100
    return sorted((kind, at, amount / unit) for kind, at, amount in [*paid, *back])


def dated(payments: tuple[Payment, ...]) -> list[Dated]:
    return sorted((it.kind.value, it.happened_at, it.amount) for it in payments)


@settings(max_examples=1_000 if is_long() else 60, deadline=None, derandomize=not is_long())
@given(
    st.sampled_from(list(ConnectorKind)),
    st.lists(STEPS, max_size=7),
    st.integers(0, 10_000),
)
def test_each_payment_and_refund_is_dated_once(kind: ConnectorKind, steps: Any, seed: int) -> None:
    till = lived(kind, extra=False, steps=steps)
    facts = told(till, random.Random(seed))
    state = order_state(facts)
    amounts = {
        is_back: sum(
            (it.amount for it in state.payments if (it.kind is PaymentKind.REFUND) is is_back),
            Decimal(0),
        )
        for is_back in (False, True)
    }
    assert (amounts[False], amounts[True]) == (state.paid.amount, state.paid.refunded)
    if all(amount > 0 for payment in till.payments for _, amount in payment.refunds):
        assert dated(state.payments) == ledger(till)
    else:  # a refund that failed is taken back when it failed, and stays where it was
        assert min(it.amount for it in state.payments) < 0
    assert list(state.payments) == sorted(state.payments, key=lambda it: it.happened_at)


def test_what_follows_a_trial_for_nothing_is_new_and_amounts_have_their_own_currency() -> None:
    events = [
        generic("order.paid", 0, amount="0", currency="EUR"),
        generic("order.renewed", 1, amount="9.99", currency="EUR"),
        generic("order.renewed", 2),
        generic("order.renewed", 3, amount="0.001", currency="KWD"),
    ]
    payments = order_state(facts_of(ConnectorKind.GENERIC, events)).payments
    assert [(it.kind.value, str(it.amount), it.currency) for it in payments] == [
        ("New", "0", "EUR"),
        ("New", "9.99", "EUR"),
        ("Renewal", "0.001", "KWD"),
    ]


async def stored(stall: Stall) -> list[tuple[Any, ...]]:
    """The payments of an institution."""
    mine = order_payments.c.institution_id == UUID(stall.owner.institution_id)
    columns = [it for it in order_payments.c if it.name != "place"]
    async with stall.platform.database.reading() as db:
        rows = await db.execute(select(*columns).where(mine))
        return sorted(map(tuple, rows))


async def live(stall: Stall) -> None:
    """Sell for some years what shops date: renewals, parts paid back, tests, no amounts."""
    await sell(stall, 1, amount="10.10", timestamp="2028-01-31T23:59:59Z")
    await sell(stall, 1, "order.renewed", amount="10.20", timestamp="2029-01-31T23:59:59Z")
    await sell(stall, 1, "order.refunded", amount="0.30", timestamp="2029-02-01T00:00:00Z")
    await sell(stall, 1, "order.refunded", amount="0.40", timestamp="2029-03-01T00:00:00Z")
    await sell(stall, 2, amount="7", currency="USD", testMode=True)
    await sell(stall, 3, currency=None)
    await sell(stall, 4, amount="0", timestamp="2028-05-01T00:00:00Z")
    await sell(stall, 4, "order.renewed", amount="3", timestamp="2028-06-01T00:00:00Z")


async def test_payments_are_stored_once_however_often_and_by_however_many_they_are_told(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    await live(stall)
    before = await stored(stall)
    assert len(before) == 7
    shop = stall.shop()
    shop.buy()
    say_amounts(stall.kind, shop.sent[0].body)
    await asyncio.gather(*(stall.deliver(*shop.sent) for _ in range(4)))
    for event in await stall.events():
        await owner.send("POST", f"/api/connector-events/{event['id']}/replay")
    await asyncio.gather(*(stall.work_off() for _ in range(6)))
    [added] = sorted({*await stored(stall)} - {*before})
    assert added[-2] == Decimal("18.5")
    assert len(await stored(stall)) == len(before) + 1


async def test_the_migration_dates_what_is_stored(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    await live(stall)
    expected = await stored(stall)
    migration = importlib.import_module("licet_server.migrations.versions.1004_dated_payments")
    mine = {"mine": UUID(owner.institution_id)}
    unknown = "UPDATE orders SET amount = amount + 1 WHERE institution_id = :mine AND amount = 7"
    for damage, difference in (("SELECT 1", 0), (unknown, 1)):
        async with platform.database.transaction() as db:
            await db.execute(delete(order_payments))
            await db.execute(text(damage), mine if ":mine" in damage else {})
            await db.execute(text(migration.FILL))
        found = await stored(stall)
        assert len(found) == len(expected)
        assert len({*found} - {*expected}) == difference
