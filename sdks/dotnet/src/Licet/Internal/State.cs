namespace Licet.Internal;

/// <summary>The last refusal of a license key, which stays in effect without a connection.</summary>
/// <param name="KeyHash">The hash of the license key.</param>
/// <param name="Token">The signed verdict. Not verified here.</param>
internal sealed record Refusal(string KeyHash, string Token);

/// <summary>What an answer of the server means for the license from now on.</summary>
internal enum Effect
{
    Confirms,
    Refuses,

    /// <summary>The next answer may be another one although the license has not changed.</summary>
    Passes,
}

/// <summary>
/// A verdict that the server signed for this machine's own fresh nonce. It cannot be a replay, so it is
/// newer than everything stored, whatever time is in it.
/// </summary>
/// <param name="Token">The signed verdict.</param>
/// <param name="KeyHash">The hash of the license key that it is about.</param>
/// <param name="At">The time in it, by the server's clock.</param>
/// <param name="Now">The time by this machine's clock when it arrived.</param>
/// <param name="Effect">What it means for the license.</param>
/// <param name="Agrees">Whether the two times are equal within the leeway.</param>
internal sealed record Answer(
    string Token, string KeyHash, DateTimeOffset At, DateTimeOffset Now, Effect Effect, bool Agrees)
{
    /// <summary>Whether one of the two clocks must be wrong, and the server's may be the one.</summary>
    internal bool IsAhead => At - Now > State.MaxClockOffset;
}

/// <summary>
/// What this machine keeps between runs. An empty state grants nothing: without a signed verdict there
/// is no grace period.
/// </summary>
internal sealed record State
{
    internal static readonly TimeSpan CheckInterval = TimeSpan.FromDays(1);
    internal static readonly TimeSpan Silence = TimeSpan.FromMinutes(15);
    internal static readonly TimeSpan MaxClockOffset = TimeSpan.FromDays(1);
    private const int MaxRefusals = 64;

    /// <summary>The latest time read from this machine's clock; only a newer signed time moves it back.</summary>
    internal DateTimeOffset? HighWater { get; init; }

    /// <summary>The machine's UTC offset at that time.</summary>
    internal TimeSpan? UtcOffset { get; init; }

    /// <summary>The newest time signed by the server that this machine has received.</summary>
    internal DateTimeOffset? Anchor { get; init; }

    /// <summary>How many answers have been recorded. Of two states, the one with more is newer.</summary>
    internal long Answers { get; init; }

    /// <summary>The token of the last verdict, if it confirmed the license. Not verified here.</summary>
    internal string? Verdict { get; init; }

    /// <summary>The hash of the license key that it confirmed.</summary>
    internal string? VerdictKey { get; init; }

    /// <summary>The last refusals, at most one for each license key. Not verified here.</summary>
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

    /// <summary>How far the server's clock was ahead at the last verdict on a test license.</summary>
    internal TimeSpan ServerAhead { get; init; }

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

    /// <summary>
    /// Records the signed time of a license.bin, which may be an old one. A newer time resets the high-water
    /// mark, which forgives clock drift. One that is more than a day ahead of this machine's clock is not
    /// believed: the clock that signed it may have been wrong.
    /// </summary>
    internal State WithAnchor(DateTimeOffset signedAt, DateTimeOffset now) =>
        signedAt - now > MaxClockOffset || (Anchor is { } anchor && signedAt <= anchor)
            ? this
            : WithTime(signedAt, now);

    /// <summary>
    /// Records an answer to this machine's own request. Where server and machine agree about the time, they
    /// correct the stored one, also backwards. The license is in order from now on, or refused. Only an
    /// answer more than a day ahead confirms nothing, and refuses without replacing an earlier refusal or
    /// the last confirmation.
    /// </summary>
    internal State WithAnswer(Answer answer)
    {
        var state = WithTimeOf(answer) with { Answers = Answers + 1 };
        if (answer.Effect == Effect.Passes || (answer.IsAhead && answer.Effect == Effect.Confirms))
        {
            return state;
        }
        if (answer.Effect == Effect.Confirms)
        {
            return state.WithoutRefusal(answer.KeyHash) with { Verdict = answer.Token, VerdictKey = answer.KeyHash };
        }
        if (answer.IsAhead && state.RefusalOf(answer.KeyHash) is not null)
        {
            return state;
        }
        var others = state.WithoutRefusal(answer.KeyHash).Refusals;
        var refused = state with
        {
            Refusals = others.Append(new Refusal(answer.KeyHash, answer.Token)).TakeLast(MaxRefusals).ToArray(),
        };
        return answer.IsAhead || VerdictKey != answer.KeyHash
            ? refused
            : refused with { Verdict = null, VerdictKey = null };
    }

