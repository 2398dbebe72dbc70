namespace Licet;

/// <summary>What went wrong, as a stable name. Later versions may add members.</summary>
public enum LicetErrorCode
{
    /// <summary>An option or the settings file is missing, invalid or conflicts with another one.</summary>
    Configuration,
    /// <summary>license.bin cannot be read or written.</summary>
    LicenseFile,
    /// <summary>A typed code is wrong in a group, or is not the answer to the last request of this machine.</summary>
    OfflineCode,
    /// <summary>The SHA-256 of a downloaded file does not match; the file was deleted.</summary>
    DamagedDownload,
    /// <summary>An offered update is not signed by the vendor, or not for this application.</summary>
    UntrustedUpdate,
    /// <summary>The server did not respond, for a reason without a code of its own.</summary>
    Network,
    /// <summary>The server's name does not resolve.</summary>
    Dns,
    /// <summary>Nothing listens at the server's address and port.</summary>
    ServerRefused,
    /// <summary>The connection broke before the response was complete.</summary>
    ConnectionLost,
    /// <summary>The response did not arrive in time.</summary>
    ServerTimeout,
    /// <summary>The certificate is not trusted, or the handshake failed.</summary>
    Tls,
    /// <summary>A proxy could not be reached, requires authentication, or refused.</summary>
    Proxy,
    /// <summary>A web page or a redirect came instead of the server's response.</summary>
    CaptivePortal,
    /// <summary>The license has to be checked with the server, which could not be asked.</summary>
    OnlineRequired,
    /// <summary>The server failed or is overloaded (HTTP 5xx).</summary>
    ServerUnavailable,
    /// <summary>Too many requests (HTTP 429).</summary>
    RateLimited,
    /// <summary>The product key is wrong, expired or revoked (HTTP 401).</summary>
    ApiKeyRefused,
    /// <summary>A response that does not come from a license server, or is to another request.</summary>
    UnexpectedReply,
    /// <summary>The license is unknown, revoked, suspended or expired, or may not be used for another reason.</summary>
    LicenseRefused,
    /// <summary>The enrollment key is unknown, deleted, expired or used up, or not for this network.</summary>
    EnrollmentKeyInvalid,
    /// <summary>All seats of the license are taken.</summary>
    SeatsExhausted,
    /// <summary>This device has to be activated first.</summary>
    ActivationRequired,
    /// <summary>The vendor has not approved this device yet.</summary>
    ApprovalPending,
    /// <summary>The vendor has blocked this device.</summary>
    DeviceBlocked,
    /// <summary>The license is bound to another device.</summary>
    HardwareMismatch,
    /// <summary>This device has not proven that it has the key of its activation or session.</summary>
    DeviceProofRequired,
    /// <summary>The session no longer holds a seat.</summary>
    SessionLost,
    /// <summary>
    /// A seat cannot be borrowed, or credits cannot be reserved; or what is away cannot be renewed, reported or returned.
    /// <see cref="LicetServerException.ErrorCode"/> says why.
    /// </summary>
    LeaseRefused,
    /// <summary>The balance does not cover the charge; nothing was charged.</summary>
    InsufficientBalance,
    /// <summary>The license does not grant the feature.</summary>
    FeatureNotEntitled,
    /// <summary>The feature has no price.</summary>
    PricingNotConfigured,
    /// <summary>The license is not metered.</summary>
    NotMetered,
    /// <summary>The metered license has no wallet on the server.</summary>
    WalletNotFound,
    /// <summary>The idempotency key was used for another charge.</summary>
    IdempotencyKeyReused,
    /// <summary>The license was charged concurrently; the charge has already been retried.</summary>
    ConcurrencyConflict,
    /// <summary>The file is no longer offered. Check for an update again.</summary>
    DownloadWithdrawn,
    /// <summary>The server refused for another reason; see <see cref="LicetServerException.ErrorCode"/>.</summary>
    RequestRefused,
}

/// <summary>
/// The base class of all exceptions of this package. The message is for the user, the hint for the developer.
/// An invalid license does not throw: it is a <see cref="LicenseResult"/>.
/// </summary>
public class LicetException : Exception
{
    /// <summary>Creates an exception.</summary>
    public LicetException(LicetErrorCode code, string message, Exception? innerException = null)
        : base(message, innerException) => Code = code;

    /// <summary>What went wrong.</summary>
    public LicetErrorCode Code { get; }

    /// <summary>What the developer or the administrator can do, with the names of settings; may be empty.</summary>
    public string Hint { get; init; } = "";

    /// <summary>
    /// The key of the charge that failed, otherwise null. Pass it to another call to find out whether
    /// the charge was made; a key is never charged twice.
    /// </summary>
    public string? IdempotencyKey { get; internal set; }
}

