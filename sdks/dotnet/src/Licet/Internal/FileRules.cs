using Status = Licet.LicenseValidationStatus;

namespace Licet.Internal;

/// <summary>When the server signed that the license of a key is valid on this machine.</summary>
internal sealed record Confirmation(string KeyHash, DateTimeOffset At);

/// <summary>When the server signed that the license of a key is refused on this machine, and why.</summary>
internal sealed record SignedRefusal(string KeyHash, string Status, DateTimeOffset At);

/// <summary>Everything besides the file that the verdict depends on.</summary>
/// <param name="NormalKey">The configured license key; null accepts the key in the file.</param>
/// <param name="HardwareId">This machine's hardware ID.</param>
/// <param name="Components">The components of this machine, for a file that names some.</param>
/// <param name="Jkt">The thumbprint of this device's key, if the file is bound to one and there is one.</param>
/// <param name="AppVersion">The application's version.</param>
/// <param name="AppReleasedAt">When this release of the application was published, if it says so.</param>
/// <param name="TestMode">Whether a test license is accepted.</param>
/// <param name="Now">The current time with the machine's UTC offset.</param>
/// <param name="State">The state stored on this machine.</param>
/// <param name="Grace">How long an Online license stays valid after a signed verdict last confirmed it.</param>
/// <param name="Confirmed">The last signed verdict for this machine, if it confirmed a license.</param>
/// <param name="Refused">The last refusal of the file's license key, if the server signed it for this machine.</param>
internal sealed record FileContext(
    string? NormalKey,
    string HardwareId,
    IReadOnlyDictionary<string, string> Components,
    string? Jkt,
    string? AppVersion,
    DateTimeOffset? AppReleasedAt,
    bool TestMode,
    DateTimeOffset Now,
    State State,
    TimeSpan Grace,
    Confirmation? Confirmed = null,
    SignedRefusal? Refused = null);

/// <summary>The verdict on a license file. Pure checks in a fixed order: no disk, no network, no clock.</summary>
internal static class FileRules
{
    /// <summary>Evaluates a verified file.</summary>
    internal static LicenseResult Evaluate(LicenseFile file, FileContext context)
    {
        var now = TimeOf(file.License, file.IssuedAt, context.Now, context.State);
        var reading = AssessClock(file, context);
        var license = LicenseAt(file.License, context.AppReleasedAt, reading.JudgedAt);
        var contact = LastContact(file, context.Confirmed);
        var refused = ApplicableRefusal(file, reading, context);
        var finding =
            CheckKey(file, context)
            ?? CheckTerms(file.License, refused, context)
            ?? (NeedsClock(file, context) ? CheckClock(reading) : null) // first: an end that has not come says nothing
            ?? CheckExpiration(license, reading)
            ?? CheckHardware(file, context)
            ?? CheckDeviceKey(file, context)
            ?? CheckRelease(file, license, context)
            ?? CheckRefresh(file, reading)
            ?? CheckGrace(file, reading, contact, context)
            ?? new Finding(Status.Valid, Messages.Of(Status.Valid));
        return ResultOf(finding, file, license, now, reading, refused) with
        {
            RefreshBy = file.RefreshBy,
            GraceEndsAt = file.IsOnline && contact is { } at ? Clock.After(at, context.Grace) : null,
        };
    }

    /// <summary>Evaluates a lease; null if it has ended.</summary>
    /// <param name="lease">The lease.</param>
    /// <param name="held">What this device has by it, in words.</param>
    /// <param name="context">What else decides.</param>
    internal static LicenseResult? Evaluate(LeaseToken lease, string held, FileContext context)
    {
        var file = lease.File;
        var now = TimeOf(file.License, file.IssuedAt, context.Now, context.State);
        var reading = AssessClock(file, context);
        var refused = ApplicableRefusal(file, reading, context);
        var finding = CheckTerms(file.License, refused, context) ?? CheckClock(reading);
        if (finding is null && reading.JudgedAt >= lease.EndsAt)
        {
            return null;
        }
        finding ??= CheckRelease(file, file.License, context)
            ?? new Finding(Status.Valid, $"The license is valid: {held} until {Clock.Format(lease.EndsAt)}.");
        return ResultOf(finding, file, file.License, now, reading, refused) with
        {
            LeaseEndsAt = finding.Status == Status.Valid ? lease.EndsAt : null,
        };
    }

