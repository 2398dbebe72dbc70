"""Validation: batched look-ups of licenses, and verdicts, signed on request."""

from collections.abc import Sequence
from uuid import UUID

from msgspec.structs import replace

from licet_server.catalog.rules.model import ProductSettings
from licet_server.catalog.service.signing import SigningKeys, sign
from licet_server.devices.rules.admission import DeviceState, is_once_per_device
from licet_server.devices.rules.model import Device, EntryPoint
from licet_server.devices.rules.recognition import (
    is_sought,
    may_have_own_seat,
    own_seat_id,
    takes_own_seat,
)
from licet_server.devices.service.lookup import find_licensed
from licet_server.devices.service.recognition import Recognition, device_in_file
from licet_server.devices.service.runtime import Devices
from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.errors import ErrorCode, Refused, unavailable
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.file import FileDevice
from licet_server.licenses.rules.keys import signed_hash
from licet_server.licenses.rules.model import DeviceProof, License, LicenseKeyOf
from licet_server.licenses.rules.tokens import DeviceTokenOf, sought
from licet_server.licenses.service import files
from licet_server.licenses.service.credentials import LicenseCredentials
from licet_server.licenses.service.lifecycle import begin_term_with_use
from licet_server.licenses.service.noting import note_license
from licet_server.licenses.service.reading import count_unknown_key
from licet_server.validation.rules.model import (
    Snapshot,
    ValidationContext,
    ValidationStatus,
)
from licet_server.validation.rules.verdict import (
    LICENSE_NOT_FOUND,
    NAMES_NO_DEVICE,
    decide,
    has_seats_of_devices,
    needs_binding,
    needs_trial,
)
from licet_server.validation.service.requests import (
    ValidationOutcome,
    ValidationRequest,
    require_valid,
    with_refusal_of_seat,
)
from licet_server.validation.service.snapshots import Wanted, read_snapshots

VERDICT_SECONDS = 300
VERDICT_TYPE = "verdict+jwt"
_MAX_LOOK_UPS = 3

_WITH_KEY = {ValidationStatus.VALID, ValidationStatus.HARDWARE_MISMATCH}
"""Where the key of the device counts; another key may be the reason for the latter."""

_OF_UNKNOWN_MACHINES = {
    ValidationStatus.ACTIVATION_REQUIRED,
    ValidationStatus.HARDWARE_MISMATCH,
    ValidationStatus.DEVICE_BLOCKED,
}
"""Where the machine may be one that the license knows, with other parts or another key."""

_READY_FOR_SEAT = {ValidationStatus.VALID, ValidationStatus.ACTIVATION_REQUIRED}
"""Where no other rule fails: the device of an expired license, for instance, takes no seat."""

_REFUSALS_OF_SEATS = {
    ErrorCode.LICENSE_NOT_FOUND,
    ErrorCode.LICENSE_INVALID,
    ErrorCode.LICENSE_EXPIRED,
    ErrorCode.DEVICE_BLOCKED,
    ErrorCode.MAX_ACTIVATIONS_REACHED,
    ErrorCode.RATE_LIMITED,
    ErrorCode.DEVICE_PROOF_REQUIRED,
    ErrorCode.HARDWARE_MISMATCH,
}
_REFUSALS_OF_FILES = {
    *_REFUSALS_OF_SEATS,
    ErrorCode.INVALID_CREDENTIALS,
    ErrorCode.KEYS_NOT_GENERATED,
    ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
    ErrorCode.TRIAL_ALREADY_USED,
    ErrorCode.PENDING_APPROVAL,
    ErrorCode.ACTIVATION_REQUIRED,
    ErrorCode.CONFLICT,
}

LookUp = tuple[LicenseKeyOf | DeviceTokenOf, str | None, UUID | None, ProductSettings, str | None]
"""A license by its key or a token, the hardware ID of the requesting machine, the session it names,
the settings of the product, and the version of the application."""


