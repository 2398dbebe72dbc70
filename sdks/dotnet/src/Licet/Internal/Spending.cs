namespace Licet.Internal;

/// <summary>What became of a charge without the server.</summary>
/// <param name="Made">The charge, if the reserved credits paid for it.</param>
/// <param name="Shortage">Why not, if they do not cover it.</param>
internal sealed record SpendingAttempt(Consumption? Made = null, RequestRefusedException? Shortage = null);

/// <summary>Charging reserved credits: a line of the journal, without the server.</summary>
internal static class Spending
{
    private static readonly SpendingAttempt NotReserved = new();

    /// <summary>Charges the reserved credits of this device, if there are any for it; otherwise the server has to.</summary>
    /// <exception cref="RequestRefusedException">The idempotency key was used for another charge.</exception>
    /// <exception cref="LicenseFileException">The journal cannot be written, and there is no server.</exception>
    internal static async Task<SpendingAttempt> TryAsync(
        LicenseCore core, Charge charge, CancellationToken cancellationToken)
    {
        if (core.KnownKey() is null || KeptLease.Load(core.CreditsPath).Token is null)
        {
            return NotReserved;
        }
        try
        {
            using var turn = await LeaseTurn.WaitAsync(core, core.CreditsPath, cancellationToken).ConfigureAwait(false);
            return Try(core, charge);
        }
        catch (LicenseFileException error) when (core.Config.HasServer)
        {
            core.Config.Log($"Reserved credits were not charged: {error.Message}");
            return NotReserved;
        }
    }

    private static SpendingAttempt Try(LicenseCore core, Charge charge)
    {
        if (core.KeptReservation() is not { } kept)
        {
            return NotReserved;
        }
        if (kept.Journal.Find(charge.IdempotencyKey) is { } earlier)
        {
            return ReservationToken.IsSame(earlier.Feature, charge.Feature) && earlier.Quantity == charge.Quantity
                ? new SpendingAttempt(Confirm(kept, earlier, replayed: true))
                : throw ServerErrors.Refused("IdempotencyKeyReused");
        }
        if (core.CheckFile().Reservation?.Token.Find(charge.Feature) is not { } found)
        {
            return NotReserved;
        }
        if (Amounts.Cost(found.Price, charge.Quantity) is not { } cost)
        {
            return NotReserved;
        }
        if (cost > kept.Remaining)
        {
            return new SpendingAttempt(Shortage: ServerErrors.Insufficient(cost, kept.Remaining));
        }
        var end = kept.Journal.End;
        var line = new JournalLine(
            end.Lines + 1, found.Name, charge.Quantity, cost, core.Config.Now.ToUnixTimeSeconds(), charge.IdempotencyKey,
            end.Head);
        if (line.Write() is not { } text)
        {
            return NotReserved;
        }
        var journal = core.Journal.Append(kept.Journal, text);
        return new SpendingAttempt(Confirm(kept with { Journal = journal }, line, replayed: false));
    }

    private static Consumption Confirm(Reservation kept, JournalLine line, bool replayed) => new(
        line.Feature, line.Quantity, line.Cost, kept.Remaining, $"{kept.Lease.Id}/{line.Number}",
        kept.Lease.File.License.Id, line.Key, replayed, Reserved: true);
}
