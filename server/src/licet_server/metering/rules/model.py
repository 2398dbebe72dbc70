"""Wallets, ledger entries and feature prices. Amounts are exact decimals."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from licet_server.events.rules.kinds import EventKind
from licet_server.kit.amounts import MAX_AMOUNT, MAX_NUMBER
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.traits import MeterMode
from licet_server.metering import errors

MAX_QUANTITY = 1_000_000_000
MAX_TOKEN_COST = Decimal(10) ** 8


class LedgerEntryType(StrEnum):
    """Why a balance changed."""

    INITIAL_GRANT = "InitialGrant"
    CONSUME = "Consume"
    ADMIN_GRANT = "AdminGrant"
    ADJUST = "Adjust"
    LEASE_HOLD = "LeaseHold"
    LEASE_SETTLE = "LeaseSettle"
    LEASE_CHARGE = "LeaseCharge"


CONSUMING = (LedgerEntryType.CONSUME, LedgerEntryType.LEASE_CHARGE)
"""The types of what was used up. `LeaseCharge` is of credits that a device did not account for."""
HOLDING = (LedgerEntryType.LEASE_HOLD, LedgerEntryType.LEASE_SETTLE)
"""The types that set credits aside for a lease, and give them back: neither use nor grant."""


class Wallet(Struct, frozen=True, kw_only=True):
    """The balance of a license, shared by all its devices.

    `version` is the sequence number of the last ledger entry. `closed_at` is when the license was
    deleted; the balance of a closed wallet does not change. A wallet rests, closed, while its
    license has a model without a meter. `held` is what leases have set aside, beside the balance.
    """

    institution_id: UUID
    license_id: UUID
    product_id: UUID
    mode: MeterMode
    balance: Decimal
    version: int
    low_balance_threshold: Decimal | None = None
    held: Decimal = Decimal(0)
    closed_at: datetime | None = None
    rests_since: datetime | None = None

    @property
    def key(self) -> LicenseId:
        """Institution and license."""
        return (self.institution_id, self.license_id)

    @property
    def next_sequence(self) -> int:
        """The sequence number of the next ledger entry.

        Raises:
            Refused: `WalletNotFound` if the database has none left.
        """
        if self.version >= MAX_NUMBER:
            raise errors.ledger_full()
        return self.version + 1

    @property
    def is_low(self) -> bool:
        """Whether the balance is at or below the threshold; false without one."""
        threshold = self.low_balance_threshold
        return threshold is not None and self.balance <= threshold


class LedgerEntry(Struct, frozen=True, kw_only=True):
    """A change of a balance, or a charge that was refused for lack of balance.

    `amount` is negative for consumption. A refused charge has no `sequence` and an `amount` of 0;
    its `balance_after` is the balance that it found. `unit_price` is the price at that time, and
    `None` in count mode. `lease_id` is the lease that the entry is about, or that a charge without
    a network was made from.
    """

    institution_id: UUID
    license_id: UUID
    id: UUID
    type: LedgerEntryType
    amount: Decimal
    balance_after: Decimal
    sequence: int | None
    created_at: datetime
    feature_name: str | None = None
    quantity: int | None = None
    unit_price: Decimal | None = None
    idempotency_key: str | None = None
    activation_id: UUID | None = None
    reason: str | None = None
    external_reference: str | None = None
    lease_id: UUID | None = None

    @property
    def cost(self) -> Decimal:
        """The cost of the charge, whether or not the balance covered it; 0 for other types."""
        return cost_of(self.quantity or 0, self.unit_price)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeaturePrice:
    """The price of one use of a feature in tokens; the newest one is active."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    feature_id: UUID
    token_cost: Decimal
    created_at: datetime
    replaced_at: datetime | None = None

    @property
    def active(self) -> bool:
        """Whether it is the current price."""
        return self.replaced_at is None


def cost_of(quantity: int, unit_price: Decimal | None) -> Decimal:
    """Return the quantity times the unit price; in count mode, which has no price, the quantity."""
    return quantity * (unit_price if unit_price is not None else Decimal(1))


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
        Refused: `Conflict` if the balance would be below 0 or above the limit, `WalletNotFound`
            if the wallet is damaged.
    """
    balance = wallet.balance + amount
    if balance < 0:
        raise errors.below_zero(wallet.balance)
    if balance + wallet.held > MAX_AMOUNT:
        raise errors.too_much(MAX_AMOUNT)
    changed = replace(wallet, balance=balance, version=wallet.next_sequence)
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
