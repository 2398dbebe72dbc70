"""Credits that are set aside for a lease, spent without a network, and given back."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from licet_server.kit.amounts import MAX_NUMBER
from licet_server.licenses.rules.model import LicenseId
from licet_server.metering import errors
from licet_server.metering.rules.model import LedgerEntry, LedgerEntryType, Wallet, cost_of

Changed = tuple[Wallet, list[LedgerEntry]]
"""A wallet after entries, and these."""


class OfflineCharge(Struct, frozen=True, kw_only=True):
    """What a device spent without a network; `unit_price` is `None` in count mode."""

    feature_name: str
    quantity: int
    unit_price: Decimal | None
    idempotency_key: str

    @property
    def cost(self) -> Decimal:
        """What it cost, by the price that the device was given."""
        return cost_of(self.quantity, self.unit_price)


class HoldEnd(Struct, frozen=True, kw_only=True):
    """The end of a hold whose rest nobody accounts for: it is charged, or given back."""

    wallet: LicenseId
    lease_id: UUID
    rest: Decimal
    is_charged: bool


class Ledger:
    """Writes entries about one lease, each after the one before."""

    def __init__(
        self, wallet: Wallet, lease_id: UUID, new_id: Callable[[], UUID], now: datetime
    ) -> None:
        self.wallet = wallet
        self.entries: list[LedgerEntry] = []
        self._lease_id = lease_id
        self._new_id = new_id
        self._now = now

    def add(
        self, entry_type: LedgerEntryType, amount: Decimal, *, held: Decimal = Decimal(0)
    ) -> LedgerEntry:
        """Change the balance by an amount, and what is held by `held`."""
        wallet = self.wallet
        self.wallet = replace(
            wallet,
            balance=wallet.balance + amount,
            held=wallet.held + held,
            version=wallet.next_sequence,
        )
        entry = LedgerEntry(
            institution_id=wallet.institution_id,
            license_id=wallet.license_id,
            id=self._new_id(),
            type=entry_type,
            amount=amount,
            balance_after=self.wallet.balance,
            sequence=self.wallet.version,
            created_at=self._now,
            lease_id=self._lease_id,
        )
        self.entries.append(entry)
        return entry

    def charge(self, item: OfflineCharge, key: str | None, activation_id: UUID | None) -> None:
        """Charge what a device spent."""
        entry = self.add(LedgerEntryType.CONSUME, -item.cost)
        self.entries[-1] = replace(
            entry,
            feature_name=item.feature_name,
            quantity=item.quantity,
            unit_price=item.unit_price,
            idempotency_key=key,
            activation_id=activation_id,
        )

    def settle(self, amount: Decimal) -> None:
        """Give back a part of what is held; nothing needs no entry."""
        if amount:
            self.add(LedgerEntryType.LEASE_SETTLE, amount, held=-amount)


def set_aside(ledger: Ledger, amount: Decimal, most: Decimal) -> None:
    """Hold an amount for a lease; all holds of the wallet together are at most so much.

    Raises:
        Refused: `LeaseLimitReached`, `InsufficientBalance`.
    """
    wallet = ledger.wallet
    if wallet.held + amount > most:
        raise errors.too_much_reserved(most, wallet.held)
    if amount > wallet.balance:
        raise errors.insufficient_to_reserve(amount, wallet.balance)
    ledger.add(LedgerEntryType.LEASE_HOLD, -amount, held=amount)


def settle_charges(
    ledger: Ledger,
    charges: Sequence[OfflineCharge],
    rest: Decimal,
    earlier: Mapping[str, LedgerEntry],
    activation_id: UUID | None,
) -> None:
    """Give back what was spent and a rest, and charge what was spent: once for each key.

    What was charged under its key before, on any way, stays given back. A key under which a charge
    was refused is taken, so the charge has none.
    """
    ledger.settle(sum((item.cost for item in charges), Decimal(0)) + rest)
    charged = {key for key, entry in earlier.items() if entry.sequence is not None}
    for item in charges:
        if item.idempotency_key in charged:
            continue
        charged.add(item.idempotency_key)
        is_taken = item.idempotency_key in earlier
        ledger.charge(item, None if is_taken else item.idempotency_key, activation_id)


def can_end(wallet: Wallet, end: HoldEnd) -> bool:
    """Return whether a wallet has what is to be given back, and numbers for its entries."""
    return wallet.held >= end.rest and wallet.version + 2 <= MAX_NUMBER


def end_hold(ledger: Ledger, end: HoldEnd) -> None:
    """End a hold; what is charged counts as consumed."""
    ledger.settle(end.rest)
    if end.is_charged and end.rest:
        ledger.add(LedgerEntryType.LEASE_CHARGE, -end.rest)
