using System.Security.Cryptography;

namespace Licet.Internal;

/// <summary>When to retry a call. Pure decisions, no I/O.</summary>
/// <param name="Attempts">The maximum number of attempts, including the first.</param>
/// <param name="Budget">The time for all attempts and pauses, in timeouts of the call.</param>
/// <param name="IsRetryable">Whether a call that failed with this exception may be retried.</param>
/// <param name="LongestPause">The longest time to wait before an attempt.</param>
internal sealed record RetryPolicy(
    int Attempts, double Budget, Func<LicetException, bool> IsRetryable, TimeSpan? LongestPause = null)
{
    internal static readonly RetryPolicy Default = new(3, 1, IsTransient);
    internal static readonly RetryPolicy None = new(1, 1, IsTransient);

    /// <summary>Where nobody waits: each attempt may take the whole timeout.</summary>
    internal static readonly RetryPolicy Patient = new(3, 3, IsTransient);

    /// <summary>For a start that could do without the server: not where there is none to wait for.</summary>
    internal static readonly RetryPolicy Start = new(3, 3, MayRespondSoon, TimeSpan.FromSeconds(1));

    private const double FirstPause = 0.5;
    private const double MaxPause = 8;

    /// <summary>Whether an exception is a connection error, 429, or 502 to 504, so that a retry may succeed.</summary>
    internal static bool IsTransient(LicetException error) => error switch
    {
        LicetServerException server => server.HttpStatus is 429 or 502 or 503 or 504,
        _ => error.Code is LicetErrorCode.Dns or LicetErrorCode.ServerRefused or LicetErrorCode.ConnectionLost
            or LicetErrorCode.ServerTimeout,
    };

    /// <summary>How long to wait before the next attempt; null to give up.</summary>
    /// <param name="error">The error of the last attempt.</param>
    /// <param name="attempt">The number of attempts so far.</param>
    /// <param name="left">What remains of the time budget.</param>
    /// <param name="jitter">0 to 1, to spread the retries of many clients.</param>
    internal TimeSpan? Pause(LicetException error, int attempt, TimeSpan left, double jitter)
    {
        if (attempt >= Attempts || !IsRetryable(error))
        {
            return null;
        }
        var backoff = TimeSpan.FromSeconds(
            Math.Min(MaxPause, FirstPause * Math.Pow(2, attempt - 1)) * (0.5 + jitter / 2));
        var pause = error is LicetServerException { RetryAfter: { } retryAfter } ? retryAfter + backoff / 4 : backoff;
        return pause < left && pause <= (LongestPause ?? pause) ? pause : null;
    }

    private static bool MayRespondSoon(LicetException error) =>
        IsTransient(error) && (error is LicetServerException || error.Code == LicetErrorCode.ConnectionLost);

    internal static double Jitter() => RandomNumberGenerator.GetInt32(1001) / 1000.0;
}
