"""Lets a batch of applicants in, in the caller's transaction, with a few statements for all.

License and device are held until the commit: whoever lowers a cap, revokes or blocks waits, and
then sees these sessions.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.devices.service.lookup import lock_admitted
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import claim_topics, record_batch
from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.licenses.rules.model import LicenseTerms
from licet_server.licenses.rules.standing import refusal_of
from licet_server.licenses.service import reading
from licet_server.sessions import errors
from licet_server.sessions.rules.model import Applicant, Connected, Ending, Slot
from licet_server.sessions.rules.seating import (
    NO_LIMIT,
    UNCAPPED_COUNTED_TO,
    Seating,
    cap_of,
    first_of_each,
)
from licet_server.sessions.service.events import (
    ended_event,
    limit_event,
    limit_topic,
    started_event,
)
from licet_server.sessions.storage import sessions as session_storage
from licet_server.sessions.storage import slots as storage
from licet_server.sessions.storage.slots import PoolState

LIMIT_EVENT_EVERY = timedelta(minutes=1)

Answer = Connected | Exception


async def let_in(
    db: Connection, applicants: Sequence[Applicant], clock: Clock
) -> list[Connected | Exception]:
    """An answer for each, by position; an exception is for that applicant alone.

    Applicants of the same instance get the same answer. `NotAdmitted` and `SeatsInFlux` ask for
    another try in another transaction.

    Raises:
        InstanceTaken: when another transaction is letting the same instance in.
    """
    licenses = await reading.lock_terms(db, sorted({item.license for item in applicants}))
    answers = await _refusals(db, applicants, licenses, clock())
    firsts = first_of_each([item for item in applicants if item not in answers])
    seatings = await _seat(db, list(dict.fromkeys(firsts.values())), licenses, clock)
    for seating in seatings.values():
        answers |= seating.answers
    answers |= {item: answers[first] for item, first in firsts.items()}
    return [answers[item] for item in applicants]


async def _refusals(
    db: Connection,
    applicants: Sequence[Applicant],
    licenses: Mapping[UUID, LicenseTerms],
    now: datetime,
) -> dict[Applicant, Answer]:
    """Those who may have no session at all."""
    answers: dict[Applicant, Answer] = {}
    asked: list[Applicant] = []
    for item in applicants:
        license_ = licenses.get(item.license_id)
        refused = refusal_of(license_, now) if license_ is not None else errors.NotAdmitted()
        if refused is not None:
            answers[item] = refused
        else:
            asked.append(item)
    machines = [(licenses[item.license_id], item.hardware_id) for item in asked]
    for item, admitted in zip(asked, await lock_admitted(db, machines), strict=True):
        if not admitted:
            answers[item] = errors.NotAdmitted()
    return answers


async def _seat(
    db: Connection,
    applicants: Sequence[Applicant],
    licenses: Mapping[UUID, LicenseTerms],
    clock: Clock,
) -> dict[UUID, Seating]:
    if not applicants:
        return {}
    wanted = {item.license_id: licenses[item.license_id] for item in applicants}
    seatings = await _arrive(db, applicants, wanted, clock)
    await storage.empty_slots(
        db, [slot.place for seating in seatings.values() for slot in seating.vacated]
    )
    await _claim(db, wanted, seatings)
    await _settle(db, wanted, seatings)
    return seatings


async def _arrive(
    db: Connection,
    applicants: Sequence[Applicant],
    licenses: Mapping[UUID, LicenseTerms],
    clock: Clock,
) -> dict[UUID, Seating]:
    caps = {license_id: cap_of(item) for license_id, item in licenses.items()}
    pools = await storage.look_at_pools(
        db,
        [
            (
                item.institution_id,
                item.id,
                UNCAPPED_COUNTED_TO if caps[item.id] is None else NO_LIMIT,
            )
            for item in licenses.values()
        ],
        clock(),
    )
    over = [
        (item.institution_id, item.id, cap)
        for item in licenses.values()
        if (cap := caps[item.id]) is not None
        and (pool := pools.get(item.id, PoolState())).top > cap
        and pool.live < cap
    ]
    instances = [
        (item.institution_id, item.instance_key)
        for item in applicants
        if item.instance_key is not None
    ]
    locked = await storage.lock_own_and_over(db, instances, over)
    now = clock()  # only now: whoever waited for the locks must not be judged by an earlier instant
    seatings = {
        license_id: Seating(cap, pool.top, pool.live, now)
        for license_id, cap in caps.items()
        for pool in (pools.get(license_id, PoolState()),)
    }
    own = {slot.instance_key: slot for slot in locked}
    for item in applicants:
        key = item.instance_key
        seatings[item.license_id].arrive(item, own.get(key) if key is not None else None)
    compacted = {license_id: cap for _, license_id, cap in over}
    for slot in locked:
        if slot.n > compacted.get(slot.license_id, NO_LIMIT):
            seatings[slot.license_id].over.append(slot)
    return seatings


async def _claim(
    db: Connection, licenses: Mapping[UUID, LicenseTerms], seatings: Mapping[UUID, Seating]
) -> None:
    wanting = {key: item for key, item in seatings.items() if item.wanted > 0}
    _hand_over(wanting, await _take_free(db, licenses, wanting))
    short = {key: item for key, item in wanting.items() if item.is_short}
    if short:
        needs = [_need(licenses[key], item) for key, item in short.items()]
        now = max(item.now for item in short.values())
        _hand_over(short, await storage.take_expired(db, needs, now))
    for seating in seatings.values():
        seating.place()


async def _take_free(
    db: Connection, licenses: Mapping[UUID, LicenseTerms], wanting: Mapping[UUID, Seating]
) -> Mapping[UUID, list[Slot]]:
    needs = [_need(licenses[key], item) for key, item in wanting.items() if item.top > 0]
    return await storage.take_free(db, needs) if needs else {}


def _need(license_: LicenseTerms, seating: Seating) -> storage.Need:
    cap = NO_LIMIT if seating.cap is None else seating.cap
    return (license_.institution_id, license_.id, cap, seating.wanted)


def _hand_over(seatings: Mapping[UUID, Seating], found: Mapping[UUID, list[Slot]]) -> None:
    for license_id, slots in found.items():
        seatings[license_id].targets += slots


async def _settle(
    db: Connection, licenses: Mapping[UUID, LicenseTerms], seatings: Mapping[UUID, Seating]
) -> None:
    """Write what was decided: ends first, so that their names are free for those who begin."""
    told = await _end(db, seatings)
    await storage.delete_slots(
        db, [place for seating in seatings.values() for place in seating.superfluous()]
    )
    filled = {key: item.fill() for key, item in seatings.items()}
    await storage.fill_slots(db, [slot for written, _ in filled.values() for slot in written])
    added = await storage.add_slots(db, [slot for _, new in filled.values() for slot in new])
    for key, seating in seatings.items():
        seating.lose(added, filled[key][1])
    begun = [item for seating in seatings.values() for item in seating.sessions]
    await session_storage.insert_sessions(db, begun)
    told += _started(seatings)
    now = max(seating.now for seating in seatings.values())
    told += await _told_of_limits(db, licenses, seatings, now)
    await record_batch(db, told, now)


async def _end(db: Connection, seatings: Mapping[UUID, Seating]) -> list[tuple[Event, Origin]]:
    causes: list[tuple[Applicant | None, Ending]] = [
        cause for seating in seatings.values() for cause in seating.endings()
    ]
    ended = await session_storage.end_sessions(db, [ending for _, ending in causes])
    return [
        (ended_event(ended[ending.key]), applicant.origin if applicant else Origin())
        for applicant, ending in causes
        if ending.key in ended
    ]


def _started(seatings: Mapping[UUID, Seating]) -> list[tuple[Event, Origin]]:
    origins = {
        answer.session_id: applicant.origin
        for seating in seatings.values()
        for applicant, answer in seating.answers.items()
        if isinstance(answer, Connected)
    }
    return [
        (started_event(session), origins[session.id])
        for seating in seatings.values()
        for session in seating.sessions
    ]


async def _told_of_limits(
    db: Connection,
    licenses: Mapping[UUID, LicenseTerms],
    seatings: Mapping[UUID, Seating],
    now: datetime,
) -> list[tuple[Event, Origin]]:
    full = {key: item for key, item in seatings.items() if item.first_refused is not None}
    due = await claim_topics(
        db, [limit_topic(licenses[key]) for key in full], LIMIT_EVENT_EVERY, now
    )
    return [
        (limit_event(licenses[key], item.used, item.cap or 0), item.first_refused.origin)
        for key, item in full.items()
        if item.first_refused is not None and limit_topic(licenses[key]) in due
    ]
