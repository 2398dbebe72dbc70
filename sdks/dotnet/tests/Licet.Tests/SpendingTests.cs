using System.Diagnostics;
using System.Net.Http;
using System.Text.Json.Nodes;

namespace Licet.Tests;

/// <summary>Spending reserved credits where things go wrong: killed processes, damaged and old files, no rest.</summary>
public sealed class SpendingTests
{
    [Test]
    public async Task A_charge_that_was_confirmed_survives_the_kill_of_its_process()
    {
        using var reserved = new ReservedFolder(ReservationTests.Good());
        var confirmed = new List<string>();
        using (var driver = Driver.Start(reserved))
        {
            for (var number = 1; number <= 5; number++)
            {
                confirmed.Add(driver.Consume($"key-{number}").Text("ledgerEntryId")!);
            }
            driver.Send("key-6"); // nobody hears whether it was charged
            driver.Kill();
        }
        await using var client = reserved.Client();
        foreach (var (entry, number) in confirmed.Select((entry, index) => (entry, index + 1)))
        {
            var again = await client.ConsumeAsync("export", 1, $"key-{number}");
            Assert.That((again.LedgerEntryId, again.Replayed), Is.EqualTo((entry, true)));
        }
        await client.ConsumeAsync("export", 1, "key-6");
        Assert.That((await client.GetReservedCreditsAsync())!.Spent, Is.EqualTo(6 * 2.5m));
    }

    [Test]
    public async Task Two_processes_spend_the_same_credits()
    {
        using var reserved = new ReservedFolder(ReservationTests.Good());
        using var first = Driver.Start(reserved);
        using var second = Driver.Start(reserved);
        for (var number = 1; number <= 100; number++)
        {
            first.Send($"first-{number}");
            second.Send($"second-{number}");
        }
        var answers = Enumerable.Range(0, 100).SelectMany(_ => new[] { first.Answer(), second.Answer() }).ToList();
        var entries = answers.Select(answer => answer.GetProperty("ok").Text("ledgerEntryId")).Distinct();
        Assert.That(entries.Count(), Is.EqualTo(200));
        await using var client = reserved.Client();
        Assert.That((await client.GetReservedCreditsAsync())!.Remaining, Is.Zero);
        var error = Assert.ThrowsAsync<RequestRefusedException>(() => client.ConsumeAsync("export", 1, "one-more"))!;
        Assert.That(
            (error.Code, error.HttpStatus, error.Cost, error.Balance, error.IdempotencyKey),
            Is.EqualTo((LicetErrorCode.InsufficientBalance, 0, 2.5m, 0m, "one-more")));
    }

    [Test]
    public async Task Calls_of_many_threads_are_charged_once_each()
    {
        using var reserved = new ReservedFolder(ReservationTests.Good());
        await using var client = reserved.Client();
        var calls = Enumerable.Range(0, 40).Select(number => client.ConsumeAsync("export", 1, $"{number / 2}"));
        var made = await Task.WhenAll(calls);
        Assert.That(made.Count(charge => charge.Replayed), Is.EqualTo(20));
        Assert.That((await client.GetReservedCreditsAsync())!.Spent, Is.EqualTo(20 * 2.5m));
    }

    [Test]
    public async Task A_torn_line_is_cut_off_by_the_next_charge()
    {
        using var reserved = new ReservedFolder(ReservationTests.Good());
        await using (var client = reserved.Client())
        {
            await client.ConsumeAsync("export", 1, "a");
        }
        var whole = reserved.Journal!;
        reserved.Journal = $"{whole}{{\"n\":2,\"feature\":\"exp";
        await using var restarted = reserved.Client();
        var made = await restarted.ConsumeAsync("export", 1, "b");
        Assert.That((made.Balance, made.Replayed), Is.EqualTo((495m, false)));
        var lines = reserved.Journal!.Split('\n');
        Assert.That((lines.Length, JournalLine.Read(lines[2])!.Key, lines[3]), Is.EqualTo((4, "b", "")));
        Assert.That(reserved.Journal, Does.StartWith(whole));
    }

