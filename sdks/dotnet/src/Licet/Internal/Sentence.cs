using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>Sentences with their values filled in.</summary>
internal static class Sentence
{
    private static readonly Regex Part = new(@"\[([^\[\]]*)\]|\{(\w+)\}");
    private static readonly Regex Placeholder = new(@"\{(\w+)\}");

    /// <summary>The English sentence of a code, which is the message of errors; null is a value that is not known.</summary>
    internal static string English(string code, params (string Name, object? Value)[] values) => Fill(
        SentenceTable.English[code],
        values.Where(item => item.Value is not null).ToDictionary(item => item.Name, item => Plain(item.Value!)));

    /// <summary>
    /// Puts texts in the place of their names; a part in brackets needs all of those in it. A name outside
    /// brackets stays as it is if there is no text for it.
    /// </summary>
    internal static string Fill(string template, IReadOnlyDictionary<string, string> texts) => Part.Replace(template, found =>
    {
        if (!found.Groups[1].Success)
        {
            return texts.TryGetValue(found.Groups[2].Value, out var text) ? text : found.Value;
        }
        var part = found.Groups[1].Value;
        return Placeholder.Matches(part).All(inner => texts.ContainsKey(inner.Groups[1].Value))
            ? Placeholder.Replace(part, inner => texts[inner.Groups[1].Value])
            : "";
    });

    /// <summary>A value as English writes it.</summary>
    internal static string Plain(object value) =>
        value is IFormattable number ? number.ToString(null, CultureInfo.InvariantCulture) : value.ToString() ?? "";

    /// <summary>A word that the server sent, such as a status, so that it can stand in a sentence.</summary>
    internal static string Word(string text) =>
        text.Any(char.IsControl) ? "?" : text[..Math.Min(40, text.Length)];
}
