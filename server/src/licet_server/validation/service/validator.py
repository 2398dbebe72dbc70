"""Looks licenses up in batches and returns verdicts, signed on request."""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import replace

from licet_server.catalog.service.keys import SigningKeys
from licet_server.devices.rules.model import Device, EntryPoint
from licet_server.devices.rules.standing import DeviceStanding
from licet_server.devices.service.devices import Devices
from licet_server.kit.coalesce import Batching, Coalescer
from licet_server.kit.database import concerns_one_item
from licet_server.kit.errors import unavailable
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.keys import normal_form
from licet_server.licenses.rules.model import License, LicenseKeyOf
from licet_server.licenses.service import files, reading
from licet_server.licenses.service.lookup import count_unknown_key
from licet_server.validation.rules.model import (
    CredentialsCheck,
    Snapshot,
    ValidationContext,
)
from licet_server.validation.rules.verdict import LICENSE_NOT_FOUND, decide, needs_binding
from licet_server.validation.service.requests import (
    ValidationOutcome,
    ValidationRequest,
    require_seat,
    require_valid,
)
from licet_server.validation.service.snapshots import read_snapshots

VERDICT_SECONDS = 300
VERDICT_TYPE = "verdict+jwt"
_MAX_LOOK_UPS = 3

LookUp = tuple[LicenseKeyOf, str | None]
"""A license by its key, and the hardware ID of the requesting machine."""


class Validator:
    """Validates for many callers at once: concurrent look-ups share one statement."""

    def __init__(
        self,
        platform: Platform,
        passwords: Passwords,
        signing_keys: SigningKeys,
        devices: Devices,
        batching: Batching,
    ) -> None:
        self._platform = platform
        self._passwords = passwords
        self._signing_keys = signing_keys
        self._devices = devices
        self._look_ups: Coalescer[LookUp, Snapshot | None] = Coalescer(
            self._look_up,
            max_batch=batching.max_batch,
            batches_in_flight=batching.in_flight,
            bisects=concerns_one_item,
        )

    async def aclose(self) -> None:
        """Serve what is queued, then stop."""
        await self._look_ups.aclose()

    async def validate(self, request: ValidationRequest, origin: Origin) -> ValidationOutcome:
        """The verdict for a request from `origin`; may bind the machine or record a denial.

        Raises:
            Refused: `RateLimited` when the address sent too many unknown keys.
        """
        snapshot = await self._find_snapshot(request)
        if snapshot is None:
            await count_unknown_key(self._platform, origin.ip_address or "")
            return ValidationOutcome(verdict=LICENSE_NOT_FOUND, snapshot=None)
        context = ValidationContext(
            now=self._platform.clock(),
            hardware_id=request.hardware_id,
            app_version=request.app_version,
            credentials=await self._check_credentials(request, snapshot.license),
        )
        for _ in range(_MAX_LOOK_UPS):
            verdict = decide(snapshot, context)
            if not needs_binding(snapshot, verdict) or not await self._enforce_binding(
                request, snapshot, origin
            ):
                return ValidationOutcome(verdict=verdict, snapshot=snapshot)
            snapshot = await self._find_snapshot(request)
            if snapshot is None:
                return ValidationOutcome(verdict=LICENSE_NOT_FOUND, snapshot=None)
            context = replace(context, now=self._platform.clock())
        verdict = decide(snapshot, context)
        if needs_binding(snapshot, verdict) and snapshot.standing is DeviceStanding.UNBOUND:
            raise unavailable()  # bound and released again each time: nothing is bound yet
        return ValidationOutcome(verdict=verdict, snapshot=snapshot)

    async def _enforce_binding(
        self, request: ValidationRequest, snapshot: Snapshot, origin: Origin
    ) -> bool:
        """Returns whether the machine's row may have changed and should be read again."""
        if request.hardware_id is None:
            raise ValueError("only a machine with a hardware ID can be bound")
        device = Device(
            hardware_id=request.hardware_id,
            name=request.device_name or None,
            app_version=request.app_version or None,
        )
        return await self._devices.enforce_binding(
            snapshot.license,
            device,
            snapshot.facts,
            standing=snapshot.standing,
            entry_point=EntryPoint.VALIDATE,
            origin=origin,
        )

    async def sign_verdict(
        self,
        request: ValidationRequest,
        nonce: str | None,
        outcome: ValidationOutcome,
        license_view: object,
    ) -> str:
        """The verdict as a token under the product's signing key, for this request and nonce."""
        key_text = normal_form(request.license_key) or request.license_key.strip()
        issued = int(self._platform.clock().timestamp())
        claims: dict[str, object] = {
            "aud": str(request.product_id),
            "iat": issued,
            "exp": issued + VERDICT_SECONDS,
            "nonce": nonce,
            "valid": outcome.verdict.valid,
            "status": outcome.verdict.status,
            "licenseKeyHash": _base64url(hashlib.sha256(key_text.encode()).digest()),
            "hardwareId": request.hardware_id,
            "license": license_view,
        }
        async with self._platform.database.reading() as db:
            key = await self._signing_keys.fetch(db, request.institution_id, request.product_id)
        return await files.sign(key, VERDICT_TYPE, claims)

    async def refresh_file(
        self, request: ValidationRequest, origin: Origin, *, protected: bool
    ) -> files.LicenseFile:
        """A fresh license.bin for an application whose license is valid.

        Raises:
            Refused: the equivalent of a verdict other than Valid; `ActivationRequired` for a
                device without a seat where the model requires one.
        """
        outcome = await self.validate(request, origin)
        license_ = require_valid(outcome)
        require_seat(request, outcome)
        await self._devices.update_last_seen(outcome.activation)
        hardware_ids = [request.hardware_id] if request.hardware_id is not None else []
        async with self._platform.database.reading() as db:
            return await files.make_file(
                db,
                self._signing_keys,
                license_,
                issuer=self._platform.settings.issuer,
                hardware_ids=hardware_ids if license_.traits.is_node_locked else [],
                protected=protected,
                now=self._platform.clock(),
            )

    async def _find_snapshot(self, request: ValidationRequest) -> Snapshot | None:
        normal_key = normal_form(request.license_key)
        if normal_key is None:
            return None
        key = (request.institution_id, request.product_id, normal_key)
        return await self._look_ups.submit((key, request.hardware_id))

    async def _look_up(self, wanted: Sequence[LookUp]) -> list[Snapshot | None]:
        async with self._platform.database.reading() as db:
            found = await reading.find_by_keys(db, [key for key, _ in wanted])
            known = [(found[key], machine) for key, machine in wanted if key in found]
            snapshots = iter(await read_snapshots(db, known))
        return [next(snapshots) if key in found else None for key, _ in wanted]

    async def _check_credentials(
        self, request: ValidationRequest, license_: License
    ) -> CredentialsCheck:
        if license_.username is None:
            return CredentialsCheck.NOT_CHECKED
        if request.username is None or request.password is None:
            return CredentialsCheck.MISSING
        is_password = await self._passwords.matches(license_.password_hash, request.password)
        given, expected = request.username.encode(), license_.username.encode()
        is_correct = hmac.compare_digest(given, expected) and is_password
        return CredentialsCheck.CORRECT if is_correct else CredentialsCheck.WRONG


def _base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
