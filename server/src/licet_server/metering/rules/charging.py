"""Decisions about charges in sequence, each against the balance that the previous one left."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from licet_server.devices import errors as device_errors
from licet_server.devices.rules.model import NamedDevices
from licet_server.devices.rules.proofs import NO_PROOF, ShownProof, require_key
from licet_server.kit.errors import Refused, unavailable
from licet_server.kit.origin import Origin
from licet_server.licenses import errors as license_errors
from licet_server.licenses.rules.model import Dated, License, LicenseId
from licet_server.licenses.rules.runtime import refusal_of
from licet_server.licenses.rules.traits import MeterMode
from licet_server.metering import errors
from licet_server.metering.rules.model import LedgerEntry, LedgerEntryType, Wallet, cost_of


class Charge(Struct, frozen=True, eq=False, kw_only=True):
    """A request to consume a quantity of a feature."""

    license: License
    feature_name: str
    quantity: int
    idempotency_key: str | None
    hardware_id: str | None
    activation_id: UUID | None
    origin: Origin
    shown: ShownProof = NO_PROOF

    @property
    def wallet(self) -> LicenseId:
        """The key of the wallet to charge."""
        return (self.license.institution_id, self.license.id)

    @property
    def mode(self) -> MeterMode | None:
        """What the wallet counts."""
        return self.license.traits.meter_mode


class ChargeContext(Struct, frozen=True, kw_only=True):
    """What a charge is decided with: its devices, the entitled features, the feature's price.

    `entitled` is `None` for a license that is not restricted. `feature_name` is spelled as the
    vendor spells it.
    """

    devices: NamedDevices
    entitled: Sequence[str] | None
    feature_name: str
    unit_price: Decimal | None


class Receipt(Struct, frozen=True):
    """The result of a charge; `replayed` if an earlier request with the same key decided it."""

    entry: LedgerEntry
    replayed: bool

    @property
    def refusal(self) -> Refused | None:
        """The refusal for lack of balance; `None` if the charge succeeded."""
        if self.entry.sequence is not None:
            return None
        return errors.insufficient_balance(
            self.entry.cost, self.entry.balance_after, replayed=self.replayed
        )


@dataclass(slots=True)
class WalletBatch:
    """A wallet while a batch of charges is decided.

    `wallet` holds the balance after the charges decided so far, and is `None` where the license has
    none. `by_key` maps idempotency keys to their entries. `new_entries` are to be stored.
    """

    wallet: Wallet | None
    by_key: dict[str, LedgerEntry]
    new_entries: list[LedgerEntry] = field(default_factory=list)

    def add(self, wallet: Wallet, entry: LedgerEntry) -> None:
        """Apply an entry to the wallet.

        A refusal without an idempotency key is dropped, since it can never be replayed.
        """
        if entry.idempotency_key is not None:
            self.by_key[entry.idempotency_key] = entry
        elif entry.sequence is None:
            return
        self.new_entries.append(entry)
        if entry.sequence is not None:
            self.wallet = replace(wallet, balance=entry.balance_after, version=entry.sequence)


def decide(
    batch: WalletBatch,
    charge: Charge,
    context: ChargeContext,
    *,
    dates: Dated,
    entry_id: UUID,
    now: datetime,
) -> Receipt:
    """Decide a charge; refusals are raised in the order that the API promises.

    `dates` are those of the license as of now, which may have changed since it was looked up.

    A used idempotency key returns the earlier result, whatever has changed since.

    Raises:
        Refused: any refusal except lack of balance, which is a receipt; `Unavailable` for a license
            that has just been converted.
    """
    wallet = batch.wallet
    if wallet is not None and wallet.rests_since is not None:
        raise errors.not_metered()
    if wallet is not None and wallet.mode is not charge.mode:
        raise unavailable()  # converted since the license was looked up: try again
    if wallet is not None and wallet.closed_at is not None:
        raise license_errors.unknown_license_key()
    activation_id = _activation_of(charge, context.devices)
    earlier = batch.by_key.get(charge.idempotency_key) if charge.idempotency_key else None
    if earlier is not None:
        return _replay(earlier, charge)
    _require_allowed(charge, context, dates, now)
    if wallet is None:
        raise errors.no_wallet()
    if wallet.mode is MeterMode.TOKEN and context.unit_price is None:
        raise errors.not_priced(charge.feature_name)
    entry = _entry(wallet, charge, context, entry_id=entry_id, activation_id=activation_id, now=now)
    batch.add(wallet, entry)
    return Receipt(entry, replayed=False)


def _activation_of(charge: Charge, devices: NamedDevices) -> UUID | None:
    """Return the activation that the charge is attributed to.

    Raises:
        Refused: `DeviceBlocked`, `DeviceProofRequired`, `HardwareMismatch`, `ActivationNotFound`,
            `InvalidRequest`.
    """
    own, named = devices.by_hardware_id, devices.by_activation_id
    if any(device is not None and device.blocked for device in (own, named)):
        raise device_errors.blocked()
    if charge.license.blocked_devices > 0 and charge.hardware_id is None:
        raise device_errors.hardware_id_required()
    known = own or named
    require_key(charge.license.device_proof, known.jkt if known else None, charge.shown)
    if charge.activation_id is None:
        return own.activation_id if own is not None else None
    if named is None:
        raise errors.unknown_device()
    if charge.hardware_id is not None and named.hardware_id != charge.hardware_id:
        raise errors.other_device()
    return named.activation_id


def _replay(entry: LedgerEntry, charge: Charge) -> Receipt:
    name = entry.feature_name or ""
    if entry.quantity != charge.quantity or name.casefold() != charge.feature_name.casefold():
        raise errors.key_reused()
    return Receipt(entry, replayed=True)


def _require_allowed(charge: Charge, context: ChargeContext, dates: Dated, now: datetime) -> None:
    unusable = refusal_of(dates, now)
    if unusable is not None:
        if charge.license.in_fallback(now):
            raise errors.nothing_to_use_after_term()
        raise errors.not_usable(unusable.detail)
    if context.entitled is not None:
        names = {name.casefold() for name in context.entitled}
        if charge.feature_name.casefold() not in names:
            raise errors.not_entitled(charge.feature_name)


def _entry(
    wallet: Wallet,
    charge: Charge,
    context: ChargeContext,
    *,
    entry_id: UUID,
    activation_id: UUID | None,
    now: datetime,
) -> LedgerEntry:
    unit_price = context.unit_price if wallet.mode is MeterMode.TOKEN else None
    cost = cost_of(charge.quantity, unit_price)
    covered = cost <= wallet.balance
    return LedgerEntry(
        institution_id=wallet.institution_id,
        license_id=wallet.license_id,
        id=entry_id,
        type=LedgerEntryType.CONSUME,
        amount=-cost if covered else Decimal(0),
        balance_after=wallet.balance - cost if covered else wallet.balance,
        sequence=wallet.next_sequence if covered else None,
        created_at=now,
        feature_name=context.feature_name,
        quantity=charge.quantity,
        unit_price=unit_price,
        idempotency_key=charge.idempotency_key,
        activation_id=activation_id,
    )
