"""What was paid for an order, and which payments were paid back in full.

The events about one payment name it by different IDs: an invoice, a payment intent, a charge. A
refund takes back what its own payment bought, and parts of a refund add up.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from licet_server.connectors.rules.facts import SUPPLEMENT, Fact, FactKind, Money, Sold

_OF_SUBSCRIPTIONS = ("sub_", "subscription:")
"""How references begin that are of a whole subscription, not of a payment."""


@dataclass(frozen=True, slots=True)
class Paid:
    """What was paid for an order in all, and paid back, in the unit of the currency.

    `None` is what the provider does not say.
    """

    amount: Decimal | None = None
    refunded: Decimal | None = None
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class Refunds:
    """What was paid back in full.

    `events` are the IDs of the facts whose payments were, and `ends` the ends of terms that a state
    of a subscription names and whose payments were. `refunded_at` is the time of the last refund.
    """

    events: frozenset[str] = frozenset()
    ends: frozenset[datetime] = frozenset()
    refunded_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Disputed:
    """The items whose payment is disputed, or the whole order where no event says which."""

    sold: frozenset[Sold] = frozenset()
    is_whole: bool = False

    def includes(self, sold: Sold | None) -> bool:
        """Return whether an item is disputed."""
        return self.is_whole or sold in self.sold


def disputed_of(facts: Sequence[Fact], *, with_won: bool) -> Disputed:
    """Return what is disputed, by facts in the order in which they happened."""
    states = {fact.dispute: fact.is_open for fact in facts if fact.kind is FactKind.DISPUTE}
    sold: set[Sold] = set()
    is_whole = False
    for members in _same_money(facts).values():
        paid_lines = [line for fact in members if fact.is_paid for line in fact.lines]
        for fact in members:
            if fact.kind is not FactKind.DISPUTE or not fact.is_open:
                continue
            if with_won or states[fact.dispute]:
                named = frozenset(fact.items)
                is_told = named and named.issubset(it for line in paid_lines for it in line.items)
                found = [it for it in paid_lines if not is_told or not named.isdisjoint(it.items)]
                sold.update(line.sold for line in found)
                is_whole = is_whole or not found
    return Disputed(frozenset(sold), is_whole)


def disputed_since(facts: Sequence[Fact]) -> datetime | None:
    """Return when the first dispute began that is not won, by facts as they happened."""
    begun: dict[str | None, datetime] = {}
    for fact in facts:
        if fact.kind is FactKind.DISPUTE and fact.is_open:
            begun.setdefault(fact.dispute, fact.occurred_at)
        elif fact.kind is FactKind.DISPUTE:
            begun.pop(fact.dispute, None)
    return min(begun.values(), default=None)


def paid(facts: Sequence[Fact]) -> Paid:
    """Return the sums of payments and refunds; none of several currencies, which have no sum."""
    payments = _payments(facts)
    refunds = refunds_in(facts)
    currencies = {item.currency for item in [*payments, *refunds] if item is not None}
    if len(currencies) != 1:
        return Paid()
    [currency] = currencies
    return Paid(_sum(payments) if payments else None, _sum(refunds), currency)


def _payments(facts: Iterable[Fact]) -> list[Money | None]:
    """Return the money of each payment as the latest fact that says one has it."""
    found: dict[str, Money | None] = {}
    for fact in facts:
        if fact.kind is FactKind.PAYMENT:
            charge = charge_of(fact)
            found[charge] = fact.money or found.get(charge)
    return list(found.values())


def refunds_in(facts: Iterable[Fact]) -> list[Money | None]:
    """Return what was paid back of each charge, without refunds that failed since it was said."""
    said: dict[str, Fact] = {}
    known: dict[str, Money | None] = {}
    failed: defaultdict[str, dict[str, Fact]] = defaultdict(dict)
    for fact in facts:
        if fact.kind is not FactKind.REFUND:
            continue
        charge = charge_of(fact)
        if fact.is_undone:
            failed[charge].setdefault(fact.refund or fact.event_id, fact)
        elif charge not in said or _later(fact, said[charge]):
            said[charge] = fact
            known[charge] = fact.money or known.get(charge)
    return [
        _less(money, [it for it in failed[charge].values() if it.occurred_at >= fact.occurred_at])
        for charge, fact in said.items()
        for money in [known[charge]]
    ]


def charge_of(fact: Fact) -> str:
    """Return what identifies the money that a payment or a refund is about."""
    return fact.charge or fact.payment or fact.event_id


def _later(fact: Fact, other: Fact) -> bool:
    """Return whether a fact is later; of two of one time, the one with more money is."""
    if fact.occurred_at != other.occurred_at:
        return fact.occurred_at > other.occurred_at
    return _value(fact.money) > _value(other.money)


def _value(money: Money | None) -> Decimal:
    return Decimal(money.amount) if money is not None else Decimal(-1)


def _less(money: Money | None, failed: Sequence[Fact]) -> Money | None:
    if money is None or not failed:
        return money
    if any(fact.money is None or fact.money.currency != money.currency for fact in failed):
        return Money("0", money.currency)
    left = Decimal(money.amount) - sum((_value(fact.money) for fact in failed), Decimal(0))
    return Money(f"{max(left, Decimal(0)):f}", money.currency)


def _sum(items: Sequence[Money | None]) -> Decimal | None:
    """Return the sum, or `None` if a part of it is not known."""
    known = [Decimal(item.amount) for item in items if item is not None]
    return sum(known, Decimal(0)) if len(known) == len(items) else None


def refunds_of(facts: Sequence[Fact]) -> Refunds:
    """Return what was paid back in full, by facts in the order in which they happened."""
    events: set[str] = set()
    ends: set[datetime] = set()
    times: list[datetime] = []
    for members in _same_money(facts).values():
        refunded_at = _whole_refund(members)
        if refunded_at is None:
            continue
        events.update(fact.event_id for fact in members if fact.kind is FactKind.PAYMENT)
        if (end := _end_of_term(facts, members)) is not None:
            ends.add(end)
        times.append(refunded_at)
    for event_id, refunded_at in _refunded_of_order(facts).items():
        events.add(event_id)
        times.append(refunded_at)
    known = events or ends
    return Refunds(frozenset(events), frozenset(ends), max(times, default=None) if known else None)


def _same_money(facts: Iterable[Fact]) -> dict[str, list[Fact]]:
    """Return payments, refunds and disputes by the money that they are about."""
    parents: dict[str, str] = {}

    def root(name: str) -> str:
        while (parent := parents.setdefault(name, name)) != name:
            name = parent
        return name

    places: list[tuple[Fact, str]] = []
    for fact in facts:
        names = _names(fact)
        for name in names[1:]:
            low, high = sorted((root(names[0]), root(name)))
            parents[high] = low
        if names and fact.kind is not FactKind.LINK:
            places.append((fact, names[0]))
    found: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact, name in places:
        found[root(name)].append(fact)
    return found


def _names(fact: Fact) -> list[str]:
    """Return the IDs of the money that a fact is about, which none of another payment has."""
    if fact.kind not in (FactKind.PAYMENT, FactKind.REFUND, FactKind.DISPUTE, FactKind.LINK):
        return []
    if fact.kind in (FactKind.PAYMENT, FactKind.REFUND) and fact.payment is None:
        return []
    names = [name for name in fact.references if not name.startswith(_OF_SUBSCRIPTIONS)]
    return [*names, *(name for name in (fact.payment, fact.charge) if name is not None)]


def _whole_refund(members: Sequence[Fact]) -> datetime | None:
    """Return when the money was paid back in full; known amounts are more than what is said."""
    refunds = [fact for fact in members if fact.kind is FactKind.REFUND]
    times = [fact.occurred_at for fact in refunds if not fact.is_undone]
    if not times:
        return None
    whole, back = paid_amount(members), _sum(refunds_in(refunds))
    if whole is not None and back is not None and whole > 0:
        return max(times) if back >= whole else None
    latest = {charge_of(fact): fact for fact in refunds if not fact.is_undone}
    undone = [fact for fact in refunds if fact.is_undone]
    is_said = any(
        fact.is_whole and not any(it.occurred_at >= fact.occurred_at for it in undone)
        for fact in latest.values()
    )
    return max(times) if is_said else None


def paid_amount(members: Sequence[Fact]) -> Decimal | None:
    """Return what was paid, if that is known and in the currency of all that was paid back."""
    payments = _payments(members)
    refunds = refunds_in(members)
    currencies = {item.currency for item in [*payments, *refunds] if item is not None}
    return _sum(payments) if payments and len(currencies) == 1 else None


def _end_of_term(facts: Sequence[Fact], members: Sequence[Fact]) -> datetime | None:
    """Return the end of the term that a payment bought which only a subscription's state names.

    It is the term that begins nearest to the payment.
    """
    if any(fact.lines and fact.paid_from for fact in members if fact.kind is FactKind.PAYMENT):
        return None
    if any((fact.charge or "").startswith(SUPPLEMENT) for fact in members):
        return None
    states = [fact for fact in facts if fact.kind is FactKind.SUBSCRIPTION and fact.is_paid]
    ends = {line.paid_until for fact in states for line in fact.lines if line.paid_until}
    if not ends:
        return None
    begin = min(fact.occurred_at for fact in states)
    bounds = [min(begin, *ends), *sorted(ends)]
    moves = [fact for fact in members if fact.kind is not FactKind.DISPUTE]
    paid_at = min(fact.paid_from or fact.occurred_at for fact in moves)
    nearest = min(range(len(bounds)), key=lambda at: abs(bounds[at] - paid_at))
    return bounds[nearest + 1] if nearest + 1 < len(bounds) else None


def _refunded_of_order(facts: Sequence[Fact]) -> dict[str, datetime]:
    """Return the payments that refunds paid back which name an order, but no payment.

    Without an amount, such a refund is of all payments so far. An amount is of the payment that it
    fits, or of the latest ones; what is left over adds up with the next refund.
    """
    found: dict[str, datetime] = {}
    left = Decimal(0)
    for refund in facts:
        if refund.kind is not FactKind.REFUND or refund.payment is not None:
            continue
        before = [
            fact
            for fact in facts
            if fact.kind is FactKind.PAYMENT
            and fact.payment is None
            and fact.occurred_at <= refund.occurred_at
            and fact.event_id not in found
        ]
        currencies = {fact.money.currency for fact in [*before, refund] if fact.money}
        if any(fact.money is None for fact in [*before, refund]) or len(currencies) > 1:
            found |= {fact.event_id: refund.occurred_at for fact in before}
            continue
        money = _value(refund.money)
        is_exact = any(_value(fact.money) == money > 0 for fact in before)
        kept, left = (left, money) if is_exact else (Decimal(0), left + money)
        fits = [fact for fact in before if _value(fact.money) == left > 0]
        open_payments = [fact for fact in before if _value(fact.money) > 0]
        for fact in fits[-1:] or reversed(open_payments):
            if _value(fact.money) > left:
                break
            left -= _value(fact.money)
            found[fact.event_id] = refund.occurred_at
        left += kept
        if all(fact.event_id in found for fact in open_payments):
            found |= {fact.event_id: refund.occurred_at for fact in before}
    return found
