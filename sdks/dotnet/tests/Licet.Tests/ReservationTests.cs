using System.Net;
using System.Net.Http;
using System.Text.Json.Nodes;

namespace Licet.Tests;

/// <summary>Reserved credits: which tokens and journals count, what charges become, what is kept before each request.</summary>
public sealed class ReservationTests
{
    private const string Lease = "01920000-0000-7000-8000-0000000000d1";

    private static IEnumerable<TestCaseData> Tokens => Vectors.Cases("leases.json", "credits");

    private static IEnumerable<TestCaseData> Files => Vectors.Cases("journals.json", "files");

    private static IEnumerable<TestCaseData> Chains => Vectors.Cases("journals.json", "chains");

    [TestCaseSource(nameof(Tokens))]
    [TestCaseSource(nameof(Files))]
    public async Task What_counts(JsonElement item)
    {
        using var reserved = new ReservedFolder(item);
        await using var client = reserved.Client();
        var (result, found) = (client.ValidateOffline(), await client.GetReservedCreditsAsync());
        var expected = item.GetProperty("expected");
        Assert.That(result.Status.ToString(), Is.EqualTo(expected.Text("status")), result.Message);
        Assert.That(result.IsValid, Is.EqualTo(expected.GetProperty("valid").GetBoolean()));
        Assert.That(result.LeaseEndsAt, Is.EqualTo(expected.Time("leaseEndsAt")));
        if (expected.Field("reserved") is not { } credits)
        {
            Assert.That(found, Is.Null);
            return;
        }
        Assert.That(
            (found!.LeaseId, found.Seq, found.Unreported, (DateTimeOffset?)found.EndsAt),
            Is.EqualTo((credits.Text("leaseId"), credits.Count("seq"), credits.Count("unreported"), credits.Time("endsAt"))));
        Assert.That(
            (found.Amount, found.Spent, found.Remaining),
            Is.EqualTo((Amount(credits, "amount"), Amount(credits, "spent"), Amount(credits, "remaining"))));
    }

    [TestCaseSource(nameof(Chains))]
    public async Task What_charges_become(JsonElement item)
    {
        using var reserved = new ReservedFolder(item);
        await using var client = reserved.Client();
        var lines = item.GetProperty("lines").EnumerateArray().Select(line => line.GetString()!).ToArray();
        var number = 0;
        foreach (var charge in item.GetProperty("charges").EnumerateArray())
        {
            reserved.Clock.Now = charge.Time("at")!.Value;
            var line = JournalLine.Read(lines[number])!;
            foreach (var replayed in new[] { false, true })
            {
                var made = await client.ConsumeAsync(
                    charge.Text("featureName")!, charge.Count("quantity")!.Value, charge.Text("idempotencyKey"));
                Assert.That(
                    (made.FeatureName, made.Cost, made.LedgerEntryId, made.Replayed, made.Reserved),
                    Is.EqualTo((line.Feature, line.Cost, $"{Lease}/{number + 1}", replayed, true)));
            }
            number++;
        }
        Assert.That(reserved.Journal, Is.EqualTo($"{Lease}\n{string.Join("\n", lines)}\n"));
        Assert.That((await client.GetReservedCreditsAsync())!.Spent, Is.EqualTo(Amount(item, "spent")));
        Assert.That(
            lines.Select(JournalLine.Hash),
            Is.EqualTo(item.GetProperty("hashes").EnumerateArray().Select(hash => hash.GetString())));
    }

    [Test]
    public async Task A_key_is_not_used_for_another_charge()
    {
        using var reserved = new ReservedFolder(Good());
        await using var client = reserved.Client();
        await client.ConsumeAsync("export", 2, "a");
        foreach (var (feature, quantity) in new[] { ("export", 3), ("Render", 2) })
        {
            var error = Assert.ThrowsAsync<RequestRefusedException>(() => client.ConsumeAsync(feature, quantity, "a"))!;
            Assert.That((error.Code, error.IdempotencyKey), Is.EqualTo((LicetErrorCode.IdempotencyKeyReused, "a")));
        }
    }

