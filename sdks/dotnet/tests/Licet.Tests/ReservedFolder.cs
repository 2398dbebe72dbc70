using System.Net.Http;
using System.Text.Json.Nodes;

namespace Licet.Tests;

/// <summary>The folder of a device of the vectors that has reserved credits.</summary>
internal sealed class ReservedFolder : IDisposable
{
    private const string EmptyJournal = "01920000-0000-7000-8000-0000000000d1\n";

    private readonly TemporaryFolder _folder = new();
    private readonly JsonElement _item;
    private readonly string _credits;
    private readonly string _journal;

    /// <summary>Installs the token and the journal of the vector, or a journal without a charge.</summary>
    internal ReservedFolder(JsonElement item)
        : this(item, item.Text("token"), item.Has("journal") ? item.Text("journal") : EmptyJournal) { }

    internal ReservedFolder(JsonElement item, string? token, string? journal = EmptyJournal)
    {
        _item = item;
        Clock = new FixedClock(Vectors.At(item));
        if (item.Field("deviceKey") is { } jwk)
        {
            File.WriteAllText(_folder.File(DeviceKeyFile.Name), jwk.GetRawText());
        }
        using var client = Client();
        _credits = client.Core.CreditsPath;
        _journal = Path.ChangeExtension(_credits, ".journal");
        if (token is not null)
        {
            var kept = new JsonObject { ["token"] = token, ["reported"] = item.Count("reported") };
            File.WriteAllText(_credits, kept.ToJsonString());
        }
        Journal = journal;
    }

    internal string Path0 => _folder.Path;

    internal FixedClock Clock { get; }

    /// <summary>What the credits file says; null if there is none.</summary>
    internal JsonObject? Kept => File.Exists(_credits) ? JsonNode.Parse(File.ReadAllText(_credits))!.AsObject() : null;

    /// <summary>The text of the journal file; null if there is none.</summary>
    internal string? Journal
    {
        get => File.Exists(_journal) ? File.ReadAllText(_journal) : null;
        set
        {
            if (value is null)
            {
                File.Delete(_journal);
            }
            else
            {
                File.WriteAllText(_journal, value);
            }
        }
    }

    internal string LockPath => $"{_credits}.lock";

    internal void Keep(Action<JsonObject> change)
    {
        var kept = Kept!;
        change(kept);
        File.WriteAllText(_credits, kept.ToJsonString());
    }

    internal LicenseClient Client(
        HttpMessageHandler? handler = null, TimeSpan? timeout = null, Action<string>? log = null) => new(
        new LicenseClientOptions
        {
            ProductId = _item.Text("productId"),
            PublicKey = Vectors.Read("leases.json").Text("publicKeyPem"),
            LicenseKey = _item.Text("licenseKey"),
            HardwareId = _item.Text("hardwareId"),
            AppVersion = _item.Text("appVersion"),
            TestMode = _item.Flag("testMode"),
            ProductApiKey = handler is null ? null : "pk_secret",
            ServerBaseEndpoint = handler is null ? null : "https://licenses.example.com/api",
            LicenseFile = _folder.File("license.bin"),
            HttpMessageHandler = handler,
            Timeout = timeout ?? TimeSpan.FromMinutes(5),
            TimeProvider = Clock,
            Log = log,
        });

    /// <summary>The same client for the driver, which has no server.</summary>
    internal JsonObject Config() => new()
    {
        ["productId"] = _item.Text("productId"),
        ["publicKey"] = Vectors.Read("leases.json").Text("publicKeyPem"),
        ["licenseKey"] = _item.Text("licenseKey"),
        ["hardwareId"] = _item.Text("hardwareId"),
        ["licenseFile"] = _folder.File("license.bin"),
    };

    public void Dispose() => _folder.Dispose();
}
