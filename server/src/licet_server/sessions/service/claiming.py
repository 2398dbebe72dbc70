"""Claiming of seats for a batch in the caller's transaction, with a few statements for all.

Licenses and devices stay locked until the commit: a transaction that lowers a cap, revokes a
license or blocks a device waits, and then sees these sessions.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.devices.rules.proofs import ProofFault
from licet_server.devices.rules.proofs import refusal_of as refusal_of_fault
from licet_server.devices.service.lookup import lock_admitted_for_share
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import claim_topics, record_batch
from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection
from licet_server.kit.ids import new_id
from licet_server.kit.origin import Origin
from licet_server.licenses.rules.model import LicenseTerms
from licet_server.licenses.rules.runtime import refusal_of
from licet_server.licenses.service import reading
from licet_server.sessions import errors
from licet_server.sessions.rules.allocation import (
    NO_LIMIT,
    UNCAPPED_COUNTED_SLOTS,
    UNCAPPED_SLOTS,
    SeatAllocation,
    cap_of,
    first_of_each,
)
from licet_server.sessions.rules.model import Connected, SeatClaim, SessionEnd, Slot
from licet_server.sessions.service.events import (
    ended_event,
    limit_event,
    limit_topic,
    started_event,
)
from licet_server.sessions.service.reading import note_peaks
from licet_server.sessions.storage import sessions as session_storage
from licet_server.sessions.storage import slots as storage
from licet_server.sessions.storage.slots import PoolState

LIMIT_EVENT_INTERVAL = timedelta(minutes=1)

Result = Connected | Exception
"""The session, or why the claim is rejected."""


async def claim_seats(
    db: Connection, claims: Sequence[SeatClaim], clock: Clock, present: Clock
) -> list[Result]:
    """Claim a seat for each; returns a result for each claim, by position.

    Claims of the same instance share a result. `AdmissionOutdated` and `SeatsContended` ask for
    another try in a new transaction. `clock` is that of the products, and `present` the real one,
    for events.

    Raises:
        InstanceConflict: another transaction is admitting the same instance.
    """
    licenses = await reading.lock_terms(db, sorted({item.license for item in claims}))
    results = await _refusals(db, claims, licenses, clock())
    firsts = first_of_each([item for item in claims if item not in results])
    allocations = await _allocate(
        db, list(dict.fromkeys(firsts.values())), licenses, clock, present
    )
    for allocation in allocations.values():
        results |= allocation.results
    results |= {item: results[first] for item, first in firsts.items()}
    return [results[item] for item in claims]


async def _refusals(
    db: Connection,
    claims: Sequence[SeatClaim],
    licenses: Mapping[UUID, LicenseTerms],
    now: datetime,
) -> dict[SeatClaim, Result]:
    """Reject the claims whose license or device does not permit a session, and used proofs."""
    results: dict[SeatClaim, Result] = {}
    permitted: list[SeatClaim] = []
    for item in claims:
        license_ = licenses.get(item.license_id)
        refused = refusal_of(license_, now) if license_ is not None else errors.AdmissionOutdated()
        if refused is not None:
            results[item] = refused
        else:
            permitted.append(item)
    devices = [(licenses[item.license_id], item.hardware_id) for item in permitted]
    admitted = await lock_admitted_for_share(db, devices)
    for item, is_admitted in zip(permitted, admitted, strict=True):
        if not is_admitted:
            results[item] = errors.AdmissionOutdated()
    return results | await used_proofs(db, [item for item in permitted if item not in results])


async def used_proofs(db: Connection, claims: Sequence[SeatClaim]) -> dict[SeatClaim, Result]:
    """Reject the claims whose proofs began a session before; a statement only if there is a proof.

    The lock of the license makes the claims of one proof run in turn.
    """
    proofs = {item: key for item in claims if (key := item.proof_key) is not None}
    used = await session_storage.fetch_used_proofs(db, list(proofs.values()))
    results: dict[SeatClaim, Result] = {}
    for item, key in proofs.items():
        if key in used:
            results[item] = refusal_of_fault(ProofFault.REPLAYED)
        used.add(key)
    return results


async def _allocate(
    db: Connection,
    claims: Sequence[SeatClaim],
    licenses: Mapping[UUID, LicenseTerms],
    clock: Clock,
    present: Clock,
) -> dict[UUID, SeatAllocation]:
    if not claims:
        return {}
    claimed = {item.license_id: licenses[item.license_id] for item in claims}
    allocations = await _begin(db, claims, claimed, clock)
    await storage.clear_slots(
        db, [slot.place for allocation in allocations.values() for slot in allocation.expired]
    )
    await _lock_slots(db, claimed, allocations)
    await _write(db, claimed, allocations, present())
    return allocations


async def _begin(
    db: Connection,
    claims: Sequence[SeatClaim],
    licenses: Mapping[UUID, LicenseTerms],
    clock: Clock,
) -> dict[UUID, SeatAllocation]:
    """Read the pools, lock the slots of the claims' instances, and add the claims."""
    caps = {license_id: cap_of(item) for license_id, item in licenses.items()}
    pools = await storage.fetch_pools(
        db,
        [
            (item.institution_id, item.id, UNCAPPED_COUNTED_SLOTS, UNCAPPED_SLOTS)
            if caps[item.id] is None
            else (item.institution_id, item.id, NO_LIMIT, NO_LIMIT)
            for item in licenses.values()
        ],
        clock(),
    )
    overflow = [
        (item.institution_id, item.id, cap)
        for item in licenses.values()
        if (cap := caps[item.id]) is not None
        and (pool := pools.get(item.id, PoolState())).top > cap
        and pool.live < cap
    ]
    instances = [
        (item.institution_id, item.instance_key) for item in claims if item.instance_key is not None
    ]
    locked = await storage.lock_own_and_overflow(db, instances, overflow)
    now = clock()  # only now: what was locked after a wait must not be judged by an earlier instant
    allocations = {
        license_id: SeatAllocation(cap=cap, top=pool.top, live=pool.live, now=now)
        for license_id, cap in caps.items()
        for pool in (pools.get(license_id, PoolState()),)
    }
    own = {slot.instance_key: slot for slot in locked}
    for item in claims:
        key = item.instance_key
        allocations[item.license_id].add(item, own.get(key) if key is not None else None)
    caps_exceeded = {license_id: cap for _, license_id, cap in overflow}
    for slot in locked:
        if slot.n > caps_exceeded.get(slot.license_id, NO_LIMIT):
            allocations[slot.license_id].overflow.append(slot)
    return allocations


