"""What a buyer has, by what was paid until when for each price.

An invoice names only what it charges for, so it takes nothing away from other items. A state of a
subscription names everything: an item that takes another one's place keeps what was paid for that,
and one that is dropped stays until the end of what was paid for it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo

from licet_server.connectors.rules.facts import (
    SUPPLEMENT,
    Fact,
    FactKind,
    Line,
    Sold,
    SubscriptionState,
)
from licet_server.connectors.rules.payments import Refunds
from licet_server.kit.dates import Period, end_after


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """What one payment bought of a price: from `begins` on, until a time if the shop says one.

    `sold` is the price that was paid, which may be that of an item that was replaced since then.
    """

    payment: str
    sold: Sold
    quantity: int
    begins: datetime
    until: datetime | None
    is_supplement: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SoldLine:
    """A sold item with what was paid for it.

    `ended_at` is when the shop ended or dropped it: it is not renewed, and ends then if it has no
    other end.
    """

    product: str | None
    price: str | None
    quantity: int
    recurs: bool
    purchases: tuple[Purchase, ...]
    ended_at: datetime | None = None

    @property
    def sold(self) -> Sold:
        """The product and the price."""
        return self.product, self.price

    @property
    def begins(self) -> datetime:
        """When the last term begins that was paid."""
        return max(item.begins for item in self.purchases)

    @property
    def paid_until(self) -> datetime | None:
        """The end of the paid term, if the shop names one."""
        return _end(self.purchases)

    def end(
        self, period: Period | None, known: Mapping[str, Period], zone: tzinfo
    ) -> datetime | None:
        """Return the end of the paid time; where the shop names none, each payment buys `period`.

        Such time adds up: it begins at the later of the payment and the end that was paid before.
        `known` is what payments bought that were counted before.
        """
        end: datetime | None = None
        anchor_day: int | None = None
        is_named = False
        for item in self.purchases:
            if item.until is not None:
                end = item.until if end is None or not is_named else max(end, item.until)
                is_named = True
            elif (bought := known.get(item.payment, period)) is not None:
                begins = item.begins if end is None else max(item.begins, end)
                anchor_day = anchor_day if begins == end else None
                end, anchor_day = end_after(begins, bought, zone, anchor_day)
        return end


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a buyer has at last, and what they had at any time since the first payment.

    `unsupported` are prices for which only a supplement stands, without the payment of its term.
    """

    lines: tuple[SoldLine, ...] = ()
    statements: tuple[tuple[SoldLine, ...], ...] = ()
    unsupported: frozenset[Sold] = frozenset()


def holdings(facts: Sequence[Fact], refunds: Refunds, ended_at: datetime | None) -> Holdings:
    """Return what the buyer has by facts in the order in which they happened, without refunds."""
    paid_at = min((fact.occurred_at for fact in facts if fact.is_paid), default=None)
    if paid_at is None:
        return Holdings()
    about = [
        fact
        for fact in facts
        if (fact.lines or fact.credited) and fact.occurred_at >= paid_at and _is_about_items(fact)
    ]
    whole = _Fold(Refunds(), set())
    for fact in about if refunds.refunded_at is not None else ():
        whole.take(fact)
    fold = _Fold(refunds, _refunded_items(facts, refunds), whole.supplements)
    kept = tuple(_kept(fact for fact in facts if fact.event_id not in refunds.events))
    statements = [(*fold.lines(facts, ended_at), *kept) for fact in about if fold.take(fact)]
    if not statements and kept:
        statements = [kept]
    if refunds.ends and any(_is_standing_supplement(fact, refunds) for fact in facts):
        fold.unsupported |= fold.present.keys()
    lines = statements[-1] if statements else ()
    return Holdings(lines, tuple(filter(None, statements)), frozenset(fold.unsupported))


def _is_standing_supplement(fact: Fact, refunds: Refunds) -> bool:
    is_supplement = (fact.charge or "").startswith(SUPPLEMENT)
    is_payment = fact.kind is FactKind.PAYMENT and fact.event_id not in refunds.events
    return is_supplement and is_payment and fact.occurred_at < max(refunds.ends)


