using System.Net;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text.Json.Nodes;

namespace Licet.Tests;

/// <summary>The key of a device: what it signs, where it is kept, and which requests and files it is for.</summary>
public sealed class DeviceKeyTests
{
    private const string ProductId = "01920000-0000-7000-8000-000000000001";
    private static readonly DateTimeOffset Now = DateTimeOffset.Parse("2026-03-01T13:00:00Z", CultureInfo.InvariantCulture);

    private static IEnumerable<TestCaseData> Keys => Vectors.Cases("proofs.json", "keys");

    private static IEnumerable<TestCaseData> Sent => Vectors.Cases("proofs.json", "sent");

    private static IEnumerable<TestCaseData> Files => Vectors.Cases("proofs.json", "files");

    [TestCaseSource(nameof(Keys))]
    public void Keys_are_read_and_written_alike(JsonElement item)
    {
        var jwk = item.GetProperty("privateKey");
        var key = DeviceKey.Read(Bytes(jwk))!;
        Assert.That(key.Jkt, Is.EqualTo(item.Text("jkt")));
        Assert.That(JsonNode.DeepEquals(JsonNode.Parse(key.ToJwk()), JsonNode.Parse(jwk.GetRawText())), Is.True);
    }

    [TestCaseSource(nameof(Sent))]
    public void Proofs_say_what_is_asked(JsonElement item)
    {
        var key = KeyOf(item.Text("key")!);
        var (method, url) = (item.Text("method")!, new Uri(item.Text("url")!));
        var body = item.Text("body") is { } text ? Encoding.UTF8.GetBytes(text) : null;
        var (header, claims) = Open(key.Prove(method, url, body, Vectors.At(item)));
        var (_, again) = Open(key.Prove(method, url, body, Vectors.At(item)));
        var id = (string)claims["jti"]!;
        Assert.That(id.Length, Is.InRange(16, 64));
        Assert.That((string)again["jti"]!, Is.Not.EqualTo(id));
        claims.Remove("jti");
        Assert.That(header.ToJsonString(), Is.EqualTo(Sorted(item, "header")));
        Assert.That(claims.ToJsonString(), Is.EqualTo(Sorted(item, "claims")));
    }

    [TestCase("https://b\u00fccher.example.com/api/meter/balance?x=1", "https://xn--bcher-kva.example.com/api/meter/balance")]
    [TestCase("http://[::1]:8080/api/meter/balance", "http://[::1]:8080/api/meter/balance")]
    [TestCase("HTTPS://Licenses.Example.com:443/api/%7Euser", "https://licenses.example.com/api/~user")]
    public void The_address_in_a_proof_is_that_of_the_request(string url, string proven)
    {
        var (_, claims) = Open(KeyOf("device").Prove("GET", new Uri(url), null, Now));
        Assert.That((string)claims["htu"]!, Is.EqualTo(proven));
    }

    [TestCaseSource(nameof(Files))]
    public void Files_of_a_key_are_used_with_it_alone(JsonElement item)
    {
        using var folder = new TemporaryFolder();
        using var client = new LicenseClient(new LicenseClientOptions
        {
            ProductId = item.Text("productId"),
            PublicKey = Vectors.Read("proofs.json").Text("publicKeyPem"),
            LicenseKey = item.Text("licenseKey"),
            HardwareId = item.Text("hardwareId"),
            LicenseFile = folder.File("license.bin"),
            TimeProvider = new FixedClock(Vectors.At(item)),
        });
        File.WriteAllText(folder.File("license.bin"), item.Text("file"));
        var jwk = item.Field("deviceKey");
        if (jwk is { } given)
        {
            File.WriteAllBytes(KeyPath(folder), Bytes(given));
        }
        var result = client.ValidateOffline();
        var expected = item.GetProperty("expected");
        Assert.That(result.Status.ToString(), Is.EqualTo(expected.Text("status")), result.Message);
        Assert.That(result.IsValid, Is.EqualTo(expected.GetProperty("valid").GetBoolean()));
        Assert.That(File.Exists(KeyPath(folder)), Is.EqualTo(jwk is not null));
    }

    [TestCase("")]
    [TestCase("[]")]
    [TestCase("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":1,\"y\":\"\\ud800\",\"d\":\"!\"}")]
    [TestCase("of two keys")]
    [TestCase("of another curve")]
    public void What_is_no_key_is_not_used_and_stays(string content)
    {
        using var folder = new TemporaryFolder();
        var jwk = JsonNode.Parse(KeyOf("device").ToJwk())!;
        if (content == "of two keys")
        {
            jwk["d"] = (string)JsonNode.Parse(KeyOf("other").ToJwk())!["d"]!;
        }
        jwk["crv"] = content == "of another curve" ? "P-384" : "P-256";
        content = content.StartsWith("of ", StringComparison.Ordinal) ? jwk.ToJsonString() : content;
        File.WriteAllText(KeyPath(folder), content);
        using var client = Create(folder);
        Assert.That(client.Identity(), Is.EqualTo(new DeviceIdentity(null, null, client.HardwareId)));
        Assert.That(client.Core.Api.Proof.Fault, Does.Contain(KeyPath(folder)));
        Assert.That(File.ReadAllText(KeyPath(folder)), Is.EqualTo(content));
    }

