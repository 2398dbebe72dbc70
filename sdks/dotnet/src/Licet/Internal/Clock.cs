using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>Times: parsing and formatting. The current time always comes from a <see cref="TimeProvider"/>.</summary>
internal static class Clock
{
    private static readonly Regex Rfc3339 = new(
        @"\A\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})\z",
        RegexOptions.CultureInvariant);

    /// <summary>Parses an RFC 3339 time, which has a UTC offset; the result is in UTC.</summary>
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

    /// <summary>Converts Unix time; null if it is out of range.</summary>
    internal static DateTimeOffset? FromEpoch(double seconds)
    {
        var ticks = Math.Round(seconds * 1_000_000) * 10;
        return ticks > -DateTimeOffset.UnixEpoch.Ticks && ticks < (DateTime.MaxValue.Ticks - DateTimeOffset.UnixEpoch.Ticks)
            ? DateTimeOffset.UnixEpoch.AddTicks((long)ticks)
            : null;
    }

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
