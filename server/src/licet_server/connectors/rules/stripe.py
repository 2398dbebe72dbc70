"""Events of Stripe, in the form of its current and its former API versions.

A paid invoice, or a checkout without an invoice, proves a payment. The state of a subscription does
not: Stripe begins a new period before it is paid.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from licet_server.connectors.rules.facts import (
    Buyer,
    Fact,
    FactKind,
    Line,
    SubscriptionState,
    UnreadableEvent,
)
from licet_server.connectors.rules.reading import (
    Record,
    buyer_in,
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


@dataclass(frozen=True, slots=True)
class _Event:
    id: str
    type: str
    at: datetime
    item: Record
    is_test: bool


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
    item = record_at(record_at(event, "data"), "object")
    is_test = event.get("livemode") is False
    return read(_Event(text_at(event, "id"), kind, at, item, is_test))


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


def _invoice_paid(event: _Event) -> Fact:
    item = event.item
    lines = list(_invoice_lines(item))
    begins = [begin for begin, line in lines if begin is not None and line.recurs]
    return Fact(
        kind=FactKind.PAYMENT,
        event_id=event.id,
        occurred_at=event.at,
        references=_invoice_references(item),
        buyer=_invoice_buyer(item),
        lines=tuple(line for _, line in lines),
        paid_from=min(begins, default=None),
        payment=text_at(item, "id"),
        is_paid=True,
        money=smallest_units_in(item.get("amount_paid"), item.get("currency")),
        is_test=event.is_test,
    )


@dataclass(frozen=True, slots=True)
class _InvoiceLine:
    line: Line
    begins: datetime | None
    is_proration: bool


def _invoice_lines(item: Record) -> Iterator[tuple[datetime | None, Line]]:
    """Yield the paid lines with the beginnings of their terms.

    Credits for a replaced plan are not lines. A plan that changes during a period has prorated
    lines, of which the last one of each price counts.
    """
    read = [_invoice_line(line) for line in records_at(record_at(item, "lines"), "data")]
    found = [line for line in read if line is not None]
    recurring = [line for line in found if line.line.recurs]
    whole = [line for line in recurring if not line.is_proration]
    last = max((line.line.paid_until for line in recurring if line.line.paid_until), default=None)
    for line in [*_totals(whole), *([] if whole else _newest(recurring))]:
        if line.line.paid_until == last:
            yield line.begins, line.line
    for line in found:
        if not line.line.recurs:
            yield line.begins, line.line


def _totals(lines: list[_InvoiceLine]) -> list[_InvoiceLine]:
    """Return lines with those of one price, such as the tiers of a graduated price, summed up."""
    found: dict[tuple[Any, ...], _InvoiceLine] = {}
    for item in lines:
        key = (item.line.product, item.line.price, item.line.paid_until)
        before = found.get(key)
        quantity = item.line.quantity + (before.line.quantity if before else 0)
        found[key] = _InvoiceLine(_with(item.line, quantity), item.begins, item.is_proration)
    return list(found.values())


def _newest(lines: list[_InvoiceLine]) -> list[_InvoiceLine]:
    found: dict[tuple[Any, ...], _InvoiceLine] = {}
    for item in lines:
        key = (item.line.product, item.line.price)
        before = found.get(key)
        if before is None or _begins(item) >= _begins(before):
            found[key] = item
    return list(found.values())


def _begins(item: _InvoiceLine) -> float:
    return item.begins.timestamp() if item.begins else 0.0


def _with(line: Line, quantity: int) -> Line:
    return Line(
        product=line.product,
        price=line.price,
        quantity=quantity,
        recurs=line.recurs,
        paid_until=line.paid_until,
    )


def _invoice_line(line: Record) -> _InvoiceLine | None:
    if number_in(line.get("amount")) < 0:
        return None
    product, price, recurs = _sold(line)
    parent = record_if_any(line, "parent")
    details = record_if_any(parent, "subscription_item_details")
    recurs = recurs or bool(details) or line.get("type") == "subscription"
    period = record_if_any(line, "period")
    begins, ends = seconds_in(period.get("start")), seconds_in(period.get("end"))
    if product is None and price is None:
        return None
    return _InvoiceLine(
        Line(
            product=product,
            price=price,
            quantity=quantity_in(line.get("quantity")),
            recurs=recurs,
            paid_until=ends if recurs else None,
        ),
        begins,
        is_proration=bool(line.get("proration") or details.get("proration")),
    )


def _sold(line: Record) -> tuple[str | None, str | None, bool]:
    """Return the product and the price of a line, and whether the price recurs."""
    price = record_if_any(line, "price") or record_if_any(line, "plan")
    details = record_if_any(record_if_any(line, "pricing"), "price_details")
    name = text_if_any(price, "id") or text_if_any(line, "price") or text_if_any(details, "price")
    product = text_if_any(price, "product") or text_if_any(details, "product")
    recurs = bool(price.get("recurring") or price.get("interval"))
    return product, name, recurs


def _invoice_failed(event: _Event) -> Fact:
    return Fact(
        kind=FactKind.PAYMENT_FAILURE,
        event_id=event.id,
        occurred_at=event.at,
        references=_invoice_references(event.item),
        buyer=_invoice_buyer(event.item),
        is_test=event.is_test,
    )


def _checkout(event: _Event) -> Fact:
    """Return the payment of a checkout without an invoice; otherwise its invoice has it."""
    item = event.item
    details = record_if_any(item, "customer_details")
    email = details.get("email") or item.get("customer_email")
    lines = tuple(_checkout_lines(item))
    invoice = text_if_any(item, "invoice")
    is_paid = item.get("payment_status") in ("paid", "no_payment_required")
    is_sale = is_paid and item.get("mode") == "payment" and (invoice is None or bool(lines))
    return Fact(
        kind=FactKind.PAYMENT if is_sale else FactKind.LINK,
        event_id=event.id,
        occurred_at=event.at,
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
        is_test=event.is_test,
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


def _subscription(event: _Event) -> Fact:
    item = event.item
    state = _STATES.get(str(item.get("status")))
    if state is None:
        raise UnreadableEvent("status is not one of a subscription.")
    if event.type == "customer.subscription.deleted":
        state = SubscriptionState.ENDED
    is_ending = bool(item.get("cancel_at_period_end") or item.get("cancel_at"))
    if is_ending and state is SubscriptionState.ACTIVE:
        state = SubscriptionState.ENDING
    return Fact(
        kind=FactKind.SUBSCRIPTION,
        event_id=event.id,
        occurred_at=event.at,
        rank=_RANKS.get(event.type, 1),
        references=references_in(text_at(item, "id"), text_if_any(item, "latest_invoice")),
        buyer=buyer_in(text_if_any(item, "customer"), None, None),
        lines=tuple(_items(item)),
        subscription=state,
        is_test=event.is_test,
    )


def _items(item: Record) -> Iterator[Line]:
    for line in records_at(record_at(item, "items"), "data"):
        product, price, _ = _sold(line)
        yield Line(product=product, price=price, quantity=quantity_in(line.get("quantity")))


def _refund(event: _Event) -> Fact:
    item = event.item
    amount, refunded = number_in(item.get("amount")), number_in(item.get("amount_refunded"))
    if amount < 0 or refunded < 0 or refunded > amount:
        raise UnreadableEvent("amount_refunded must not be more than the amount.")
    return Fact(
        kind=FactKind.REFUND,
        event_id=event.id,
        occurred_at=event.at,
        references=_charge_references(item),
        payment=text_at(item, "id"),
        is_whole=item.get("refunded") is True,
        money=smallest_units_in(item.get("amount_refunded"), item.get("currency")),
        is_test=event.is_test,
    )


def _charge_references(item: Record) -> tuple[str, ...]:
    return references_in(
        text_at(item, "id"), text_if_any(item, "payment_intent"), text_if_any(item, "invoice")
    )


def _dispute(event: _Event) -> Fact:
    item = event.item
    return Fact(
        kind=FactKind.DISPUTE,
        event_id=event.id,
        occurred_at=event.at,
        rank=_DISPUTE_RANKS.get(event.type, 1),
        references=references_in(
            text_if_any(item, "charge"), text_if_any(item, "payment_intent"), text_at(item, "id")
        ),
        dispute=text_at(item, "id"),
        is_open=text_at(item, "status") not in _NOT_DISPUTED,
        is_test=event.is_test,
    )


_DISPUTE_RANKS = {"charge.dispute.created": 0, "charge.dispute.closed": 2}


def _link(event: _Event) -> Fact | None:
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
    return Fact(kind=FactKind.LINK, event_id=event.id, occurred_at=event.at, references=references)


def _buyer(event: _Event) -> Fact:
    item = event.item
    locales = item.get("preferred_locales")
    locale = locales[0] if isinstance(locales, list) and locales else None
    return Fact(
        kind=FactKind.BUYER,
        event_id=event.id,
        occurred_at=event.at,
        rank=0 if event.type == "customer.created" else 1,
        buyer=buyer_in(text_at(item, "id"), item.get("email"), item.get("name"), locale),
    )


_READERS: Mapping[str, Callable[[_Event], Fact | None]] = {
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
    "charge.dispute.created": _dispute,
    "charge.dispute.updated": _dispute,
    "charge.dispute.closed": _dispute,
    "charge.dispute.funds_reinstated": _dispute,
    "charge.dispute.funds_withdrawn": _dispute,
    "customer.created": _buyer,
    "customer.updated": _buyer,
}