    [Test]
    public async Task A_journal_that_was_put_back_or_deleted_under_a_running_application_is_noticed()
    {
        using var reserved = new ReservedFolder(ReservationTests.Good());
        var logged = new List<string>();
        await using var client = reserved.Client(log: logged.Add);
        await client.ConsumeAsync("export", 1, "a");
        var earlier = reserved.Journal;
        var credits = await client.GetReservedCreditsAsync();
        await client.ConsumeAsync("export", 1, "b");
        reserved.Journal = earlier;
        var made = await client.ConsumeAsync("export", 1, "c");
        Assert.That((made.LedgerEntryId, made.Balance), Is.EqualTo(($"{credits!.LeaseId}/2", 495m)));
        reserved.Keep(kept => kept["reported"] = 3); // the server has more than this journal
        Assert.That(await client.GetReservedCreditsAsync(), Is.Null);
        reserved.Journal = null;
        Assert.ThrowsAsync<LicetConfigurationException>(() => client.ConsumeAsync("export", 1, "d"));
        Assert.That(client.ValidateOffline().IsValid, Is.False);
        Assert.That(logged, Has.Exactly(2).Contains("Reserved credits are not used"));
    }

    [Test]
    public async Task Where_the_journal_cannot_be_written_nothing_is_charged_without_the_server()
    {
        using var reserved = new ReservedFolder(ReservationTests.Good());
        await using var client = reserved.Client();
        await client.ConsumeAsync("export", 1, "a");
        File.Delete(reserved.LockPath);
        Directory.CreateDirectory(reserved.LockPath);
        Assert.ThrowsAsync<LicenseFileException>(() => client.ConsumeAsync("export", 1, "b"));
        using var handler = new ReservationTests.Handler((_, _) => Online("b", 1));
        await using var online = reserved.Client(handler);
        var made = await online.ConsumeAsync("export", 1, "b");
        Assert.That((made.Reserved, handler.Paths.Single()), Is.EqualTo((false, "consume")));
        Assert.That((await online.GetReservedCreditsAsync())!.Spent, Is.EqualTo(2.5m));
    }

    [Test]
    public async Task A_charge_beyond_the_rest_goes_to_the_server()
    {
        using var reserved = new ReservedFolder(ReservationTests.Good());
        using var handler = new ReservationTests.Handler((_, body) => Online(body.Text("idempotencyKey")!, 201));
        await using var client = reserved.Client(handler);
        Assert.That((await client.ConsumeAsync("export", 201, "a")).Reserved, Is.False);
        Assert.That((await client.ConsumeAsync("export", 200, "b")).Reserved, Is.True);
    }

    [TestCase(HttpRequestError.NameResolutionError, false, LicetErrorCode.InsufficientBalance)]
    [TestCase(HttpRequestError.ConnectionError, false, LicetErrorCode.InsufficientBalance)]
    [TestCase(HttpRequestError.ResponseEnded, false, LicetErrorCode.ConnectionLost)]
    [TestCase(HttpRequestError.NameResolutionError, true, LicetErrorCode.Dns)]
    public async Task Only_a_charge_that_was_not_sent_is_refused_for_the_rest(
        HttpRequestError fault, bool afterALostAnswer, LicetErrorCode code)
    {
        using var reserved = new ReservedFolder(ReservationTests.Good());
        var attempts = 0;
        using var handler = new ReservationTests.Handler((_, _) => throw new HttpRequestException(
            attempts++ == 0 && afterALostAnswer ? HttpRequestError.ResponseEnded : fault));
        await using var client = reserved.Client(handler, TimeSpan.FromSeconds(1));
        var error = Assert.ThrowsAsync(Is.InstanceOf<LicetException>(), () => client.ConsumeAsync("export", 201, "a"));
        Assert.That(((LicetException)error!).Code, Is.EqualTo(code));
    }

