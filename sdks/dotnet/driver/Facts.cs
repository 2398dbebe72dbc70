namespace Licet.Driver;

/// <summary>A machine with given facts.</summary>
internal sealed class Facts : IMachine
{
    private readonly JsonElement _facts;

    internal Facts(JsonElement facts) => _facts = facts.Clone();

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
