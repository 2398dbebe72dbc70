"""What the server refuses, by its stable codes: the error to raise and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from licet.errors import (
    ActivationRequiredError,
    ApprovalPendingError,
    DeviceBlockedError,
    HardwareMismatchError,
    LicenseRefusedError,
    RequestRefusedError,
    SeatsExhaustedError,
    SessionLostError,
)

_KNOWN: Mapping[str, tuple[type[RequestRefusedError], str]] = {
    "LicenseNotFound": (
        LicenseRefusedError,
        "The server knows no such license key for this product. Check the key for typing errors.",
    ),
    "LicenseInvalid": (
        LicenseRefusedError,
        "The license is revoked or suspended. Ask the vendor about it.",
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
}


def refusal(
    code: str, problem: Mapping[str, Any], said: str, facts: Mapping[str, Any]
) -> RequestRefusedError:
    """The error for a code; one of a newer server is a plain :class:`RequestRefusedError`.

    Args:
        code: The server's.
        problem: The whole body of the refusal.
        said: What the server itself says of it, to be added to the message.
        facts: The attributes that every fault of the server has.
    """
    kind, sentence = _KNOWN.get(
        code, (RequestRefusedError, f"The license server refused ({code}).")
    )
    used, total = count(problem.get("seatsUsed")), count(problem.get("seatsTotal"))
    seats = f" ({used} of {total})" if used is not None and total is not None else ""
    error = kind(sentence.replace("{seats}", seats) + said, **facts)
    if isinstance(error, SeatsExhaustedError):
        error.seats_used, error.seats_total = used, total
    return error


def pending_approval() -> ApprovalPendingError:
    """The error where the server took note of the device but does not let it in yet."""
    sentence = _KNOWN["PendingApproval"][1]
    return ApprovalPendingError(sentence, http_status=202, error_code="PendingApproval")


def count(value: object) -> int | None:
    """A number of seats from the wire, if it is one."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
