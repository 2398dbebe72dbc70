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
    private readonly SemaphoreSlim _calling = new(1);
    private volatile BorrowedSeat? _borrowed;
    private Task _running = Task.CompletedTask;

    private LicenseSession(
        SessionCalls calls, SessionGrant grant, Instance instance, SessionCallbacks callbacks, Func<Task>? cleanup)
    {
        (_calls, _instance, _callbacks, _cleanup) = (calls, instance, callbacks, cleanup);
        _heartbeat = new Heartbeat(grant, RetryPolicy.Jitter());
        _close = new Lazy<Task>(() => Task.Run(CloseAsync));
        _exit = new ExitTarget(() => DisposeAsync().AsTask(), ReturnSeatAsync);
    }

    /// <summary>The session's ID. Reconnecting changes it.</summary>
    public string Id => Read(heartbeat => heartbeat.Grant.SessionId);

    /// <summary>Whether the session holds its seat, as far as the client knows.</summary>
    public bool IsAlive => !_closing.IsCancellationRequested
        && (_borrowed is { } seat ? seat.IsHeld : Read(heartbeat => heartbeat.Holds(Api.Monotonic)));

    /// <summary>
    /// When the seat expires without another heartbeat, by the server's clock; the end of a borrowed one.
    /// </summary>
    public DateTimeOffset? ExpiresAt => _borrowed?.EndsAt ?? Read(heartbeat => heartbeat.Grant.ExpiresAt);

    /// <summary>Seats in use when the session connected; null if they are not counted.</summary>
    public int? SeatsUsed => Read(heartbeat => heartbeat.Grant.SeatsUsed);

    /// <summary>The license's seat cap; null if there is none.</summary>
    public int? SeatsTotal => Read(heartbeat => heartbeat.Grant.SeatsTotal);

    internal bool IsClosed => _closing.IsCancellationRequested;

    /// <summary>
    /// Borrows the seat: for so many days this device needs no license server, also after a restart. Heartbeats stop, and
    /// disposing the session does not end what was borrowed: <see cref="BorrowedSeat.ReturnAsync"/> does.
    /// </summary>
    /// <param name="days">1 to 366; the vendor may allow fewer.</param>
    /// <param name="cancellationToken">Cancels the call; the seat may have been borrowed.</param>
    /// <exception cref="ArgumentOutOfRangeException">The days are out of range; nothing was sent.</exception>
    /// <exception cref="RequestRefusedException">
    /// Refused, for example with LeaseLimitReached as its error code; or the session does not hold its seat any more.
    /// </exception>
    /// <exception cref="LicenseFileException">The lease cannot be stored; nothing was sent.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond; the next call asks for the same again.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public Task<BorrowedSeat> BorrowAsync(int days = 14, CancellationToken cancellationToken = default)
    {
        Leases.CheckDays(days);
        return Task.Run(() => BorrowNowAsync(days, cancellationToken), cancellationToken);
    }

    /// <summary>Releases the seat. Takes a few seconds at most, throws nothing, and may be repeated.</summary>
    public async ValueTask DisposeAsync() =>
        await Task.WhenAny(_close.Value, Task.Delay(CloseTimeout)).ConfigureAwait(false);

    /// <summary>Releases the seat and blocks meanwhile; prefer <see cref="DisposeAsync"/>.</summary>
    public void Dispose() => _close.Value.Wait(CloseTimeout);

    internal static Task<LicenseSession> ConnectAsync(
        LicenseCore core, string? instanceId, SessionCallbacks? callbacks, Func<Task>? cleanup,
        CancellationToken cancellationToken) =>
        core.BorrowedSeat() is { } seat
            ? Task.FromResult(Holding(core, seat, cleanup))
            : Enrollment.WithTokenAsync(
                core, () => ConnectNowAsync(core, instanceId, callbacks, cleanup, cancellationToken), cancellationToken);

    /// <summary>A session on a borrowed seat, which neither takes nor releases one.</summary>
    private static LicenseSession Holding(LicenseCore core, BorrowedSeat seat, Func<Task>? cleanup)
    {
        var grant = new SessionGrant(
            seat.SessionId ?? "", TimeSpan.Zero, TimeSpan.Zero, seat.EndsAt, null, null, Api.Monotonic);
        return new LicenseSession(
            new SessionCalls(core, "", ""), grant, new Instance(""), new SessionCallbacks(), cleanup) { _borrowed = seat };
    }

    private static async Task<LicenseSession> ConnectNowAsync(
        LicenseCore core, string? instanceId, SessionCallbacks? callbacks, Func<Task>? cleanup,
        CancellationToken cancellationToken)
    {
        var key = core.RequiredKey();
        core.Api.RequireServer();
        await Leases.ReportQuietlyAsync(core, cancellationToken).ConfigureAwait(false);
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
            while (_borrowed is null)
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
        await _calling.WaitAsync(_closing.Token).ConfigureAwait(false);
        try
        {
            return _borrowed is null ? await CallNowAsync().ConfigureAwait(false) : null;
        }
        finally
        {
            _calling.Release();
        }
    }

    /// <summary>Borrows the seat; no heartbeat is sent meanwhile, and none afterwards.</summary>
    private async Task<BorrowedSeat> BorrowNowAsync(int days, CancellationToken cancellationToken)
    {
        await _calling.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (!IsAlive)
            {
                throw ServerErrors.Refused("SessionNotFound", "The session is not open.");
            }
            if (_borrowed is { } held)
            {
                throw Leases.AlreadyBorrowed(held.EndsAt);
            }
            var lent = new LentSession(Id, _calls.InstanceId);
            var (lease, sessionId) = await Leases.BorrowAsync(_calls.Core, lent, days, cancellationToken).ConfigureAwait(false);
            _borrowed = new BorrowedSeat(_calls.Core, lease, sessionId);
            if (sessionId != lent.Id)
            {
                // It is the seat of an earlier session whose answer was lost.
                await _calls.DisconnectAsync(lent.Id).ConfigureAwait(false);
            }
            return _borrowed;
        }
        finally
        {
            _calling.Release();
        }
    }

    private async Task<SessionEvent?> CallNowAsync()
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
    private Task ReturnSeatAsync() => _borrowed is null
        ? _calls.DisconnectAsync(Read(heartbeat => heartbeat.Grant.SessionId))
        : Task.CompletedTask;

    private async Task CloseAsync()
    {
        _closing.Cancel();
        await _running.ConfigureAwait(false);
        try
        {
            var (grant, needed) = Read(heartbeat => (heartbeat.Grant, heartbeat.NeedsDisconnect));
            if (needed && _borrowed is null)
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
