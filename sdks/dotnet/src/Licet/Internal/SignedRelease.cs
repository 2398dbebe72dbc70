namespace Licet.Internal;

/// <summary>The update check that a release must match.</summary>
internal sealed record ReleaseRequest(string ProductId, string? CurrentVersion, string Channel, string? Platform);

/// <summary>
/// The signed release behind an update: what may be offered to the application. The signature alone
/// would allow a fake server to offer an old release again, or another channel's; so the token's claims
/// are compared with the request and with what the response offers.
/// </summary>
internal static class SignedRelease
{
    private const string TokenType = "release+jwt";

    /// <summary>Checks that the server signed an offered release, and that it may be offered.</summary>
    /// <exception cref="RejectedTokenException">
    /// It is not signed, not for this product or channel, not newer than the application, or a file is not
    /// offered as it was signed.
    /// </exception>
    internal static void Check(JsonElement offer, IReadOnlyList<PublicKey> keys, ReleaseRequest request)
    {
        var token = offer.Text("token");
        RejectedTokenException.Require(!string.IsNullOrEmpty(token), "it is not signed");
        var claims = Jose.Verify(token!, keys, TokenType, needsKid: true);
        Claims.Epoch(claims, "iat");
        RejectedTokenException.Require(claims.Text("aud") == request.ProductId, "it is for another product");
        var (version, channel) = (Claims.RequiredText(claims, "version"), Claims.RequiredText(claims, "channel"));
        RejectedTokenException.Require(version == offer.Text("version"), "it is signed as another version");
        RejectedTokenException.Require(
            channel == offer.Text("channel") && SameText(channel, request.Channel), "it is signed for another channel");
        RejectedTokenException.Require(
            IsNewer(version, request.CurrentVersion), "it is not newer than this version");
        var signed = Files(claims).Select(Describe).ToHashSet();
        foreach (var file in Files(offer))
        {
            CheckFile(file, signed, request.Platform);
        }
    }

    private static void CheckFile(
        JsonElement file, IReadOnlySet<(string, string?, long, string)> signed, string? wantedPlatform)
    {
        RejectedTokenException.Require(signed.Contains(Describe(file)), "a file differs from the signed one");
        var platform = file.Text("platform");
        RejectedTokenException.Require(
            wantedPlatform is null || platform is null || SameText(platform, wantedPlatform),
            "a file is for another platform");
        RejectedTokenException.Require(
            file.Text("downloadUrl") is { } address && Addresses.IsProtected(address),
            "a download address does not use https");
    }

    private static IEnumerable<JsonElement> Files(JsonElement claims)
    {
        var files = claims.Field("files");
        RejectedTokenException.Require(
            files is { ValueKind: JsonValueKind.Array }
            && files.Value.EnumerateArray().All(item => item.ValueKind == JsonValueKind.Object),
            "its claims are malformed: files");
        return files!.Value.EnumerateArray();
    }

    private static (string Name, string? Platform, long Size, string Sha256) Describe(JsonElement item) => (
        Claims.RequiredText(item, "name"),
        Claims.OptionalText(item, "platform"),
        item.Whole("sizeBytes") ?? throw new RejectedTokenException("its claims are malformed: sizeBytes"),
        Claims.RequiredText(item, "sha256"));

    /// <summary>Whether a version is newer; true if the two cannot be compared.</summary>
    private static bool IsNewer(string version, string? current)
    {
        var (offered, own) = (ComparableVersion.Parse(version), ComparableVersion.Parse(current));
        return offered is null || own is null ? version != current : offered.CompareTo(own) > 0;
    }

    private static bool SameText(string left, string right) =>
        string.Equals(left, right, StringComparison.OrdinalIgnoreCase);
}
