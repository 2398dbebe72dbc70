using System.Net;
using System.Net.Http;
using System.Text.Json.Nodes;

namespace Licet.Tests;

/// <summary>Borrowed seats: which tokens are used, what is kept before each request, and what a receipt says.</summary>
public sealed class LeaseTests
{
    private static readonly JsonElement Root = Vectors.Read("leases.json");

    private static IEnumerable<TestCaseData> Tokens => Vectors.Cases("leases.json", "tokens");

    [TestCaseSource(nameof(Tokens))]
    public void Tokens_of_leases(JsonElement item)
    {
        using var folder = new TemporaryFolder();
        using var client = Create(folder, item);
        Keep(client, new JsonObject { ["token"] = item.Text("token") });
        var result = client.ValidateOffline();
        var expected = item.GetProperty("expected");
        Assert.That(result.Status.ToString(), Is.EqualTo(expected.Text("status")), result.Message);
        Assert.That(result.IsValid, Is.EqualTo(expected.GetProperty("valid").GetBoolean()));
        Assert.That(result.LeaseEndsAt, Is.EqualTo(expected.Time("leaseEndsAt")));
    }

    [Test]
    public void A_receipt_says_what_a_server_takes()
    {
        var item = Root.GetProperty("receipts").EnumerateArray().First(receipt => receipt.Text("name") == "good");
        var key = DeviceKey.Read(Encoding.UTF8.GetBytes(Good().GetProperty("deviceKey").GetRawText()))!;
        var at = DateTimeOffset.FromUnixTimeSeconds((long)Part(item.Text("receipt")!, 1)["iat"]!);
        var signed = key.SignReturn(item.Text("productId")!, item.Text("leaseId")!, (int)item.Whole("seq")!, at);
        foreach (var part in new[] { 0, 1 })
        {
            Assert.That(JsonNode.DeepEquals(Part(signed, part), Part(item.Text("receipt")!, part)), Is.True);
        }
    }

