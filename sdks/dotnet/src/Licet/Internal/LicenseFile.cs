namespace Licet.Internal;

/// <summary>A license.bin whose signature and product have been verified.</summary>
internal sealed record LicenseFile(
    License License,
    LicensedProduct Product,
    LicensedRelease Release,
    DateTimeOffset IssuedAt,
    DateTimeOffset NotBefore,
    DateTimeOffset? RefreshBy,
    IReadOnlyList<string> HardwareIds,
    string? Jkt,
    bool IsProtected)
{
    internal const string TokenType = "license+jwt";

    /// <summary>Whether this license has to be checked with the server, which an offline request cannot do.</summary>
    internal bool IsOnline => Offline is null && License.ActivationMode != "Offline";

    /// <summary>What is particular to the file of a machine without a connection; null for any other.</summary>
    internal OfflineMarks? Offline { get; init; }

    /// <summary>
    /// The normal form of the license key in the file, if it has one; the file of an enrolled device is that of its token.
    /// </summary>
    internal string? NormalKey { get; init; } = LicenseKey.InFile(License.Key);

    /// <summary>Verifies license.bin and reads its claims.</summary>
    /// <exception cref="RejectedTokenException">It was edited, is not signed with a trusted key, or is of another product.</exception>
    internal static LicenseFile Open(string text, IReadOnlyList<PublicKey> keys, string productId, string? normalKey)
    {
        var isProtected = Jose.IsProtected(text);
        if (isProtected)
        {
            RejectedTokenException.Require(
                normalKey is not null, "it is protected and no license key was given to decrypt it");
            text = Jose.OpenProtected(text, normalKey!);
        }
        var claims = Jose.Verify(text, keys, TokenType, needsKid: true);
        RejectedTokenException.Require(claims.Text("aud") == productId, "it belongs to another product");
        var file = Read(claims, isProtected);
        // An answer to an offline request is never protected.
        return isProtected ? file : file with { Offline = OfflineMarks.Read(claims, file) };
    }

    /// <summary>Reads the claims that a license.bin and a lease have in common.</summary>
    /// <exception cref="RejectedTokenException">One is malformed.</exception>
    internal static LicenseFile Read(JsonElement claims, bool isProtected)
    {
        var (product, release) = (OptionalObject(claims, "product"), OptionalObject(claims, "release"));
        var issuedAt = Claims.Epoch(claims, "iat");
        return new LicenseFile(
            Claims.ReadLicense(Claims.RequiredObject(claims, "license"), Claims.RequiredText(claims, "sub")),
            new LicensedProduct(
                Claims.RequiredText(claims, "aud"),
                product is { } named ? Claims.OptionalText(named, "name") : null),
            release is { } licensed
                ? new LicensedRelease(Claims.OptionalText(licensed, "id"), Claims.OptionalText(licensed, "version"))
                : new LicensedRelease(null, null),
            issuedAt,
            claims.Has("nbf") ? Claims.Epoch(claims, "nbf") : issuedAt,
            claims.Field("exp") is null ? null : Claims.Epoch(claims, "exp"),
            Claims.OptionalTexts(claims, "hardwareIds") ?? Array.Empty<string>(),
            OptionalObject(claims, "cnf") is { } proven ? Claims.RequiredText(proven, "jkt") : null,
            isProtected);
    }

    private static JsonElement? OptionalObject(JsonElement claims, string name) =>
        claims.Field(name) is null ? null : Claims.RequiredObject(claims, name);
}
