using System.Net;
using System.Net.Http;

namespace Licet.Tests;

/// <summary>What the conformance suite cannot see from outside: options, cancellation, and the end of a client.</summary>
public sealed class ClientTests
{
    private const string ProductId = "01920000-0000-7000-8000-000000000001";
    private static readonly string Key = Vectors.Read("files.json").Text("publicKey")!;

    [Test]
    public void The_code_wins_over_the_settings_file()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder.File("licet.json"), "{\"ProductId\": \"another\", \"AppVersion\": \"1.0.0\", \"TimeoutSeconds\": 3}");
        using var client = LicenseClient.FromSettings(
            new LicenseClientOptions { ProductId = ProductId, PublicKey = Key }, folder.Path);
        Assert.That(client.Core.Config.ProductId, Is.EqualTo(ProductId));
        Assert.That(client.Core.Config.AppVersion, Is.EqualTo("1.0.0"));
        Assert.That(client.Core.Config.Timeout, Is.EqualTo(TimeSpan.FromSeconds(3)));
    }

    [Test]
    public void A_file_that_alone_names_the_key_is_followed_with_a_warning()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder.File("licet.json"), $"{{\"ProductId\": \"{ProductId}\", \"PublicKey\": \"{Key}\", \"GracePeriodDays\": 30}}");
        var options = new LicenseClientOptions { StateFolder = folder.Path, LicenseFile = folder.File("license.bin") };
        using var client = LicenseClient.FromSettings(options, folder.Path);
        Assert.That(client.ValidateOffline().Warnings, Has.Count.EqualTo(2));
        options.TrustSettings = false;
        Assert.Throws<LicetConfigurationException>(() => LicenseClient.FromSettings(options, folder.Path));
    }

    [Test]
    public void The_code_bounds_the_grace_period_of_the_file()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder.File("licet.json"), "{\"GracePeriodDays\": 30}");
        var options = new LicenseClientOptions
        {
            ProductId = ProductId, PublicKey = Key, MaxGracePeriod = TimeSpan.FromDays(14),
        };
        using var client = LicenseClient.FromSettings(options, folder.Path);
        Assert.That(client.Core.Config.Grace, Is.EqualTo(TimeSpan.FromDays(14)));
        Assert.That(client.Core.Config.Warnings, Has.Count.EqualTo(1));
    }

    [TestCase("licenses.example.com/api")]
    [TestCase("https://licenses.example.com")]
    [TestCase("https://licenses.example.com/api/v1")]
    [TestCase("http://licenses.example.com/api")]
    [TestCase("https://user:password@licenses.example.com/api")]
    [TestCase("https://licenses.example.com/api?x=1")]
    [TestCase("ftp://licenses.example.com/api")]
    public void Other_addresses_of_a_server_are_refused(string address)
    {
        var error = Assert.Throws<LicetConfigurationException>(() => Configuration.CheckEndpoint(address))!;
        Assert.That(error.Message, Does.Contain("ServerBaseEndpoint").And.Not.Contain("password@"));
    }

    [Test]
    public void Private_and_short_keys_are_refused()
    {
        using var rsa = System.Security.Cryptography.RSA.Create(1024);
        foreach (var key in new[] { rsa.ExportPkcs8PrivateKeyPem(), rsa.ExportSubjectPublicKeyInfoPem(), "AAAA", "not a key" })
        {
            Assert.Throws<LicetConfigurationException>(() => PublicKey.Load(key));
        }
    }

    [Test]
    public async Task A_call_can_be_canceled()
    {
        using var folder = new TemporaryFolder();
        using var handler = new Handler(async token =>
        {
            await Task.Delay(Timeout.Infinite, token);
            return new HttpResponseMessage(HttpStatusCode.OK);
        });
        await using var client = Create(folder, handler);
        using var cancel = new CancellationTokenSource();
        var call = client.ValidateOnlineAsync(cancel.Token);
        await handler.Asked;
        cancel.Cancel();
        Assert.That(async () => await call, Throws.InstanceOf<OperationCanceledException>());
    }

    [Test]
    public async Task A_disposed_client_says_so()
    {
        using var folder = new TemporaryFolder();
        using var handler = new Handler(_ => Task.FromResult(new HttpResponseMessage(HttpStatusCode.OK)));
        var client = Create(folder, handler);
        await client.DisposeAsync();
        await client.DisposeAsync();
        client.Dispose();
        Assert.ThrowsAsync<ObjectDisposedException>(() => client.ValidateOnlineAsync());
    }

    [Test]
    public void A_handler_of_the_application_stays_open_and_log_lines_have_no_secrets()
    {
        using var folder = new TemporaryFolder();
        var lines = new List<string>();
        using var handler = new Handler(_ => Task.FromResult(
            new HttpResponseMessage(HttpStatusCode.BadGateway) { Content = new StringContent("{}") }));
        using (var client = Create(folder, handler, lines.Add))
        {
            Assert.ThrowsAsync<LicetServerException>(() => client.ValidateOnlineAsync());
        }
        Assert.That(handler.IsDisposed, Is.False);
        Assert.That(string.Join("\n", lines), Does.Not.Contain("JN3VR").And.Not.Contain("pk_secret"));
    }

    [TestCase("export", 0)]
    [TestCase("export", 1_000_000_001)]
    [TestCase("", 1)]
    public void Arguments_out_of_range_are_refused_before_anything_is_sent(string feature, int quantity)
    {
        using var folder = new TemporaryFolder();
        using var handler = new Handler(_ => throw new InvalidOperationException("sent"));
        using var client = Create(folder, handler);
        Assert.That(async () => await client.ConsumeAsync(feature, quantity), Throws.InstanceOf<ArgumentException>());
    }

    private static LicenseClient Create(TemporaryFolder folder, HttpMessageHandler handler, Action<string>? log = null) =>
        new(new LicenseClientOptions
        {
            ProductId = ProductId,
            PublicKey = Key,
            LicenseKey = "JN3VR-DRJSK-A8HNA-S3SP8-CPPNH",
            ProductApiKey = "pk_secret",
            ServerBaseEndpoint = "https://licenses.example.com/api",
            LicenseFile = folder.File("license.bin"),
            HttpMessageHandler = handler,
            Timeout = TimeSpan.FromSeconds(30),
            Log = log,
        });

    private sealed class Handler : HttpMessageHandler
    {
        private readonly Func<CancellationToken, Task<HttpResponseMessage>> _answer;
        private readonly TaskCompletionSource _asked = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Handler(Func<CancellationToken, Task<HttpResponseMessage>> answer) => _answer = answer;

        internal Task Asked => _asked.Task;

        internal bool IsDisposed { get; private set; }

        protected override Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken)
        {
            _asked.TrySetResult();
            return _answer(cancellationToken);
        }

        protected override void Dispose(bool disposing)
        {
            IsDisposed = true;
            base.Dispose(disposing);
        }
    }
}
