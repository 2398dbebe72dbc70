"""Devices at run time: registered, admitted to a session, bound by their first validation."""

from collections.abc import Sequence
from datetime import timedelta

from licet_server.devices import errors
from licet_server.devices.rules.attempts import Try
from licet_server.devices.rules.model import (
    Activation,
    Device,
    DeviceFacts,
    DeviceKey,
    EntryPoint,
)
from licet_server.devices.rules.standing import DeviceStanding, may_connect, standing_of
from licet_server.devices.service.admission import Admitted, TurnedAway, let_in
from licet_server.devices.service.attempts import AttemptRecorder
from licet_server.devices.service.lookup import find_facts
from licet_server.devices.storage import activations as storage
from licet_server.kit.coalesce import Batching, Coalescer
from licet_server.kit.database import concerns_one_item
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.model import License

SEEN_EVERY = timedelta(hours=1)


class Devices:
    """Answers for many devices at once: those who ask together are served by one look-up."""

    def __init__(self, platform: Platform, batching: Batching) -> None:
        self._platform = platform
        self._attempts = AttemptRecorder(platform, batching)
        self._look_ups: Coalescer[DeviceKey, DeviceFacts] = Coalescer(
            self._look_up,
            max_batch=batching.max_batch,
            batches_in_flight=batching.in_flight,
            bisects=concerns_one_item,
        )

    async def aclose(self) -> None:
        """Answer those who wait, then stop."""
        await self._look_ups.aclose()
        await self._attempts.aclose()

    async def register(self, license_: License, device: Device, origin: Origin) -> Admitted:
        """Activate the license on the device; once more changes nothing but what it says of itself.

        Raises:
            Refused: `LicenseNotFound`, `LicenseInvalid`, `LicenseExpired`, `DeviceBlocked`,
                `MaxActivationsReached`, `RateLimited`.
        """
        outcome = await self._let_in(license_, device, origin)
        if isinstance(outcome, TurnedAway):
            if outcome.foreign_to is not None:
                await self._record(
                    license_, device, outcome.foreign_to, EntryPoint.ACTIVATE, origin
                )
            raise outcome.refusal
        return outcome

    async def admit(
        self, license_: License, device: Device, entry_point: EntryPoint, origin: Origin
    ) -> None:
        """Let the device go on to a session; an unbound AutoBind license is bound to it.

        Raises:
            Refused: `DeviceBlocked`, `HardwareMismatch`, `PendingApproval`, `ActivationRequired`,
                and what `register` raises where the license has just changed.
        """
        facts = await self._look_ups.submit(_key(license_, device))
        standing = standing_of(license_, facts)
        if standing in {DeviceStanding.UNBOUND, DeviceStanding.UNKNOWN}:
            await self._admit_new(license_, device, entry_point, origin)
            return
        if may_connect(license_, standing):
            await self.update_last_seen(facts.own)
            return
        if standing is DeviceStanding.ELSEWHERE:
            await self.enforce_binding(
                license_,
                device,
                facts,
                standing=standing,
                entry_point=entry_point,
                origin=origin,
            )
        refuse = _REFUSALS.get(standing, errors.activation_required)
        raise refuse()

    async def _admit_new(
        self, license_: License, device: Device, entry_point: EntryPoint, origin: Origin
    ) -> None:
        try:
            outcome = await self._let_in(license_, device, origin)
        except Refused as refused:
            if refused.code is ErrorCode.RATE_LIMITED:
                raise errors.pending_approval() from None
            raise
        if isinstance(outcome, TurnedAway):
            if outcome.foreign_to is None:
                raise outcome.refusal
            await self._record(license_, device, outcome.foreign_to, entry_point, origin)
            raise errors.bound_elsewhere()
        if not outcome.activation.holds_seat:
            raise errors.pending_approval()

    async def update_last_seen(self, item: Activation | None) -> None:
        """Remember that a device is in use, to the hour, so that dead ones can be told."""
        now = self._platform.clock()
        if item is None or now - item.last_seen_at < SEEN_EVERY:
            return
        async with self._platform.database.relaxed() as db:
            await storage.note_seen(db, item, now)

    async def enforce_binding(
        self,
        license_: License,
        device: Device,
        facts: DeviceFacts,
        *,
        standing: DeviceStanding,
        entry_point: EntryPoint,
        origin: Origin,
    ) -> bool:
        """Do what the standing of a machine asks for: bind it, make it wait, or record it.

        Answers whether another look at the facts can tell anything new. Whatever comes between is
        not told here, but by that look.
        """
        if standing is DeviceStanding.ELSEWHERE and facts.bound_other is not None:
            other = facts.bound_other.hardware_id
            await self._record(license_, device, other, entry_point, origin)
        if standing not in {DeviceStanding.UNBOUND, DeviceStanding.UNKNOWN}:
            return False
        try:
            await self._let_in(license_, device, origin)
        except Refused as refused:
            # A machine that must wait anyway does so also where there is no room to note it.
            if refused.code is ErrorCode.RATE_LIMITED:
                return standing is not DeviceStanding.UNKNOWN
            if refused.code not in _TOLD_BY_THE_NEXT_LOOK:
                raise
        return True

    async def _let_in(
        self, license_: License, device: Device, origin: Origin
    ) -> Admitted | TurnedAway:
        async with self._platform.unit_of_work(origin) as work:
            return await let_in(work, license_, device)

    async def _record(
        self,
        license_: License,
        device: Device,
        bound_hardware_id: str,
        entry_point: EntryPoint,
        origin: Origin,
    ) -> None:
        attempt = Try(
            license_.institution_id,
            license_.id,
            license_.product_id,
            device.hardware_id,
            bound_hardware_id,
            entry_point,
            origin.ip_address or "",
        )
        await self._attempts.record(attempt, origin)

    async def _look_up(self, keys: Sequence[DeviceKey]) -> list[DeviceFacts]:
        async with self._platform.database.reading() as db:
            found = await find_facts(db, keys)
        return [found[key] for key in keys]


def _key(license_: License, device: Device) -> DeviceKey:
    return (license_.institution_id, license_.id, device.hardware_id)


_REFUSALS = {
    DeviceStanding.BLOCKED: errors.blocked,
    DeviceStanding.ELSEWHERE: errors.bound_elsewhere,
    DeviceStanding.UNKNOWN: errors.pending_approval,
    DeviceStanding.PENDING: errors.pending_approval,
}

_TOLD_BY_THE_NEXT_LOOK = {
    ErrorCode.LICENSE_NOT_FOUND,
    ErrorCode.LICENSE_INVALID,
    ErrorCode.LICENSE_EXPIRED,
    ErrorCode.DEVICE_BLOCKED,
}
