"""Admission of devices under the lock of the license's counters, and the first Trial of each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from datetime import datetime, time, timedelta
from uuid import UUID

from msgspec.structs import replace

from licet_server.catalog.reading import product_settings
from licet_server.catalog.rules.model import ProductSettings
from licet_server.devices import errors
from licet_server.devices.rules.admission import (
    REFUSED_FOR,
    DeviceState,
    TrialKey,
    daily_limit,
    device_state_of,
    seats_total,
    seconds_until_midnight,
    trial_key,
)
from licet_server.devices.rules.components import bound as bound_with
from licet_server.devices.rules.hardware import require_accepted
from licet_server.devices.rules.model import (
    Activation,
    Device,
    DeviceCounters,
    DeviceFacts,
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
from licet_server.devices.service.events import device_event, limit_event, record_device_event
from licet_server.devices.service.recognition import (
    Recognition,
    learn_components,
    recognize,
    record_clone,
)
from licet_server.devices.service.releases import count_app_releases_left
from licet_server.devices.service.seats import (
    DeviceHooks,
    delete_device,
    lock_pool,
    return_free_seats,
)
from licet_server.devices.storage import activations, recognition, seats
from licet_server.devices.storage.activations import ACTIVATIONS, fetch_facts_of
from licet_server.devices.storage.releases import (
    count_trial_devices,
    fetch_first_trials,
    fetch_licenses_of_device,
    insert_first_trial,
    insert_refusal,
)
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import claim_topics, record_events
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses import errors as license_errors
from licet_server.licenses.rules.model import License, LicenseId, LicenseTerms, OnClone
from licet_server.licenses.rules.runtime import require_active
from licet_server.licenses.service import reading


async def find_first_trials(db: Connection, keys: Sequence[TrialKey]) -> dict[TrialKey, UUID]:
    """Find the license of the first Trial of each device; devices without one are omitted."""
    return await fetch_first_trials(db, keys) if keys else {}


async def begin_trial(work: UnitOfWork, license_: License, hardware_id: str) -> UUID:
    """Store that the device uses this Trial, unless it had one. Returns the license of its first.

    A device that is activated on a Trial from before the product allowed one only has had that.

    Raises:
        Refused: `RateLimited` beyond the daily limit of new devices.
    """
    key = trial_key(license_, hardware_id)
    midnight = datetime.combine(work.now.date(), time(), work.now.tzinfo)
    ids = (license_.institution_id, license_.id)
    limit = daily_limit(license_)
    if await count_trial_devices(work.db, ids, midnight) >= limit:
        raise errors.too_many_new_devices(limit, seconds_until_midnight(work.now))
    earlier = await _find_activated_trial(work, key)
    await insert_first_trial(work.db, key, earlier or license_.id, work.now)
    return (await fetch_first_trials(work.db, [key]))[key]


async def _find_activated_trial(work: UnitOfWork, key: TrialKey) -> UUID | None:
    found = await fetch_licenses_of_device(work.db, key)
    terms = await reading.find_terms(work.db, [(key[0], item) for item in found])
    return next((item for item in found if item in terms and terms[item].traits.is_trial), None)


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
    admission = _Admission(work, hooks, settings, terms, counts, facts, device)
    outcome = await admission.admit()
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
        clone = await fetch_facts_of(work.db, license_, as_clone(device).hardware_id)
        if clone.own is not None:
            return Recognition(clone)
    found = await recognize(work, hooks, settings, license_, device, facts)
    if found.is_blocked:
        raise errors.blocked()
    return found


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
    return await _Admission(work, hooks, settings, terms, counts, facts, device).admit_chosen()


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
    return terms, counts, await fetch_facts_of(work.db, terms, device.hardware_id)


@dataclass(slots=True)
class _Admission:
    """A device that wants to use a license, whose terms and counters are locked."""

    work: UnitOfWork
    hooks: DeviceHooks
    settings: ProductSettings
    terms: LicenseTerms
    counts: DeviceCounters
    facts: DeviceFacts
    device: Device

    async def admit(self) -> Admitted | Rejected:
        """Admit the device, or submit it for approval, as its application asks."""
        match device_state_of(self.terms, self.facts):
            case DeviceState.UNKNOWN:
                return await self._make_pending()
            case DeviceState.PENDING:
                return await self._update_details()
            case DeviceState.UNBOUND:
                return await self._bind(EventKind.ACTIVATION_CREATED)
            case DeviceState.FREE:
                outcome = await self._assign_seat()
                if isinstance(outcome, Admitted):
                    self._check_daily_limit()
                return outcome
            case state:
                return await self._admit_known(state)

    async def admit_chosen(self) -> Admitted | Rejected:
        """Admit the device as somebody chose it who may approve it."""
        match device_state_of(self.terms, self.facts):
            case DeviceState.UNKNOWN | DeviceState.PENDING | DeviceState.UNBOUND:
                return await self._bind(EventKind.ACTIVATION_APPROVED)
            case DeviceState.FREE:
                return await self._assign_seat()
            case state:
                return await self._admit_known(state)

    async def _admit_known(self, state: DeviceState) -> Admitted | Rejected:
        if state is DeviceState.BLOCKED:
            raise errors.blocked()
        if state is DeviceState.ELSEWHERE:
            other = self.facts.bound_other
            return Rejected(errors.seat_bound_elsewhere(), other.hardware_id if other else None)
        if state is DeviceState.SEATED:
            return await self._update_details()
        return await self._take_up_again()

    @property
    def _ids(self) -> LicenseId:
        return (self.terms.institution_id, self.terms.id)

    def _own(self) -> Activation:
        """Return the row of the device as it describes itself now."""
        if self.facts.own is None:
            raise ValueError("a device that is known has an activation")
        now = self.work.now
        described = self.facts.own.described_by(self.device).with_key(self.device, now)
        return replace(described, last_seen_at=now)

    def _admitted(self, activation: Activation, *, created: bool) -> Admitted:
        used, total = self.counts.seats_used, seats_total(self.terms)
        return Admitted(activation, seats_used=used, seats_total=total, created=created)

    async def _update_details(self) -> Admitted:
        updated = self._own()
        await ACTIVATIONS.save(self.work.db, updated)
        return self._admitted(updated, created=False)

    async def _take_up_again(self) -> Admitted | Rejected:
        """Give a released device back its seat, which is still counted as taken, if it has one."""
        own = self._own()
        if own.over_limit_at is not None:
            return await self._ask_again(own)
        kept = replace(own, activated_at=self.work.now, released_at=None)
        await ACTIVATIONS.save(self.work.db, kept)
        await seats.move_seats(self.work.db, self._ids, waiting=-1)
        await record_device_event(self.work, EventKind.ACTIVATION_CREATED, kept)
        return self._admitted(kept, created=True)

    async def _ask_again(self, own: Activation) -> Admitted | Rejected:
        """Give a device over the limit its seat if one is free: only if it was released."""
        db = self.work.db
        if own.released_at is not None:
            own = replace(own, released_at=None)
            await ACTIVATIONS.save(db, own)
            self.counts = await return_free_seats(self.work, self._ids, self.counts)
            own = (await fetch_facts_of(db, self.terms, self.device.hardware_id)).own or own
        if own.holds_seat:
            return self._admitted(own, created=True)
        if self.terms.traits.is_node_locked:
            return Rejected(errors.seat_bound_elsewhere())
        return await self._reject_as_full()

    async def _assign_seat(self) -> Admitted | Rejected:
        cap, used = seats_total(self.terms), self.counts.seats_used
        if cap is not None and self.settings.device_idle_days is not None and used >= cap:
            idle = timedelta(days=self.settings.device_idle_days)
            await self._reclaim_seats(used + self.counts.over_limit - cap + 1, idle)
        now_used = await seats.increment_seats(self.work.db, self._ids, cap)
        if now_used is None:
            return await self._reject_as_full()
        activation = await self._insert(EventKind.ACTIVATION_CREATED, holds_seat=True)
        return Admitted(activation, seats_used=now_used, seats_total=cap, created=True)

    async def _reclaim_seats(self, needed: int, idle: timedelta) -> None:
        """Remove the devices that were not seen for the longest time, if enough of them are idle.

        The counters are locked, so no seat is reclaimed twice or given to two devices.
        """
        work, now = self.work, self.work.now
        in_use = await self.hooks.devices_in_use(work.db, self._ids, now)
        found = await activations.lock_idle(
            work.db, self._ids, needed, before=now - idle, now=now, in_use=in_use
        )
        if len(found) < needed:
            return
        # Those over the limit first, so that none of them gets a seat that becomes free.
        kind = EventKind.ACTIVATION_RECLAIMED
        for item in sorted(found, key=lambda item: item.holds_seat):
            await delete_device(work, self.hooks, item, removed_by="Idle", kind=kind)

    async def _reject_as_full(self) -> Rejected:
        work, terms, used = self.work, self.terms, self.counts.seats_used
        cap = seats_total(terms) or 0
        topic = (terms.institution_id, f"activations-full:{terms.id}")
        if topic in await claim_topics(work.db, [topic], LIMIT_EVENT_INTERVAL, work.recorded_at):
            await record_events(work, [limit_event(terms, used=used, total=cap)])
        left = await count_app_releases_left(work.db, self.settings, terms, work.now)
        if left is not None:
            hardware_id, since = self.device.hardware_id, work.now - REFUSED_FOR
            await insert_refusal(work.db, self._ids, hardware_id, work.now, since)
        return Rejected(errors.seats_taken(used, cap, can_release=bool(left)))

    async def _make_pending(self) -> Admitted:
        if self.facts.own is None:
            self._check_daily_limit()
            activation = await self._insert(EventKind.ACTIVATION_PENDING, holds_seat=False)
            return self._admitted(activation, created=True)
        activation = replace(self._own(), holds_seat=False, bound=False, activated_at=None)
        await ACTIVATIONS.save(self.work.db, activation)
        self.counts = await seats.move_seats(self.work.db, self._ids, used=-1)
        await record_device_event(self.work, EventKind.ACTIVATION_PENDING, activation)
        return self._admitted(activation, created=True)

    async def _bind(self, known_device_event: EventKind) -> Admitted:
        """Bind the license to the device, regardless of the daily limit of new devices.

        Otherwise anyone who knows the key could use up the limit to keep the vendor's customer from
        binding a new machine.
        """
        if self.facts.own is not None:
            return await bind_activation(self.work, self.terms, self._own(), known_device_event)
        await seats.increment_seats(self.work.db, self._ids, None)
        kind = EventKind.ACTIVATION_CREATED
        activation = await self._insert(kind, holds_seat=True, bound=True)
        return Admitted(activation, seats_used=1, seats_total=1, created=True)

    def _check_daily_limit(self) -> None:
        limit = daily_limit(self.terms)
        if self.counts.new_rows >= limit:
            raise errors.too_many_new_devices(limit, seconds_until_midnight(self.work.now))

    async def _insert(
        self, event: EventKind, *, holds_seat: bool, bound: bool = False
    ) -> Activation:
        work, device = self.work, self.device
        made = new_activation(self.terms, device, work.new_id(), work.now, holds_seat=holds_seat)
        made = replace(made, bound=bound)
        await ACTIVATIONS.insert(work.db, made)
        if device.components:
            known = bound_with(plain_id(made), device.components, work.now)
            await recognition.insert_components(work.db, made, known)
        await seats.add_new_rows(work.db, self._ids, 1)
        await record_device_event(work, event, made)
        return made


async def bind_activation(
    work: UnitOfWork, terms: LicenseTerms, item: Activation, event: EventKind
) -> Admitted:
    """Bind the license to a device it knows; the license's counters must be locked."""
    kept = replace(item, holds_seat=True, bound=True, activated_at=item.activated_at or work.now)
    await ACTIVATIONS.save(work.db, kept)
    if not item.holds_seat:
        await seats.increment_seats(work.db, (terms.institution_id, terms.id), None)
    await record_device_event(work, event, kept)
    return Admitted(kept, seats_used=1, seats_total=1, created=True)


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
    await seats.insert_counters(work.db, used, work.now.date())
    await ACTIVATIONS.insert_all(work.db, made)
    await record_events(work, [device_event(EventKind.ACTIVATION_CREATED, item) for item in made])


def _activation(work: UnitOfWork, imported: ImportedDevice) -> Activation:
    license_ = imported.license
    since = min(imported.since or work.now, work.now)
    made = new_activation(license_, imported.device, work.new_id(), since, holds_seat=True)
    return replace(made, bound=license_.traits.is_node_locked)
