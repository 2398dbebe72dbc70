"""Lets a device in, or makes it wait, under the lock of the license's tally."""

from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from licet_server.devices import errors
from licet_server.devices.rules.model import Activation, Device, DeviceFacts, DeviceKey, Tally
from licet_server.devices.rules.seats import NEW_ROWS_A_DAY, has_room_today, seats_total
from licet_server.devices.rules.standing import DeviceStanding, standing_of
from licet_server.devices.service.events import limit_event, record_device_event
from licet_server.devices.storage import activations, tallies
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import claim_topics, record_events
from licet_server.kit.errors import Refused
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses import errors as license_errors
from licet_server.licenses.rules.model import License, LicenseTerms
from licet_server.licenses.rules.standing import require_active
from licet_server.licenses.service import reading

LIMIT_EVENT_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Admitted:
    """A device with a seat, or one that waits for approval; `made` when it was new."""

    activation: Activation
    seats_used: int
    seats_total: int | None
    made: bool


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """A device that found no seat; `foreign_to` is the machine that a node-locked license has."""

    refusal: Refused
    foreign_to: str | None = None


async def let_in(work: UnitOfWork, license_: License, device: Device) -> Admitted | TurnedAway:
    """Give the device a seat, bind the license to it, or make it wait, as the license says.

    Whoever comes for the same license waits until this transaction ends, and the cap cannot be
    changed meanwhile. A device that has its seat keeps it, with what it now says of itself.

    Raises:
        Refused: `LicenseNotFound`, `LicenseInvalid`, `LicenseExpired`, `DeviceBlocked`,
            `RateLimited` beyond the new devices of a day. Nothing is kept then.
    """
    terms = await _hold_license(work, license_)
    ids = (terms.institution_id, terms.id)
    tally = (await tallies.hold_tallies(work.db, [ids], work.now.date()))[terms.id]
    key: DeviceKey = (*ids, device.hardware_id)
    facts = (await activations.fetch_facts(work.db, [key]))[key]
    match standing_of(terms, facts):
        case DeviceStanding.BLOCKED:
            raise errors.blocked()
        case DeviceStanding.ELSEWHERE:
            return _turned_away(facts)
        case DeviceStanding.SEATED | DeviceStanding.PENDING:
            return await _still_there(work, terms, tally, facts, device)
        case DeviceStanding.UNKNOWN:
            return await _make_pending(work, terms, tally, facts, device)
        case DeviceStanding.UNBOUND:
            return await _bind(work, terms, facts, device)
        case DeviceStanding.FREE:
            return await _seat(work, terms, tally, device)


async def bind_named(work: UnitOfWork, license_: License, device: Device) -> Admitted | TurnedAway:
    """Bind a node-locked license to a machine that an operator names, whoever waits for it.

    Raises:
        Refused: as `let_in`, but never `RateLimited`.
    """
    terms = await _hold_license(work, license_)
    ids = (terms.institution_id, terms.id)
    await tallies.hold_tallies(work.db, [ids], work.now.date())
    key: DeviceKey = (*ids, device.hardware_id)
    facts = (await activations.fetch_facts(work.db, [key]))[key]
    match standing_of(terms, facts):
        case DeviceStanding.BLOCKED:
            raise errors.blocked()
        case DeviceStanding.ELSEWHERE:
            return _turned_away(facts)
        case _:
            return await _bind(work, terms, facts, device, waiting=EventKind.ACTIVATION_APPROVED)


async def _hold_license(work: UnitOfWork, license_: License) -> LicenseTerms:
    ids = (license_.institution_id, license_.id)
    terms = (await reading.lock_terms(work.db, [ids])).get(license_.id)
    if terms is None:
        raise license_errors.unknown_license_key()
    require_active(terms, work.now)
    return terms


def _turned_away(facts: DeviceFacts) -> TurnedAway:
    other = facts.bound_other
    return TurnedAway(errors.bound_machine_has_the_seat(), other.hardware_id if other else None)


async def _still_there(
    work: UnitOfWork, terms: LicenseTerms, tally: Tally, facts: DeviceFacts, device: Device
) -> Admitted:
    if facts.own is None:
        raise ValueError("a device that has its seat has a row")
    seen = _as_described(facts.own, device, work.now)
    await activations.update_activation(work.db, seen)
    return Admitted(seen, tally.seats_used, seats_total(terms), made=False)


async def _seat(
    work: UnitOfWork, terms: LicenseTerms, tally: Tally, device: Device
) -> Admitted | TurnedAway:
    cap = seats_total(terms)
    ids = (terms.institution_id, terms.id)
    used = await tallies.take_seat(work.db, ids, cap)
    if used is None:
        return await _full(work, terms, tally, cap or 0)
    _require_room_today(work, terms, tally)
    made = _new_activation(work, terms, device, holds_seat=True)
    await _insert(work, made, EventKind.ACTIVATION_CREATED)
    return Admitted(made, used, cap, made=True)


