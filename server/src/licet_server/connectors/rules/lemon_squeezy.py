"""Events of Lemon Squeezy.

They have no id, so an event is known by a digest of what it says. The state of a subscription
proves that it is paid: a renewal moves `renews_at` once it was paid.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime

import msgspec
from msgspec.structs import replace

from licet_server.connectors.rules.facts import (
    SUPPLEMENT,
    Fact,
    FactKind,
    Line,
    SubscriptionState,
    UnreadableEvent,
)
from licet_server.connectors.rules.reading import (
    Record,
    buyer_in,
    flag_in,
    instant_in,
    quantity_in,
    record_at,
    record_if_any,
    references_in,
    required,
    smallest_units_in,
    text_at,
    text_if_any,
)

_STATES = {
    "on_trial": SubscriptionState.ACTIVE,
    "active": SubscriptionState.ACTIVE,
    "past_due": SubscriptionState.PAST_DUE,
    "unpaid": SubscriptionState.PAST_DUE,
    "cancelled": SubscriptionState.ENDING,
    "paused": SubscriptionState.ENDED,
    "expired": SubscriptionState.ENDED,
}
_PROVEN = {"on_trial", "active", "cancelled"}
_PAYMENTS = {
    "subscription_payment_success": FactKind.PAYMENT,
    "subscription_payment_recovered": FactKind.PAYMENT,
    "subscription_payment_failed": FactKind.PAYMENT_FAILURE,
    "subscription_payment_refunded": FactKind.REFUND,
}


CUSTOMER = "customer:"
"""How the IDs of buyers begin."""
_FIRST_CHARGE = "first"
"""The money of an order is also that of the first invoice of its subscription."""


def event_id(event: Record) -> str:
    """Return a digest of the name and the data of an event.

    Raises:
        UnreadableEvent: it has none of them.
    """
    said = [type_of(event), record_at(event, "data")]
    return hashlib.sha256(msgspec.json.encode(said, order="deterministic")).hexdigest()


def type_of(event: Record) -> str:
    """Return the name of an event.

    Raises:
        UnreadableEvent: it has none.
    """
    return text_at(record_at(event, "meta"), "event_name")


def fact_of(event: Record) -> Fact | None:
    """Return the fact of an event; `None` if it is not about sales.

    Raises:
        UnreadableEvent: it does not have the form that Lemon Squeezy documents.
    """
    found = _fact_of(event)
    if found is None:
        return None
    said = record_at(record_at(event, "data"), "attributes")
    in_meta, in_data = (flag_in(it, "test_mode") for it in (record_at(event, "meta"), said))
    return replace(found, is_test=in_meta or in_data)


def _fact_of(event: Record) -> Fact | None:
    name, data = type_of(event), record_at(event, "data")
    if name == "order_created":
        return _order(event_id(event), data)
    if name == "order_refunded":
        return _refunded_order(event_id(event), data)
    if name in _PAYMENTS:
        return _payment(event_id(event), data, _PAYMENTS[name])
    if name.startswith("subscription_") and data.get("type") == "subscriptions":
        return _subscription(event_id(event), data, rank=int(name != "subscription_created"))
    return None


def _order(identity: str, data: Record) -> Fact | None:
    said = record_at(data, "attributes")
    if said.get("status") not in ("paid", "refunded", "partial_refund"):
        return None
    item = record_at(said, "first_order_item")
    reference = f"order:{text_at(data, 'id')}"
    return Fact(
        kind=FactKind.PAYMENT,
        event_id=identity,
        occurred_at=_time(said, "created_at"),
        references=(reference,),
        buyer=buyer_in(_customer(said), said.get("user_email"), said.get("user_name")),
        lines=(_line(item, quantity_in(item.get("quantity")), None),),
        payment=reference,
        is_paid=True,
        charge=_FIRST_CHARGE,
        money=smallest_units_in(said.get("total"), said.get("currency")),
    )


def _refunded_order(identity: str, data: Record) -> Fact:
    said = record_at(data, "attributes")
    status = said.get("status")
    reference = f"order:{text_at(data, 'id')}"
    return Fact(
        kind=FactKind.REFUND,
        event_id=identity,
        occurred_at=instant_in(said.get("refunded_at")) or _time(said, "updated_at"),
        references=(reference,),
        paid_from=instant_in(said.get("created_at")),
        payment=reference,
        is_whole=status == "refunded" or (said.get("refunded") is True and status is None),
        charge=_FIRST_CHARGE,
        money=smallest_units_in(said.get("refunded_amount"), said.get("currency")),
    )


def _subscription(identity: str, data: Record, rank: int) -> Fact:
    said = record_at(data, "attributes")
    status = text_at(said, "status")
    if status not in _STATES:
        raise UnreadableEvent("status is not one of a subscription.")
    item = record_if_any(said, "first_subscription_item")
    at = _time(said, "updated_at")
    is_paid = status in _PROVEN
    ends = instant_in(said.get("ends_at")) or instant_in(said.get("renews_at"))
    return Fact(
        kind=FactKind.SUBSCRIPTION,
        event_id=identity,
        occurred_at=at,
        rank=rank,
        references=_references(f"subscription:{text_at(data, 'id')}", said),
        buyer=buyer_in(_customer(said), said.get("user_email"), said.get("user_name")),
        lines=(_line(said, quantity_in(item.get("quantity")), ends if is_paid else None),),
        paid_from=at if is_paid else None,
        is_paid=is_paid,
        subscription=_STATES[status],
        ended_at=instant_in(said.get("ends_at")) if status == "expired" else None,
    )


def _payment(identity: str, data: Record, kind: FactKind) -> Fact:
    """Return the payment of a subscription invoice, which names neither the items nor the term."""
    said = record_at(data, "attributes")
    amount = said.get("refunded_amount" if kind is FactKind.REFUND else "total")
    is_first = said.get("billing_reason") == "initial"
    invoice = f"invoice:{text_at(data, 'id')}"
    is_supplement = said.get("billing_reason") == "updated"
    charge = _FIRST_CHARGE if is_first else SUPPLEMENT + invoice if is_supplement else None
    return Fact(
        kind=kind,
        event_id=identity,
        occurred_at=_time(said, "updated_at"),
        references=references_in(f"subscription:{text_at(said, 'subscription_id')}", invoice),
        buyer=buyer_in(_customer(said), said.get("user_email"), said.get("user_name")),
        paid_from=instant_in(said.get("created_at")),
        payment=invoice,
        is_paid=kind is FactKind.PAYMENT,
        is_whole=said.get("status") == "refunded",
        charge=charge,
        money=smallest_units_in(amount, said.get("currency")),
    )


def _references(own: str, said: Record) -> tuple[str, ...]:
    order = text_if_any(said, "order_id")
    return references_in(own, None if order is None else f"order:{order}")


def _customer(said: Record) -> str | None:
    found = text_if_any(said, "customer_id")
    return None if found is None else f"{CUSTOMER}{found}"


def _line(source: Record, quantity: int, paid_until: datetime | None) -> Line:
    return Line(
        product=text_if_any(source, "product_id"),
        price=text_if_any(source, "variant_id"),
        quantity=quantity,
        paid_until=paid_until,
    )


def _time(said: Mapping[str, object], name: str) -> datetime:
    return required(instant_in(said.get(name)), name)
