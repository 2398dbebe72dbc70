using System.Text.Json.Nodes;
using Status = Licet.LicenseValidationStatus;

namespace Licet.Internal;

/// <summary>Refreshing license.bin: fetch, verify, evaluate, replace atomically.</summary>
internal static class Refreshing
{
    private static readonly TimeSpan NewFileAge = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan Every = TimeSpan.FromDays(1);
    private static readonly TimeSpan RetryAfter = TimeSpan.FromHours(1);

    /// <summary>Refreshes license.bin on disk, or returns the server's signed reason for the refusal.</summary>
    internal static Task<LicenseResult> RefreshAsync(LicenseCore core, CancellationToken cancellationToken) =>
        Enrollment.WithTokenAsync(core, () => RefreshNowAsync(core, cancellationToken), cancellationToken);

    private static async Task<LicenseResult> RefreshNowAsync(LicenseCore core, CancellationToken cancellationToken)
    {
        if (core.Config.KeyFault is not null)
        {
            return core.CheckFile().Result;
        }
        var key = core.RequiredKey();
        if (core.Store.Load().RefusalOf(LicenseKey.Hash(key)) is not null)
        {
            // A file may be an old one, so it cannot lift a refusal. A verdict can.
            var answer = await Verdicts.RequestAsync(core, key, CallOptions.Usual, cancellationToken).ConfigureAwait(false);
            if (!answer.IsValid)
            {
                return answer;
            }
        }
        LicenseResult result;
        LicenseFile? file;
        try
        {
            (result, file) = await FetchAsync(core, key, CallOptions.Usual, cancellationToken).ConfigureAwait(false);
        }
        catch (RequestRefusedException)
        {
            // The refusal is not signed. The verdict is, and it says more.
            var signed = await Verdicts.RequestAsync(core, key, CallOptions.Usual, cancellationToken).ConfigureAwait(false);
            if (signed.IsValid)
            {
                throw;
            }
            return signed;
        }
        if (file is not { IsOnline: true } || !result.IsValid)
        {
            return result;
        }
        // Without a signed verdict the file of an Online license has no grace period.
        var verdict = await Verdicts.RequestAsync(core, key, CallOptions.Usual, cancellationToken).ConfigureAwait(false);
        return verdict.IsValid ? result : verdict;
    }

    /// <summary>Whether license.bin is missing, not valid or a day old, and no failed refresh is recent.</summary>
    internal static bool IsDue(LicenseCore core, FileCheck local) =>
        Api.Monotonic >= core.NoRefreshBefore
        && (local.File is not { } file || !local.Result.IsValid
            || AgeOf(file, core.Config.Now, core.Store.Seen) >= Every);

    /// <summary>
    /// How old a file is. A test license goes by its server's time, and its file may be one of the future if the
    /// clock of the product was removed.
    /// </summary>
    private static TimeSpan AgeOf(LicenseFile file, DateTimeOffset now, State state) =>
        file.License.IsTest ? (now + state.ServerAhead - file.IssuedAt).Duration() : now - file.IssuedAt;

    /// <summary>
    /// Refreshes license.bin in one attempt, or with the text that a verdict came with. A failure is only logged.
    /// </summary>
    internal static async Task TryRefreshAsync(
        LicenseCore core, string key, string? text, CancellationToken cancellationToken)
    {
        string? reason;
        try
        {
            var options = new CallOptions { Retries = RetryPolicy.None };
            var (result, _) = text is null
                ? await FetchAsync(core, key, options, cancellationToken).ConfigureAwait(false)
                : Take(core, key, text, CurrentFile(core, key), null);
            reason = core.UnwrittenFile ?? (result.IsValid ? null : result.Message);
        }
        catch (LicetException error)
        {
            reason = error.Message;
            core.UnwrittenFile = error is LicenseFileException ? error.Message : core.UnwrittenFile;
        }
        if (reason is not null)
        {
            core.NoRefreshBefore = Api.Monotonic + RetryAfter;
            core.Config.Log($"license.bin was not refreshed: {reason}");
        }
    }

    private static async Task<(LicenseResult Result, LicenseFile? File)> FetchAsync(
        LicenseCore core, string key, CallOptions options, CancellationToken cancellationToken)
    {
        var current = CurrentFile(core, key);
        var fields = core.WithCredentials(new JsonObject
        {
            ["licenseKey"] = key,
            ["hardwareId"] = core.HardwareIdText,
            ["protected"] = IsToBeProtected(core, current),
        });
        var reply = await core.Api.CallAsync("/licenses/refresh", fields, options, cancellationToken).ConfigureAwait(false);
        return Take(core, key, reply.Body.Text("file"), current, reply.RequestId);
    }

