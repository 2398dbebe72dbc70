namespace Licet;

/// <summary>
/// The status of a validation. Only <see cref="Valid"/> and <see cref="GracePeriod"/> allow the
/// application to run.
/// </summary>
public enum LicenseValidationStatus
{
    /// <summary>A status of a newer server that this version does not know; never valid.</summary>
    Unknown,
    /// <summary>The license is valid.</summary>
    Valid,
    /// <summary>The server could not be asked; the license stays valid for a while.</summary>
    GracePeriod,
    /// <summary>The license key is unknown, or there is no license on this machine.</summary>
    LicenseNotFound,
    /// <summary>The term has ended.</summary>
    Expired,
    /// <summary>The vendor has revoked the license.</summary>
    Revoked,
    /// <summary>The vendor has suspended the license.</summary>
    Suspended,
    /// <summary>The license is for one machine, and none was named.</summary>
    HardwareIdRequired,
    /// <summary>The license is bound to another machine.</summary>
    HardwareMismatch,
    /// <summary>This machine has not proven that it has the key of the device that the license is for.</summary>
    DeviceProofRequired,
    /// <summary>The vendor does not accept hardware IDs of this kind.</summary>
    HardwareIdNotAccepted,
    /// <summary>The vendor has not approved this machine yet.</summary>
    PendingApproval,
    /// <summary>The vendor has blocked this machine.</summary>
    DeviceBlocked,
    /// <summary>The license requires a user name and a password.</summary>
    CredentialsRequired,
    /// <summary>The user name or password is wrong.</summary>
    CredentialsInvalid,
    /// <summary>This machine does not hold a seat.</summary>
    ActivationRequired,
    /// <summary>The license does not cover this version of the application.</summary>
    ReleaseNotAllowed,
    /// <summary>This machine has already used another trial of the product.</summary>
    TrialAlreadyUsed,
    /// <summary>The license is one of a Test product, and the application is not in test mode.</summary>
    TestLicense,
    /// <summary>The file or the response is not signed with the product's key for this request.</summary>
    SignatureMismatch,
    /// <summary>The license has to be checked with the server.</summary>
    OnlineRequired,
    /// <summary>license.bin has to be refreshed.</summary>
    RefreshRequired,
    /// <summary>The clock is wrong.</summary>
    ClockTampered,
}

/// <summary>Extensions of <see cref="LicenseValidationStatus"/>.</summary>
public static class LicenseValidationStatusExtensions
{
    /// <summary>Whether the application may run with this status.</summary>
    public static bool AllowsRunning(this LicenseValidationStatus status) =>
        status is LicenseValidationStatus.Valid or LicenseValidationStatus.GracePeriod;
}
