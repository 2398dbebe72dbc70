"""Events of Paddle Billing.

What is paid is what a transaction that was completed says. Its events name the customer by an id;
their address comes with the events about customers.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime

from licet_server.connectors.rules.facts import (
    Fact,
    FactKind,
    Line,
    SubscriptionState,
    UnreadableEvent,
)
from licet_server.connectors.rules.reading import (
    Message,
    Record,
    buyer_in,
    instant_in,
    quantity_in,
    record_at,
    record_if_any,
    records_at,
    references_in,
    required,
    smallest_units_in,
    text_at,
    text_if_any,
    totals,
)

_STATES = {
    "trialing": SubscriptionState.ACTIVE,
    "active": SubscriptionState.ACTIVE,
    "past_due": SubscriptionState.PAST_DUE,
    "paused": SubscriptionState.ENDED,
    "canceled": SubscriptionState.ENDED,
}
_RANKS = {"created": 0, "imported": 0, "canceled": 2}


def fact_of(event: Record) -> Fact | None:
    """Return the fact of an event; `None` if it is not about sales.

    Raises:
        UnreadableEvent: it does not have the form that Paddle documents.
    """
    subject, _, name = text_at(event, "event_type").partition(".")
    read = _READERS.get(subject)
    if read is None:
        return None
    at = required(instant_in(event.get("occurred_at")), "occurred_at")
    event_id = text_at(event, "event_id")
    return read(
        Message(
            id=event_id,
            type=name,
            at=at,
            item=record_at(event, "data"),
            is_test=event_id.startswith("ntfsimevt_"),  # Paddle simulated it
        )
    )


def _transaction(event: Message) -> Fact | None:
    if event.type in {"payment_failed", "past_due"}:
        kind, is_paid = FactKind.PAYMENT_FAILURE, False
    elif event.type in {"completed", "paid"}:
        kind, is_paid = FactKind.PAYMENT, True
    else:
        return None
    item = event.item
    period = record_if_any(item, "billing_period")
    totals = record_if_any(record_if_any(item, "details"), "totals")
    return event.fact(
        kind,
        references=references_in(text_at(item, "id"), text_if_any(item, "subscription_id")),
        buyer=buyer_in(text_if_any(item, "customer_id"), None, None),
        lines=_paid_lines(item, instant_in(period.get("ends_at"))) if is_paid else (),
        paid_from=instant_in(period.get("starts_at")) if is_paid else None,
        payment=text_at(item, "id"),
        is_paid=is_paid,
        money=smallest_units_in(
            totals.get("grand_total", totals.get("total")),
            totals.get("currency_code") or item.get("currency_code"),
        ),
    )


def _paid_lines(item: Record, ends: datetime | None) -> tuple[Line, ...]:
    lines = list(_lines(item, ends))
    whole = totals(line for line in lines if not line.is_supplement)
    return (*whole, *(line for line in lines if line.is_supplement))


def _lines(item: Record, ends: datetime | None) -> Iterator[Line]:
    ids: defaultdict[str, list[str]] = defaultdict(list)
    for line in records_at(record_if_any(item, "details"), "line_items"):
        if (price_id := text_if_any(line, "price_id")) and (id_ := text_if_any(line, "id")):
            ids[price_id].append(id_)
    for line in records_at(item, "items"):
        price = record_at(line, "price")
        prorated = record_if_any(record_if_any(line, "proration"), "billing_period")
        recurs = price.get("billing_cycle") is not None
        yield Line(
            product=text_if_any(price, "product_id"),
            price=text_at(price, "id"),
            quantity=quantity_in(line.get("quantity")),
            recurs=recurs,
            paid_until=(instant_in(prorated.get("ends_at")) or ends) if recurs else None,
            begins=instant_in(prorated.get("starts_at")) if recurs else None,
            is_supplement=bool(prorated) and recurs,
            replaces=bool(prorated) and recurs,
            items=tuple(ids[text_at(price, "id")]),
        )


def _subscription(event: Message) -> Fact:
    item = event.item
    state = _STATES.get(str(item.get("status")))
    if state is None:
        raise UnreadableEvent("status is not one of a subscription.")
    change = record_if_any(item, "scheduled_change")
    if state is SubscriptionState.ACTIVE and change.get("action") in ("cancel", "pause"):
        state = SubscriptionState.ENDING
    return event.fact(
        FactKind.SUBSCRIPTION,
        rank=_RANKS.get(event.type, 1),
        references=references_in(text_at(item, "id"), text_if_any(item, "transaction_id")),
        buyer=buyer_in(text_if_any(item, "customer_id"), None, None),
        lines=tuple(totals(line for line in _lines(item, None) if line.recurs)),
        subscription=state,
        ended_at=instant_in(item.get("canceled_at")) if item.get("status") == "canceled" else None,
    )


def _adjustment(event: Message) -> Fact | None:
    """Return a refund once Paddle has approved it; a chargeback is a dispute."""
    item = event.item
    action, status = text_at(item, "action"), text_if_any(item, "status")
    transaction = text_at(item, "transaction_id")
    references = references_in(transaction, text_if_any(item, "subscription_id"))
    totals = record_if_any(item, "totals")
    if action == "refund" and status in ("approved", "reversed"):
        return event.fact(
            FactKind.REFUND,
            references=references,
            payment=text_at(item, "id"),
            refund=text_at(item, "id"),
            is_whole=_is_whole(item),
            is_undone=status == "reversed",
            money=smallest_units_in(
                totals.get("total"), totals.get("currency_code") or item.get("currency_code")
            ),
        )
    if action in ("chargeback", "chargeback_reverse"):
        return event.fact(
            FactKind.DISPUTE,
            rank=0 if action == "chargeback" else 1,
            references=references,
            dispute=transaction,
            is_open=action == "chargeback" and status != "reversed",
            items=tuple(
                name for it in records_at(item, "items") if (name := text_if_any(it, "item_id"))
            ),
        )
    return None


def _is_whole(item: Record) -> bool:
    if (kind := text_if_any(item, "type")) is not None:
        return kind == "full"
    items = records_at(item, "items")
    return bool(items) and all(line.get("type") == "full" for line in items)


def _customer(event: Message) -> Fact:
    item = event.item
    return event.fact(
        FactKind.BUYER,
        rank=_RANKS.get(event.type, 1),
        buyer=buyer_in(
            text_at(item, "id"), item.get("email"), item.get("name"), item.get("locale")
        ),
    )


_READERS: dict[str, Callable[[Message], Fact | None]] = {
    "transaction": _transaction,
    "subscription": _subscription,
    "adjustment": _adjustment,
    "customer": _customer,
}
