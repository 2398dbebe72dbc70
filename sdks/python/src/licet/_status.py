"""The verdicts on a license, and the words in which a person is told."""

from __future__ import annotations

from enum import StrEnum


class LicenseValidationStatus(StrEnum):
    """Why a license may or may not be used here and now. Only two values let it run."""

    Valid = "Valid"
    GracePeriod = "GracePeriod"
    LicenseNotFound = "LicenseNotFound"
    Expired = "Expired"
    Revoked = "Revoked"
    Suspended = "Suspended"
    HardwareIdRequired = "HardwareIdRequired"
    HardwareMismatch = "HardwareMismatch"
    PendingApproval = "PendingApproval"
    DeviceBlocked = "DeviceBlocked"
    CredentialsRequired = "CredentialsRequired"
    CredentialsInvalid = "CredentialsInvalid"
    ReleaseNotAllowed = "ReleaseNotAllowed"
    SignatureMismatch = "SignatureMismatch"
    OnlineRequired = "OnlineRequired"
    RefreshRequired = "RefreshRequired"
    ClockTampered = "ClockTampered"
    Unknown = "Unknown"

    @property
    def valid(self) -> bool:
        """Whether the application may run under this status."""
        return self in _VALID


_VALID = frozenset({LicenseValidationStatus.Valid, LicenseValidationStatus.GracePeriod})

# What the server may say. The rest is decided on this machine, so that a signed verdict which
# claims, for instance, a grace period is not one of ours.
SERVER_STATUSES = frozenset(
    {
        LicenseValidationStatus.Valid,
        LicenseValidationStatus.LicenseNotFound,
        LicenseValidationStatus.Expired,
        LicenseValidationStatus.Revoked,
        LicenseValidationStatus.Suspended,
        LicenseValidationStatus.HardwareIdRequired,
        LicenseValidationStatus.HardwareMismatch,
        LicenseValidationStatus.PendingApproval,
        LicenseValidationStatus.DeviceBlocked,
        LicenseValidationStatus.CredentialsRequired,
        LicenseValidationStatus.CredentialsInvalid,
        LicenseValidationStatus.ReleaseNotAllowed,
    }
)

MESSAGES = {
    LicenseValidationStatus.Valid: "The license is valid.",
    LicenseValidationStatus.LicenseNotFound: (
        "The server knows no such license key for this product. Check the key for typing errors."
    ),
    LicenseValidationStatus.Expired: "The license has expired. Renew it with the vendor.",
    LicenseValidationStatus.Revoked: "The license was revoked by the vendor.",
    LicenseValidationStatus.Suspended: (
        "The license is suspended. Ask the vendor what is needed to reinstate it."
    ),
    LicenseValidationStatus.HardwareIdRequired: (
        "The license is bound to a machine, and no hardware id was given."
    ),
    LicenseValidationStatus.HardwareMismatch: (
        "The license is bound to another machine. Ask the vendor to move it to this one."
    ),
    LicenseValidationStatus.PendingApproval: (
        "This machine waits for the vendor's approval. Try again once it is given."
    ),
    LicenseValidationStatus.DeviceBlocked: "The vendor has blocked this machine.",
    LicenseValidationStatus.CredentialsRequired: (
        "The license needs a user name and a password, and none were given."
    ),
    LicenseValidationStatus.CredentialsInvalid: "The user name or the password is wrong.",
    LicenseValidationStatus.ReleaseNotAllowed: (
        "The license does not cover this version of the application. "
        "Upgrade the license or install an earlier version."
    ),
}