    [Test]
    public async Task What_is_asked_and_given_back_is_kept_before_it_is_sent()
    {
        using var reserved = new ReservedFolder(Good(), token: null, journal: null);
        var seen = new List<string>();
        using var handler = new Handler((path, _) =>
        {
            var kept = reserved.Kept ?? new JsonObject();
            seen.Add($"{path.Split('/')[^1]}: {string.Join(' ', kept.Select(field => field.Key))}");
            return null;
        });
        await using var client = reserved.Client(handler);
        var credits = await client.ReserveAsync(500m, 13);
        Assert.That((credits.Seq, credits.Amount), Is.EqualTo((1, 500m)));
        Assert.That(credits.EndsAt, Is.EqualTo(Good().GetProperty("expected").Time("leaseEndsAt")));
        await client.ConsumeAsync("export", 2, "a");
        await credits.ReportAsync();
        await client.ConsumeAsync("export", 1, "b");
        Assert.That((credits.Spent, credits.Remaining, credits.Unreported), Is.EqualTo((7.5m, 492.5m, 1)));
        Assert.That(await credits.RenewAsync(13), Is.SameAs(credits));
        Assert.That((credits.Seq, credits.Unreported), Is.EqualTo((2, 0)));
        Assert.That((await client.GetReservedCreditsAsync())!.Spent, Is.EqualTo(7.5m));
        await credits.ReturnAsync();
        await credits.ReturnAsync();
        Assert.That(seen, Is.EqualTo(new[]
        {
            "leases: pending", "report: token", "report: token reported", "renew: token pending reported",
            "return: returning reported",
        }));
        Assert.That(handler.Bodies[0].GetProperty("amount").GetRawText(), Is.EqualTo("500"));
        Assert.That(Lines(handler.Bodies), Is.EqualTo(new[] { "", "1", "2", "", "" }));
        Assert.That((reserved.Kept, reserved.Journal), Is.EqualTo(((JsonObject?)null, (string?)null)));
        Assert.That(await client.GetReservedCreditsAsync(), Is.Null);
        Assert.That((credits.Spent, credits.Remaining, credits.Unreported), Is.EqualTo((7.5m, 0m, 0)));
        var error = Assert.ThrowsAsync<RequestRefusedException>(() => credits.RenewAsync())!;
        Assert.That(error.ErrorCode, Is.EqualTo("LeaseNotFound"));
    }

    [Test]
    public async Task The_answer_to_a_reservation_that_was_lost_is_asked_for_again()
    {
        using var reserved = new ReservedFolder(Good(), token: null, journal: null);
        var isLost = true;
        using var handler = new Handler((_, _) => isLost ? throw new HttpRequestException("lost") : null);
        await using (var client = reserved.Client(handler, TimeSpan.FromMilliseconds(1)))
        {
            Assert.ThrowsAsync<LicetNetworkException>(() => client.ReserveAsync(500m, 13));
        }
        isLost = false;
        await using var restarted = reserved.Client(handler);
        await restarted.ReserveAsync(20m, 5);
        var asked = handler.Bodies[^1];
        Assert.That(asked.Text("idempotencyKey"), Is.EqualTo(handler.Bodies[0].Text("idempotencyKey")));
        Assert.That((asked.Count("days"), asked.GetProperty("amount").GetRawText()), Is.EqualTo((13, "500")));
    }

    [Test]
    public async Task A_renewal_whose_answer_was_lost_is_sent_again_before_a_report()
    {
        using var reserved = new ReservedFolder(Good(), token: First().Text("token"));
        var pending = new JsonObject { ["idempotencyKey"] = "renewal", ["days"] = 13, ["seq"] = 1 };
        reserved.Keep(kept => kept["pending"] = pending);
        using var handler = new Handler((_, _) => null);
        await using var client = reserved.Client(handler);
        await client.ConsumeAsync("export", 1, "a");
        await (await client.GetReservedCreditsAsync())!.ReportAsync();
        Assert.That(handler.Paths, Is.EqualTo(new[] { "renew", "report" }));
        Assert.That(handler.Bodies[0].Text("idempotencyKey"), Is.EqualTo("renewal"));
        Assert.That(Receipt(handler.Bodies[1])["seq"]!.GetValue<int>(), Is.EqualTo(2));
    }

