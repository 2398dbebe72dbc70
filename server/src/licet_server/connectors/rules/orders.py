"""The state of an order: a pure function of the set of its facts.

Facts are sorted by the time at which they happened according to the provider, so duplicates change
nothing and late events take their place. No further fact undoes what once led to a license: history
only grows, since the time of the first payment can only become earlier.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from licet_server.connectors.rules.facts import (
    Buyer,
    Fact,
    FactKind,
    Line,
    Money,
    SubscriptionState,
)


@dataclass(frozen=True, slots=True)
class Links:
    """The orders of events, by the IDs of the events, with new orders and merged ones.

    `references` are the new references with their orders. `merged` maps an order to the older order
    that it is part of.
    """

    orders: Mapping[UUID, UUID]
    created: tuple[UUID, ...]
    references: Mapping[str, UUID]
    merged: Mapping[UUID, UUID]


def link(
    events: Sequence[tuple[UUID, Sequence[str]]],
    known: Mapping[str, UUID],
    new_id: Callable[[], UUID],
) -> Links:
    """Return the orders of events with these references, given the orders of known references."""
    parents: dict[str, str] = {}

    def root(reference: str) -> str:
        while (parent := parents.setdefault(reference, reference)) != reference:
            parents[reference] = parents[parent]
            reference = parents[reference]
        return reference

    for _, references in events:
        for reference in references[1:]:
            parents[root(reference)] = root(references[0])
    first_of: dict[UUID, str] = {}
    for reference, order_id in known.items():
        # Known references of one order belong together, even if no event names several of them.
        parents[root(reference)] = root(first_of.setdefault(order_id, reference))

    members: dict[str, set[UUID]] = {}
    for reference, order_id in known.items():
        members.setdefault(root(reference), set()).add(order_id)
    chosen = {place: min(order_ids) for place, order_ids in members.items()}
    created: list[UUID] = []
    orders: dict[UUID, UUID] = {}
    for event_id, references in events:
        place = root(references[0])
        if place not in chosen:
            chosen[place] = new_id()
            created.append(chosen[place])
        orders[event_id] = chosen[place]
    unknown = {name for _, names in events for name in names} - known.keys()
    return Links(
        orders=orders,
        created=tuple(created),
        references={name: chosen[root(name)] for name in sorted(unknown)},
        merged={
            order_id: chosen[place]
            for place, order_ids in members.items()
            for order_id in order_ids
            if order_id != chosen[place]
        },
    )


_ENDING = {SubscriptionState.ENDING, SubscriptionState.ENDED}


@dataclass(frozen=True, slots=True, kw_only=True)
class SoldLine:
    """A sold item, and the term that is paid: perpetual if `paid_until` is `None`."""

    product: str | None
    price: str | None
    quantity: int
    recurs: bool
    begins: datetime
    paid_until: datetime | None


@dataclass(frozen=True, slots=True)
class Paid:
    """What was paid for an order in all, and paid back, in the unit of the currency.

    `None` is what the provider does not say.
    """

    amount: Decimal | None = None
    refunded: Decimal | None = None
    currency: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderState:
    """The state of an order.

    `lines` is what the buyer has now, `statements` what they had at any time since the first
    payment. `is_refunded`: a payment was refunded in full; `is_unpaid`: there was no later payment.
    `was_disputed` stays true when a dispute is won, `is_disputed` does not. `failing_since` is the
    time of the first failed payment since the last successful one. `is_test`: no real money.
    """

    external_id: str
    buyer: Buyer | None
    paid_at: datetime | None
    lines: tuple[SoldLine, ...]
    statements: tuple[tuple[SoldLine, ...], ...]
    is_ending: bool
    failing_since: datetime | None
    is_refunded: bool
    is_unpaid: bool
    was_disputed: bool
    is_disputed: bool
    paid: Paid
    is_test: bool


def order_state(facts: Iterable[Fact]) -> OrderState:
    """Return the state of the order with these facts, of which there is at least one."""
    found = sorted({fact.event_id: fact for fact in facts}.values(), key=lambda fact: fact.time)
    paid_at = min((fact.occurred_at for fact in found if fact.is_paid), default=None)
    ended_at = _ended_at(found)
    statements = tuple(_statements(found, paid_at, ended_at))
    refunded_at = max((fact.occurred_at for fact in found if _is_whole_refund(fact)), default=None)
    return OrderState(
        external_id=_external_id(found),
        buyer=_buyer(found),
        paid_at=paid_at,
        lines=statements[-1] if statements else (),
        statements=statements,
        is_ending=ended_at is not None,
        failing_since=_failing_since(found),
        is_refunded=refunded_at is not None,
        is_unpaid=refunded_at is not None and refunded_at >= _last_payment(found, refunded_at),
        was_disputed=any(fact.is_open for fact in found if fact.kind is FactKind.DISPUTE),
        is_disputed=_is_disputed(found),
        paid=_paid(found),
        is_test=any(fact.is_test for fact in found),
    )


def _paid(facts: Sequence[Fact]) -> Paid:
    """Return the sums of payments and refunds; none of several currencies, which have no sum."""
    payments = _latest_money(facts, FactKind.PAYMENT)
    refunds = _latest_money(facts, FactKind.REFUND)
    currencies = {item.currency for item in [*payments, *refunds] if item is not None}
    if len(currencies) != 1:
        return Paid()
    [currency] = currencies
    return Paid(_sum(payments) if payments else None, _sum(refunds), currency)


def _latest_money(facts: Sequence[Fact], kind: FactKind) -> list[Money | None]:
    """Return the money of each charge as the latest fact that says one has it."""
    found: dict[str, Money | None] = {}
    for fact in facts:
        if fact.kind is kind:
            charge = fact.charge or fact.payment or fact.event_id
            found[charge] = fact.money or found.get(charge)
    return list(found.values())


def _sum(items: Sequence[Money | None]) -> Decimal | None:
    """Return the sum, or `None` if a part of it is not known."""
    known = [Decimal(item.amount) for item in items if item is not None]
    return sum(known, Decimal(0)) if len(known) == len(items) else None


def _is_whole_refund(fact: Fact) -> bool:
    return fact.kind is FactKind.REFUND and fact.is_whole


def _last_payment(facts: Sequence[Fact], otherwise: datetime) -> datetime:
    payments = (fact.occurred_at for fact in facts if fact.kind is FactKind.PAYMENT)
    return max(payments, default=otherwise)


def _external_id(facts: Sequence[Fact]) -> str:
    """Return the ID of the order's subscription or payment, or any reference if it has neither."""
    for kind in (FactKind.SUBSCRIPTION, FactKind.PAYMENT):
        names = [fact.references[0] for fact in facts if fact.kind is kind and fact.references]
        if names:
            return _without_kind(names[0])
    return _without_kind(min((name for fact in facts for name in fact.references), default=""))


