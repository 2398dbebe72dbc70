using System.Security.Cryptography;

namespace Licet.Internal;

/// <summary>
/// License keys: normal form and check symbol. A generated key has 25 symbols of Crockford's base32,
/// the last a Luhn mod 32 check symbol. Any other string of 8 to 128 printable ASCII characters is an
/// imported key and is compared as it is.
/// </summary>
internal static class LicenseKey
{
    internal const int MinProtectionLength = 20;
    private const string Alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private const int GeneratedLength = 25;
    private const int MinImportedLength = 8;
    private const int MaxImportedLength = 128;

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
        var trimmed = text.Trim();
        if (trimmed.All(char.IsAscii))
        {
            var candidate = trimmed.ToUpperInvariant()
                .Replace(" ", "").Replace("-", "").Replace('I', '1').Replace('L', '1').Replace('O', '0');
            if (IsGenerated(candidate))
            {
                return candidate;
            }
        }
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

    /// <summary>The base64url SHA-256 that identifies a key in a signed verdict.</summary>
    internal static string Hash(string normalKey) =>
        Base64Url.Encode(SHA256.HashData(Encoding.ASCII.GetBytes(normalKey)));
}
