"""The end of leases by time, and with their license."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from licet_server.catalog.rules.clocks import Clocked
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_events
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.leases import errors
from licet_server.leases.rules.model import Lease, LeaseEndReason, expired
from licet_server.leases.service.events import lease_event
from licet_server.leases.storage import leases as storage
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.hooks import LicenseHooks, TermsChange
from licet_server.sessions.service.holding import count_lent_seats, release_lent_seats

BATCH_SIZE = 500


async def end_over_leases(platform: Platform, clocked: Clocked | None = None) -> int:
    """Store that leases are over, and tell of it. Returns how many.

    Those of a product that goes by its clock, or of all that go by the present. Their seats could
    be claimed before. Concurrent calls skip each other's leases.
    """
    count = 0
    while True:
        async with platform.unit_of_work(Origin()) as work:
            found = await storage.lock_over(work.db, clocked, work.now, BATCH_SIZE)
            await end_over(work, found)
        count += len(found)
        if len(found) < BATCH_SIZE:
            return count


async def next_end(db: Connection, clocked: Clocked) -> datetime | None:
    """Return when a lease of the product is over next."""
    return await storage.fetch_next_end(db, clocked)


async def end_over(work: UnitOfWork, over: Sequence[Lease]) -> None:
    """Store that these leases are over by time, which they are."""
    await storage.store_expiry(work.db, over)
    await record_events(work, [lease_event(EventKind.LEASE_ENDED, expired(item)) for item in over])


class LeaseLicenseHooks(LicenseHooks):
    """The `LicenseHooks` of leases, which run before those of sessions."""

    async def terms_changed(self, work: UnitOfWork, changes: Sequence[TermsChange]) -> None:
        """Refuse to convert a license whose seats are away.

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

    async def license_deleted(self, work: UnitOfWork, license_: License) -> None:
        """Let the seats go, so that their sessions end as well; only events remain."""
        ids = (license_.institution_id, license_.id)
        reason, now = LeaseEndReason.LICENSE_DELETED, license_.instant(work.now)
        held = await storage.fetch_held(work.db, ids)
        await release_lent_seats(work.db, ids)
        gone = [replace(item, ended_at=now, end_reason=reason) for item in held]
        await record_events(work, [lease_event(EventKind.LEASE_ENDED, item) for item in gone])
