namespace Licet.Internal;

/// <summary>
/// The daily check of Offline licenses in the background, so that a revocation arrives. The time of the
/// next check is stored before the request is sent, so neither a restart nor a failure makes the SDK ask
/// again soon. Failures are only logged.
/// </summary>
internal sealed class DailyCheck
{
    private static readonly TimeSpan RetryInterval = TimeSpan.FromHours(6);
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(2);

    private readonly LicenseCore _core;
    private readonly CancellationTokenSource _closing = new();
    private readonly object _lock = new();
    private Task _running = Task.CompletedTask;

    internal DailyCheck(LicenseCore core) => _core = core;

    /// <summary>Starts a check if one is due and none is running; returns the one that runs, null if none is due.</summary>
    internal Task? StartIfDue(LicenseResult result)
    {
        if (!IsDue(result))
        {
            return null;
        }
        lock (_lock)
        {
            if (_running.IsCompleted && !_closing.IsCancellationRequested)
            {
                _running = Task.Run(CheckAsync);
            }
            return _running;
        }
    }

    /// <summary>Lets running checks finish, for at most two seconds.</summary>
    internal async Task CloseAsync()
    {
        _closing.CancelAfter(CloseTimeout);
        await _running.ConfigureAwait(false);
        await Task.WhenAny(_core.Unanswered, Task.Delay(Timeout.Infinite, _closing.Token)).ConfigureAwait(false);
        _closing.Cancel();
    }

    private bool IsDue(LicenseResult result)
    {
        if (!result.IsValid || result.Source != LicenseSource.File || result.Cause is not null
            || result.License is not { ActivationMode: "Offline" } terms || !_core.Config.HasServer)
        {
            return false;
        }
        var key = _core.NormalKey ?? _core.Config.EnrollmentKey ?? LicenseKey.InFile(terms.Key);
        return key is not null && _core.Store.Seen.CheckIsDue(LicenseKey.Hash(key), _core.Config.Now);
    }

    private async Task CheckAsync()
    {
        try
        {
            if (_core.Enrollment is { Token: null } enrollment)
            {
                // Enrolling for the check is not tried again soon either.
                if (!Claim(LicenseKey.Hash(enrollment.Key)))
                {
                    return;
                }
                await enrollment.EnrollAsync(_core, null, _closing.Token).ConfigureAwait(false);
            }
            await Enrollment.WithKnownTokenAsync(_core, CheckNowAsync, _closing.Token).ConfigureAwait(false);
        }
        catch (Exception error) when (
            error is LicetException or OperationCanceledException or ObjectDisposedException)
        {
            _core.Config.Log($"The license was not checked in the background: {error.Message}");
        }
    }

    /// <summary>Checks, and returns whether the license is in order, as far as that was asked.</summary>
    private async Task<bool> CheckNowAsync()
    {
        var key = _core.RequiredKey();
        if (!Claim(LicenseKey.Hash(key)))
        {
            return true;
        }
        // The verdict comes first because a refresh may take a seat again that the vendor has freed.
        var options = new CallOptions { Retries = RetryPolicy.None };
        var result = await Verdicts.RequestAsync(_core, key, options, _closing.Token).ConfigureAwait(false);
        if (result.IsValid)
        {
            await Refreshing.TryRefreshAsync(_core, key, null, _closing.Token).ConfigureAwait(false);
        }
        return result.IsValid;
    }

    /// <summary>Puts the check off, unless another process has done so since it was last read.</summary>
    private bool Claim(string keyHash)
    {
        var claimed = false;
        _core.Store.Update(old =>
        {
            claimed = old.CheckIsDue(keyHash, _core.Config.Now);
            return claimed ? old.WithNextCheck(keyHash, _core.Config.Now + RetryInterval) : old;
        });
        return claimed;
    }
}
