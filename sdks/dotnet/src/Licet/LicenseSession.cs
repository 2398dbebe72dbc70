using Licet.Internal;

namespace Licet;

/// <summary>The callbacks of a session. They run on a thread of the pool, one at a time.</summary>
public sealed record SessionCallbacks
{
    /// <summary>Called once with the reason when the seat is lost. The session keeps trying to reconnect.</summary>
    public Action<LicetException>? Lost { get; init; }

    /// <summary>Called once when the session holds a seat again.</summary>
    public Action? Regained { get; init; }
}

/// <summary>
/// A seat held while the session is open; heartbeats are sent in the background. Dispose it, or the
/// <see cref="LicenseClient"/>, to give the seat back.
/// </summary>
public sealed class LicenseSession : IAsyncDisposable, IDisposable
{
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(3);

    private SessionCalls _calls;
    private readonly Heartbeat _heartbeat;
    private readonly Instance _instance;
    private readonly SessionCallbacks _callbacks;
    private readonly Func<Task>? _cleanup;
    private readonly CancellationTokenSource _closing = new();
    private readonly object _lock = new();
    private readonly Lazy<Task> _close;
    private readonly ExitTarget _exit;
    private Task _running = Task.CompletedTask;

    private LicenseSession(
        SessionCalls calls, SeatGrant grant, Instance instance, SessionCallbacks callbacks, Func<Task>? cleanup)
    {
        (_calls, _instance, _callbacks, _cleanup) = (calls, instance, callbacks, cleanup);
        _heartbeat = new Heartbeat(grant, RetryPolicy.Jitter());
        _close = new Lazy<Task>(() => Task.Run(CloseAsync));
        _exit = new ExitTarget(() => DisposeAsync().AsTask(), ReturnSeatAsync);
    }

    /// <summary>The session's ID. Reconnecting changes it.</summary>
    public string Id => Read(heartbeat => heartbeat.Grant.SessionId);

    /// <summary>Whether the session holds its seat, as far as the client knows.</summary>
    public bool IsAlive => !_closing.IsCancellationRequested && Read(heartbeat => heartbeat.Holds(Api.Monotonic));

    /// <summary>When the seat expires without another heartbeat, by the server's clock.</summary>
    public DateTimeOffset? ExpiresAt => Read(heartbeat => heartbeat.Grant.ExpiresAt);

    /// <summary>Seats in use when the session connected; null if they are not counted.</summary>
    public int? SeatsUsed => Read(heartbeat => heartbeat.Grant.SeatsUsed);

    /// <summary>The license's seat cap; null if there is none.</summary>
    public int? SeatsTotal => Read(heartbeat => heartbeat.Grant.SeatsTotal);

    internal bool IsClosed => _closing.IsCancellationRequested;

    /// <summary>Releases the seat. Takes a few seconds at most, throws nothing, and may be repeated.</summary>
    public async ValueTask DisposeAsync() =>
        await Task.WhenAny(_close.Value, Task.Delay(CloseTimeout)).ConfigureAwait(false);

    /// <summary>Releases the seat and blocks meanwhile; prefer <see cref="DisposeAsync"/>.</summary>
    public void Dispose() => _close.Value.Wait(CloseTimeout);

    internal static Task<LicenseSession> ConnectAsync(
        LicenseCore core, string? instanceId, SessionCallbacks? callbacks, Func<Task>? cleanup,
        CancellationToken cancellationToken) =>
        Enrollment.WithTokenAsync(
            core, () => ConnectNowAsync(core, instanceId, callbacks, cleanup, cancellationToken), cancellationToken);

