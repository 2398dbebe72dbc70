using System.Net.Http;
using System.Security.Cryptography;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>The check for updates.</summary>
internal static class Updates
{
    internal const string DefaultChannel = "Stable";
    private static readonly Regex Sha256 = new(@"\A[0-9a-f]{64}\z");

    /// <summary>Asks the server for the newest release, and verifies the answer and what it offers.</summary>
    internal static Task<Update> CheckAsync(
        LicenseCore core, string? channel, string? platform, CancellationToken cancellationToken) =>
        Enrollment.WithTokenAsync(
            core, () => CheckNowAsync(core, channel, platform, cancellationToken), cancellationToken);

    private static async Task<Update> CheckNowAsync(
        LicenseCore core, string? channel, string? platform, CancellationToken cancellationToken)
    {
        var key = core.KnownKey();
        var request = new ReleaseRequest(
            core.Config.ProductId, Base64Url.Encode(RandomNumberGenerator.GetBytes(24)),
            string.IsNullOrEmpty(channel) ? DefaultChannel : channel, string.IsNullOrEmpty(platform) ? null : platform,
            core.Config.AppVersion, core.Config.AppReleasedAt, key is null ? null : LicenseKey.Hash(key));
        var fields = new JsonObject
        {
            ["currentVersion"] = request.CurrentVersion,
            ["channel"] = request.Channel,
            ["platform"] = request.Platform,
            ["nonce"] = request.Nonce,
            ["licenseKey"] = key,
            ["hardwareId"] = key is null ? null : core.HardwareIdText,
        };
        var options = new CallOptions
        {
            Method = HttpMethod.Get,
            Headers = key is null ? CallOptions.Usual.Headers : core.CredentialHeaders(),
        };
        var reply = await core.Api.CallAsync("/updates/latest", fields, options, cancellationToken).ConfigureAwait(false);
        var update = Read(reply.Body) ?? throw ServerErrors.NotOfAServer("updates", reply.RequestId);
        RequireSigned(core.Config, reply.Body, request);
        return update;
    }

    private static void RequireSigned(Config config, JsonElement response, ReleaseRequest request)
    {
        try
        {
            SignedRelease.Check(response, config.PublicKeys, request);
        }
        catch (RejectedTokenException reason)
        {
            throw new UpdateException(
                LicetErrorCode.UntrustedUpdate,
                $"The answer about updates cannot be trusted: {reason.Message}. Nothing was downloaded. Check that the "
                + "application has the product's current public key and the right server address, and that the vendor "
                + "has signed the release.");
        }
    }

    private static Update? Read(JsonElement response)
    {
        if (response.Text("channel") is not { } channel
            || response.Field("files") is not { ValueKind: JsonValueKind.Array } files)
        {
            return null;
        }
        var read = files.EnumerateArray().Select(item => ReadFile(item, channel)).ToArray();
        return read.Contains(null)
            ? null
            : new Update(
                response.Flag("updateAvailable") is true, response.Text("version"), channel, response.Text("notes"),
                response.Time("publishedAt"), response.Text("releaseId"), read!)
            {
                Newer = response.Field("newer") is { } newer ? ReadNewer(newer) : null,
            };
    }

    private static NewerRelease? ReadNewer(JsonElement item) =>
        item.Text("version") is { } version && item.Text("reason") is { } reason
            ? new NewerRelease(version, reason, item.Text("renewUrl"))
            : null;

    private static UpdateFile? ReadFile(JsonElement item, string channel) =>
        item.Text("name") is { } name
        && item.Whole("sizeBytes") is > 0 and var size
        && item.Text("sha256") is { } sha256 && Sha256.IsMatch(sha256)
        && item.Text("downloadUrl") is { } url
            ? new UpdateFile(name, item.Text("platform"), size, sha256, channel, url)
            : null;
}
