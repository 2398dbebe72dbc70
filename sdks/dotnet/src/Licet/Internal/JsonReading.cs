namespace Licet.Internal;

/// <summary>Reads JSON objects without ever throwing for a missing or mistyped optional field.</summary>
internal static class JsonReading
{
    private const int MaxDigits = 40;

    /// <summary>The largest number up to which every whole one is exact in every language: 2^53 - 1.</summary>
    private const double MaxWhole = 9_007_199_254_740_991;
    private static readonly JsonDocumentOptions Options = new() { MaxDepth = 128 };

    /// <summary>Parses a JSON object; null if it is none, or a name in it is no text.</summary>
    internal static JsonElement? ParseObject(ReadOnlyMemory<byte> utf8)
    {
        try
        {
            using var document = JsonDocument.Parse(utf8, Options);
            var root = document.RootElement;
            return root.ValueKind == JsonValueKind.Object && HasReadableNames(root) ? root.Clone() : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>
    /// Whether all names are text. Half of a surrogate pair in one makes every look-up beside it throw, also of
    /// another name.
    /// </summary>
    internal static bool HasReadableNames(JsonElement element)
    {
        try
        {
            return element.ValueKind switch
            {
                JsonValueKind.Object => element.EnumerateObject().All(
                    field => field.Name is not null && HasReadableNames(field.Value)),
                JsonValueKind.Array => element.EnumerateArray().All(HasReadableNames),
                _ => true,
            };
        }
        catch (InvalidOperationException)
        {
            return false;
        }
    }

    /// <summary>Parses the JSON object of a token.</summary>
    /// <exception cref="RejectedTokenException">It is none.</exception>
    internal static JsonElement ParseClaims(byte[] utf8) =>
        ParseObject(utf8) ?? throw new RejectedTokenException("it does not contain a JSON object");

    internal static bool Has(this JsonElement element, string name) => element.TryGetProperty(name, out _);

    /// <summary>The value of a field; null if it is missing or null.</summary>
    internal static JsonElement? Field(this JsonElement element, string name) =>
        element.ValueKind == JsonValueKind.Object
        && element.TryGetProperty(name, out var value)
        && value.ValueKind != JsonValueKind.Null
            ? value
            : null;

    internal static string? Text(this JsonElement element, string name) => element.Field(name)?.AsText();

    internal static string? AsText(this JsonElement element)
    {
        if (element.ValueKind != JsonValueKind.String)
        {
            return null;
        }
        try
        {
            return element.GetString();
        }
        catch (InvalidOperationException)
        {
            return null; // half of a surrogate pair
        }
    }

    /// <summary>A whole number, however it is written; JSON does not tell 5 from 5.0.</summary>
    internal static long? Whole(this JsonElement element, string name) =>
        element.Number(name) is { } value && Math.Abs(value) <= MaxWhole && Math.Truncate(value) == value
            ? (long)value
            : null;

    internal static int? Count(this JsonElement element, string name) =>
        element.Whole(name) is >= int.MinValue and <= int.MaxValue and var value ? (int)value : null;

    internal static bool? Flag(this JsonElement element, string name) =>
        element.Field(name)?.ValueKind switch
        {
            JsonValueKind.True => true,
            JsonValueKind.False => false,
            _ => null,
        };

    /// <summary>An amount, exact; null if it is missing or larger than any amount.</summary>
    internal static decimal? Amount(this JsonElement element, string name) =>
        element.Field(name) is { ValueKind: JsonValueKind.Number } field
        && field.GetRawText().Length <= MaxDigits
        && field.TryGetDecimal(out var value)
            ? value
            : null;

    internal static double? Number(this JsonElement element, string name) =>
        element.Field(name) is { ValueKind: JsonValueKind.Number } field
        && field.TryGetDouble(out var value)
        && double.IsFinite(value)
            ? value
            : null;

    internal static DateTimeOffset? Time(this JsonElement element, string name) =>
        element.Text(name) is { } text && Clock.TryParse(text, out var moment) ? moment : null;
}
