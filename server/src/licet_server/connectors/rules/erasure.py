"""Erasing a buyer: which events are about them, and what remains of those.

The buyer of an event is compared by address and by the provider's ID. The purchase itself is kept,
so that a later refund or cancellation has the same consequences.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from licet_server.connectors.rules.facts import ERASED_BUYER, Buyer, Fact, FactKind
from licet_server.kit.text import ERASED, ERASED_ADDRESS

_KEPT = frozenset(
    {
        "action",
        "amount",
        "billing_reason",
        "charge",
        "created",
        "created_at",
        "currency",
        "currency_code",
        "ends_at",
        "event_id",
        "event_name",
        "event_type",
        "grand_total",
        "id",
        "interval",
        "invoice",
        "latest_charge",
        "latest_invoice",
        "mode",
        "object",
        "occurred_at",
        "order_id",
        "payment_intent",
        "payment_status",
        "periodEnd",
        "plan",
        "price",
        "price_id",
        "product",
        "product_id",
        "quantity",
        "refunded_at",
        "renews_at",
        "starts_at",
        "status",
        "subscription",
        "subscription_id",
        "timestamp",
        "total",
        "transaction_id",
        "type",
        "updated_at",
        "variant_id",
    }
)
"""The fields whose texts are about the purchase, and never about the buyer."""


@dataclass(frozen=True, slots=True)
class BuyerIdentity:
    """The ways to identify a buyer: addresses in lower case, and IDs of providers by connector."""

    addresses: frozenset[str]
    references: frozenset[tuple[UUID, str]]

    def matches(self, connector_id: UUID, buyer: Buyer | None) -> bool:
        """Check whether a buyer is this person; an address counts more than a provider's ID.

        Some providers use one ID for all guests.
        """
        if buyer is None:
            return False
        if buyer.email is not None:
            return buyer.email.lower() in self.addresses
        return (connector_id, buyer.reference) in self.references

    def occurs_in(self, connector_id: UUID, value: Any) -> bool:
        """Check whether a whole text within decoded JSON is an address or an ID of the person."""
        if isinstance(value, Mapping):
            return any(self.occurs_in(connector_id, item) for item in value.values())
        if isinstance(value, list):
            return any(self.occurs_in(connector_id, item) for item in value)
        if not isinstance(value, str):
            return False
        return value.lower() in self.addresses or (connector_id, value) in self.references


def erased_fact(fact: Fact) -> Fact | None:
    """Return a fact without its buyer; `None` if it is about the buyer only."""
    if fact.kind is FactKind.BUYER:
        return None
    return fact if fact.buyer is None else replace(fact, buyer=ERASED_BUYER)


def erased_body(value: Any, name: str = "") -> Any:
    """Return the decoded JSON of an event with all personal texts erased.

    It can be read as before, with an erased buyer. `name` is the field that has this value.
    """
    if isinstance(value, Mapping):
        left = {field: erased_body(item, field) for field, item in value.items()}
        return {**left, "id": ERASED} if name in _BUYERS and "id" in left else left
    if isinstance(value, list):
        return [erased_body(item, name) for item in value]
    if name in _BUYERS:
        return None if value is None else ERASED
    if not isinstance(value, str) or name in _KEPT:
        return value
    return ERASED_ADDRESS if name in _ADDRESSES else ERASED


_BUYERS = frozenset({"customer", "customer_id"})
_ADDRESSES = frozenset({"customer_email", "email", "user_email"})