    [Test]
    public async Task What_could_not_be_returned_is_returned_as_it_was_written_at_the_next_contact()
    {
        using var reserved = new ReservedFolder(Good());
        var isLost = true;
        using var handler = new Handler((_, _) => isLost ? throw new HttpRequestException("lost") : null);
        await using (var client = reserved.Client(handler, TimeSpan.FromMilliseconds(1)))
        {
            await client.ConsumeAsync("export", 2, "a");
            var credits = await client.GetReservedCreditsAsync();
            Assert.ThrowsAsync<LicetNetworkException>(() => credits!.ReturnAsync());
        }
        var receipt = reserved.Kept!["returning"]!.GetValue<string>();
        isLost = false;
        await using var restarted = reserved.Client(handler);
        Assert.That(await restarted.GetReservedCreditsAsync(), Is.Null);
        Assert.That(handler.Bodies[^1].Text("receipt"), Is.EqualTo(receipt));
        var claims = Receipt(handler.Bodies[^1]);
        Assert.That(
            (claims["kind"]!.ToString(), claims["used"]!.ToString(), claims["lines"]!.GetValue<int>()),
            Is.EqualTo(("Returned", "5", 1)));
        Assert.That(Lines(handler.Bodies)[^1], Is.EqualTo("1"));
        Assert.That((reserved.Kept, reserved.Journal), Is.EqualTo(((JsonObject?)null, (string?)null)));
    }

    [Test]
    public async Task What_has_ended_is_returned_before_more_is_reserved()
    {
        using var reserved = new ReservedFolder(Good());
        using var handler = new Handler((_, _) => null);
        await using var client = reserved.Client(handler);
        await client.ConsumeAsync("export", 2, "a");
        reserved.Clock.Now = reserved.Clock.Now.AddDays(60);
        await client.ReserveAsync(500m, 13);
        Assert.That(handler.Paths, Is.EqualTo(new[] { "return", "leases" }));
        Assert.That(Receipt(handler.Bodies[0])["used"]!.ToString(), Is.EqualTo("5"));
    }

    [TestCase(0, "1-500 500 0.0005", "501-1000 1000 0.001", "1001-1200 1200 0.0012")]
    [TestCase(900, "901-1200 1200 0.0012", "1-500 500 0.0005", "501-1000 1000 0.001", "1001-1200 1200 0.0012")]
    public async Task A_long_journal_is_returned_in_parts_from_its_begin_if_the_server_has_fewer_lines(
        int reported, params string[] sent)
    {
        using var reserved = new ReservedFolder(Good());
        using var handler = new Handler((_, body) =>
            Numbers(body).First() == 901 ? Handler.Refusal(400, "InvalidRequest") : null);
        var journal = new Journal(Lease);
        for (var number = 1; number <= 1200; number++)
        {
            var line = new JournalLine(number, "Render", 1, 0.000001m, 0, $"{number}", journal.End.Head);
            journal = journal.With(line.Write()!);
        }
        reserved.Journal = $"{Lease}\n{string.Concat(journal.Texts(0, 1200).Select(text => $"{text}\n"))}";
        reserved.Keep(kept => kept["reported"] = reported);
        await using var client = reserved.Client(handler);
        await (await client.GetReservedCreditsAsync())!.ReturnAsync();
        string Said(JsonElement body) =>
            $"{Numbers(body).First()}-{Numbers(body).Last()} {Receipt(body)["lines"]} {Receipt(body)["used"]}";
        Assert.That(handler.Bodies.Select(Said), Is.EqualTo(sent));
        Assert.That(handler.Paths.Skip(reported > 0 ? 1 : 0), Is.EqualTo(new[] { "report", "report", "return" }));
    }

    [Test]
    public async Task Charges_go_on_while_others_are_reported()
    {
        using var reserved = new ReservedFolder(Good());
        LicenseClient? other = null;
        Consumption? made = null;
        using var handler = new Handler((_, _) =>
        {
            made = other!.ConsumeAsync("export", 1, "b").GetAwaiter().GetResult();
            return null;
        });
        await using var client = reserved.Client(handler);
        await using (other = reserved.Client())
        {
            await client.ConsumeAsync("export", 2, "a");
            var credits = await client.GetReservedCreditsAsync();
            await credits!.ReportAsync();
            Assert.That((made!.Balance, credits.Spent, credits.Unreported), Is.EqualTo((492.5m, 7.5m, 1)));
        }
    }

    [Test]
    public async Task What_the_server_has_ended_is_not_spent_any_more()
    {
        using var reserved = new ReservedFolder(Good());
        using var handler = new Handler(
            (_, _) => new HttpResponseMessage { Content = new StringContent("{\"state\":\"Ended\"}") });
        await using var client = reserved.Client(handler);
        await client.ConsumeAsync("export", 2, "a");
        var credits = await client.GetReservedCreditsAsync();
        await credits!.ReportAsync();
        Assert.That((await client.GetReservedCreditsAsync(), credits.Remaining), Is.EqualTo(((ReservedCredits?)null, 0m)));
    }

