namespace Licet.Internal;

internal enum ClockState
{
    Right,
    WrongTimeZone,
    Moved,
}

/// <summary>The assessment of a clock reading.</summary>
/// <param name="State">Whether the clock can be believed.</param>
/// <param name="JudgedAt">The time at which terms are evaluated; never before the bound.</param>
/// <param name="Behind">How far the clock is behind the bound; zero if it is not behind.</param>
internal sealed record ClockReading(ClockState State, DateTimeOffset JudgedAt, TimeSpan Behind);

/// <summary>
/// Distinguishes a clock that was set back from one in the wrong time zone. The bound is the latest
/// time known to have passed, signed by the server or read from this machine's clock. Terms are
/// evaluated at the later of the clock and the bound, so setting the clock back gains nothing.
/// </summary>
internal static class ClockGuard
{
    internal static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan MaxTimeZoneOffset = TimeSpan.FromHours(14);
    private static readonly TimeSpan QuarterHour = TimeSpan.FromMinutes(15);
    private static readonly TimeSpan QuarterHourTolerance = TimeSpan.FromSeconds(90);

    /// <param name="now">The current time with the machine's UTC offset.</param>
    /// <param name="bound">The latest time known to have passed.</param>
    /// <param name="boundOffset">The UTC offset when the bound was read from this machine's clock, if it was.</param>
    internal static ClockReading Assess(DateTimeOffset now, DateTimeOffset bound, TimeSpan? boundOffset)
    {
        var behind = bound > now ? bound - now : TimeSpan.Zero;
        var state = behind <= Tolerance ? ClockState.Right
            : LooksLikeTimeZone(behind, now.Offset, boundOffset) ? ClockState.WrongTimeZone
            : ClockState.Moved;
        return new ClockReading(state, Clock.Later(now, bound), behind);
    }

    /// <summary>Whether a difference is a multiple of 15 minutes within the range of time zones.</summary>
    internal static bool IsQuarterHours(TimeSpan difference)
    {
        difference = difference.Duration();
        if (difference < QuarterHour - QuarterHourTolerance || difference > MaxTimeZoneOffset + QuarterHourTolerance)
        {
            return false;
        }
        var remainder = TimeSpan.FromTicks(difference.Ticks % QuarterHour.Ticks);
        return (remainder < QuarterHour - remainder ? remainder : QuarterHour - remainder) <= QuarterHourTolerance;
    }

    /// <summary>
    /// Whether a wrong time zone explains a difference. Either it is a multiple of 15 minutes. Or real time
    /// has passed since the bound was recorded: then it must not be larger than the change of the machine's
    /// UTC offset (the time zone was corrected) or than the offset itself (two operating systems on one
    /// machine disagree about whether the hardware clock runs in local time).
    /// </summary>
    private static bool LooksLikeTimeZone(TimeSpan difference, TimeSpan offset, TimeSpan? boundOffset)
    {
        if (IsQuarterHours(difference))
        {
            return true;
        }
        var changed = boundOffset is { } before ? (offset - before).Duration() : TimeSpan.Zero;
        var current = offset.Duration();
        return (changed > TimeSpan.Zero || current != TimeSpan.Zero)
            && difference <= (changed > current ? changed : current) + Tolerance;
    }
}
