"""The server's error codes and the errors to raise for them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from licet._model import LicenseResult
from licet._status import LicenseValidationStatus
from licet._wording import english, word
from licet.errors import (
    ActivationRequiredError,
    ApprovalPendingError,
    ConcurrencyConflictError,
    DeviceBlockedError,
    DeviceProofRequiredError,
    EnrollmentKeyInvalidError,
    FeatureNotEntitledError,
    HardwareMismatchError,
    IdempotencyKeyReusedError,
    InsufficientBalanceError,
    LeaseRefusedError,
    LicenseRefusedError,
    NotMeteredError,
    OnlineRequiredError,
    PricingNotConfiguredError,
    RequestRefusedError,
    SeatsExhaustedError,
    SessionLostError,
    WalletNotFoundError,
)

MAX_DIGITS = 40

_ERRORS: Mapping[str, type[RequestRefusedError]] = {
    "LicenseNotFound": LicenseRefusedError,
    "LicenseInvalid": LicenseRefusedError,
    "LicenseExpired": LicenseRefusedError,
    "InvalidCredentials": LicenseRefusedError,
    "EnrollmentKeyInvalid": EnrollmentKeyInvalidError,
    "MaxActivationsReached": SeatsExhaustedError,
    "MaxConcurrentSessionsReached": SeatsExhaustedError,
    "ActivationRequired": ActivationRequiredError,
    "PendingApproval": ApprovalPendingError,
    "DeviceBlocked": DeviceBlockedError,
    "DeviceProofRequired": DeviceProofRequiredError,
    "HardwareMismatch": HardwareMismatchError,
    "HardwareIdNotAccepted": LicenseRefusedError,
    "TrialAlreadyUsed": LicenseRefusedError,
    "SessionNotFound": SessionLostError,
    "LeaseLimitReached": LeaseRefusedError,
    "LeaseNotFound": LeaseRefusedError,
    "LeaseForked": LeaseRefusedError,
    "InsufficientBalance": InsufficientBalanceError,
    "FeatureNotEntitled": FeatureNotEntitledError,
    "PricingNotConfigured": PricingNotConfiguredError,
    "NotMeteredLicense": NotMeteredError,
    "WalletNotFound": WalletNotFoundError,
    "IdempotencyKeyReused": IdempotencyKeyReusedError,
    "ConcurrencyConflict": ConcurrencyConflictError,
}

_HINTS = {
    "EnrollmentKeyInvalid": (
        "Check LICET_ENROLLMENT_KEY or EnrollmentKey. Whoever manages the license makes enrollment "
        "keys, and sees until when each is valid, for how many devices and from which networks."
    ),
}


def error_for_code(
    code: str, problem: Mapping[str, Any], said: str, attributes: Mapping[str, Any]
) -> RequestRefusedError:
    """Create the error for a code; :class:`RequestRefusedError` if the code is not known.

    Args:
        code: The server's error code.
        problem: The body of the response.
        said: The server's own sentence, which replaces that of this package.
        attributes: The attributes common to all server errors.
    """
    used, total = optional_int(problem.get("seatsUsed")), optional_int(problem.get("seatsTotal"))
    cost, balance = optional_amount(problem.get("cost")), optional_amount(problem.get("balance"))
    message = english(
        code if code in _ERRORS else "RequestRefused",
        seatsUsed=used,
        seatsTotal=total,
        cost=cost,
        balance=balance,
        errorCode=word(code),
    )
    hint = _HINTS.get(code, "") if code in _ERRORS else f"The server's error code is {code}."
    error = _ERRORS.get(code, RequestRefusedError)(said or message, hint=hint, **attributes)
    if isinstance(error, SeatsExhaustedError):
        error.seats_used, error.seats_total = used, total
        error.can_release = problem.get("canRelease") is True
    if isinstance(error, SessionLostError) and isinstance(problem.get("endReason"), str):
        error.end_reason = problem["endReason"]
    if isinstance(error, InsufficientBalanceError):
        error.cost, error.balance = cost, balance
        error.replayed = problem.get("replayed") is True
    return error


_STATUS_ERRORS: Mapping[LicenseValidationStatus, type[RequestRefusedError]] = {
    LicenseValidationStatus.ActivationRequired: ActivationRequiredError,
    LicenseValidationStatus.DeviceBlocked: DeviceBlockedError,
    LicenseValidationStatus.DeviceProofRequired: DeviceProofRequiredError,
    LicenseValidationStatus.HardwareMismatch: HardwareMismatchError,
    LicenseValidationStatus.PendingApproval: ApprovalPendingError,
}
_STATUS_HINTS = {
    LicenseValidationStatus.TestLicense: (
        "The application's own tests accept licenses of Test products by test_mode=True."
    ),
}


def error_for_result(result: LicenseResult) -> RequestRefusedError | OnlineRequiredError:
    """Create the error for a result that is not valid, with its message and cause."""
    if result.status is LicenseValidationStatus.OnlineRequired or (
        result.status is LicenseValidationStatus.RefreshRequired and result.cause is not None
    ):
        return online_required(result)
    error = _STATUS_ERRORS.get(result.status, LicenseRefusedError)(
        result.message,
        hint=_STATUS_HINTS.get(result.status, ""),
        http_status=200 if result.source == "server" else 0,
        error_code=result.status.value,
        request_id=result.request_id,
    )
    error.result, error.__cause__ = result, result.cause
    return error


def online_required(result: LicenseResult) -> OnlineRequiredError:
    """Create the error for a license that needs an answer of the server, and got none."""
    hint = result.cause.hint if result.cause is not None else ""
    error = OnlineRequiredError(result.message, hint=hint, result=result)
    error.__cause__ = result.cause
    return error


def approval_pending() -> ApprovalPendingError:
    """The error for a device that the server has registered but the vendor has not approved."""
    message = english("PendingApproval")
    return ApprovalPendingError(message, http_status=202, error_code="PendingApproval")


def lease_refused(code: str, message: str | None = None) -> LeaseRefusedError:
    """The error for what needs no answer of the server; ``message`` says more than its code."""
    return LeaseRefusedError(message or english(code), http_status=0, error_code=code)


def charge_refused(cost: Decimal, left: Decimal) -> InsufficientBalanceError:
    """The error for a charge beyond the reserved credits where no server can be asked."""
    error = InsufficientBalanceError(
        f"The reserved credits do not cover this charge (cost {cost:f}, left {left:f}), and the "
        "license server cannot be reached.",
        http_status=0,
        error_code="InsufficientBalance",
    )
    error.cost, error.balance = cost, left
    return error


def key_reused() -> IdempotencyKeyReusedError:
    """The error for a key that has charged reserved credits for something else."""
    code = "IdempotencyKeyReused"
    return IdempotencyKeyReusedError(english(code), http_status=0, error_code=code)


def optional_int(value: object) -> int | None:
    """Read an optional integer of a response; ``None`` if it is missing or invalid."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def optional_amount(value: object) -> Decimal | None:
    """Read an optional amount of a response; ``None`` if it is missing or invalid."""
    if isinstance(value, Decimal):
        # Formatting 1e999999999 would exhaust memory, and no amount is that large.
        is_bounded = value.is_finite() and abs(value.adjusted()) <= MAX_DIGITS
        return value if is_bounded else None
    whole = optional_int(value)
    return None if whole is None else Decimal(whole)
