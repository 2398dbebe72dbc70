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

    [Test]
    public void Every_character_is_read_as_the_vectors_say()
    {
        var ranges = Vectors.Read("keys.json").GetProperty("characters").EnumerateObject().SelectMany(
            meant => meant.Value.EnumerateArray().Select(
                ends => (meant.Name, First: ends[0].GetInt32(), Last: ends[1].GetInt32()))).ToArray();
        string? MeantBy(int code)
        {
            if (ranges.FirstOrDefault(range => range.First <= code && code <= range.Last) is { Name: { } name })
            {
                return name == "dropped" ? "" : name;
            }
            return code is >= 0xFF01 and <= 0xFF5E ? ((char)(code - 0xFEE0)).ToString()
                : code is >= ' ' and <= '~' ? ((char)code).ToString() : null;
        }
        var codes = Enumerable.Range(0, 0xD800).Concat(Enumerable.Range(0xE000, 0x3000))
            .Concat(Enumerable.Range(0xE0000, 0x1001));
        foreach (var code in codes)
        {
            var expected = MeantBy(code) is { } meant ? $"ACME{meant}key-0001" : null;
            var read = LicenseKey.InFile($"ACME{char.ConvertFromUtf32(code)}key-0001");
            Assert.That(read, Is.EqualTo(expected), $"U+{code:X4}");
        }
    }

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
