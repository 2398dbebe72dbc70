"""Events of any provider in the form of `docs/connectors.md`, sent as Standard Webhooks."""

from collections.abc import Iterator
from datetime import tzinfo

from licet_server.connectors.rules.facts import Fact, FactKind, Line
from licet_server.connectors.rules.reading import (
    Record,
    buyer_in,
    flag_in,
    instant_in,
    money_in,
    quantity_in,
    record_at,
    record_if_any,
    records_at,
    required,
    text_at,
    text_if_any,
)

_KINDS = {
    "order.paid": FactKind.PAYMENT,
    "order.renewed": FactKind.PAYMENT,
    "order.payment_failed": FactKind.PAYMENT_FAILURE,
    "order.canceled": FactKind.CANCELLATION,
    "order.refunded": FactKind.REFUND,
    "order.disputed": FactKind.DISPUTE,
    "order.dispute_won": FactKind.DISPUTE,
}


def fact_of(event: Record, message_id: str, zone: tzinfo) -> Fact | None:
    """Return the fact of an event; `None` if it is not about orders.

    Raises:
        UnreadableEvent: it does not have the documented form.
    """
    name = text_at(event, "type")
    kind = _KINDS.get(name)
    if kind is None:
        return None
    data = record_at(event, "data")
    customer = record_if_any(data, "customer")
    named = text_if_any(customer, "id")
    reference = f"order:{text_at(data, 'id')}"
    is_paid = kind is FactKind.PAYMENT
    return Fact(
        kind=kind,
        event_id=message_id,
        occurred_at=required(instant_in(event.get("timestamp")), "timestamp"),
        rank=int(name == "order.dispute_won"),
        references=(reference,),
        buyer=buyer_in(named, customer.get("email"), customer.get("name"), customer.get("locale")),
        lines=tuple(_lines(data, zone)) if is_paid else (),
        is_paid=is_paid,
        is_whole=kind is FactKind.REFUND,
        dispute=reference if kind is FactKind.DISPUTE else None,
        is_open=name == "order.disputed",
        money=money_in(data.get("amount"), data.get("currency")),
        is_test=flag_in(data, "testMode"),
    )


def _lines(data: Record, zone: tzinfo) -> Iterator[Line]:
    for line in records_at(data, "lines"):
        yield Line(
            product=text_at(line, "product"),
            price=text_if_any(line, "price"),
            quantity=quantity_in(line.get("quantity")),
            paid_until=instant_in(line.get("periodEnd"), zone),
        )