    [TestCase("{\"n\":1,\"feature\":\"f\",\"quantity\":1,\"cost\":\"1\",\"at\":0,\"key\":\"k\",\"prev\":\"p\"}", true)]
    [TestCase("{\"n\":1,\"feature\":\"f\",\"quantity\":1,\"cost\":\"1\",\"at\":0,\"key\":\"k\",\"prev\":\"p\",\"x\":1}", false)]
    [TestCase("{\"feature\":\"f\",\"n\":1,\"quantity\":1,\"cost\":\"1\",\"at\":0,\"key\":\"k\",\"prev\":\"p\"}", false)]
    public void A_line_has_the_members_that_a_server_takes(string text, bool isLine) =>
        Assert.That(JournalLine.Read(text) is not null, Is.EqualTo(isLine));

    [Test]
    public void What_a_charge_costs_is_exact_or_unknown()
    {
        Assert.That(Amounts.Cost(0.000001m, 1_000_000_000), Is.EqualTo(1000m));
        Assert.That(Amounts.Cost(decimal.MaxValue, 2), Is.Null);
        Assert.That(Amounts.Write(1_000_000.50m), Is.EqualTo("1000000.5"));
    }

    [Test]
    public async Task A_key_that_no_journal_can_hold_is_charged_by_the_server()
    {
        var key = new string((char)0xD800, 1); // half of a surrogate pair
        using var reserved = new ReservedFolder(ReservationTests.Good());
        await using var client = reserved.Client();
        Assert.ThrowsAsync<LicetConfigurationException>(() => client.ConsumeAsync("export", 1, key));
        Assert.That((await client.GetReservedCreditsAsync())!.Spent, Is.Zero);
    }

    private static HttpResponseMessage Online(string key, int quantity) => new()
    {
        Content = new StringContent(new JsonObject
        {
            ["licenseId"] = "01920000-0000-7000-8000-0000000000a1",
            ["featureName"] = "export",
            ["quantity"] = quantity,
            ["cost"] = 2.5m,
            ["balance"] = 7,
            ["ledgerEntryId"] = "e",
            ["idempotencyKey"] = key,
        }.ToJsonString()),
    };

    /// <summary>A process of its own that spends: the driver for the conformance suite, without a server.</summary>
    private sealed class Driver : IDisposable
    {
        private readonly Process _process;
        private int _requests;

        private Driver(Process process) => _process = process;

        internal static Driver Start(ReservedFolder reserved)
        {
            var program = Path.Combine(AppContext.BaseDirectory, "Licet.Driver.dll");
            if (!File.Exists(program) || Environment.ProcessPath is not { } host)
            {
                Assert.Ignore("The driver is not beside the tests.");
                throw new InvalidOperationException();
            }
            var start = new ProcessStartInfo(host, $"\"{program}\"")
            {
                RedirectStandardInput = true, RedirectStandardOutput = true, StandardInputEncoding = new UTF8Encoding(false),
            };
            var driver = new Driver(Process.Start(start)!);
            driver._process.StandardOutput.ReadLine();
            driver.Call(new JsonObject { ["op"] = "set_clock", ["now"] = reserved.Clock.Now.ToString("O") });
            driver.Call(new JsonObject { ["op"] = "create_client", ["config"] = reserved.Config() });
            return driver;
        }

        internal JsonElement Consume(string key)
        {
            Send(key);
            return Answer().GetProperty("ok");
        }

        internal void Send(string key) => Send(new JsonObject
        {
            ["op"] = "consume", ["client"] = "client-1", ["featureName"] = "export", ["idempotencyKey"] = key,
        });

        internal JsonElement Answer()
        {
            using var document = JsonDocument.Parse(_process.StandardOutput.ReadLine()!);
            return document.RootElement.Clone();
        }

        internal void Kill()
        {
            _process.Kill();
            _process.WaitForExit();
        }

        public void Dispose()
        {
            if (!_process.HasExited)
            {
                Kill();
            }
            _process.Dispose();
        }

        private void Call(JsonObject request)
        {
            Send(request);
            var answer = Answer();
            Assert.That(answer.Has("ok"), Is.True, answer.GetRawText());
        }

        private void Send(JsonObject request)
        {
            request["id"] = ++_requests;
            _process.StandardInput.WriteLine(request.ToJsonString());
            _process.StandardInput.Flush();
        }
    }
}
