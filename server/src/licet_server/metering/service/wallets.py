"""Wallets of licenses, opened and closed with them; closed ones can still be read."""

from decimal import Decimal

from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.hooks import LicenseHooks
from licet_server.metering.rules.balances import change_balance
from licet_server.metering.rules.model import LedgerEntryType, Wallet
from licet_server.metering.storage import entries, wallets


class WalletHooks(LicenseHooks):
    """Open the wallet of a license that is or becomes metered, and close it on deletion."""

    async def license_issued(self, work: UnitOfWork, license_: License) -> None:
        """Open the wallet with the initial balance of the license."""
        await self._open(work, license_)

    async def license_converted(self, work: UnitOfWork, license_: License) -> None:
        """Open the wallet of a license that has become metered."""
        await self._open(work, license_)

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
