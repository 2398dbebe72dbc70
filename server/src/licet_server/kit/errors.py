"""Refusals: how the service rejects a request.

Domain code raises `Refused` with a stable code and a sentence; only the HTTP layer knows which
status belongs to a code.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class ErrorCode(StrEnum):
    """The stable error codes of the API; a code is never renamed."""

    INVALID_REQUEST = "InvalidRequest"
    UNAUTHORIZED = "Unauthorized"
    INVALID_CREDENTIALS = "InvalidCredentials"
    OTP_REQUIRED = "OtpRequired"
    FORBIDDEN = "Forbidden"
    SSO_REQUIRED = "SsoRequired"
    STEP_UP_REQUIRED = "StepUpRequired"
    NOT_FOUND = "NotFound"
    METHOD_NOT_ALLOWED = "MethodNotAllowed"
    RANGE_NOT_SATISFIABLE = "RangeNotSatisfiable"
    UNSUPPORTED_MEDIA_TYPE = "UnsupportedMediaType"
    PAYLOAD_TOO_LARGE = "PayloadTooLarge"
    CONFLICT = "Conflict"
    KEYS_NOT_GENERATED = "KeysNotGenerated"
    PLAN_LIMIT_REACHED = "PlanLimitReached"
    IDEMPOTENCY_KEY_REUSED = "IdempotencyKeyReused"
    RATE_LIMITED = "RateLimited"
    INTERNAL_ERROR = "InternalError"
    UNAVAILABLE = "Unavailable"
    LICENSE_NOT_FOUND = "LicenseNotFound"
    LICENSE_INVALID = "LicenseInvalid"
    LICENSE_EXPIRED = "LicenseExpired"
    MAX_ACTIVATIONS_REACHED = "MaxActivationsReached"
    MAX_CONCURRENT_SESSIONS_REACHED = "MaxConcurrentSessionsReached"
    DEVICE_BLOCKED = "DeviceBlocked"
    HARDWARE_MISMATCH = "HardwareMismatch"
    PENDING_APPROVAL = "PendingApproval"
    ACTIVATION_REQUIRED = "ActivationRequired"
    ACTIVATION_NOT_FOUND = "ActivationNotFound"
    SESSION_NOT_FOUND = "SessionNotFound"
    NOT_METERED_LICENSE = "NotMeteredLicense"
    WALLET_NOT_FOUND = "WalletNotFound"
    FEATURE_NOT_ENTITLED = "FeatureNotEntitled"
    PRICING_NOT_CONFIGURED = "PricingNotConfigured"
    INSUFFICIENT_BALANCE = "InsufficientBalance"
    CONCURRENCY_CONFLICT = "ConcurrencyConflict"


@dataclass(frozen=True, slots=True)
class FieldError:
    """One bad field: its path in the request (`settings.ipAllowList[0]`) and the reason."""

    field: str
    message: str


class Refused(Exception):
    """The request is refused, and nothing has changed: `code` for programs, `detail` for people.

    `errors` lists the bad fields; `extra` holds more members of the problem document;
    `retry_after` is in seconds.
    """

    def __init__(
        self,
        code: ErrorCode,
        detail: str,
        *,
        errors: Sequence[FieldError] = (),
        extra: Mapping[str, object] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)
        self.extra = dict(extra or {})
        self.retry_after = retry_after


def bad_fields(errors: Sequence[FieldError]) -> Refused:
    """Refuse a body or query; each bad field is named once, in the order found."""
    first_of_each = tuple({error.field: error for error in reversed(errors)}.values())[::-1]
    names = ", ".join(error.field or "body" for error in first_of_each)
    detail = f"Check {names}: {first_of_each[0].message}"
    if len(first_of_each) > 1:
        detail = f"Check these fields: {names}. The first problem: {first_of_each[0].message}"
    return Refused(ErrorCode.INVALID_REQUEST, detail, errors=first_of_each)


def bad_field(field: str, message: str) -> Refused:
    """Refuse a single bad field."""
    return bad_fields([FieldError(field, message)])


def not_found(what: str) -> Refused:
    """Refuse without revealing whether it does not exist or belongs to someone else."""
    return Refused(
        ErrorCode.NOT_FOUND,
        f"There is no such {what}, or you have no access to it. Check the id.",
    )


def conflict(detail: str) -> Refused:
    """Refuse because the current state does not allow the action."""
    return Refused(ErrorCode.CONFLICT, detail)


def unavailable() -> Refused:
    """Refuse because the service is overloaded or starting; nothing was done."""
    return Refused(
        ErrorCode.UNAVAILABLE,
        "The service is busy or just starting. Nothing was changed; try again in a moment.",
        retry_after=1,
    )
