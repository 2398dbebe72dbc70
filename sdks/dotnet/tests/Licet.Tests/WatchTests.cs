using System.Collections.Concurrent;
using Status = Licet.LicenseValidationStatus;

namespace Licet.Tests;

/// <summary>Checking in the background, with a callback, against the fake server.</summary>
public sealed class WatchTests
{
    private static readonly TimeSpan Often = TimeSpan.FromMilliseconds(10);

    private FakeServer _server = null!;
    private TemporaryFolder _folder = null!;

    [SetUp]
    public void Start() => (_server, _folder) = (FakeServer.Start(), new TemporaryFolder());

    [TearDown]
    public void Stop()
    {
        _folder?.Dispose();
        _server?.Dispose();
    }

    [Test]
    public async Task Each_change_is_told_once()
    {
        var license = _server.Issue("Subscription");
        await using var client = _server.Client(license, _folder);
        var heard = new Heard();
        await using var watch = client.Watch(heard.Add, Often);
        Assert.That(heard.Next(), Is.EqualTo(Status.Valid));
        var asked = _server.CountRequests();
        Until(() => _server.CountRequests() > asked + 3);
        Assert.That(heard.IsEmpty, Is.True);
        _server.Act(license, "suspend");
        Assert.That(heard.Next(), Is.EqualTo(Status.Suspended));
        _server.Act(license, "reinstate");
        Assert.That(heard.Next(), Is.EqualTo(Status.Valid));
        Assert.That(watch.Result!.IsValid, Is.True);
    }

    [Test]
    public async Task It_stops_with_its_block_and_with_its_client()
    {
        var client = _server.Client(_server.Issue("Subscription"), _folder);
        var heard = new Heard();
        var first = client.Watch(heard.Add, Often);
        Assert.That(heard.Next(), Is.EqualTo(Status.Valid));
        await first.DisposeAsync();
        var second = client.Watch(heard.Add, Often);
        Assert.That(heard.Next(), Is.EqualTo(Status.Valid));
        await client.DisposeAsync();
        second.Dispose();
        Assert.That(first.Running.IsCompletedSuccessfully && second.Running.IsCompletedSuccessfully, Is.True);
        Assert.Throws<ObjectDisposedException>(() => client.Watch(heard.Add));
    }

    [Test]
    public async Task A_revocation_reaches_an_offline_license()
    {
        var license = _server.Issue("Perpetual", "Offline");
        File.WriteAllText(_folder.File("license.bin"), _server.Act(license, "file").Text("file"));
        _server.Act(license, "revoke");
        await using var client = _server.Client(license, _folder);
        var heard = new Heard();
        await using var watch = client.Watch(heard.Add);
        Assert.That(heard.Next(), Is.EqualTo(Status.Revoked));
    }

    [Test]
    public async Task A_callback_that_throws_does_not_end_it()
    {
        var license = _server.Issue("Subscription");
        var lines = new ConcurrentQueue<string>();
        await using var client = _server.Client(license, _folder, lines.Enqueue);
        var heard = new Heard();
        await using var watch = client.Watch(
            result =>
            {
                heard.Add(result);
                throw new InvalidOperationException("expected");
            },
            Often);
        Assert.That(heard.Next(), Is.EqualTo(Status.Valid));
        _server.Act(license, "revoke");
        Assert.That(heard.Next(), Is.EqualTo(Status.Revoked));
        Assert.That(string.Join('\n', lines), Does.Contain("InvalidOperationException: expected"));
    }

    [Test]
    public async Task A_callback_may_dispose_it()
    {
        await using var client = _server.Client(_server.Issue("Subscription"), _folder);
        var given = new TaskCompletionSource<LicenseWatch>();
        var stopped = new TaskCompletionSource();
        given.SetResult(client.Watch(
            _ =>
            {
                given.Task.Result.Dispose();
                stopped.SetResult();
            },
            Often));
        await stopped.Task;
        await given.Task.Result.Running;
    }

    [Test]
    public async Task A_file_that_cannot_be_read_is_a_warning_where_the_server_can_speak()
    {
        var link = _folder.File("link");
        Directory.CreateSymbolicLink(link, new string('x', 300)); // too long for any file system
        await using var client = _server.Client(_server.Issue("Subscription"), _folder, file: "link/license.bin");
        var result = await client.ValidateAsync();
        Assert.That(result.Status, Is.EqualTo(Status.Valid));
        Assert.That(string.Join(' ', result.Warnings), Does.Contain("license.bin cannot be read"));
    }

    [Test]
    public async Task An_open_license_follows_the_latest_check()
    {
        var license = _server.Issue("Subscription");
        await using var client = _server.Client(license, _folder);
        var heard = new Heard();
        await using var opened = await client.OpenAsync(changed: heard.Add);
        Assert.That(opened.HasFeature("export"), Is.True);
        _server.Act(license, "suspend");
        await client.ValidateAsync();
        Assert.That(heard.Next(), Is.EqualTo(Status.Suspended));
        Assert.That((opened.Status, opened.IsValid, opened.HasFeature("export")), Is.EqualTo((Status.Suspended, false, false)));
        _server.Act(license, "reinstate");
        await client.ValidateOnlineAsync();
        Assert.That(heard.Next(), Is.EqualTo(Status.Valid));
        Assert.That(opened.IsValid && heard.IsEmpty, Is.True);
    }

    [TestCase(0)]
    [TestCase(-1)]
    [TestCase(31)]
    public void An_interval_is_positive_and_a_month_at_most(int days)
    {
        using var client = _server.Client(_server.Issue("Subscription"), _folder);
        Assert.Throws<ArgumentOutOfRangeException>(() => client.Watch(_ => { }, TimeSpan.FromDays(days)));
    }

    private static void Until(Func<bool> holds) =>
        Assert.That(SpinWait.SpinUntil(holds, TimeSpan.FromSeconds(30)), Is.True, "it did not happen");

    /// <summary>The results that a callback was given, with a wait for the next one.</summary>
    private sealed class Heard
    {
        private readonly BlockingCollection<LicenseResult> _results = new();

        internal bool IsEmpty => _results.Count == 0;

        internal void Add(LicenseResult result) => _results.Add(result);

        internal Status Next() =>
            _results.TryTake(out var result, TimeSpan.FromSeconds(30))
                ? result.Status
                : throw new TimeoutException("the callback was not called");
    }
}
