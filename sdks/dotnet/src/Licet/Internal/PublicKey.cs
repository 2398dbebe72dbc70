using System.Security.Cryptography;

namespace Licet.Internal;

/// <summary>An RSA public key and its RFC 7638 thumbprint.</summary>
internal sealed record PublicKey(RSAParameters Parameters, string Kid)
{
    private const int MinBits = 2048;
    private const int MaxKeys = 16;

    /// <summary>Loads the keys that an application trusts; one that is given twice counts once.</summary>
    /// <exception cref="LicetConfigurationException">It is not a list of 1 to 16 public keys.</exception>
    internal static IReadOnlyList<PublicKey> LoadAll(IReadOnlyList<string> given)
    {
        if (given.Count is < 1 or > MaxKeys)
        {
            throw new LicetConfigurationException($"PublicKeys must have 1 to {MaxKeys} public keys.");
        }
        if (given.Any(string.IsNullOrWhiteSpace))
        {
            throw new LicetConfigurationException("PublicKeys must contain public keys only, as PEM or Base64.");
        }
        return given.Select(Load).DistinctBy(key => key.Kid).ToArray();
    }

    /// <summary>Loads PEM, or Base64 of SPKI DER, the forms shown in the dashboard.</summary>
    /// <exception cref="LicetConfigurationException">This is not an RSA public key of at least 2048 bits.</exception>
    internal static PublicKey Load(string given)
    {
        var text = given.Trim();
        if (text.Contains("PRIVATE KEY", StringComparison.Ordinal))
        {
            throw new LicetConfigurationException(
                "PublicKey contains a PRIVATE key, which must never leave the server. Remove it from the "
                + "application, generate a new key pair for the product, and use the public key.");
        }
        using var rsa = RSA.Create();
        try
        {
            Import(rsa, text);
        }
        catch (Exception error) when (error is CryptographicException or FormatException or ArgumentException)
        {
            throw new LicetConfigurationException(
                "PublicKey is neither PEM nor Base64 of an RSA public key. Copy the complete key from the "
                + "product's page, including the BEGIN and END lines if it is PEM.", error);
        }
        if (rsa.KeySize < MinBits)
        {
            throw new LicetConfigurationException(
                $"PublicKey has {rsa.KeySize} bits; at least {MinBits} are required. Generate a new key pair "
                + "for the product.");
        }
        var parameters = rsa.ExportParameters(includePrivateParameters: false);
        return new PublicKey(parameters, Thumbprint(parameters));
    }

    internal bool Verifies(byte[] signed, byte[] signature)
    {
        using var rsa = RSA.Create(Parameters);
        try
        {
            return rsa.VerifyData(signed, signature, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        }
        catch (CryptographicException)
        {
            return false;
        }
    }

    private static void Import(RSA rsa, string text)
    {
        if (text.StartsWith("-----", StringComparison.Ordinal))
        {
            rsa.ImportFromPem(text);
            return;
        }
        var der = Convert.FromBase64String(text);
        rsa.ImportSubjectPublicKeyInfo(der, out var read);
        if (read != der.Length)
        {
            throw new FormatException("something follows the key");
        }
    }

    private static string Thumbprint(RSAParameters parameters)
    {
        var jwk = $"{{\"e\":\"{Base64Url.Encode(parameters.Exponent!)}\",\"kty\":\"RSA\",\"n\":\"{Base64Url.Encode(parameters.Modulus!)}\"}}";
        return Base64Url.Encode(SHA256.HashData(Encoding.ASCII.GetBytes(jwk)));
    }
}