    private static async Task<LicenseSession> ConnectNowAsync(
        LicenseCore core, string? instanceId, SessionCallbacks? callbacks, Func<Task>? cleanup,
        CancellationToken cancellationToken)
    {
        var key = core.RequiredKey();
        core.Api.RequireServer();
        var instance = instanceId is not null
            ? new Instance(instanceId)
            : Instance.Acquire(core.Config.Places.StateFolder, core.Label, new ThisMachine());
        try
        {
            var calls = new SessionCalls(core, key, instance.Value);
            var grant = await calls.ConnectAsync(RetryPolicy.Default, null, cancellationToken).ConfigureAwait(false);
            var session = new LicenseSession(calls, grant, instance, callbacks ?? new SessionCallbacks(), cleanup);
            ExitHooks.Add(session._exit, core.Config.HandleSignals);
            session._running = Task.Run(session.KeepAliveAsync, CancellationToken.None);
            return session;
        }
        catch
        {
            instance.Dispose();
            throw;
        }
    }

    private async Task KeepAliveAsync()
    {
        try
        {
            while (true)
            {
                var pause = Read(heartbeat => heartbeat.Due) - Api.Monotonic;
                if (pause > TimeSpan.Zero)
                {
                    await Task.Delay(pause, _closing.Token).ConfigureAwait(false);
                }
                if (Read(heartbeat => heartbeat.CheckExpiry(Api.Monotonic)) is { } expired)
                {
                    Notify(expired);
                    continue;
                }
                if (await CallAsync().ConfigureAwait(false) is { } change)
                {
                    Notify(change);
                }
            }
        }
        catch (OperationCanceledException) when (_closing.IsCancellationRequested)
        {
            // The session was closed.
        }
        catch (ObjectDisposedException)
        {
            // The client was disposed.
        }
    }

    private async Task<SessionEvent?> CallAsync()
    {
        var (grant, reconnects) = Read(heartbeat => (heartbeat.Grant, heartbeat.Reconnects));
        var timeout = Read(heartbeat => heartbeat.CallTimeout(Api.Monotonic, _calls.Core.Config.Timeout));
        try
        {
            var granted = reconnects
                ? await _calls.ConnectAsync(RetryPolicy.None, timeout, _closing.Token).ConfigureAwait(false)
                : await _calls.HeartbeatAsync(grant, timeout, _closing.Token).ConfigureAwait(false);
            return Read(heartbeat => heartbeat.Renew(granted, RetryPolicy.Jitter()));
        }
        catch (LicetException error)
        {
            _calls.Core.Config.Log($"The session's {(reconnects ? "connect" : "heartbeat")} failed: {error.Message}");
            var change = Read(heartbeat => heartbeat.Fail(error, Api.Monotonic, RetryPolicy.Jitter()));
            if (Read(heartbeat => heartbeat.Taken) == error)
            {
                // The ID is left to the copy that has taken it.
                _instance.Renew();
                _calls = _calls with { InstanceId = _instance.Value };
            }
            return change;
        }
    }

    private void Notify(SessionEvent change)
    {
        _calls.Core.Config.Log(change.Loss is { } reason ? $"Session lost: {reason.Message}" : "Session regained.");
        try
        {
            if (change.Loss is { } loss)
            {
                _callbacks.Lost?.Invoke(loss);
            }
            else
            {
                _callbacks.Regained?.Invoke();
            }
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // A failing callback must not end the session.
            _calls.Core.Config.Log($"A session callback threw {error.GetType().Name}: {error.Message}");
        }
    }

    /// <summary>Gives the seat back without closing the session, which takes one again at its next heartbeat.</summary>
    private Task ReturnSeatAsync() => _calls.DisconnectAsync(Read(heartbeat => heartbeat.Grant.SessionId));

    private async Task CloseAsync()
    {
        _closing.Cancel();
        await _running.ConfigureAwait(false);
        try
        {
            var (grant, needed) = Read(heartbeat => (heartbeat.Grant, heartbeat.NeedsDisconnect));
            if (needed)
            {
                await _calls.DisconnectAsync(grant.SessionId).ConfigureAwait(false);
            }
            if (_cleanup is not null)
            {
                await _cleanup().ConfigureAwait(false);
            }
        }
        catch (ObjectDisposedException)
        {
            // The client was disposed; the seat times out.
        }
        finally
        {
            _instance.Dispose();
            ExitHooks.Remove(_exit);
        }
    }

    private T Read<T>(Func<Heartbeat, T> read)
    {
        lock (_lock)
        {
            return read(_heartbeat);
        }
    }
}
