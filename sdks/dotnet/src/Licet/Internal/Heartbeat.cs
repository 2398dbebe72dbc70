namespace Licet.Internal;

/// <summary>A change of a session: lost with an exception, or regained without one.</summary>
internal sealed record SessionEvent(LicetException? Loss);

/// <summary>
/// The state machine of a session's heartbeats. Pure: no clock, no thread, no network. A session is alive
/// from the server's grant until the server refuses it, or until the server must have released the seat
/// because no heartbeat arrived. Each change is reported once. Jitter is 0 to 1.
/// </summary>
internal sealed class Heartbeat
{
    private const double EarliestFraction = 0.8;
    private static readonly TimeSpan FirstRetry = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan MaxRetryAfter = TimeSpan.FromHours(1);
    private static readonly TimeSpan MinCallTimeout = TimeSpan.FromSeconds(1);

    private LicetException? _lastError;
    private TimeSpan _expires;
    private TimeSpan _notBefore;
    private int _failures;

    internal Heartbeat(SessionGrant grant, double jitter)
    {
        (IsAlive, Grant, _notBefore) = (true, grant, grant.SentAt);
        Renew(grant, jitter);
    }

    internal SessionGrant Grant { get; private set; }

    /// <summary>Whether the seat is held, as far as the client knows.</summary>
    internal bool IsAlive { get; private set; }

    /// <summary>The monotonic time of the next call.</summary>
    internal TimeSpan Due { get; private set; }

    /// <summary>Whether the next call connects again instead of renewing the grant.</summary>
    internal bool Reconnects { get; private set; }

    /// <summary>Whether the server may still hold the seat, so that it has to be told at the end.</summary>
    internal bool NeedsDisconnect { get; private set; }

    /// <summary>
    /// That another living copy has taken the instance ID, so that this one needs a new ID to connect; null while
    /// it holds a seat of its own.
    /// </summary>
    internal LicetException? Taken { get; private set; }

    /// <summary>Whether the seat is held at this time, by what the server last granted.</summary>
    internal bool Holds(TimeSpan now) => IsAlive && Taken is null && now < _expires;

    /// <summary>Short enough to leave time for another attempt and to report a loss in time.</summary>
    internal TimeSpan CallTimeout(TimeSpan now, TimeSpan usual)
    {
        if (!IsAlive)
        {
            return usual;
        }
        var timeout = Min(Max(MinCallTimeout, Grant.Timeout / 3), Max(MinCallTimeout, _expires - now));
        return Min(usual, timeout);
    }

    /// <summary>
    /// Checks before a call whether the grant has expired. It expires only after a call has failed, so a
    /// machine that was asleep first makes the call.
    /// </summary>
    internal SessionEvent? CheckExpiry(TimeSpan now)
    {
        if (!IsAlive || _lastError is not { } error || now < _expires)
        {
            return null;
        }
        Due = Max(now, _notBefore);
        return Expire(error);
    }

    internal SessionEvent? Renew(SessionGrant grant, double jitter)
    {
        var regained = !IsAlive;
        (Grant, Reconnects, IsAlive, NeedsDisconnect, _failures) = (grant, false, true, true, 0);
        (_lastError, Taken) = (null, null);
        // The server's timeout cannot have started before the request was sent.
        _expires = grant.SentAt + grant.Timeout;
        Due = grant.SentAt + BeforeInterval(jitter);
        return regained ? new SessionEvent(null) : null;
    }

    internal SessionEvent? Fail(LicetException error, TimeSpan now, double jitter)
    {
        if (error.Code == LicetErrorCode.SessionLost && !Reconnects)
        {
            // The session may have timed out while this machine was asleep: reconnect at once.
            (NeedsDisconnect, Reconnects, Due) = (false, true, now);
            // Only a session that lives can hear that another one has taken its place.
            Taken = error is RequestRefusedException { EndReason: "Replaced" } ? error : null;
            return null;
        }
        if (IsRefusal(error))
        {
            Due = now + Max(AfterInterval(jitter), RequestedDelay(error));
            return Lose(error);
        }
        return ScheduleRetry(error, now, jitter);
    }

    private SessionEvent? ScheduleRetry(LicetException error, TimeSpan now, double jitter)
    {
        _lastError = error;
        _notBefore = now + RequestedDelay(error);
        Due = Max(now + Pause(error, jitter), _notBefore);
        if (!IsAlive)
        {
            return null;
        }
        if (Taken is not null)
        {
            return Lose(Taken);
        }
        if (now >= _expires)
        {
            return Expire(error);
        }
        // Make one more attempt shortly before the grant expires, then wake when it expires.
        var lastChance = _expires - Grant.Timeout / 10;
        Due = Min(Due, now < lastChance ? lastChance : _expires);
        return null;
    }

    private TimeSpan Pause(LicetException error, double jitter)
    {
        var first = Min(FirstRetry, Grant.Interval / 4);
        if (error is LicetServerException { Code: LicetErrorCode.RateLimited } limited)
        {
            return limited.RetryAfter is not null ? first : BeforeInterval(jitter);
        }
        if (error is not LicetNetworkException
            && error.Code is not (LicetErrorCode.ServerUnavailable or LicetErrorCode.UnexpectedReply))
        {
            return AfterInterval(jitter);
        }
        var backoff = first * Math.Pow(2, Math.Min(_failures, 30));
        _failures++;
        return Min(backoff, IsAlive ? Grant.Interval / 2 : Grant.Interval) * (0.5 + 0.5 * jitter);
    }

    private SessionEvent? Expire(LicetException error)
    {
        NeedsDisconnect = false;
        return Lose(new RequestRefusedException(
            LicetErrorCode.SessionLost,
            "The seat was lost: the license server could not be reached for "
            + $"{Math.Round(Grant.Timeout.TotalSeconds)} seconds.", 0, error) { Hint = $"{error.Message} {error.Hint}".Trim() });
    }

    private SessionEvent? Lose(LicetException error)
    {
        if (!IsAlive)
        {
            return null;
        }
        (IsAlive, Reconnects, _failures) = (false, true, 0);
        return new SessionEvent(error);
    }

    private TimeSpan BeforeInterval(double jitter) => Grant.Interval * (EarliestFraction + (1 - EarliestFraction) * jitter);

    private TimeSpan AfterInterval(double jitter) => Grant.Interval * (1 + (1 - EarliestFraction) * jitter);

    private static bool IsRefusal(LicetException error) => error.Code is
        LicetErrorCode.ActivationRequired or LicetErrorCode.ApprovalPending or LicetErrorCode.DeviceBlocked
        or LicetErrorCode.DeviceProofRequired or LicetErrorCode.HardwareMismatch or LicetErrorCode.LicenseRefused
        or LicetErrorCode.SeatsExhausted;

    private static TimeSpan RequestedDelay(LicetException error) =>
        error is LicetServerException { RetryAfter: { } delay } ? Min(delay, MaxRetryAfter) : TimeSpan.Zero;

    private static TimeSpan Min(TimeSpan left, TimeSpan right) => left < right ? left : right;

    private static TimeSpan Max(TimeSpan left, TimeSpan right) => left > right ? left : right;
}