    private State WithTimeOf(Answer answer) =>
        answer.Agrees ? WithTime(answer.At, answer.Now)
        : answer.IsAhead ? this
        // Do not record a clock that the server contradicts.
        : WithAnchor(answer.At, answer.At.ToOffset(answer.Now.Offset));

    private State WithTime(DateTimeOffset signedAt, DateTimeOffset now) =>
        this with { Anchor = signedAt, HighWater = Clock.Later(now, signedAt), UtcOffset = now.Offset };

    private State WithoutRefusal(string keyHash) =>
        this with { Refusals = Refusals.Where(item => item.KeyHash != keyHash).ToArray() };

    /// <summary>Records what is needed to fetch the license.bin again that a refusal replaces.</summary>
    internal State WithReplacedFile(string? key, bool isProtected) =>
        this with { RefusedKey = key, ProtectsFile = isProtected };

    internal State WithNextCheck(string keyHash, DateTimeOffset at) => this with { NextCheck = at, CheckKey = keyHash };

    internal State WithSilence(string? server, DateTimeOffset now) =>
        this with { SilentServer = server, SilentUntil = now + Silence };

    internal State WithoutSilence() => this with { SilentServer = null, SilentUntil = null };

    /// <summary>The state with what another one knows about the time.</summary>
    internal State WithClockOf(State other) => this with
    {
        HighWater = other.HighWater,
        UtcOffset = other.UtcOffset,
        Anchor = other.Anchor,
        Answers = other.Answers,
    };

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
            ["answers"] = state.Answers,
            ["verdict"] = state.Verdict,
            ["verdictKey"] = state.VerdictKey,
            ["refusals"] = new System.Text.Json.Nodes.JsonArray(state.Refusals.Select(RefusalToJson).ToArray()),
            ["nextCheck"] = Epoch(state.NextCheck),
            ["checkKey"] = state.CheckKey,
            ["refusedKey"] = state.RefusedKey,
            ["protectsFile"] = state.ProtectsFile,
            ["silentServer"] = state.SilentServer,
            ["silentUntil"] = Epoch(state.SilentUntil),
            ["serverAhead"] = state.ServerAhead.TotalSeconds,
        };
        return root.ToJsonString();
    }

    /// <summary>Reads a stored state. Fields that are missing or mistyped are empty.</summary>
    internal static State FromJson(JsonElement stored) => new()
    {
        HighWater = Time(stored, "highWater"),
        UtcOffset = Duration(stored, "utcOffset", 86_400),
        Anchor = Time(stored, "anchor"),
        Answers = Math.Max(stored.Whole("answers") ?? 0, 0),
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
        ServerAhead = Duration(stored, "serverAhead", Clock.LastEpoch) ?? TimeSpan.Zero,
    };

    private static System.Text.Json.Nodes.JsonNode? RefusalToJson(Refusal refusal) =>
        new System.Text.Json.Nodes.JsonObject { ["keyHash"] = refusal.KeyHash, ["token"] = refusal.Token };

    private static Refusal? RefusalFromJson(JsonElement item) =>
        item.Text("keyHash") is { } keyHash && item.Text("token") is { } token ? new Refusal(keyHash, token) : null;

    private static TimeSpan? Duration(JsonElement stored, string name, double atMost) =>
        stored.Number(name) is { } seconds && Math.Abs(seconds) <= atMost ? TimeSpan.FromSeconds(seconds) : null;

    private static double? Epoch(DateTimeOffset? moment) => moment is { } at ? Clock.ToEpoch(at) : null;

    private static DateTimeOffset? Time(JsonElement stored, string name) =>
        stored.Number(name) is { } seconds ? Clock.FromEpoch(seconds) : null;
}
