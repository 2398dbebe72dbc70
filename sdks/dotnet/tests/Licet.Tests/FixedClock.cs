namespace Licet.Tests;

/// <summary>A clock that stands still until it is set.</summary>
internal sealed class FixedClock : TimeProvider
{
    internal FixedClock(DateTimeOffset now) => Now = now;

    internal DateTimeOffset Now { get; set; }

    public override TimeZoneInfo LocalTimeZone =>
        TimeZoneInfo.CreateCustomTimeZone("fixed", Now.Offset, "fixed", "fixed");

    public override DateTimeOffset GetUtcNow() => Now.ToUniversalTime();
}
