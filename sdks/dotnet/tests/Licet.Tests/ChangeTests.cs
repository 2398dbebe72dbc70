namespace Licet.Tests;

/// <summary>Which results are news for a watch.</summary>
public sealed class ChangeTests
{
    private static readonly License Terms = new()
    {
        Id = "1",
        Features = new[] { "export", "print" },
        Entitlements = new Dictionary<string, object> { ["export"] = true, ["projects"] = 5L },
        Metadata = new Dictionary<string, string> { ["order"] = "17" },
    };

    private static IEnumerable<TestCaseData> Same => Named(
        ("read again", Like(features: new[] { "print", "export" }, projects: 5L, order: "17")),
        ("with the key of a file", Terms with { Key = "JN3VR-DRJSK-A8HNA-S3SP8-CPPNH" }),
        ("with the seat of a verdict", Terms with { Seat = new LicenseSeat(SeatKind.Device, true) }));

    private static IEnumerable<TestCaseData> Other => Named(
        ("another end", Terms with { ExpirationDate = DateTimeOffset.UnixEpoch }),
        ("fewer features", Like(features: new[] { "print" }, projects: 5L, order: "17")),
        ("not restricted", Terms with { Features = null }),
        ("another value", Like(features: new[] { "export", "print" }, projects: 6L, order: "17")),
        ("other metadata", Like(features: new[] { "export", "print" }, projects: 5L, order: "18")),
        ("no license", null));

    [TestCaseSource(nameof(Same))]
    public void The_same_terms_are_no_news(License license) =>
        Assert.That(LicenseChange.IsSame(Result(Terms), Result(license)), Is.True);

    [TestCaseSource(nameof(Other))]
    public void Other_terms_are_news(License? license) =>
        Assert.That(LicenseChange.IsSame(Result(Terms), Result(license)), Is.False);

    [Test]
    public void The_first_result_and_another_status_are_news()
    {
        Assert.That(LicenseChange.IsSame(null, Result(Terms)), Is.False);
        var expired = Result(Terms) with { Status = LicenseValidationStatus.Expired };
        Assert.That(LicenseChange.IsSame(Result(Terms), expired), Is.False);
        Assert.That(LicenseChange.IsSame(Result(null), Result(null)), Is.True);
    }

    private static LicenseResult Result(License? license) =>
        new(LicenseValidationStatus.Valid, "") { License = license, CheckedAt = DateTimeOffset.UtcNow };

    private static License Like(string[] features, long projects, string order) => Terms with
    {
        Features = features,
        Entitlements = new Dictionary<string, object> { ["export"] = true, ["projects"] = projects },
        Metadata = new Dictionary<string, string> { ["order"] = order },
    };

    private static IEnumerable<TestCaseData> Named(params (string Name, License? License)[] cases) =>
        cases.Select(item => new TestCaseData(item.License).SetArgDisplayNames(item.Name));
}
