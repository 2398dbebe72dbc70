"""Spending reserved credits: a charge in the journal of this machine instead of the wallet."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from licet._amounts import EXACT
from licet._clock import read_clock
from licet._error_codes import key_reused
from licet._flow import Flow
from licet._held_credits import usable_credits
from licet._journal import BrokenJournalError
from licet._journal_line import JournalLine
from licet.errors import LicenseFileError

if TYPE_CHECKING:
    from licet._core import LicenseCore
    from licet._file_check import HeldCredits

PAUSE_SECONDS = 0.002


@dataclass(frozen=True, slots=True)
class Use:
    """What is to be charged."""

    feature: str
    quantity: int
    key: str


@dataclass(frozen=True, slots=True)
class Spending:
    """A charge in the journal.

    Attributes:
        entry_id: Names the lease and the line.
        left: What remains of the reserved credits.
        replayed: Whether an earlier call with the same key made the charge.
    """

    feature: str
    cost: Decimal
    left: Decimal
    entry_id: str
    license_id: str
    replayed: bool


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A charge that the reserved credits do not cover."""

    cost: Decimal
    left: Decimal


def spend(core: LicenseCore, use: Use) -> Flow[Spending | Shortfall | None]:
    """Charge reserved credits; ``None`` if there are none for this feature.

    Raises:
        ValueError: A text cannot be written.
        IdempotencyKeyReusedError: The key has charged something else.
        LicenseFileError: The charge cannot be written, and was not made.
    """
    store = core.credits
    if store.kept.read().token is None:
        return None
    handle = yield from store.moment.wait(core.config.timeout, PAUSE_SECONDS)
    if handle is None:
        raise LicenseFileError(
            "Another copy of the application has been writing to the journal of the reserved "
            "credits for too long. Close it and try again."
        )
    try:
        held = usable_credits(core)
        return None if held is None else _spend(core, held, use)
    except BrokenJournalError as reason:
        raise LicenseFileError(
            f"The journal of the reserved credits cannot be used: {reason}."
        ) from reason
    finally:
        store.moment.end(handle)


def _spend(core: LicenseCore, held: HeldCredits, use: Use) -> Spending | Shortfall | None:
    journal, lease = core.credits.journal, held.lease
    earlier = journal.find(lease.id, use.key)
    if earlier is not None:
        if (earlier.feature.casefold(), earlier.quantity) != (use.feature.casefold(), use.quantity):
            raise key_reused()
        return _spending(held, earlier, held.left, replayed=True)
    priced = held.terms.price_of(use.feature)
    if priced is None:
        return None
    name, price = priced
    cost = EXACT.multiply(price, Decimal(use.quantity))
    if cost > held.left:
        return Shortfall(cost, held.left)
    at = int(read_clock(core.config.clock).timestamp())
    number = held.spent.lines + 1
    line = JournalLine(number, name, use.quantity, cost, at, use.key, held.spent.head)
    journal.add(lease.id, line)
    return _spending(held, line, EXACT.subtract(held.left, cost), replayed=False)


def _spending(held: HeldCredits, line: JournalLine, left: Decimal, *, replayed: bool) -> Spending:
    lease = held.lease
    return Spending(
        feature=line.feature,
        cost=line.cost,
        left=left,
        entry_id=f"{lease.id}/{line.number}",
        license_id=lease.terms.license.id,
        replayed=replayed,
    )