    private static LicenseResult ResultOf(
        Finding finding, LicenseFile file, License license, DateTimeOffset now, ClockReading reading, string? refused) =>
        new(finding.Status, finding.Message)
        {
            Source = LicenseSource.File,
            License = license,
            Product = file.Product,
            Release = file.Release,
            CheckedAt = now,
            ServerStatus = finding.Status == Status.Unknown ? refused ?? file.License.Status : null,
            Warnings = reading.State == ClockState.WrongTimeZone
                ? new[] { ClockWarning(reading.Behind, timeZone: true) }
                : Array.Empty<string>(),
        };

    /// <summary>Why a license is refused, whatever the time.</summary>
    private static Finding? CheckTerms(License license, string? refused, FileContext context) =>
        license.IsTest && !context.TestMode ? new Finding(Status.TestLicense, Messages.Of(Status.TestLicense))
        : refused is not null ? Refusal(refused)
        : license.Status == "Active" ? null : Refusal(license.Status);

    /// <summary>Compares the clock with the file's signed times and this machine's state.</summary>
    internal static ClockReading AssessClock(LicenseFile file, FileContext context)
    {
        var bound = Clock.Later(file.IssuedAt, file.NotBefore);
        if (context.Confirmed is { } confirmed)
        {
            bound = Clock.Later(bound, confirmed.At);
        }
        var now = TimeOf(file.License, file.IssuedAt, context.Now, context.State);
        return context.State.HighWater is { } highWater && highWater > bound
            ? ClockGuard.Assess(now, highWater, context.State.UtcOffset)
            : ClockGuard.Assess(now, bound, null);
    }

    /// <summary>
    /// The time by this machine's clock, or for a test license by its server's. That time is known from the last
    /// verdict and goes on with this machine's clock, so that an application follows the clock of a Test product.
    /// What was signed at <paramref name="signedAt"/> shows that this time has come.
    /// </summary>
    internal static DateTimeOffset TimeOf(License? license, DateTimeOffset signedAt, DateTimeOffset now, State state) =>
        license is { IsTest: true }
            ? Clock.Later(Clock.After(now, state.ServerAhead), signedAt.ToOffset(now.Offset))
            : now;

    /// <summary>The warning about a wrong clock that does no harm.</summary>
    /// <param name="offset">The right time minus the clock's: positive if the clock is behind.</param>
    /// <param name="timeZone">Whether a wrong time zone explains it.</param>
    internal static string ClockWarning(TimeSpan offset, bool timeZone)
    {
        var off = $"This computer's clock is {Clock.Format(offset)} {(offset > TimeSpan.Zero ? "behind" : "ahead")}";
        return timeZone
            ? $"{off}, probably because the time zone or daylight saving time is set incorrectly. Correct the "
                + "time zone; the license is not affected."
            : $"{off}. Correct the date and time; the license is not affected.";
    }

    /// <summary>The status and the message of a refusal by the server.</summary>
    internal static Finding Refusal(string serverStatus)
    {
        var status = Messages.Read(serverStatus);
        status = status == Status.Valid ? Status.Unknown : status;
        return new Finding(status, Messages.Of(status, serverStatus));
    }

    private static Finding? CheckKey(LicenseFile file, FileContext context) =>
        context.NormalKey is null || file.NormalKey is null || file.NormalKey == context.NormalKey
            ? null
            : new Finding(
                Status.LicenseNotFound,
                "license.bin on this machine belongs to a different license key than the one entered. Connect to "
                + "the license server once, or install the license.bin of this key.");

    /// <summary>
    /// The status of the last refusal, unless the file was issued after it. A refusal from a time that has
    /// not come does not count: the clock that signed it was ahead.
    /// </summary>
    private static string? ApplicableRefusal(LicenseFile file, ClockReading reading, FileContext context) =>
        context.Refused is { } refused
        && file.NormalKey is { } key && LicenseKey.Hash(key) == refused.KeyHash
        && refused.At - reading.JudgedAt <= ClockGuard.Tolerance
        && file.IssuedAt <= refused.At
            ? refused.Status
            : null;

    /// <summary>
    /// The license at an instant; past its term it may be in its fallback. Not for an application without a
    /// date: what it keeps is told by dates alone.
    /// </summary>
    private static License LicenseAt(License license, DateTimeOffset? releasedAt, DateTimeOffset at) =>
        releasedAt is null || license.FallbackUntil is null || !(at >= license.ExpirationDate)
            ? license
            : license with { ExpirationDate = null, InFallback = true };

