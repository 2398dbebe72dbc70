using System.Security.Cryptography;
using System.Text.Json.Nodes;

namespace Licet.Tests;

/// <summary>Machines without a connection: their requests, the answers, and releases.</summary>
public sealed class OfflineTests
{
    private const string File0 = "offline_requests.json";
    private static readonly JsonElement Root = Vectors.Read(File0);
    private static readonly Lazy<RSA> ProductKey = new(() =>
    {
        var key = RSA.Create();
        key.ImportFromPem(Vectors.Text("TEST-ONLY-product-key.pem"));
        return key;
    });

    private static IEnumerable<TestCaseData> Sent => Vectors.Cases(File0, "sent");

    private static IEnumerable<TestCaseData> Answers => Vectors.Cases(File0, "answers");

    private static IEnumerable<TestCaseData> Codes => Vectors.Cases(File0, "codes");

    private static IEnumerable<TestCaseData> Mistyped => Vectors.Cases(File0, "mistyped");

    private static IEnumerable<TestCaseData> Stored => Vectors.Cases(File0, "stored");

    private static IEnumerable<TestCaseData> Releases => Vectors.Cases(File0, "releases");

    [TestCaseSource(nameof(Sent))]
    public async Task Asks(JsonElement item)
    {
        using var folder = new TemporaryFolder();
        using var client = Create(folder, item);
        var expected = item.GetProperty("expected");
        var request = await client.RequestOfflineAsync(item.Flag("renew") is true);
        AssertSigned(request.Text, expected);
        Assert.That(request.Kind.ToString(), Is.EqualTo((string)Part(request.Text, 1)["kind"]!));
        Assert.That(Encoding.UTF8.GetString(request.File), Is.EqualTo(request.Text));
        Assert.That(request.FileName, Is.EqualTo($"{item.Text("productId")}.licetreq"));
        Assert.That((string)Kept(client)["pending"]!["text"]!, Is.EqualTo(request.Text));
        if (!OperatingSystem.IsWindows())
        {
            var mode = File.GetUnixFileMode(client.Core.OfflinePath);
            Assert.That(expected.Has("text") || mode == (UnixFileMode.UserRead | UnixFileMode.UserWrite), Is.True);
        }
    }

    [TestCaseSource(nameof(Answers))]
    public async Task Takes_a_file(JsonElement item)
    {
        using var folder = new TemporaryFolder();
        using var client = Create(folder, item);
        var answer = item.Text("answer")!;
        var expected = item.GetProperty("expected");
        await AssertOutcomeAsync(client.ApplyOfflineAnswerAsync(Encoding.UTF8.GetBytes(answer)), expected);
        Assert.That(client.Core.ReadFile(), Is.EqualTo(expected.Has("error") ? item.Text("file") : answer));
    }

    [TestCaseSource(nameof(Codes))]
    public async Task Takes_a_code(JsonElement item)
    {
        using var folder = new TemporaryFolder();
        using var client = Create(folder, item);
        var expected = item.GetProperty("expected");
        await AssertOutcomeAsync(client.ApplyOfflineAnswerAsync(item.Text("code")!), expected);
        if (!expected.Has("error"))
        {
            Assert.That(client.ValidateOffline().Status.ToString(), Is.EqualTo(expected.Text("status")));
            await AssertOutcomeAsync(client.ApplyOfflineAnswerAsync(item.Text("code")!), expected);
        }
        Assert.That(client.Core.ReadFile(), Is.EqualTo(item.Text("file")));
    }

    [TestCaseSource(nameof(Mistyped))]
    public void Finds_the_group_of_a_mistake(JsonElement item)
    {
        using var folder = new TemporaryFolder();
        using var client = Create(folder, item);
        foreach (var typed in item.GetProperty("typed").EnumerateArray())
        {
            var code = typed.Text("code")!;
            var error = Assert.ThrowsAsync<OfflineCodeException>(() => client.ApplyOfflineAnswerAsync(code));
            Assert.That(error!.Group, Is.EqualTo(typed.Count("group")), code);
        }
    }

    [TestCaseSource(nameof(Stored))]
    public async Task Judges_what_is_stored(JsonElement item)
    {
        using var folder = new TemporaryFolder();
        using var client = Create(folder, item);
        await AssertOutcomeAsync(Task.FromResult(client.ValidateOffline()), item.GetProperty("expected"));
    }

