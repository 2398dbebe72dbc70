namespace Licet.Internal;

/// <summary>A signed refusal by the server. It stays in effect without a connection.</summary>
/// <param name="Status">The server's status.</param>
/// <param name="KeyHash">The hash of the license key.</param>
/// <param name="At">The time by the server's clock; a license.bin issued later overrides the refusal.</param>
internal sealed record Refusal(string Status, string KeyHash, DateTimeOffset At);

/// <summary>
/// What this machine keeps between runs. An empty state grants nothing: without a signed verdict there
/// is no grace period.
/// </summary>
internal sealed record State
{
    internal static readonly TimeSpan CheckInterval = TimeSpan.FromDays(1);
    internal static readonly TimeSpan Silence = TimeSpan.FromMinutes(15);
    private const int MaxRefusals = 64;

    /// <summary>The latest time read from this machine's clock; only a newer anchor moves it back.</summary>
    internal DateTimeOffset? HighWater { get; init; }

    /// <summary>The machine's UTC offset at that time.</summary>
    internal TimeSpan? UtcOffset { get; init; }

    /// <summary>The latest time signed by the server that this machine has received.</summary>
    internal DateTimeOffset? Anchor { get; init; }

    /// <summary>The token of the last verdict, if it confirmed the license. Not verified here.</summary>
    internal string? Verdict { get; init; }

    /// <summary>The hash of the license key that it confirmed.</summary>
    internal string? VerdictKey { get; init; }

    /// <summary>The refusals in effect, at most one for each license key.</summary>
    internal IReadOnlyList<Refusal> Refusals { get; init; } = Array.Empty<Refusal>();

    /// <summary>When an Offline license has to be checked with the server again, by this machine's clock.</summary>
    internal DateTimeOffset? NextCheck { get; init; }

    /// <summary>The hash of the license key of that check.</summary>
    internal string? CheckKey { get; init; }

    /// <summary>The key of the license.bin that a refusal has replaced, if the application did not name it.</summary>
    internal string? RefusedKey { get; init; }

    /// <summary>Whether that license.bin was protected.</summary>
    internal bool ProtectsFile { get; init; }

    /// <summary>The address of a server that let its last caller wait.</summary>
    internal string? SilentServer { get; init; }

    /// <summary>When it may be asked again by an application that can start without it.</summary>
    internal DateTimeOffset? SilentUntil { get; init; }

    internal Refusal? RefusalOf(string keyHash) => Refusals.FirstOrDefault(item => item.KeyHash == keyHash);

    /// <summary>Whether an Offline license has to be checked with the server.</summary>
    internal bool CheckIsDue(string keyHash, DateTimeOffset now)
    {
        // A clock that was ahead once must not put the check off for years.
        return NextCheck is not { } next || CheckKey != keyHash || next <= now || next - now > CheckInterval;
    }

    /// <summary>Until when a server is not asked; null if it may be asked.</summary>
    internal DateTimeOffset? SilenceOf(string? server, DateTimeOffset now) =>
        SilentUntil is { } until && server == SilentServer && until > now && until - now <= Silence ? until : null;

    internal State WithClockReading(DateTimeOffset now) =>
        HighWater is { } highWater && now <= highWater ? this : this with { HighWater = now, UtcOffset = now.Offset };

    /// <summary>Records a signed time. A newer one resets the high-water mark, which forgives clock drift.</summary>
    internal State WithAnchor(DateTimeOffset signedAt, DateTimeOffset now) =>
        Anchor is { } anchor && signedAt <= anchor
            ? this
            : this with { Anchor = signedAt, HighWater = Clock.Later(now, signedAt), UtcOffset = now.Offset };

    internal State WithVerdict(string token, string keyHash, DateTimeOffset at) =>
        WithoutRefusal(keyHash, at) with { Verdict = token, VerdictKey = keyHash };

    /// <summary>Records that the server refused the license; an earlier confirmation no longer counts.</summary>
    internal State WithRefusal(Refusal refusal)
    {
        var refusals = Refusals.Where(item => item.KeyHash != refusal.KeyHash).Append(refusal).TakeLast(MaxRefusals);
        var refused = this with { Refusals = refusals.ToArray() };
        return VerdictKey == refusal.KeyHash ? refused with { Verdict = null, VerdictKey = null } : refused;
    }

