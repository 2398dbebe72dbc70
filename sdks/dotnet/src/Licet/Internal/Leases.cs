using System.Security.Cryptography;
using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>A live session whose seat is to be borrowed.</summary>
internal sealed record LentSession(string Id, string InstanceId);

/// <summary>
/// Borrowed seats. The server lends a seat for some days against a signed token, and takes it back against a receipt of
/// this device. What is asked or given back is written down first, so that a lost answer costs nothing: the same request
/// is sent again, and a seat that was given back is never used again.
/// </summary>
internal static class Leases
{
    private const int MaxDays = 366;
    internal static readonly TimeSpan QuietTimeout = TimeSpan.FromSeconds(2);

    /// <exception cref="ArgumentOutOfRangeException">Nothing is borrowed or reserved for so many days.</exception>
    internal static void CheckDays(int days)
    {
        if (days is < 1 or > MaxDays)
        {
            throw new ArgumentOutOfRangeException(nameof(days), days, $"must be from 1 to {MaxDays}");
        }
    }

    /// <summary>Borrows the seat of a session. Also returns the session whose seat was borrowed.</summary>
    internal static async Task<(LeaseToken Lease, string? SessionId)> BorrowAsync(
        LicenseCore core, LentSession session, int days, CancellationToken cancellationToken)
    {
        core.Api.RequireServer();
        using var turn = await LeaseTurn.WaitAsync(core, core.LeasePath, cancellationToken).ConfigureAwait(false);
        try
        {
            await ReportAsync(core, CallOptions.Usual, cancellationToken).ConfigureAwait(false);
        }
        catch (RequestRefusedException refusal) when (IsFinal(refusal))
        {
            core.Config.Log($"The last borrowed seat was not returned: {refusal.Message}");
        }
        if (KeptLease.Load(core.LeasePath).Pending is { Seq: null } pending)
        {
            try
            {
                return await AskAsync(core, session, pending, cancellationToken).ConfigureAwait(false);
            }
            catch (RequestRefusedException refusal)
            {
                core.Config.Log($"A seat was not borrowed after all: {refusal.Message}");
            }
        }
        if (core.BorrowedSeat() is { } held)
        {
            throw AlreadyBorrowed(held.EndsAt);
        }
        var asked = new PendingLease(NewKey(), days, session.Id);
        return await AskAsync(core, session, asked, cancellationToken).ConfigureAwait(false);
    }

    internal static RequestRefusedException AlreadyBorrowed(DateTimeOffset until) => ServerErrors.Refused(
        "LeaseLimitReached", $"This device has borrowed a seat until {Clock.Format(until)}. Renew or return it.");

    /// <summary>Renews a lease.</summary>
    internal static async Task<LeaseToken> RenewAsync(
        LicenseCore core, string leaseId, int days, CancellationToken cancellationToken)
    {
        core.Api.RequireServer();
        using var turn = await LeaseTurn.WaitAsync(core, core.LeasePath, cancellationToken).ConfigureAwait(false);
        if (core.KeptToken() is not { } lease || lease.Id != leaseId)
        {
            throw ServerErrors.Refused("LeaseNotFound");
        }
        if (KeptLease.Load(core.LeasePath).Pending is { Seq: not null } pending)
        {
            try
            {
                lease = (await AskAsync(core, null, pending, cancellationToken).ConfigureAwait(false)).Lease;
                if (pending.Days == days)
                {
                    return lease;
                }
            }
            catch (RequestRefusedException refusal) when (refusal.ErrorCode is "LeaseLimitReached" or "IdempotencyKeyReused")
            {
                core.Config.Log($"The seat was not renewed after all: {refusal.Message}");
            }
        }
        var asked = new PendingLease(NewKey(), days, Seq: lease.Seq);
        return (await AskAsync(core, null, asked, cancellationToken).ConfigureAwait(false)).Lease;
    }

