"""Validation requests and their outcomes."""

from collections.abc import Mapping
from uuid import UUID

from msgspec import Struct, field
from msgspec.structs import replace

from licet_server.catalog.rules.model import ProductSettings
from licet_server.devices.rules.model import Activation
from licet_server.devices.rules.proofs import NO_PROOF, KeyLevel, ShownProof
from licet_server.kit.errors import ErrorCode, Refused, bad_field
from licet_server.licenses import errors as license_errors
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import NO_CREDENTIALS, Credentials
from licet_server.validation.rules.model import (
    Seat,
    Snapshot,
    ValidationStatus,
    ValidationWarning,
    Verdict,
)
from licet_server.validation.rules.verdict import warnings_of

_CODES = {
    ValidationStatus.LICENSE_NOT_FOUND: ErrorCode.LICENSE_NOT_FOUND,
    ValidationStatus.EXPIRED: ErrorCode.LICENSE_EXPIRED,
    ValidationStatus.REVOKED: ErrorCode.LICENSE_INVALID,
    ValidationStatus.SUSPENDED: ErrorCode.LICENSE_INVALID,
    ValidationStatus.CREDENTIALS_INVALID: ErrorCode.INVALID_CREDENTIALS,
    ValidationStatus.HARDWARE_MISMATCH: ErrorCode.HARDWARE_MISMATCH,
    ValidationStatus.PENDING_APPROVAL: ErrorCode.PENDING_APPROVAL,
    ValidationStatus.DEVICE_BLOCKED: ErrorCode.DEVICE_BLOCKED,
    ValidationStatus.ACTIVATION_REQUIRED: ErrorCode.ACTIVATION_REQUIRED,
    ValidationStatus.HARDWARE_ID_NOT_ACCEPTED: ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
    ValidationStatus.TRIAL_ALREADY_USED: ErrorCode.TRIAL_ALREADY_USED,
    ValidationStatus.DEVICE_PROOF_REQUIRED: ErrorCode.DEVICE_PROOF_REQUIRED,
}
_NO_SEAT = {ErrorCode.MAX_ACTIVATIONS_REACHED, ErrorCode.RATE_LIMITED}
_WITHOUT_LICENSE = {
    ValidationStatus.CREDENTIALS_REQUIRED,
    ValidationStatus.CREDENTIALS_INVALID,
}


class ValidationRequest(Struct, frozen=True, kw_only=True):
    """A license key, and what the application says about itself."""

    institution_id: UUID
    product_id: UUID
    settings: ProductSettings
    license_key: str
    hardware_id: str | None = None
    device_name: str | None = None
    os: str | None = None
    app_version: str | None = None
    session_id: UUID | None = None
    credentials: Credentials = NO_CREDENTIALS
    shown: ShownProof = NO_PROOF
    key_level: KeyLevel = KeyLevel.SOFTWARE
    components: Mapping[str, str] = field(default_factory=dict)


class ValidationOutcome(Struct, frozen=True, kw_only=True):
    """The verdict and the snapshot it is about; `None` for an unknown key."""

    verdict: Verdict
    snapshot: Snapshot | None

    @property
    def license(self) -> License | None:
        """What the application may see: nothing until its credentials are correct."""
        if self.snapshot is None or self.verdict.status in _WITHOUT_LICENSE:
            return None
        return self.snapshot.license

    @property
    def activation(self) -> Activation | None:
        """The requesting machine's own row, where the application may see the license."""
        if self.snapshot is None or self.license is None:
            return None
        own = self.snapshot.facts.own
        return own if own is not None and own.released_at is None else None

    def warnings(self, app_version: str | None) -> list[ValidationWarning]:
        """Return what could not be checked, where the application may see the license."""
        if self.snapshot is None or self.license is None:
            return []
        return warnings_of(self.snapshot, app_version)

    @property
    def seat(self) -> Seat | None:
        """The requesting device's or session's seat, where the application may see the license."""
        return self.snapshot.seat if self.snapshot is not None and self.license else None


def with_refusal_of_seat(outcome: ValidationOutcome, refused: Refused) -> ValidationOutcome:
    """Return the outcome with the reason why its device got no seat, if that is its verdict."""
    status = outcome.verdict.status
    if status is not ValidationStatus.ACTIVATION_REQUIRED or refused.code not in _NO_SEAT:
        return outcome
    return replace(outcome, verdict=Verdict(status, refused.detail))


def require_valid(request: ValidationRequest, outcome: ValidationOutcome) -> License:
    """Return the license of a valid outcome.

    Raises:
        Refused: the equivalent of any other verdict.
    """
    if outcome.license is None or not outcome.verdict.valid:
        raise refusal_of_verdict(request, outcome.verdict)
    return outcome.license


def refusal_of_verdict(request: ValidationRequest, verdict: Verdict) -> Refused:
    """Return the refusal that is equivalent to a verdict other than Valid."""
    if verdict.status is ValidationStatus.CREDENTIALS_REQUIRED:
        return license_errors.credentials_required(request.credentials.missing)
    if verdict.status is ValidationStatus.HARDWARE_ID_REQUIRED:
        return bad_field("hardwareId", verdict.message)
    if verdict.status is ValidationStatus.ACTIVATION_REQUIRED and request.hardware_id is None:
        return bad_field("hardwareId", "is required: the file is for a device that holds a seat.")
    return Refused(_CODES.get(verdict.status, ErrorCode.LICENSE_INVALID), verdict.message)
