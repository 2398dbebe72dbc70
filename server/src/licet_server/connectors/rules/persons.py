"""A buyer who is erased: which events of shops are about them, and what is left of those.

The buyer that an event names is compared, by address and by the shop's name for them. What was
bought stays, so that a later refund or cancellation has the same consequences.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from licet_server.connectors.rules.facts import ERASED_BUYER, Buyer, Fact, FactKind
from licet_server.kit.text import ERASED, ERASED_ADDRESS

_READ = frozenset(
    {
        "action",
        "charge",
        "created",
        "created_at",
        "currency",
        "ends_at",
        "event_id",
        "event_name",
        "event_type",
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
        "transaction_id",
        "type",
        "updated_at",
        "variant_id",
    }
)
"""The fields whose texts say what was sold and what became of it, and nothing of the buyer."""


@dataclass(frozen=True, slots=True)
class Buyers:
    """A person as a buyer: their addresses, in lower case, and the names that shops have of them.

    A shop is known by its connector.
    """

    addresses: frozenset[str]
    references: frozenset[tuple[UUID, str]]

    def is_named(self, connector_id: UUID, buyer: Buyer | None) -> bool:
        """Tell whether a buyer is the person; an address counts more than a shop's name.

        Some shops have one name for everybody without an account.
        """
        if buyer is None:
            return False
        if buyer.email is not None:
            return buyer.email.lower() in self.addresses
        return (connector_id, buyer.reference) in self.references

    def are_in(self, connector_id: UUID, value: Any) -> bool:
        """Tell whether a whole text within decoded JSON is an address or a name of the person."""
        if isinstance(value, Mapping):
            return any(self.are_in(connector_id, item) for item in value.values())
        if isinstance(value, list):
            return any(self.are_in(connector_id, item) for item in value)
        if not isinstance(value, str):
            return False
        return value.lower() in self.addresses or (connector_id, value) in self.references


def fact_without(fact: Fact) -> Fact | None:
    """Return what is left of a fact about a person; nothing, if it only tells of them."""
    if fact.kind is FactKind.BUYER:
        return None
    return fact if fact.buyer is None else replace(fact, buyer=ERASED_BUYER)


def body_without(value: Any, name: str = "") -> Any:
    """Return decoded JSON of an event of a person, in which no text leads to them.

    It is read as before, with an erased buyer. `name` is the field that it is the value of.
    """
    if isinstance(value, Mapping):
        left = {field: body_without(item, field) for field, item in value.items()}
        return {**left, "id": ERASED} if name in _BUYERS and "id" in left else left
    if isinstance(value, list):
        return [body_without(item, name) for item in value]
    if name in _BUYERS:
        return None if value is None else ERASED
    if not isinstance(value, str) or name in _READ:
        return value
    return ERASED_ADDRESS if name in _ADDRESSES else ERASED


_BUYERS = frozenset({"customer", "customer_id"})
_ADDRESSES = frozenset({"customer_email", "email", "user_email"})