    [TestCaseSource(nameof(Releases))]
    public async Task Releases_what_it_has(JsonElement item)
    {
        using var folder = new TemporaryFolder();
        using var client = Create(folder, item);
        var expected = item.GetProperty("expected");
        if (expected.Text("error") is not null)
        {
            Assert.ThrowsAsync<LicenseFileException>(() => client.ReleaseOfflineAsync());
            return;
        }
        var released = await client.ReleaseOfflineAsync();
        AssertSigned(released.Text, expected);
        Assert.That(released.Code is null, Is.EqualTo(item.Flag("withoutCode") is true));
        var again = await client.ReleaseOfflineAsync();
        Assert.That((again.Text, again.Code), Is.EqualTo((released.Text, expected.Text("code") ?? released.Code)));
        Assert.That(client.ValidateOffline().Status.ToString(), Is.EqualTo(expected.Text("status")));
    }

    [Test]
    public void Writes_codes_and_reads_them()
    {
        foreach (var item in Root.GetProperty("letters").EnumerateArray())
        {
            var (code, bytes) = (item.Text("code")!, Base64Url.Decode(item.Text("bytes")!));
            if (bytes[0] != 1)
            {
                Assert.That(Assert.Throws<OfflineCodeException>(() => OfflineCode.Read(code))!.Group, Is.Null);
                continue;
            }
            var read = OfflineCode.Read(code);
            Assert.That(read.Signature, Is.EqualTo(bytes[4..]));
            Assert.That(read.Write(), Is.EqualTo(code));
        }
        foreach (var group in Root.GetProperty("groups").EnumerateArray().SelectMany(
            item => item.GetProperty("typed").EnumerateArray()))
        {
            var isRight = LicenseClient.CheckCodeGroup(group.Count("index")!.Value, group.Text("text")!);
            Assert.That(isRight, Is.EqualTo(group.Flag("right")), group.GetRawText());
        }
    }

    [Test]
    public async Task Copies_that_ask_at_once_make_one_request()
    {
        using var folder = new TemporaryFolder();
        using var client = Create(folder, NeverAsked());
        using var copy = Create(folder, NeverAsked());
        var asked = await Task.WhenAll(new[] { client, copy, client }.Select(item => item.RequestOfflineAsync()));
        Assert.That(asked.Select(request => request.Text).Distinct().Count(), Is.EqualTo(1));
        var renewed = await Task.WhenAll(new[] { client, copy }.Select(item => item.RequestOfflineAsync(renew: true)));
        Assert.That(renewed.Select(request => (int)Part(request.Text, 1)["seq"]!), Is.EquivalentTo(new[] { 2, 3 }));
    }

    [Test]
    public async Task Leaves_out_what_makes_a_request_too_long()
    {
        using var folder = new TemporaryFolder();
        var options = OptionsOf(NeverAsked());
        (options.HardwareId, options.DeviceName, options.AppVersion) = (new string('ö', 256), new string('€', 256), "2");
        options.LicenseFile = folder.File("license.bin");
        using var client = new LicenseClient(options);
        var text = (await client.RequestOfflineAsync()).Text;
        var claims = Part(text, 1);
        Assert.That(text, Has.Length.LessThanOrEqualTo(2048));
        Assert.That(((string?)claims["deviceName"], (string?)claims["appVersion"]), Is.EqualTo(((string?)null, "2")));
    }

    [Test]
    public async Task Goes_on_where_it_ended_between_the_file_and_what_is_kept()
    {
        using var folder = new TemporaryFolder();
        using var client = Create(folder, NeverAsked());
        var request = await client.RequestOfflineAsync();
        var kept = File.ReadAllText(client.Core.OfflinePath);
        await client.ApplyOfflineAnswerAsync(AnswerTo(request));
        File.WriteAllText(client.Core.OfflinePath, kept);
        Assert.That(client.ValidateOffline().Status, Is.EqualTo(LicenseValidationStatus.Valid));
        var next = await client.RequestOfflineAsync();
        Assert.That((next.Kind, (string)Part(next.Text, 1)["file"]!), Is.EqualTo((OfflineRequestKind.Refresh, "file-1")));
        File.WriteAllText(client.Core.OfflinePath, kept);
        Assert.That((await client.ApplyOfflineAnswerAsync(AnswerTo(request))).IsValid, Is.True);
        Assert.That(Kept(client)["pending"], Is.Null);
    }

