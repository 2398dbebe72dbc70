"""The end of leases by time, and with their license."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from uuid import UUID

from licet_server.catalog.rules.clocks import Clocked
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_events
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.leases import errors
from licet_server.leases.rules.model import Lease, LeaseEndReason, ended, expired
from licet_server.leases.service.events import lease_event
from licet_server.leases.storage import leases as storage
from licet_server.licenses.rules.model import License, LicenseId, OnUnreturned
from licet_server.licenses.service import reading
from licet_server.licenses.service.hooks import LicenseHooks, TermsChange
from licet_server.metering.rules.holding import HoldEnd
from licet_server.metering.service.holding import end_holds
from licet_server.sessions.service.holding import count_lent_seats, release_lent_seats

BATCH_SIZE = 500


async def end_over_leases(platform: Platform, clocked: Clocked | None = None) -> int:
    """Store that leases are over, and tell of it. Returns how many.

    Those of a product that goes by its clock, or of all that go by the present. Their seats could
    be claimed before; credits that nobody accounted for are charged or given back now. Concurrent
    calls skip each other's leases.
    """
    count = 0
    while True:
        async with platform.unit_of_work(Origin()) as work:
            found = await storage.lock_over(work.db, clocked, work.now, BATCH_SIZE)
            done = await end_over(work, found)
        count += len(done)
        if len(done) < BATCH_SIZE:
            return count


async def next_end(db: Connection, clocked: Clocked) -> datetime | None:
    """Return when a lease of the product is over next."""
    return await storage.fetch_next_end(db, clocked)


async def end_over(work: UnitOfWork, over: Sequence[Lease]) -> list[Lease]:
    """Store that these locked leases are over by time, which they are; return them so.

    Credits whose wallet is lost stay reserved until that is repaired.
    """
    done = [expired(item) for item in over if not item.is_credits]
    reserved = sorted((item for item in over if item.is_credits), key=_institution_of)
    for _, of_institution in groupby(reserved, key=_institution_of):
        done += await _end_reservations(work, list(of_institution))
    await storage.store_expiry(work.db, done)
    await record_events(work, [lease_event(EventKind.LEASE_ENDED, item) for item in done])
    return done


async def _end_reservations(work: UnitOfWork, over: Sequence[Lease]) -> list[Lease]:
    """Charge or give back what nobody accounted for, of one institution; return those so ended."""
    refunds = await _refunds(work.db, over)
    holds = [
        HoldEnd(
            wallet=(item.institution_id, item.license_id),
            lease_id=item.id,
            rest=item.rest,
            is_charged=item.id not in refunds,
        )
        for item in over
    ]
    settled = await end_holds(work, holds)
    return [
        expired(item, item.rest if item.id in refunds else item.refunded)
        for item in over
        if item.id in settled
    ]


def _institution_of(lease: Lease) -> UUID:
    return lease.institution_id


async def end_over_of(work: UnitOfWork, license_id: LicenseId, jkt: str | None = None) -> None:
    """Store which leases of a locked license, or of one device of it, are over by now."""
    held = await storage.lock_held(work.db, license_id, jkt=jkt)
    await end_over(work, [item for item in held if not item.is_held(work.now)])


async def _refunds(db: Connection, over: Sequence[Lease]) -> set[UUID]:
    """Return the leases whose licenses give back what nobody accounted for."""
    vendor = Visibility((over[0].institution_id,))
    found = await reading.find_by_ids(db, vendor, [item.license_id for item in over])
    return {
        item.id
        for item in over
        if item.license_id in found and found[item.license_id].on_unreturned is OnUnreturned.REFUND
    }


class LeaseLicenseHooks(LicenseHooks):
    """The `LicenseHooks` of leases, which run before those of sessions and of wallets."""

    async def terms_changed(self, work: UnitOfWork, changes: Sequence[TermsChange]) -> None:
        """Refuse to convert a license whose seats are away, or whose credits are reserved.

        Raises:
            Refused: `Conflict`.
        """
        for change in changes:
            if not change.is_conversion:
                continue
            license_ = change.before
            ids = (license_.institution_id, license_.id)
            if lent := await count_lent_seats(work.db, ids, work.now):
                raise errors.away(lent)
            if license_.traits.is_metered:
                await _require_none_reserved(work, ids)

    async def license_deleted(self, work: UnitOfWork, license_: License) -> None:
        """Let the seats go, so that their sessions end as well; only events remain.

        Credits go back to the wallet, which is about to be closed.
        """
        ids = (license_.institution_id, license_.id)
        reason, now = LeaseEndReason.LICENSE_DELETED, license_.instant(work.now)
        held = await storage.lock_held(work.db, ids)
        await release_lent_seats(work.db, ids)
        holds = [
            HoldEnd(wallet=ids, lease_id=item.id, rest=item.rest, is_charged=False)
            for item in held
            if item.is_credits
        ]
        if holds:
            await end_holds(work.at(license_.clock), holds)
        gone = [ended(item, reason, now) for item in held]
        await record_events(work, [lease_event(EventKind.LEASE_ENDED, item) for item in gone])


async def _require_none_reserved(work: UnitOfWork, license_id: LicenseId) -> None:
    held = await storage.lock_held(work.db, license_id)
    done = await end_over(work, [item for item in held if not item.is_held(work.now)])
    if reserved := len(held) - len(done):
        raise errors.reserved(reserved)
