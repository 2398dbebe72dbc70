using System.Runtime.CompilerServices;
using System.Text.Json.Nodes;
using Status = Licet.LicenseValidationStatus;

namespace Licet.Internal;

/// <summary>Validation: the file if it is sufficient, else the server, else the file in its grace period.</summary>
internal static class Validation
{
    /// <summary>How long a start waits for the server that could do without it.</summary>
    private static readonly TimeSpan StartTime = TimeSpan.FromSeconds(2);

    /// <summary>How long one waits that needs the server, if it has just been silent.</summary>
    private static readonly TimeSpan ShortStartTime = TimeSpan.FromSeconds(4);

    private static readonly TimeSpan LongWait = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Validates for a start. One that can do without the server waits two seconds for it, and lets the request go on
    /// in the background, so that a slow server is believed, too.
    /// </summary>
    /// <param name="core">What every operation needs.</param>
    /// <param name="first">
    /// What a first start, which has no valid license.bin, asks for with the verdict. An older server ignores that.
    /// </param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    internal static Task<LicenseResult> ValidateAsync(
        LicenseCore core, Func<string, JsonObject?>? first, CancellationToken cancellationToken) =>
        ValidateAsync(
            core,
            (local, key) => local.SufficesForNow
                ? AskForNowAsync(core, key, cancellationToken)
                : AskAsync(core, key, local.Result.IsValid ? null : first?.Invoke(key), cancellationToken),
            local => SilenceOf(core) is { } silence && local.SufficesForNow ? silence : null,
            cancellationToken);

    /// <summary>Validates where nobody waits: each attempt may take the whole timeout.</summary>
    internal static Task<LicenseResult> ValidatePatientlyAsync(LicenseCore core, CancellationToken cancellationToken) =>
        ValidateAsync(
            core,
            (_, key) => Verdicts.AskAsync(
                core, key, new CallOptions { Retries = RetryPolicy.Patient }, null, cancellationToken),
            _ => null,
            cancellationToken);

    /// <summary>Validates, with a token if this machine has an enrollment key and needs the server.</summary>
    private static async Task<LicenseResult> ValidateAsync(
        LicenseCore core, Func<FileCheck, string, Task<(LicenseResult Result, string? File)>> ask,
        Func<FileCheck, LicetNetworkException?> reasonNotToAsk, CancellationToken cancellationToken)
    {
        try
        {
            if (core.Enrollment is { Token: null } && core.Config.HasServer && !core.CheckFile().IsSufficient)
            {
                await Enrollment.EnsureAsync(core, cancellationToken).ConfigureAwait(false);
            }
            return await Enrollment.WithKnownTokenAsync(
                core, () => ValidateNowAsync(core, ask, reasonNotToAsk, cancellationToken), cancellationToken)
                .ConfigureAwait(false);
        }
        catch (LicetException error)
            when (error is LicetNetworkException or LicetServerException and not RequestRefusedException)
        {
            return core.Learn(WithoutServer(core.CheckFile(), error));
        }
    }

    private static async Task<LicenseResult> ValidateNowAsync(
        LicenseCore core, Func<FileCheck, string, Task<(LicenseResult Result, string? File)>> ask,
        Func<FileCheck, LicetNetworkException?> reasonNotToAsk, CancellationToken cancellationToken)
    {
        var local = core.CheckFile();
        var key = core.KeyForRequest(local);
        if (local.IsSufficient || key is null || !core.Config.HasServer)
        {
            return core.Learn(local.Result);
        }
        if (reasonNotToAsk(local) is { } silence)
        {
            return core.Learn(WithoutServer(local, silence));
        }
        var before = core.Latest;
        LicenseResult result;
        string? file;
        try
        {
            (result, file) = await ask(local, key).ConfigureAwait(false);
        }
        catch (LicetException error) when (error is LicetNetworkException or LicetServerException)
        {
            // The answer may have come just after the wait for it ended.
            return core.Latest is { } newer && !ReferenceEquals(newer, before)
                ? newer
                : core.Learn(WithoutServer(local, error));
        }
        result = await RefreshIfDueAsync(core, key, local, result, file, cancellationToken).ConfigureAwait(false);
        return core.Learn(result);
    }

    private static async Task<(LicenseResult Result, string? File)> AskAsync(
        LicenseCore core, string key, JsonObject? more, CancellationToken cancellationToken)
    {
        var shortly = SilenceOf(core) is not null;
        try
        {
            var options = new CallOptions { Timeout = shortly ? ShortStartTime : null };
            return await Verdicts.AskAsync(core, key, options, more, cancellationToken).ConfigureAwait(false);
        }
        catch (LicetNetworkException error) when (error.Code == LicetErrorCode.ServerTimeout && !shortly)
        {
            // A short wait says nothing new: otherwise a slow server would never get the long one.
            RememberSilence(core);
            throw;
        }
    }

    /// <summary>Asks the server, and waits two seconds for it. Its answer is learned when it arrives.</summary>
    private static async Task<(LicenseResult Result, string? File)> AskForNowAsync(
        LicenseCore core, string key, CancellationToken cancellationToken)
    {
        var (waiting, isOver) = (new Waiting(), new StrongBox<bool>());
        var answer = Task.Run(() => LearnAsync(core, key, waiting, isOver), CancellationToken.None);
        core.Unanswered = answer;
        try
        {
            return (await answer.WaitAsync(StartTime, cancellationToken).ConfigureAwait(false), null);
        }
        catch (TimeoutException)
        {
            Volatile.Write(ref isOver.Value, true);
            if (waiting.Time >= LongWait)
            {
                RememberSilence(core);
            }
            throw NetworkErrors.NoAnswerIn(StartTime);
        }
        catch (LicetNetworkException error) when (error.Code == LicetErrorCode.ServerTimeout)
        {
            RememberSilence(core);
            throw;
        }
    }

    /// <summary>Asks the server. What the start does after an answer is done here if it has gone on.</summary>
    private static async Task<LicenseResult> LearnAsync(
        LicenseCore core, string key, Waiting waiting, StrongBox<bool> isOver)
    {
        var options = new CallOptions { Retries = RetryPolicy.Start, Waiting = waiting };
        try
        {
            var result = await Verdicts.RequestAsync(core, key, options, CancellationToken.None).ConfigureAwait(false);
            return Volatile.Read(ref isOver.Value)
                ? await RefreshIfDueAsync(core, key, core.CheckFile(), result, null, CancellationToken.None)
                    .ConfigureAwait(false)
                : result;
        }
        catch (UnknownTokenException) when (Volatile.Read(ref isOver.Value))
        {
            // The start that would enroll again has gone on.
            return await ValidatePatientlyAsync(core, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception error) when (
            Volatile.Read(ref isOver.Value) && error is LicetException or ObjectDisposedException)
        {
            core.Config.Log($"The license was not checked in the background: {error.Message}");
            throw;
        }
    }

    private static async Task<LicenseResult> RefreshIfDueAsync(
        LicenseCore core, string key, FileCheck local, LicenseResult result, string? file,
        CancellationToken cancellationToken)
    {
        if (!result.IsValid || !Refreshing.IsDue(core, local))
        {
            return result;
        }
        await Refreshing.TryRefreshAsync(core, key, file, cancellationToken).ConfigureAwait(false);
        return core.WithWarnings(result);
    }

    private static void RememberSilence(LicenseCore core) =>
        core.Store.Update(old => old.WithSilence(core.Config.Endpoint, core.Config.Now));

    /// <summary>The exception in place of asking a server that has just let another start wait.</summary>
    private static LicetNetworkException? SilenceOf(LicenseCore core) =>
        core.Store.Load().SilenceOf(core.Config.Endpoint, core.Config.Now) is { } until
            ? new LicetNetworkException(
                LicetErrorCode.ServerTimeout,
                $"The license server did not respond at {Clock.Format(until - State.Silence)}, and is asked again after "
                + $"{Clock.Format(until)}.")
            : null;

    /// <summary>The verdict on the file when the server cannot be asked, with the cause.</summary>
    private static LicenseResult WithoutServer(FileCheck local, LicetException error)
    {
        var result = local.Result with { Cause = error };
        if (result.Status == Status.GracePeriod && result.GraceEndsAt is { } ends)
        {
            return result with { Message = $"{error.Message} The license stays valid until {Clock.Format(ends)}." };
        }
        if (result.Status == Status.OnlineRequired)
        {
            return result with { Message = $"{error.Message} {result.Message}" };
        }
        return result.Source == LicenseSource.None
            ? result with
            {
                Status = Status.OnlineRequired,
                Message = $"{error.Message} There is no license file on this machine, so the license has to be checked "
                    + "with the server.",
            }
            : result;
    }
}