    [Test]
    public async Task Hands_out_nothing_that_it_cannot_keep()
    {
        using var folder = new TemporaryFolder();
        using var client = Create(folder, NeverAsked());
        var (kept, file) = (client.Core.OfflinePath, folder.File("license.bin"));
        Directory.CreateDirectory(kept);
        Assert.ThrowsAsync<LicenseFileException>(() => client.RequestOfflineAsync());
        Directory.Delete(kept);
        var request = await client.RequestOfflineAsync();
        Directory.CreateDirectory(file);
        Assert.ThrowsAsync<LicenseFileException>(() => client.ApplyOfflineAnswerAsync(AnswerTo(request)));
        Directory.Delete(file);
        Assert.That((await client.RequestOfflineAsync()).Text, Is.EqualTo(request.Text));
        Assert.That((await client.ApplyOfflineAnswerAsync(AnswerTo(request))).IsValid, Is.True);
        File.Delete(kept);
        Directory.CreateDirectory(kept);
        Assert.ThrowsAsync<LicenseFileException>(() => client.ReleaseOfflineAsync());
        Assert.That(client.ValidateOffline().IsValid, Is.True);
    }

    [Test]
    public async Task Refuses_after_a_release_what_it_had_before()
    {
        using var folder = new TemporaryFolder();
        using var client = Create(folder, NeverAsked());
        var answers = new List<byte[]>();
        for (var round = 0; round < 2; round++)
        {
            answers.Add(AnswerTo(await client.RequestOfflineAsync()));
            await client.ApplyOfflineAnswerAsync(answers[^1]);
        }
        await client.ReleaseOfflineAsync();
        foreach (var old in answers)
        {
            File.WriteAllBytes(folder.File("license.bin"), old);
            Assert.That(client.ValidateOffline().Status, Is.EqualTo(LicenseValidationStatus.ActivationRequired));
            Assert.ThrowsAsync<LicenseFileException>(() => client.ApplyOfflineAnswerAsync(old));
        }
        var next = await client.RequestOfflineAsync();
        Assert.That((next.Kind, (int)Part(next.Text, 1)["seq"]!), Is.EqualTo((OfflineRequestKind.Activate, 4)));
        Assert.That((await client.ApplyOfflineAnswerAsync(AnswerTo(next))).IsValid, Is.True);
        Assert.That((string)Part((await client.ReleaseOfflineAsync()).Text, 1)["file"]!, Is.EqualTo("file-4"));
    }

    [Test]
    public async Task Keeps_its_code_when_a_newer_application_brings_another_base_file()
    {
        using var folder = new TemporaryFolder();
        using var application = new TemporaryFolder();
        var item = Root.GetProperty("codes").EnumerateArray().First();
        var (installed, text) = (application.File("license.bin"), item.Text("file")!);
        File.WriteAllText(installed, text);
        File.WriteAllText(folder.File(DeviceKeyFile.Name), item.GetProperty("deviceKey").GetRawText());
        var options = OptionsOf(item);
        options.StateFolder = folder.Path;
        using var client = LicenseClient.FromSettings(options, application.Path);
        Assert.That(client.ValidateOffline().Status, Is.EqualTo(LicenseValidationStatus.ActivationRequired));
        var first = await client.RequestOfflineAsync();
        Assert.That((string)Part(first.Text, 1)["base"]!, Is.EqualTo((string)Part(text, 1)["jti"]!));
        File.WriteAllText(client.Core.OfflinePath, item.Text("kept"));
        Assert.That((await client.ApplyOfflineAnswerAsync(item.Text("code")!)).IsValid, Is.True);
        File.WriteAllText(installed, Resigned(text, claims => claims["jti"] = "another-base-file"));
        File.SetLastWriteTimeUtc(installed, DateTime.UtcNow.AddMinutes(1));
        Assert.That(client.ValidateOffline().IsValid, Is.True);
        Assert.That((await client.ApplyOfflineAnswerAsync(item.Text("code")!)).IsValid, Is.True);
        var next = await client.RequestOfflineAsync();
        Assert.That(
            (next.Kind, (string)Part(next.Text, 1)["base"]!), Is.EqualTo((OfflineRequestKind.Refresh, "another-base-file")));
    }

    private static JsonElement NeverAsked()
    {
        var item = JsonNode.Parse(Root.GetProperty("answers").EnumerateArray().First().GetRawText())!;
        item["kept"] = null;
        return JsonReading.ParseObject(Encoding.UTF8.GetBytes(item.ToJsonString()))!.Value;
    }

    private static LicenseClientOptions OptionsOf(JsonElement item) => new()
    {
        ProductId = item.Text("productId"),
        PublicKey = Root.Text("publicKey"),
        LicenseKey = item.Text("licenseKey"),
        HardwareId = item.Text("hardwareId"),
        DeviceName = item.Text("deviceName"),
        AppVersion = item.Text("appVersion"),
        TimeProvider = new FixedClock(Vectors.At(item)),
    };

