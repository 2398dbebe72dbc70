"""Whether a wallet and its ledger tell the same story.

The ledger of a wallet is numbered from 1 to the wallet's version without a gap; each entry follows
from the one before, and each charge from its price and quantity; the last one leaves the balance.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from licet_server.metering.rules.model import Wallet


class Problem(StrEnum):
    """What does not fit."""

    ENTRY_MISSING = "EntryMissing"
    ENTRY_ADDED = "EntryAdded"
    ENTRY_CHANGED = "EntryChanged"
    BALANCE_DIFFERS = "BalanceDiffers"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Entries to look at: those after number `low`, up to `high`. That of `low` is read as well."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class StretchFacts:
    """What was found: how many entries, the first that does not follow, and the last balance."""

    count: int
    first_bad: int | None
    last_balance: Decimal | None


@dataclass(slots=True)
class Check:
    """A wallet that is being checked, with the number of the last entry that stands in its ledger.

    Both were read in the same instant. What is added later does not change the entries up to the
    wallet's version, which may therefore be read one stretch after another.
    """

    wallet: Wallet
    last_sequence: int
    reached: int = 0
    count: int = 0
    first_bad: int | None = None
    last_balance: Decimal | None = None

    @property
    def left(self) -> int:
        """How many entries are still to be looked at."""
        return self.wallet.version - self.reached

    def take(self, stretch: Stretch, facts: StretchFacts) -> None:
        """Go on by a stretch."""
        self.reached = stretch.high
        self.count += facts.count
        self.last_balance = facts.last_balance
        if self.first_bad is None:
            self.first_bad = facts.first_bad


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A wallet that does not agree with its ledger, and where that begins, if an entry shows it."""

    institution_id: UUID
    license_id: UUID
    problems: tuple[Problem, ...]
    balance: Decimal
    ledger_balance: Decimal | None
    first_bad_sequence: int | None


def stretches(checks: Iterable[Check], budget: int) -> list[tuple[Check, Stretch]]:
    """What to look at next, `budget` entries at most in all."""
    chosen: list[tuple[Check, Stretch]] = []
    for check in checks:
        size = min(check.left, budget)
        if size > 0:
            chosen.append((check, Stretch(check.reached, check.reached + size)))
        budget -= size
    return chosen


def judge(check: Check) -> Mismatch | None:
    """What a finished check says; `None` where all agrees."""
    wallet = check.wallet
    ledger_balance = check.last_balance if wallet.version else Decimal(0)
    problems: list[Problem] = []
    if check.count < wallet.version:
        problems.append(Problem.ENTRY_MISSING)
    if check.last_sequence > wallet.version:
        problems.append(Problem.ENTRY_ADDED)
    if check.first_bad is not None:
        problems.append(Problem.ENTRY_CHANGED)
    if ledger_balance != wallet.balance:
        problems.append(Problem.BALANCE_DIFFERS)
    if not problems:
        return None
    return Mismatch(*wallet.key, tuple(problems), wallet.balance, ledger_balance, check.first_bad)