class Validator:
    """Validates for many callers at once: concurrent look-ups share one statement."""

    def __init__(
        self,
        platform: Platform,
        credentials: LicenseCredentials,
        signing_keys: SigningKeys,
        devices: Devices,
        batching: Batching,
    ) -> None:
        self._platform = platform
        self._credentials = credentials
        self._signing_keys = signing_keys
        self._devices = devices
        self._look_ups: Coalescing[LookUp, Snapshot | None] = batching.concurrent(
            "validations", self._look_up, lambda item: item[0][0]
        )

    async def aclose(self) -> None:
        """Serve what is queued, then stop."""
        await self._look_ups.aclose()

    async def validate(
        self,
        request: ValidationRequest,
        origin: Origin,
        entry_point: EntryPoint = EntryPoint.VALIDATE,
    ) -> ValidationOutcome:
        """Return the verdict for a request from `origin`; may bind the machine or record a denial.

        The first valid verdict begins a term that starts with the first use.

        Raises:
            Refused: `RateLimited` when the address sent too many unknown keys, or too many wrong
                passwords were sent.
        """
        outcome = await self._judge(request, origin, entry_point)
        license_ = outcome.license
        if license_ is None or outcome.verdict.status not in _WITH_KEY:
            return outcome
        if not await self._is_key_settled(request, outcome, license_, origin):
            outcome = await self._judge(request, origin, entry_point)
        if not outcome.verdict.valid:
            return outcome
        if outcome.activation is not None and request.hardware_id is not None:
            device = _device(request, request.hardware_id)
            await self._devices.learn_components(license_, device, outcome.activation, origin)
        if request.settings.device_idle_days is not None:
            await self._devices.update_last_seen(outcome.activation)
        if license_.pending_term is None:
            return outcome
        await begin_term_with_use(self._platform, license_, origin)
        return await self._judge(request, origin, entry_point)

    async def _is_key_settled(
        self,
        request: ValidationRequest,
        outcome: ValidationOutcome,
        license_: License,
        origin: Origin,
    ) -> bool:
        """Record the first key that a device proves, or that another device shows its own.

        Returns whether the verdict stands; with a key that was just recorded, it is judged again.
        """
        own = outcome.activation
        if own is None or request.hardware_id is None or license_.device_proof is DeviceProof.OFF:
            return True
        device = _device(request, request.hardware_id)
        try:
            return await self._devices.check_key(license_, own, device, origin) is own
        except Refused:
            return not outcome.verdict.valid

    async def take_seat(
        self, request: ValidationRequest, outcome: ValidationOutcome, origin: Origin
    ) -> ValidationOutcome:
        """Activate the device of a request that only lacks a seat, and return the verdict then.

        A model whose seats are not of devices needs none. Where the license has no seat for the
        device, that is the verdict, with the reason.

        Raises:
            Refused: as `validate`.
        """
        license_ = outcome.license
        if license_ is None or not has_seats_of_devices(license_):
            return outcome
        if outcome.verdict.status not in _READY_FOR_SEAT:
            return outcome
        if request.hardware_id is None:
            return replace(outcome, verdict=NAMES_NO_DEVICE)
        device = _device(request, request.hardware_id)
        try:
            seated = await self._devices.seated_facts(license_, request.hardware_id)
            admitted = await self._devices.activate(
                request.settings, license_, seated, device, origin
            )
        except Refused as refused:
            if refused.code not in _REFUSALS_OF_SEATS:
                raise
            judged = await self._judge(request, origin, EntryPoint.VALIDATE)
            return with_refusal_of_seat(judged, refused)
        if outcome.verdict.valid and not admitted.created:
            return outcome
        return await self.validate(request, origin)

    async def add_file(
        self, request: ValidationRequest, outcome: ValidationOutcome, origin: Origin
    ) -> tuple[ValidationOutcome, str | None]:
        """Return the license.bin that `refresh_file` makes, if any, and the verdict after it.

        The file of a Concurrent license for offline use takes a seat for the device.

        Raises:
            Refused: `ClockNotTrusted`.
        """
        takes_seat = request.hardware_id is not None and _takes_seat(outcome)
        if not outcome.verdict.valid and not takes_seat:
            return outcome, None
        try:
            file = await self.refresh_file(request, origin, protected=False)
        except Refused as refused:
            if refused.code not in _REFUSALS_OF_FILES:
                raise
            return with_refusal_of_seat(outcome, refused), None
        if not outcome.verdict.valid:
            outcome = await self._judge(request, origin, EntryPoint.VALIDATE)
        return outcome, file.text

    async def _judge(
        self, request: ValidationRequest, origin: Origin, entry_point: EntryPoint
    ) -> ValidationOutcome:
        address = origin.ip_address or ""
        snapshot = await self._find_snapshot(request)
        if snapshot is None:
            await count_unknown_key(self._platform, address)
            return ValidationOutcome(verdict=LICENSE_NOT_FOUND, snapshot=None)
        note_license(snapshot.license)
        context = ValidationContext(
            now=self._platform.now(),
            settings=request.settings,
            hardware_id=request.hardware_id,
            app_version=request.app_version,
            credentials=await self._credentials.check(
                snapshot.license, request.credentials, address
            ),
            shown=request.shown,
        )
        snapshot = await self._of_its_row(request, snapshot, context, origin)
        for _ in range(_MAX_LOOK_UPS):
            verdict = decide(snapshot, context)
            if needs_trial(snapshot, context, verdict):
                await self._begin_trial(request, snapshot, origin)
            elif not needs_binding(snapshot, verdict) or not await self._enforce_binding(
                request, snapshot, entry_point, origin
            ):
                return ValidationOutcome(verdict=verdict, snapshot=snapshot)
            snapshot = await self._find_snapshot(request)
            if snapshot is None:
                return ValidationOutcome(verdict=LICENSE_NOT_FOUND, snapshot=None)
            context = replace(context, now=self._platform.now())
        verdict = decide(snapshot, context)
        if needs_binding(snapshot, verdict) and snapshot.device_state is DeviceState.UNBOUND:
            raise unavailable()  # bound and released again each time: nothing is bound yet
        return ValidationOutcome(verdict=verdict, snapshot=snapshot)

    async def _of_its_row(
        self,
        request: ValidationRequest,
        snapshot: Snapshot,
        context: ValidationContext,
        origin: Origin,
    ) -> Snapshot:
        """Return the snapshot of the machine's row, which may be another than its hardware ID's."""
        license_, own, machine = snapshot.license, snapshot.facts.own, request.hardware_id
        if machine is None:
            return snapshot
        clone = None
        if may_have_own_seat(license_, machine, snapshot.facts, request.shown):
            clone = await self._find_snapshot(request, own_seat_id(machine, request.shown))
            if clone is not None and clone.facts.own is not None:
                return clone
        found = await self._recognize(request, machine, snapshot, context, origin)
        if found is not None and found.is_blocked:
            return replace(snapshot, facts=found.facts)
        if found is not None and found.facts.own is not None:
            return await self._find_snapshot(request, found.facts.own.hardware_id) or snapshot
        if clone is not None and takes_own_seat(license_, own, request.shown):
            return clone
        return snapshot

    async def _recognize(
        self,
        request: ValidationRequest,
        machine: str,
        snapshot: Snapshot,
        context: ValidationContext,
        origin: Origin,
    ) -> Recognition | None:
        """Return what is known of a machine that is one of the license's and has changed."""
        device = _device(request, machine)
        if not is_sought(snapshot.license, device, snapshot.facts):
            return None
        verdict = decide(snapshot, context)
        if verdict.status not in _OF_UNKNOWN_MACHINES and not needs_binding(snapshot, verdict):
            return None
        return await self._devices.recognize(
            request.settings, snapshot.license, device, snapshot.facts, origin
        )

    async def _begin_trial(
        self, request: ValidationRequest, snapshot: Snapshot, origin: Origin
    ) -> None:
        if request.hardware_id is None:
            raise ValueError("only a machine with a hardware ID has a first trial")
        await self._devices.begin_trial(snapshot.license, request.hardware_id, origin)

    async def _enforce_binding(
        self,
        request: ValidationRequest,
        snapshot: Snapshot,
        entry_point: EntryPoint,
        origin: Origin,
    ) -> bool:
        """Return whether the machine's row may have changed and should be read again."""
        if request.hardware_id is None:
            raise ValueError("only a machine with a hardware ID can be bound")
        return await self._devices.enforce_binding(
            request.settings,
            snapshot.license,
            _device(request, request.hardware_id),
            snapshot.facts,
            state=snapshot.device_state,
            entry_point=entry_point,
            origin=origin,
        )

    async def sign_verdict(
        self,
        request: ValidationRequest,
        nonce: str | None,
        outcome: ValidationOutcome,
        license_view: object,
    ) -> str:
        """Sign the verdict as a token under the product's key, for this request and nonce."""
        issued = int(self._platform.now().timestamp())
        claims: dict[str, object] = {
            "aud": str(request.product_id),
            "iat": issued,
            "exp": issued + VERDICT_SECONDS,
            "nonce": nonce,
            "valid": outcome.verdict.valid,
            "status": outcome.verdict.status,
            "licenseKeyHash": signed_hash(request.license_key),
            "hardwareId": request.hardware_id,
            "license": license_view,
            "seat": outcome.seat,
        }
        async with self._platform.database.reading() as db:
            key = await self._signing_keys.fetch(db, request.institution_id, request.product_id)
        return await sign(key, VERDICT_TYPE, claims)

    async def refresh_file(
        self, request: ValidationRequest, origin: Origin, *, protected: bool
    ) -> files.LicenseFile:
        """Make a fresh license.bin for an application whose license is valid.

        The file of a Concurrent license for offline use takes a seat for the device.

        Raises:
            Refused: the equivalent of a verdict other than Valid; the refusals of an activation for
                a device that takes a seat.
        """
        outcome = await self.validate(request, origin, EntryPoint.REFRESH)
        license_ = outcome.license
        if license_ is not None and request.hardware_id is not None and _takes_seat(outcome):
            return await self._devices.make_file(
                request.settings,
                license_,
                _device(request, request.hardware_id),
                self._signing_keys,
                origin,
                protected=protected,
            )
        license_ = require_valid(request, outcome)
        await self._devices.update_last_seen(outcome.activation)
        names_device = license_.traits.is_node_locked or license_.traits.activation_required
        async with self._platform.database.reading() as db:
            device: FileDevice | None = None
            if request.hardware_id is not None and names_device:
                hardware_id, own = request.hardware_id, outcome.activation
                device = await device_in_file(db, license_, hardware_id, own)
            return await files.make_file(
                db,
                self._signing_keys,
                license_,
                issuer=self._platform.settings.issuer,
                device=device,
                protected=protected,
                now=self._platform.now(),
            )

    async def _find_snapshot(
        self, request: ValidationRequest, machine: str | None = None
    ) -> Snapshot | None:
        """Find the license of a request and the row of its machine, or of another hardware ID."""
        key = sought(
            request.institution_id, request.product_id, request.license_key, request.hardware_id
        )
        if key is None:
            return None
        machine = machine or request.hardware_id
        return await self._look_ups.submit(
            (key, machine, request.session_id, request.settings, request.app_version)
        )

    async def _look_up(self, wanted: Sequence[LookUp]) -> list[Snapshot | None]:
        now = self._platform.now()
        async with self._platform.database.keyed() as db:
            devices = await find_licensed(db, [item[:2] for item in wanted], now)
            known = [
                Wanted(device, machine, session, is_once_per_device(settings, device.license), it)
                for device, (_, machine, session, settings, it) in zip(devices, wanted, strict=True)
                if device is not None
            ]
            snapshots = iter(await read_snapshots(db, known, now))
        return [None if device is None else next(snapshots) for device in devices]


def _takes_seat(outcome: ValidationOutcome) -> bool:
    """Check whether a file is made for a device that holds a seat, or takes one by it."""
    if outcome.license is None or not outcome.license.file_takes_seat:
        return False
    return outcome.verdict.status in {ValidationStatus.VALID, ValidationStatus.ACTIVATION_REQUIRED}


def _device(request: ValidationRequest, hardware_id: str) -> Device:
    return Device(
        hardware_id=hardware_id,
        name=request.device_name or None,
        os=request.os or None,
        app_version=request.app_version or None,
        shown=request.shown,
        key_level=request.key_level,
        components=request.components,
    )
