"""Holds wallets against their ledgers; reads only, and no charge waits for it."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Database
from licet_server.metering import errors
from licet_server.metering.rules.reconciling import Check, Mismatch, judge, stretches
from licet_server.metering.service.operators import fetch_wallet
from licet_server.metering.storage import reconciling as storage
from licet_server.metering.storage.reconciling import Choice

WALLETS_A_STEP = 500
ENTRIES_A_STEP = 50_000
ENTRIES_A_REQUEST = 2_000_000


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """How many wallets were checked, and those that do not agree with their ledgers."""

    checked: int
    mismatches: list[Mismatch]


def _no_one(done: int, total: int) -> None:
    pass


async def reconcile_for(
    database: Database, operator: Operator, license_id: UUID | None
) -> Reconciliation:
    """Check the wallet of a license, or all those of the operator's institutions.

    Raises:
        Refused: `NotFound`, `Forbidden`, `NotMeteredLicense`, `WalletNotFound`; `Conflict` when
            there is more to read than a request can wait for.
    """
    async with database.reading() as db:
        if license_id is not None:
            await fetch_wallet(db, operator, license_id)
        choice = Choice(operator.authorized(None), license_id)
        _, size = await storage.measure(db, choice)
    if size > ENTRIES_A_REQUEST:
        raise errors.too_long_a_ledger(size)
    return await _reconcile(database, choice, _no_one)


async def reconcile_all(
    database: Database, license_id: UUID | None, progress: Callable[[int, int], None]
) -> Reconciliation:
    """Check every wallet, or that of one license; `progress` hears of entries read, of how many."""
    return await _reconcile(database, Choice(None, license_id), progress)


async def _reconcile(
    database: Database, choice: Choice, progress: Callable[[int, int], None]
) -> Reconciliation:
    async with database.reading() as db:
        _, total = await storage.measure(db, choice)
    checked, read = 0, 0
    mismatches: list[Mismatch] = []
    after = None
    while True:
        async with database.reading() as db:
            checks = await storage.next_checks(db, choice, after, WALLETS_A_STEP)
        while any(check.left for check in checks):
            read += await _go_on(database, checks)
            progress(read, max(read, total))
        checked += len(checks)
        mismatches += [found for check in checks if (found := judge(check)) is not None]
        if len(checks) < WALLETS_A_STEP:
            return Reconciliation(checked, mismatches)
        after = checks[-1].wallet.key


async def _go_on(database: Database, checks: list[Check]) -> int:
    """Read one stretch more; answers how many entries it was to have."""
    chosen = stretches(checks, ENTRIES_A_STEP)
    async with database.reading() as db:
        facts = await storage.read_stretches(db, chosen)
    for (check, stretch), found in zip(chosen, facts, strict=True):
        check.take(stretch, found)
    return sum(stretch.high - stretch.low for _, stretch in chosen)
