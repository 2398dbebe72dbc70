"""What `localstripe`, a fake Stripe that others wrote, sent for a sale, an upgrade and its end.

It was recorded once and is kept in the order of its arrival: the end came before the beginning.
"""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from licet_server.connectors.rules.facts import FactKind
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.orders import order_state
from licet_server.connectors.rules.providers import fact_of, received_event
from licet_server.connectors.rules.signatures import Signature, checked

RECORDED = json.loads((Path(__file__).parent / "recorded_stripe.json").read_text())
SECRET = "whsec_local_secret"
KIND = ConnectorKind.STRIPE


@pytest.mark.parametrize("sent", RECORDED)
def test_its_signatures_are_valid(sent: dict[str, Any]) -> None:
    headers, raw = {"stripe-signature": sent["signature"]}, sent["body"].encode()
    at = datetime.fromtimestamp(json.loads(raw)["created"], UTC)
    assert checked(KIND, headers, raw, [SECRET], at).signature is Signature.VALID
    assert checked(KIND, headers, raw + b" ", [SECRET], at).signature is Signature.WRONG
    assert checked(KIND, headers, raw, ["whsec_another"], at).signature is Signature.WRONG


def test_the_order_follows_from_its_events() -> None:
    facts = []
    for sent in RECORDED:
        raw = sent["body"].encode()
        fact = fact_of(KIND, received_event(KIND, {}, raw).external_id, raw)
        assert fact is not None
        facts.append(fact)
    about_order = [fact for fact in facts if fact.kind is not FactKind.BUYER]
    first, *others = [set(fact.references) for fact in about_order]
    assert all(first & names for names in others)
    state = order_state(about_order)
    assert order_state(about_order[::-1]) == state
    assert state.external_id.startswith("sub_")
    assert state.buyer is not None
    assert state.buyer.email == "jane@example.com"
    assert state.is_ending
    [line] = state.lines
    assert (line.price, line.quantity) == ("price_pro", 2)
    assert line.paid_until == line.begins + timedelta(seconds=1), "it was ended at once"
    [before, *_] = state.all.statements
    assert [item.price for item in before] == ["price_basic"]
