"""Checks wallets against their ledgers; it only reads, and charges do not wait for it."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Database
from licet_server.metering import errors
from licet_server.metering.rules.reconciling import (
    LedgerMismatch,
    WalletCheck,
    mismatch_of,
    next_ranges,
)
from licet_server.metering.service.operators import fetch_wallet
from licet_server.metering.storage import reconciling as storage
from licet_server.metering.storage.reconciling import WalletScope

WALLETS_PER_STEP = 500
ENTRIES_PER_STEP = 50_000
ENTRIES_PER_REQUEST = 2_000_000


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The number of wallets checked, and those that disagree with their ledgers."""

    checked: int
    mismatches: list[LedgerMismatch]


def _ignore_progress(done: int, total: int) -> None:
    pass


async def reconcile_for(
    database: Database, operator: Operator, license_id: UUID | None
) -> Reconciliation:
    """Check the wallet of a license, or all wallets of the operator's institutions.

    Raises:
        Refused: `NotFound`, `Forbidden`, `NotMeteredLicense`, `WalletNotFound`; `Conflict` if
            there are too many entries for one request.
    """
    async with database.reading() as db:
        if license_id is not None:
            await fetch_wallet(db, operator, license_id)
        scope = WalletScope(operator.authorized(None), license_id)
        entries = await storage.count_entries_in(db, scope)
    if entries > ENTRIES_PER_REQUEST:
        raise errors.too_many_entries(entries)
    return await _reconcile(database, scope, _ignore_progress)


async def reconcile_all(
    database: Database, license_id: UUID | None, progress: Callable[[int, int], None]
) -> Reconciliation:
    """Check every wallet, or that of one license.

    `progress` is called with the number of entries read and their total.
    """
    return await _reconcile(database, WalletScope(None, license_id), progress)


async def _reconcile(
    database: Database, scope: WalletScope, progress: Callable[[int, int], None]
) -> Reconciliation:
    async with database.reading() as db:
        total = await storage.count_entries_in(db, scope)
    checked, read = 0, 0
    mismatches: list[LedgerMismatch] = []
    after = None
    while True:
        async with database.reading() as db:
            checks = await storage.fetch_checks(db, scope, after, WALLETS_PER_STEP)
        while any(check.left for check in checks):
            read += await _read_ranges(database, checks)
            progress(read, max(read, total))
        checked += len(checks)
        mismatches += [found for check in checks if (found := mismatch_of(check)) is not None]
        if len(checks) < WALLETS_PER_STEP:
            return Reconciliation(checked, mismatches)
        after = checks[-1].wallet.key


async def _read_ranges(database: Database, checks: list[WalletCheck]) -> int:
    """Read the next ranges; return how many entries they should contain."""
    ranges = next_ranges(checks, ENTRIES_PER_STEP)
    async with database.reading() as db:
        summaries = await storage.summarize_ranges(db, ranges)
    for (check, checked), summary in zip(ranges, summaries, strict=True):
        check.add(checked, summary)
    return sum(checked.high - checked.low for _, checked in ranges)
