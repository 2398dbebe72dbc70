namespace Licet.Internal;

/// <summary>The update check that an answer must match.</summary>
/// <param name="ProductId">The product.</param>
/// <param name="Nonce">The nonce of this request.</param>
/// <param name="Channel">The channel asked for.</param>
/// <param name="Platform">The platform asked for.</param>
/// <param name="CurrentVersion">The application's version.</param>
/// <param name="ReleasedAt">When the running release was published, if the application knows it.</param>
/// <param name="KeyHash">The hash of the license key that was sent, if one was.</param>
internal sealed record ReleaseRequest(
    string ProductId, string Nonce, string Channel, string? Platform, string? CurrentVersion,
    DateTimeOffset? ReleasedAt, string? KeyHash);

/// <summary>
/// The signed answer about updates, and the signed release behind an offer. The release is signed once, so
/// its signature alone would allow a fake server to offer an old release again, or to hide a new one. The
/// answer is signed for the nonce of this request, also if there is no update. The claims of both are
/// compared with the request and with what the response offers.
/// </summary>
internal static class SignedRelease
{
    private const string TokenType = "release+jwt";
    private const string AnswerType = "update+jwt";

    /// <summary>Checks that the server signed this response for this request, and that it may be offered.</summary>
    /// <exception cref="RejectedTokenException">
    /// It is not signed for this request, or the offered release is not signed, not newer than the
    /// application, or a file is not offered as it was signed.
    /// </exception>
    internal static void Check(JsonElement response, IReadOnlyList<PublicKey> keys, ReleaseRequest request)
    {
        var claims = Verify(response.Text("answer"), keys, AnswerType, request);
        RejectedTokenException.Require(claims.Text("nonce") == request.Nonce, "it is for another request (nonce)");
        RejectedTokenException.Require(
            Claims.OptionalText(claims, "currentVersion") == request.CurrentVersion
            && Claims.OptionalText(claims, "platform") == request.Platform
            && Claims.OptionalText(claims, "licenseKeyHash") == request.KeyHash,
            "it is for another version, platform or license key");
        RejectedTokenException.Require(
            SameText(Claims.RequiredText(claims, "channel"), request.Channel), "it is for another channel");
        var available = response.Flag("updateAvailable");
        RejectedTokenException.Require(
            available is not null && claims.Flag("updateAvailable") == available
            && Claims.OptionalText(claims, "version") == response.Text("version"),
            "it is signed as another answer");
        var newer = response.Field("newer");
        RejectedTokenException.Require(
            Claims.OptionalText(claims, "newerVersion") == newer?.Text("version")
            && Claims.OptionalText(claims, "renewUrl") == newer?.Text("renewUrl"),
            "it is signed as another answer");
        if (available is true || Files(response).Any())
        {
            CheckRelease(response, keys, request);
        }
        else
        {
            RejectedTokenException.Require(
                response.Text("channel") is { } channel && SameText(channel, request.Channel),
                "it is for another channel");
        }
    }

    private static void CheckRelease(JsonElement offer, IReadOnlyList<PublicKey> keys, ReleaseRequest request)
    {
        var claims = Verify(offer.Text("token"), keys, TokenType, request);
        var (version, channel) = (Claims.RequiredText(claims, "version"), Claims.RequiredText(claims, "channel"));
        RejectedTokenException.Require(version == offer.Text("version"), "it is signed as another version");
        RejectedTokenException.Require(
            channel == offer.Text("channel") && SameText(channel, request.Channel), "it is signed for another channel");
        RequireNewer(version, Claims.OptionalTime(claims, "publishedAt"), request);
        var signed = Files(claims).Select(Describe).ToHashSet();
        foreach (var file in Files(offer))
        {
            CheckFile(file, signed, request.Platform);
        }
    }

    private static JsonElement Verify(
        string? token, IReadOnlyList<PublicKey> keys, string type, ReleaseRequest request)
    {
        RejectedTokenException.Require(!string.IsNullOrEmpty(token), "it is not signed");
        var claims = Jose.Verify(token!, keys, type, needsKid: true);
        Claims.Epoch(claims, "iat");
        RejectedTokenException.Require(claims.Text("aud") == request.ProductId, "it is for another product");
        return claims;
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

    /// <summary>Requires a release that cannot be compared by its version to have been published later.</summary>
    private static void RequireNewer(string version, DateTimeOffset? publishedAt, ReleaseRequest request)
    {
        var (offered, own) = (ComparableVersion.Parse(version), ComparableVersion.Parse(request.CurrentVersion));
        if (offered is not null && own is not null)
        {
            RejectedTokenException.Require(offered.CompareTo(own) > 0, "it is not newer than this version");
            return;
        }
        RejectedTokenException.Require(
            publishedAt is not null && request.ReleasedAt is not null,
            "it cannot be compared with this version, and the application does not say when its own release was "
            + "published (AppReleasedAt)");
        RejectedTokenException.Require(
            publishedAt > request.ReleasedAt && version != request.CurrentVersion, "it is not newer than this version");
    }

    private static bool SameText(string left, string right) =>
        string.Equals(left, right, StringComparison.OrdinalIgnoreCase);
}
