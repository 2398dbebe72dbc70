using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>Times: parsing and formatting. The current time always comes from a <see cref="TimeProvider"/>.</summary>
internal static class Clock
{
    /// <summary>The last second of the year 9999.</summary>
    internal const double LastEpoch = 253_402_300_799;

    private static readonly Regex Rfc3339 = new(
        @"\A[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?"
        + @"(Z|[+-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00))\z",
        RegexOptions.CultureInvariant);

    /// <summary>
    /// Parses an RFC 3339 time with a UTC offset, in the form that the server writes; the result is in UTC.
    /// </summary>
    internal static bool TryParse(string text, out DateTimeOffset moment)
    {
        moment = default;
        if (!Rfc3339.IsMatch(text)
            || !DateTimeOffset.TryParse(
                text, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal, out var parsed))
        {
            return false;
        }
        moment = parsed;
        return true;
    }

    /// <summary>Converts Unix time from 1970 to 9999; null for any other.</summary>
    internal static DateTimeOffset? FromEpoch(double seconds) =>
        seconds is >= 0 and <= LastEpoch
            ? DateTimeOffset.UnixEpoch.AddTicks((long)(Math.Round(seconds * 1_000_000) * 10))
            : null;

    internal static double ToEpoch(DateTimeOffset moment) =>
        (moment.UtcTicks - DateTimeOffset.UnixEpoch.Ticks) / (double)TimeSpan.TicksPerSecond;

    internal static DateTimeOffset Later(DateTimeOffset left, DateTimeOffset right) => left > right ? left : right;

    /// <summary>The moment so much later, or the last one there is.</summary>
    internal static DateTimeOffset After(DateTimeOffset moment, TimeSpan duration) =>
        DateTimeOffset.MaxValue - moment > duration ? moment + duration : DateTimeOffset.MaxValue;

    /// <summary>Formats a time for a message.</summary>
    internal static string Format(DateTimeOffset moment) =>
        moment.UtcDateTime.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture) + " UTC";

    /// <summary>Formats a duration for a message, to the minute.</summary>
    internal static string Format(TimeSpan duration)
    {
        var minutes = (long)Math.Round(duration.Duration().TotalMinutes);
        var (days, hours) = (minutes / 1440, minutes / 60 % 24);
        minutes %= 60;
        var parts = new List<string>();
        if (days > 0)
        {
            parts.Add($"{days} d");
        }
        if (hours > 0)
        {
            parts.Add($"{hours} h");
        }
        if (minutes > 0 || parts.Count == 0)
        {
            parts.Add($"{minutes} min");
        }
        return string.Join(' ', parts);
    }
}