def _without_kind(reference: str) -> str:
    return reference.partition(":")[2] or reference


def _buyer(facts: Sequence[Fact]) -> Buyer | None:
    """Return the buyer as named by the latest facts."""
    known = [fact.buyer for fact in reversed(facts) if fact.buyer is not None]
    if not known:
        return None
    return Buyer(
        reference=next((item.reference for item in known if item.reference), None),
        email=next((item.email for item in known if item.email), None),
        name=next((item.name for item in known if item.email and item.name), None),
        locale=next((item.locale for item in known if item.locale), None),
    )


def _ended_at(facts: Sequence[Fact]) -> datetime | None:
    """Return when the order was canceled or scheduled to be; a later payment undoes that.

    If there are states of a subscription, only these count.
    """
    has_state = any(fact.kind is FactKind.SUBSCRIPTION for fact in facts)
    ended_at = None
    for fact in facts:
        if fact.kind is FactKind.SUBSCRIPTION:
            is_over = fact.subscription in _ENDING
            ended_at = (ended_at or fact.occurred_at) if is_over else None
        elif fact.kind is FactKind.CANCELLATION:
            ended_at = fact.occurred_at
        elif fact.kind is FactKind.PAYMENT and not has_state:
            ended_at = None
    return ended_at


def _failing_since(facts: Sequence[Fact]) -> datetime | None:
    failing_since = None
    for fact in facts:
        if fact.kind is FactKind.PAYMENT_FAILURE or fact.subscription is SubscriptionState.PAST_DUE:
            failing_since = failing_since or fact.occurred_at
        elif fact.is_paid or fact.subscription is not SubscriptionState.PENDING:
            failing_since = None
    return failing_since


