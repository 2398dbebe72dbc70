"""`reconcile`."""

import asyncio
import sys
from uuid import UUID

from cyclopts import App

from licet_server.app import build_platform
from licet_server.cli.options import DataDir, counting, ready_database, say, settings_with
from licet_server.kit.amounts import plain
from licet_server.kit.settings import Settings
from licet_server.metering.rules.reconciling import LedgerMismatch
from licet_server.metering.service.reconciling import Reconciliation, reconcile_all
from licet_server.serving import prepare

_SHOWN = 50


def reconcile(*, license_id: UUID | None = None, data_dir: DataDir = None) -> None:
    """Check every wallet against its ledger. The service may keep running.

    Nothing is changed. The exit code is 1 if a wallet does not match its ledger.

    Parameters
    ----------
    license_id
        Check the wallet of this license only.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        prepare(ready, say)
        found = asyncio.run(_reconcile(ready, license_id))
    if license_id is not None and not found.checked:
        say(f"The license {license_id} has no wallet")
        sys.exit(1)
    say(f"Checked {found.checked:,} wallets, {len(found.mismatches):,} do not match")
    for item in found.mismatches[:_SHOWN]:
        print(_sentence(item))
    if len(found.mismatches) > _SHOWN:
        say(f"... and {len(found.mismatches) - _SHOWN:,} more")
    if found.mismatches:
        sys.exit(1)


async def _reconcile(settings: Settings, license_id: UUID | None) -> Reconciliation:
    platform = build_platform(settings)
    try:
        with counting("Entries") as progress:
            return await reconcile_all(platform.database, license_id, progress)
    finally:
        await platform.database.close()


def _sentence(item: LedgerMismatch) -> str:
    ledger = "nothing" if item.ledger_balance is None else f"{plain(item.ledger_balance):f}"
    place = "" if item.first_bad_sequence is None else f", from entry {item.first_bad_sequence} on"
    return (
        f"{item.license_id}: {', '.join(item.problems)}{place} "
        f"(wallet {plain(item.balance):f}, ledger {ledger})"
    )


def register(app: App) -> None:
    """Add the commands."""
    app.command(reconcile)
