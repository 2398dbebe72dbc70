namespace Licet.Tests;

/// <summary>Hardware IDs, versions and settings files.</summary>
public sealed class MachineTests
{
    private static IEnumerable<TestCaseData> Machines => Vectors.Cases("hardware.json");

    private static IEnumerable<TestCaseData> MachinesWithComponents => Vectors.Cases("hardware.json", "components");

    private static IEnumerable<TestCaseData> Orders => Vectors.Cases("versions.json", "order");

    private static IEnumerable<TestCaseData> Covered => Vectors.Cases("versions.json", "covered");

    private static IEnumerable<TestCaseData> SettingsFiles => Vectors.Cases("settings.json");

    [TestCaseSource(nameof(Machines))]
    public void Hardware_ids(JsonElement item)
    {
        using var folder = new TemporaryFolder();
        if (item.Text("stored") is { } stored)
        {
            File.WriteAllText(Path.Combine(folder.Path, "licet-device-id"), stored);
        }
        var found = HardwareId.Find(
            item.Text("productId")!, folder.Path, new Facts(item.GetProperty("facts")),
            item.Flag("ciHardwareId") ?? true);
        var expected = item.GetProperty("expected");
        Assert.That(found.Source.ToString(), Is.EqualTo(expected.Text("source")));
        if (expected.Text("hardwareId") is { } hardwareId)
        {
            Assert.That(found.Value, Is.EqualTo(hardwareId));
        }
    }

    [TestCaseSource(nameof(MachinesWithComponents))]
    public void Known_components(JsonElement item)
    {
        var found = Components.Find(item.Text("productId")!, new Facts(item.GetProperty("facts")));
        var expected = item.GetProperty("components").EnumerateObject()
            .ToDictionary(component => component.Name, component => component.Value.GetString());
        Assert.That(found, Is.EquivalentTo(expected));
    }

    [Test]
    public void Reading_this_machine_never_fails()
    {
        Assert.That(Components.Read(new ThisMachine()).Values, Has.None.Empty);
        Assert.That(new ThisMachine().Names("/no/such/folder"), Is.Empty);
    }

    [TestCaseSource(nameof(Orders))]
    public void Versions(JsonElement item)
    {
        var (left, right) = (ComparableVersion.Parse(item.Text("left")), ComparableVersion.Parse(item.Text("right")));
        int? order = left is null || right is null ? null : Math.Sign(left.CompareTo(right));
        Assert.That(order, Is.EqualTo(item.Count("order")));
    }

    [TestCaseSource(nameof(Covered))]
    public void Releases(JsonElement item) =>
        Assert.That(
            ComparableVersion.ReleaseAllows(item.Text("releaseVersion"), item.Text("appVersion")),
            Is.EqualTo(item.GetProperty("allowed").GetBoolean()));

    [TestCaseSource(nameof(SettingsFiles))]
    public void Settings(JsonElement item)
    {
        using var folder = new TemporaryFolder();
        foreach (var file in item.GetProperty("files").EnumerateObject())
        {
            File.WriteAllText(Path.Combine(folder.Path, file.Name), file.Value.GetString());
        }
        var expected = item.GetProperty("expected");
        if (expected.Text("error") is not null)
        {
            Assert.Throws<LicetConfigurationException>(() => SettingsFile.Read(folder.Path));
            return;
        }
        var settings = SettingsFile.Read(folder.Path);
        Assert.That(settings.Name, Is.EqualTo(expected.Text("file")));
        var options = expected.GetProperty("options");
        Assert.That(settings.Values.Count, Is.EqualTo(options.EnumerateObject().Count()));
        foreach (var option in options.EnumerateObject())
        {
            var value = option.Value.ValueKind == JsonValueKind.Array
                ? string.Join('|', option.Value.EnumerateArray())
                : option.Value.ToString();
            Assert.That(Plain(settings.Values[option.Name], folder.Path), Is.EqualTo(value), option.Name);
        }
    }

    private static string? Plain(object value, string folder) => value switch
    {
        string[] texts => string.Join('|', texts),
        string text => text.Replace(folder, "{folder}"),
        double number => number.ToString(CultureInfo.InvariantCulture),
        _ => value.ToString(),
    };

    private sealed class Facts : IMachine
    {
        private readonly JsonElement _facts;

        internal Facts(JsonElement facts) => _facts = facts;

        public string Platform => _facts.Text("platform")!;

        public string? Environment(string name) => _facts.Field("environment")?.Text(name);

        public string? Read(string path) => _facts.Field("files")?.Text(path);

        public bool Exists(string path) => Read(path) is not null;

        public IEnumerable<string> Names(string path) =>
            (_facts.Field("files")?.EnumerateObject().Select(file => file.Name) ?? Array.Empty<string>())
            .Where(file => file.StartsWith(path + "/", StringComparison.Ordinal))
            .Select(file => file[(path.Length + 1)..].Split('/')[0])
            .Distinct();

        public string? DiskUtility() => _facts.Text("diskutil");

        public string? Registry(string path, string name) => _facts.Field("registry")?.Field(path)?.Text(name);

        public string? IoRegistry() => _facts.Text("ioreg");

        public string? MachineGuid() => _facts.Text("machineGuid");

        public string HostName() => _facts.Text("hostName") ?? "";
    }
}
