using Status = Licet.LicenseValidationStatus;

namespace Licet.Internal;

/// <summary>The statuses that a server may send, and the messages of all.</summary>
internal static class Messages
{
    private static readonly Status[] DecidedHere =
    {
        Status.Unknown, Status.GracePeriod, Status.TestLicense, Status.SignatureMismatch, Status.OnlineRequired,
        Status.RefreshRequired, Status.ClockTampered,
    };

    private static readonly IReadOnlyDictionary<string, Status> Sent =
        Enum.GetValues<Status>().Except(DecidedHere).ToDictionary(status => status.ToString());

    /// <summary>
    /// The status that a server sent. The others are decided on this machine, so a signed verdict with one
    /// of them, for example GracePeriod, is Unknown.
    /// </summary>
    internal static Status Read(string serverStatus) => Sent.GetValueOrDefault(serverStatus, Status.Unknown);

    internal static string Of(Status status) => Sentence.English(status.ToString());

    internal static string Of(Status status, string serverStatus) =>
        status == Status.Unknown ? Sentence.English("Unknown", ("status", Sentence.Word(serverStatus))) : Of(status);
}