    [Test]
    public async Task Another_amount_than_the_one_that_was_asked_for_is_not_taken()
    {
        using var reserved = new ReservedFolder(Good(), token: null, journal: null);
        using var handler = new Handler((_, _) => null);
        await using var client = reserved.Client(handler);
        var error = Assert.ThrowsAsync<LicetServerException>(() => client.ReserveAsync(499m))!;
        Assert.That(error.Code, Is.EqualTo(LicetErrorCode.UnexpectedReply));
        Assert.That(await client.GetReservedCreditsAsync(), Is.Null);
    }

    [TestCase(409, "ConcurrencyConflict", true)]
    [TestCase(403, "LicenseInvalid", true)]
    [TestCase(409, "LeaseForked", false)]
    public async Task A_return_waits_unless_the_answer_is_final(int status, string code, bool stays)
    {
        using var reserved = new ReservedFolder(Good());
        using var handler = new Handler((_, _) => Handler.Refusal(status, code));
        await using var client = reserved.Client(handler);
        var credits = await client.GetReservedCreditsAsync();
        var error = Assert.ThrowsAsync<RequestRefusedException>(() => credits!.ReturnAsync())!;
        Assert.That(error.ErrorCode, Is.EqualTo(code));
        Assert.That(reserved.Kept is not null, Is.EqualTo(stays));
        Assert.That(await client.GetReservedCreditsAsync(), Is.Null);
    }

    [TestCase("0")]
    [TestCase("-1")]
    [TestCase("0.0000001")]
    [TestCase("79228162514264337593543950335")]
    public void Amounts_out_of_range_are_refused(string credits) =>
        Assert.Throws<ArgumentOutOfRangeException>(
            () => Reservations.CheckAmount(decimal.Parse(credits, CultureInfo.InvariantCulture)));

    internal static JsonElement Good() => Named("good");

    internal static JsonNode Receipt(JsonElement body) =>
        JsonNode.Parse(Base64Url.Decode(body.Text("receipt")!.Split('.')[1]))!;

    private static JsonElement First() => Named("first-of-its-lease");

    private static JsonElement Named(string name) => Vectors.Read("leases.json").GetProperty("credits").EnumerateArray()
        .First(item => item.Text("name") == name);

    private static decimal? Amount(JsonElement item, string name) => Amounts.Read(item.Text(name));

    private static IEnumerable<int> Numbers(JsonElement body) =>
        body.GetProperty("journal").EnumerateArray().Select(line => JournalLine.Read(line.GetString()!)!.Number);

    private static string[] Lines(IEnumerable<JsonElement> bodies) => bodies
        .Select(body => body.Field("journal") is null ? "" : string.Join(' ', Numbers(body)))
        .ToArray();

    /// <summary>A server that reserves for the tokens of the vectors, unless it is told to answer otherwise.</summary>
    internal sealed class Handler : HttpMessageHandler
    {
        private readonly Func<string, JsonElement, HttpResponseMessage?> _answer;

        internal Handler(Func<string, JsonElement, HttpResponseMessage?> answer) => _answer = answer;

        internal List<string> Paths { get; } = new();

        internal List<JsonElement> Bodies { get; } = new();

        internal static HttpResponseMessage Refusal(int status, string code) => new((HttpStatusCode)status)
        {
            Content = new StringContent($"{{\"errorCode\":\"{code}\"}}"),
        };

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken)
        {
            using var document = JsonDocument.Parse(await request.Content!.ReadAsStringAsync(cancellationToken));
            var (path, body) = (request.RequestUri!.AbsolutePath, document.RootElement.Clone());
            Paths.Add(path.Split('/')[^1]);
            Bodies.Add(body);
            if (_answer(path, body) is { } given)
            {
                return given;
            }
            var answer = Paths[^1] switch
            {
                "leases" => new JsonObject { ["lease"] = First().Text("token") },
                "renew" => new JsonObject { ["lease"] = Good().Text("token") },
                "report" => new JsonObject { ["state"] = "Open" },
                _ => new JsonObject { ["state"] = "Returned" },
            };
            return new HttpResponseMessage(HttpStatusCode.OK) { Content = new StringContent(answer.ToJsonString()) };
        }
    }
}