def _is_about_items(fact: Fact) -> bool:
    return fact.is_paid or fact.kind is FactKind.SUBSCRIPTION


def _refunded_items(facts: Sequence[Fact], refunds: Refunds) -> set[tuple[Sold, int]]:
    """Return the items that a subscription has only because of a payment that was paid back."""
    items: dict[bool, set[tuple[Sold, int]]] = {True: set(), False: set()}
    for fact in facts:
        if fact.kind is FactKind.PAYMENT:
            is_refunded = fact.event_id in refunds.events
            items[is_refunded] |= {(line.sold, line.quantity) for line in fact.lines if line.recurs}
    return items[True] - items[False]


def _payment(fact: Fact, line: Line) -> str:
    """Return what identifies a payment; a state of a subscription proves that of its term."""
    if fact.kind is FactKind.SUBSCRIPTION:
        return f"{fact.references[0]} {line.paid_until}"
    return fact.payment or fact.event_id


def _end(purchases: Iterable[Purchase]) -> datetime | None:
    return max((item.until for item in purchases if item.until is not None), default=None)


@dataclass(slots=True)
class _Fold:
    """Follows what the buyer has from one fact to the next.

    `stated_at` is when everything was named last, and `lapsed` are items that payments since then
    left out after their term: named again, they were never replaced, so they inherit nothing.
    """

    refunds: Refunds
    refunded_items: set[tuple[Sold, int]]
    supplements: set[tuple[str, Sold]] = field(default_factory=set)
    bought: defaultdict[Sold, list[Purchase]] = field(default_factory=lambda: defaultdict(list))
    present: dict[Sold, int] = field(default_factory=dict)
    dropped: dict[Sold, datetime] = field(default_factory=dict)
    lapsed: set[Sold] = field(default_factory=set)
    stated_at: datetime | None = None
    unsupported: set[Sold] = field(default_factory=set)
    is_base_refunded: bool = False

    def take(self, fact: Fact) -> bool:
        """Take in a fact with items; return whether it says what the buyer has."""
        lines = [line for line in fact.lines if line.recurs]
        if fact.event_id in self.refunds.events:
            self.is_base_refunded = self.is_base_refunded or bool(lines)
            # The buyer had these, so no other item takes their place.
            self.present = {line.sold: line.quantity for line in lines} | self.present
            return False
        if fact.names_everything:
            return self._replace(fact, [line for line in lines if line.quantity])
        return self._add(fact, lines)

    def _replace(self, fact: Fact, lines: Sequence[Line]) -> bool:
        if not fact.is_paid and any(
            (line.sold, line.quantity) in self.refunded_items for line in lines
        ):
            return False
        named = {line.sold for line in lines}
        gone = [sold for sold in self.present if sold not in named and sold not in self.dropped]
        self._forget_dropped(fact, named)
        others = [sold for sold in self.present if sold in named]
        new = [line for line in lines if line.sold not in self.present]
        kept = {line.sold: self._inherited(line, gone, others) for line in new}
        if fact.kind is FactKind.SUBSCRIPTION:
            replaced = {sold for line in new for sold in _replaced_by(line, gone)}
            self._drop(fact, [sold for sold in gone if sold not in replaced])
        self.present = {sold: self.present[sold] for sold in self.dropped}
        self.stated_at = fact.occurred_at
        self.lapsed.clear()
        for line in lines:
            self.present[line.sold] = self.present.get(line.sold, 0) + line.quantity
        for line in lines:
            if fact.is_paid and line.paid_until not in self.refunds.ends:
                self._buy(fact, line, gone, self.bought)
        for sold, purchases in kept.items():
            own = [item for item in self.bought[sold] if item.sold == sold]
            # A payment for the new item says itself until when it is paid.
            if not own or (_end(own) or fact.occurred_at) < fact.occurred_at:
                self.bought[sold] = [*purchases, *own]
        return True

    def _inherited(
        self, line: Line, gone: Sequence[Sold], others: Sequence[Sold]
    ) -> list[Purchase]:
        """Return what was paid for the items that a new one replaces, or for the others at least.

        The shop charges for it later.
        """
        if gone:
            found = [item for sold in _replaced_by(line, gone) for item in self.bought[sold]]
        elif self.is_base_refunded or line.sold in self.lapsed:
            return []
        else:
            paid = [self.bought[sold] for sold in others if self.bought[sold]]
            found = min(paid, key=lambda items: (_end(items) is None, str(_end(items))), default=[])
        by = line.ends_by
        if by is None or gone:
            return list(found)
        return [replace(item, until=min(item.until or by, by)) for item in found]

    def _drop(self, fact: Fact, gone: Sequence[Sold]) -> None:
        """Keep items that nothing replaces until the end of what was paid for them alone."""
        for sold in gone:
            others = self.present.keys() - {sold}
            self.bought[sold] = [it for it in self.bought[sold] if it.sold not in others]
            end = _end(self.bought[sold])
            if end is not None and end > fact.occurred_at:
                self.dropped[sold] = fact.occurred_at

    def _forget_dropped(self, fact: Fact, named: Collection[Sold]) -> None:
        """Let dropped items go that are over, and count those that are named again as before."""
        for sold in list(self.dropped):
            end = _end(self.bought[sold])
            if end is None or end <= fact.occurred_at:
                self.present.pop(sold, None)
            if sold in named or sold not in self.present:
                del self.dropped[sold]

    def _add(self, fact: Fact, lines: Sequence[Line]) -> bool:
        uncut = dict(self.bought)
        for line in fact.credited:
            self._give_back(line, is_again={item.sold for item in lines})
        if not lines:
            return bool(fact.credited)
        base = [line.begins or fact.term_begins for line in lines if not line.is_supplement]
        charged = {line.sold for line in lines}
        if base and self.stated_at != fact.occurred_at:
            self._drop_expired(min(base), charged)
        for line in lines:
            if line.replaces:
                for sold in [it for it in self.present if it[0] == line.product]:
                    if sold not in charged:
                        del self.present[sold]
            if self._buy(fact, line, (), uncut):
                self.present[line.sold] = line.quantity
                self.dropped.pop(line.sold, None)
        return True

    def _give_back(self, line: Line, *, is_again: set[Sold]) -> None:
        """Let what was paid for an item end earlier, since the shop gave back the rest of it."""
        from_ = line.paid_until
        if from_ is not None:
            for sold, purchases in self.bought.items():
                self.bought[sold] = [_given_back(item, line.sold, from_) for item in purchases]
        if line.sold not in is_again:
            self.present.pop(line.sold, None)

    def _drop_expired(self, begins: datetime, charged: set[Sold]) -> None:
        """Drop items whose paid term is over when the next one begins, in which they are not."""
        for sold in [sold for sold in self.present if sold not in charged]:
            end = _end(self.bought[sold])
            if end is None or end <= begins:
                del self.present[sold]
                self.lapsed.add(sold)

    def _buy(
        self,
        fact: Fact,
        line: Line,
        gone: Sequence[Sold],
        uncut: Mapping[Sold, Sequence[Purchase]],
    ) -> bool:
        """Add what a payment bought; a supplement alone buys nothing once its term was refunded.

        It ends with the term that stands, which `uncut` has as it was before the fact.
        """
        payment = _payment(fact, line)
        begins = line.begins or fact.term_begins
        if fact.kind is FactKind.SUBSCRIPTION and line.paid_until is not None:
            # It says until when the order is paid that named no term.
            self.bought[line.sold] = [it for it in self.bought[line.sold] if it.until is not None]
        before = [
            item
            for sold in (line.sold, *gone)
            for item in self.bought[sold]
            if item.payment != payment and item.sold in (line.sold, *gone)
        ]
        end = _end(before)
        is_supplement = line.is_supplement or (
            line.paid_until is not None and end is not None and line.paid_until <= end
        )
        if is_supplement:
            self.supplements.add((fact.event_id, line.sold))
        until = line.paid_until
        if (fact.event_id, line.sold) in self.supplements:
            bases = {line.sold, *gone, *(item.sold for item in fact.credited)}
            bases |= {sold for sold in self.bought if line.replaces and sold[0] == line.product}
            covered = any(
                item.until is None or item.until >= begins
                for sold in bases
                for item in self.bought[sold]
                if item.sold in bases
            )
            if self.is_base_refunded and not covered:
                self.unsupported.add(line.sold)
                return False
            if self.is_base_refunded and until:
                until = min(until, _end_of_base(uncut, bases, begins) or until)
        if (fact.event_id, line.sold) in self.supplements and not line.is_supplement:
            until = min(until, end) if until and end else until  # it extends nothing that stands
        self.bought[line.sold] = [it for it in self.bought[line.sold] if it.sold == line.sold]
        same = [item for item in self.bought[line.sold] if item.payment == payment]
        if any(item.until == until for item in same):
            return True
        self.bought[line.sold].append(
            Purchase(
                payment=payment,
                sold=line.sold,
                quantity=line.quantity,
                begins=begins,
                until=until,
                is_supplement=is_supplement,
            )
        )
        return True

    def lines(self, facts: Sequence[Fact], ended_at: datetime | None) -> Iterator[SoldLine]:
        """Yield the items that the buyer has and that were paid."""
        over = _over_at(facts)
        for (product, price), quantity in self.present.items():
            purchases = self.bought[product, price]
            if quantity and purchases:
                yield SoldLine(
                    product=product,
                    price=price,
                    quantity=quantity,
                    recurs=True,
                    purchases=tuple(_cut(item, over) for item in purchases),
                    ended_at=ended_at or self.dropped.get((product, price)),
                )


