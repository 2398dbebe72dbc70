"""Admission of devices under the lock of the license's counters."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from datetime import datetime, timedelta

from msgspec.structs import replace

from licet_server.catalog.reading import product_settings
from licet_server.catalog.rules.model import ProductSettings
from licet_server.devices import errors
from licet_server.devices.rules.admission import (
    DeviceState,
    daily_limit,
    device_state_of,
    seats_total,
    seconds_until_midnight,
)
from licet_server.devices.rules.components import bound
from licet_server.devices.rules.hardware import require_accepted
from licet_server.devices.rules.model import (
    Activation,
    Device,
    DeviceCounters,
    DeviceFacts,
    DeviceKey,
    new_activation,
)
from licet_server.devices.rules.proofs import ProofFault, fault_of_key, is_clone, refusal_of
from licet_server.devices.rules.recognition import (
    as_clone,
    as_matched,
    may_have_own_seat,
    plain_id,
    takes_own_seat,
)
from licet_server.devices.rules.releases import REFUSED_FOR
from licet_server.devices.service.app_releases import count_app_releases_left
from licet_server.devices.service.events import (
    device_event,
    limit_event,
    record_device_event,
)
from licet_server.devices.service.keys import record_clone
from licet_server.devices.service.recognition import Recognition, learn_components, recognize
from licet_server.devices.service.removal import DeviceHooks, delete_device
from licet_server.devices.service.seats import lock_pool, return_free_seats
from licet_server.devices.storage import activations, components, counters, releases
from licet_server.devices.storage.activations import ACTIVATIONS
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import claim_topics, record_events
from licet_server.kit.errors import Refused
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses import errors as license_errors
from licet_server.licenses.rules.model import License, LicenseId, LicenseTerms, OnClone
from licet_server.licenses.rules.runtime import require_active
from licet_server.licenses.service import reading

LIMIT_EVENT_INTERVAL = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Admitted:
    """A device that got a seat or is pending approval.

    `created` is false where nothing changed but what the device reports about itself. One that is
    `moved` was known under another hardware ID before.
    """

    activation: Activation
    seats_used: int
    seats_total: int | None
    created: bool
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """A device that got no seat; `bound_to` is the hardware ID the license is bound to, if any."""

    refusal: Refused
    bound_to: str | None = None


async def admit_device(
    work: UnitOfWork,
    hooks: DeviceHooks,
    settings: ProductSettings,
    license_: License,
    device: Device,
) -> Admitted | Rejected:
    """Give the device a seat, bind the license to it, or submit it for approval.

    Transactions that admit devices of one license run in turn, and its seat cap cannot change
    meanwhile. A device that is admitted already keeps its seat; its details are updated. Where no
    seat is free, one is reclaimed from a device that was not seen for as many days as the product
    allows.

    Raises:
        Refused: `LicenseNotFound`, `LicenseInvalid`, `LicenseExpired`, `DeviceBlocked`,
            `DeviceProofRequired`, `RateLimited` beyond the daily limit of new devices. Nothing is
            stored then.
    """
    device = as_matched(license_, device)
    terms, counts, facts = await _lock(work, license_, device)
    found = await _find_row(work, hooks, settings, license_, device, facts)
    if found.is_clone and license_.on_clone is OnClone.REFUSE:
        return Rejected(errors.key_of_another())
    facts, other = found.facts, found.facts.own
    if takes_own_seat(license_, other, device.shown):
        device, facts = as_clone(device), DeviceFacts()
    elif facts.own is not None:
        device = replace(device, hardware_id=facts.own.hardware_id)
    known = facts.own.jkt if facts.own is not None else None
    if other is not None and (facts.own is None or is_clone(known, device.shown)):
        await record_clone(work, other)
    fault = fault_of_key(license_.device_proof, known, device.shown)
    if fault is ProofFault.OTHER_KEY:
        return Rejected(errors.other_key())  # not raised, so that the clone stays recorded
    if fault is not None:
        raise refusal_of(fault)
    if facts.own is not None:
        own = await learn_components(work, license_, device, facts.own)
        facts = replace(facts, own=own)
    outcome = await _admit(work, hooks, settings, terms, counts, facts, device)
    if found.is_moved and isinstance(outcome, Admitted):
        return replace_fields(outcome, moved=True)
    return outcome


async def _find_row(
    work: UnitOfWork,
    hooks: DeviceHooks,
    settings: ProductSettings,
    license_: License,
    device: Device,
    facts: DeviceFacts,
) -> Recognition:
    """Find the row of a device: first that of its hardware ID and key, then one like it.

    Raises:
        Refused: `DeviceBlocked` for a blocked machine under another hardware ID.
    """
    if may_have_own_seat(license_, device.hardware_id, facts, device.shown):
        key = (*_ids(license_), as_clone(device).hardware_id)
        clone = (await activations.fetch_facts(work.db, [key]))[key]
        if clone.own is not None:
            return Recognition(clone)
    found = await recognize(work, hooks, settings, license_, device, facts)
    if found.is_blocked:
        raise errors.blocked()
    return found


async def _admit(
    work: UnitOfWork,
    hooks: DeviceHooks,
    settings: ProductSettings,
    terms: LicenseTerms,
    counts: DeviceCounters,
    facts: DeviceFacts,
    device: Device,
) -> Admitted | Rejected:
    match device_state_of(terms, facts):
        case DeviceState.BLOCKED:
            raise errors.blocked()
        case DeviceState.ELSEWHERE:
            return _rejected_as_bound(facts)
        case DeviceState.SEATED | DeviceState.PENDING:
            return await _update_details(work, terms, counts, facts, device)
        case DeviceState.RELEASED | DeviceState.OVER_LIMIT:
            return await _take_up_again(work, settings, terms, counts, facts, device)
        case DeviceState.UNKNOWN:
            return await _make_pending(work, terms, counts, facts, device)
        case DeviceState.UNBOUND:
            return await _bind(work, terms, facts, device)
        case DeviceState.FREE:
            outcome = await _assign_seat(work, hooks, settings, terms, counts, device)
            if isinstance(outcome, Admitted):
                _check_daily_limit(work, terms, counts)
            return outcome


async def admit_chosen_device(
    work: UnitOfWork, hooks: DeviceHooks, license_: License, device: Device
) -> Admitted | Rejected:
    """Give a seat to the device that a signed-in user chose, pending or not.

    Raises:
        Refused: as `admit_device`, but never `RateLimited`; `HardwareIdNotAccepted`.
    """
    settings = await product_settings(work.db, license_.institution_id, license_.product_id)
    require_accepted(settings, license_, device.hardware_id)
    terms, counts, facts = await _lock(work, license_, device)
    match device_state_of(terms, facts):
        case DeviceState.BLOCKED:
            raise errors.blocked()
        case DeviceState.ELSEWHERE:
            return _rejected_as_bound(facts)
        case DeviceState.SEATED:
            return await _update_details(work, terms, counts, facts, device)
        case DeviceState.RELEASED | DeviceState.OVER_LIMIT:
            return await _take_up_again(work, settings, terms, counts, facts, device)
        case DeviceState.FREE:
            return await _assign_seat(work, hooks, settings, terms, counts, device)
        case _:
            return await _bind(
                work, terms, facts, device, known_device_event=EventKind.ACTIVATION_APPROVED
            )


async def _lock(
    work: UnitOfWork, license_: License, device: Device
) -> tuple[LicenseTerms, DeviceCounters, DeviceFacts]:
    """Lock an active license, then its pool of seats, and read what is known of the device."""
    ids = (license_.institution_id, license_.id)
    terms = (await reading.lock_terms(work.db, [ids])).get(license_.id)
    if terms is None:
        raise license_errors.unknown_license_key()
    require_active(terms, work.now)
    counts = await lock_pool(work, ids)
    key: DeviceKey = (*ids, device.hardware_id)
    return terms, counts, (await activations.fetch_facts(work.db, [key]))[key]


def _ids(license_: License) -> LicenseId:
    return (license_.institution_id, license_.id)


def _rejected_as_bound(facts: DeviceFacts) -> Rejected:
    other = facts.bound_other
    return Rejected(errors.seat_bound_elsewhere(), other.hardware_id if other else None)


async def _update_details(
    work: UnitOfWork,
    terms: LicenseTerms,
    counts: DeviceCounters,
    facts: DeviceFacts,
    device: Device,
) -> Admitted:
    if facts.own is None:
        raise ValueError("an admitted device has an activation")
    updated = _with_details(facts.own, device, work.now)
    await ACTIVATIONS.save(work.db, updated)
    return Admitted(
        updated, seats_used=counts.seats_used, seats_total=seats_total(terms), created=False
    )


async def _take_up_again(
    work: UnitOfWork,
    settings: ProductSettings,
    terms: LicenseTerms,
    counts: DeviceCounters,
    facts: DeviceFacts,
    device: Device,
) -> Admitted | Rejected:
    """Give a released device back its seat, which is still counted as taken, if it has one."""
    if facts.own is None:
        raise ValueError("a released device has an activation")
    if facts.own.over_limit_at is not None:
        return await _ask_again(work, settings, terms, counts, facts.own, device)
    kept = replace(
        _with_details(facts.own, device, work.now), activated_at=work.now, released_at=None
    )
    await ACTIVATIONS.save(work.db, kept)
    await counters.move_seats(work.db, (terms.institution_id, terms.id), waiting=-1)
    await record_device_event(work, EventKind.ACTIVATION_CREATED, kept)
    return Admitted(
        kept, seats_used=counts.seats_used, seats_total=seats_total(terms), created=True
    )


async def _ask_again(
    work: UnitOfWork,
    settings: ProductSettings,
    terms: LicenseTerms,
    counts: DeviceCounters,
    asked: Activation,
    device: Device,
) -> Admitted | Rejected:
    """Give a device over the limit its seat if one is free, which is so only if it was released."""
    ids = (terms.institution_id, terms.id)
    if asked.released_at is not None:
        asked = replace(_with_details(asked, device, work.now), released_at=None)
        await ACTIVATIONS.save(work.db, asked)
        counts = await return_free_seats(work, ids, counts)
        key: DeviceKey = (*ids, device.hardware_id)
        asked = (await activations.fetch_facts(work.db, [key]))[key].own or asked
    if asked.holds_seat:
        used, total = counts.seats_used, seats_total(terms)
        return Admitted(asked, seats_used=used, seats_total=total, created=True)
    if terms.traits.is_node_locked:
        return Rejected(errors.seat_bound_elsewhere())
    return await _reject_as_full(work, settings, terms, counts, device)


async def _assign_seat(
    work: UnitOfWork,
    hooks: DeviceHooks,
    settings: ProductSettings,
    terms: LicenseTerms,
    counts: DeviceCounters,
    device: Device,
) -> Admitted | Rejected:
    cap = seats_total(terms)
    ids = (terms.institution_id, terms.id)
    if cap is not None and settings.device_idle_days is not None and counts.seats_used >= cap:
        idle = timedelta(days=settings.device_idle_days)
        needed = counts.seats_used + counts.over_limit - cap + 1
        await _reclaim_seats(work, hooks, ids, needed, idle)
    used = await counters.increment_seats(work.db, ids, cap)
    if used is None:
        return await _reject_as_full(work, settings, terms, counts, device)
    activation = new_activation(terms, device, work.new_id(), work.now, holds_seat=True)
    await _insert(work, activation, device, EventKind.ACTIVATION_CREATED)
    return Admitted(activation, seats_used=used, seats_total=cap, created=True)


async def _reclaim_seats(
    work: UnitOfWork, hooks: DeviceHooks, license_id: LicenseId, needed: int, idle: timedelta
) -> None:
    """Remove the devices that were not seen for the longest time, if enough of them are idle.

    The counters are locked, so no seat is reclaimed twice or given to two devices.
    """
    in_use = await hooks.devices_in_use(work.db, license_id, work.now)
    found = await activations.lock_idle(
        work.db, license_id, needed, before=work.now - idle, now=work.now, in_use=in_use
    )
    if len(found) < needed:
        return
    # Those over the limit first, so that none of them gets a seat that becomes free.
    for item in sorted(found, key=lambda item: item.holds_seat):
        await delete_device(
            work, hooks, item, removed_by="Idle", kind=EventKind.ACTIVATION_RECLAIMED
        )


async def _reject_as_full(
    work: UnitOfWork,
    settings: ProductSettings,
    terms: LicenseTerms,
    counts: DeviceCounters,
    device: Device,
) -> Rejected:
    cap = seats_total(terms) or 0
    topic = (terms.institution_id, f"activations-full:{terms.id}")
    if topic in await claim_topics(work.db, [topic], LIMIT_EVENT_INTERVAL, work.recorded_at):
        event = limit_event(terms, used=counts.seats_used, total=cap)
        await record_events(work, [event])
    left = await count_app_releases_left(work.db, settings, terms, work.now)
    if left is not None:
        ids, since = (terms.institution_id, terms.id), work.now - REFUSED_FOR
        await releases.insert_refusal(work.db, ids, device.hardware_id, work.now, since)
    return Rejected(errors.seats_taken(counts.seats_used, cap, can_release=bool(left)))


async def _make_pending(
    work: UnitOfWork,
    terms: LicenseTerms,
    counts: DeviceCounters,
    facts: DeviceFacts,
    device: Device,
) -> Admitted:
    used, total = counts.seats_used, seats_total(terms)
    if facts.own is None:
        _check_daily_limit(work, terms, counts)
        activation = new_activation(terms, device, work.new_id(), work.now, holds_seat=False)
        await _insert(work, activation, device, EventKind.ACTIVATION_PENDING)
        return Admitted(activation, seats_used=used, seats_total=total, created=True)
    activation = _without_seat(_with_details(facts.own, device, work.now))
    await ACTIVATIONS.save(work.db, activation)
    await counters.move_seats(work.db, (terms.institution_id, terms.id), used=-1)
    await record_device_event(work, EventKind.ACTIVATION_PENDING, activation)
    return Admitted(activation, seats_used=used - 1, seats_total=total, created=True)


async def _bind(
    work: UnitOfWork,
    terms: LicenseTerms,
    facts: DeviceFacts,
    device: Device,
    *,
    known_device_event: EventKind = EventKind.ACTIVATION_CREATED,
) -> Admitted:
    """Bind the license to the device, regardless of the daily limit of new devices.

    Otherwise anyone who knows the key could use up the limit to keep the vendor's customer from
    binding a new machine.
    """
    if facts.own is not None:
        item = _with_details(facts.own, device, work.now)
        return await bind_activation(work, terms, item, known_device_event)
    await counters.increment_seats(work.db, (terms.institution_id, terms.id), None)
    activation = new_activation(terms, device, work.new_id(), work.now, holds_seat=True)
    activation = replace(activation, bound=True)
    await _insert(work, activation, device, EventKind.ACTIVATION_CREATED)
    return Admitted(activation, seats_used=1, seats_total=1, created=True)


async def bind_activation(
    work: UnitOfWork, terms: LicenseTerms, item: Activation, event: EventKind
) -> Admitted:
    """Bind the license to a device it knows; the license's counters must be locked."""
    kept = replace(item, holds_seat=True, bound=True, activated_at=item.activated_at or work.now)
    await ACTIVATIONS.save(work.db, kept)
    if not item.holds_seat:
        await counters.increment_seats(work.db, (terms.institution_id, terms.id), None)
    await record_device_event(work, event, kept)
    return Admitted(kept, seats_used=1, seats_total=1, created=True)


