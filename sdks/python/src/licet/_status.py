"""The statuses of a validation and their messages."""

from __future__ import annotations

from enum import StrEnum

from licet._wording import english


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
    status: english(status) for status in (*SERVER_STATUSES, LicenseValidationStatus.TestLicense)
}
