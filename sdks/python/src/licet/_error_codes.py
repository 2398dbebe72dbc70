"""The server's error codes: the error to raise and its message."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from licet._model import LicenseResult
from licet._status import LicenseValidationStatus
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

_ERRORS: Mapping[str, tuple[type[RequestRefusedError], str]] = {
    "LicenseNotFound": (
        LicenseRefusedError,
        "The license key was not found for this product. Check the key for typing errors.",
    ),
    "LicenseInvalid": (
        LicenseRefusedError,
        "The license is revoked, suspended or, for charges, expired. Contact the vendor.",
    ),
    "LicenseExpired": (LicenseRefusedError, "The license has expired. Renew it with the vendor."),
    "InvalidCredentials": (
        LicenseRefusedError,
        "The user name or password is wrong. Check both and try again.",
    ),
    "EnrollmentKeyInvalid": (
        EnrollmentKeyInvalidError,
        "The enrollment key of this installation is not accepted. Ask your administrator.",
    ),
    "MaxActivationsReached": (
        SeatsExhaustedError,
        (
            "All seats of the license are taken{seats}. Deactivate a device that no longer needs "
            "its seat, or ask the vendor for more seats."
        ),
    ),
    "MaxConcurrentSessionsReached": (
        SeatsExhaustedError,
        (
            "All seats of the license are in use{seats}. Close the application on another device, "
            "or ask the vendor for more seats."
        ),
    ),
    "ActivationRequired": (
        ActivationRequiredError,
        "This device does not hold a seat of the license. Activate it first.",
    ),
    "PendingApproval": (
        ApprovalPendingError,
        "The vendor has not approved this device yet. Try again once it is approved.",
    ),
    "DeviceBlocked": (
        DeviceBlockedError,
        "The vendor has blocked this device. Ask the vendor to unblock it.",
    ),
    "DeviceProofRequired": (
        DeviceProofRequiredError,
        (
            "This device could not prove that it is the one with the license: its key is missing, "
            "or another. Restore the application's data folder, or ask the vendor to free the "
            "device."
        ),
    ),
    "HardwareMismatch": (
        HardwareMismatchError,
        "The license is bound to another device. Ask the vendor to move it to this one.",
    ),
    "HardwareIdNotAccepted": (
        LicenseRefusedError,
        (
            "The vendor does not accept the hardware ID of this device, such as that of a CI "
            "project or a host name. Use another device, or ask the vendor."
        ),
    ),
    "TrialAlreadyUsed": (
        LicenseRefusedError,
        (
            "This device has already used another trial of the product. Buy a license, or ask the "
            "vendor to extend the first trial."
        ),
    ),
    "SessionNotFound": (
        SessionLostError,
        "The server has ended this session. Open a new one.",
    ),
    "LeaseLimitReached": (
        LeaseRefusedError,
        (
            "Nothing can be borrowed or reserved now: the license does not lend so long or so "
            "much, or enough of it is away. Ask the vendor."
        ),
    ),
    "LeaseNotFound": (
        LeaseRefusedError,
        (
            "This device has no borrowed seat or reserved credits that could be renewed, reported "
            "or returned. Borrow or reserve again."
        ),
    ),
    "LeaseForked": (
        LeaseRefusedError,
        (
            "What this device has borrowed or reserved was also used from a copy of its data "
            "folder, or the folder was put back. Ask the vendor to allow this device again."
        ),
    ),
    "InsufficientBalance": (
        InsufficientBalanceError,
        "The license's balance does not cover this charge{amounts}. Ask the vendor to add to it.",
    ),
    "FeatureNotEntitled": (
        FeatureNotEntitledError,
        "The license does not include this feature. Ask the vendor for a license that does.",
    ),
    "PricingNotConfigured": (
        PricingNotConfiguredError,
        "This feature has no price. Check the feature's name, or ask the vendor to set a price.",
    ),
    "NotMeteredLicense": (
        NotMeteredError,
        "The license is not metered. Charge only MeteredToken and MeteredCount licenses.",
    ),
    "WalletNotFound": (
        WalletNotFoundError,
        "The server has no wallet for this metered license. Contact the vendor.",
    ),
    "IdempotencyKeyReused": (
        IdempotencyKeyReusedError,
        (
            "This idempotency key was already used for another feature or quantity. "
            "Use a new key for a new charge."
        ),
    ),
    "ConcurrencyConflict": (
        ConcurrencyConflictError,
        "The license was charged concurrently. Try again with the same idempotency key.",
    ),
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
    error_class, template = _ERRORS.get(
        code, (RequestRefusedError, f"The license server refused the request ({code}).")
    )
    used, total = optional_int(problem.get("seatsUsed")), optional_int(problem.get("seatsTotal"))
    seats = f" ({used} of {total})" if used is not None and total is not None else ""
    cost, balance = optional_amount(problem.get("cost")), optional_amount(problem.get("balance"))
    known = cost is not None and balance is not None
    amounts = f" ({cost:f} needed, {balance:f} left)" if known else ""
    message = template.replace("{seats}", seats).replace("{amounts}", amounts)
    hint = _HINTS.get(code, "") if code in _ERRORS else f"The server's error code is {code}."
    error = error_class(said or message, hint=hint, **attributes)
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
    template = _ERRORS["PendingApproval"][1]
    return ApprovalPendingError(template, http_status=202, error_code="PendingApproval")


def lease_refused(code: str, message: str | None = None) -> LeaseRefusedError:
    """The error for what needs no answer of the server; ``message`` says more than its code."""
    return LeaseRefusedError(message or _ERRORS[code][1], http_status=0, error_code=code)


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
    return IdempotencyKeyReusedError(_ERRORS[code][1], http_status=0, error_code=code)


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