    /// <summary>Whether a new license.bin is to be stored in the form that comes with a verdict.</summary>
    internal static bool WantsPlainFile(LicenseCore core, string key) => !IsToBeProtected(core, CurrentFile(core, key));

    private static bool IsToBeProtected(LicenseCore core, LicenseFile? current) =>
        core.Config.ProtectFile ?? current?.IsProtected ?? (core.Store.Seen.ProtectsFile || core.HasSealedFile());

    /// <summary>Verifies the file of an answer, and puts it in the place of the current one.</summary>
    private static (LicenseResult Result, LicenseFile? File) Take(
        LicenseCore core, string key, string? given, LicenseFile? current, string? requestId)
    {
        string text;
        LicenseFile file;
        try
        {
            text = given ?? throw new RejectedTokenException("the response contains no file");
            file = core.OpenFile(text, key);
            RejectedTokenException.Require(file.NormalKey == key, "it belongs to another license key");
            RejectedTokenException.Require(
                current is null || file.IssuedAt >= current.IssuedAt || file.License.IsTest,
                "it is older than the file on this machine");
        }
        catch (RejectedTokenException reason)
        {
            var mismatch = core.Mismatch(
                $"The license file from the server cannot be trusted: {reason.Message}. Check that the application has "
                + "the product's current public key and the right server address.", LicenseSource.Server);
            return (mismatch with { RequestId = requestId }, null);
        }
        var result = Evaluate(core, file, key) with { RequestId = requestId };
        // With these statuses the clock or the application's version is wrong, not the file.
        if (result.IsValid || result.Status is Status.ReleaseNotAllowed or Status.ClockTampered)
        {
            Write(core, text, key);
        }
        return (core.WithWarnings(result) with { LeaseEndsAt = result.IsValid ? core.LeaseEnd(key) : null }, file);
    }

    private static LicenseFile? CurrentFile(LicenseCore core, string key)
    {
        try
        {
            return core.ReadFile() is { } text && core.OpenFile(text, key) is var file && file.NormalKey == key
                ? file
                : null;
        }
        catch (Exception error) when (error is RejectedTokenException or LicenseFileException)
        {
            return null;
        }
    }

    private static LicenseResult Evaluate(LicenseCore core, LicenseFile file, string key)
    {
        var (now, hashed) = (core.Config.Now, LicenseKey.Hash(key));
        var state = core.Store.Update(old => old
            .WithAnchor(file.IssuedAt, FileRules.TimeOf(file.License, file.IssuedAt, now, old))
            .WithNextCheck(hashed, now + State.CheckInterval));
        // The file is new, so it is evaluated as if a verdict had confirmed the license; only a verdict is
        // kept as one.
        var context = core.Context(state, file) with { NormalKey = key, Confirmed = new Confirmation(hashed, file.IssuedAt) };
        var result = core.WithWarnings(FileRules.Evaluate(file, context));
        var usable = result.Status is Status.GracePeriod or Status.OnlineRequired
            && ((FileRules.TimeOf(file.License, file.IssuedAt, now, state) - file.IssuedAt).Duration() <= NewFileAge
                || FileRules.AssessClock(file, context).State == ClockState.WrongTimeZone);
        return usable ? result with { Status = Status.Valid, Message = Messages.Of(Status.Valid) } : result;
    }

    /// <summary>Replaces the license.bin of a key.</summary>
    /// <exception cref="LicenseFileException">It cannot be replaced.</exception>
    internal static void Install(LicenseCore core, string text, string key)
    {
        Write(core, text, key);
        if (core.UnwrittenFile is { } reason)
        {
            throw new LicenseFileException(reason);
        }
    }

    private static void Write(LicenseCore core, string text, string key)
    {
        var path = core.Config.FileOf(key);
        try
        {
            Disk.WriteLicense(path, Encoding.ASCII.GetBytes(text));
            core.UnwrittenFile = null;
        }
        catch (RefusedFileException reason)
        {
            core.UnwrittenFile =
                $"{path} cannot be replaced: {reason.Message}. Remove it, or choose another place with LicenseFile.";
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            throw new LicenseFileException(
                $"{path} cannot be written: {error.Message}. Check the permissions of the folder, or choose another with "
                + "LicenseFile.", error);
        }
    }
}
