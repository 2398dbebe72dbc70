"""Repair of a lost wallet from its ledger.

A metered license without a wallet is a fault of the database; charges are refused until it is
repaired. The ledger has all that a wallet has, except for the threshold of its warning.
"""

from dataclasses import replace
from uuid import UUID

from licet_server.events.service.recording import record_events
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.service import reading
from licet_server.metering import errors
from licet_server.metering.rules.reconciling import (
    begin_check,
    mismatch_of,
    next_ranges,
    restored_wallet,
)
from licet_server.metering.service.events import wallet_restored_event
from licet_server.metering.service.reconciling import ENTRIES_PER_STEP
from licet_server.metering.storage import reconciling as storage
from licet_server.metering.storage import rollups, wallets
from licet_server.metering.storage.archiving import fetch_openings
from licet_server.metering.storage.reconciling import WalletScope

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
    check = begin_check(wallet, wallet.version, 0 if opening is None else opening.sequence)
    if most_entries is not None and check.left > most_entries:
        raise errors.too_many_to_restore(check.left)
    while check.left:
        ranges = next_ranges([check], ENTRIES_PER_STEP)
        [summary] = await storage.summarize_ranges(work.db, ranges)
        check.add(ranges[0][1], summary)
    if mismatch_of(check) is not None:
        raise errors.ledger_damaged(check.first_bad)
    await wallets.insert_wallet(work.db, wallet, counted=wallet.version)
    await rollups.recount(work.db, wallet, opening)
    await record_events(work, [wallet_restored_event(wallet)])
    return True
