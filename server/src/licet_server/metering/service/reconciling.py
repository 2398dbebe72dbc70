"""Reconciliation of wallets with their ledgers; it only reads, and charges do not wait for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from uuid import UUID

from msgspec import structs

from licet_server.events.service.recording import record_events
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Database
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.service import reading
from licet_server.metering import errors
from licet_server.metering.rules.reconciling import (
    LedgerMismatch,
    LostWallet,
    WalletCheck,
    begin_check,
    mismatch_of,
    mismatch_of_lost,
    next_ranges,
    restored_wallet,
    within_budget,
)
from licet_server.metering.service.events import wallet_restored_event
from licet_server.metering.storage import reconciling as storage
from licet_server.metering.storage import rollups, wallets
from licet_server.metering.storage.archiving import fetch_openings
from licet_server.metering.storage.reconciling import WalletScope

WALLETS_PER_STEP = 500
ENTRIES_PER_STEP = 50_000
ENTRIES_PER_REQUEST = 2_000_000
ENTRIES_PER_SLICE = 200_000


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The number of wallets checked, and those that are lost or disagree with their ledgers."""

    checked: int
    mismatches: list[LedgerMismatch]


@dataclass(frozen=True, slots=True)
class ReconciliationSlice:
    """A part of a reconciliation: its result, where the next part begins, and all wallets."""

    result: Reconciliation
    next_after: UUID | None
    total: int


def _ignore_progress(done: int, total: int) -> None:
    pass


async def reconcile_for(
    database: Database, operator: Operator, license_id: UUID | None
) -> Reconciliation:
    """Check the wallet of a license, or all wallets of the operator's institutions.

    Raises:
        Refused: `NotFound`, `Forbidden`, `NotMeteredLicense`; `Conflict` if there are too many
            entries for one request.
    """
    async with database.reading() as db:
        if license_id is not None:
            license_ = await reading.fetch_license(db, operator, license_id)
            if not license_.traits.is_metered:
                raise errors.not_metered()
        scope = WalletScope(operator.authorized(None), license_id)
        entries = await storage.count_entries_in(db, scope)
    if entries > ENTRIES_PER_REQUEST:
        raise errors.too_many_entries(entries)
    return await _reconcile(database, scope, _ignore_progress)


async def reconcile_slice(
    database: Database,
    operator: Operator,
    institution_id: UUID,
    *,
    after: UUID | None,
    limit: int,
) -> ReconciliationSlice:
    """Check the next wallets of an institution, in the order of their licenses.

    At most `limit`, and fewer where their ledgers are long, so that a caller can show progress.
    """
    scope = WalletScope(operator.authorized(institution_id))
    start = (institution_id, after) if after is not None else None
    async with database.reading() as db:
        total = await storage.count_wallets_in(db, scope)
        found = await storage.fetch_checks(db, scope, start, limit)
    checks = within_budget(found, ENTRIES_PER_SLICE)
    is_last = len(checks) == len(found) < limit
    while any(check.left for check in checks):
        await _read_ranges(database, checks)
    until = None if is_last else checks[-1].wallet.key
    async with database.reading() as db:
        lost = await storage.fetch_lost(db, scope, start, until)
    return ReconciliationSlice(
        _result(checks, lost), next_after=None if until is None else until[1], total=total
    )


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
    read = 0
    found = Reconciliation(0, [])
    after = None
    while True:
        async with database.reading() as db:
            checks = await storage.fetch_checks(db, scope, after, WALLETS_PER_STEP)
        while any(check.left for check in checks):
            read += await _read_ranges(database, checks)
            progress(read, max(read, total))
        until = checks[-1].wallet.key if len(checks) == WALLETS_PER_STEP else None
        async with database.reading() as db:
            lost = await storage.fetch_lost(db, scope, after, until)
        step = _result(checks, lost)
        found = Reconciliation(found.checked + step.checked, found.mismatches + step.mismatches)
        if until is None:
            return found
        after = until


def _result(checks: Sequence[WalletCheck], lost: Sequence[LostWallet]) -> Reconciliation:
    mismatches = [found for check in checks if (found := mismatch_of(check)) is not None]
    mismatches += [mismatch_of_lost(item) for item in lost]
    return Reconciliation(len(checks) + len(lost), mismatches)


async def _read_ranges(database: Database, checks: list[WalletCheck]) -> int:
    """Read the next ranges; return how many entries they should contain."""
    ranges = next_ranges(checks, ENTRIES_PER_STEP)
    async with database.reading() as db:
        summaries = await storage.summarize_ranges(db, ranges)
    for (check, checked), summary in zip(ranges, summaries, strict=True):
        check.add(checked, summary)
    return sum(checked.high - checked.low for _, checked in ranges)


ENTRIES_AT_ONCE = 2_000_000


async def repair_for(work: UnitOfWork, operator: Operator, license_id: UUID) -> bool:
    """Rebuild the wallet of a license if it is lost, for an Owner; return whether it was.

    Raises:
        Refused: `NotFound`, `Forbidden`, `NotMeteredLicense`, `Conflict` when the ledger does not
            tell the balance, or is too long for one request.
    """
    owner = replace(operator, needed=Role.OWNER)
    license_ = await reading.fetch_license(work.db, owner, license_id)
    if not license_.traits.is_metered:
        raise errors.not_metered()
    return await restore_wallet(
        work, (license_.institution_id, license_.id), most_entries=ENTRIES_AT_ONCE
    )


async def restore_wallet(
    work: UnitOfWork, key: LicenseId, *, most_entries: int | None = None
) -> bool:
    """Rebuild the wallet of a license if it is lost; return whether it was.

    The license is locked meanwhile, so that one repair waits for another. Charges are refused until
    the wallet is committed, and see it complete.

    Raises:
        Refused: `Conflict` when the ledger does not tell the balance, or has more than
            `most_entries`.
    """
    await reading.lock_terms(work.db, [key])
    lost = await storage.fetch_lost(work.db, WalletScope([key[0]], key[1]))
    if not lost:
        return False
    wallet = restored_wallet(lost[0])
    if wallet is None:
        raise errors.nothing_to_restore()
    opening = (await fetch_openings(work.db, *key)).get(key[1])
    check = begin_check(
        wallet,
        wallet.version,
        0 if opening is None else opening.sequence,
        held=Decimal(0) if opening is None else opening.held,
    )
    if most_entries is not None and check.left > most_entries:
        raise errors.too_many_to_restore(check.left)
    while check.left:
        ranges = next_ranges([check], ENTRIES_PER_STEP)
        [summary] = await storage.summarize_ranges(work.db, ranges)
        check.add(ranges[0][1], summary)
    check.wallet = wallet = structs.replace(wallet, held=check.held)
    if mismatch_of(check) is not None:
        raise errors.ledger_damaged(check.first_bad)
    await wallets.insert_wallet(work.db, wallet, counted=wallet.version)
    await rollups.recount(work.db, wallet, opening)
    await record_events(work, [wallet_restored_event(wallet)])
    return True
