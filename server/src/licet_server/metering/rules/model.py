"""Wallets, ledger entries and feature prices. Amounts are exact decimals."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from msgspec import Struct

from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.traits import MeterMode

MAX_QUANTITY = 1_000_000_000
MAX_TOKEN_COST = Decimal(10) ** 8


class LedgerEntryType(StrEnum):
    """Why a balance changed."""

    INITIAL_GRANT = "InitialGrant"
    CONSUME = "Consume"
    ADMIN_GRANT = "AdminGrant"
    ADJUST = "Adjust"


class Wallet(Struct, frozen=True, kw_only=True):
    """The balance of a license, shared by all its devices.

    `version` is the sequence number of the last ledger entry. `closed_at` is when the license was
    deleted; the balance of a closed wallet does not change.
    """

    institution_id: UUID
    license_id: UUID
    product_id: UUID
    mode: MeterMode
    balance: Decimal
    version: int
    low_balance_threshold: Decimal | None = None
    closed_at: datetime | None = None

    @property
    def key(self) -> LicenseId:
        """Institution and license."""
        return (self.institution_id, self.license_id)

    @property
    def is_low(self) -> bool:
        """Whether the balance is at or below the threshold; false without one."""
        threshold = self.low_balance_threshold
        return threshold is not None and self.balance <= threshold


class LedgerEntry(Struct, frozen=True, kw_only=True):
    """A change of a balance, or a charge that was refused for lack of balance.

    `amount` is negative for consumption. A refused charge has no `sequence` and an `amount` of 0;
    its `balance_after` is the balance that it found. `unit_price` is the price at that time, and
    `None` in count mode.
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
