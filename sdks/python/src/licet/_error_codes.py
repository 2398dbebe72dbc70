"""What the server refuses, by its stable codes: the error to raise and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from licet.errors import (
    ActivationRequiredError,
    ApprovalPendingError,
    ConcurrencyConflictError,
    DeviceBlockedError,
    FeatureNotEntitledError,
    HardwareMismatchError,
    IdempotencyKeyReusedError,
    InsufficientBalanceError,
    LicenseRefusedError,
    NotMeteredError,
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
        "The server knows no such license key for this product. Check the key for typing errors.",
    ),
    "LicenseInvalid": (
        LicenseRefusedError,
        "The license is revoked, suspended or, for charges, expired. Ask the vendor about it.",
    ),
    "LicenseExpired": (LicenseRefusedError, "The license has expired. Renew it with the vendor."),
    "MaxActivationsReached": (
        SeatsExhaustedError,
        (
            "All seats of the license are taken{seats}. Deactivate a device that needs its seat no "
            "longer, or ask the vendor for more."
        ),
    ),
    "MaxConcurrentSessionsReached": (
        SeatsExhaustedError,
        (
            "All seats of the license are in use{seats}. Close the application somewhere else, or "
            "ask the vendor for more seats."
        ),
    ),
    "ActivationRequired": (
        ActivationRequiredError,
        "This device holds no seat of the license. Activate it first.",
    ),
    "PendingApproval": (
        ApprovalPendingError,
        "This device waits for the vendor's approval. Try again once it is given.",
    ),
    "DeviceBlocked": (
        DeviceBlockedError,
        "The vendor has blocked this device. Ask the vendor to unblock it.",
    ),
    "HardwareMismatch": (
        HardwareMismatchError,
        "The license is bound to another device. Ask the vendor to move it to this one.",
    ),
    "SessionNotFound": (
        SessionLostError,
        "The server has dropped this session. Open a new one.",
    ),
    "InsufficientBalance": (
        InsufficientBalanceError,
        "The balance of the license does not cover this{amounts}. Ask the vendor for more.",
    ),
    "FeatureNotEntitled": (
        FeatureNotEntitledError,
        "The license does not grant this feature. Ask the vendor for a license that does.",
    ),
    "PricingNotConfigured": (
        PricingNotConfiguredError,
        "The vendor has set no price for this feature. Check its name, or ask the vendor.",
    ),
    "NotMeteredLicense": (
        NotMeteredError,
        "The license has no meter. Charge uses only where the license is a metered one.",
    ),
    "WalletNotFound": (
        WalletNotFoundError,
        "The server has no balance for this metered license. Ask the vendor about it.",
    ),
    "IdempotencyKeyReused": (
        IdempotencyKeyReusedError,
        (
            "This idempotency key stands for a charge of another feature or quantity. "
            "Take a new key for a new charge."
        ),
    ),
    "ConcurrencyConflict": (
        ConcurrencyConflictError,
        "Others charged the license at the same moment. Try again with the same idempotency key.",
    ),
}


def error_for_code(
    code: str, problem: Mapping[str, Any], suffix: str, attributes: Mapping[str, Any]
) -> RequestRefusedError:
    """The error for a code; one of a newer server is a plain :class:`RequestRefusedError`.

    Args:
        code: The server's.
        problem: The whole body of the refusal.
        said: What the server itself says of it, to be added to the message.
        facts: The attributes that every fault of the server has.
    """
    error_class, template = _ERRORS.get(
        code, (RequestRefusedError, f"The license server refused ({code}).")
    )
    used, total = optional_int(problem.get("seatsUsed")), optional_int(problem.get("seatsTotal"))
    seats = f" ({used} of {total})" if used is not None and total is not None else ""
    cost, balance = optional_amount(problem.get("cost")), optional_amount(problem.get("balance"))
    known = cost is not None and balance is not None
    amounts = f" ({cost:f} needed, {balance:f} left)" if known else ""
    message = template.replace("{seats}", seats).replace("{amounts}", amounts)
    error = error_class(message + suffix, **attributes)
    if isinstance(error, SeatsExhaustedError):
        error.seats_used, error.seats_total = used, total
    if isinstance(error, InsufficientBalanceError):
        error.cost, error.balance = cost, balance
        error.replayed = problem.get("replayed") is True
    return error


def approval_pending() -> ApprovalPendingError:
    """The error where the server took note of the device but does not let it in yet."""
    template = _ERRORS["PendingApproval"][1]
    return ApprovalPendingError(template, http_status=202, error_code="PendingApproval")


def optional_int(value: object) -> int | None:
    """A whole number from the wire, if it is one."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def optional_amount(value: object) -> Decimal | None:
    """An amount of a meter from the wire, if it is one."""
    if isinstance(value, Decimal):
        # Written out, 1e999999999 would fill the memory, and no meter goes that far.
        is_bounded = value.is_finite() and abs(value.adjusted()) <= MAX_DIGITS
        return value if is_bounded else None
    whole = optional_int(value)
    return None if whole is None else Decimal(whole)
