"""Decides charges one after another, each on the balance that the one before left."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from licet_server.devices import errors as device_errors
from licet_server.devices.rules.model import NamedDevices
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.licenses import errors as license_errors
from licet_server.licenses.rules.model import License, LicenseId
from licet_server.licenses.rules.standing import refusal_of
from licet_server.licenses.rules.traits import MeterMode
from licet_server.metering import errors
from licet_server.metering.rules.model import Entry, EntryType, Wallet, cost_of


@dataclass(frozen=True, slots=True, eq=False)
class Charge:
    """An application's wish to consume."""

    license: License
    feature_name: str
    quantity: int
    idempotency_key: str | None
    hardware_id: str | None
    activation_id: UUID | None
    origin: Origin

    @property
    def wallet(self) -> LicenseId:
        """Whose balance it is about."""
        return (self.license.institution_id, self.license.id)

    @property
    def mode(self) -> MeterMode | None:
        """What the wallet counts."""
        return self.license.traits.meter_mode


@dataclass(frozen=True, slots=True)
class Known:
    """What is known around a charge: its device, the features it may use, the price of its own.

    `entitled` is `None` where nothing restricts. `feature_name` is the feature as its vendor
    writes it.
    """

    devices: NamedDevices
    entitled: Sequence[str] | None
    feature_name: str
    unit_price: Decimal | None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What came of a charge, now or, `replayed`, at an earlier time."""

    entry: Entry
    replayed: bool

    @property
    def refusal(self) -> Refused | None:
        """The refusal for lack of balance; `None` for what was charged."""
        if self.entry.sequence is not None:
            return None
        return errors.insufficient_balance(
            self.entry.cost, self.entry.balance_after, replayed=self.replayed
        )


@dataclass(slots=True)
class Till:
    """A wallet while charges are decided: what it holds now, and which keys were used.

    `wallet` is `None` where a license has none. `fresh` are the entries to be stored.
    """

    wallet: Wallet | None
    earlier: dict[str, Entry]
    fresh: list[Entry] = field(default_factory=list)

    def take(self, wallet: Wallet, entry: Entry) -> None:
        """Remember what was just decided. Without a key, a refusal is never asked for again."""
        if entry.idempotency_key is not None:
            self.earlier[entry.idempotency_key] = entry
        elif entry.sequence is None:
            return
        self.fresh.append(entry)
        if entry.sequence is not None:
            self.wallet = replace(wallet, balance=entry.balance_after, version=entry.sequence)


def decide(till: Till, charge: Charge, known: Known, entry_id: UUID, now: datetime) -> Receipt:
    """What comes of a charge, in the order of the refusals that the API promises.

    A key that was used answers what was answered then, whatever has changed since.

    Raises:
        Refused: every refusal but the one for lack of balance, which is a receipt.
    """
    wallet = till.wallet
    if wallet is not None and wallet.closed_at is not None:
        raise license_errors.unknown_license_key()
    activation_id = _attribute(charge, known.devices)
    earlier = till.earlier.get(charge.idempotency_key) if charge.idempotency_key else None
    if earlier is not None:
        return _replay(earlier, charge)
    _require_usable(charge, known, now)
    if wallet is None:
        raise errors.no_wallet()
    if wallet.mode is MeterMode.TOKEN and known.unit_price is None:
        raise errors.not_priced(charge.feature_name)
    entry = _entry(wallet, charge, known, entry_id, activation_id, now)
    till.take(wallet, entry)
    return Receipt(entry, False)


def _attribute(charge: Charge, devices: NamedDevices) -> UUID | None:
    """The device row that the charge is written to.

    Raises:
        Refused: `DeviceBlocked`, `ActivationNotFound`, `InvalidRequest`.
    """
    own, named = devices.by_hardware_id, devices.by_activation_id
    if any(device is not None and device.blocked for device in (own, named)):
        raise device_errors.blocked()
    if charge.activation_id is None:
        return own.activation_id if own is not None else None
    if named is None:
        raise errors.unknown_device()
    if charge.hardware_id is not None and named.hardware_id != charge.hardware_id:
        raise errors.other_device()
    return named.activation_id


def _replay(entry: Entry, charge: Charge) -> Receipt:
    name = entry.feature_name or ""
    if entry.quantity != charge.quantity or name.casefold() != charge.feature_name.casefold():
        raise errors.key_reused()
    return Receipt(entry, True)


def _require_usable(charge: Charge, known: Known, now: datetime) -> None:
    unusable = refusal_of(charge.license, now)
    if unusable is not None:
        raise errors.not_usable(unusable.detail)
    if known.entitled is not None:
        names = {name.casefold() for name in known.entitled}
        if charge.feature_name.casefold() not in names:
            raise errors.not_entitled(charge.feature_name)


def _entry(
    wallet: Wallet,
    charge: Charge,
    known: Known,
    entry_id: UUID,
    activation_id: UUID | None,
    now: datetime,
) -> Entry:
    unit_price = known.unit_price if wallet.mode is MeterMode.TOKEN else None
    cost = cost_of(charge.quantity, unit_price)
    covered = cost <= wallet.balance
    return Entry(
        institution_id=wallet.institution_id,
        license_id=wallet.license_id,
        id=entry_id,
        type=EntryType.CONSUME,
        amount=-cost if covered else Decimal(0),
        balance_after=wallet.balance - cost if covered else wallet.balance,
        sequence=wallet.version + 1 if covered else None,
        created_at=now,
        feature_name=known.feature_name,
        quantity=charge.quantity,
        unit_price=unit_price,
        idempotency_key=charge.idempotency_key,
        activation_id=activation_id,
    )
