using System.Security.Cryptography;

namespace Licet.Internal;

/// <summary>
/// Strict verification of compact JWS and decryption of compact JWE. Only RS256 is verified and only
/// <c>dir</c> with A256GCM is decrypted, whatever the header says.
/// </summary>
internal static class Jose
{
    internal const int MaxTokenBytes = 1 << 20;
    private const int MaxHeaderLength = 4096;
    private const int MaxSignatureLength = 4096;
    private const int NonceLength = 12;
    private const int TagLength = 16;

    private static readonly byte[] FileKeyInfo = Encoding.ASCII.GetBytes("licet/license-file/v1");

    /// <summary>Verifies a JWS signed by one of the keys with RS256 and this type, and returns its claims.</summary>
    /// <exception cref="RejectedTokenException">A check failed.</exception>
    internal static JsonElement Verify(string token, IReadOnlyList<PublicKey> keys, string type, bool needsKid)
    {
        var segments = Split(token, 3);
        var header = ReadHeader(segments[0]);
        RejectedTokenException.Require(header.Text("alg") == "RS256", "it is not signed with RS256");
        RejectedTokenException.Require(header.Text("typ") == type, $"its type is not {type}");
        RejectedTokenException.Require(
            !header.Has("crit") && !header.Has("b64"),
            "it requires extensions that this version does not support");
        RejectedTokenException.Require(segments[2].Length <= MaxSignatureLength, "its signature is too long");
        var unnamed = !needsKid && !header.Has("kid");
        var candidates = keys.Where(key => unnamed || key.Kid == header.Text("kid")).ToArray();
        RejectedTokenException.Require(
            candidates.Length > 0, "it is signed with a different key than the application's");
        var signed = Encoding.ASCII.GetBytes($"{segments[0]}.{segments[1]}");
        var signature = Base64Url.Decode(segments[2]);
        RejectedTokenException.Require(
            candidates.Any(key => key.Verifies(signed, signature)), "its signature does not match its content");
        return JsonReading.ParseClaims(Base64Url.Decode(segments[1]));
    }

    /// <summary>Derives the key that decrypts a protected file of this license key.</summary>
    internal static byte[] DeriveFileKey(string normalKey, byte[] salt) =>
        HKDF.DeriveKey(HashAlgorithmName.SHA256, Encoding.ASCII.GetBytes(normalKey), 32, salt, FileKeyInfo);

    /// <summary>Whether this is the protected form: a JWE of five parts, whose second, the key, is empty.</summary>
    internal static bool IsProtected(string token)
    {
        var parts = token.Split('.');
        return parts.Length == 5 && parts[1].Length == 0;
    }

    /// <summary>Decrypts a protected file and returns the JWS inside.</summary>
    /// <exception cref="RejectedTokenException">The file was edited, or is encrypted for another key.</exception>
    internal static string OpenProtected(string token, string normalKey)
    {
        var segments = Split(token, 5);
        var salt = ReadSalt(segments);
        var (nonce, sealedText, tag) =
            (Base64Url.Decode(segments[2]), Base64Url.Decode(segments[3]), Base64Url.Decode(segments[4]));
        RejectedTokenException.Require(
            nonce.Length == NonceLength && tag.Length == TagLength, "it is not a protected license file");
        var plain = new byte[sealedText.Length];
        try
        {
            using var cipher = new AesGcm(DeriveFileKey(normalKey, salt), TagLength);
            cipher.Decrypt(nonce, sealedText, tag, plain, Encoding.ASCII.GetBytes(segments[0]));
        }
        catch (CryptographicException)
        {
            throw new RejectedTokenException("it was edited, or is encrypted for another license key");
        }
        RejectedTokenException.Require(plain.All(symbol => symbol < 0x80), "it does not contain a license");
        return Encoding.ASCII.GetString(plain);
    }

    /// <summary>The type in the header of a JWS, null if it is none. Verifies nothing.</summary>
    internal static string? TypeOf(string token)
    {
        try
        {
            return ReadHeader(Split(token, 3)[0]).Text("typ");
        }
        catch (RejectedTokenException)
        {
            return null;
        }
    }

    private static byte[] ReadSalt(string[] segments)
    {
        var header = ReadHeader(segments[0]);
        RejectedTokenException.Require(
            header.Text("alg") == "dir" && header.Text("enc") == "A256GCM" && header.Text("cty") == "license+jwt"
            && segments[1].Length == 0 && !header.Has("zip") && !header.Has("crit") && header.Text("salt") is not null,
            "it is not a protected license file");
        var salt = Base64Url.Decode(header.Text("salt")!);
        RejectedTokenException.Require(salt.Length is >= 16 and <= 64, "its salt has the wrong length");
        return salt;
    }

    private static string[] Split(string token, int parts)
    {
        var segments = token.Length <= MaxTokenBytes ? token.Split('.') : Array.Empty<string>();
        RejectedTokenException.Require(segments.Length == parts, $"it is not a token of {parts} parts");
        foreach (var segment in segments)
        {
            Base64Url.Decode(segment);
        }
        return segments;
    }

    private static JsonElement ReadHeader(string segment)
    {
        RejectedTokenException.Require(segment.Length <= MaxHeaderLength, "its header is too long");
        return JsonReading.ParseClaims(Base64Url.Decode(segment));
    }
}