def _check_daily_limit(work: UnitOfWork, terms: LicenseTerms, counts: DeviceCounters) -> None:
    limit = daily_limit(terms)
    if counts.new_rows >= limit:
        raise errors.too_many_new_devices(limit, seconds_until_midnight(work.now))


async def _insert(
    work: UnitOfWork, activation: Activation, device: Device, event: EventKind
) -> None:
    await ACTIVATIONS.insert(work.db, activation)
    if device.components:
        known = bound(plain_id(activation), device.components, work.now)
        await components.insert_components(work.db, activation, known)
    await counters.add_new_rows(work.db, (activation.institution_id, activation.license_id), 1)
    await record_device_event(work, event, activation)


def _without_seat(item: Activation) -> Activation:
    return replace(item, holds_seat=False, bound=False, activated_at=None)


def _with_details(item: Activation, device: Device, now: datetime) -> Activation:
    return replace(item.described_by(device).with_key(device, now), last_seen_at=now)


@dataclass(frozen=True, slots=True)
class ImportedDevice:
    """A device of a license that was just inserted, and when it began to use it."""

    license: License
    device: Device
    since: datetime | None


async def import_devices(work: UnitOfWork, imported: Sequence[ImportedDevice]) -> None:
    """Give each device its seat; a node-locked license, of one device, is bound to it.

    The caller has made sure that there are no more devices than seats.
    """
    if not imported:
        return
    made = [_activation(work, item) for item in imported]
    used = Counter((item.institution_id, item.license_id) for item in made)
    await counters.insert_counters(work.db, used, work.now.date())
    await ACTIVATIONS.insert_all(work.db, made)
    await record_events(work, [device_event(EventKind.ACTIVATION_CREATED, item) for item in made])


def _activation(work: UnitOfWork, imported: ImportedDevice) -> Activation:
    license_ = imported.license
    since = min(imported.since or work.now, work.now)
    made = new_activation(license_, imported.device, work.new_id(), since, holds_seat=True)
    return replace(made, bound=license_.traits.is_node_locked)
