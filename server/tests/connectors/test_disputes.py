"""A dispute hits the licenses for what its payment bought, and the whole order if nobody knows."""

import importlib
from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest
from connectors.factories import open_stall
from connectors.shops import Sent
from connectors.simulation import BEGIN, World
from connectors.test_sales import sell
from connectors.test_what_was_paid import MODELS, POLICIES, RULES
from connectors.tills import Till
from sqlalchemy import text, update
from testkit import FakeClock, Owner

from licet_server.connectors.rules.licensing import LicenseState
from licet_server.connectors.rules.model import (
    ConnectorKind,
    Consequence,
    Consequences,
    Renewal,
    SaleRule,
)
from licet_server.connectors.tables import orders
from licet_server.kit.platform import Platform

ACTIVE, SUSPENDED, REVOKED = LicenseState
SUSPENDING = Consequences()
REVOKING = Consequences(on_dispute=Consequence.REVOKE)


def sold(kind: ConnectorKind) -> Till:
    """A base and an extra, which was renewed for itself since: its payment is the last one."""
    till = Till(kind, BEGIN)
    till.buy(1, extra=True)
    till.renew("extra", 0)
    return till


def said(till: Till, body: dict[str, Any]) -> Sent:
    till.at += timedelta(minutes=1)
    till._say(iter([body]))
    return till.sent[-1]


def stripe(till: Till, number: int, status: str = "needs_response") -> Sent:
    dispute = {"id": f"dp_{number}", "charge": f"ch_{number}", "status": status}
    created = int(till.at.timestamp()) + 60
    kind = "created" if status == "needs_response" else "closed"
    return said(
        till,
        {
            "id": "",
            "type": f"charge.dispute.{kind}",
            "created": created,
            "data": {"object": dispute},
        },
    )


def paddle(till: Till, number: int, items: list[dict[str, Any]], back: bool = False) -> Sent:
    data = {
        "id": f"adj_{number}_{back}",
        "action": "chargeback_reverse" if back else "chargeback",
        "status": "approved",
        "transaction_id": f"txn_{number}",
        "subscription_id": "sub_1",
        "items": items,
    }
    at = (till.at + timedelta(minutes=1)).isoformat()
    kind = "adjustment.created"
    return said(till, {"event_id": "", "event_type": kind, "occurred_at": at, "data": data})


def states(
    till: Till,
    consequences: Consequences = SUSPENDING,
    messages: list[Sent] | None = None,
    rules: tuple[SaleRule, ...] = RULES,
) -> dict[str, LicenseState]:
    world = World(till.kind, consequences, rules, POLICIES)
    for message in messages or till.sent:
        world.receive(message, till.at)
    [licenses] = world.held.values()
    names = {model.product_id: price for price, model in MODELS.items()}
    return {names[item.plan.product_id]: item.state for item in licenses}


def test_dispute_of_a_charge_hits_what_its_invoice_sold() -> None:
    till = sold(ConnectorKind.STRIPE)
    stripe(till, 1)
    assert states(till) == {"base": ACTIVE, "extra": SUSPENDED}
    assert states(till, REVOKING) == {"base": ACTIVE, "extra": REVOKED}
    stripe(till, 1, "won")
    assert states(till) == {"base": ACTIVE, "extra": ACTIVE}
    assert states(till, REVOKING) == {"base": ACTIVE, "extra": REVOKED}
    stripe(till, 0)
    assert states(till) == {"base": SUSPENDED, "extra": SUSPENDED}


def test_dispute_names_a_payment_by_any_of_its_ids() -> None:
    till = sold(ConnectorKind.STRIPE)
    sent = stripe(till, 7)
    sent.body["data"]["object"]["payment_intent"] = "pi_1"
    assert states(till) == {"base": ACTIVE, "extra": SUSPENDED}


def test_dispute_of_an_unknown_payment_hits_the_whole_order() -> None:
    till = sold(ConnectorKind.PADDLE)
    paddle(till, 9, [])
    assert states(till) == {"base": SUSPENDED, "extra": SUSPENDED}


def test_dispute_is_told_apart_in_any_order() -> None:
    till = sold(ConnectorKind.PADDLE)
    paddle(till, 2, [])
    last = till.sent[-4:]
    for messages in permutations(last):
        found = states(till, messages=[*till.sent[:-4], *messages])
        assert found == {"base": ACTIVE, "extra": SUSPENDED}


@pytest.mark.parametrize("is_named", [True, False])
def test_chargeback_of_items_hits_these(*, is_named: bool) -> None:
    """The extra is on two lines, which one license merges; the chargeback names the first."""
    till = Till(ConnectorKind.PADDLE, BEGIN)
    till.buy(1, extra=False)
    till.quantities["extra"] = 1
    for message in till.sent:
        data = message.body["data"]
        if message.body["event_type"].startswith("transaction"):
            extra = {**data["items"][0], "price": {**data["items"][0]["price"], "id": "extra"}}
            data["items"] += [extra, extra]
            if is_named:
                data["details"]["line_items"] = [
                    {"id": f"txnitm_{number}", "price_id": item["price"]["id"]}
                    for number, item in enumerate(data["items"])
                ]
        elif message.body["event_type"].startswith("subscription"):
            data["items"].append({**data["items"][0], "price": extra["price"]})
    items = [{"item_id": "txnitm_1", "type": "full"}]
    paddle(till, 0, items)
    hit = {"base": ACTIVE if is_named else SUSPENDED, "extra": SUSPENDED}
    assert states(till) == hit
    paddle(till, 0, items, back=True)
    assert states(till) == {"base": ACTIVE, "extra": ACTIVE}


def test_dispute_of_what_prolongs_another_license_hits_the_whole_order() -> None:
    till = sold(ConnectorKind.STRIPE)
    base, _ = RULES
    rules = (base, SaleRule(price="extra", policy_id=base.policy_id, renews=Renewal.UPDATES))
    stripe(till, 1)
    assert states(till, rules=rules) == {"base": SUSPENDED}


def test_dispute_of_a_payment_without_a_license_hits_none() -> None:
    till = sold(ConnectorKind.STRIPE)
    base, _ = RULES
    stripe(till, 1)
    assert states(till, rules=(base, SaleRule(price="extra"))) == {"base": ACTIVE}


async def test_a_disputed_order_says_so_until_the_dispute_is_won(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)

    async def disputed(query: str = "") -> list[str | None]:
        return [it["disputedAt"] for it in await stall.orders(query)]

    for number in (1, 2):
        await sell(stall, number, amount="5", timestamp="2029-11-01T00:00:00Z")
    await sell(stall, 1, "order.disputed", timestamp="2029-11-27T10:00:00Z")
    await sell(stall, 1, "order.disputed", timestamp="2029-11-28T10:00:00Z")
    assert sorted(await disputed(), key=str) == ["2029-11-27T10:00:00Z", None]
    assert await disputed("disputed=true") == ["2029-11-27T10:00:00Z"]
    assert await disputed("disputed=false") == [None]
    migration = importlib.import_module("licet_server.migrations.versions.1006_disputed_orders")
    async with platform.database.transaction() as db:
        await db.execute(update(orders).values(disputed_at=None))
        await db.execute(text(migration.FILL))
    assert await disputed("disputed=true") == ["2029-11-27T10:00:00Z"]
    await sell(stall, 1, "order.dispute_won", timestamp="2029-11-29T10:00:00Z")
    assert await disputed("disputed=true") == []
