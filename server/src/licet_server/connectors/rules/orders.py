"""The state of an order: a pure function of the set of its facts.

Facts are sorted by the time at which they happened according to the provider, so duplicates change
nothing and late events take their place. What the buyer had at any time is kept with what they have
now, so that no license is issued twice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from licet_server.connectors.rules.facts import Buyer, Fact, FactKind, SubscriptionState
from licet_server.connectors.rules.holdings import Holdings, SoldLine, holdings
from licet_server.connectors.rules.model import Payment
from licet_server.connectors.rules.movements import movements
from licet_server.connectors.rules.payments import (
    Disputed,
    Paid,
    Refunds,
    disputed_of,
    disputed_since,
    paid,
    refunds_of,
)
from licet_server.connectors.rules.sequence import in_order


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
class OrderState:
    """The state of an order.

    `all` is what the buyer has by all payments, `standing` by those that were not paid back in
    full, the last of them at `refunded_at`. `buyer_at` is when the buyer's address was named.
    `ever_disputed` is left when a dispute is won, `disputed` is not, nor is its
    begin, `disputed_at`. `failing_since` is the
    time of the first failed payment since the last successful one. `payments` is `paid` by the
    times at which it was. `is_test`: no real money.
    `lacks_lines`: an event carries only a part of what was sold.
    """

    external_id: str
    buyer: Buyer | None
    buyer_at: datetime | None
    paid_at: datetime | None
    all: Holdings
    standing: Holdings
    refunded_at: datetime | None
    is_ending: bool
    failing_since: datetime | None
    ever_disputed: Disputed
    disputed: Disputed
    disputed_at: datetime | None
    paid: Paid
    payments: tuple[Payment, ...]
    is_test: bool
    lacks_lines: bool

    @property
    def lines(self) -> tuple[SoldLine, ...]:
        """What the buyer has now."""
        return self.standing.lines or self.all.lines

    def with_buyer(self, known: Buyer | None, named_at: str | None) -> "OrderState":
        """Return the state with what is known of the buyer besides; the newest address counts.

        `named_at` is the time of an event about the buyer only, in the form of `stamp`.
        """
        if known is None:
            return self
        own = self.buyer or Buyer()
        is_newer = named_at is not None and (
            self.buyer_at is None or named_at >= stamp(self.buyer_at)
        )
        found = replace(known, reference=own.reference).completed_by(own) if is_newer else own
        return replace_fields(self, buyer=found.completed_by(known))


def stamp(time: datetime) -> str:
    """Return a time as text: of one zone and one length, so that texts sort as times do."""
    return f"{time:%Y-%m-%dT%H:%M:%S.%f}"


def order_state(facts: Iterable[Fact]) -> OrderState:
    """Return the state of the order with these facts, of which there is at least one."""
    found = in_order(_of_one_mode(list(facts)))
    ended_at = _ended_at(found)
    refunds = refunds_of(found)
    everything = holdings(found, Refunds(), ended_at)
    is_refunded = refunds.refunded_at is not None
    return OrderState(
        external_id=_external_id(found),
        buyer=_buyer(found),
        buyer_at=max(
            (fact.occurred_at for fact in found if fact.buyer and fact.buyer.email), default=None
        ),
        paid_at=min((fact.occurred_at for fact in found if fact.is_paid), default=None),
        all=everything,
        standing=holdings(found, refunds, ended_at) if is_refunded else everything,
        refunded_at=refunds.refunded_at,
        is_ending=ended_at is not None,
        failing_since=_failing_since(found),
        ever_disputed=disputed_of(found, with_won=True),
        disputed=disputed_of(found, with_won=False),
        disputed_at=disputed_since(found),
        paid=paid(found),
        payments=movements(found),
        is_test=any(fact.is_test for fact in found),
        lacks_lines=any(fact.lacks_lines for fact in found),
    )


def _of_one_mode(facts: Sequence[Fact]) -> Sequence[Fact]:
    """Return the facts that count: a test changes nothing that was paid for with money."""
    live = [fact for fact in facts if not fact.is_test]
    return live if any(fact.is_paid for fact in live) else facts


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
        unusable=next((item.unusable for item in known if item.unusable), None),
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
    """Return since when payments fail. What was paid is not failing, whatever else is said."""
    paid_for = {fact.payment for fact in facts if fact.is_paid and fact.payment is not None}
    failing_since = None
    for fact in facts:
        if fact.kind is FactKind.PAYMENT_FAILURE or fact.subscription is SubscriptionState.PAST_DUE:
            if fact.payment not in paid_for:
                failing_since = failing_since or fact.occurred_at
        elif fact.is_paid or fact.subscription is not SubscriptionState.PENDING:
            failing_since = None
    return failing_since
