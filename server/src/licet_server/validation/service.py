"""Looks licenses up in batches and answers with a verdict, signed when asked."""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from licet_server.catalog.service.keys import SigningKeys
from licet_server.catalog.service.releases import release_versions
from licet_server.devices import errors as device_errors
from licet_server.devices.rules.model import Activation, Device, EntryPoint
from licet_server.devices.rules.standing import DeviceStanding
from licet_server.devices.service.devices import Devices
from licet_server.devices.service.lookup import find_facts
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.coalesce import Batching, Coalescer
from licet_server.kit.database import Connection, concerns_one_item
from licet_server.kit.errors import ErrorCode, Refused, bad_field, unavailable
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.keys import normal_form
from licet_server.licenses.rules.model import License, LicenseKeyOf
from licet_server.licenses.service import files, reading
from licet_server.licenses.service.lookup import count_unknown_key
from licet_server.validation.rules import (
    NO_DEVICE,
    Circumstances,
    Credentials,
    Snapshot,
    ValidationStatus,
    Verdict,
    decide,
    to_settle,
)

VERDICT_SECONDS = 300
_LOOKS = 3
VERDICT_TYPE = "verdict+jwt"

_UNKNOWN = Snapshot(None, None, None)

_CODES = {
    ValidationStatus.LICENSE_NOT_FOUND: ErrorCode.LICENSE_NOT_FOUND,
    ValidationStatus.EXPIRED: ErrorCode.LICENSE_EXPIRED,
    ValidationStatus.REVOKED: ErrorCode.LICENSE_INVALID,
    ValidationStatus.SUSPENDED: ErrorCode.LICENSE_INVALID,
    ValidationStatus.CREDENTIALS_INVALID: ErrorCode.INVALID_CREDENTIALS,
    ValidationStatus.HARDWARE_MISMATCH: ErrorCode.HARDWARE_MISMATCH,
    ValidationStatus.PENDING_APPROVAL: ErrorCode.PENDING_APPROVAL,
    ValidationStatus.DEVICE_BLOCKED: ErrorCode.DEVICE_BLOCKED,
}
_FIELDS = {
    ValidationStatus.HARDWARE_ID_REQUIRED: "hardwareId",
    ValidationStatus.CREDENTIALS_REQUIRED: "username",
}


@dataclass(frozen=True, slots=True)
class Question:
    """What an application asks: is this key valid for me, here and now?"""

    institution_id: UUID
    product_id: UUID
    license_key: str
    hardware_id: str | None = None
    device_name: str | None = None
    app_version: str | None = None
    username: str | None = None
    password: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict with the license it is about; `license` is `None` where nothing may be told."""

    verdict: Verdict
    snapshot: Snapshot

    @property
    def license(self) -> License | None:
        """What the application may know: nothing before its credentials fit."""
        if self.verdict.status in {
            ValidationStatus.CREDENTIALS_REQUIRED,
            ValidationStatus.CREDENTIALS_INVALID,
        }:
            return None
        return self.snapshot.license

    @property
    def activation(self) -> Activation | None:
        """This machine's own row, where the application may know the license."""
        return self.snapshot.facts.own if self.license is not None else None


LookUp = tuple[LicenseKeyOf, str | None]
"""A license by its key, and the hardware id of the machine that asks."""


