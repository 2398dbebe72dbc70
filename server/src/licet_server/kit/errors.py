"""Refusals: how the service rejects a request.

Domain code raises `Refused` with a stable code and a sentence; only the HTTP layer knows which
status belongs to a code.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

MAX_FIELD_ERRORS = 50
_NAMED_IN_DETAIL = 10


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
    CLOCK_NOT_TRUSTED = "ClockNotTrusted"
    LICENSE_NOT_FOUND = "LicenseNotFound"
    LICENSE_INVALID = "LicenseInvalid"
    LICENSE_EXPIRED = "LicenseExpired"
    MAX_ACTIVATIONS_REACHED = "MaxActivationsReached"
    MAX_CONCURRENT_SESSIONS_REACHED = "MaxConcurrentSessionsReached"
    DEVICE_BLOCKED = "DeviceBlocked"
    HARDWARE_MISMATCH = "HardwareMismatch"
    HARDWARE_ID_NOT_ACCEPTED = "HardwareIdNotAccepted"
    DEVICE_PROOF_REQUIRED = "DeviceProofRequired"
    TRIAL_ALREADY_USED = "TrialAlreadyUsed"
    ENROLLMENT_KEY_INVALID = "EnrollmentKeyInvalid"
    PENDING_APPROVAL = "PendingApproval"
    ACTIVATION_REQUIRED = "ActivationRequired"
    ACTIVATION_NOT_FOUND = "ActivationNotFound"
    SESSION_NOT_FOUND = "SessionNotFound"
    LEASE_LIMIT_REACHED = "LeaseLimitReached"
    LEASE_NOT_FOUND = "LeaseNotFound"
    LEASE_FORKED = "LeaseForked"
    OFFLINE_ACTIVATION_NOT_ALLOWED = "OfflineActivationNotAllowed"
    OFFLINE_REQUEST_OUTDATED = "OfflineRequestOutdated"
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


@dataclass(frozen=True, slots=True)
class Missing(FieldError):
    """A field is missing, or another one in its place: where one of those is bad, nothing is."""

    or_else: tuple[str, ...]


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


class FieldErrors:
    """Collects bad fields, the first reason of each; keeps 50 of them and counts the others.

    A request of a few bytes per field must not get an answer of a hundred bytes for each.
    """

    def __init__(self) -> None:
        self._kept: dict[str, FieldError] = {}
        self._more = 0

    def __bool__(self) -> bool:
        return bool(self._kept)

    def add(self, errors: Iterable[FieldError]) -> None:
        """Add these, in the order found."""
        for error in errors:
            is_there = isinstance(error, Missing) and any(map(self._has, error.or_else))
            if is_there or error.field in self._kept:
                continue
            if len(self._kept) < MAX_FIELD_ERRORS:
                self._kept[error.field] = FieldError(error.field, error.message)
            else:
                self._more += 1

    def _has(self, name: str) -> bool:
        inside = (f"{name}[", f"{name}.")
        return any(field == name or field.startswith(inside) for field in self._kept)

    def add_each(self, fields: Sequence[str], message: str) -> None:
        """Add all these fields, different ones, for the same reason."""
        named = MAX_FIELD_ERRORS - len(self._kept)
        self.add(FieldError(field, message) for field in fields[:named])
        self._more += len(fields[named:])

    def refused(self) -> Refused:
        """Return the refusal that names them."""
        kept = tuple(self._kept.values())
        names = ", ".join(error.field or "body" for error in kept[:_NAMED_IN_DETAIL])
        unnamed = len(kept[_NAMED_IN_DETAIL:]) + self._more
        names += f" and {unnamed:,} more" if unnamed else ""
        detail = f"Check {names}: {kept[0].message}"
        if len(kept) > 1:
            detail = f"Check these fields: {names}. The first problem: {kept[0].message}"
        if self._more:
            others = "One more field is" if self._more == 1 else f"{self._more:,} more fields are"
            message = f"{others} wrong; correct these first."
            kept = (*kept, FieldError("", message))
        return Refused(ErrorCode.INVALID_REQUEST, detail, errors=kept)


def bad_fields(errors: Iterable[FieldError]) -> Refused:
    """Refuse a body or query; each bad field is named once, in the order found."""
    found = FieldErrors()
    found.add(errors)
    return found.refused()


def bad_field(field: str, message: str) -> Refused:
    """Refuse a single bad field."""
    return bad_fields([FieldError(field, message)])


def refusal(
    code: ErrorCode, detail: str, *, retry_after: int | None = None
) -> Callable[[], Refused]:
    """Return what refuses always with the same sentence: call it, and raise what it returns."""
    return partial(Refused, code, detail, retry_after=retry_after)


def not_found(what: str) -> Refused:
    """Refuse without revealing whether it does not exist or belongs to someone else."""
    return Refused(
        ErrorCode.NOT_FOUND,
        f"There is no such {what}, or you have no access to it. Check the id.",
    )


def conflict(detail: str) -> Refused:
    """Refuse because the current state does not allow the action."""
    return Refused(ErrorCode.CONFLICT, detail)


unavailable = refusal(
    ErrorCode.UNAVAILABLE,
    "The service is busy or just starting. Nothing was changed; try again in a moment.",
    retry_after=1,
)
"""The service is overloaded or starting; nothing was done."""

node_away = refusal(
    ErrorCode.UNAVAILABLE,
    "The part of the database with this data cannot be reached. Try again in a moment; a "
    "change that is sent again with the same Idempotency-Key is made once.",
    retry_after=1,
)
"""The node of a distributed database that has the data is away.

What the request changed on other nodes before may be stored.
"""

outcome_unknown = refusal(
    ErrorCode.UNAVAILABLE,
    "The database did not confirm the change, so it may or may not have been stored. Look "
    "before you send it again, or send it again with the same Idempotency-Key.",
    retry_after=1,
)
"""The database did not confirm a change, which may be stored or not."""
