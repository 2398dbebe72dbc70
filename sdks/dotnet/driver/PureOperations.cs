namespace Licet.Driver;

/// <summary>The operations on license keys, versions and sentences, which need neither a client nor a clock.</summary>
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

    internal static JsonNode Say(JsonElement request)
    {
        var values = request.GetProperty("values").EnumerateObject().ToDictionary(item => item.Name, Value);
        return new JsonObject
        {
            ["sentence"] = Sentences.For(request.Text("code")!, request.Text("language"), null, values),
        };
    }

    /// <summary>A value of a sentence, in the type that an application has.</summary>
    private static object Value(JsonProperty item) => item switch
    {
        { Name: "cost" or "balance" } => decimal.Parse(item.Value.AsText()!, CultureInfo.InvariantCulture),
        { Value.ValueKind: JsonValueKind.Number } => item.Value.GetInt32(),
        _ when item.Name.EndsWith("At") || item.Name.EndsWith("By") =>
            DateTimeOffset.Parse(item.Value.AsText()!, CultureInfo.InvariantCulture),
        _ => item.Value.AsText()!,
    };

    internal static JsonNode CompareVersions(JsonElement request)
    {
        var (left, right) =
            (ComparableVersion.Parse(request.Text("left")), ComparableVersion.Parse(request.Text("right")));
        int? order = left is null || right is null ? null : Math.Sign(left.CompareTo(right));
        return new JsonObject { ["order"] = order };
    }
}
