"""What an application sends to validate, and what comes of it."""

from dataclasses import dataclass
from uuid import UUID

from licet_server.devices import errors as device_errors
from licet_server.devices.rules.model import Activation
from licet_server.kit.errors import ErrorCode, Refused, bad_field
from licet_server.licenses.rules.model import License
from licet_server.validation.rules.model import Snapshot, ValidationStatus, Verdict

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
_WITHOUT_LICENSE = {
    ValidationStatus.CREDENTIALS_REQUIRED,
    ValidationStatus.CREDENTIALS_INVALID,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationRequest:
    """A license key, and what the application says about itself."""

    institution_id: UUID
    product_id: UUID
    license_key: str
    hardware_id: str | None = None
    device_name: str | None = None
    app_version: str | None = None
    username: str | None = None
    password: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationOutcome:
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
        return self.snapshot.facts.own


def require_valid(outcome: ValidationOutcome) -> License:
    """The license of a valid outcome.

    Raises:
        Refused: the equivalent of any other verdict.
    """
    if outcome.license is None or not outcome.verdict.valid:
        raise refusal_of_verdict(outcome.verdict)
    return outcome.license


def refusal_of_verdict(verdict: Verdict) -> Refused:
    """The refusal that is equivalent to a verdict other than Valid."""
    field = _FIELDS.get(verdict.status)
    if field is not None:
        return bad_field(field, verdict.message)
    return Refused(_CODES.get(verdict.status, ErrorCode.LICENSE_INVALID), verdict.message)


def require_seat(request: ValidationRequest, outcome: ValidationOutcome) -> None:
    """Some models give license files only to devices that hold a seat.

    Raises:
        Refused: `InvalidRequest` without a hardware ID, `ActivationRequired`.
    """
    if outcome.license is None or not outcome.license.traits.activation_required:
        return
    if request.hardware_id is None:
        raise bad_field("hardwareId", "is required: the file is for a device that holds a seat.")
    if outcome.activation is None or not outcome.activation.holds_seat:
        raise device_errors.activation_required()
