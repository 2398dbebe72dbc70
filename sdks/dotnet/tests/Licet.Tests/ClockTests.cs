namespace Licet.Tests;

/// <summary>A clock that is set back, is wrong by a time zone, or was ahead, over several starts.</summary>
public sealed class ClockTests
{
    private static IEnumerable<TestCaseData> Cases => Vectors.Cases("clock.json");

    [TestCaseSource(nameof(Cases))]
    public void Clock_with_memory(JsonElement item)
    {
        using var folder = new TemporaryFolder();
        var vectors = Vectors.Read("clock.json");
        var steps = item.GetProperty("steps").EnumerateArray().ToList();
        File.WriteAllText(folder.File("license.bin"), item.Text("file"));
        foreach (var step in steps)
        {
            if (item.Text("replacedBy") is { } newer && step.Equals(steps[^1]))
            {
                File.WriteAllText(folder.File("license.bin"), newer);
            }
            using var client = new LicenseClient(new LicenseClientOptions
            {
                ProductId = vectors.Text("productId"),
                PublicKey = vectors.Text("publicKey"),
                HardwareId = "h1m-0123456789abcdef0123456789abcdef01234567",
                LicenseFile = folder.File("license.bin"),
                TimeProvider = new FixedClock(Vectors.At(step)),
            });
            var result = client.ValidateOffline();
            var expected = step.GetProperty("expected");
            Assert.That(result.Status.ToString(), Is.EqualTo(expected.Text("status")), step.Text("at"));
            Assert.That(result.Warnings.Any(), Is.EqualTo(expected.GetProperty("warns").GetBoolean()), step.Text("at"));
        }
    }
}
