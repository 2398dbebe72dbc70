"""Devices at run time: activate them, admit them to sessions, bind them on first validation."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from operator import itemgetter
from uuid import UUID

from msgspec.structs import replace as replace_fields

from licet_server.catalog.rules.model import ProductCaller, ProductSettings
from licet_server.catalog.service.signing import SigningKeys
from licet_server.devices import errors
from licet_server.devices.rules.admission import (
    DeviceState,
    device_state_of,
    is_once_per_device,
    may_connect,
    seats_total,
    trial_key,
)
from licet_server.devices.rules.attempts import Denial
from licet_server.devices.rules.hardware import require_accepted
from licet_server.devices.rules.model import (
    Activation,
    Device,
    DeviceFacts,
    DeviceKey,
    EntryPoint,
    LicensedDevice,
    SeatedFacts,
)
from licet_server.devices.rules.proofs import require_key
from licet_server.devices.rules.recognition import (
    as_clone,
    is_sought,
    may_have_own_seat,
    takes_own_seat,
)
from licet_server.devices.service.admission import Admitted, Rejected, admit_device, begin_trial
from licet_server.devices.service.attempts import AttemptRecorder
from licet_server.devices.service.files import FileMaker, make_seat_file
from licet_server.devices.service.lookup import (
    Sought,
    find_facts,
    find_licensed,
    find_seated_facts,
)
from licet_server.devices.service.recognition import (
    Recognition,
    check_key,
    claim_proof,
    find_machine,
    is_to_learn,
    learn_components,
)
from licet_server.devices.service.seats import DeviceHooks, lock_pool
from licet_server.devices.storage import activations as storage
from licet_server.devices.storage.releases import fetch_first_trials
from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.limits import KeyLimits, device_bucket, require_room
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.licenses import errors as license_errors
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import Credentials, refusal_of, require_active
from licet_server.licenses.rules.tokens import sought
from licet_server.licenses.service import reading
from licet_server.licenses.service.files import LicenseFile
from licet_server.licenses.service.lifecycle import begin_term
from licet_server.licenses.service.reading import LicenseLookup

LAST_SEEN_PRECISION = timedelta(hours=1)
ACTIVATIONS_A_MINUTE = 60
"""Refusals of each license and device, and seats that it takes after it gave them back, so that a
loop does not fill the audit log. Enrollments count as activations.