    private static LicenseClient Create(TemporaryFolder folder, JsonElement item)
    {
        var options = OptionsOf(item);
        options.LicenseFile = folder.File("license.bin");
        if (item.Field("deviceKey") is { } jwk && !File.Exists(folder.File(DeviceKeyFile.Name)))
        {
            File.WriteAllText(folder.File(DeviceKeyFile.Name), jwk.GetRawText());
        }
        if (item.Text("file") is { } text)
        {
            File.WriteAllText(options.LicenseFile, text);
        }
        var client = new LicenseClient(options);
        if (item.Text("kept") is { } kept)
        {
            File.WriteAllText(client.Core.OfflinePath, kept);
        }
        return client;
    }

    /// <summary>The answer to a request, as a server makes it.</summary>
    private static byte[] AnswerTo(OfflineRequest request)
    {
        var (nonce, seq) = ((string)Part(request.Text, 1)["nonce"]!, (int)Part(request.Text, 1)["seq"]!);
        var good = Root.GetProperty("answers").EnumerateArray().First().Text("answer")!;
        return Encoding.UTF8.GetBytes(Resigned(good, claims =>
        {
            claims["request"] = new JsonObject { ["nonce"] = nonce, ["seq"] = seq };
            claims["jti"] = $"file-{seq}";
        }));
    }

    /// <summary>A file like this one with other claims.</summary>
    private static string Resigned(string file, Action<JsonNode> change)
    {
        var claims = Part(file, 1);
        change(claims);
        var signed = $"{file.Split('.')[0]}.{Base64Url.Encode(Encoding.UTF8.GetBytes(claims.ToJsonString()))}";
        var signature = ProductKey.Value.SignData(
            Encoding.ASCII.GetBytes(signed), HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        return $"{signed}.{Base64Url.Encode(signature)}";
    }

    private static JsonNode Kept(LicenseClient client) => JsonNode.Parse(File.ReadAllText(client.Core.OfflinePath))!;

    private static JsonNode Part(string token, int index) =>
        JsonNode.Parse(Encoding.UTF8.GetString(Base64Url.Decode(token.Split('.')[index])))!;

    /// <summary>Checks a request against what it should say, and its signature against the key in it.</summary>
    private static void AssertSigned(string text, JsonElement expected)
    {
        if (expected.Text("text") is { } same)
        {
            Assert.That(text, Is.EqualTo(same));
            return;
        }
        var claims = Part(text, 1).AsObject();
        Assert.That((string)claims["nonce"]!, Does.Match("^[A-Za-z0-9_-]{22}$"));
        claims.Remove("nonce");
        var wanted = JsonNode.Parse(expected.GetProperty("claims").GetRawText())!.AsObject();
        if (wanted["deviceName"] is null)
        {
            claims.Remove("deviceName"); // without a setting, that of the computer
        }
        Assert.That(JsonNode.DeepEquals(claims, wanted), Is.True, claims.ToJsonString());
        Assert.That(JsonNode.DeepEquals(Part(text, 0), JsonNode.Parse(expected.GetProperty("header").GetRawText())), Is.True);
        var jwk = Part(text, 0)["jwk"]!;
        using var key = ECDsa.Create(new ECParameters
        {
            Curve = ECCurve.NamedCurves.nistP256,
            Q = new ECPoint { X = Base64Url.Decode((string)jwk["x"]!), Y = Base64Url.Decode((string)jwk["y"]!) },
        });
        var end = text.LastIndexOf('.');
        var signature = Base64Url.Decode(text[(end + 1)..]);
        Assert.That(
            key.VerifyData(Encoding.ASCII.GetBytes(text[..end]), signature, HashAlgorithmName.SHA256), Is.True);
    }

    private static async Task AssertOutcomeAsync(Task<LicenseResult> call, JsonElement expected)
    {
        try
        {
            var result = await call;
            Assert.That(expected.Text("error"), Is.Null, result.Message);
            Assert.That(result.Status.ToString(), Is.EqualTo(expected.Text("status")), result.Message);
            Assert.That(result.IsValid, Is.EqualTo(expected.Flag("valid")));
        }
        catch (LicetException error)
        {
            Assert.That(error.Code.ToString(), Is.EqualTo(expected.Text("error")), error.Message);
            Assert.That((error as OfflineCodeException)?.Group, Is.EqualTo(expected.Count("group")));
        }
    }
}