    /// <summary>Records that the server signed, at this time, that the license is in order.</summary>
    internal State WithoutRefusal(string keyHash, DateTimeOffset at) =>
        RefusalOf(keyHash) is { } refusal && at >= refusal.At
            ? this with { Refusals = Refusals.Where(item => item != refusal).ToArray() }
            : this;

    /// <summary>Records what is needed to fetch the license.bin again that a refusal replaces.</summary>
    internal State WithReplacedFile(string? key, bool isProtected) =>
        this with { RefusedKey = key, ProtectsFile = isProtected };

    internal State WithNextCheck(string keyHash, DateTimeOffset at) => this with { NextCheck = at, CheckKey = keyHash };

    internal State WithSilence(string? server, DateTimeOffset now) =>
        this with { SilentServer = server, SilentUntil = now + Silence };

    internal State WithoutSilence() => this with { SilentServer = null, SilentUntil = null };

    internal bool SameExceptClock(State other) =>
        ToJson(this with { HighWater = null, UtcOffset = null })
        == ToJson(other with { HighWater = null, UtcOffset = null });

    /// <summary>The state as JSON, in the form that every SDK stores.</summary>
    internal static string ToJson(State state)
    {
        var root = new System.Text.Json.Nodes.JsonObject
        {
            ["highWater"] = Epoch(state.HighWater),
            ["utcOffset"] = state.UtcOffset?.TotalSeconds,
            ["anchor"] = Epoch(state.Anchor),
            ["verdict"] = state.Verdict,
            ["verdictKey"] = state.VerdictKey,
            ["refusals"] = new System.Text.Json.Nodes.JsonArray(state.Refusals.Select(RefusalToJson).ToArray()),
            ["nextCheck"] = Epoch(state.NextCheck),
            ["checkKey"] = state.CheckKey,
            ["refusedKey"] = state.RefusedKey,
            ["protectsFile"] = state.ProtectsFile,
            ["silentServer"] = state.SilentServer,
            ["silentUntil"] = Epoch(state.SilentUntil),
        };
        return root.ToJsonString();
    }

    /// <summary>Reads a stored state. Fields that are missing or mistyped are empty.</summary>
    internal static State FromJson(JsonElement stored) => new()
    {
        HighWater = Time(stored, "highWater"),
        UtcOffset = stored.Number("utcOffset") is { } seconds && Math.Abs(seconds) <= 86_400
            ? TimeSpan.FromSeconds(seconds)
            : null,
        Anchor = Time(stored, "anchor"),
        Verdict = stored.Text("verdict"),
        VerdictKey = stored.Text("verdictKey"),
        Refusals = stored.Field("refusals") is { ValueKind: JsonValueKind.Array } refusals
            ? refusals.EnumerateArray().Select(RefusalFromJson).OfType<Refusal>().ToArray()
            : Array.Empty<Refusal>(),
        NextCheck = Time(stored, "nextCheck"),
        CheckKey = stored.Text("checkKey"),
        RefusedKey = stored.Text("refusedKey"),
        ProtectsFile = stored.Flag("protectsFile") is true,
        SilentServer = stored.Text("silentServer"),
        SilentUntil = Time(stored, "silentUntil"),
    };

    private static System.Text.Json.Nodes.JsonNode? RefusalToJson(Refusal refusal) =>
        new System.Text.Json.Nodes.JsonObject
        {
            ["status"] = refusal.Status,
            ["keyHash"] = refusal.KeyHash,
            ["at"] = Clock.ToEpoch(refusal.At),
        };

    private static Refusal? RefusalFromJson(JsonElement item) =>
        item.Text("status") is { } status && item.Text("keyHash") is { } keyHash && Time(item, "at") is { } at
            ? new Refusal(status, keyHash, at)
            : null;

    private static double? Epoch(DateTimeOffset? moment) => moment is { } at ? Clock.ToEpoch(at) : null;

    private static DateTimeOffset? Time(JsonElement stored, string name) =>
        stored.Number(name) is { } seconds ? Clock.FromEpoch(seconds) : null;
}
