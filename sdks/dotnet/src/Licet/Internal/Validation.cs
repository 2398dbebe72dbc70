using Status = Licet.LicenseValidationStatus;

namespace Licet.Internal;

/// <summary>Validation: the file if it is sufficient, else the server, else the file in its grace period.</summary>
internal static class Validation
{
    /// <summary>How long a start waits for the server that could do without it.</summary>
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan LongWait = TimeSpan.FromSeconds(1);

    internal static async Task<LicenseResult> ValidateAsync(LicenseCore core, CancellationToken cancellationToken)
    {
        var local = core.CheckFile();
        var key = core.KeyForRequest(local);
        if (local.IsSufficient || key is null || !core.Config.HasServer)
        {
            return local.Result;
        }
        if (local.SufficesForNow && SilenceOf(core) is { } silence)
        {
            return WithoutServer(local, silence);
        }
        var askedAt = Api.Monotonic;
        LicenseResult result;
        try
        {
            var options = new CallOptions { Timeout = local.SufficesForNow ? StartTimeout : null };
            result = await Verdicts.RequestAsync(core, key, options, cancellationToken).ConfigureAwait(false);
        }
        catch (LicetException error) when (error is LicetNetworkException or LicetServerException)
        {
            if (local.SufficesForNow && Api.Monotonic - askedAt >= LongWait)
            {
                core.Store.Update(old => old.WithSilence(core.Config.Endpoint, core.Config.Now));
            }
            return WithoutServer(local, error);
        }
        if (result.IsValid && Refreshing.IsDue(core, local))
        {
            await Refreshing.TryRefreshAsync(core, key, cancellationToken).ConfigureAwait(false);
            result = core.WithWarnings(result);
        }
        return result;
    }

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
