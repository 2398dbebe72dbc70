namespace Licet.Tests;

public sealed class SentenceTests
{
    private static readonly Dictionary<string, string> French = new()
    {
        ["Revoked"] = "La licence est révoquée.",
        ["Expired"] = "Expirée[ le {endsAt}].",
        ["Mine"] = "Oui {x}",
    };

    private static RequestRefusedException Refused(LicetErrorCode code, string? errorCode) =>
        new(code, "The message.", 409) { ErrorCode = errorCode };

    private static LicenseResult Result(LicenseValidationStatus status) => new(status, "The message.");

    private static string German(string code) => Sentences.Of("de")[code];

    [Test]
    public void An_error_in_german_has_its_values()
    {
        var amounts = Refused(LicetErrorCode.InsufficientBalance, "InsufficientBalance");
        (amounts.Cost, amounts.Balance) = (2.50m, 1m);
        Assert.That(Sentences.For(amounts, "de"), Does.Contain("(2,50 benötigt, 1 übrig)"));
        var seats = Refused(LicetErrorCode.SeatsExhausted, "MaxConcurrentSessionsReached");
        (seats.SeatsUsed, seats.SeatsTotal) = (2, 3);
        Assert.That(Sentences.For(seats, "de"), Does.StartWith("Alle Plätze der Lizenz sind belegt (2 von 3)."));
        seats.SeatsTotal = null;
        Assert.That(Sentences.For(seats, "de"), Does.StartWith("Alle Plätze der Lizenz sind belegt. Schließen"));
        var mistyped = new OfflineCodeException(7);
        Assert.That(mistyped.Message, Does.Contain(": there is a typing error in group 7."));
        Assert.That(Sentences.For(mistyped, "de"), Does.Contain(": In Gruppe 7 ist ein Tippfehler."));
    }

    [Test]
    public void A_result_has_its_dates_as_the_language_writes_them()
    {
        var result = Result(LicenseValidationStatus.GracePeriod) with
        {
            GraceEndsAt = new DateTimeOffset(2026, 12, 1, 9, 5, 9, TimeSpan.FromHours(1)),
        };
        Assert.That(Sentences.For(result, "de"), Does.Contain("bis zum 01.12.2026 um 08:05 UTC gültig"));
        Assert.That(Sentences.For(result, "en-US"), Does.Contain("valid until 2026-12-01 08:05 UTC"));
    }

    [TestCase("de")]
    [TestCase("de-AT")]
    [TestCase("de_CH")]
    [TestCase("DE")]
    public void An_error_of_opening_is_its_result_and_its_cause(string language)
    {
        var cause = new LicetNetworkException(LicetErrorCode.Dns, "…");
        var error = new OnlineRequiredException(
            Result(LicenseValidationStatus.OnlineRequired) with { Cause = cause });
        Assert.That(Sentences.For(error, language), Is.EqualTo($"{German("Dns")} {German("OnlineRequired")}"));
    }

    [Test]
    public void The_language_of_the_user_interface_counts_where_none_is_named()
    {
        var before = CultureInfo.CurrentUICulture;
        try
        {
            CultureInfo.CurrentUICulture = CultureInfo.InvariantCulture;
            Assert.That(Sentences.For(Result(LicenseValidationStatus.Revoked)), Is.EqualTo("The message."));
            CultureInfo.CurrentUICulture = new GermanCulture();
            Assert.That(Sentences.For(Result(LicenseValidationStatus.Revoked)), Is.EqualTo(German("Revoked")));
        }
        finally
        {
            CultureInfo.CurrentUICulture = before;
        }
    }

    [Test]
    public void An_error_of_this_package_says_more_than_a_general_code_of_the_server()
    {
        var error = Refused(LicetErrorCode.DownloadWithdrawn, "NotFound");
        Assert.That(Sentences.For(error, "de"), Is.EqualTo(German("DownloadWithdrawn")));
    }

    [Test]
    public void Seconds_are_whole()
    {
        var error = new LicetServerException(LicetErrorCode.RateLimited, "…", 429)
        {
            RetryAfter = TimeSpan.FromSeconds(1.2),
        };
        Assert.That(Sentences.For(error, "de"), Does.Contain("(2 s)"));
        error.RetryAfter = TimeSpan.Zero;
        Assert.That(Sentences.For(error, "de"), Does.Not.Contain("("));
    }

    [Test]
    public void What_has_no_sentence_is_its_message()
    {
        var newer = Refused(LicetErrorCode.RequestRefused, "Tomorrow");
        Assert.That(Sentences.For(newer, "de"), Is.EqualTo("The message."));
        Assert.That(Sentences.For(Result(LicenseValidationStatus.Revoked), "fr"), Is.EqualTo("The message."));
        Assert.That(Sentences.For(Result(LicenseValidationStatus.Revoked), ""), Is.EqualTo("The message."));
    }

    [Test]
    public void A_code_alone_always_has_a_sentence()
    {
        var told = Sentences.For("Tomorrow", "de");
        Assert.That(told, Is.EqualTo(German("RequestRefused").Replace("[ ({errorCode})]", " (Tomorrow)")));
        Assert.That(Sentences.For("Expired", "fr"), Is.EqualTo("The license expired. Renew it with the vendor."));
    }

    [Test]
    public void Translations_of_the_application_win()
    {
        var result = Result(LicenseValidationStatus.Revoked);
        Assert.That(Sentences.For(result, "fr", French), Is.EqualTo(French["Revoked"]));
        Assert.That(Sentences.For("Revoked", "de", French), Is.EqualTo(French["Revoked"]));
        var given = new Dictionary<string, object> { ["endsAt"] = "1er décembre" };
        Assert.That(Sentences.For("Expired", "fr", French, given), Is.EqualTo("Expirée le 1er décembre."));
        Assert.That(Sentences.For("Mine", "fr", French), Is.EqualTo("Oui {x}"));
    }

    [Test]
    public void What_the_server_sent_is_no_template_and_no_essay()
    {
        var unknown = Result(LicenseValidationStatus.Unknown);
        var told = Sentences.For(unknown with { ServerStatus = "[{status}]" + new string('x', 80) }, "en");
        Assert.That(told, Does.Contain("([{status}]" + new string('x', 30) + ")"));
        Assert.That(Sentences.For(unknown with { ServerStatus = "a\nb" }, "en"), Does.Contain("(?)"));
    }

    [Test]
    public void Both_languages_have_all_codes()
    {
        Assert.That(Sentences.Languages, Is.EqualTo(new[] { "en", "de" }));
        Assert.That(Sentences.Of("de").Keys, Is.EquivalentTo(Sentences.Of("en-GB").Keys));
        Assert.That(Sentences.Of("fr"), Is.Empty);
    }

    /// <summary>A machine without the data of cultures has none but the invariant one.</summary>
    private sealed class GermanCulture : CultureInfo
    {
        internal GermanCulture()
            : base("")
        {
        }

        public override string Name => "de-DE";
    }
}
