using System.Diagnostics;
using System.Net.Http;

namespace Licet.Tests;

/// <summary>The fake server of the Python SDK, in a process of its own. LICET_FAKE is the path of its command.</summary>
internal sealed class FakeServer : IDisposable
{
    private readonly Process _process;
    private readonly HttpClient _http = new(new HttpClientHandler { UseProxy = false });
    private readonly JsonElement _addresses;
    private readonly JsonElement _product;

    private FakeServer(Process process)
    {
        _process = process;
        _addresses = Parse(process.StandardOutput.ReadLine()!);
        _product = Call(HttpMethod.Post, "/reset");
    }

    /// <summary>Starts a server; the test is ignored if the command is not named.</summary>
    internal static FakeServer Start()
    {
        var command = Environment.GetEnvironmentVariable("LICET_FAKE");
        if (string.IsNullOrEmpty(command))
        {
            Assert.Ignore("LICET_FAKE does not name the command of the fake server.");
        }
        var start = new ProcessStartInfo(command!) { RedirectStandardOutput = true, RedirectStandardError = true };
        return new FakeServer(Process.Start(start)!);
    }

    /// <summary>Issues a license; returns it with its <c>id</c> and <c>licenseKey</c>.</summary>
    internal JsonElement Issue(string type, string activationMode = "Online") =>
        Call(HttpMethod.Post, "/licenses", $"{{\"type\": \"{type}\", \"activationMode\": \"{activationMode}\"}}");

    /// <summary>Does what the vendor does with a license, such as <c>revoke</c>.</summary>
    internal JsonElement Act(JsonElement license, string action) =>
        Call(HttpMethod.Post, $"/licenses/{license.Text("id")}/{action}");

    internal int CountRequests() => Call(HttpMethod.Get, "/requests").GetArrayLength();

    internal LicenseClient Client(
        JsonElement license, TemporaryFolder folder, Action<string>? log = null, string file = "license.bin") => new(
        new LicenseClientOptions
        {
            ProductId = _product.Text("productId"),
            PublicKey = _product.Text("publicKey"),
            ProductApiKey = _product.Text("productApiKey"),
            ServerBaseEndpoint = _addresses.Text("serverBaseEndpoint"),
            LicenseKey = license.Text("licenseKey"),
            LicenseFile = folder.File(file),
            TrustEnvironment = false,
            Log = log,
        });

    public void Dispose()
    {
        _http.Dispose();
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    private JsonElement Call(HttpMethod method, string path, string body = "{}")
    {
        using var request = new HttpRequestMessage(method, _addresses.Text("control") + path)
        {
            Content = method == HttpMethod.Get ? null : new StringContent(body, Encoding.UTF8, "application/json"),
        };
        using var response = _http.Send(request);
        using var reader = new StreamReader(response.Content.ReadAsStream());
        var text = reader.ReadToEnd();
        Assert.That(response.IsSuccessStatusCode, Is.True, text);
        return Parse(text.Length == 0 ? "null" : text);
    }

    private static JsonElement Parse(string text)
    {
        using var document = JsonDocument.Parse(text);
        return document.RootElement.Clone();
    }
}
