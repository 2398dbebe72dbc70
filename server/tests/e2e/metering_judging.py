"""How charges are judged: by what clients were told, and by what wallets and ledger hold.

A judge answers what it found in sentences; of a service that keeps its promises it finds nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

KeyOf = tuple[str, str]
"""License and idempotency key."""

CHARGED, REFUSED = 200, 402
OF_ONE_ANSWER = {"replayed", "requestId"}
"""A refusal's sentence says, too, that it is the stored one."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A definite answer: what came of the charge with this key."""

    license: str
    key: str
    status: int
    body: Mapping[str, Any]

    @property
    def outcome(self) -> tuple[Any, ...]:
        """All that every answer to the key has in common."""
        own = OF_ONE_ANSWER | ({"detail"} if self.status == REFUSED else set())
        told = sorted((name, str(value)) for name, value in self.body.items())
        return (self.status, *(item for item in told if item[0] not in own))


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the ledger; without a `sequence`, a refusal that is kept for its key."""

    license: str
    id: str
    sequence: int | None
    type: str
    amount: Decimal
    balance_after: Decimal
    quantity: int | None = None
    unit_price: Decimal | None = None
    key: str | None = None

    @property
    def cost(self) -> Decimal:
        """What was to be paid, whether or not it was."""
        return (self.quantity or 0) * (Decimal(1) if self.unit_price is None else self.unit_price)


@dataclass(frozen=True, slots=True)
class Wallet:
    """A balance, and how many entries made it."""

    license: str
    balance: Decimal
    version: int


@dataclass
class Books:
    """What is stored."""

    wallets: list[Wallet] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)

    def by_key(self) -> dict[KeyOf, list[Entry]]:
        found: dict[KeyOf, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            if entry.key is not None:
                found[entry.license, entry.key].append(entry)
        return found

    def moves(self) -> dict[str, list[Entry]]:
        """The entries that moved each balance, in their order."""
        found: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            if entry.sequence is not None:
                found[entry.license].append(entry)
        for moves in found.values():
            moves.sort(key=lambda entry: entry.sequence or 0)
        return found


def charged_twice(books: Books, heard: Sequence[Heard]) -> Iterator[str]:
    """A key that has more than one outcome, or was told more than once that it is the first."""
    for key, entries in books.by_key().items():
        if len(entries) > 1:
            yield f"{key} is stored {len(entries)} times"
    fresh = Counter((item.license, item.key) for item in heard if not item.body["replayed"])
    for key, times in fresh.items():
        if times > 1:
            yield f"{key} was new {times} times"


def lost(books: Books, heard: Sequence[Heard]) -> Iterator[str]:
    """An answer of which nothing is stored."""
    stored = books.by_key()
    for item in heard:
        if (item.license, item.key) not in stored:
            yield f"{item.key} was told {item.status}, and is not stored"


def answered_differently(_books: Books, heard: Sequence[Heard]) -> Iterator[str]:
    """A key that was told this and that."""
    outcomes: dict[KeyOf, set[tuple[Any, ...]]] = defaultdict(set)
    for item in heard:
        outcomes[item.license, item.key].add(item.outcome)
    for key, told in outcomes.items():
        if len(told) > 1:
            yield f"{key} was told {sorted(told, key=str)}"


def stored_differently(books: Books, heard: Sequence[Heard]) -> Iterator[str]:
    """An answer that is not what is stored."""
    stored = books.by_key()
    for item in heard:
        for entry in stored.get((item.license, item.key), []):
            if (told := _told(item)) != (kept := _kept(entry, item.status)):
                yield f"{item.key} was told {item.status} {told}, and {kept} is stored"


def _told(item: Heard) -> tuple[Any, ...]:
    cost, balance = (Decimal(str(item.body[name])) for name in ("cost", "balance"))
    if item.status == REFUSED:
        return (cost, balance)
    named = (item.body["licenseId"], item.body["ledgerEntryId"], item.body["quantity"])
    return (cost, balance, *named)


def _kept(entry: Entry, status: int) -> tuple[Any, ...] | str:
    if (entry.sequence is None) != (status == REFUSED):
        return "a refusal" if entry.sequence is None else "a charge"
    if status == REFUSED:
        return (entry.cost, entry.balance_after)
    return (-entry.amount, entry.balance_after, entry.license, entry.id, entry.quantity)


def out_of_order(books: Books, _heard: Sequence[Heard]) -> Iterator[str]:
    """A wallet whose entries do not follow from each other, and end in its version."""
    moves = books.moves()
    for wallet in books.wallets:
        numbers = [entry.sequence for entry in moves[wallet.license]]
        if numbers != list(range(1, wallet.version + 1)):
            yield f"{wallet.license}, version {wallet.version}, has the numbers {numbers}"
        balance = Decimal(0)
        for entry in moves[wallet.license]:
            balance += entry.amount
            if balance != entry.balance_after:
                yield f"{entry} does not follow from {balance - entry.amount}"
                balance = entry.balance_after


def wrong_balance(books: Books, _heard: Sequence[Heard]) -> Iterator[str]:
    """A balance that is not the sum of its entries, nor that of the last one, or is below 0."""
    moves = books.moves()
    for wallet in books.wallets:
        entries = moves[wallet.license]
        total = sum((entry.amount for entry in entries), Decimal(0))
        last = entries[-1].balance_after if entries else Decimal(0)
        if not wallet.balance == total == last:
            yield f"{wallet.license} holds {wallet.balance}, not {total}, and last {last}"
        if any(balance < 0 for balance in (wallet.balance, *(e.balance_after for e in entries))):
            yield f"{wallet.license} was below 0"


def wrong_cost(books: Books, _heard: Sequence[Heard]) -> Iterator[str]:
    """A charge of something else than it costs, or a refusal of what was affordable."""
    for entry in books.entries:
        if entry.type != "Consume":
            continue
        if entry.amount != (0 if entry.sequence is None else -entry.cost):
            yield f"{entry} costs {entry.cost}"
        if entry.sequence is None and entry.cost <= entry.balance_after:
            yield f"{entry} was refused"


JUDGES: dict[str, Callable[[Books, Sequence[Heard]], Iterable[str]]] = {
    "charged twice": charged_twice,
    "lost": lost,
    "answered differently": answered_differently,
    "stored differently": stored_differently,
    "out of order": out_of_order,
    "wrong balance": wrong_balance,
    "wrong cost": wrong_cost,
}


def judge(books: Books, heard: Sequence[Heard]) -> dict[str, list[str]]:
    """What the judges found, by the name of the promise that was broken."""
    found = {name: list(look(books, heard)) for name, look in JUDGES.items()}
    return {name: sentences for name, sentences in found.items() if sentences}
