using Status = Licet.LicenseValidationStatus;

namespace Licet.Internal;

/// <summary>The statuses that a server may send, and their messages.</summary>
internal static class Messages
{
    private static readonly IReadOnlyDictionary<Status, string> Texts = new Dictionary<Status, string>
    {
        [Status.Valid] = "The license is valid.",
        [Status.LicenseNotFound] =
            "The license key was not found for this product. Check the key for typing errors.",
        [Status.Expired] = "The license has expired. Renew it with the vendor.",
        [Status.Revoked] = "The vendor has revoked the license. Contact the vendor.",
        [Status.Suspended] = "The license is suspended. Contact the vendor to reinstate it.",
        [Status.HardwareIdRequired] = "The license is for one machine, and the request contained no hardware ID.",
        [Status.HardwareMismatch] =
            "The license is bound to another machine. Ask the vendor to move it to this one.",
        [Status.DeviceProofRequired] =
            "This machine could not prove that it is the one with the license: its key is missing, or another. Restore "
            + "the application's data folder, or ask the vendor to free the device.",
        [Status.HardwareIdNotAccepted] =
            "The vendor does not accept the hardware ID of this machine, such as that of a CI project or a host name. "
            + "Use another machine, or ask the vendor.",
        [Status.PendingApproval] = "The vendor has not approved this machine yet. Try again once it is approved.",
        [Status.DeviceBlocked] = "The vendor has blocked this machine. Ask the vendor to unblock it.",
        [Status.CredentialsRequired] = "The license requires a user name and a password. Enter both.",
        [Status.CredentialsInvalid] = "The user name or password is wrong. Check both and try again.",
        [Status.ActivationRequired] = "This machine does not hold a seat of the license. Activate it first.",
        [Status.ReleaseNotAllowed] =
            "The license does not cover this version of the application. Upgrade the license or install an "
            + "earlier version.",
        [Status.TrialAlreadyUsed] =
            "This machine has already used another trial of the product. Buy a license, or ask the vendor to extend "
            + "the first trial.",
        [Status.TestLicense] = "The license is only for tests. Contact the vendor.",
    };

    /// <summary>
    /// The status that a server sent. The others are decided on this machine, so a signed verdict with one
    /// of them, for example GracePeriod, is Unknown.
    /// </summary>
    internal static Status Read(string serverStatus) =>
        Texts.Keys.FirstOrDefault(
            status => status.ToString() == serverStatus && status != Status.TestLicense, Status.Unknown);

    internal static string Of(Status status) => Texts[status];

    internal static string Of(Status status, string serverStatus) =>
        Texts.TryGetValue(status, out var text) ? text : UnknownStatus(serverStatus);

    private static string UnknownStatus(string serverStatus)
    {
        var printable = serverStatus.Any(char.IsControl) ? "?" : serverStatus[..Math.Min(40, serverStatus.Length)];
        return $"The license has the status \"{printable}\", which this version of the application does not know. "
            + "Update the application or contact the vendor.";
    }
}
