"""Events of Stripe, in the form of its current and its former API versions.

A paid invoice, or a checkout without an invoice, proves a payment. The state of a subscription does
not: Stripe begins a new period before it is paid.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from licet_server.connectors.rules.facts import (
    Buyer,
    Fact,
    FactKind,
    Line,
    Sold,
    SubscriptionState,
    UnreadableEvent,
)
from licet_server.connectors.rules.reading import (
    Message,
    Record,
    buyer_in,
    flag_in,
    number_in,
    quantity_in,
    record_at,
    record_if_any,
    records_at,
    references_in,
    required,
    seconds_in,
    smallest_units_in,
    text_at,
    text_if_any,
    totals,
)

_STATES = {
    "incomplete": SubscriptionState.PENDING,
    "trialing": SubscriptionState.ACTIVE,
    "active": SubscriptionState.ACTIVE,
    "past_due": SubscriptionState.PAST_DUE,
    "unpaid": SubscriptionState.PAST_DUE,
    "paused": SubscriptionState.ENDED,
    "canceled": SubscriptionState.ENDED,
    "incomplete_expired": SubscriptionState.ENDED,
}
_RANKS = {"customer.subscription.created": 0, "customer.subscription.deleted": 2}
_NOT_DISPUTED = {
    "won",
    "prevented",
    "warning_needs_response",
    "warning_under_review",
    "warning_closed",
}
"""States of a dispute in which the money is not withdrawn."""
MAX_INVOICE_LINES = 1_000


def fact_of(event: Record) -> Fact | None:
    """Return the fact of an event; `None` if it is not about sales.

    Raises:
        UnreadableEvent: it does not have the form that Stripe documents.
    """
    kind = text_at(event, "type")
    read = _READERS.get(kind)
    if read is None:
        return None
    at = required(seconds_in(event.get("created")), "created")
    data = record_at(event, "data")
    is_test = not flag_in(event, "livemode", unless_given=True)
    return read(
        Message(
            id=text_at(event, "id"),
            type=kind,
            at=at,
            item=record_at(data, "object"),
            is_test=is_test,
            previous=record_if_any(data, "previous_attributes"),
        )
    )


def _invoice_references(item: Record) -> tuple[str, ...]:
    parent = record_if_any(record_if_any(item, "parent"), "subscription_details")
    return references_in(
        text_at(item, "id"),
        text_if_any(item, "subscription") or text_if_any(parent, "subscription"),
        text_if_any(item, "payment_intent"),
        text_if_any(item, "charge"),
    )


def _invoice_buyer(item: Record) -> Buyer | None:
    return buyer_in(
        text_if_any(item, "customer"), item.get("customer_email"), item.get("customer_name")
    )


def _invoice_paid(event: Message) -> Fact:
    item = event.item
    lines, credited = _invoice_lines(item)
    begins = min((it.begins for it in lines if it.begins is not None and it.recurs), default=None)
    return event.fact(
        FactKind.PAYMENT,
        references=_invoice_references(item),
        buyer=_invoice_buyer(item),
        lines=tuple(replace(it, begins=None) if it.begins == begins else it for it in lines),
        paid_from=begins,
        payment=text_at(item, "id"),
        is_paid=True,
        money=smallest_units_in(item.get("amount_paid"), item.get("currency")),
        credited=tuple(credited),
        lacks_lines=record_at(item, "lines").get("has_more") is True,
    )


_KEPT = [
    "id",
    "amount",
    "quantity",
    "period",
    "type",
    "proration",
    "price",
    "plan",
    "pricing",
    "parent",
]


def with_lines(event: Record, lines: Iterable[Record]) -> Record:
    """Return an event about an invoice with these lines, which are all of the invoice."""
    data = record_at(event, "data")
    item = record_at(data, "object")
    kept = [{name: line[name] for name in (*_KEPT, "parent") if name in line} for line in lines]
    whole = {**record_at(item, "lines"), "data": kept, "has_more": False}
    return {**event, "data": {**data, "object": {**item, "lines": whole}}}


@dataclass(frozen=True, slots=True)
class _InvoiceLine:
    line: Line
    is_credit: bool


def _invoice_lines(item: Record) -> tuple[list[Line], list[Line]]:
    """Return the paid lines of an invoice, and what it gives back.

    Each line has a term of its own. A plan that changes during a period has a credit for the rest
    of the former one, and prorated lines, of which the last one of each price counts.
    """
    records = records_at(record_at(item, "lines"), "data", MAX_INVOICE_LINES)
    read = [found for line in records if (found := _invoice_line(line)) is not None]
    sold = [it.line for it in read if not it.is_credit]
    whole = totals(line for line in sold if line.recurs and not line.is_supplement)
    prices = {line.sold for line in whole}
    prorated = _newest(line for line in sold if line.is_supplement and line.sold not in prices)
    credits_ = [it.line for it in read if it.is_credit]
    last = {line.sold: line for line in sorted(credits_, key=_begins)}
    first = {line.sold: line for line in sorted(credits_, key=_begins, reverse=True)}
    return [
        *whole,
        *(
            line
            for line in prorated
            if line.sold not in last or _begins(last[line.sold]) <= _begins(line)
        ),
        *(line for line in sold if not line.recurs),
    ], list(first.values())


def _newest(lines: Iterable[Line]) -> list[Line]:
    found: dict[Sold, Line] = {}
    for line in lines:
        before = found.get(line.sold)
        if before is None or _begins(line) >= _begins(before):
            found[line.sold] = line
    return list(found.values())


def _begins(line: Line) -> float:
    return line.begins.timestamp() if line.begins else 0.0


def _invoice_line(line: Record) -> _InvoiceLine | None:
    product, price, recurs = _sold(line)
    parent = record_if_any(line, "parent")
    details = record_if_any(parent, "subscription_item_details")
    recurs = recurs or bool(details) or line.get("type") == "subscription"
    period = record_if_any(line, "period")
    begins, ends = seconds_in(period.get("start")), seconds_in(period.get("end"))
    if product is None and price is None:
        return None
    is_credit = number_in(line.get("amount")) < 0
    is_proration = bool(line.get("proration") or details.get("proration"))
    if is_credit and not (is_proration and recurs):
        return None
    found = Line(
        product=product,
        price=price,
        quantity=quantity_in(line.get("quantity")),
        recurs=recurs,
        paid_until=(begins if is_credit else ends) if recurs else None,
        begins=begins if recurs else None,
        is_supplement=is_proration and recurs,
    )
    return _InvoiceLine(found, is_credit)


def _sold(line: Record) -> tuple[str | None, str | None, bool]:
    """Return the product and the price of a line, and whether the price recurs."""
    price = record_if_any(line, "price") or record_if_any(line, "plan")
    details = record_if_any(record_if_any(line, "pricing"), "price_details")
    name = text_if_any(price, "id") or text_if_any(line, "price") or text_if_any(details, "price")
    product = text_if_any(price, "product") or text_if_any(details, "product")
    recurs = bool(price.get("recurring") or price.get("interval"))
    return product, name, recurs


def _invoice_failed(event: Message) -> Fact:
    return event.fact(
        FactKind.PAYMENT_FAILURE,
        references=_invoice_references(event.item),
        buyer=_invoice_buyer(event.item),
        payment=text_at(event.item, "id"),
    )


def _checkout(event: Message) -> Fact:
    """Return the payment of a checkout without an invoice; otherwise its invoice has it."""
    item = event.item
    details = record_if_any(item, "customer_details")
    email = details.get("email") or item.get("customer_email")
    lines = tuple(_checkout_lines(item))
    invoice = text_if_any(item, "invoice")
    is_paid = item.get("payment_status") in ("paid", "no_payment_required")
    is_sale = is_paid and item.get("mode") == "payment" and (invoice is None or bool(lines))
    return event.fact(
        FactKind.PAYMENT if is_sale else FactKind.LINK,
        references=references_in(
            text_at(item, "id"),
            text_if_any(item, "subscription"),
            invoice,
            text_if_any(item, "payment_intent"),
        ),
        buyer=buyer_in(
            text_if_any(item, "customer"), email, details.get("name"), item.get("locale")
        ),
        lines=lines if is_sale else (),
        payment=(invoice or text_if_any(item, "payment_intent") or text_at(item, "id")),
        is_paid=is_sale,
        money=smallest_units_in(item.get("amount_total"), item.get("currency")),
    )


def _checkout_lines(item: Record) -> Iterator[Line]:
    """Yield the sold items from the metadata, since the event of Stripe does not have them."""
    for line in records_at(record_if_any(item, "line_items"), "data"):
        product, price, _ = _sold(line)
        quantity = quantity_in(line.get("quantity"))
        yield Line(product=product, price=price, quantity=quantity, recurs=False)
    metadata = record_if_any(item, "metadata")
    product, price = text_if_any(metadata, "product"), text_if_any(metadata, "price")
    if (product or price) and "line_items" not in item:
        quantity = quantity_in(_whole(metadata.get("quantity")))
        yield Line(product=product, price=price, quantity=quantity, recurs=False)


def _whole(text: Any) -> Any:
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() else text


def _subscription(event: Message) -> Fact:
    item = event.item
    state = _STATES.get(str(item.get("status")))
    if state is None:
        raise UnreadableEvent("status is not one of a subscription.")
    if event.type == "customer.subscription.deleted":
        state = SubscriptionState.ENDED
    is_ending = bool(item.get("cancel_at_period_end") or item.get("cancel_at"))
    if is_ending and state is SubscriptionState.ACTIVE:
        state = SubscriptionState.ENDING
    is_change = event.type == "customer.subscription.updated"
    return event.fact(
        FactKind.SUBSCRIPTION,
        rank=_RANKS.get(event.type, 1),
        references=references_in(text_at(item, "id"), text_if_any(item, "latest_invoice")),
        buyer=buyer_in(text_if_any(item, "customer"), None, None),
        lines=tuple(_items(item)),
        subscription=state,
        ended_at=seconds_in(item.get("ended_at")) if state is SubscriptionState.ENDED else None,
        before=_state_id(_before(item, event.previous)) if is_change else None,
        after=_state_id(item),
    )


def _items(item: Record) -> Iterator[Line]:
    """Yield the items of a subscription; none if the event has only a part of them."""
    items = record_at(item, "items")
    if items.get("has_more") is True:
        return
    for line in records_at(items, "data"):
        product, price, _ = _sold(line)
        ends = seconds_in(line.get("current_period_end", item.get("current_period_end")))
        quantity = quantity_in(line.get("quantity"))
        yield Line(product=product, price=price, quantity=quantity, ends_by=ends)


_CHAINED = ("status", "cancel_at_period_end", "cancel_at", "latest_invoice")


def _state_id(item: Record) -> str:
    """Return what identifies a state of a subscription, as far as it matters for its licenses."""
    lines = [
        (*_sold(line)[:2], line.get("quantity"))
        for line in records_at(record_if_any(item, "items"), "data")
    ]
    said = [lines, item.get("quantity"), *(item.get(name) for name in _CHAINED)]
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()[:32]


def _before(item: Record, previous: Record) -> Record:
    """Return a subscription as it was before an event, which says what it has changed."""
    found: dict[str, Any] = _merged(item, previous)
    lines = records_at(record_if_any(found, "items"), "data")
    if "quantity" in previous and "items" not in previous and len(lines) == 1:
        [line] = lines
        found["items"] = {"data": [{**line, "quantity": previous["quantity"]}]}
    return found


def _merged(now: Any, before: Any) -> Any:
    """Return what was before, where only what has changed since then is said."""
    if isinstance(now, dict) and isinstance(before, dict):
        return {**now, **{name: _merged(now.get(name), value) for name, value in before.items()}}
    if isinstance(now, list) and isinstance(before, list) and len(now) == len(before):
        return [_merged(*pair) for pair in zip(now, before, strict=True)]
    return before


def _refund(event: Message) -> Fact:
    item = event.item
    amount, refunded = number_in(item.get("amount")), number_in(item.get("amount_refunded"))
    if amount < 0 or refunded < 0 or refunded > amount:
        raise UnreadableEvent("amount_refunded must not be more than the amount.")
    return event.fact(
        FactKind.REFUND,
        references=_charge_references(item),
        payment=text_at(item, "id"),
        is_whole=item.get("refunded") is True,
        money=smallest_units_in(item.get("amount_refunded"), item.get("currency")),
    )


def _undone_refund(event: Message) -> Fact | None:
    """Return a refund that failed or was canceled: the money was not paid back after all."""
    item = event.item
    charge = text_if_any(item, "charge")
    if item.get("status") not in ("failed", "canceled") or item.get("object") == "charge":
        return None
    return event.fact(
        FactKind.REFUND,
        references=references_in(charge, text_if_any(item, "payment_intent")),
        payment=charge or text_if_any(item, "payment_intent"),
        refund=text_at(item, "id"),
        is_undone=True,
        money=smallest_units_in(item.get("amount"), item.get("currency")),
    )


def _charge_references(item: Record) -> tuple[str, ...]:
    return references_in(
        text_at(item, "id"), text_if_any(item, "payment_intent"), text_if_any(item, "invoice")
    )


def _dispute(event: Message) -> Fact:
    item = event.item
    return event.fact(
        FactKind.DISPUTE,
        rank=_DISPUTE_RANKS.get(event.type, 1),
        references=references_in(
            text_if_any(item, "charge"), text_if_any(item, "payment_intent"), text_at(item, "id")
        ),
        dispute=text_at(item, "id"),
        is_open=text_at(item, "status") not in _NOT_DISPUTED,
    )


_DISPUTE_RANKS = {"charge.dispute.created": 0, "charge.dispute.closed": 2}


def _link(event: Message) -> Fact | None:
    """Return which charges, payment intents and invoices belong together."""
    item = event.item
    payment = record_if_any(item, "payment")
    references = references_in(
        text_if_any(item, "id"),
        text_if_any(item, "payment_intent") or text_if_any(payment, "payment_intent"),
        text_if_any(item, "invoice"),
        text_if_any(item, "latest_charge") or text_if_any(payment, "charge"),
    )
    if len(references) < 2:
        return None
    return event.fact(
        FactKind.LINK,
        references=references,
    )


def _buyer(event: Message) -> Fact:
    item = event.item
    locales = item.get("preferred_locales")
    locale = locales[0] if isinstance(locales, list) and locales else None
    return event.fact(
        FactKind.BUYER,
        rank=0 if event.type == "customer.created" else 1,
        buyer=buyer_in(text_at(item, "id"), item.get("email"), item.get("name"), locale),
    )


_READERS: Mapping[str, Callable[[Message], Fact | None]] = {
    "checkout.session.completed": _checkout,
    "checkout.session.async_payment_succeeded": _checkout,
    "invoice.paid": _invoice_paid,
    "invoice.payment_succeeded": _invoice_paid,
    "invoice.payment_failed": _invoice_failed,
    "invoice_payment.paid": _link,
    "charge.succeeded": _link,
    "payment_intent.succeeded": _link,
    "customer.subscription.created": _subscription,
    "customer.subscription.updated": _subscription,
    "customer.subscription.paused": _subscription,
    "customer.subscription.resumed": _subscription,
    "customer.subscription.deleted": _subscription,
    "charge.refunded": _refund,
    "refund.failed": _undone_refund,
    "refund.updated": _undone_refund,
    "charge.refund.updated": _undone_refund,
    "charge.dispute.created": _dispute,
    "charge.dispute.updated": _dispute,
    "charge.dispute.closed": _dispute,
    "charge.dispute.funds_reinstated": _dispute,
    "charge.dispute.funds_withdrawn": _dispute,
    "customer.created": _buyer,
    "customer.updated": _buyer,
}
