"""The entries that may leave a ledger, and the opening of the rest."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from itertools import groupby
from uuid import UUID

from msgspec import Struct

from licet_server.metering.rules.model import CONSUMING, HOLDING, LedgerEntryType, cost_of
from licet_server.metering.rules.reconciling import LedgerMismatch, LedgerProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivableEntry:
    """An entry that is old, as JSON too. `opening` is the last number that was archived before."""

    license_id: UUID
    id: UUID
    at: datetime
    sequence: int | None
    type: LedgerEntryType
    amount: Decimal
    balance_after: Decimal
    opening: int
    line: str

    @property
    def consumed(self) -> Decimal:
        """What the entry consumed."""
        return -self.amount if self.type in CONSUMING else Decimal(0)

    @property
    def held(self) -> Decimal:
        """What the entry set aside; negative where it gave back."""
        return -self.amount if self.type in HOLDING else Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What the ledger of a license begins with, because earlier entries are in archives.

    `sequence` and `balance` are those of the last archived entry, `consumed` and `held` the sums of
    all. The totals of days before `until` are final: all entries of them have been counted.
    """

    license_id: UUID
    sequence: int
    balance: Decimal
    consumed: Decimal
    held: Decimal
    until: date


def archivable(items: Iterable[ArchivableEntry]) -> list[ArchivableEntry]:
    """Return the entries that may leave the table, of those of several licenses, sorted by license.

    What is left of a ledger must be numbered without a gap. Charges of several processes do not
    commit in the exact order of their times, so an entry may have to wait for the one before it.
    """
    taken: list[ArchivableEntry] = []
    for _, of_license in groupby(items, key=lambda item: item.license_id):
        numbered: list[tuple[int, ArchivableEntry]] = []
        for item in of_license:
            if item.sequence is None:
                taken.append(item)
            else:
                numbered.append((item.sequence, item))
        numbered.sort(key=lambda pair: pair[0])
        taken += [
            item
            for place, (sequence, item) in enumerate(numbered, 1)
            if sequence == item.opening + place
        ]
    return taken


def openings_after(archived: Sequence[ArchivableEntry], until: date) -> Mapping[UUID, Opening]:
    """Return the openings of ledgers after these entries, with the sums of these alone."""
    openings: dict[UUID, Opening] = {}
    for item in archived:
        if item.sequence is None:
            continue
        before = openings.get(item.license_id)
        last = Opening(
            license_id=item.license_id,
            sequence=item.sequence,
            balance=item.balance_after,
            consumed=item.consumed,
            held=item.held,
            until=until,
        )
        if before is None:
            openings[item.license_id] = last
            continue
        newer = last if last.sequence > before.sequence else before
        openings[item.license_id] = replace(
            newer, consumed=before.consumed + item.consumed, held=before.held + item.held
        )
    return openings


class ArchivedEntry(Struct, frozen=True, kw_only=True):
    """An entry as it is read from an archive; of a refusal, only the license matters."""

    license_id: UUID
    sequence: int | None
    type: LedgerEntryType
    amount: Decimal
    balance_after: Decimal
    quantity: int | None
    unit_price: Decimal | None


@dataclass(slots=True)
class ArchivedLedger:
    """The archived part of a ledger, as far as it was read."""

    sequence: int = 0
    balance: Decimal = Decimal(0)
    consumed: Decimal = Decimal(0)
    held: Decimal = Decimal(0)
    first_bad: int | None = None

    def add(self, entry: ArchivedEntry) -> None:
        """Read the next entry, which must follow from the one before."""
        sequence = entry.sequence or 0
        is_charge = entry.type is LedgerEntryType.CONSUME
        follows = (
            sequence == self.sequence + 1
            and entry.balance_after == self.balance + entry.amount
            and (entry.type is LedgerEntryType.INITIAL_GRANT) == (sequence == 1)
            and not (is_charge and -entry.amount != cost_of(entry.quantity or 0, entry.unit_price))
        )
        if not follows and self.first_bad is None:
            self.first_bad = sequence
        self.sequence, self.balance = sequence, entry.balance_after
        self.consumed -= entry.amount if entry.type in CONSUMING else 0
        self.held -= entry.amount if entry.type in HOLDING else 0


def mismatch_of_archived(
    institution_id: UUID, license_id: UUID, archived: ArchivedLedger, opening: Opening | None
) -> LedgerMismatch | None:
    """Return how the archived part of a ledger differs from the opening of the rest, if it does."""
    sequence = 0 if opening is None else opening.sequence
    balance = Decimal(0) if opening is None else opening.balance
    sums = (Decimal(0), Decimal(0)) if opening is None else (opening.consumed, opening.held)
    problems: list[LedgerProblem] = []
    if archived.sequence < sequence:
        problems.append(LedgerProblem.ENTRY_MISSING)
    if archived.sequence > sequence:
        problems.append(LedgerProblem.ENTRY_ADDED)
    if archived.first_bad is not None:
        problems.append(LedgerProblem.ENTRY_CHANGED)
    if (archived.balance, archived.consumed, archived.held) != (balance, *sums):
        problems.append(LedgerProblem.BALANCE_DIFFERS)
    if not problems:
        return None
    return LedgerMismatch(
        institution_id=institution_id,
        license_id=license_id,
        problems=tuple(problems),
        balance=balance,
        ledger_balance=archived.balance,
        first_bad_sequence=archived.first_bad,
    )
