"""Wire shapes of validation."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.catalog.rules.model import FeatureValue
from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.rules.proofs import KeyLevel
from licet_server.devices.schemas import HardwareId, LicenseBody, Short, ShownComponents
from licet_server.kit.web.body import Body, RuntimeBody
from licet_server.licenses.rules.entitlements import Entitlements
from licet_server.licenses.rules.model import ActivationMode, License, LicenseStatus
from licet_server.licenses.rules.traits import LicenseType, SeatKind
from licet_server.validation.rules.model import RuleName, ValidationStatus, ValidationWarning
from licet_server.validation.service.requests import ValidationOutcome


class ValidateBody(LicenseBody, kw_only=True):
    """A validation request. With `signed`, the response carries a signed verdict (`token`).

    `sessionId` asks whether that session of a Floating license holds a seat. `activate` also
    activates the device where the model has seats of devices, and `file` adds a fresh license.bin:
    one request for a first start. `os` describes a device that is activated or bound,
    `deviceKeyLevel` says where it keeps the key that it proves, and `components` are hashes of its
    parts, by which a license with `machineMatch` recognizes it.
    """

    hardware_id: HardwareId | None = None
    session_id: UUID | None = None
    device_name: Short | None = None
    os: Short | None = None
    app_version: Short | None = None
    device_key_level: KeyLevel = KeyLevel.SOFTWARE
    components: ShownComponents | None = None
    nonce: Short | None = None
    signed: bool = False
    activate: bool = False
    file: bool = False


class ValidateManyBody(RuntimeBody):
    """Up to 100 validation requests, without `activate` and `file`."""

    requests: Annotated[list[ValidateBody], Meta(min_length=1, max_length=100)]


class FlagContext(LicenseBody, kw_only=True):
    """Whose flags; other attributes of an evaluation context, such as `targetingKey`, are ignored.

    The license key is no `targetingKey`, since OpenFeature writes that into traces.
    """

    hardware_id: HardwareId | None = None
    session_id: UUID | None = None
    app_version: Short | None = None


class EvaluateFlagsBody(RuntimeBody):
    """A request of the OpenFeature Remote Evaluation Protocol."""

    context: FlagContext


class RefreshBody(LicenseBody, kw_only=True):
    """Which license file to issue again, and the parts of the device, as when it is validated."""

    hardware_id: HardwareId | None = None
    components: ShownComponents | None = None
    protected: bool = False


class ExplainLicenseBody(Body):
    """What the application would send: the explanation is for this request."""

    hardware_id: HardwareId | None = None
    app_version: Short | None = None


class ValidatedLicense(Struct, rename="camel"):
    """What an application may see of its license.

    `expirationDate` is when the license stops being valid: with a grace, the end of the grace.
    `inGraceUntil` is the same instant once the term has ended. `updatesUntil` is the end of the
    maintenance: releases that were first published later are not covered. `fallbackUntil` is the
    same for what the license keeps after its term; while it is only that, `inFallback` is true and
    `expirationDate` null. `test`: of a Test product, which unlocks no shipped application.
    """

    id: UUID
    type: LicenseType
    status: LicenseStatus
    test: bool
    name: str
    issued_to: str | None
    expiration_date: datetime | None
    in_grace_until: datetime | None
    updates_until: datetime | None
    fallback_until: datetime | None
    in_fallback: bool
    activation_mode: ActivationMode
    max_active_users_count: int | None
    features: list[str] | None
    entitlements: dict[str, FeatureValue] | None
    metadata: dict[str, str]


class SeatState(Struct):
    """What holds a seat of the license, and how many are in use.

    `held` is null where the request named no device or session, `used` and `total` where seats are
    not counted.
    """

    kind: SeatKind
    held: bool | None
    used: int | None
    total: int | None


class ActivationState(Struct):
    """The activation of the requesting device."""

    id: UUID
    status: ActivationStatus


class ValidateAnswer(Struct, rename="camel"):
    """The verdict; always sent with HTTP status 200.

    `warnings` names what could not be checked: `VersionNotComparable` is the version of the
    application against the release of the license. `file` is the text of a license.bin, where one
    was requested and the license has one.
    """

    valid: bool
    status: ValidationStatus
    message: str
    license: ValidatedLicense | None
    activation: ActivationState | None
    seat: SeatState | None
    warnings: list[ValidationWarning]
    server_time: datetime
    nonce: str | None
    request_id: str
    token: str | UnsetType = UNSET
    file: str | UnsetType = UNSET


class ValidateManyAnswer(Struct):
    """The verdicts, in the order of the requests."""

    results: list[ValidateAnswer]


class FlagsMetadata(Struct, rename="camel"):
    """What the flags follow from."""

    license_status: ValidationStatus


class Flag(Struct):
    """A feature that the license grants: `true`, its number or its text."""

    key: str
    value: FeatureValue
    metadata: FlagsMetadata
    reason: Literal["STATIC"] = "STATIC"


class FlagNotFound(Struct, rename="camel"):
    """The license does not grant a feature of this name; `errorDetails` says why."""

    key: str
    error_details: str
    error_code: Literal["FLAG_NOT_FOUND"] = "FLAG_NOT_FOUND"


class FlagsAnswer(Struct):
    """Every feature that the license grants; none if it is not valid."""

    flags: list[Flag]
    metadata: FlagsMetadata


class RefreshAnswer(Struct, rename="camel"):
    """The text of a fresh license.bin; `expiresAt` is when it must be refreshed."""

    file: str
    expires_at: datetime | None


class RuleView(Struct):
    """One rule of an explanation."""

    rule: RuleName
    passed: bool
    detail: str


class Explanation(Struct):
    """Why a license is or is not valid, rule by rule, and what it entitles to while it is."""

    status: ValidationStatus
    rules: list[RuleView]
    entitlements: dict[str, FeatureValue] | None


def validated_license(outcome: ValidationOutcome, now: datetime) -> ValidatedLicense | None:
    """Return the license of an outcome, where the application may see it.

    Built by hand, since a conversion would cost the busiest route more than all of its rules.
    """
    if outcome.license is None or outcome.snapshot is None:
        return None
    return license_seen(outcome.license, outcome.snapshot.entitlements, now)


def license_seen(item: License, entitlements: Entitlements, now: datetime) -> ValidatedLicense:
    """Return what an application may see of its license."""
    features, values = entitlements.features, entitlements.values
    return ValidatedLicense(
        id=item.id,
        type=item.type,
        status=item.status(now),
        test=item.test,
        name=item.license_name,
        issued_to=item.issued_to,
        expiration_date=item.ends_at(now),
        in_grace_until=item.in_grace_until(now),
        updates_until=item.updates_until,
        fallback_until=item.fallback_until,
        in_fallback=item.in_fallback(now),
        activation_mode=item.activation_mode,
        max_active_users_count=item.max_active_users_count,
        features=list(features) if features is not None else None,
        entitlements=dict(values) if values is not None else None,
        metadata=dict(item.metadata),
    )


def activation_state(outcome: ValidationOutcome) -> ActivationState | None:
    """Return the device's activation, if it has one and the application may see the license."""
    own = outcome.activation
    return None if own is None else ActivationState(id=own.id, status=own.status)


def seat_state(outcome: ValidationOutcome) -> SeatState | None:
    """Return the seat of an outcome, if the application may see the license."""
    seat = outcome.seat
    return None if seat is None else SeatState(seat.kind, seat.held, seat.used, seat.total)
