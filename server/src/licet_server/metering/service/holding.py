"""Credits that leases hold beside the balance of a wallet.

The caller has locked what says that a hold is open: the license, or the lease. So each hold is made
once and ended once, in the transaction of that change.
"""

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from licet_server.catalog.reading import find_features_named
from licet_server.catalog.service.features import list_feature_names
from licet_server.events.service.recording import record_events
from licet_server.kit.amounts import amount_breach, whole_breach
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_fields
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseId
from licet_server.licenses.rules.traits import MeterMode
from licet_server.licenses.service import reading
from licet_server.metering import errors
from licet_server.metering.rules.holding import (
    HoldEnd,
    Ledger,
    OfflineCharge,
    can_end,
    end_hold,
    set_aside,
    settle_charges,
)
from licet_server.metering.rules.model import LedgerEntryType, Wallet, low_balance_events
from licet_server.metering.service.events import low_balance_event
from licet_server.metering.storage import entries, prices, wallets


def require_amount(license_: License, amount: Decimal) -> None:
    """Check an amount to reserve.

    Raises:
        Refused: `NotMeteredLicense`; `InvalidRequest` for what is no amount of the model.
    """
    mode = license_.traits.meter_mode
    if mode is None:
        raise errors.not_metered()
    breach = amount_breach("amount", amount)
    if breach is None and mode is MeterMode.COUNT:
        breach = whole_breach("amount", amount)
    if breach is not None:
        raise bad_fields([breach])


async def fetch_prices(db: Connection, license_: License) -> dict[str, Decimal]:
    """Return the present price of every feature that a license may use, by its name."""
    owner = (license_.institution_id, license_.product_id)
    names = (await reading.find_entitlements(db, [license_]))[license_.id].features
    if names is None:
        names = await list_feature_names(db, *owner)
    features = (await find_features_named(db, [(*owner, name) for name in names])).values()
    active = await prices.fetch_active(db, [(item.institution_id, item.id) for item in features])
    return {item.name: active[item.id] for item in features if item.id in active}


async def fetch_wallet(db: Connection, key: LicenseId) -> Wallet:
    """Return the wallet of a license, as it is.

    Raises:
        Refused: `WalletNotFound`.
    """
    found = await wallets.fetch_wallets(db, [key])
    if key not in found:
        raise errors.no_wallet()
    return found[key]


async def hold(
    work: UnitOfWork, license_: License, lease_id: UUID, amount: Decimal, most: Decimal
) -> Wallet:
    """Set an amount aside for a lease, if the balance and the most that may be held allow it.

    Raises:
        Refused: `LeaseLimitReached`, `InsufficientBalance`, `WalletNotFound`.
    """
    before = await _lock(work, (license_.institution_id, license_.id))
    ledger = Ledger(before, lease_id, work.new_id, work.now)
    set_aside(ledger, amount, most)
    await wallets.save_held(work.db, ledger.wallet)
    await entries.insert_entries(work.db, ledger.entries)
    kinds = low_balance_events(before, ledger.wallet)
    await record_events(work, [low_balance_event(kind, ledger.wallet) for kind in kinds])
    return ledger.wallet


async def settle(
    work: UnitOfWork,
    key: LicenseId,
    lease_id: UUID,
    charges: Sequence[OfflineCharge],
    *,
    rest: Decimal = Decimal(0),
    activation_id: UUID | None = None,
) -> Wallet:
    """Charge what a device spent of a hold, and give back a rest.

    Raises:
        Refused: `WalletNotFound`.
    """
    wallet = await _lock(work, key)
    keys = list(dict.fromkeys(item.idempotency_key for item in charges))
    earlier = (await entries.fetch_by_keys(work.db, [(*key, item) for item in keys])).get(key, {})
    ledger = Ledger(wallet, lease_id, work.new_id, work.now)
    settle_charges(ledger, charges, rest, earlier, activation_id)
    if ledger.entries:
        await _save(work, ledger)
    return ledger.wallet


async def end_holds(work: UnitOfWork, ends: Sequence[HoldEnd]) -> set[UUID]:
    """End holds of several wallets; return the leases of those whose wallets allow it.

    One whose wallet is lost or damaged stays open until that is repaired, and stops no other.
    """
    found = await wallets.lock_wallets(work.db, {item.wallet for item in ends})
    ended: set[UUID] = set()
    for item in ends:
        wallet = found.get(item.wallet)
        if wallet is not None and can_end(wallet, item):
            ledger = Ledger(wallet, item.lease_id, work.new_id, work.now)
            end_hold(ledger, item)
            if ledger.entries:
                await _save(work, ledger)
            found[item.wallet] = ledger.wallet
            ended.add(item.lease_id)
    return ended


async def _lock(work: UnitOfWork, key: LicenseId) -> Wallet:
    found = await wallets.lock_wallets(work.db, [key])
    if key not in found:
        raise errors.no_wallet()
    return found[key]


async def _save(work: UnitOfWork, ledger: Ledger) -> None:
    wallet = ledger.wallet
    await wallets.save_held(work.db, wallet)
    is_charge = LedgerEntryType.CONSUME
    await entries.insert_entries(
        work.db, [item for item in ledger.entries if item.type is not is_charge]
    )
    charges = [(wallet.product_id, item) for item in ledger.entries if item.type is is_charge]
    await entries.insert_charges(work.db, charges)
