using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>
/// Reserved credits. The server sets some aside for days against a signed token, and settles what was spent by the journal
/// of this device. What is asked or given back is written down first, so that a lost answer costs nothing: the same
/// request is sent again, and nothing is spent any more of what was given back. Copies of the application make requests
/// one at a time, and go on spending meanwhile: a report that overtakes another one looks like a copied folder.
/// </summary>
internal static class Reservations
{
    private const int MaxLines = 500;
    private const string Open = "Open";

    /// <exception cref="ArgumentOutOfRangeException">So much cannot be reserved.</exception>
    internal static void CheckAmount(decimal credits)
    {
        if (credits <= 0 || !Amounts.IsPlain(credits))
        {
            throw new ArgumentOutOfRangeException(
                nameof(credits), credits, "must be more than 0, with at most 6 decimal places");
        }
    }

    /// <summary>Reserves credits, or finishes reserving some whose answer was lost.</summary>
    internal static async Task<Reservation> ReserveAsync(
        LicenseCore core, decimal credits, int days, CancellationToken cancellationToken)
    {
        core.Api.RequireServer();
        using var turn = await LeaseTurn.WaitAsync(core, TurnPath(core), cancellationToken).ConfigureAwait(false);
        await GiveBackAsync(core, Ended, cancellationToken).ConfigureAwait(false);
        try
        {
            await SendReturnAsync(core, CallOptions.Usual, cancellationToken).ConfigureAwait(false);
        }
        catch (RequestRefusedException refusal) when (IsFinal(refusal))
        {
            core.Config.Log($"The last reserved credits were not returned: {refusal.Message}");
        }
        if (KeptLease.Load(core.CreditsPath).Pending is { Seq: null } pending)
        {
            try
            {
                return await AskAsync(core, pending, cancellationToken).ConfigureAwait(false);
            }
            catch (RequestRefusedException refusal)
            {
                core.Config.Log($"Credits were not reserved after all: {refusal.Message}");
            }
        }
        if (core.CheckFile().Reservation is { } held)
        {
            throw ServerErrors.Refused(
                "LeaseLimitReached",
                $"This device has reserved credits until {Clock.Format(held.Lease.EndsAt)}. Renew or return them.");
        }
        var asked = new PendingLease(Leases.NewKey(), days, Amount: credits);
        return await AskAsync(core, asked, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Reports what was spent, then renews the reservation.</summary>
    internal static async Task<Reservation> RenewAsync(
        LicenseCore core, string leaseId, int days, CancellationToken cancellationToken)
    {
        core.Api.RequireServer();
        using var turn = await LeaseTurn.WaitAsync(core, TurnPath(core), cancellationToken).ConfigureAwait(false);
        var (kept, finished) = await FinishRenewalAsync(core, leaseId, cancellationToken).ConfigureAwait(false);
        kept = await ReportAsync(core, kept, cancellationToken).ConfigureAwait(false) ?? throw NotReserved();
        if (finished == days)
        {
            return kept;
        }
        var asked = new PendingLease(Leases.NewKey(), days, Seq: kept.Lease.Seq);
        return await AskAsync(core, asked, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Reports what was spent, and returns what is kept then; null if the server has ended the lease.</summary>
    internal static async Task<Reservation?> ReportAsync(
        LicenseCore core, string leaseId, CancellationToken cancellationToken)
    {
        core.Api.RequireServer();
        using var turn = await LeaseTurn.WaitAsync(core, TurnPath(core), cancellationToken).ConfigureAwait(false);
        var (kept, _) = await FinishRenewalAsync(core, leaseId, cancellationToken).ConfigureAwait(false);
        return await ReportAsync(core, kept, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Gives the rest back: from now on nothing is spent, and then the server is told.</summary>
    internal static async Task ReturnAsync(LicenseCore core, string leaseId, CancellationToken cancellationToken)
    {
        using var turn = await LeaseTurn.WaitAsync(core, TurnPath(core), cancellationToken).ConfigureAwait(false);
        await GiveBackAsync(core, _ => Kept(core, leaseId), cancellationToken).ConfigureAwait(false);
        await SendReturnAsync(core, CallOptions.Usual, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Reports credits that were given back without the server, or have ended, in one attempt. A failure is only logged.
    /// </summary>
    internal static async Task ReturnQuietlyAsync(LicenseCore core, CancellationToken cancellationToken)
    {
        if (!core.Config.HasServer || (KeptLease.Load(core.CreditsPath).Returning is null && Ended(core) is null))
        {
            return;
        }
        try
        {
            using var turn = LeaseTurn.Take(TurnPath(core));
            await GiveBackAsync(core, Ended, cancellationToken).ConfigureAwait(false);
            var options = new CallOptions { Retries = RetryPolicy.None, Timeout = Leases.QuietTimeout };
            await SendReturnAsync(core, options, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (error is LicetException || Disk.IsFault(error))
        {
            core.Config.Log($"The return of reserved credits was not reported: {error.Message}");
        }
    }

    /// <summary>Returns what is kept of a lease, after a renewal whose answer was lost, and the days of that one.</summary>
    private static async Task<(Reservation Kept, int? Days)> FinishRenewalAsync(
        LicenseCore core, string leaseId, CancellationToken cancellationToken)
    {
        var kept = Kept(core, leaseId) ?? throw NotReserved();
        if (KeptLease.Load(core.CreditsPath).Pending is not { Seq: not null } pending)
        {
            return (kept, null);
        }
        try
        {
            return (await AskAsync(core, pending, cancellationToken).ConfigureAwait(false), pending.Days);
        }
        catch (RequestRefusedException refusal) when (refusal.ErrorCode is "LeaseLimitReached" or "IdempotencyKeyReused")
        {
            core.Config.Log($"The reserved credits were not renewed after all: {refusal.Message}");
            return (kept, null);
        }
    }

    private static RequestRefusedException NotReserved() => ServerErrors.Refused(
        "LeaseNotFound", "This device has no reserved credits that could be reported, renewed or returned.");

    private static Reservation? Kept(LicenseCore core, string leaseId) =>
        core.KeptReservation() is { } kept && kept.Lease.Id == leaseId ? kept : null;

    private static Reservation? Ended(LicenseCore core) =>
        core.KeptReservation() is { } kept && !core.IsRunning(kept.Lease) ? kept : null;

    /// <summary>Ends the spending of a reservation that is found, while no copy of the application charges it.</summary>
    private static async Task GiveBackAsync(
        LicenseCore core, Func<LicenseCore, Reservation?> find, CancellationToken cancellationToken)
    {
        if (find(core) is null)
        {
            return;
        }
        using var moment = await LeaseTurn.WaitAsync(core, core.CreditsPath, cancellationToken).ConfigureAwait(false);
        if (find(core) is not { } kept)
        {
            return;
        }
        var receipt = Sign(core, kept.Lease.Id, kept.Lease.Seq, "Returned", kept.Journal.End);
        // The server may have renewed the lease without an answer: then the receipt is of an older token.
        var pending = KeptLease.Load(core.CreditsPath).Pending;
        new KeptLease(
            Pending: pending is { Seq: not null } ? pending : null, Returning: receipt, Reported: kept.Reported)
            .Save(core.CreditsPath);
    }

    private static string TurnPath(LicenseCore core) => $"{core.CreditsPath}.report";

    private static string Sign(LicenseCore core, string leaseId, int seq, string kind, JournalMark spent) =>
        (core.Api.Proof.Key ?? throw ServerErrors.Refused("DeviceProofRequired"))
        .SignSpent(core.Config.ProductId, leaseId, seq, core.Config.Now, kind, spent);

    /// <summary>
    /// Reports the lines that the server does not have, and returns what is kept then; null if the server has ended the
    /// lease.
    /// </summary>
    private static async Task<Reservation?> ReportAsync(
        LicenseCore core, Reservation kept, CancellationToken cancellationToken)
    {
        var (lease, end) = (kept.Lease, kept.Journal.End.Lines);
        var parts = new Parts(core, lease.Id, lease.Seq, kept.Journal, CallOptions.Usual);
        var isOpen = await FromReportedAsync(
            kept.Reported, from => parts.ReportAsync(from, end, cancellationToken)).ConfigureAwait(false);
        if (isOpen)
        {
            return kept with { Reported = end };
        }
        core.Config.Log("The server has ended the reserved credits. What it did not know of is not charged.");
        Forget(core);
        return null;
    }

    /// <summary>Sends the receipt that waits, if one does, until an answer is final.</summary>
    private static async Task SendReturnAsync(LicenseCore core, CallOptions options, CancellationToken cancellationToken)
    {
        var kept = KeptLease.Load(core.CreditsPath);
        if (kept.Returning is not { } receipt)
        {
            return;
        }
        try
        {
            if (Leases.ClaimsOf(receipt) is { } claims && claims.Text("lease") is { } leaseId)
            {
                var journal = core.Journal.Load(leaseId) ?? new Journal(leaseId);
                var end = Math.Min(claims.Count("lines") ?? 0, journal.End.Lines);
                var parts = new Parts(core, leaseId, claims.Count("seq") ?? 1, journal, options);
                await FromReportedAsync(
                    Math.Min(kept.Reported, end),
                    async from =>
                    {
                        var last = from + Math.Max(0, (end - from - 1) / MaxLines * MaxLines);
                        if (!await parts.ReportAsync(from, last, cancellationToken).ConfigureAwait(false))
                        {
                            return false;
                        }
                        var fields = new JsonObject
                        {
                            ["receipt"] = receipt,
                            ["idempotencyKey"] = kept.Pending?.IdempotencyKey,
                            ["journal"] = parts.Lines(last, end),
                        };
                        await parts.CallAsync("return", fields, cancellationToken).ConfigureAwait(false);
                        return true;
                    }).ConfigureAwait(false);
            }
        }
        catch (RequestRefusedException refusal) when (IsFinal(refusal))
        {
            Forget(core);
            if (refusal.ErrorCode == "LeaseNotFound")
            {
                return; // there is nothing to take back
            }
            throw;
        }
        Forget(core);
    }

    /// <summary>Sends lines from the first that is not reported; from the first of all, if the server has fewer.</summary>
    private static async Task<bool> FromReportedAsync(int reported, Func<int, Task<bool>> send)
    {
        try
        {
            return await send(reported).ConfigureAwait(false);
        }
        catch (RequestRefusedException refusal) when (refusal.HttpStatus == 400 && reported > 0)
        {
            return await send(0).ConfigureAwait(false);
        }
    }

    /// <summary>Whether a receipt is refused for ever.</summary>
    private static bool IsFinal(RequestRefusedException refusal) =>
        refusal.HttpStatus is 400 or 404 or 409 && refusal.Code != LicetErrorCode.ConcurrencyConflict;

    private static void Forget(LicenseCore core)
    {
        new KeptLease().Save(core.CreditsPath);
        core.Journal.Delete();
    }

    /// <summary>
    /// Asks for a reservation or a renewal, and keeps its token. A refusal ends the request; no answer does not. The
    /// journal is there before the token is: without one, the credits cannot be spent.
    /// </summary>
    private static async Task<Reservation> AskAsync(
        LicenseCore core, PendingLease asked, CancellationToken cancellationToken)
    {
        var before = KeptLease.Load(core.CreditsPath);
        var kept = before with { Pending = asked };
        kept.Save(core.CreditsPath);
        var renewed = asked.Seq is null ? null : core.KeptReservation() ?? throw NotReserved();
        var (path, fields) = renewed is null
            ? ("/leases", ReserveFields(core, asked))
            : (Leases.PathOf(renewed.Lease.Id, "renew"), new JsonObject
            {
                ["days"] = asked.Days, ["seq"] = asked.Seq, ["idempotencyKey"] = asked.IdempotencyKey,
            });
        ApiReply reply;
        try
        {
            var options = new CallOptions { IsSuccess = status => status is 200 or 201 };
            reply = await core.Api.CallAsync(path, fields, options, cancellationToken).ConfigureAwait(false);
        }
        catch (RequestRefusedException refusal)
        {
            // A renewal that is sent again may have been made before the license was refused.
            if (before.Pending != asked || asked.Seq is null || Leases.IsOfLease(refusal))
            {
                (kept with { Pending = null }).Save(core.CreditsPath);
            }
            throw;
        }
        var token = Take(core, reply, asked, renewed);
        var journal = renewed?.Journal ?? core.Journal.Create(token.Lease.Id);
        var reported = renewed?.Reported ?? 0;
        new KeptLease(token.Lease.Text, Reported: reported).Save(core.CreditsPath);
        return new Reservation(token, journal, reported);
    }

    private static JsonObject ReserveFields(LicenseCore core, PendingLease asked) =>
        core.WithCredentials(new JsonObject
        {
            ["licenseKey"] = core.RequiredKey(),
            ["hardwareId"] = core.HardwareIdText,
            ["kind"] = ReservationToken.Credits,
            ["days"] = asked.Days,
            ["amount"] = asked.Amount,
            ["deviceName"] = core.Config.DeviceName,
            ["appVersion"] = core.Config.AppVersion,
            ["idempotencyKey"] = asked.IdempotencyKey,
        });

    private static ReservationToken Take(
        LicenseCore core, ApiReply reply, PendingLease asked, Reservation? renewed)
    {
        try
        {
            var holder = core.Holder(core.RequiredKey());
            var token = ReservationToken.Verify(reply.Body.Text("lease"), core.Config.PublicKeys, holder);
            token.Lease.Follow(renewed?.Lease);
            RejectedTokenException.Require(
                token.Amount == (renewed?.Token.Amount ?? asked.Amount), "it is of another amount");
            return token;
        }
        catch (RejectedTokenException reason)
        {
            throw ServerErrors.Unexpected(
                $"The reserved credits cannot be trusted: {reason.Message}.", reply.RequestId,
                hint: "Check that the application has the product's current public key and the right server address.");
        }
    }

    /// <summary>The lines of a journal on their way to the server, in parts that it takes.</summary>
    private sealed record Parts(LicenseCore Core, string LeaseId, int Seq, Journal Journal, CallOptions Options)
    {
        /// <summary>Reports the lines after one, up to another; returns whether the lease is still open.</summary>
        internal async Task<bool> ReportAsync(int from, int end, CancellationToken cancellationToken)
        {
            for (int to; from < end; from = to)
            {
                to = Math.Min(from + MaxLines, end);
                var fields = new JsonObject
                {
                    ["receipt"] = Sign(Core, LeaseId, Seq, "Used", Journal.MarkAt(to)),
                    ["journal"] = Lines(from, to),
                };
                var reply = await CallAsync("report", fields, cancellationToken).ConfigureAwait(false);
                if ((reply.Body.Text("state") ?? throw ServerErrors.NotOfAServer("the report", reply.RequestId)) != Open)
                {
                    return false;
                }
                // Before the next part: a part that the server knows already must not be sent without what follows it.
                (KeptLease.Load(Core.CreditsPath) with { Reported = to }).Save(Core.CreditsPath);
            }
            return true;
        }

        internal JsonArray Lines(int from, int to) =>
            new(Journal.Texts(from, to).Select(text => (JsonNode?)text).ToArray());

        internal Task<ApiReply> CallAsync(string action, JsonObject fields, CancellationToken cancellationToken) =>
            Core.Api.CallAsync(Leases.PathOf(LeaseId, action), fields, Options, cancellationToken);
    }
}
