"""`reconcile`."""

import sys
from uuid import UUID

from licet_server.cli.options import DataDir, counting, on_platform, say, settings_with
from licet_server.kit.amounts import plain
from licet_server.kit.errors import Refused
from licet_server.kit.origin import CONSOLE
from licet_server.kit.platform import Platform
from licet_server.metering.rules.reconciling import LedgerMismatch, LedgerProblem
from licet_server.metering.service.archiving import reconcile_archives
from licet_server.metering.service.reconciling import Reconciliation, reconcile_all, restore_wallet

_SHOWN = 50


def reconcile(
    *, license_id: UUID | None = None, repair: bool = False, data_dir: DataDir = None
) -> None:
    """Check every wallet against its ledger, archives included. The service may keep running.

    The exit code is 1 if a wallet is lost or does not match its ledger, and was not repaired.

    Parameters
    ----------
    license_id
        Check the wallet of this license only.
    repair
        Rebuild lost wallets from their ledgers. Nothing else is ever changed.
    """
    found = on_platform(
        settings_with(data_dir=data_dir),
        lambda platform: _reconcile(platform, license_id, repair=repair),
    )
    if license_id is not None and not found.checked:
        say(f"There is no metered license {license_id}")
        sys.exit(1)
    say(f"Checked {found.checked:,} wallets, {len(found.mismatches):,} do not match")
    for item in found.mismatches[:_SHOWN]:
        print(_sentence(item))
    if len(found.mismatches) > _SHOWN:
        say(f"... and {len(found.mismatches) - _SHOWN:,} more")
    if found.mismatches:
        sys.exit(1)


async def _reconcile(
    platform: Platform, license_id: UUID | None, *, repair: bool
) -> Reconciliation:
    with counting("Entries") as progress:
        found = await reconcile_all(platform.database, license_id, progress)
    if repair:
        found = await _repair(platform, found)
    archived = await reconcile_archives(platform, license_id)
    return Reconciliation(found.checked, [*found.mismatches, *archived])


async def _repair(platform: Platform, found: Reconciliation) -> Reconciliation:
    """Restore the lost wallets; return what is left."""
    left: list[LedgerMismatch] = []
    for item in found.mismatches:
        if LedgerProblem.WALLET_MISSING not in item.problems:
            left.append(item)
            continue
        try:
            async with platform.unit_of_work(CONSOLE) as work:
                await restore_wallet(work, (item.institution_id, item.license_id))
            say(f"Repaired the wallet of {item.license_id}")
        except Refused as refused:
            say(f"{item.license_id}: {refused.detail}")
            left.append(item)
    return Reconciliation(found.checked, left)


def _sentence(item: LedgerMismatch) -> str:
    wallet = "nothing" if item.balance is None else f"{plain(item.balance):f}"
    ledger = "nothing" if item.ledger_balance is None else f"{plain(item.ledger_balance):f}"
    place = "" if item.first_bad_sequence is None else f", from entry {item.first_bad_sequence} on"
    return (
        f"{item.license_id}: {', '.join(item.problems)}{place} (wallet {wallet}, ledger {ledger})"
    )
