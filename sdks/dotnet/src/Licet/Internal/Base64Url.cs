namespace Licet.Internal;

internal static class Base64Url
{
    internal static string Encode(byte[] bytes) =>
        Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');

    /// <summary>
    /// Decodes canonical base64url without padding. Lenient decoders ignore the unused bits of the last
    /// symbol, so an edited signature would still verify.
    /// </summary>
    /// <exception cref="RejectedTokenException">The text is not canonical base64url.</exception>
    internal static byte[] Decode(string text)
    {
        if (!text.All(IsSymbol) || text.Length % 4 == 1)
        {
            throw new RejectedTokenException("it is not base64url");
        }
        var padded = text.Replace('-', '+').Replace('_', '/') + new string('=', (4 - text.Length % 4) % 4);
        var bytes = Convert.FromBase64String(padded);
        return Encode(bytes) == text ? bytes : throw new RejectedTokenException("it is not canonical base64url");
    }

    private static bool IsSymbol(char symbol) => char.IsAsciiLetterOrDigit(symbol) || symbol is '-' or '_';
}