async def _lock_slots(
    db: Connection,
    licenses: Mapping[UUID, LicenseTerms],
    allocations: Mapping[UUID, SeatAllocation],
) -> None:
    """Lock free slots, and expired ones if these are not enough, and assign them."""
    needing = {key: item for key, item in allocations.items() if item.slots_needed > 0}
    _extend_free_slots(needing, await _lock_free(db, licenses, needing))
    short = {key: item for key, item in needing.items() if item.needs_expired_slots}
    if short:
        needs = [_slots_needed(licenses[key], item) for key, item in short.items()]
        now = max(item.now for item in short.values())
        _extend_free_slots(short, await storage.lock_expired(db, needs, now))
    for allocation in allocations.values():
        allocation.assign_slots()


async def _lock_free(
    db: Connection,
    licenses: Mapping[UUID, LicenseTerms],
    needing: Mapping[UUID, SeatAllocation],
) -> Mapping[UUID, list[Slot]]:
    needs = [_slots_needed(licenses[key], item) for key, item in needing.items() if item.top > 0]
    return await storage.lock_free(db, needs) if needs else {}


def _slots_needed(license_: LicenseTerms, allocation: SeatAllocation) -> storage.SlotsNeeded:
    cap = NO_LIMIT if allocation.cap is None else allocation.cap
    return (license_.institution_id, license_.id, cap, allocation.slots_needed)


def _extend_free_slots(
    allocations: Mapping[UUID, SeatAllocation], found: Mapping[UUID, list[Slot]]
) -> None:
    for license_id, slots in found.items():
        allocations[license_id].free_slots += slots


async def _write(
    db: Connection,
    licenses: Mapping[UUID, LicenseTerms],
    allocations: Mapping[UUID, SeatAllocation],
    present: datetime,
) -> None:
    """Write the decisions: ends first, since a session may start under the same instance key."""
    events = await _end(db, allocations)
    await storage.delete_slots(
        db, [place for allocation in allocations.values() for place in allocation.slots_to_delete()]
    )
    started = {key: item.start_sessions(new_id) for key, item in allocations.items()}
    await storage.fill_slots(db, [slot for updates, _ in started.values() for slot in updates])
    inserted = await storage.insert_slots(
        db, [slot for _, inserts in started.values() for slot in inserts]
    )
    for key, allocation in allocations.items():
        allocation.drop_lost_slots(inserted, started[key][1])
    sessions = [item for allocation in allocations.values() for item in allocation.sessions]
    await session_storage.insert_sessions(db, sessions)
    await note_peaks(db, licenses, allocations)
    events += _started_events(allocations)
    events += await _limit_events(db, licenses, allocations, present)
    await record_batch(db, events, present)


async def _end(
    db: Connection, allocations: Mapping[UUID, SeatAllocation]
) -> list[tuple[Event, Origin]]:
    ends: list[tuple[SeatClaim | None, SessionEnd]] = [
        end for allocation in allocations.values() for end in allocation.session_ends()
    ]
    ended = await session_storage.end_sessions(db, [end for _, end in ends])
    return [
        (ended_event(ended[end.key]), claim.origin if claim else Origin())
        for claim, end in ends
        if end.key in ended
    ]


def _started_events(allocations: Mapping[UUID, SeatAllocation]) -> list[tuple[Event, Origin]]:
    origins = {
        result.session_id: claim.origin
        for allocation in allocations.values()
        for claim, result in allocation.results.items()
        if isinstance(result, Connected)
    }
    return [
        (started_event(session), origins[session.id])
        for allocation in allocations.values()
        for session in allocation.sessions
    ]


async def _limit_events(
    db: Connection,
    licenses: Mapping[UUID, LicenseTerms],
    allocations: Mapping[UUID, SeatAllocation],
    now: datetime,
) -> list[tuple[Event, Origin]]:
    full = {key: item for key, item in allocations.items() if item.first_rejected is not None}
    due = await claim_topics(
        db, [limit_topic(licenses[key]) for key in full], LIMIT_EVENT_INTERVAL, now
    )
    return [
        (
            limit_event(licenses[key], used=item.seats_used, total=item.cap or 0),
            item.first_rejected.origin,
        )
        for key, item in full.items()
        if item.first_rejected is not None and limit_topic(licenses[key]) in due
    ]