    /// <summary>Whether the verdict depends on the time; on a release that is kept for ever it does not.</summary>
    private static bool NeedsClock(LicenseFile file, FileContext context)
    {
        var license = file.License;
        var kept = license.FallbackUntil ?? (license.ExpirationDate is null ? license.UpdatesUntil : null);
        return !(context.AppReleasedAt <= kept) || file.RefreshBy is not null || file.IsOnline;
    }

    private static Finding? CheckExpiration(License license, ClockReading reading) =>
        license.ExpirationDate is { } end && reading.JudgedAt >= end
            ? new Finding(
                Status.Expired, Sentence.English("Expired", ("endsAt", Clock.Format(end))))
            : null;

    private static Finding? CheckClock(ClockReading reading) =>
        reading.State == ClockState.Moved
            ? new Finding(
                Status.ClockTampered,
                $"This computer's clock is {Clock.Format(reading.Behind)} behind a time that has already passed. "
                + "Correct the date and time, then connect to the license server once or install a new license.bin.")
            : null;

    private static Finding? CheckHardware(LicenseFile file, FileContext context)
    {
        if (file.HardwareIds.Count > 0)
        {
            return file.HardwareIds.Contains(context.HardwareId) || file.Match?.Fits(context.Components) is true
                ? null
                : new Finding(Status.HardwareMismatch, Messages.Of(Status.HardwareMismatch));
        }
        return LicenseTraits.Of(file.License.Type).FileNamesDevice
            ? new Finding(Status.HardwareIdRequired, Messages.Of(Status.HardwareIdRequired))
            : null;
    }

    private static Finding? CheckDeviceKey(LicenseFile file, FileContext context) =>
        file.Jkt is null || file.Jkt == context.Jkt
            ? null
            : new Finding(
                Status.DeviceProofRequired,
                "license.bin was made for an installation with another device key. Connect to the license server once, "
                + "or ask the vendor for a license.bin for this machine.");

    private static Finding? CheckRelease(LicenseFile file, License license, FileContext context)
    {
        if (license.CoversUntil is { } until && context.AppReleasedAt > until)
        {
            return new Finding(
                Status.ReleaseNotAllowed,
                $"The license covers releases until {Clock.Format(until)}, and this one is later. Renew its updates "
                + "or install an earlier version.");
        }
        var hasDate = context.AppReleasedAt is not null && license.UpdatesUntil is not null;
        return hasDate || ComparableVersion.ReleaseAllows(file.Release.Version, context.AppVersion)
            ? null
            : new Finding(
                Status.ReleaseNotAllowed,
                $"The license covers release {file.Release.Version}, not version {context.AppVersion} of the "
                + "application. Upgrade the license or install an earlier version.");
    }

    private static Finding? CheckRefresh(LicenseFile file, ClockReading reading) =>
        file.RefreshBy is { } refreshBy && reading.JudgedAt >= refreshBy
            ? new Finding(
                Status.RefreshRequired,
                Sentence.English("RefreshRequired", ("refreshBy", Clock.Format(refreshBy))))
            : null;

    /// <summary>When a signed verdict last confirmed this license on this machine.</summary>
    private static DateTimeOffset? LastContact(LicenseFile file, Confirmation? confirmed) =>
        confirmed is not null && file.NormalKey is { } key && confirmed.KeyHash == LicenseKey.Hash(key)
            ? confirmed.At
            : null;

    private static Finding? CheckGrace(
        LicenseFile file, ClockReading reading, DateTimeOffset? contact, FileContext context)
    {
        if (!file.IsOnline)
        {
            return null;
        }
        if (contact is not { } at)
        {
            return new Finding(
                Status.OnlineRequired,
                "This license has to be checked with the license server, which has not confirmed it on this "
                + "machine yet: license.bin alone is not sufficient. Connect to the license server.");
        }
        var ends = Clock.After(at, context.Grace);
        return reading.JudgedAt <= ends
            ? new Finding(
                Status.GracePeriod, Sentence.English("GracePeriod", ("graceEndsAt", Clock.Format(ends))))
            : new Finding(
                Status.OnlineRequired,
                $"The license server last confirmed this license on {Clock.Format(at)}, and the grace period "
                + $"ended on {Clock.Format(ends)}. Connect to the license server.");
    }
}

/// <summary>A status and its message.</summary>
internal sealed record Finding(LicenseValidationStatus Status, string Message);
