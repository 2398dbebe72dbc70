"""The check of a wallet against its ledger.

The entries are numbered from 1 to the wallet's version without a gap. Each follows from the one
before it, each charge from its price and quantity, and the last one leaves the balance. What
leases set aside and have not given back is held. So balance, held and consumed together are what
was granted and adjusted. Entries that are in archives are replaced by the number and balance of the
last of them, and by what they held.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from licet_server.licenses.rules.traits import MeterMode
from licet_server.metering.rules.model import Wallet


class LedgerProblem(StrEnum):
    """How a wallet and its ledger disagree."""

    ENTRY_MISSING = "EntryMissing"
    ENTRY_ADDED = "EntryAdded"
    ENTRY_CHANGED = "EntryChanged"
    BALANCE_DIFFERS = "BalanceDiffers"
    HELD_DIFFERS = "HeldDiffers"
    WALLET_MISSING = "WalletMissing"


@dataclass(frozen=True, slots=True)
class EntryRange:
    """The entries after number `low`, up to and including `high`."""

    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeSummary:
    """What a range contains: the number of entries, the first wrong one, the last balance.

    `held` is what its entries set aside, less what they gave back. If some of the range have been
    archived since the check began, `held_before` is what all archived entries held.
    """

    count: int
    first_bad: int | None
    last_balance: Decimal | None
    held: Decimal
    held_before: Decimal | None = None


@dataclass(slots=True)
class WalletCheck:
    """The progress of checking one wallet.

    `last_sequence` is the highest number in its ledger. `has_archived` says that its table has
    entries which are in archives. Wallet and numbers were read at the same instant. Charges that
    follow do not change the entries up to the wallet's version, so the ranges may be read one after
    another.
    """

    wallet: Wallet
    last_sequence: int
    reached: int = 0
    count: int = 0
    first_bad: int | None = None
    last_balance: Decimal | None = None
    held: Decimal = Decimal(0)
    has_archived: bool = False

    @property
    def left(self) -> int:
        """How many entries have not been read; a wallet may count entries that do not exist."""
        return max(0, min(self.wallet.version, self.last_sequence) - self.reached)

    def add(self, checked: EntryRange, summary: RangeSummary) -> None:
        """Record the result of a range."""
        self.reached = checked.high
        self.count += summary.count
        self.last_balance = summary.last_balance
        before = self.held if summary.held_before is None else summary.held_before
        self.held = before + summary.held
        if self.first_bad is None:
            self.first_bad = summary.first_bad


def begin_check(
    wallet: Wallet,
    last_sequence: int,
    opening: int,
    *,
    held: Decimal = Decimal(0),
    has_archived: bool = False,
) -> WalletCheck:
    """Begin to check a wallet after its archived entries.

    Their last number is `opening`, and they `held` so much.
    """
    return WalletCheck(
        wallet,
        last_sequence,
        reached=opening,
        count=opening,
        held=held,
        has_archived=has_archived,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerMismatch:
    """A wallet that disagrees with its ledger, and the first wrong entry, if there is one.

    `balance` is `None` for a wallet that is lost.
    """

    institution_id: UUID
    license_id: UUID
    problems: tuple[LedgerProblem, ...]
    balance: Decimal | None
    ledger_balance: Decimal | None
    first_bad_sequence: int | None


_SENTENCES = {
    LedgerProblem.WALLET_MISSING: "The license has lost its wallet, and charges are refused.",
    LedgerProblem.ENTRY_MISSING: (
        "The wallet counts more entries than its ledger has: entries were deleted, or its number "
        "is damaged."
    ),
    LedgerProblem.ENTRY_ADDED: "The ledger has entries that the wallet does not count.",
    LedgerProblem.ENTRY_CHANGED: (
        "An entry does not follow from the previous one, or from its price and quantity."
    ),
    LedgerProblem.BALANCE_DIFFERS: "The balance is not the one after the last entry.",
    LedgerProblem.HELD_DIFFERS: "What is reserved is not what the entries of leases set aside.",
}


def explain(mismatch: LedgerMismatch) -> str:
    """Say what is wrong with a wallet, and what to do."""
    found = [_SENTENCES[problem] for problem in mismatch.problems]
    if LedgerProblem.WALLET_MISSING in mismatch.problems:
        found.append("An Owner can rebuild it from its ledger with `repair`.")
    else:
        found.append(
            "Compare the ledger with what was sold, then restore a backup, or issue a new license "
            "with the right balance."
        )
    return " ".join(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class LostWallet:
    """A metered license without a wallet, and the last entry of its ledger, if it has any."""

    institution_id: UUID
    license_id: UUID
    product_id: UUID
    mode: MeterMode
    last_sequence: int
    last_balance: Decimal | None


def mismatch_of_lost(lost: LostWallet) -> LedgerMismatch:
    """Return what a reconciliation reports of a lost wallet."""
    return LedgerMismatch(
        institution_id=lost.institution_id,
        license_id=lost.license_id,
        problems=(LedgerProblem.WALLET_MISSING,),
        balance=None,
        ledger_balance=lost.last_balance,
        first_bad_sequence=None,
    )


def restored_wallet(lost: LostWallet) -> Wallet | None:
    """Rebuild a wallet from its last entry, without a threshold; `None` for an empty ledger.

    What it holds takes all entries to tell.
    """
    if lost.last_balance is None:
        return None
    return Wallet(
        institution_id=lost.institution_id,
        license_id=lost.license_id,
        product_id=lost.product_id,
        mode=lost.mode,
        balance=lost.last_balance,
        version=lost.last_sequence,
    )


def within_budget(checks: Sequence[WalletCheck], budget: int) -> list[WalletCheck]:
    """Return the first of these checks, up to `budget` entries in total, but at least one."""
    taken: list[WalletCheck] = []
    for check in checks:
        budget -= check.left
        if taken and budget < 0:
            break
        taken.append(check)
    return taken


def next_ranges(checks: Iterable[WalletCheck], budget: int) -> list[tuple[WalletCheck, EntryRange]]:
    """Return the ranges to read next, at most `budget` entries in total."""
    ranges: list[tuple[WalletCheck, EntryRange]] = []
    for check in checks:
        size = min(check.left, budget)
        if size > 0:
            ranges.append((check, EntryRange(low=check.reached, high=check.reached + size)))
        budget -= size
    return ranges


def mismatch_of(check: WalletCheck) -> LedgerMismatch | None:
    """Return the result of a finished check; `None` if wallet and ledger agree."""
    wallet = check.wallet
    ledger_balance = check.last_balance if wallet.version <= check.last_sequence else None
    if wallet.version == 0:
        ledger_balance = Decimal(0)
    problems: list[LedgerProblem] = []
    if check.count < wallet.version:
        problems.append(LedgerProblem.ENTRY_MISSING)
    if check.last_sequence > wallet.version or check.has_archived:
        problems.append(LedgerProblem.ENTRY_ADDED)
    if check.first_bad is not None:
        problems.append(LedgerProblem.ENTRY_CHANGED)
    if ledger_balance != wallet.balance:
        problems.append(LedgerProblem.BALANCE_DIFFERS)
    if check.held != wallet.held:
        problems.append(LedgerProblem.HELD_DIFFERS)
    if not problems:
        return None
    return LedgerMismatch(
        institution_id=wallet.institution_id,
        license_id=wallet.license_id,
        problems=tuple(problems),
        balance=wallet.balance,
        ledger_balance=ledger_balance,
        first_bad_sequence=check.first_bad,
    )
