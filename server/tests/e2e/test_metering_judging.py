"""Each judge of charges finds what was doctored, and nothing in books that are right."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from e2e.metering_judging import Books, Entry, Heard, Wallet, judge

TEN, SIX, FOUR, ONE, NOTHING = map(Decimal, (10, 6, 4, 1, 0))

GRANT = Entry("w", "e1", 1, "InitialGrant", TEN, TEN)
FIRST = Entry("w", "e2", 2, "Consume", -FOUR, SIX, 8, Decimal("0.5"), "first")
BEYOND = Entry("w", "e3", None, "Consume", NOTHING, SIX, 14, Decimal("0.5"), "beyond")
LAST = Entry("w", "e4", 3, "Consume", -SIX, NOTHING, 12, Decimal("0.5"), "last")
WALLET = Wallet("w", NOTHING, 3)


def charged(key: str, entry: str, quantity: int, cost: float, balance: float) -> Heard:
    body = {
        "licenseId": "w",
        "ledgerEntryId": entry,
        "quantity": quantity,
        "cost": cost,
        "balance": balance,
        "replayed": False,
    }
    return Heard("w", key, 200, body)


def refused(cost: float, balance: float) -> Heard:
    body = {"requestId": "r1", "cost": cost, "balance": balance, "replayed": False}
    return Heard("w", "beyond", 402, body)


def told(item: Heard, **other: Any) -> Heard:
    return replace(item, body={**item.body, **other})


HEARD_FIRST, HEARD_LAST = charged("first", "e2", 8, 4, 6), charged("last", "e4", 12, 6.0, 0)
HEARD_BEYOND = refused(7, 6)


class Story:
    """Books and answers that agree, to be doctored."""

    def __init__(self) -> None:
        self.books = Books([WALLET], [LAST, GRANT, BEYOND, FIRST])
        self.heard = [
            HEARD_FIRST,
            told(HEARD_FIRST, replayed=True),
            HEARD_BEYOND,
            told(HEARD_BEYOND, replayed=True, requestId="r2"),
            HEARD_LAST,
        ]

    def store(self, entry: Entry, **other: Any) -> None:
        self.books.entries.remove(entry)
        self.books.entries.append(replace(entry, **other))

    def forget(self, entry: Entry) -> None:
        self.books.entries.remove(entry)

    def hold(self, **other: Any) -> None:
        self.books.wallets = [replace(WALLET, **other)]

    def skip(self, entry: Entry) -> None:
        self.store(entry, sequence=WALLET.version + 1)
        self.hold(version=WALLET.version + 1)

    def tell(self, item: Heard) -> None:
        self.heard.append(item)

    def append(self, entry: Entry, balance: Decimal) -> None:
        self.books.entries.append(entry)
        self.hold(balance=balance, version=entry.sequence)


AGAIN = replace(FIRST, id="e5", sequence=4, balance_after=-FOUR)
REFUND = Entry("w", "e5", 4, "AdminGrant", ONE, ONE)

DOCTORED: dict[str, tuple[Callable[[Story], None], set[str]]] = {
    "nothing": (lambda story: None, set()),
    "an entry that nobody asked for": (lambda story: story.append(REFUND, ONE), set()),
    "a second charge": (
        lambda story: story.append(AGAIN, -FOUR),
        {"charged twice", "stored differently", "wrong balance"},
    ),
    "a second refusal": (
        lambda story: story.books.entries.append(replace(BEYOND, id="e5")),
        {"charged twice"},
    ),
    "two first answers": (lambda story: story.tell(HEARD_LAST), {"charged twice"}),
    "no charge": (
        lambda story: story.forget(LAST),
        {"lost", "out of order", "wrong balance"},
    ),
    "no refusal": (lambda story: story.forget(BEYOND), {"lost"}),
    "another balance told": (
        lambda story: story.tell(told(HEARD_FIRST, replayed=True, balance=6.000001)),
        {"answered differently", "stored differently"},
    ),
    "a charge told as a refusal": (
        lambda story: story.tell(replace(HEARD_FIRST, status=402, body=HEARD_BEYOND.body)),
        {"answered differently", "charged twice", "stored differently"},
    ),
    "another title told": (
        lambda story: story.tell(told(HEARD_BEYOND, replayed=True, title="No.")),
        {"answered differently"},
    ),
    "another entry stored": (lambda story: story.store(FIRST, id="e9"), {"stored differently"}),
    "another quantity stored": (
        lambda story: story.store(FIRST, quantity=4, unit_price=ONE),
        {"stored differently"},
    ),
    "a refusal stored for a charge": (
        lambda story: story.store(LAST, sequence=None, amount=NOTHING),
        {"stored differently", "out of order", "wrong balance"},
    ),
    "a refusal of what was affordable": (
        lambda story: story.store(BEYOND, quantity=12),
        {"stored differently", "wrong cost"},
    ),
    "another cost stored": (
        lambda story: story.store(FIRST, unit_price=ONE),
        {"wrong cost"},
    ),
    "a gap": (lambda story: story.skip(LAST), {"out of order"}),
    "a number twice": (lambda story: story.store(LAST, sequence=2), {"out of order"}),
    "another version": (lambda story: story.hold(version=4), {"out of order"}),
    "another balance": (lambda story: story.hold(balance=ONE), {"wrong balance"}),
    "a balance that does not follow": (
        lambda story: story.store(FIRST, balance_after=FOUR),
        {"stored differently", "out of order"},
    ),
    "no entry at all": (
        lambda story: story.books.entries.clear(),
        {"lost", "out of order"},
    ),
}


@pytest.mark.specification("meter.reconcile")
@pytest.mark.parametrize("name", DOCTORED)
def test_what_was_doctored_is_found(name: str) -> None:
    doctor, broken = DOCTORED[name]
    story = Story()
    doctor(story)
    assert judge(story.books, story.heard).keys() == broken
