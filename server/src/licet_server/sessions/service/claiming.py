"""Claiming of seats for a batch in the caller's transaction, with a few statements for all.

Licenses and devices stay locked until the commit: a transaction that lowers a cap, revokes a
license or blocks a device waits, and then sees these sessions.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.devices.rules.proofs import ProofFault
from licet_server.devices.rules.proofs import refusal_of as refusal_of_fault
from licet_server.devices.service.lookup import admitted_among, locking_for_share
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import changes_of_batch, claim_topics
from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection
from licet_server.kit.ids import new_id
from licet_server.kit.origin import Origin
from licet_server.kit.together import Change, Found, fetch_together
from licet_server.licenses.rules.model import LicenseId, LicenseTerms
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
from licet_server.sessions.rules.pools import PoolState
from licet_server.sessions.service.events import (
    ended_event,
    limit_event,
    limit_topic,
    started_event,
)
from licet_server.sessions.service.reading import changes_of_peaks
from licet_server.sessions.storage import pools
from licet_server.sessions.storage import sessions as session_storage
from licet_server.sessions.storage import slots as storage

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
    results = _refusals(claims, licenses, clock())
    permitted = [item for item in claims if item not in results]
    if permitted:
        results |= await _claim(db, permitted, licenses, clock, present)
    return [results[item] for item in claims]


def _refusals(
    claims: Sequence[SeatClaim], licenses: Mapping[UUID, LicenseTerms], now: datetime
) -> dict[SeatClaim, Result]:
    """Reject the claims whose license does not permit a session."""
    results: dict[SeatClaim, Result] = {}
    for item in claims:
        license_ = licenses.get(item.license_id)
        refused = refusal_of(license_, now) if license_ is not None else errors.AdmissionOutdated()
        if refused is not None:
            results[item] = refused
    return results


async def _claim(
    db: Connection,
    claims: Sequence[SeatClaim],
    licenses: Mapping[UUID, LicenseTerms],
    clock: Clock,
    present: Clock,
) -> dict[SeatClaim, Result]:
    """Claim seats of licenses that permit it; reject used proofs, and what a device may not do."""
    claimed = {item.license_id: licenses[item.license_id] for item in claims}
    devices = [(licenses[item.license_id], item.hardware_id) for item in claims]
    locked = await _lock(db, claims, claimed, devices, clock())
    results: dict[SeatClaim, Result] = {
        item: errors.AdmissionOutdated()
        for item, is_admitted in zip(claims, admitted_among(devices, locked.devices), strict=True)
        if not is_admitted
    }
    results |= await used_proofs(db, [item for item in claims if item not in results])
    firsts = first_of_each([item for item in claims if item not in results])
    allocations = await _allocate(
        db, list(dict.fromkeys(firsts.values())), licenses, locked, clock, present
    )
    for allocation in allocations.values():
        results |= allocation.results
    return results | {item: results[first] for item, first in firsts.items()}


@dataclass(frozen=True, slots=True)
class _Locked:
    """What was locked and counted for claims: slots of their instances, and free ones."""

    devices: Found
    pools: Mapping[UUID, PoolState]
    own: list[Slot]
    free: Mapping[UUID, list[Slot]]


async def _lock(
    db: Connection,
    claims: Sequence[SeatClaim],
    licenses: Mapping[UUID, LicenseTerms],
    devices: Sequence[tuple[LicenseTerms, str]],
    now: datetime,
) -> _Locked:
    """Lock what most claims need, after their licenses, in one round trip.

    A free slot is locked for each, also for one that replaces a session and then leaves it free.
    """
    numbers = Counter(item.license_id for item in claims)
    found = await fetch_together(
        db,
        locking_for_share(devices),
        pools.counting([_pool_of(item) for item in licenses.values()], now),
        storage.locking_own(_instances(claims, licenses)),
        storage.locking_free(
            [
                (item.institution_id, item.id, _last_slot(item), numbers[item.id])
                for item in licenses.values()
            ]
        ),
    )
    return _Locked(
        devices=found[0],
        pools=pools.pools_in(found[1]),
        own=[storage.slot_of(row) for row in found[2]],
        free=storage.by_license(found[3]),
    )


def _pool_of(license_: LicenseTerms) -> tuple[UUID, UUID, int, int, int]:
    cap = cap_of(license_)
    last, greatest = (
        (UNCAPPED_COUNTED_SLOTS, UNCAPPED_SLOTS) if cap is None else (NO_LIMIT, NO_LIMIT)
    )
    return (license_.institution_id, license_.id, last, greatest, cap or 0)


def _last_slot(license_: LicenseTerms) -> int:
    cap = cap_of(license_)
    return NO_LIMIT if cap is None else cap


def _instances(
    claims: Sequence[SeatClaim], licenses: Mapping[UUID, LicenseTerms]
) -> list[tuple[UUID, bytes, int]]:
    return [
        (item.institution_id, key, _last_slot(licenses[item.license_id]))
        for item in claims
        if (key := item.instance_key) is not None
    ]


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
    locked: _Locked,
    clock: Clock,
    present: Clock,
) -> dict[UUID, SeatAllocation]:
    if not claims:
        return {}
    claimed = {item.license_id: licenses[item.license_id] for item in claims}
    allocations = await _begin(db, claims, claimed, locked, clock)
    await storage.clear_slots(
        db, [slot.place for allocation in allocations.values() for slot in allocation.expired]
    )
    await _lock_more_slots(db, claimed, allocations)
    await _write(db, claimed, locked.pools, allocations, present())
    return allocations


async def _begin(
    db: Connection,
    claims: Sequence[SeatClaim],
    licenses: Mapping[UUID, LicenseTerms],
    locked: _Locked,
    clock: Clock,
) -> dict[UUID, SeatAllocation]:
    """Lock slots beyond the caps where there are any, and add the claims."""
    caps = {license_id: cap_of(item) for license_id, item in licenses.items()}
    states = {key: locked.pools.get(key, PoolState()) for key in licenses}
    exceeded = {key: cap for key, cap in caps.items() if cap is not None and states[key].top > cap}
    overflow = [
        (licenses[key].institution_id, key, cap)
        for key, cap in exceeded.items()
        if states[key].live < cap
    ]
    beyond: list[Slot] = []
    if exceeded:
        of_exceeded = [item for item in claims if item.license_id in exceeded]
        beyond = await storage.lock_beyond_cap(db, _instances(of_exceeded, licenses), overflow)
    now = clock()  # only now: what was locked after a wait must not be judged by an earlier instant
    allocations = {
        key: SeatAllocation(
            cap=cap,
            top=states[key].top,
            live=states[key].live,
            now=now,
            free_slots=list(locked.free.get(key, ())),
        )
        for key, cap in caps.items()
    }
    own = {slot.instance_key: slot for slot in (*locked.own, *beyond)}
    for item in claims:
        key = item.instance_key
        allocations[item.license_id].add(item, own.get(key) if key is not None else None)
    drained = {license_id for _, license_id, _ in overflow}
    for slot in beyond:
        if slot.license_id in drained:
            allocations[slot.license_id].overflow.append(slot)
    return allocations


async def _lock_more_slots(
    db: Connection,
    licenses: Mapping[UUID, LicenseTerms],
    allocations: Mapping[UUID, SeatAllocation],
) -> None:
    """Lock further free slots for sessions that move, then expired ones, and assign all slots."""
    moving = {
        key: item for key, item in allocations.items() if item.to_move and item.slots_needed > 0
    }
    if moving:
        for item in moving.values():
            item.free_slots.clear()  # they are found again
        needs = [_slots_needed(licenses[key], item) for key, item in moving.items()]
        _extend_free_slots(moving, await storage.lock_free(db, needs))
    short = {key: item for key, item in allocations.items() if item.needs_expired_slots}
    if short:
        needs = [_slots_needed(licenses[key], item) for key, item in short.items()]
        now = max(item.now for item in short.values())
        _extend_free_slots(short, await storage.lock_expired(db, needs, now))
    for allocation in allocations.values():
        allocation.assign_slots()


def _slots_needed(license_: LicenseTerms, allocation: SeatAllocation) -> storage.SlotsNeeded:
    needed = allocation.slots_needed
    return (license_.institution_id, license_.id, _last_slot(license_), needed)


def _extend_free_slots(
    allocations: Mapping[UUID, SeatAllocation], found: Mapping[UUID, list[Slot]]
) -> None:
    for license_id, slots in found.items():
        allocations[license_id].free_slots += slots


async def _write(
    db: Connection,
    licenses: Mapping[UUID, LicenseTerms],
    states: Mapping[UUID, PoolState],
    allocations: Mapping[UUID, SeatAllocation],
    present: datetime,
) -> None:
    """Write the decisions: ends first, since a session may start under the same instance key."""
    events = await _end(db, allocations)
    await storage.delete_slots(
        db, [place for allocation in allocations.values() for place in allocation.slots_to_delete()]
    )
    started = {key: item.start_sessions(new_id) for key, item in allocations.items()}
    inserted = await storage.insert_slots(
        db, [slot for _, inserts in started.values() for slot in inserts]
    )
    for key, allocation in allocations.items():
        allocation.drop_lost_slots(inserted, started[key][1])
    events += _started_events(allocations)
    events += await _limit_events(db, licenses, allocations, present)
    await storage.fill_slots(
        db,
        [slot for updates, _ in started.values() for slot in updates],
        *session_storage.inserting([it for each in allocations.values() for it in each.sessions]),
        *changes_of_peaks(licenses, allocations),
        *_changes_of_pools(licenses, states, allocations),
        *changes_of_batch(events, present),
    )


def _changes_of_pools(
    licenses: Mapping[UUID, LicenseTerms],
    states: Mapping[UUID, PoolState],
    allocations: Mapping[UUID, SeatAllocation],
) -> list[Change]:
    """Return what keeps true what is known of timeouts; nothing in most cases."""
    quiet: list[tuple[LicenseId, datetime]] = []
    for key, state in states.items():
        if (allocation := allocations.get(key)) is not None:
            started = [item.expires_at for item in allocation.sessions if item.expires_at]
            until = state.quiet_after(allocation.cap, started, allocation.now)
            if until is not None:
                quiet.append(((licenses[key].institution_id, key), until))
    return pools.storing(quiet)


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
