"""Wallets of licenses, opened and closed with them; closed ones can still be read."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from uuid import UUID

from msgspec import structs

from licet_server.catalog.reading import find_features_named
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_events
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.amounts import plain, whole_breach
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_fields
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.traits import MeterMode
from licet_server.licenses.rules.transitions import require_not_revoked
from licet_server.licenses.service import holders, reading
from licet_server.licenses.service.events import record_license_event
from licet_server.licenses.service.hooks import LicenseHooks, TermsChange
from licet_server.metering import errors
from licet_server.metering.rules.model import (
    LedgerEntry,
    LedgerEntryType,
    Wallet,
    change_balance,
    low_balance_events,
)
from licet_server.metering.service.events import balance_changed_event, low_balance_event
from licet_server.metering.storage import entries, wallets
from licet_server.metering.storage.archiving import fetch_openings


class WalletHooks(LicenseHooks):
    """Open the wallet of a license that is or becomes metered, and close it on deletion.

    The wallet of a license that becomes one without a meter rests with its balance.
    """

    async def license_issued(self, work: UnitOfWork, license_: License) -> None:
        """Open the wallet with the initial balance of the license."""
        await self._open(work, license_)

    async def terms_changed(self, work: UnitOfWork, changes: Sequence[TermsChange]) -> None:
        """Open the wallets of licenses that have become metered, or let them rest.

        A balance that rested counts again where the unit is the same. One in the unit of another
        metered model is written off in the ledger.
        """
        for change in changes:
            if change.is_conversion:
                await self._convert(work, change)

    async def _convert(self, work: UnitOfWork, change: TermsChange) -> None:
        license_ = change.after
        key = (license_.institution_id, license_.id)
        found = (await wallets.lock_wallets(work.db, [key])).get(key)
        if found is None:
            await self._open(work, license_)
        elif license_.traits.meter_mode is None:
            if found.rests_since is None:
                resting = structs.replace(found, closed_at=work.now, rests_since=work.now)
                await wallets.save_wallet(work.db, resting)
            change.balance_kept = found.balance
        else:
            await self._open_again(work, found, change)

    async def _open_again(self, work: UnitOfWork, found: Wallet, change: TermsChange) -> None:
        mode, granted = change.after.traits.meter_mode, change.after.initial_meter_balance
        if mode is None or granted is None:
            raise ValueError("a metered license has a mode and a balance")
        reason = f"Converted from {change.before.type} to {change.after.type}"
        wallet = structs.replace(found, closed_at=None, rests_since=None)
        changed: list[LedgerEntry] = []
        steps = [(LedgerEntryType.ADMIN_GRANT, granted)]
        if wallet.mode is not mode:
            change.balance_closed = wallet.balance
            wallet = structs.replace(wallet, mode=mode, low_balance_threshold=None)
            if wallet.balance:
                steps.insert(0, (LedgerEntryType.ADJUST, -wallet.balance))
        for kind, amount in steps:
            wallet, entry = change_balance(
                wallet, kind, amount, entry_id=work.new_id(), now=work.now, reason=reason
            )
            changed.append(entry)
        await wallets.save_wallet(work.db, wallet)
        await entries.insert_entries(work.db, changed)
        await record_events(work, [balance_changed_event(wallet, entry) for entry in changed])

    async def _open(self, work: UnitOfWork, license_: License) -> None:
        mode, balance = license_.traits.meter_mode, license_.initial_meter_balance
        if mode is None or balance is None:
            return
        empty = Wallet(
            institution_id=license_.institution_id,
            license_id=license_.id,
            product_id=license_.product_id,
            mode=mode,
            balance=Decimal(0),
            version=0,
        )
        wallet, entry = change_balance(
            empty, LedgerEntryType.INITIAL_GRANT, balance, entry_id=work.new_id(), now=work.now
        )
        await wallets.insert_wallet(work.db, wallet)
        await entries.insert_entries(work.db, [entry])

    async def license_deleted(self, work: UnitOfWork, license_: License) -> None:
        """Close the wallet; the ledger is kept."""
        if license_.traits.is_metered:
            await wallets.close_wallet(work.db, (license_.institution_id, license_.id), work.now)


async def fetch_wallet(db: Connection, operator: Operator, license_id: UUID) -> Wallet:
    """Fetch the wallet of a license that is visible to the operator.

    Raises:
        Refused: `NotFound`, `Forbidden`, `NotMeteredLicense`, `WalletNotFound`.
    """
    return await fetch_wallet_of(db, await reading.fetch_license(db, operator, license_id))


async def fetch_readable_wallet(db: Connection, operator: Operator, license_id: UUID) -> Wallet:
    """Fetch the wallet of a license that is visible to the operator, or issued to them.

    API keys act in one institution only, so for them the receiver does not count.

    Raises:
        Refused: `NotFound`, `NotMeteredLicense`, `WalletNotFound`.
    """
    own = None
    if operator.api_key is None and operator.email_verified:
        own = await holders.find_own_license(db, operator, license_id)
    if own is not None:
        return await fetch_wallet_of(db, own)
    return await fetch_wallet(db, operator, license_id)


async def fetch_wallet_of(db: Connection, license_: License) -> Wallet:
    """Fetch the wallet of a license that the caller may read.

    Raises:
        Refused: `NotMeteredLicense`, `WalletNotFound`.
    """
    key = (license_.institution_id, license_.id)
    return _wallet_of(license_, (await wallets.fetch_wallets(db, [key])).get(key))


async def list_ledger(
    db: Connection, operator: Operator, license_id: UUID, paging: Paging
) -> Listing[LedgerEntry]:
    """List the entries that changed the balance of a license, deleted or not, newest first.

    Old entries are in archives.

    Raises:
        Refused: `NotFound`, `Forbidden`, `NotMeteredLicense`, `WalletNotFound`.
    """
    found = await wallets.find_visible(db, operator.visibility, license_id)
    if found is None:
        found = await fetch_wallet(db, operator, license_id)
    operator.authorize(found.institution_id)
    return await _list_entries(db, found, paging)


async def list_ledger_of(db: Connection, license_: License, paging: Paging) -> Listing[LedgerEntry]:
    """List the entries that changed the balance of a license that the caller may read.

    Raises:
        Refused: `NotMeteredLicense`, `WalletNotFound`.
    """
    return await _list_entries(db, await fetch_wallet_of(db, license_), paging)


async def _list_entries(db: Connection, wallet: Wallet, paging: Paging) -> Listing[LedgerEntry]:
    if paging.sort is None:
        paging = replace(paging, sort="-sequence")
    opening = (await fetch_openings(db, *wallet.key)).get(wallet.license_id)
    archived = 0 if opening is None else opening.sequence
    return await _spelled(db, wallet, await entries.list_entries(db, wallet, archived, paging))


async def _spelled(
    db: Connection, wallet: Wallet, listing: Listing[LedgerEntry]
) -> Listing[LedgerEntry]:
    """Return the entries with each feature as its vendor spells it now."""
    keys = {
        item.feature_name: (wallet.institution_id, wallet.product_id, item.feature_name)
        for item in listing.items
        if item.feature_name is not None
    }
    features = await find_features_named(db, list(keys.values()))
    spellings = {name: features[key].name for name, key in keys.items() if key in features}

    def spelled(item: LedgerEntry) -> LedgerEntry:
        name = item.feature_name or ""
        return structs.replace(item, feature_name=spellings.get(name, item.feature_name))

    return listing.of(spelled)


async def change_wallet(
    work: UnitOfWork,
    operator: Operator,
    entry_type: LedgerEntryType,
    *,
    license_id: UUID,
    amount: Decimal,
    reason: str | None,
    external_reference: str | None = None,
) -> LedgerEntry:
    """Grant an amount, for example for a payment, or adjust a balance up or down.

    Raises:
        Refused: `NotFound`, `Forbidden`, `NotMeteredLicense`, `WalletNotFound`, `InvalidRequest`
            for a fraction in count mode, `Conflict` for a revoked license, below 0 or above the
            largest balance.
    """
    license_, current = await _lock(work, operator, license_id)
    work = work.at(license_.clock)
    _require_whole("amount", amount, current.mode)
    changed, entry = change_balance(
        current,
        entry_type,
        amount,
        entry_id=work.new_id(),
        now=work.now,
        reason=reason,
        external_reference=external_reference,
    )
    await entries.insert_entries(work.db, [entry], *wallets.saving_balances([changed]))
    await record_events(work, [balance_changed_event(changed, entry)])
    await _record_low_balance(work, current, changed)
    return entry


async def set_threshold(
    work: UnitOfWork, operator: Operator, license_id: UUID, threshold: Decimal | None
) -> License:
    """Change the balance at which the vendor is warned; `None` for no warning.

    Raises:
        Refused: `NotFound`, `Forbidden`, `NotMeteredLicense`, `WalletNotFound`, `InvalidRequest`,
            `Conflict` for a revoked license.
    """
    license_, current = await _lock(work, operator, license_id)
    before = current.low_balance_threshold
    if threshold == before:
        return license_
    if threshold is not None:
        _require_whole("lowBalanceThreshold", threshold, current.mode)
    changed = structs.replace(current, low_balance_threshold=threshold)
    await wallets.save_threshold(work.db, changed)
    change: list[object] = [
        plain(item) if item is not None else None for item in (before, threshold)
    ]
    await record_license_event(
        work, EventKind.LICENSE_UPDATED, license_, changes={"lowBalanceThreshold": change}
    )
    await _record_low_balance(work, current, changed)
    return license_


async def _lock(work: UnitOfWork, operator: Operator, license_id: UUID) -> tuple[License, Wallet]:
    """Lock a license and its wallet, in this order, so that a revocation comes before or after."""
    license_ = await reading.lock_license(work.db, operator, license_id)
    key = (license_.institution_id, license_.id)
    wallet = _wallet_of(license_, (await wallets.lock_wallets(work.db, [key])).get(key))
    require_not_revoked(license_)
    return license_, wallet


async def _record_low_balance(work: UnitOfWork, before: Wallet, after: Wallet) -> None:
    kinds = low_balance_events(before, after)
    await record_events(work, [low_balance_event(kind, after) for kind in kinds])


def _wallet_of(license_: License, found: Wallet | None) -> Wallet:
    if found is not None and license_.traits.is_metered:
        return found
    raise errors.not_metered() if license_.traits.meter_mode is None else errors.no_wallet()


def _require_whole(field: str, amount: Decimal, mode: MeterMode) -> None:
    breach = whole_breach(field, amount) if mode is MeterMode.COUNT else None
    if breach is not None:
        raise bad_fields([breach])