A device that has its seat is not limited: many users of a terminal server, or jobs of a CI project,
are one device, and may all begin at once.
"""


class Devices:
    """Serves many devices at once: concurrent look-ups share one statement."""

    def __init__(
        self,
        platform: Platform,
        licenses: LicenseLookup,
        hooks: DeviceHooks,
        key_limits: KeyLimits,
        batching: Batching,
    ) -> None:
        self._platform = platform
        self._licenses = licenses
        self._hooks = hooks
        self._key_limits = key_limits
        self._attempts = AttemptRecorder(platform, batching)
        self._look_ups: Coalescing[DeviceKey, DeviceFacts] = batching.concurrent(
            "devices", self._look_up, itemgetter(0)
        )
        self._seated_look_ups: Coalescing[DeviceKey, SeatedFacts] = batching.concurrent(
            "activations", self._look_up_seated, itemgetter(0)
        )
        self._licensed_look_ups: Coalescing[Sought, LicensedDevice | None] = batching.concurrent(
            "licensed_devices", self._look_up_licensed, lambda item: item[0][0]
        )

    async def aclose(self) -> None:
        """Serve what is queued, then stop."""
        await self._look_ups.aclose()
        await self._seated_look_ups.aclose()
        await self._licensed_look_ups.aclose()
        await self._attempts.aclose()

    async def find(
        self,
        caller: ProductCaller,
        license_key: str,
        hardware_id: str,
        address: str,
        credentials: Credentials,
    ) -> LicensedDevice:
        """Return the license with this key, or device token, and what is known of the device.

        Raises:
            Refused: as `LicenseLookup.find`.
        """
        key = sought(caller.institution_id, caller.product_id, license_key, hardware_id)
        found = None
        if key is not None:
            found = await self._licensed_look_ups.submit((key, hardware_id))
        if found is None:
            await reading.count_unknown_key(self._platform, address)
            raise license_errors.unknown_license_key()
        await self._licenses.admit(found.license, address, credentials)
        return found

    async def seated_facts(self, license_: License, hardware_id: str) -> SeatedFacts:
        """Return the facts about a device, and the seats in use."""
        key = (license_.institution_id, license_.id, hardware_id)
        return await self._seated_look_ups.submit(key)

    async def activate(
        self,
        settings: ProductSettings,
        license_: License,
        seated: SeatedFacts,
        device: Device,
        origin: Origin,
    ) -> Admitted:
        """Activate the license on the device. If it is active, only its details are updated.

        `seated` is what is known of the device. An application activates at each start, so what
        would change nothing takes no lock.

        Raises:
            Refused: `LicenseNotFound`, `LicenseInvalid`, `LicenseExpired`, `DeviceBlocked`,
                `HardwareIdNotAccepted`, `HardwareMismatch`, `DeviceProofRequired`,
                `TrialAlreadyUsed`, `MaxActivationsReached`, `RateLimited`.
        """
        require_accepted(settings, license_, device.hardware_id)
        async with self.limit_activations(license_, seated, device) as found:
            known, claimed = found, None
            if known is not None:
                known = await self._own_row(settings, license_, device, known, origin)
            if known is not None or found is None:  # the row of another device is not its own
                claimed = device.hardware_id if known is None else known.activation.hardware_id
                await claim_proof(self._platform, license_, claimed, device.shown)
            await self._require_first_trial(settings, license_, device, origin)
            if known is not None and self._is_unchanged(license_, known.activation, device):
                return known
            outcome = await self._admit(settings, license_, device, origin)
            if isinstance(outcome, Rejected):
                if outcome.bound_to is not None:
                    await self._record_denial(
                        license_, device, outcome.bound_to, EntryPoint.ACTIVATE, origin
                    )
                raise outcome.refusal
        await self.count_activation(license_, outcome)
        hardware_id = outcome.activation.hardware_id
        if outcome.created or outcome.moved or hardware_id != claimed:  # that found no row
            await claim_proof(self._platform, license_, hardware_id, device.shown)
        return outcome

    async def _own_row(
        self,
        settings: ProductSettings,
        license_: License,
        device: Device,
        known: Admitted,
        origin: Origin,
    ) -> Admitted | None:
        """Check the key of a device, which may have another row than that of its hardware ID.

        Returns `None` for a device that has none yet.

        Raises:
            Refused: `DeviceProofRequired`, `HardwareMismatch`.
        """
        facts = DeviceFacts(known.activation)
        stored, found = await self._find_row(settings, license_, device, facts, origin)
        if found.facts is not facts:
            if found.is_blocked:
                return None
            return self._admitted(license_, await self.seated_facts(license_, stored.hardware_id))
        own = await check_key(self._platform, license_, known.activation, device, origin)
        return replace(known, activation=own)

    async def _find_row(
        self,
        settings: ProductSettings,
        license_: License,
        device: Device,
        facts: DeviceFacts,
        origin: Origin,
    ) -> tuple[Device, Recognition]:
        """Find the row of a device, given that of its hardware ID; returns it as it is stored."""
        clone = None
        if may_have_own_seat(license_, device.hardware_id, facts, device.shown):
            clone = await self._look_ups.submit(_key(license_, as_clone(device)))
            if clone.own is not None:
                return as_clone(device), Recognition(clone)
        found = await self.recognize(settings, license_, device, facts, origin)
        if found is not None and found.facts.own is not None:
            return replace_fields(device, hardware_id=found.facts.own.hardware_id), found
        if clone is not None and takes_own_seat(license_, facts.own, device.shown):
            return as_clone(device), Recognition(clone)
        return device, Recognition(facts)

    @asynccontextmanager
    async def limit_activations(
        self, license_: License, seated: SeatedFacts, device: Device
    ) -> AsyncIterator[Admitted | None]:
        """Limit how often the block is refused or takes a seat; give what the device has already.

        Raises:
            Refused: `RateLimited`.
        """
        known = self._admitted(license_, seated)
        ids = [] if known is not None else [device.hardware_id]
        facts = DeviceFacts(None if known is None else known.activation)
        if may_have_own_seat(license_, device.hardware_id, facts, device.shown):
            ids.append(as_clone(device).hardware_id)
        if ids:
            taken = [device_bucket("activated", license_.id, item) for item in ids]
            database, now = self._platform.database, self._platform.clock()
            await require_room(database, taken, ACTIVATIONS_A_MINUTE, now)
        refusals = device_bucket("activate", license_.id, device.hardware_id)
        async with self._key_limits.limit_refusals(refusals, ACTIVATIONS_A_MINUTE):
            yield known

    async def count_activation(self, license_: License, admitted: Admitted) -> None:
        """Count that the device took a seat or became pending, if it did."""
        if admitted.created:
            hardware_id = admitted.activation.hardware_id
            await self._key_limits.count(device_bucket("activated", license_.id, hardware_id))

    def _admitted(self, license_: License, found: SeatedFacts) -> Admitted | None:
        """Return the activation of a device that may use its active license already."""
        now = self._platform.now()
        if refusal_of(license_, now) is not None or license_.pending_term is not None:
            return None
        own = found.facts.own
        if own is None or device_state_of(license_, found.facts) not in _ADMITTED:
            return None
        used, total = found.seats_used, seats_total(license_)
        return Admitted(own, seats_used=used, seats_total=total, created=False)

    def _is_unchanged(self, license_: License, own: Activation, device: Device) -> bool:
        """Check whether activating the device now would change nothing about it."""
        facts = DeviceFacts(own)
        if is_sought(license_, device, facts) or is_to_learn(license_, device, own):
            return False
        return own.described_by(device) == own and not _was_long_ago(own, self._platform.now())

    async def recognize(
        self,
        settings: ProductSettings,
        license_: License,
        device: Device,
        facts: DeviceFacts,
        origin: Origin,
    ) -> Recognition | None:
        """Look for a device that would be refused among the devices of its license.

        Returns what is known of it now, if it is one of them.
        """
        return await find_machine(
            self._platform, self._hooks, settings, license_, device, facts, origin
        )

    async def learn_components(
        self, license_: License, device: Device, own: Activation, origin: Origin
    ) -> None:
        """Bind a device with its components, if it was bound with none."""
        if own.components_mark is not None or not is_to_learn(license_, device, own):
            return
        ids = (own.institution_id, own.license_id)
        async with self._platform.unit_of_work(origin) as work:
            if not await reading.lock_terms(work.db, [ids]):
                return
            await lock_pool(work, ids)
            current = (await storage.fetch_facts_of(work.db, license_, own.hardware_id)).own
            if current is not None:
                await learn_components(work, license_, device, current)

    async def _require_first_trial(
        self, settings: ProductSettings, license_: License, device: Device, origin: Origin
    ) -> None:
        """Check that the device had no other Trial, where the product allows it one.

        Raises:
            Refused: `LicenseInvalid`, `LicenseExpired`, `TrialAlreadyUsed`, `RateLimited`.
        """
        if not is_once_per_device(settings, license_):
            return
        require_active(license_, self._platform.now())
        key = trial_key(license_, device.hardware_id)
        async with self._platform.database.reading() as db:
            first = (await fetch_first_trials(db, [key])).get(key)
        if first is None:
            first = await self.begin_trial(license_, device.hardware_id, origin)
        if first != license_.id:
            raise errors.trial_already_used()

    async def begin_trial(self, license_: License, hardware_id: str, origin: Origin) -> UUID:
        """Store that the device uses this Trial. Returns the license of its first one.

        Raises:
            Refused: `RateLimited` beyond the daily limit of new devices.
        """
        async with self._platform.unit_of_work(origin) as work:
            return await begin_trial(work, license_, hardware_id)

    async def check_key(
        self, license_: License, own: Activation, device: Device, origin: Origin
    ) -> Activation:
        """Check that a device may use its row; returns it, with the key that is proven.

        Raises:
            Refused: `DeviceProofRequired`, `HardwareMismatch`.
        """
        return await check_key(self._platform, license_, own, device, origin)

    async def make_file(
        self,
        settings: ProductSettings,
        license_: License,
        device: Device,
        signing_keys: SigningKeys,
        origin: Origin,
        *,
        protected: bool,
    ) -> LicenseFile:
        """Make license.bin for a device, which takes a seat unless it holds one.

        Raises:
            Refused: as `activate`; `Conflict` for a license whose key is too short,
                `KeysNotGenerated`.
        """
        maker = FileMaker(self._hooks, signing_keys, self._platform.settings.issuer)
        async with self._platform.unit_of_work(origin) as work:
            outcome = await admit_device(work, self._hooks, settings, license_, device)
            if isinstance(outcome, Admitted):
                return await make_seat_file(work, maker, license_, outcome, protected=protected)
        raise outcome.refusal

    async def admit_to_session(
        self,
        settings: ProductSettings,
        license_: License,
        facts: DeviceFacts,
        device: Device,
        *,
        entry_point: EntryPoint,
        origin: Origin,
    ) -> str:
        """Check that the device may hold a session; bind an unbound AutoBind license to it.

        `facts` are those about the device. Returns the hardware ID of its row: a clone with a seat
        of its own has another one.

        Raises:
            Refused: `HardwareIdNotAccepted`, `TrialAlreadyUsed`, `DeviceBlocked`,
                `HardwareMismatch`, `DeviceProofRequired`, `PendingApproval`, `ActivationRequired`,
                and the refusals of `activate` where the license has just changed.
        """
        require_accepted(settings, license_, device.hardware_id)
        await self._require_first_trial(settings, license_, device, origin)
        device, found = await self._find_row(settings, license_, device, facts, origin)
        if found.is_blocked:
            raise errors.blocked()
        facts = found.facts
        if facts.own is None:
            require_key(license_.device_proof, None, device.shown)
        else:
            await check_key(self._platform, license_, facts.own, device, origin)
        state = device_state_of(license_, facts)
        if state in {DeviceState.UNBOUND, DeviceState.UNKNOWN}:
            await self._admit_unbound(settings, license_, device, entry_point, origin)
            return device.hardware_id
        if may_connect(license_, state):
            await self.update_last_seen(facts.own)
            if facts.own is not None:
                await self.learn_components(license_, device, facts.own, origin)
            return device.hardware_id
        if state is DeviceState.ELSEWHERE and facts.bound_other is not None:
            await self._record_denial(
                license_, device, facts.bound_other.hardware_id, entry_point, origin
            )
        refuse = _REFUSALS.get(state, errors.activation_required)
        raise refuse()

    async def _admit_unbound(
        self,
        settings: ProductSettings,
        license_: License,
        device: Device,
        entry_point: EntryPoint,
        origin: Origin,
    ) -> None:
        try:
            outcome = await self._admit(settings, license_, device, origin)
        except Refused as refused:
            if refused.code is ErrorCode.RATE_LIMITED:
                raise errors.pending_approval() from None
            raise
        if isinstance(outcome, Rejected):
            if outcome.bound_to is None:
                raise outcome.refusal
            await self._record_denial(license_, device, outcome.bound_to, entry_point, origin)
            raise errors.bound_elsewhere()
        if not outcome.activation.holds_seat:
            raise errors.pending_approval()

    async def update_last_seen(self, item: Activation | None) -> None:
        """Update when a device was last seen, to the hour, so that unused ones can be found."""
        now = self._platform.now()
        if item is None or not _was_long_ago(item, now):
            return
        async with self._platform.database.relaxed() as db:
            await storage.update_last_seen(db, item, now)

    async def enforce_binding(
        self,
        settings: ProductSettings,
        license_: License,
        device: Device,
        facts: DeviceFacts,
        *,
        state: DeviceState,
        entry_point: EntryPoint,
        origin: Origin,
    ) -> bool:
        """Act on a device's state: bind it, submit it for approval, or record a denial.

        Returns whether the facts may have changed and should be read again. Changes of the license
        or the device in the meantime are not raised here; reading again reveals them.
        """
        if state is DeviceState.ELSEWHERE and facts.bound_other is not None:
            await self._record_denial(
                license_, device, facts.bound_other.hardware_id, entry_point, origin
            )
        if state not in {DeviceState.UNBOUND, DeviceState.UNKNOWN}:
            return False
        try:
            await self._admit(settings, license_, device, origin)
        except Refused as refused:
            # Beyond the daily limit the device is pending approval all the same, though not stored.
            if refused.code is ErrorCode.RATE_LIMITED:
                return state is not DeviceState.UNKNOWN
            if refused.code not in _REVEALED_BY_READING_AGAIN:
                raise
        return True

    async def _admit(
        self, settings: ProductSettings, license_: License, device: Device, origin: Origin
    ) -> Admitted | Rejected:
        async with self._platform.unit_of_work(origin) as work:
            outcome = await admit_device(work, self._hooks, settings, license_, device)
            if isinstance(outcome, Admitted) and outcome.activation.holds_seat:
                await begin_term(work, license_)
            return outcome

    async def _record_denial(
        self,
        license_: License,
        device: Device,
        bound_to: str,
        entry_point: EntryPoint,
        origin: Origin,
    ) -> None:
        denial = Denial(
            institution_id=license_.institution_id,
            license_id=license_.id,
            product_id=license_.product_id,
            hardware_id=device.hardware_id,
            bound_hardware_id=bound_to,
            entry_point=entry_point,
            ip_address=origin.ip_address or "",
        )
        await self._attempts.record(denial, origin)

    async def _look_up(self, keys: Sequence[DeviceKey]) -> list[DeviceFacts]:
        async with self._platform.database.keyed() as db:
            found = await find_facts(db, keys)
        return [found[key] for key in keys]

    async def _look_up_licensed(self, wanted: Sequence[Sought]) -> list[LicensedDevice | None]:
        async with self._platform.database.keyed() as db:
            return await find_licensed(db, wanted, self._platform.now())

    async def _look_up_seated(self, keys: Sequence[DeviceKey]) -> list[SeatedFacts]:
        async with self._platform.database.keyed() as db:
            found = await find_seated_facts(db, keys, self._platform.now())
        return [found[key] for key in keys]


def _was_long_ago(item: Activation, now: datetime) -> bool:
    """Check whether it is worth storing that the device was seen now."""
    return now - item.last_seen_at >= LAST_SEEN_PRECISION


def _key(license_: License, device: Device) -> DeviceKey:
    return (license_.institution_id, license_.id, device.hardware_id)


_ADMITTED = {DeviceState.SEATED, DeviceState.PENDING}
_REFUSALS = {
    DeviceState.BLOCKED: errors.blocked,
    DeviceState.ELSEWHERE: errors.bound_elsewhere,
    DeviceState.UNKNOWN: errors.pending_approval,
    DeviceState.PENDING: errors.pending_approval,
    DeviceState.OVER_LIMIT: errors.over_limit,
}

_REVEALED_BY_READING_AGAIN = {
    ErrorCode.LICENSE_NOT_FOUND,
    ErrorCode.LICENSE_INVALID,
    ErrorCode.LICENSE_EXPIRED,
    ErrorCode.DEVICE_BLOCKED,
    ErrorCode.DEVICE_PROOF_REQUIRED,
}
