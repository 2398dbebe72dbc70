namespace Licet.Driver;

/// <summary>A clock that stands still at a given time, or else is the system's.</summary>
internal sealed class DriverClock : TimeProvider
{
    internal DateTimeOffset? Now { get; set; }

    public override TimeZoneInfo LocalTimeZone => Now is { } now
        ? TimeZoneInfo.CreateCustomTimeZone("driver", now.Offset, "driver", "driver")
        : System.LocalTimeZone;

    public override DateTimeOffset GetUtcNow() => Now?.ToUniversalTime() ?? System.GetUtcNow();
}
