"""What the refresh of a license file refuses; validation itself answers and never refuses."""

from licet_server.kit.errors import ErrorCode, Refused, bad_field
from licet_server.validation.rules import ValidationStatus, Verdict

_CODES = {
    ValidationStatus.LICENSE_NOT_FOUND: ErrorCode.LICENSE_NOT_FOUND,
    ValidationStatus.EXPIRED: ErrorCode.LICENSE_EXPIRED,
    ValidationStatus.REVOKED: ErrorCode.LICENSE_INVALID,
    ValidationStatus.SUSPENDED: ErrorCode.LICENSE_INVALID,
    ValidationStatus.CREDENTIALS_INVALID: ErrorCode.INVALID_CREDENTIALS,
}
_FIELDS = {
    ValidationStatus.HARDWARE_ID_REQUIRED: "hardwareId",
    ValidationStatus.CREDENTIALS_REQUIRED: "username",
}


def refused_by(verdict: Verdict) -> Refused:
    """The refusal that stands for a verdict other than Valid."""
    field = _FIELDS.get(verdict.status)
    if field is not None:
        return bad_field(field, verdict.message)
    return Refused(_CODES.get(verdict.status, ErrorCode.LICENSE_INVALID), verdict.message)
