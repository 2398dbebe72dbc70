"""Wallets live and end with their licenses, and stay to be read."""

from collections.abc import Sequence
from decimal import Decimal

from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseId
from licet_server.metering.rules.model import EntryType, Wallet
from licet_server.metering.rules.moving import move
from licet_server.metering.storage import entries, wallets


class WalletKeeper:
    """Gives a metered license its wallet when it is issued, and closes it when it is deleted."""

    async def begin(self, work: UnitOfWork, license_: License) -> None:
        """Open the wallet with the balance that the license was issued with."""
        mode, balance = license_.traits.meter_mode, license_.initial_meter_balance
        if mode is None or balance is None:
            return
        empty = Wallet(
            license_.institution_id, license_.id, license_.product_id, mode, Decimal(0), version=0
        )
        wallet, entry = move(
            empty, EntryType.INITIAL_GRANT, balance, entry_id=work.new_id(), now=work.now
        )
        await wallets.insert_wallet(work.db, wallet)
        await entries.insert_entries(work.db, [entry])

    async def end(self, work: UnitOfWork, license_: License) -> None:
        """Nothing moves from now on; the ledger stays."""
        if license_.traits.meter_mode is not None:
            await wallets.close_wallet(work.db, (license_.institution_id, license_.id), work.now)


async def find_wallets(db: Connection, keys: Sequence[LicenseId]) -> dict[LicenseId, Wallet]:
    """The wallets of these licenses, in one statement; those without one are absent."""
    return await wallets.fetch_wallets(db, list(dict.fromkeys(keys))) if keys else {}
