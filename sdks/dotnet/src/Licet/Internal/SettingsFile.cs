namespace Licet.Internal;

/// <summary>
/// The settings file in the application's folder: the first of licet.json and appsettings.json that
/// exists. Settings may be in a section <c>Licet</c>. Their names are compared without case. Comments and
/// trailing commas are allowed.
/// </summary>
/// <param name="Name">The name of the file; null if there is none.</param>
/// <param name="Values">The settings by the names of <see cref="Kinds"/>.</param>
internal sealed record SettingsFile(string? Name, IReadOnlyDictionary<string, object> Values)
{
    internal static readonly SettingsFile None = new(null, new Dictionary<string, object>());

    private const string Section = "Licet";
    private const int MaxBytes = 1 << 20;
    private static readonly string[] FileNames = { "licet.json", "appsettings.json" };

    internal enum Kind
    {
        Text,
        Texts,
        Number,
        Flag,
        Path,
    }

    private static readonly IReadOnlyDictionary<string, Kind> Kinds =
        new Dictionary<string, Kind>(StringComparer.OrdinalIgnoreCase)
        {
            ["ProductId"] = Kind.Text,
            ["PublicKey"] = Kind.Text,
            ["PublicKeys"] = Kind.Texts,
            ["LicenseKey"] = Kind.Text,
            ["EnrollmentKey"] = Kind.Text,
            ["ProductApiKey"] = Kind.Text,
            ["ApiKey"] = Kind.Text,
            ["ServerBaseEndpoint"] = Kind.Text,
            ["LicenseFile"] = Kind.Path,
            ["StateFolder"] = Kind.Path,
            ["AllUsers"] = Kind.Flag,
            ["AppVersion"] = Kind.Text,
            ["DeviceName"] = Kind.Text,
            ["GracePeriodDays"] = Kind.Number,
            ["TimeoutSeconds"] = Kind.Number,
            ["ProtectFile"] = Kind.Flag,
            ["CaBundle"] = Kind.Path,
            ["TrustEnvironment"] = Kind.Flag,
            ["SeatMode"] = Kind.Text,
            ["HandleSigterm"] = Kind.Flag,
            ["Telemetry"] = Kind.Flag,
        };

    internal T? Get<T>(string name) => Values.TryGetValue(name, out var value) ? (T)value : default;

    /// <summary>Reads the first settings file in a folder. Relative paths in it are relative to the folder.</summary>
    /// <exception cref="LicetConfigurationException">It cannot be read, or a value has the wrong type.</exception>
    internal static SettingsFile Read(string folder)
    {
        foreach (var name in FileNames)
        {
            var path = Path.Combine(folder, name);
            byte[]? raw;
            try
            {
                raw = Disk.ReadInstalled(path, MaxBytes);
            }
            catch (Exception error) when (Disk.IsFault(error))
            {
                throw new LicetConfigurationException($"{path} cannot be read: {error.Message}", error);
            }
            if (raw is not null)
            {
                return new SettingsFile(name, ReadValues(ReadSection(Parse(raw, path), path), path));
            }
        }
        return None;
    }

    private static JsonElement Parse(byte[] raw, string path)
    {
        var options = new JsonDocumentOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };
        var withoutMark = raw.AsMemory(raw.AsSpan().StartsWith(Encoding.UTF8.Preamble) ? 3 : 0);
        try
        {
            using var document = JsonDocument.Parse(withoutMark, options);
            var root = document.RootElement;
            return root.ValueKind == JsonValueKind.Object && JsonReading.HasReadableNames(root)
                ? root.Clone()
                : throw new LicetConfigurationException($"{path} must contain a JSON object: {{ ... }}.");
        }
        catch (JsonException error)
        {
            throw new LicetConfigurationException($"{path} is not valid JSON: {error.Message}", error);
        }
    }

    private static JsonElement ReadSection(JsonElement content, string path)
    {
        foreach (var item in content.EnumerateObject())
        {
            if (item.Name.Equals(Section, StringComparison.OrdinalIgnoreCase))
            {
                return item.Value.ValueKind == JsonValueKind.Object
                    ? item.Value
                    : throw new LicetConfigurationException($"{path}: the section {item.Name} must be a JSON object.");
            }
        }
        return content;
    }

    private static IReadOnlyDictionary<string, object> ReadValues(JsonElement section, string path)
    {
        var values = new Dictionary<string, object>(StringComparer.OrdinalIgnoreCase);
        foreach (var item in section.EnumerateObject())
        {
            if (!Kinds.TryGetValue(item.Name, out var kind) || item.Value.ValueKind == JsonValueKind.Null)
            {
                continue;
            }
            var name = Kinds.Keys.First(known => known.Equals(item.Name, StringComparison.OrdinalIgnoreCase));
            name = name == "ApiKey" ? "ProductApiKey" : name;
            var value = ReadValue(item.Value, kind)
                ?? throw new LicetConfigurationException($"{path}: {item.Name} must be {Expected(kind)}.");
            if (!values.TryAdd(name, kind == Kind.Path ? Path.Combine(Path.GetDirectoryName(path)!, (string)value) : value))
            {
                throw new LicetConfigurationException(
                    $"{path}: {item.Name} is set twice, perhaps by another name; remove one of them.");
            }
        }
        return values;
    }

    private static object? ReadValue(JsonElement value, Kind kind) => kind switch
    {
        Kind.Number => value.ValueKind == JsonValueKind.Number && value.TryGetDouble(out var number)
            && double.IsFinite(number) ? number : null,
        Kind.Flag => value.ValueKind is JsonValueKind.True or JsonValueKind.False ? value.GetBoolean() : null,
        Kind.Texts => ReadTexts(value),
        _ => value.AsText(),
    };

    private static string[]? ReadTexts(JsonElement value)
    {
        if (value.ValueKind != JsonValueKind.Array)
        {
            return null;
        }
        var texts = value.EnumerateArray().Select(item => item.AsText()).OfType<string>().ToArray();
        return texts.Length == value.GetArrayLength() ? texts : null;
    }

    private static string Expected(Kind kind) => kind switch
    {
        Kind.Number => "a number",
        Kind.Flag => "true or false",
        Kind.Texts => "a list of strings",
        Kind.Path => "a path in quotes",
        _ => "a string in quotes",
    };
}
