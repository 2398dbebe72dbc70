"""When money moved for an order: each payment and each refund by the time that the shop says.

All payments of a currency are together what `payments.paid` says, and so are the refunds.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal

from licet_server.connectors.rules.facts import SUPPLEMENT, Fact, FactKind, Money
from licet_server.connectors.rules.model import Payment, PaymentKind
from licet_server.connectors.rules.payments import charge_of, refunds_in


def movements(facts: Sequence[Fact]) -> tuple[Payment, ...]:
    """Return what was paid and paid back, by facts in the order in which they happened.

    What the provider gives no amount for is left out.
    """
    found = [*_paid(facts), *_paid_back(facts)]
    return tuple(sorted(found, key=lambda item: item.happened_at))


def _paid(facts: Sequence[Fact]) -> Iterator[Payment]:
    """Yield each payment once, when it is first told of; its latest amount counts.

    It is a renewal after one that cost something, unless it bought no term: more seats are new.
    """
    more = {charge_of(fact) for fact in facts if _bought_no_term(fact)}
    told_at: dict[str, datetime] = {}
    known: dict[str, Money] = {}
    for fact in facts:
        if fact.kind is FactKind.PAYMENT:
            told_at.setdefault(charge_of(fact), fact.occurred_at)
            if fact.money is not None:
                known[charge_of(fact)] = fact.money
    is_again = False
    for charge, happened_at in told_at.items():
        if (money := known.get(charge)) is None:
            continue
        amount = Decimal(money.amount)
        is_renewal = is_again and charge not in more
        kind = PaymentKind.RENEWAL if is_renewal else PaymentKind.NEW
        yield Payment(kind, happened_at, amount, money.currency)
        is_again = is_again or amount > 0


def _bought_no_term(fact: Fact) -> bool:
    is_said = (fact.charge or "").startswith(SUPPLEMENT)
    return is_said or (bool(fact.lines) and all(line.is_supplement for line in fact.lines))


def _paid_back(facts: Sequence[Fact]) -> Iterator[Payment]:
    """Yield by how much each refund changes what was paid back of its charge."""
    of_charges: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.kind is FactKind.REFUND:
            of_charges[charge_of(fact)].append(fact)
    for said in of_charges.values():
        before: dict[str, Decimal] = {}
        for number, fact in enumerate(said, 1):
            after = {
                money.currency: Decimal(money.amount)
                for money in refunds_in(said[:number])
                if money is not None
            }
            for currency in sorted({*before, *after}):
                amount = after.get(currency, Decimal(0)) - before.get(currency, Decimal(0))
                if amount != 0:
                    yield Payment(PaymentKind.REFUND, fact.occurred_at, amount, currency)
            before = after
