using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>A seat as last granted by the server.</summary>
/// <param name="SessionId">The session's ID.</param>
/// <param name="Interval">The time between heartbeats.</param>
/// <param name="Timeout">The time without a heartbeat after which the server releases the seat.</param>
/// <param name="ExpiresAt">When the seat expires without another heartbeat, by the server's clock.</param>
/// <param name="SeatsUsed">Seats in use.</param>
/// <param name="SeatsTotal">The seat cap.</param>
/// <param name="SentAt">The monotonic time at which the granted request was sent.</param>
internal sealed record SessionGrant(
    string SessionId,
    TimeSpan Interval,
    TimeSpan Timeout,
    DateTimeOffset? ExpiresAt,
    int? SeatsUsed,
    int? SeatsTotal,
    TimeSpan SentAt);

/// <summary>The API calls of one session.</summary>
internal sealed record SessionCalls(LicenseCore Core, string LicenseKey, string InstanceId)
{
    private const double MinInterval = 0.05;
    private const double MaxDuration = 86_400;
    private static readonly TimeSpan DisconnectTimeout = TimeSpan.FromSeconds(2);

    /// <summary>Claims a seat. It replaces the seat that this instance held before.</summary>
    internal async Task<SessionGrant> ConnectAsync(
        RetryPolicy retries, TimeSpan? timeout, CancellationToken cancellationToken)
    {
        var fields = Core.WithCredentials(new JsonObject
        {
            ["licenseKey"] = LicenseKey,
            ["hardwareId"] = Core.HardwareIdText,
            ["instanceId"] = InstanceId,
            ["deviceName"] = Core.Config.DeviceName,
            ["appVersion"] = Core.Config.AppVersion,
            ["components"] = Core.SentComponents(),
        });
        var options = new CallOptions
        {
            IsSuccess = status => status is 200 or 201,
            Retries = retries,
            Timeout = timeout,
        };
        var reply = await Core.Api.CallAsync("/sessions/connect", fields, options, cancellationToken)
            .ConfigureAwait(false);
        var id = reply.Body.Text("sessionId") ?? throw ServerErrors.NotOfAServer("the session", reply.RequestId);
        var seconds = Duration(reply.Body, "sessionTimeoutSeconds", 90);
        return new SessionGrant(
            id, Interval(reply.Body, seconds / 3, seconds), TimeSpan.FromSeconds(seconds), reply.Body.Time("expiresAt"),
            reply.Body.Count("seatsUsed"), reply.Body.Count("seatsTotal"), reply.SentAt);
    }

    /// <summary>Renews the grant, in one attempt.</summary>
    internal async Task<SessionGrant> HeartbeatAsync(SessionGrant grant, TimeSpan timeout, CancellationToken cancellationToken)
    {
        var options = new CallOptions { Retries = RetryPolicy.None, Timeout = timeout };
        var fields = new JsonObject { ["sessionId"] = grant.SessionId };
        var reply = await Core.Api.CallAsync("/sessions/heartbeat", fields, options, cancellationToken)
            .ConfigureAwait(false);
        if (reply.Body.Text("sessionId") != grant.SessionId)
        {
            throw ServerErrors.OfAnotherRequest("the session", reply.RequestId);
        }
        var seconds = Duration(reply.Body, "sessionTimeoutSeconds", grant.Timeout.TotalSeconds);
        return grant with
        {
            Interval = Interval(reply.Body, grant.Interval.TotalSeconds, seconds),
            Timeout = TimeSpan.FromSeconds(seconds),
            ExpiresAt = reply.Body.Time("expiresAt") ?? grant.ExpiresAt,
            SentAt = reply.SentAt,
        };
    }

    /// <summary>Releases the seat, in one attempt. A failure is only logged: the seat also times out.</summary>
    internal async Task DisconnectAsync(string sessionId)
    {
        var options = new CallOptions
        {
            IsSuccess = status => status is 200 or 204,
            Retries = RetryPolicy.None,
            Timeout = DisconnectTimeout,
        };
        try
        {
            var fields = new JsonObject { ["sessionId"] = sessionId };
            await Core.Api.CallAsync("/sessions/disconnect", fields, options, CancellationToken.None)
                .ConfigureAwait(false);
        }
        catch (LicetException error)
        {
            Core.Config.Log($"The session was not disconnected: {error.Message}");
        }
    }

    private static TimeSpan Interval(JsonElement body, double usual, double timeout)
    {
        var interval = Duration(body, "heartbeatIntervalSeconds", usual);
        // With an interval as long as the timeout, every heartbeat would be late.
        return TimeSpan.FromSeconds(Math.Max(MinInterval, Math.Min(interval, timeout / 2)));
    }

    private static double Duration(JsonElement body, string name, double usual) =>
        body.Number(name) is > 0 and var seconds ? Math.Min(seconds, MaxDuration) : usual;
}