    [Test]
    public void The_key_is_made_once_for_its_user_alone()
    {
        using var folder = new TemporaryFolder();
        DeviceIdentity first;
        using (var client = Create(folder))
        {
            Assert.That(File.Exists(KeyPath(folder)), Is.False);
            first = client.Identity();
        }
        using var next = Create(folder);
        Assert.That(next.Identity(), Is.EqualTo(first));
        Assert.That(first.Level, Is.EqualTo(DeviceKeyLevel.Software));
        Assert.That(first.HardwareId, Is.EqualTo(next.HardwareId));
        Assert.That(Directory.GetFiles(folder.Path).Select(Path.GetFileName), Is.EqualTo(new[] { DeviceKeyFile.Name }));
        if (!OperatingSystem.IsWindows())
        {
            Assert.That(File.GetUnixFileMode(KeyPath(folder)), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        }
    }

    [Test]
    public void Of_two_processes_that_saw_no_key_the_second_takes_that_of_the_first()
    {
        using var folder = new TemporaryFolder();
        var first = DeviceKeyFile.Create(KeyPath(folder));
        Assert.That(DeviceKeyFile.Create(KeyPath(folder)).Jkt, Is.EqualTo(first.Jkt));
        // Written as other files are, the key of the first would be lost.
        Disk.WriteOwn(KeyPath(folder), DeviceKey.Create().ToJwk());
        Assert.That(DeviceKeyFile.Load(KeyPath(folder))!.Jkt, Is.Not.EqualTo(first.Jkt));
    }

    [Test]
    public void Processes_that_start_at_the_same_time_have_one_key()
    {
        using var folder = new TemporaryFolder();
        using var start = new Barrier(8);
        var found = new string[8];
        var threads = Enumerable.Range(0, found.Length).Select(number => new Thread(() =>
        {
            start.SignalAndWait();
            found[number] = DeviceKeyFile.Create(KeyPath(folder)).Jkt;
        })).ToArray();
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        Assert.That(found.Distinct(), Is.EqualTo(new[] { DeviceKeyFile.Load(KeyPath(folder))!.Jkt }));
        Assert.That(Directory.GetFiles(folder.Path), Has.Length.EqualTo(1));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task Without_a_key_that_can_be_kept_requests_go_without_a_proof(bool folderIsTaken)
    {
        using var folder = new TemporaryFolder();
        var state = folder.File("state");
        if (folderIsTaken)
        {
            File.WriteAllText(state, "");
        }
        else
        {
            Directory.CreateDirectory(Path.Combine(state, DeviceKeyFile.Name));
        }
        using var handler = new Handler(_ => Activated());
        await using var client = Create(folder, handler, state);
        await client.ActivateAsync();
        Assert.That(handler.Proofs, Is.EqualTo(new string?[] { null }));
        Assert.That(handler.Bodies[0].Has("deviceKeyLevel"), Is.False);
        Assert.That(client.Identity().Jkt, Is.Null);
    }

    [Test]
    public async Task Each_attempt_has_a_proof_of_its_own()
    {
        using var folder = new TemporaryFolder();
        using var handler = new Handler(number => number == 0 ? new HttpResponseMessage(HttpStatusCode.BadGateway) : Activated());
        await using var client = Create(folder, handler);
        await client.ActivateAsync();
        var claims = handler.Proofs.Select(proof => Open(proof!).Claims).ToArray();
        Assert.That(claims.Select(item => (string)item["jti"]!).Distinct().Count(), Is.EqualTo(2));
        var hash = Base64Url.Encode(SHA256.HashData(Encoding.UTF8.GetBytes(handler.Bodies[0].GetRawText())));
        Assert.That(claims.Select(item => (string)item["bh"]!), Is.All.EqualTo(hash));
        Assert.That(handler.Bodies[0].Text("deviceKeyLevel"), Is.EqualTo("Software"));
    }

    [Test]
    public async Task A_wrong_clock_is_corrected_by_the_server()
    {
        using var folder = new TemporaryFolder();
        var served = Now - TimeSpan.FromMinutes(10);
        using var handler = new Handler(number => number == 0 ? Refused(served) : Activated());
        await using var client = Create(folder, handler);
        await client.ActivateAsync();
        await client.ActivateAsync();
        var times = handler.Proofs.Select(proof => (long)Open(proof!).Claims["iat"]!);
        Assert.That(
            times, Is.EqualTo(new[] { Now, served, served }.Select(moment => moment.ToUnixTimeSeconds())));
    }

    [TestCase(0)]
    [TestCase(59)]
    [TestCase(-59)]
    public async Task A_proof_that_was_overtaken_is_signed_again_with_the_own_clock(int secondsAhead)
    {
        using var folder = new TemporaryFolder();
        using var handler = new Handler(number => number == 0 ? Refused(Now.AddSeconds(secondsAhead)) : Activated());
        await using var client = Create(folder, handler);
        await client.ActivateAsync();
        var claims = handler.Proofs.Select(proof => Open(proof!).Claims).ToArray();
        Assert.That(claims.Select(item => (long)item["iat"]!), Is.EqualTo(new[] { Now, Now }.Select(at => at.ToUnixTimeSeconds())));
        Assert.That((string)claims[1]["jti"]!, Is.Not.EqualTo((string)claims[0]["jti"]!));
    }

    [Test]
    public async Task Nothing_is_signed_a_third_time()
    {
        using var folder = new TemporaryFolder();
        using var handler = new Handler(number => Refused(Now.AddHours(number + 1)));
        await using var client = Create(folder, handler);
        var error = Assert.ThrowsAsync<RequestRefusedException>(() => client.ActivateAsync())!;
        Assert.That(error.Code, Is.EqualTo(LicetErrorCode.DeviceProofRequired));
        Assert.That(handler.Proofs, Has.Count.EqualTo(2));
    }

    private static string KeyPath(TemporaryFolder folder) => folder.File(DeviceKeyFile.Name);

    private static byte[] Bytes(JsonElement item) => Encoding.UTF8.GetBytes(item.GetRawText());

    private static DeviceKey KeyOf(string name) => DeviceKey.Read(Bytes(
        Vectors.Read("proofs.json").GetProperty("keys").EnumerateArray().First(item => item.Text("name") == name)
            .GetProperty("privateKey")))!;

    private static string Sorted(JsonElement item, string name) => JsonNode.Parse(item.GetProperty(name).GetRawText())!.ToJsonString();

    /// <summary>The header and the claims of a proof, whose signature is verified with the key that it names.</summary>
    private static (JsonObject Header, JsonObject Claims) Open(string proof)
    {
        Assert.That(proof.Length, Is.AtMost(2048));
        var parts = proof.Split('.');
        var header = (JsonObject)JsonNode.Parse(Base64Url.Decode(parts[0]))!;
        var jwk = header["jwk"]!;
        byte[] Coordinate(string name) => Base64Url.Decode((string)jwk[name]!);
        using var key = ECDsa.Create(new ECParameters
        {
            Curve = ECCurve.NamedCurves.nistP256, Q = new ECPoint { X = Coordinate("x"), Y = Coordinate("y") },
        });
        var signed = Encoding.ASCII.GetBytes($"{parts[0]}.{parts[1]}");
        Assert.That(key.VerifyData(signed, Base64Url.Decode(parts[2]), HashAlgorithmName.SHA256), Is.True);
        return (header, (JsonObject)JsonNode.Parse(Base64Url.Decode(parts[1]))!);
    }

    private static HttpResponseMessage Activated() => new(HttpStatusCode.Created)
    {
        Content = new StringContent("{\"activationId\":\"a\",\"status\":\"Active\"}"),
    };

    private static HttpResponseMessage Refused(DateTimeOffset at)
    {
        var response = new HttpResponseMessage(HttpStatusCode.Forbidden)
        {
            Content = new StringContent("{\"errorCode\":\"DeviceProofRequired\"}"),
        };
        response.Headers.Date = at;
        return response;
    }

    private static LicenseClient Create(TemporaryFolder folder, HttpMessageHandler? handler = null, string? state = null) =>
        new(new LicenseClientOptions
        {
            ProductId = ProductId,
            PublicKey = Vectors.Read("files.json").Text("publicKey"),
            LicenseKey = "JN3VR-DRJSK-A8HNA-S3SP8-CPPNH",
            HardwareId = "h1m-0123456789abcdef0123456789abcdef01234567",
            ProductApiKey = "pk_secret",
            ServerBaseEndpoint = "https://licenses.example.com/api",
            LicenseFile = folder.File("license.bin"),
            StateFolder = state ?? folder.Path,
            HttpMessageHandler = handler,
            Timeout = TimeSpan.FromMinutes(5),
            TimeProvider = new FixedClock(Now),
        });

    /// <summary>Answers by the number of requests before, and keeps proofs and bodies.</summary>
    private sealed class Handler : HttpMessageHandler
    {
        private readonly Func<int, HttpResponseMessage> _answer;

        internal Handler(Func<int, HttpResponseMessage> answer) => _answer = answer;

        internal List<string?> Proofs { get; } = new();

        internal List<JsonElement> Bodies { get; } = new();

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken)
        {
            using var document = JsonDocument.Parse(await request.Content!.ReadAsStringAsync(cancellationToken));
            Bodies.Add(document.RootElement.Clone());
            Proofs.Add(request.Headers.TryGetValues("DPoP", out var values) ? values.Single() : null);
            return _answer(Proofs.Count - 1);
        }
    }
}
