"""Grants and adjustments of balances, and the events that a change causes."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from msgspec.structs import replace

from licet_server.events.rules.kinds import EventKind
from licet_server.kit.amounts import MAX_AMOUNT
from licet_server.metering import errors
from licet_server.metering.rules.model import LedgerEntry, LedgerEntryType, Wallet


def change_balance(
    wallet: Wallet,
    entry_type: LedgerEntryType,
    amount: Decimal,
    *,
    entry_id: UUID,
    now: datetime,
    reason: str | None = None,
    external_reference: str | None = None,
) -> tuple[Wallet, LedgerEntry]:
    """Return the wallet after a grant or an adjustment, and its ledger entry.

    Raises:
        Refused: `Conflict` if the balance would be below 0 or above the limit.
    """
    balance = wallet.balance + amount
    if balance < 0:
        raise errors.below_zero(wallet.balance)
    if balance > MAX_AMOUNT:
        raise errors.too_much(MAX_AMOUNT)
    changed = replace(wallet, balance=balance, version=wallet.version + 1)
    entry = LedgerEntry(
        institution_id=wallet.institution_id,
        license_id=wallet.license_id,
        id=entry_id,
        type=entry_type,
        amount=amount,
        balance_after=balance,
        sequence=changed.version,
        created_at=now,
        reason=reason,
        external_reference=external_reference,
    )
    return changed, entry


def low_balance_events(before: Wallet, after: Wallet) -> list[EventKind]:
    """Return the event kinds that a change causes.

    Each is caused once on the way down, and again only after the balance has risen.
    """
    kinds: list[EventKind] = []
    if after.is_low and not before.is_low:
        kinds.append(EventKind.METER_LOW_BALANCE)
    if after.balance == 0 and before.balance > 0:
        kinds.append(EventKind.METER_DEPLETED)
    return kinds
