namespace Licet.Driver;

/// <summary>The operations on license keys and versions, which need neither a client nor a clock.</summary>
internal static class PureOperations
{
    internal static JsonNode NormalForm(JsonElement request)
    {
        var normal = LicenseKey.NormalForm(request.Text("licenseKey")!);
        return new JsonObject
        {
            ["normalForm"] = normal,
            ["generated"] = LicenseKey.IsGenerated(normal),
            ["hash"] = LicenseKey.Hash(normal),
        };
    }

    internal static JsonNode DeriveKey(JsonElement request)
    {
        var normal = LicenseKey.NormalForm(request.Text("licenseKey")!);
        var key = Jose.DeriveFileKey(normal, Base64Url.Decode(request.Text("salt")!));
        return new JsonObject { ["derivedKey"] = Base64Url.Encode(key) };
    }

    internal static JsonNode CompareVersions(JsonElement request)
    {
        var (left, right) =
            (ComparableVersion.Parse(request.Text("left")), ComparableVersion.Parse(request.Text("right")));
        int? order = left is null || right is null ? null : Math.Sign(left.CompareTo(right));
        return new JsonObject { ["order"] = order };
    }
}