    [Test]
    public async Task What_is_asked_and_given_back_is_kept_before_it_is_sent()
    {
        using var folder = new TemporaryFolder();
        var seen = new List<string>();
        var path = "";
        using var handler = new Handler(target =>
        {
            var kept = File.Exists(path) ? JsonNode.Parse(File.ReadAllText(path))!.AsObject() : new JsonObject();
            seen.Add($"{target.Split('/')[^1]}: {string.Join(' ', kept.Select(field => field.Key))}");
        });
        await using var client = Create(folder, Good(), handler);
        path = client.Core.LeasePath;
        var session = await client.ConnectAsync();
        var seat = await session.BorrowAsync(13);
        Assert.That((seat.Seq, seat.EndsAt), Is.EqualTo((1, Good().GetProperty("expected").Time("leaseEndsAt")!.Value)));
        if (!OperatingSystem.IsWindows())
        {
            Assert.That(File.GetUnixFileMode(path), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        }
        Assert.That(await seat.RenewAsync(13), Is.SameAs(seat));
        Assert.That((await client.GetBorrowedSeatAsync())!.Seq, Is.EqualTo(2));
        Assert.That((session.IsAlive, session.ExpiresAt), Is.EqualTo((true, seat.EndsAt)));
        await seat.ReturnAsync();
        await seat.ReturnAsync();
        Assert.That(session.IsAlive, Is.False);
        Assert.That(await client.GetBorrowedSeatAsync(), Is.Null);
        Assert.That(Assert.ThrowsAsync<RequestRefusedException>(() => seat.RenewAsync())!.ErrorCode, Is.EqualTo("LeaseNotFound"));
        Assert.That(Assert.ThrowsAsync<RequestRefusedException>(() => session.BorrowAsync())!.Code, Is.EqualTo(LicetErrorCode.SessionLost));
        await session.DisposeAsync();
        Assert.That(seen, Is.EqualTo(new[]
        {
            "connect: ", "leases: pending", "renew: token sessionId pending", "return: returning",
        }));
        Assert.That(File.Exists(path), Is.False);
    }

    [Test]
    public async Task A_return_names_the_renewal_that_was_not_answered()
    {
        using var folder = new TemporaryFolder();
        using var handler = new Handler(_ => { });
        await using var client = Create(folder, Good(), handler);
        var pending = new JsonObject { ["idempotencyKey"] = "renewal", ["days"] = 13, ["seq"] = 2 };
        Keep(client, new JsonObject { ["token"] = Good().Text("token"), ["pending"] = pending });
        var seat = await client.GetBorrowedSeatAsync();
        await seat!.ReturnAsync();
        Assert.That(handler.Bodies.Single().Text("idempotencyKey"), Is.EqualTo("renewal"));
    }

    [TestCase(403, "LicenseInvalid", true)]
    [TestCase(409, "LeaseForked", false)]
    public async Task A_renewal_that_may_have_been_made_is_sent_again_until_that_is_settled(int status, string code, bool stays)
    {
        using var folder = new TemporaryFolder();
        using var handler = new Handler(_ => { }, () => new HttpResponseMessage((HttpStatusCode)status)
        {
            Content = new StringContent($"{{\"errorCode\":\"{code}\"}}"),
        });
        await using var client = Create(folder, Good(), handler);
        var pending = new JsonObject { ["idempotencyKey"] = "renewal", ["days"] = 13, ["seq"] = 2 };
        Keep(client, new JsonObject { ["token"] = Good().Text("token"), ["pending"] = pending });
        var seat = await client.GetBorrowedSeatAsync();
        var error = Assert.ThrowsAsync<RequestRefusedException>(() => seat!.RenewAsync(7))!;
        Assert.That(error.ErrorCode, Is.EqualTo(code));
        Assert.That(handler.Bodies.Single().Text("idempotencyKey"), Is.EqualTo("renewal"));
        Assert.That(KeptLease.Load(client.Core.LeasePath).Pending is not null, Is.EqualTo(stays));
    }

    [Test]
    public async Task A_copy_that_changes_the_lease_lets_the_others_wait()
    {
        using var folder = new TemporaryFolder();
        using var handler = new Handler(_ => { });
        await using var client = Create(folder, Good(), handler, TimeSpan.FromMilliseconds(1));
        Keep(client, new JsonObject { ["token"] = Good().Text("token") });
        var seat = await client.GetBorrowedSeatAsync();
        using (Disk.OpenLocked($"{client.Core.LeasePath}.lock"))
        {
            Assert.ThrowsAsync<LicenseFileException>(() => seat!.RenewAsync());
        }
        Assert.That(handler.Bodies, Is.Empty);
    }

    [TestCase("")]
    [TestCase("[]")]
    [TestCase("{\"token\":1,\"pending\":{\"idempotencyKey\":\"a\",\"days\":\"13\"},\"returning\":[]}")]
    public void What_is_damaged_is_as_if_it_were_not_there(string content)
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder.File("a.lease"), content);
        Assert.That(KeptLease.Load(folder.File("a.lease")), Is.EqualTo(new KeptLease()));
    }

    [TestCase(0)]
    [TestCase(367)]
    public void Days_out_of_range_are_refused(int days) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => Leases.CheckDays(days));

    private static JsonElement Token(string name) =>
        Root.GetProperty("tokens").EnumerateArray().First(item => item.Text("name") == name);

    private static JsonElement Good() => Token("good");

    private static JsonNode Part(string token, int number) => JsonNode.Parse(Base64Url.Decode(token.Split('.')[number]))!;

    private static void Keep(LicenseClient client, JsonObject kept) =>
        File.WriteAllText(client.Core.LeasePath, kept.ToJsonString());

    private static LicenseClient Create(
        TemporaryFolder folder, JsonElement item, HttpMessageHandler? handler = null, TimeSpan? timeout = null)
    {
        if (item.Field("deviceKey") is { } jwk)
        {
            File.WriteAllText(folder.File(DeviceKeyFile.Name), jwk.GetRawText());
        }
        return new LicenseClient(new LicenseClientOptions
        {
            ProductId = item.Text("productId"),
            PublicKey = Root.Text("publicKeyPem"),
            LicenseKey = item.Text("licenseKey"),
            HardwareId = item.Text("hardwareId"),
            AppVersion = item.Text("appVersion"),
            TestMode = item.Flag("testMode"),
            ProductApiKey = handler is null ? null : "pk_secret",
            ServerBaseEndpoint = handler is null ? null : "https://licenses.example.com/api",
            LicenseFile = folder.File("license.bin"),
            HttpMessageHandler = handler,
            Timeout = timeout ?? TimeSpan.FromMinutes(5),
            TimeProvider = new FixedClock(Vectors.At(item)),
        });
    }

    /// <summary>A server that lends a seat for the tokens of the vectors, and tells of each request.</summary>
    private sealed class Handler : HttpMessageHandler
    {
        private readonly Action<string> _asked;
        private readonly Func<HttpResponseMessage>? _refusal;

        internal Handler(Action<string> asked, Func<HttpResponseMessage>? refusal = null) =>
            (_asked, _refusal) = (asked, refusal);

        internal List<JsonElement> Bodies { get; } = new();

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken)
        {
            using var document = JsonDocument.Parse(await request.Content!.ReadAsStringAsync(cancellationToken));
            Bodies.Add(document.RootElement.Clone());
            var path = request.RequestUri!.AbsolutePath;
            _asked(path);
            if (_refusal is not null)
            {
                return _refusal();
            }
            var answer = path.Split('/')[^1] switch
            {
                "connect" => new JsonObject { ["sessionId"] = "s", ["sessionTimeoutSeconds"] = 86_400 },
                "leases" => new JsonObject { ["lease"] = Token("first-of-its-lease").Text("token"), ["sessionId"] = "s" },
                "renew" => new JsonObject { ["lease"] = Good().Text("token") },
                _ => new JsonObject { ["state"] = "Returned" },
            };
            return new HttpResponseMessage(HttpStatusCode.OK) { Content = new StringContent(answer.ToJsonString()) };
        }
    }
}
