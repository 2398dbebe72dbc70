"""What operators do with leases: list, recall and acknowledge them."""

from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.leases import errors
from licet_server.leases.rules.model import (
    Lease,
    LeaseEndReason,
    LeaseKind,
    LeaseState,
    ended,
)
from licet_server.leases.service.events import record_lease
from licet_server.leases.storage import leases as storage
from licet_server.leases.storage.leases import LEASES
from licet_server.licenses.service import reading
from licet_server.metering.service.holding import settle
from licet_server.sessions.rules.model import EndReason
from licet_server.sessions.service.holding import free_lent_seat

ListedLease = tuple[Lease, datetime]
"""A lease, and the instant that its license goes by."""


async def list_leases(
    db: Connection,
    operator: Operator,
    license_id: UUID,
    state: LeaseState | None,
    kind: LeaseKind | None,
    paging: Paging,
    now: datetime,
) -> Listing[ListedLease]:
    """List the leases of a license, newest first."""
    license_ = await reading.fetch_license(db, operator, license_id)
    instant = license_.instant(now)
    owner = (license_.institution_id, license_.id)
    found = await storage.list_leases(db, owner, state, kind, paging, instant)
    return found.of(lambda lease: (lease, instant))


async def fetch_lease(db: Connection, operator: Operator, lease_id: UUID) -> Lease:
    """Return a lease whose license the operator sees.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    lease = await LEASES.fetch(db, operator.roles, lease_id)
    if lease is not None:
        visible = await reading.find_by_ids(db, operator.visibility, [lease.license_id])
        lease = lease if visible else None
    return operator.found(lease, "lease")


async def recall(
    work: UnitOfWork, operator: Operator, lease_id: UUID, *, force: bool
) -> ListedLease:
    """Want a seat or credits back: the lease can no longer be renewed. Only force frees it at once.

    Nothing reaches a device without a network: after force it works on until the end of its lease,
    beside whoever has the seat then. What it spends of credits after its last report is not
    charged.

    Raises:
        Refused: `NotFound`, `Forbidden`; `Conflict` for a lease that has ended.
    """
    work, lease = await _lock(work, operator, lease_id)
    if not lease.is_held(work.now):
        raise errors.over()
    if force:
        after = ended(lease, LeaseEndReason.FORCED, work.now)
        if lease.is_credits:
            owner = (lease.institution_id, lease.license_id)
            await settle(work, owner, lease.id, (), rest=after.refunded)
        else:
            await free_lent_seat(work, lease.session, lease.id, EndReason.FORCE_DISCONNECTED)
    elif lease.recalled_at is None:
        after = replace(lease, recalled_at=work.now)
    else:
        return lease, work.now
    await LEASES.save(work.db, after)
    kind = EventKind.LEASE_ENDED if force else EventKind.LEASE_RECALLED
    await record_lease(work, kind, after)
    return after, work.now


async def acknowledge(work: UnitOfWork, operator: Operator, lease_id: UUID) -> ListedLease:
    """Let the device of a forked lease borrow again; what is away is held as before.

    Raises:
        Refused: `NotFound`, `Forbidden`; `Conflict` unless the lease is forked.
    """
    work, lease = await _lock(work, operator, lease_id)
    if lease.forked_at is None:
        raise errors.not_forked()
    if lease.acknowledged_at is not None:
        return lease, work.now
    after = replace(lease, acknowledged_at=work.now)
    await LEASES.save(work.db, after)
    await record_lease(work, EventKind.LEASE_ACKNOWLEDGED, after)
    return after, work.now


async def _lock(work: UnitOfWork, operator: Operator, lease_id: UUID) -> tuple[UnitOfWork, Lease]:
    """Lock a lease whose license the operator sees, and the license first."""
    lease = await fetch_lease(work.db, operator, lease_id)
    license_ = await reading.lock_license(work.db, operator, lease.license_id)
    locked = await LEASES.lock(work.db, operator.roles, lease_id)
    return work.at(license_.clock), operator.found(locked, "lease")