def _is_disputed(facts: Sequence[Fact]) -> bool:
    disputes = {fact.dispute: fact.is_open for fact in facts if fact.kind is FactKind.DISPUTE}
    return any(disputes.values())


def _statements(
    facts: Sequence[Fact], paid_at: datetime | None, ended_at: datetime | None
) -> Iterator[tuple[SoldLine, ...]]:
    """Yield what the buyer had at each time since the first payment; the last is the present.

    Each payment replaces the recurring items, and so does each state of a subscription since the
    first payment. Items that do not recur add up.
    """
    if paid_at is None:
        return
    payments = [fact for fact in facts if fact.is_paid and fact.lines]
    recurring = [fact for fact in payments if any(line.recurs for line in fact.lines)]
    term = max(recurring, key=_term_of, default=None)
    kept = tuple(_kept(payments))
    states = [
        fact
        for fact in facts
        if fact.kind is FactKind.SUBSCRIPTION and fact.occurred_at >= paid_at and fact.lines
    ]
    former = [fact for fact in recurring if fact is not term and fact not in states]
    for fact in [*former, *([] if term is None or term in states else [term]), *states]:
        lines = (line for line in fact.lines if line.recurs and line.quantity)
        yield (*(_recurring(line, term or fact, ended_at) for line in lines), *kept)
    if not recurring and not states and kept:
        yield kept


def _term_of(fact: Fact) -> tuple[bool, datetime, tuple[datetime, int, int, str]]:
    """Return the sort key by which the payment of the latest term wins, not the latest payment."""
    has_term = any(line.paid_until is not None for line in fact.lines)
    return has_term, fact.term_begins, fact.time


def _recurring(line: Line, term: Fact, ended_at: datetime | None) -> SoldLine:
    paid = [item for item in term.lines if item.recurs]
    same_price = [item for item in paid if item.price == line.price and line.price is not None]
    same_product = [item for item in paid if item.product == line.product]
    ends = [item.paid_until for item in same_price or same_product or paid if item.paid_until]
    return SoldLine(
        product=line.product,
        price=line.price,
        quantity=line.quantity,
        recurs=True,
        begins=term.term_begins,
        paid_until=max(ends, default=ended_at),
    )


def _kept(payments: Sequence[Fact]) -> Iterator[SoldLine]:
    """Yield the items without recurrence, added up over payments, each of which counts once."""
    quantities: defaultdict[tuple[str | None, str | None], dict[str, int]] = defaultdict(dict)
    begins: dict[tuple[str | None, str | None], datetime] = {}
    for fact in payments:
        payment = fact.payment or fact.event_id
        in_fact: defaultdict[tuple[str | None, str | None], int] = defaultdict(int)
        for line in fact.lines:
            if not line.recurs:
                in_fact[line.product, line.price] += line.quantity
        for sold, quantity in in_fact.items():
            known = quantities[sold].get(payment, 0)
            quantities[sold][payment] = max(known, quantity)
            begins.setdefault(sold, fact.occurred_at)
    for sold, by_payment in quantities.items():
        if quantity := sum(by_payment.values()):
            yield SoldLine(
                product=sold[0],
                price=sold[1],
                quantity=quantity,
                recurs=False,
                begins=begins[sold],
                paid_until=None,
            )