async def _full(work: UnitOfWork, terms: LicenseTerms, tally: Tally, cap: int) -> TurnedAway:
    topic = (terms.institution_id, f"activations-full:{terms.id}")
    if topic in await claim_topics(work.db, [topic], LIMIT_EVENT_EVERY, work.now):
        event = limit_event(terms, tally.seats_used, cap)
        await record_events(work, [event])
    return TurnedAway(errors.seats_taken(tally.seats_used, cap))


async def _make_pending(
    work: UnitOfWork, terms: LicenseTerms, tally: Tally, facts: DeviceFacts, device: Device
) -> Admitted:
    if facts.own is None:
        _require_room_today(work, terms, tally)
        made = _new_activation(work, terms, device, holds_seat=False)
        await _insert(work, made, EventKind.ACTIVATION_PENDING)
        return Admitted(made, tally.seats_used, seats_total(terms), made=True)
    made = _without_seat(_as_described(facts.own, device, work.now))
    await activations.update_activation(work.db, made)
    await tallies.give_back_seats(work.db, (terms.institution_id, terms.id), 1)
    await record_device_event(work, EventKind.ACTIVATION_PENDING, made)
    return Admitted(made, tally.seats_used - 1, seats_total(terms), made=True)


async def _bind(
    work: UnitOfWork,
    terms: LicenseTerms,
    facts: DeviceFacts,
    device: Device,
    waiting: EventKind = EventKind.ACTIVATION_CREATED,
) -> Admitted:
    """The one machine of a license needs no room among the new devices of a day.

    Whoever knows the key could use that up, and so keep the license from its owner's new machine.
    """
    if facts.own is not None:
        item = _as_described(facts.own, device, work.now)
        return await bind_waiting(work, terms, item, waiting)
    await clear_unbound_seats(work, terms)
    await tallies.take_seat(work.db, (terms.institution_id, terms.id), None)
    made = replace(_new_activation(work, terms, device, holds_seat=True), bound=True)
    await _insert(work, made, EventKind.ACTIVATION_CREATED)
    return Admitted(made, 1, 1, made=True)


async def bind_waiting(
    work: UnitOfWork, terms: LicenseTerms, item: Activation, event: EventKind
) -> Admitted:
    """Make a device that has a row the one machine of its license, whose tally is held."""
    bound = replace(item, holds_seat=True, bound=True, activated_at=item.activated_at or work.now)
    await activations.update_activation(work.db, bound)
    if not item.holds_seat:
        await tallies.take_seat(work.db, (terms.institution_id, terms.id), None)
    await clear_unbound_seats(work, terms)
    await record_device_event(work, event, bound)
    return Admitted(bound, 1, 1, made=True)


async def clear_unbound_seats(work: UnitOfWork, terms: LicenseTerms) -> None:
    """Seats from before the license was node-locked end when it gets its machine.

    A blocked device loses its seat, but not its block.
    """
    ids = (terms.institution_id, terms.id)
    blocked = await activations.unseat_blocked(work.db, *ids)
    left = await activations.delete_unbound_seats(work.db, *ids)
    if left or blocked:
        await tallies.give_back_seats(work.db, ids, len(left) + blocked)
    for item in left:
        await record_device_event(work, EventKind.ACTIVATION_DELETED, item, reason="Converted")


def _require_room_today(work: UnitOfWork, terms: LicenseTerms, tally: Tally) -> None:
    if not has_room_today(terms, tally):
        limit = max(NEW_ROWS_A_DAY, seats_total(terms) or 0)
        raise errors.too_many_new_devices(limit, _seconds_left_today(work.now))


async def _insert(work: UnitOfWork, made: Activation, event: EventKind) -> None:
    await activations.insert_activation(work.db, made)
    await tallies.count_new_rows(work.db, (made.institution_id, made.license_id), 1)
    await record_device_event(work, event, made)


def _new_activation(
    work: UnitOfWork, terms: LicenseTerms, device: Device, *, holds_seat: bool
) -> Activation:
    return Activation(
        institution_id=terms.institution_id,
        id=work.new_id(),
        license_id=terms.id,
        product_id=terms.product_id,
        hardware_id=device.hardware_id,
        device_name=device.name,
        os=device.os,
        app_version=device.app_version,
        metadata=device.metadata,
        holds_seat=holds_seat,
        bound=False,
        blocked_at=None,
        created_at=work.now,
        activated_at=work.now if holds_seat else None,
        last_seen_at=work.now,
    )


def _without_seat(item: Activation) -> Activation:
    return replace(item, holds_seat=False, bound=False, activated_at=None)


def _as_described(item: Activation, device: Device, now: datetime) -> Activation:
    """What a device left out this time stays as it was."""
    return replace(
        item,
        device_name=device.name or item.device_name,
        os=device.os or item.os,
        app_version=device.app_version or item.app_version,
        metadata=device.metadata or item.metadata,
        last_seen_at=now,
    )


def _seconds_left_today(now: datetime) -> int:
    midnight = datetime.combine(now.date() + timedelta(days=1), time(), now.tzinfo)
    return max(1, round((midnight - now).total_seconds()))
