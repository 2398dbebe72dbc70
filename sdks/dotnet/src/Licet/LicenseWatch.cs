using Licet.Internal;

namespace Licet;

/// <summary>
/// Checks a license in the background until it is disposed, or the <see cref="LicenseClient"/> is; see
/// <see cref="LicenseClient.Watch"/>.
/// </summary>
public sealed class LicenseWatch : IAsyncDisposable, IDisposable
{
    internal static readonly TimeSpan DefaultInterval = TimeSpan.FromHours(1);
    private static readonly TimeSpan MaxInterval = TimeSpan.FromDays(30);
    private const double EarliestFraction = 0.9;
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(2);

    private readonly LicenseCore _core;
    private readonly Func<CancellationToken, Task<LicenseResult>> _check;
    private readonly Action<LicenseResult> _changed;
    private readonly TimeSpan _interval;
    private readonly CancellationTokenSource _closing = new();
    private readonly ExitTarget _exit;
    private readonly SemaphoreSlim _woken = new(0);
    private volatile LicenseResult? _result;
    private volatile int _callbackThread = -1;

    internal LicenseWatch(
        LicenseCore core, Func<CancellationToken, Task<LicenseResult>> check, Action<LicenseResult> changed,
        TimeSpan interval, LicenseResult? since = null)
    {
        ArgumentNullException.ThrowIfNull(changed);
        if (interval <= TimeSpan.Zero || interval > MaxInterval)
        {
            throw new ArgumentOutOfRangeException(
                nameof(interval), interval, "The interval must be positive, and 30 days at most.");
        }
        (_core, _check, _changed, _interval) = (core, check, changed, interval);
        _result = since;
        core.Learned += Wake;
        _exit = new ExitTarget(() => DisposeAsync().AsTask(), () => Task.CompletedTask);
        ExitHooks.Add(_exit, handleSignals: false);
        Running = Task.Run(() => RunAsync(atOnce: since is null));
    }

    /// <summary>The result of the last check; null before the first.</summary>
    public LicenseResult? Result => _result;

    internal bool IsClosed => _closing.IsCancellationRequested;

    internal Task Running { get; }

    /// <summary>
    /// Stops. Waits for a running callback, for two seconds at most; throws nothing, and may be repeated. Within the
    /// callback it does not wait.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        _closing.Cancel();
        _core.Learned -= Wake;
        ExitHooks.Remove(_exit);
        if (Environment.CurrentManagedThreadId != _callbackThread)
        {
            await Task.WhenAny(Running, Task.Delay(CloseTimeout)).ConfigureAwait(false);
        }
    }

    /// <summary>The same, and blocks meanwhile; prefer <see cref="DisposeAsync"/>.</summary>
    public void Dispose() => DisposeAsync().AsTask().Wait();

    /// <summary>What the client learns in another way is reported, too.</summary>
    private void Wake() => _woken.Release();

    private async Task RunAsync(bool atOnce)
    {
        var due = Api.Monotonic + (atOnce ? TimeSpan.Zero : Pause());
        try
        {
            while (true)
            {
                if (Api.Monotonic >= due)
                {
                    await CheckAsync().ConfigureAwait(false);
                    due = Api.Monotonic + Pause();
                }
                Report();
                var left = due - Api.Monotonic;
                await _woken.WaitAsync(left > TimeSpan.Zero ? left : TimeSpan.Zero, _closing.Token).ConfigureAwait(false);
            }
        }
        catch (Exception) when (_closing.IsCancellationRequested)
        {
            // The watch was disposed, and with it whatever it was doing.
        }
        catch (ObjectDisposedException)
        {
            // The client was disposed.
        }
    }

    private async Task CheckAsync()
    {
        try
        {
            _ = await _check(_closing.Token).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not ObjectDisposedException && !_closing.IsCancellationRequested)
        {
            _core.Config.Log($"The license was not checked in the background: {error.Message}");
        }
    }

    private void Report()
    {
        if (_core.Latest is not { } result)
        {
            return;
        }
        var previous = _result;
        _result = result;
        if (!_closing.IsCancellationRequested && !LicenseChange.IsSame(previous, result))
        {
            Notify(result);
        }
    }

    private void Notify(LicenseResult result)
    {
        _callbackThread = Environment.CurrentManagedThreadId;
        try
        {
            _changed(result);
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // A failing callback must not end the watch.
            _core.Config.Log($"A watch's callback threw {error.GetType().Name}: {error.Message}");
        }
        finally
        {
            _callbackThread = -1;
        }
    }

    /// <summary>A little less than the interval, because many clients that started together must not ask together.</summary>
    private TimeSpan Pause() => _interval * (EarliestFraction + (1 - EarliestFraction) * RetryPolicy.Jitter());
}