/// <summary>An option or the settings file is missing, invalid or conflicts with another one.</summary>
public sealed class LicetConfigurationException : LicetException
{
    /// <summary>Creates an exception.</summary>
    public LicetConfigurationException(string message, Exception? innerException = null)
        : base(LicetErrorCode.Configuration, message, innerException) { }
}

/// <summary>license.bin exists but cannot be read, or cannot be written.</summary>
public sealed class LicenseFileException : LicetException
{
    /// <summary>Creates an exception.</summary>
    public LicenseFileException(string message, Exception? innerException = null)
        : base(LicetErrorCode.LicenseFile, message, innerException) { }
}

/// <summary>A code was mistyped, or is not the answer to the last offline request of this machine.</summary>
public sealed class OfflineCodeException : LicetException
{
    /// <summary>Creates an exception.</summary>
    public OfflineCodeException(int? group)
        : base(LicetErrorCode.OfflineCode, Internal.Sentence.English("OfflineCode", ("group", group))) => Group = group;

    /// <summary>The group that was mistyped, 1 to 28; null if all are as they were written.</summary>
    public int? Group { get; }
}

/// <summary>An update is not signed as it is offered, or a download is damaged.</summary>
public sealed class UpdateException : LicetException
{
    /// <summary>Creates an exception.</summary>
    public UpdateException(LicetErrorCode code, string message)
        : base(code, message) { }
}

/// <summary>The server did not respond. Says nothing about the license.</summary>
public class LicetNetworkException : LicetException
{
    /// <summary>Creates an exception.</summary>
    public LicetNetworkException(LicetErrorCode code, string message, Exception? innerException = null)
        : base(code, message, innerException) { }
}

/// <summary>
/// The license has to be checked with the server, which could not be asked. The inner exception says why.
/// </summary>
public sealed class OnlineRequiredException : LicetNetworkException
{
    /// <summary>Creates an exception.</summary>
    public OnlineRequiredException(LicenseResult result)
        : base(LicetErrorCode.OnlineRequired, result.Message, result.Cause)
    {
        Result = result;
        Hint = result.Cause?.Hint ?? "";
    }

    /// <summary>The result of the validation.</summary>
    public LicenseResult Result { get; }
}

/// <summary>The server, or something in between, responded with an error.</summary>
public class LicetServerException : LicetException
{
    /// <summary>Creates an exception.</summary>
    public LicetServerException(LicetErrorCode code, string message, int httpStatus, Exception? innerException = null)
        : base(code, message, innerException) => HttpStatus = httpStatus;

    /// <summary>The HTTP status; 0 if this machine decided without the server.</summary>
    public int HttpStatus { get; }

    /// <summary>The server's stable error code, if it sent one.</summary>
    public string? ErrorCode { get; internal set; }

    /// <summary>The request ID to give to the vendor's support.</summary>
    public string? RequestId { get; internal set; }

    /// <summary>How long to wait before the next attempt, if the server said so.</summary>
    public TimeSpan? RetryAfter { get; internal set; }
}

/// <summary>The server refused the request; <see cref="LicetException.Code"/> names the reason.</summary>
public sealed class RequestRefusedException : LicetServerException
{
    /// <summary>Creates an exception.</summary>
    public RequestRefusedException(LicetErrorCode code, string message, int httpStatus, Exception? innerException = null)
        : base(code, message, httpStatus, innerException) { }

    /// <summary>The result of the validation that <see cref="LicenseClient.OpenAsync"/> made, if it decided.</summary>
    public LicenseResult? Result { get; internal set; }

    /// <summary>Seats in use, if the server said so.</summary>
    public int? SeatsUsed { get; internal set; }

    /// <summary>The seat cap of the license, if the server said so.</summary>
    public int? SeatsTotal { get; internal set; }

    /// <summary>
    /// Whether the user may free the seat of another device now, with <see cref="LicenseClient.GetDevicesAsync"/> and
    /// <see cref="LicenseClient.ReleaseDeviceAsync"/>.
    /// </summary>
    public bool CanRelease { get; internal set; }

    /// <summary>
    /// Why the server has ended the session: "Replaced" if another copy has connected with its instance ID.
    /// </summary>
    public string? EndReason { get; internal set; }

    /// <summary>The cost of the refused charge, if the server said so.</summary>
    public decimal? Cost { get; internal set; }

    /// <summary>The balance at the time of the refused charge, if the server said so.</summary>
    public decimal? Balance { get; internal set; }

    /// <summary>Whether this is the stored response to an earlier attempt with the same idempotency key.</summary>
    public bool Replayed { get; internal set; }
}
