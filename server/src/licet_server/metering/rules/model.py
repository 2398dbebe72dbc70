"""What a wallet, an entry of the ledger and a price are. Amounts are exact decimals."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.traits import MeterMode

MAX_QUANTITY = 1_000_000_000
MAX_TOKEN_COST = Decimal(10) ** 8


class EntryType(StrEnum):
    """Why a balance moved."""

    INITIAL_GRANT = "InitialGrant"
    CONSUME = "Consume"
    ADMIN_GRANT = "AdminGrant"
    ADJUST = "Adjust"


@dataclass(frozen=True, slots=True)
class Wallet:
    """The meter of a license, shared by all its devices; `version` counts the ledger's entries.

    `closed_at` is when the license was deleted: from then on nothing moves.
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
        """What names the wallet."""
        return (self.institution_id, self.license_id)

    @property
    def is_low(self) -> bool:
        """Whether the balance is at the threshold or below; never without a threshold."""
        threshold = self.low_balance_threshold
        return threshold is not None and self.balance <= threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something that happened to a wallet.

    `amount` is signed, and what was consumed is negative. A charge that was refused for lack of
    balance has no `sequence` and moved nothing; `balance_after` is then what was there.
    `unit_price` is the price of the feature at that time, `None` where uses are counted.
    """

    institution_id: UUID
    license_id: UUID
    id: UUID
    type: EntryType
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
        """What the charge costs, whether or not there was balance for it; 0 for other types."""
        return cost_of(self.quantity or 0, self.unit_price)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeaturePrice:
    """What one use of a feature costs in tokens; the newest one is active."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    feature_id: UUID
    token_cost: Decimal
    created_at: datetime
    replaced_at: datetime | None

    @property
    def active(self) -> bool:
        """Whether it is the price of now."""
        return self.replaced_at is None


def cost_of(quantity: int, unit_price: Decimal | None) -> Decimal:
    """Token mode: price times quantity. Count mode, without a price: the quantity."""
    return quantity * (unit_price if unit_price is not None else Decimal(1))
