namespace Licet.Tests;

public sealed class KeyTests
{
    private static IEnumerable<TestCaseData> Valid => Vectors.Cases("keys.json", "valid");

    private static IEnumerable<TestCaseData> CheckSymbols => Vectors.Cases("keys.json", "checkSymbols");

    private static IEnumerable<TestCaseData> InvalidCheck => Vectors.Cases("keys.json", "invalidCheck");

    private static IEnumerable<TestCaseData> Imported => Vectors.Cases("keys.json", "imported");

    private static IEnumerable<TestCaseData> Malformed => Vectors.Cases("keys.json", "malformed");

    private static IEnumerable<TestCaseData> Derived => Vectors.Cases("derive-key.json", "");

    [TestCaseSource(nameof(Valid))]
    public void Generated_keys_have_one_normal_form(JsonElement item)
    {
        var normal = LicenseKey.NormalForm(item.Text("input")!);
        Assert.That(normal, Is.EqualTo(item.Text("normalForm")));
        Assert.That(LicenseKey.IsGenerated(normal), Is.True);
        Assert.That(LicenseKey.Hash(normal), Is.EqualTo(item.Text("hash")));
    }

    [TestCaseSource(nameof(CheckSymbols))]
    public void The_last_symbol_checks_the_others(JsonElement item)
    {
        var payload = item.EnumerateObject().First(field => field.Value.AsText()?.Length == 24).Value.AsText()!;
        var symbol = item.EnumerateObject().First(field => field.Value.AsText()?.Length == 1).Value.AsText()!;
        Assert.That(LicenseKey.CheckSymbol(payload).ToString(), Is.EqualTo(symbol));
    }

    [TestCaseSource(nameof(InvalidCheck))]
    public void A_wrong_check_symbol_is_no_generated_key(JsonElement item)
    {
        var text = item.AsText() ?? item.Text("input")!;
        Assert.That(LicenseKey.IsGenerated(text.ToUpperInvariant().Replace("-", "")), Is.False);
        Assert.That(LicenseKey.NormalForm(text), Is.EqualTo(text.Trim()));
    }

    [TestCaseSource(nameof(Imported))]
    public void Imported_keys_are_trimmed_only(JsonElement item)
    {
        var normal = LicenseKey.NormalForm(item.Text("input")!);
        Assert.That(normal, Is.EqualTo(item.Text("normalForm")));
        Assert.That(
            normal.Length >= LicenseKey.MinProtectionLength, Is.EqualTo(item.GetProperty("canBeProtected").GetBoolean()));
    }

    [TestCaseSource(nameof(Malformed))]
    public void Other_text_is_refused(JsonElement item) =>
        Assert.Throws<LicetConfigurationException>(
            () => LicenseKey.NormalForm(item.AsText() ?? item.Text("input")!));

    [TestCaseSource(nameof(Derived))]
    public void File_keys_are_derived_alike(JsonElement item)
    {
        var normal = LicenseKey.NormalForm(item.Text("licenseKey")!);
        var key = Jose.DeriveFileKey(normal, Base64Url.Decode(item.Text("salt")!));
        Assert.That(normal, Is.EqualTo(item.Text("normalForm")));
        Assert.That(Base64Url.Encode(key), Is.EqualTo(item.Text("derivedKey")));
    }

    [Test]
    public void Pem_and_base64_are_the_same_key()
    {
        var files = Vectors.Read("files.json");
        var pem = PublicKey.Load(files.Text("publicKeyPem")!);
        Assert.That(pem.Kid, Is.EqualTo(files.Text("kid")));
        Assert.That(PublicKey.Load(files.Text("publicKey")!).Kid, Is.EqualTo(pem.Kid));
    }
}
