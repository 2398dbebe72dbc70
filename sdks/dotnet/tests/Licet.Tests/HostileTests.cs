using System.Net;
using System.Net.Http;
using System.Net.Sockets;

namespace Licet.Tests;

/// <summary>What files and servers of others say: a call ends as documented, whatever it is.</summary>
public sealed class HostileTests
{
    private const string ProductId = "01920000-0000-7000-8000-000000000001";
    private static readonly string Key = Vectors.Read("files.json").Text("publicKey")!;

    private static readonly string[] Objects =
    {
        "", "null", "[]", "{", "{}", "\"text\"", "NaN", "{\"alg\":1}", "{\"alg\":\"\\ud800\"}", "{\"\\ud800abc\":1}",
        "{\"alg\":\"RS256\",\"\\udc00\":{}}", "{\"a\":{\"\\ud800abc\":1}}", "{\"token\":{\"\\ud800\":1},\"\\ud800b\":2}",
        "{\"status\":\"Valid\",\"token\":\"a.b.c\"}", "{\"errorCode\":\"\\ud800\",\"detail\":\"\\u0000\"}",
        "{\"retryAfter\":1e999,\"status\":1e999}", $"{{\"a\":{new string('[', 5_000)}{new string(']', 5_000)}}}",
    };

    private static readonly int[] Statuses = { 200, 302, 400, 503 };

    [TestCaseSource(nameof(Objects))]
    public async Task No_header_or_payload_of_a_file_throws(string text)
    {
        using var folder = new TemporaryFolder();
        var (given, usual) = (Encode(text), Encode("{\"alg\":\"RS256\",\"typ\":\"license+jwt\"}"));
        foreach (var file in new[] { text, $"{given}.{given}.AAAA", $"{usual}.{given}.AAAA", $"{given}..AAAA.AAAA.AAAA" })
        {
            File.WriteAllText(folder.File("license.bin"), file);
            await using var client = Create(folder, null);
            File.WriteAllText(client.Core.LeasePath, $"{{\"token\":{JsonSerializer.Serialize(file)}}}");
            Assert.That(client.ValidateOffline().IsValid, Is.False, file);
        }
    }

    [TestCaseSource(nameof(Objects))]
    public async Task No_response_throws_what_is_not_documented_or_leads_elsewhere(string text)
    {
        foreach (var status in Statuses)
        {
            using var folder = new TemporaryFolder();
            var hosts = new HashSet<string>();
            using var handler = new Handler(request =>
            {
                hosts.Add(request.RequestUri!.Host);
                var response = new HttpResponseMessage((HttpStatusCode)status) { Content = new StringContent(text) };
                response.Headers.Location = new Uri("https://elsewhere.example.com/");
                response.Headers.TryAddWithoutValidation("Retry-After", "99999999999999999999");
                response.Headers.TryAddWithoutValidation("X-Request-Id", "\u00e9");
                return response;
            });
            await using var client = Create(folder, handler);
            var calls = new Func<Task>[]
            {
                async () => Assert.That((await client.ValidateAsync()).IsValid, Is.False),
                async () => Assert.That((await client.ValidateOnlineAsync()).IsValid, Is.False),
                () => client.ActivateAsync(), () => client.RefreshAsync(), () => client.ConsumeAsync("export"),
                () => client.CheckForUpdateAsync(), () => client.OpenAsync(),
            };
            foreach (var call in calls)
            {
                try
                {
                    await call();
                }
                catch (LicetException)
                {
                    // As documented.
                }
            }
            Assert.That(hosts, Is.EquivalentTo(new[] { "licenses.example.com" }), $"{status}");
        }
    }

    [TestCaseSource(nameof(Objects))]
    public void No_settings_file_throws_what_is_not_documented(string text)
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder.File("licet.json"), text);
        try
        {
            LicenseClient.FromSettings(new LicenseClientOptions { ProductId = ProductId, PublicKey = Key }, folder.Path).Dispose();
        }
        catch (LicetConfigurationException)
        {
            // As documented.
        }
    }

    [Test]
    public async Task A_response_without_end_is_given_up()
    {
        using var folder = new TemporaryFolder();
        using var handler = new Handler(_ => new HttpResponseMessage(HttpStatusCode.OK) { Content = new StreamContent(new Endless()) });
        // Its size is what ends it, so there is time for that on a slow machine.
        await using var client = Create(folder, handler, timeout: TimeSpan.FromSeconds(60));
        var error = Assert.ThrowsAsync<LicetServerException>(() => client.ValidateOnlineAsync())!;
        Assert.That(error.Code, Is.EqualTo(LicetErrorCode.UnexpectedReply));
    }

    [Test]
    public async Task Disposing_a_client_ends_its_calls()
    {
        using var folder = new TemporaryFolder();
        var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var client = Create(folder, null, $"http://127.0.0.1:{((IPEndPoint)silent.LocalEndpoint).Port}/api", TimeSpan.FromSeconds(60));
        var calls = Enumerable.Range(0, 8).Select(_ => client.ValidateOnlineAsync()).ToArray();
        using (await silent.AcceptTcpClientAsync())
        {
            await client.DisposeAsync();
            foreach (var call in calls)
            {
                Assert.That(
                    async () => await call,
                    Throws.InstanceOf<ObjectDisposedException>().Or.InstanceOf<LicetNetworkException>());
            }
        }
        silent.Stop();
    }

    [Test]
    public async Task Calls_of_many_threads_agree_on_the_state()
    {
        using var server = FakeServer.Start();
        using var folder = new TemporaryFolder();
        var license = server.Issue("Subscription");
        await using var client = server.Client(license, folder);
        var results = await Task.WhenAll(
            Enumerable.Range(0, 24).Select(_ => Task.Run(() => client.ValidateAsync())));
        Assert.That(results.Select(result => result.IsValid), Is.All.True);
        server.Act(license, "revoke");
        await Task.WhenAll(Enumerable.Range(0, 24).Select(_ => Task.Run(() => client.ValidateOnlineAsync())));
        await using var another = server.Client(license, folder);
        Assert.That(another.ValidateOffline().Status, Is.EqualTo(LicenseValidationStatus.Revoked));
    }

    private static string Encode(string text) =>
        Convert.ToBase64String(Encoding.UTF8.GetBytes(text)).TrimEnd('=').Replace('+', '-').Replace('/', '_');

    private static LicenseClient Create(
        TemporaryFolder folder, HttpMessageHandler? handler, string server = "https://licenses.example.com/api",
        TimeSpan? timeout = null) =>
        new(new LicenseClientOptions
        {
            ProductId = ProductId,
            PublicKey = Key,
            LicenseKey = "JN3VR-DRJSK-A8HNA-S3SP8-CPPNH",
            ProductApiKey = "pk_secret",
            AppVersion = "1.0.0",
            ServerBaseEndpoint = server,
            LicenseFile = folder.File("license.bin"),
            HttpMessageHandler = handler,
            TrustEnvironment = false,
            Timeout = timeout ?? TimeSpan.FromSeconds(0.1),
        });

    private sealed class Handler : HttpMessageHandler
    {
        private readonly Func<HttpRequestMessage, HttpResponseMessage> _answer;

        internal Handler(Func<HttpRequestMessage, HttpResponseMessage> answer) => _answer = answer;

        protected override Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken) => Task.FromResult(_answer(request));
    }

    private sealed class Endless : Stream
    {
        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => 0; set => throw new NotSupportedException(); }

        public override int Read(byte[] buffer, int offset, int count) => count;

        public override void Flush() { }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
