namespace Licet.Tests;

/// <summary>Files, verdicts and releases: what must verify does, and what must not does not.</summary>
public sealed class SignedTests
{
    private static IEnumerable<TestCaseData> Files => Vectors.Cases("files.json");

    private static IEnumerable<TestCaseData> Covered => Vectors.Cases("coverage.json");

    private static IEnumerable<TestCaseData> Verdicts => Vectors.Cases("verdicts.json");

    private static IEnumerable<TestCaseData> Releases => Vectors.Cases("releases.json");

    [TestCaseSource(nameof(Files))]
    public void License_files(JsonElement item)
    {
        var result = Evaluate(item);
        var expected = item.GetProperty("expected");
        Assert.That(result.Status.ToString(), Is.EqualTo(expected.Text("status")), result.Message);
        Assert.That(result.IsValid, Is.EqualTo(expected.GetProperty("valid").GetBoolean()));
    }

    [TestCaseSource(nameof(Covered))]
    public void Releases_that_a_license_covers(JsonElement item)
    {
        var result = Evaluate(item);
        var status = result.Status.ToString();
        Assert.That(status, Is.EqualTo(item.GetProperty("expected").Text("status")), result.Message);
        Assert.That(result.InFallback, Is.EqualTo(item.GetProperty("inFallback").GetBoolean()));
        Assert.That(result.UpdatesUntil, Is.EqualTo(item.Time("updatesUntil")));
        if (item.Text("appVersion") is null)
        {
            var isCovered = result.Covers(Vectors.At(item, "appReleasedAt"));
            Assert.That(isCovered, Is.EqualTo(status != "ReleaseNotAllowed"));
        }
        Assert.That(result.IsValid && result.Message.Contains("expire"), Is.False, result.Message);
    }

    [TestCaseSource(nameof(Verdicts))]
    public void Signed_verdicts(JsonElement item)
    {
        var asked = item.GetProperty("request");
        var request = new VerdictRequest(
            asked.Text("productId")!, LicenseKey.NormalForm(asked.Text("licenseKey")!), asked.Text("hardwareId"),
            asked.Text("nonce")!, item.Flag("testMode") is true);
        LicenseValidationStatus status;
        try
        {
            status = Verdict.Verify(item.Text("token"), Vectors.Keys("verdicts.json"), request)
                .ToResult(Vectors.At(item), null).Status;
        }
        catch (RejectedTokenException)
        {
            status = LicenseValidationStatus.SignatureMismatch;
        }
        Assert.That(status.ToString(), Is.EqualTo(item.GetProperty("expected").Text("status")));
    }

    [TestCaseSource(nameof(Releases))]
    public void Signed_releases(JsonElement item)
    {
        var request = new ReleaseRequest(
            item.Text("productId")!, item.Text("nonce")!, item.Text("channel")!, item.Text("platform"),
            item.Text("currentVersion"), item.Time("releasedAt"),
            item.Text("licenseKey") is { } key ? LicenseKey.Hash(key) : null);
        var accepted = true;
        try
        {
            SignedRelease.Check(item.GetProperty("response"), Vectors.Keys("releases.json"), request);
        }
        catch (RejectedTokenException)
        {
            accepted = false;
        }
        Assert.That(accepted, Is.EqualTo(item.GetProperty("accepted").GetBoolean()));
    }

    /// <summary>The verdict of a client with this configuration and no other state, with this file on disk.</summary>
    private static LicenseResult Evaluate(JsonElement item)
    {
        using var folder = new TemporaryFolder();
        using var client = new LicenseClient(new LicenseClientOptions
        {
            ProductId = item.Text("productId"),
            PublicKey = Vectors.Read("files.json").Text("publicKeyPem"),
            LicenseKey = item.Text("licenseKey"),
            HardwareId = item.Text("hardwareId"),
            AppVersion = item.Text("appVersion"),
            AppReleasedAt = item.Time("appReleasedAt"),
            GracePeriod = item.Number("gracePeriodDays") is { } days ? TimeSpan.FromDays(days) : null,
            TestMode = item.Flag("testMode"),
            LicenseFile = folder.File("license.bin"),
            TimeProvider = new FixedClock(Vectors.At(item)),
        });
        File.WriteAllText(folder.File("license.bin"), item.Text("file"));
        if (item.Text("keptVerdict") is { } kept)
        {
            client.Core.Store.Update(state => state with { Verdict = kept });
        }
        return client.ValidateOffline();
    }
}
