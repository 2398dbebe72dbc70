"""What moves a balance beside charges, and what is worth telling when it moved."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.kit.amounts import MAX_AMOUNT
from licet_server.metering import errors
from licet_server.metering.rules.model import Entry, EntryType, Wallet


def move(
    wallet: Wallet,
    kind: EntryType,
    amount: Decimal,
    *,
    entry_id: UUID,
    now: datetime,
    reason: str | None = None,
    external_reference: str | None = None,
) -> tuple[Wallet, Entry]:
    """The wallet after a grant or an adjustment, and the entry that tells of it.

    Raises:
        Refused: `Conflict` when the balance would be below 0 or beyond what a wallet holds.
    """
    balance = wallet.balance + amount
    if balance < 0:
        raise errors.below_zero(wallet.balance)
    if balance > MAX_AMOUNT:
        raise errors.too_much(MAX_AMOUNT)
    moved = replace(wallet, balance=balance, version=wallet.version + 1)
    entry = Entry(
        institution_id=wallet.institution_id,
        license_id=wallet.license_id,
        id=entry_id,
        type=kind,
        amount=amount,
        balance_after=balance,
        sequence=moved.version,
        created_at=now,
        reason=reason,
        external_reference=external_reference,
    )
    return moved, entry


def crossings(before: Wallet, after: Wallet) -> list[EventKind]:
    """The kinds of events that the change deserves: one for each way down, until it rose again."""
    kinds: list[EventKind] = []
    if after.is_low and not before.is_low:
        kinds.append(EventKind.METER_LOW_BALANCE)
    if after.balance == 0 and before.balance > 0:
        kinds.append(EventKind.METER_DEPLETED)
    return kinds
