using System.Security.Cryptography;

namespace Licet.Internal;

/// <summary>
/// License keys: normal form and check symbol. A generated key has 25 symbols of Crockford's base32, the last a
/// Luhn mod 32 check symbol; nothing but its letters and digits counts. Any other string of 8 to 128 printable
/// ASCII characters is an imported key, which is compared as it is, apart from what word processors, mail programs
/// and people put into and around it. The server does the same; vectors/keys.json holds both to it.
/// </summary>
internal static class LicenseKey
{
    internal const int MinProtectionLength = 20;
    private const string Alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private const int GeneratedLength = 25;
    private const int MinImportedLength = 8;
    private const int MaxImportedLength = 128;
    private const int MaxTextLength = 300;
    private const int FullWidth = 0xFEE0;
    private static readonly char[] AroundImported = "\t \"'`<>,;:.".ToCharArray();

    /// <summary>What programs put in place of ASCII: line breaks, what cannot be seen, and typography.</summary>
    private static readonly IReadOnlyDictionary<int, string> Typography = new Dictionary<string, string>
    {
        [""] = "000A-000D 0085 00AD 034F 0600-0605 061C 06DD 070F 0890-0891 08E2 115F-1160 17B4-17B5 "
            + "180B-180F 200B-200F 2028-202E 2060-206F 3164 FE00-FE0F FEFF FFA0 FFF0-FFFB 110BD 110CD "
            + "13430-1343F 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF",
        [" "] = "00A0 1680 2000-200A 202F 205F 3000",
        ["-"] = "058A 05BE 1400 1806 2010-2015 2043 2212 2500 2E17 2E1A 2E3A-2E3B 2E40 2E5D 301C 3030 30A0 "
            + "30FC FE31-FE32 FE58 FE63 FF0D FF70 10D6E 10EAD",
        ["'"] = "00B4 2018-201B 2032 2039-203A",
        ["\""] = "00AB 00B7 00BB 201C-201F 2022 2026 2033 2036 2E02-2E05 2E09-2E0A 2E0C-2E0D 2E1C-2E1D "
            + "2E20-2E21 3001-301B 301D-301F FF61-FF65",
    }
        .SelectMany(meant => meant.Value.Split(' ').SelectMany(Range).Select(symbol => (symbol, meant.Key)))
        .Concat(Enumerable.Range('!', '~' - '!' + 1).Select(code => (code + FullWidth, ((char)code).ToString())))
        .GroupBy(pair => pair.Item1).ToDictionary(pair => pair.Key, pair => pair.First().Item2);

    internal static char CheckSymbol(string payload)
    {
        var total = 0;
        var factor = 2;
        for (var index = payload.Length - 1; index >= 0; index--)
        {
            var addend = factor * Alphabet.IndexOf(payload[index]);
            total += addend / Alphabet.Length + addend % Alphabet.Length;
            factor = 3 - factor;
        }
        return Alphabet[(Alphabet.Length - total % Alphabet.Length) % Alphabet.Length];
    }

    internal static bool IsGenerated(string text) =>
        text.Length == GeneratedLength
        && text.All(symbol => Alphabet.Contains(symbol))
        && CheckSymbol(text[..^1]) == text[^1];

    /// <summary>Converts a key to the form in which keys are compared and hashed.</summary>
    /// <exception cref="LicetConfigurationException">The text cannot be a license key.</exception>
    internal static string NormalForm(string text)
    {
        var fits = text.Length <= 2 * MaxTextLength && text.EnumerateRunes().Count() <= MaxTextLength;
        var plain = string.Concat(
            (fits ? text : "").EnumerateRunes().Select(
                symbol => Typography.TryGetValue(symbol.Value, out var meant) ? meant : symbol.ToString()));
        var candidate = string.Concat(plain.Where(symbol => !IsSeparator(symbol)).Select(char.ToUpperInvariant))
            .Replace('I', '1').Replace('L', '1').Replace('O', '0');
        if (plain.All(char.IsAscii) && IsGenerated(candidate))
        {
            return candidate;
        }
        var trimmed = plain.Trim(AroundImported);
        if (trimmed.Length is < MinImportedLength or > MaxImportedLength)
        {
            throw new LicetConfigurationException(
                $"A license key has {MinImportedLength} to {MaxImportedLength} characters; this one has "
                + $"{trimmed.Length}. Check that it was copied completely.");
        }
        if (!trimmed.All(symbol => symbol is >= ' ' and <= '~'))
        {
            throw new LicetConfigurationException(
                "The license key contains characters that are not allowed (only printable ASCII is). Copy it "
                + "again from the original message.");
        }
        return trimmed;
    }

    private static bool IsSeparator(char symbol) =>
        symbol is '\t' or (>= ' ' and <= '~') && !char.IsAsciiLetterOrDigit(symbol);

    /// <summary>The normal form of the key in a license file; null if it has none or it is malformed.</summary>
    internal static string? InFile(string? text)
    {
        try
        {
            return text is { Length: > 0 } ? NormalForm(text) : null;
        }
        catch (LicetConfigurationException)
        {
            return null;
        }
    }

    private static IEnumerable<int> Range(string codes)
    {
        var ends = codes.Split('-').Select(code => Convert.ToInt32(code, 16)).ToArray();
        return Enumerable.Range(ends[0], ends[^1] - ends[0] + 1);
    }

    /// <summary>The base64url SHA-256 that identifies a key in a signed verdict.</summary>
    internal static string Hash(string normalKey) =>
        Base64Url.Encode(SHA256.HashData(Encoding.ASCII.GetBytes(normalKey)));

    /// <summary>What tells the files of a license key from those of others: 8 digits of its hash.</summary>
    internal static string Label(string hash) =>
        Convert.ToHexString(Base64Url.Decode(hash))[..8].ToLowerInvariant();
}
