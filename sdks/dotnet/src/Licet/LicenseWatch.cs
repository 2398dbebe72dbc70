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
    private volatile LicenseResult? _result;
    private volatile int _callbackThread = -1;

    internal LicenseWatch(
        LicenseCore core, Func<CancellationToken, Task<LicenseResult>> check, Action<LicenseResult> changed,
        TimeSpan interval)
    {
        ArgumentNullException.ThrowIfNull(changed);
        if (interval <= TimeSpan.Zero || interval > MaxInterval)
        {
            throw new ArgumentOutOfRangeException(
                nameof(interval), interval, "The interval must be positive, and 30 days at most.");
        }
        (_core, _check, _changed, _interval) = (core, check, changed, interval);
        _exit = new ExitTarget(() => DisposeAsync().AsTask(), () => Task.CompletedTask);
        ExitHooks.Add(_exit, handleSignals: false);
        Running = Task.Run(RunAsync);
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
        ExitHooks.Remove(_exit);
        if (Environment.CurrentManagedThreadId != _callbackThread)
        {
            await Task.WhenAny(Running, Task.Delay(CloseTimeout)).ConfigureAwait(false);
        }
    }

    /// <summary>The same, and blocks meanwhile; prefer <see cref="DisposeAsync"/>.</summary>
    public void Dispose() => DisposeAsync().AsTask().Wait();

    private async Task RunAsync()
    {
        try
        {
            while (true)
            {
                await CheckAsync().ConfigureAwait(false);
                await Task.Delay(Pause(), _closing.Token).ConfigureAwait(false);
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
        LicenseResult result;
        try
        {
            result = await _check(_closing.Token).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not ObjectDisposedException && !_closing.IsCancellationRequested)
        {
            _core.Config.Log($"The license was not checked in the background: {error.Message}");
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
