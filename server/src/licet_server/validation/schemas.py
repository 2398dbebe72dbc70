"""Wire shapes of validation."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.schemas import HardwareId, LicenseKey, Short
from licet_server.kit.web.body import Body, RuntimeBody
from licet_server.licenses.rules.model import ActivationMode, License, LicenseStatus
from licet_server.licenses.rules.traits import LicenseType
from licet_server.validation.rules import ValidationStatus
from licet_server.validation.service import Answer

Secret = Annotated[str, Meta(max_length=1000)]


class ValidateBody(RuntimeBody):
    """What an application asks. With `signed`, the answer carries a token."""

    license_key: LicenseKey
    hardware_id: HardwareId | None = None
    device_name: Short | None = None
    app_version: Short | None = None
    username: Short | None = None
    password: Secret | None = None
    nonce: Short | None = None
    signed: bool = False


class RefreshBody(RuntimeBody):
    """Which license file is to be made anew."""

    license_key: LicenseKey
    hardware_id: HardwareId | None = None
    username: Short | None = None
    password: Secret | None = None
    protected: bool = False


class ExplainBody(Body):
    """The circumstances to explain for."""

    hardware_id: HardwareId | None = None
    app_version: Short | None = None


class ValidatedLicense(Struct, rename="camel"):
    """What an application learns of its license."""

    id: UUID
    type: LicenseType
    status: LicenseStatus
    name: str
    issued_to: str | None
    expiration_date: datetime | None
    activation_mode: ActivationMode
    max_active_users_count: int | None
    features: list[str] | None
    metadata: dict[str, str]


class ActivationState(Struct):
    """Where this machine stands with the license."""

    id: UUID
    status: ActivationStatus


class ValidateAnswer(Struct, rename="camel"):
    """The verdict on the wire; always with status 200."""

    valid: bool
    status: ValidationStatus
    message: str
    license: ValidatedLicense | None
    activation: ActivationState | None
    server_time: datetime
    nonce: str | None
    request_id: str
    token: str | UnsetType = UNSET


class RefreshAnswer(Struct, rename="camel"):
    """The text of a fresh license.bin; `expiresAt` is when it must be refreshed again."""

    file: str
    expires_at: datetime | None


class RuleView(Struct):
    """One rule of the explanation."""

    rule: str
    passed: bool
    detail: str


class Explanation(Struct):
    """Why a license is or is not valid, rule by rule."""

    status: ValidationStatus
    rules: list[RuleView]


def validated_license(answer: Answer, now: datetime) -> ValidatedLicense | None:
    """The license of an answer, where the application may know it."""
    item: License | None = answer.license
    if item is None:
        return None
    features = answer.snapshot.features
    return ValidatedLicense(
        id=item.id,
        type=item.type,
        status=item.status(now),
        name=item.license_name,
        issued_to=item.issued_to,
        expiration_date=item.expiration_date,
        activation_mode=item.activation_mode,
        max_active_users_count=item.max_active_users_count,
        features=list(features) if features is not None else None,
        metadata=dict(item.metadata),
    )


def activation_state(answer: Answer) -> ActivationState | None:
    """This machine's row, where it has one and the application may know the license."""
    own = answer.activation
    return None if own is None else ActivationState(own.id, own.status)