def _replaced_by(line: Line, gone: Sequence[Sold]) -> Sequence[Sold]:
    """Return the items whose place a new one takes: those of its product, or all."""
    return [sold for sold in gone if sold[0] == line.product] or gone


def _end_of_base(
    bought: Mapping[Sold, Sequence[Purchase]], bases: Collection[Sold], begins: datetime
) -> datetime | None:
    """Return the end of the terms that stand when a supplement begins; `None` if one has none."""
    found = [
        item
        for sold in bases
        for item in bought.get(sold, ())
        if item.sold in bases and (item.until is None or item.until >= begins)
    ]
    return None if any(item.until is None for item in found) else _end(found)


def _over_at(facts: Sequence[Fact]) -> datetime | None:
    """Return when a subscription ended for good that may be paid for longer."""
    states = [fact for fact in facts if fact.kind is FactKind.SUBSCRIPTION]
    if not states or states[-1].subscription is not SubscriptionState.ENDED:
        return None
    return states[-1].ended_at


def _given_back(item: Purchase, sold: Sold, from_: datetime) -> Purchase:
    if item.sold != sold or item.until is None or item.begins > from_:
        return item
    return replace(item, until=min(item.until, from_))


def _cut(item: Purchase, over: datetime | None) -> Purchase:
    if over is None or item.until is None or item.begins > over:
        return item
    return replace(item, until=min(item.until, over))


def _kept(facts: Iterable[Fact]) -> Iterator[SoldLine]:
    """Yield the items without recurrence, added up over payments, each of which counts once."""
    bought: defaultdict[Sold, dict[str, Purchase]] = defaultdict(dict)
    for fact in facts:
        if not fact.is_paid:
            continue
        payment = fact.payment or fact.event_id
        quantities: defaultdict[Sold, int] = defaultdict(int)
        for line in fact.lines:
            if not line.recurs:
                quantities[line.sold] += line.quantity
        for sold, quantity in quantities.items():
            known = bought[sold].get(payment)
            bought[sold][payment] = Purchase(
                payment=payment,
                sold=sold,
                quantity=max(quantity, known.quantity if known else 0),
                begins=known.begins if known else fact.occurred_at,
                until=None,
            )
    for (product, price), payments in bought.items():
        purchases = tuple(item for item in payments.values() if item.quantity)
        if purchases:
            yield SoldLine(
                product=product,
                price=price,
                quantity=sum(item.quantity for item in purchases),
                recurs=False,
                purchases=purchases,
            )
