"""The statuses of a validation and their messages."""

from __future__ import annotations

from enum import StrEnum


class LicenseValidationStatus(StrEnum):
    """The status of a validation. Only Valid and GracePeriod allow the application to run."""

    Valid = "Valid"
    GracePeriod = "GracePeriod"
    LicenseNotFound = "LicenseNotFound"
    Expired = "Expired"
    Revoked = "Revoked"
    Suspended = "Suspended"
    HardwareIdRequired = "HardwareIdRequired"
    HardwareMismatch = "HardwareMismatch"
    HardwareIdNotAccepted = "HardwareIdNotAccepted"
    DeviceProofRequired = "DeviceProofRequired"
    PendingApproval = "PendingApproval"
    DeviceBlocked = "DeviceBlocked"
    CredentialsRequired = "CredentialsRequired"
    CredentialsInvalid = "CredentialsInvalid"
    ActivationRequired = "ActivationRequired"
    ReleaseNotAllowed = "ReleaseNotAllowed"
    TrialAlreadyUsed = "TrialAlreadyUsed"
    TestLicense = "TestLicense"
    SignatureMismatch = "SignatureMismatch"
    OnlineRequired = "OnlineRequired"
    RefreshRequired = "RefreshRequired"
    ClockTampered = "ClockTampered"
    Unknown = "Unknown"

    @property
    def valid(self) -> bool:
        """Whether the application may run with this status."""
        return self in _VALID


_VALID = frozenset({LicenseValidationStatus.Valid, LicenseValidationStatus.GracePeriod})

# The statuses a server may send. The others are decided on this machine, so a signed verdict with
# one of them, for example GracePeriod, is Unknown.
SERVER_STATUSES = frozenset(
    {
        LicenseValidationStatus.Valid,
        LicenseValidationStatus.LicenseNotFound,
        LicenseValidationStatus.Expired,
        LicenseValidationStatus.Revoked,
        LicenseValidationStatus.Suspended,
        LicenseValidationStatus.HardwareIdRequired,
        LicenseValidationStatus.HardwareMismatch,
        LicenseValidationStatus.HardwareIdNotAccepted,
        LicenseValidationStatus.DeviceProofRequired,
        LicenseValidationStatus.PendingApproval,
        LicenseValidationStatus.DeviceBlocked,
        LicenseValidationStatus.CredentialsRequired,
        LicenseValidationStatus.CredentialsInvalid,
        LicenseValidationStatus.ActivationRequired,
        LicenseValidationStatus.ReleaseNotAllowed,
        LicenseValidationStatus.TrialAlreadyUsed,
    }
)

MESSAGES = {
    LicenseValidationStatus.Valid: "The license is valid.",
    LicenseValidationStatus.LicenseNotFound: (
        "The license key was not found for this product. Check the key for typing errors."
    ),
    LicenseValidationStatus.Expired: "The license has expired. Renew it with the vendor.",
    LicenseValidationStatus.Revoked: "The vendor has revoked the license. Contact the vendor.",
    LicenseValidationStatus.Suspended: (
        "The license is suspended. Contact the vendor to reinstate it."
    ),
    LicenseValidationStatus.HardwareIdRequired: (
        "The license is for one machine, and the request contained no hardware ID."
    ),
    LicenseValidationStatus.HardwareMismatch: (
        "The license is bound to another machine. Ask the vendor to move it to this one."
    ),
    LicenseValidationStatus.HardwareIdNotAccepted: (
        "The vendor does not accept the hardware ID of this machine, such as that of a CI project "
        "or a host name. Use another machine, or ask the vendor."
    ),
    LicenseValidationStatus.DeviceProofRequired: (
        "This machine could not prove that it is the one with the license: its key is missing, or "
        "another. Restore the application's data folder, or ask the vendor to free the device."
    ),
    LicenseValidationStatus.PendingApproval: (
        "The vendor has not approved this machine yet. Try again once it is approved."
    ),
    LicenseValidationStatus.DeviceBlocked: (
        "The vendor has blocked this machine. Ask the vendor to unblock it."
    ),
    LicenseValidationStatus.CredentialsRequired: (
        "The license requires a user name and a password. Enter both."
    ),
    LicenseValidationStatus.CredentialsInvalid: (
        "The user name or password is wrong. Check both and try again."
    ),
    LicenseValidationStatus.ActivationRequired: (
        "This machine does not hold a seat of the license. Activate it first."
    ),
    LicenseValidationStatus.ReleaseNotAllowed: (
        "The license does not cover this version of the application. "
        "Upgrade the license or install an earlier version."
    ),
    LicenseValidationStatus.TrialAlreadyUsed: (
        "This machine has already used another trial of the product. Buy a license, or ask the "
        "vendor to extend the first trial."
    ),
    LicenseValidationStatus.TestLicense: "The license is only for tests. Contact the vendor.",
}
