using System.Security.Cryptography;

namespace Licet.Internal;

/// <summary>A charge of reserved credits, as a line of the journal.</summary>
/// <param name="Number">1 for the first line, and one more for each.</param>
/// <param name="Feature">The feature as the reservation spells it.</param>
/// <param name="Quantity">How often or how much it was used.</param>
/// <param name="Cost">The amount charged.</param>
/// <param name="At">When, in seconds of this machine's clock.</param>
/// <param name="Key">The idempotency key.</param>
/// <param name="Previous">The hash of the line before.</param>
internal sealed record JournalLine(
    int Number, string Feature, int Quantity, decimal Cost, long At, string Key, string Previous)
{
    internal const int MaxBytes = 2048;
    private const int MaxQuantity = 1_000_000_000;
    private const int MaxKeyLength = 128;
    private static readonly string[] Members = { "n", "feature", "quantity", "cost", "at", "key", "prev" };

    /// <summary>The hash by which the next line names a line, and the first one its lease.</summary>
    internal static string Hash(string text) => Base64Url.Encode(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    /// <summary>Reads a line; null if it has another form.</summary>
    internal static JournalLine? Read(string text)
    {
        var utf8 = Encoding.UTF8.GetBytes(text);
        return utf8.Length <= MaxBytes && JsonReading.ParseObject(utf8) is { } line
            && line.EnumerateObject().Select(member => member.Name).SequenceEqual(Members)
            && line.Count("n") is >= 1 and var number
            && line.Text("feature") is { Length: > 0 } feature
            && line.Count("quantity") is >= 1 and <= MaxQuantity and var quantity
            && Amounts.Read(line.Text("cost")) is { } cost
            && line.Whole("at") is { } at
            && line.Text("key") is { Length: > 0 } key && key.EnumerateRunes().Count() <= MaxKeyLength
            && line.Text("prev") is { } previous
            ? new JournalLine(number, feature, quantity, cost, at, key, previous)
            : null;
    }

    /// <summary>The text of the line; null if it would not be read as this line again.</summary>
    internal string? Write()
    {
        var text = string.Create(
            CultureInfo.InvariantCulture,
            $"{{\"n\":{Number},\"feature\":{Quote(Feature)},\"quantity\":{Quantity},"
            + $"\"cost\":\"{Amounts.Write(Cost)}\",\"at\":{At},\"key\":{Quote(Key)},\"prev\":\"{Previous}\"}}");
        return Read(text) == this ? text : null;
    }

    // The framework's writers escape characters that other languages write as they are.
    private static string Quote(string text)
    {
        var quoted = new StringBuilder("\"", text.Length + 2);
        foreach (var symbol in text)
        {
            quoted.Append(symbol switch
            {
                '"' => "\\\"",
                '\\' => "\\\\",
                '\t' => "\\t",
                '\n' => "\\n",
                '\r' => "\\r",
                '\b' => "\\b",
                '\f' => "\\f",
                < ' ' => $"\\u{(int)symbol:x4}",
                _ => symbol.ToString(),
            });
        }
        return quoted.Append('"').ToString();
    }
}