    /// <summary>Gives a seat back: from now on it is not used, and then the server is told.</summary>
    internal static async Task ReturnAsync(LicenseCore core, string leaseId, CancellationToken cancellationToken)
    {
        using var turn = await LeaseTurn.WaitAsync(core, core.LeasePath, cancellationToken).ConfigureAwait(false);
        if (core.KeptToken() is { } lease && lease.Id == leaseId)
        {
            var receipt = (core.Api.Proof.Key ?? throw ServerErrors.Refused("DeviceProofRequired"))
                .SignReturn(core.Config.ProductId, lease.Id, lease.Seq, core.Config.Now);
            // The server may have renewed the lease without an answer: then the receipt is of an older token.
            var pending = KeptLease.Load(core.LeasePath).Pending;
            new KeptLease(Pending: pending is { Seq: not null } ? pending : null, Returning: receipt).Save(core.LeasePath);
        }
        await ReportAsync(core, CallOptions.Usual, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Reports a seat that was given back without the server, in one attempt. A failure is only logged.</summary>
    internal static async Task ReportQuietlyAsync(LicenseCore core, CancellationToken cancellationToken)
    {
        if (KeptLease.Load(core.LeasePath).Returning is null || !core.Config.HasServer)
        {
            return;
        }
        try
        {
            using var turn = LeaseTurn.Take(core.LeasePath);
            var options = new CallOptions { Retries = RetryPolicy.None, Timeout = QuietTimeout };
            await ReportAsync(core, options, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (error is LicetException || Disk.IsFault(error))
        {
            core.Config.Log($"The return of a borrowed seat was not reported: {error.Message}");
        }
    }

    /// <summary>Sends the receipt that waits, if one does, until an answer is final.</summary>
    private static async Task ReportAsync(LicenseCore core, CallOptions options, CancellationToken cancellationToken)
    {
        var kept = KeptLease.Load(core.LeasePath);
        if (kept.Returning is not { } receipt)
        {
            return;
        }
        try
        {
            if (ClaimsOf(receipt)?.Text("lease") is { } leaseId)
            {
                var fields = new JsonObject { ["receipt"] = receipt, ["idempotencyKey"] = kept.Pending?.IdempotencyKey };
                await core.Api.CallAsync(PathOf(leaseId, "return"), fields, options, cancellationToken)
                    .ConfigureAwait(false);
            }
        }
        catch (RequestRefusedException refusal) when (IsFinal(refusal))
        {
            new KeptLease().Save(core.LeasePath);
            if (refusal.ErrorCode == "LeaseNotFound")
            {
                return; // there is nothing to take back
            }
            throw;
        }
        new KeptLease().Save(core.LeasePath);
    }

    /// <summary>Whether a receipt is refused for ever.</summary>
    private static bool IsFinal(RequestRefusedException refusal) => refusal.HttpStatus is 400 or 404 or 409;

    /// <summary>
    /// Asks for a lease or a renewal, and keeps its token. A refusal ends the request; no answer does not. Also returns the
    /// session whose seat is borrowed.
    /// </summary>
    private static async Task<(LeaseToken Lease, string? SessionId)> AskAsync(
        LicenseCore core, LentSession? session, PendingLease asked, CancellationToken cancellationToken)
    {
        var before = KeptLease.Load(core.LeasePath);
        var kept = before with { Pending = asked };
        kept.Save(core.LeasePath);
        var renewed = asked.Seq is null ? null : core.KeptToken();
        var (path, fields) = renewed is null
            ? ("/leases", BorrowFields(core, session, asked))
            : (PathOf(renewed.Id, "renew"), new JsonObject
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
            if (before.Pending != asked || asked.Seq is null || IsOfLease(refusal))
            {
                (kept with { Pending = null }).Save(core.LeasePath);
            }
            throw;
        }
        var lease = Take(core, reply, renewed);
        var sessionId = renewed is null ? reply.Body.Text("sessionId") ?? asked.SessionId : kept.SessionId;
        new KeptLease(lease.Text, sessionId).Save(core.LeasePath);
        return (lease, sessionId);
    }

    /// <summary>Whether the server has looked for the request among those that it made, and refused it.</summary>
    internal static bool IsOfLease(RequestRefusedException refusal) =>
        refusal.Code is LicetErrorCode.LeaseRefused or LicetErrorCode.IdempotencyKeyReused;

    private static JsonObject BorrowFields(LicenseCore core, LentSession? session, PendingLease asked) =>
        core.WithCredentials(new JsonObject
        {
            ["licenseKey"] = core.RequiredKey(),
            ["hardwareId"] = core.HardwareIdText,
            ["kind"] = "Seat",
            ["days"] = asked.Days,
            ["sessionId"] = asked.SessionId,
            ["instanceId"] = session?.InstanceId,
            ["deviceName"] = core.Config.DeviceName,
            ["appVersion"] = core.Config.AppVersion,
            ["idempotencyKey"] = asked.IdempotencyKey,
        });

    private static LeaseToken Take(LicenseCore core, ApiReply reply, LeaseToken? renewed)
    {
        try
        {
            var holder = core.Holder(core.RequiredKey());
            return LeaseToken.Verify(reply.Body.Text("lease"), core.Config.PublicKeys, holder).Follow(renewed);
        }
        catch (RejectedTokenException reason)
        {
            throw ServerErrors.Unexpected(
                $"The borrowed seat cannot be trusted: {reason.Message}.", reply.RequestId,
                hint: "Check that the application has the product's current public key and the right server address.");
        }
    }

    internal static string PathOf(string leaseId, string action) => $"/leases/{Uri.EscapeDataString(leaseId)}/{action}";

    internal static string NewKey() => Base64Url.Encode(RandomNumberGenerator.GetBytes(18));

    /// <summary>What a receipt says; null if the file is damaged. Verifies nothing.</summary>
    internal static JsonElement? ClaimsOf(string receipt)
    {
        try
        {
            return JsonReading.ParseClaims(Base64Url.Decode(receipt.Split('.').ElementAtOrDefault(1) ?? ""));
        }
        catch (RejectedTokenException)
        {
            return null;
        }
    }
}