class Validator:
    """Validates for many callers at once: those who ask together are served by one look-up."""

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
        self._look_ups: Coalescer[LookUp, Snapshot] = Coalescer(
            self._look_up,
            max_batch=batching.max_batch,
            batches_in_flight=batching.in_flight,
            bisects=concerns_one_item,
        )

    async def aclose(self) -> None:
        """Answer those who wait, then stop."""
        await self._look_ups.aclose()

    async def validate(self, question: Question, origin: Origin) -> Answer:
        """The verdict for a question of `origin`; it may bind a machine or note that one tried.

        Raises:
            Refused: `RateLimited` when the address asked for too many unknown keys.
        """
        snapshot = await self._snapshot(question)
        if snapshot.license is None:
            await count_unknown_key(self._platform, origin.ip_address or "")
        circumstances = Circumstances(
            now=self._platform.clock(),
            hardware_id=question.hardware_id,
            app_version=question.app_version,
            credentials=await self._check_credentials(question, snapshot.license),
        )
        for _ in range(_LOOKS):
            verdict = decide(snapshot, circumstances)
            unsettled = to_settle(snapshot, verdict)
            if unsettled is None:
                return Answer(verdict, snapshot)
            if not await self._settle(question, snapshot, origin):
                return Answer(verdict, snapshot)
            snapshot = await self._snapshot(question)
            circumstances = replace(circumstances, now=self._platform.clock())
        # Bound and freed again and again meanwhile: the machine has nothing yet.
        verdict = decide(snapshot, circumstances)
        if to_settle(snapshot, verdict) is DeviceStanding.UNBOUND:
            raise unavailable()
        return Answer(verdict, snapshot)

    async def _settle(self, question: Question, snapshot: Snapshot, origin: Origin) -> bool:
        if snapshot.license is None or question.hardware_id is None:
            raise ValueError("only a known machine of a known license is settled")
        device = Device(
            question.hardware_id, question.device_name or None, None, question.app_version or None
        )
        return await self._devices.settle(
            snapshot.license, device, snapshot.facts, EntryPoint.VALIDATE, origin
        )

    async def sign_verdict(
        self, question: Question, nonce: str | None, answer: Answer, license_view: object
    ) -> str:
        """The verdict as a token under the product key, bound to the question and its nonce."""
        key_text = normal_form(question.license_key) or question.license_key.strip()
        issued = int(self._platform.clock().timestamp())
        claims: dict[str, object] = {
            "aud": str(question.product_id),
            "iat": issued,
            "exp": issued + VERDICT_SECONDS,
            "nonce": nonce,
            "valid": answer.verdict.valid,
            "status": answer.verdict.status,
            "licenseKeyHash": _base64url(hashlib.sha256(key_text.encode()).digest()),
            "hardwareId": question.hardware_id,
            "license": license_view,
        }
        async with self._platform.database.reading() as db:
            key = await self._signing_keys.fetch(db, question.institution_id, question.product_id)
        return await files.sign(key, VERDICT_TYPE, claims)

    async def refresh_file(
        self, question: Question, origin: Origin, protected: bool
    ) -> files.LicenseFile:
        """A fresh license.bin for an application whose license is valid.

        Raises:
            Refused: with the code that stands for the verdict where it is not Valid;
                `ActivationRequired` for a device without a seat of a Concurrent license.
        """
        answer = await self.validate(question, origin)
        license_ = answer.license
        if not answer.verdict.valid or license_ is None:
            raise refused_by(answer.verdict)
        _require_seat(license_, question, answer)
        await self._devices.note_seen(answer.activation)
        now = self._platform.clock()
        async with self._platform.database.reading() as db:
            return await files.make_file(
                db,
                self._signing_keys,
                license_,
                issuer=self._platform.settings.issuer,
                hardware_ids=_bound_to(license_, question),
                protected=protected,
                now=now,
            )

    async def _snapshot(self, question: Question) -> Snapshot:
        normal_key = normal_form(question.license_key)
        if normal_key is None:
            return _UNKNOWN
        key = (question.institution_id, question.product_id, normal_key)
        return await self._look_ups.submit((key, question.hardware_id))

    async def _look_up(self, wanted: Sequence[LookUp]) -> list[Snapshot]:
        async with self._platform.database.reading() as db:
            found = await reading.find_by_keys(db, [key for key, _ in wanted])
            asked = [(found[key], machine) for key, machine in wanted if key in found]
            snapshots = iter(await take_snapshots(db, asked))
        return [next(snapshots) if key in found else _UNKNOWN for key, _ in wanted]

    async def _check_credentials(self, question: Question, license_: License | None) -> Credentials:
        if license_ is None or license_.username is None:
            return Credentials.NOT_CHECKED
        if question.username is None or question.password is None:
            return Credentials.ABSENT
        password_fits = await self._passwords.matches(license_.password_hash, question.password)
        given, wanted = question.username.encode(), license_.username.encode()
        fits = hmac.compare_digest(given, wanted) and password_fits
        return Credentials.FIT if fits else Credentials.DO_NOT_FIT


async def take_snapshots(
    db: Connection, asked: Sequence[tuple[License, str | None]]
) -> list[Snapshot]:
    """What the verdict looks at for licenses and machines, by position, in a statement each."""
    licenses = list({item.id: item for item, _ in asked}.values())
    releases = {(item.institution_id, item.software_release_id) for item in licenses}
    versions = await release_versions(db, list(releases)) if releases else {}
    features = await reading.features_of(db, licenses)
    facts = await find_facts(
        db, [(item.institution_id, item.id, machine) for item, machine in asked if machine]
    )
    return [
        Snapshot(
            item,
            features.get(item.id),
            versions.get(item.software_release_id),
            facts[(item.institution_id, item.id, machine)] if machine else NO_DEVICE,
        )
        for item, machine in asked
    ]


async def explain(
    db: Connection, operator: Operator, license_id: UUID, circumstances: Circumstances
) -> Verdict:
    """Every rule in order for a license that the operator sees; credentials are not checked.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    license_ = await reading.fetch_license(db, operator, license_id)
    [snapshot] = await take_snapshots(db, [(license_, circumstances.hardware_id)])
    return decide(snapshot, replace(circumstances, credentials=Credentials.NOT_CHECKED))


def _require_seat(license_: License, question: Question, answer: Answer) -> None:
    if not license_.traits.activation_required:
        return
    if question.hardware_id is None:
        raise bad_field("hardwareId", "is required: the file is for a device that holds a seat.")
    own = answer.activation
    if own is None or not own.holds_seat:
        raise device_errors.activation_required()


def _bound_to(license_: License, question: Question) -> list[str]:
    if license_.traits.is_node_locked and question.hardware_id is not None:
        return [question.hardware_id]
    return []


def _base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def refused_by(verdict: Verdict) -> Refused:
    """The refusal that stands for a verdict other than Valid."""
    field = _FIELDS.get(verdict.status)
    if field is not None:
        return bad_field(field, verdict.message)
    return Refused(_CODES.get(verdict.status, ErrorCode.LICENSE_INVALID), verdict.message)
