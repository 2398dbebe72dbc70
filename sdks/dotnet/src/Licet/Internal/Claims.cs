using System.Collections.ObjectModel;

namespace Licet.Internal;

/// <summary>
/// Typed claims, with every field checked. The signature has been verified at this point, so a claim of
/// the wrong type means an incompatible issuer rather than an attack. It is rejected all the same.
/// </summary>
internal static class Claims
{
    /// <summary>Reads the <c>license</c> object of a file or a verdict.</summary>
    internal static License ReadLicense(JsonElement raw, string? id = null, JsonElement? seat = null) => new()
    {
        Id = id ?? RequiredText(raw, "id"),
        Key = OptionalText(raw, "key"),
        Type = RequiredText(raw, "type"),
        Status = RequiredText(raw, "status"),
        Name = OptionalText(raw, "name"),
        IssuedTo = OptionalText(raw, "issuedTo"),
        Issuer = OptionalText(raw, "issuer"),
        ExpirationDate = OptionalTime(raw, "expirationDate"),
        ActivationMode = OptionalText(raw, "activationMode") is { Length: > 0 } mode ? mode : "Online",
        MaxActiveUsersCount = OptionalWhole(raw, "maxActiveUsersCount"),
        Features = OptionalTexts(raw, "features"),
        Metadata = ReadTexts(raw, "metadata"),
        Entitlements = ReadEntitlements(raw),
        UpdatesUntil = OptionalTime(raw, "updatesUntil"),
        FallbackUntil = OptionalTime(raw, "fallbackUntil"),
        InFallback = raw.Flag("inFallback") is true,
        IsTest = raw.Flag("test") is true,
        Seat = ReadSeat(raw.Field("seat") ?? seat),
    };

    internal static JsonElement RequiredObject(JsonElement claims, string name) =>
        claims.Field(name) is { ValueKind: JsonValueKind.Object } value ? value : throw Malformed(name);

    internal static string RequiredText(JsonElement claims, string name) =>
        claims.Text(name) is { Length: > 0 } text ? text : throw Malformed(name);

    internal static string? OptionalText(JsonElement claims, string name) =>
        claims.Field(name) is { } value ? value.AsText() ?? throw Malformed(name) : null;

    internal static IReadOnlyList<string>? OptionalTexts(JsonElement claims, string name)
    {
        if (claims.Field(name) is not { } value)
        {
            return null;
        }
        return value.ValueKind == JsonValueKind.Array
            ? Array.AsReadOnly(value.EnumerateArray().Select(item => item.AsText() ?? throw Malformed(name)).ToArray())
            : throw Malformed(name);
    }

    internal static DateTimeOffset Epoch(JsonElement claims, string name) =>
        claims.Number(name) is { } seconds && Clock.FromEpoch(seconds) is { } moment ? moment : throw Malformed(name);

    internal static DateTimeOffset? OptionalTime(JsonElement claims, string name) =>
        OptionalText(claims, name) is not { } text ? null
        : Clock.TryParse(text, out var moment) ? moment
        : throw Malformed(name);

    private static long? OptionalWhole(JsonElement claims, string name) =>
        claims.Field(name) is null ? null : claims.Whole(name) ?? throw Malformed(name);

    /// <summary>Reads an object of texts; an empty one if it is missing.</summary>
    internal static IReadOnlyDictionary<string, string> ReadTexts(JsonElement raw, string name)
    {
        var read = new Dictionary<string, string>(StringComparer.Ordinal);
        if (raw.Field(name) is { } pairs)
        {
            RejectedTokenException.Require(
                pairs.ValueKind == JsonValueKind.Object, $"its claims are malformed: {name}");
            foreach (var item in pairs.EnumerateObject())
            {
                read[item.Name] = item.Value.AsText() ?? throw Malformed(name);
            }
        }
        return new ReadOnlyDictionary<string, string>(read);
    }

    private static IReadOnlyDictionary<string, object>? ReadEntitlements(JsonElement raw)
    {
        if (raw.Field("entitlements") is not { } values)
        {
            return null;
        }
        RejectedTokenException.Require(
            values.ValueKind == JsonValueKind.Object, "its claims are malformed: entitlements");
        var read = new Dictionary<string, object>(StringComparer.Ordinal);
        foreach (var item in values.EnumerateObject())
        {
            read[item.Name] = ReadEntitlement(item.Value);
        }
        return new ReadOnlyDictionary<string, object>(read);
    }

    private static object ReadEntitlement(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Null or JsonValueKind.True => true,
        JsonValueKind.False => false,
        JsonValueKind.Number when value.TryGetInt64(out var whole) => whole,
        JsonValueKind.Number when value.TryGetDouble(out var number) && double.IsFinite(number) => number,
        JsonValueKind.String => value.AsText() ?? throw Malformed("entitlements"),
        _ => throw Malformed("entitlements"),
    };

    /// <summary>Reads a <c>seat</c> object; null if it is missing or of a kind that is not known.</summary>
    private static LicenseSeat? ReadSeat(JsonElement? raw) =>
        raw is { ValueKind: JsonValueKind.Object } seat
        && seat.Text("kind") is { } kind
        && Enum.GetNames<SeatKind>().Contains(kind)
            ? new LicenseSeat(Enum.Parse<SeatKind>(kind), seat.Flag("held"), seat.Count("used"), seat.Count("total"))
            : null;

    private static RejectedTokenException Malformed(string name) => new($"its claims are malformed: {name}");
}
