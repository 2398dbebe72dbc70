namespace Licet.Tests;

/// <summary>The test vectors of the repository, on which all SDKs and the server agree.</summary>
internal static class Vectors
{
    private static readonly string Folder = Find();

    internal static string Text(string name) => File.ReadAllText(Path.Combine(Folder, name));

    internal static JsonElement Read(string name)
    {
        using var document = JsonDocument.Parse(Text(name));
        return document.RootElement.Clone();
    }

    /// <summary>The cases of a file, each a test of its own that is named like the case.</summary>
    internal static IEnumerable<TestCaseData> Cases(string file, string list = "cases")
    {
        var root = Read(file);
        var items = list.Length == 0 ? root : root.GetProperty(list);
        var number = 0;
        foreach (var item in items.EnumerateArray())
        {
            number++;
            var name = item.ValueKind == JsonValueKind.Object ? item.Text("name") : null;
            yield return new TestCaseData(item).SetArgDisplayNames(name ?? $"{list}{number}");
        }
    }

    internal static IReadOnlyList<PublicKey> Keys(string file) =>
        new[] { PublicKey.Load(Read(file).Text("publicKeyPem")!) };

    internal static DateTimeOffset At(JsonElement item, string name = "at") =>
        DateTimeOffset.Parse(item.Text(name)!, CultureInfo.InvariantCulture);

    private static string Find()
    {
        foreach (var start in new[] { Directory.GetCurrentDirectory(), AppContext.BaseDirectory })
        {
            for (var folder = start; folder is not null; folder = Path.GetDirectoryName(folder))
            {
                if (File.Exists(Path.Combine(folder, "vectors", "files.json")))
                {
                    return Path.Combine(folder, "vectors");
                }
            }
        }
        throw new DirectoryNotFoundException("Run the tests from the repository, which has the folder vectors.");
    }
}
