using Licet.Internal;

namespace Licet;

/// <summary>
/// Credits that this device has reserved: until their end, <see cref="LicenseClient.ConsumeAsync"/> charges them without
/// the license server. Report what was spent with <see cref="ReportAsync"/>, and return the rest with
/// <see cref="ReturnAsync"/>.
/// </summary>
/// <example>
/// <code>
/// var reserved = await client.ReserveAsync(500, days: 7);
/// var charge = await client.ConsumeAsync("export");
/// Console.WriteLine($"{charge.Balance} of {reserved.Amount} left until {reserved.EndsAt:d}.");
/// </code>
/// </example>
public sealed class ReservedCredits
{
    private readonly LicenseCore _core;
    private volatile Reservation _reservation;

    internal ReservedCredits(LicenseCore core, Reservation reservation) => (_core, _reservation) = (core, reservation);

    /// <summary>The lease's ID, as the vendor sees it.</summary>
    public string LeaseId => _reservation.Lease.Id;

    /// <summary>1, and one more with each renewal.</summary>
    public int Seq => _reservation.Lease.Seq;

    /// <summary>How much was reserved.</summary>
    public decimal Amount => _reservation.Token.Amount;

    /// <summary>What was spent of it so far, by all copies of the application on this device. Reads the journal.</summary>
    public decimal Spent
    {
        get
        {
            _ = Look();
            return _reservation.Journal.End.Used;
        }
    }

    /// <summary>What is left of it; 0 once it is given back. Reads the journal.</summary>
    public decimal Remaining => Look()?.Remaining ?? 0;

    /// <summary>How many charges the server does not have yet. Reads the journal.</summary>
    public int Unreported
    {
        get
        {
            _ = Look();
            return _reservation.Journal.End.Lines - _reservation.Reported;
        }
    }

    /// <summary>Until when the credits are reserved, by the server's clock.</summary>
    public DateTimeOffset EndsAt => _reservation.Lease.EndsAt;

    /// <summary>
    /// Reports what was spent so far. The rest stays reserved, unless the server has ended the reservation meanwhile.
    /// </summary>
    /// <exception cref="RequestRefusedException">Refused, for example with LeaseForked as its error code.</exception>
    /// <exception cref="LicenseFileException">What was reported cannot be stored.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond; report again later.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public async Task ReportAsync(CancellationToken cancellationToken = default) =>
        _reservation = await Task.Run(
            () => Reservations.ReportAsync(_core, LeaseId, cancellationToken), cancellationToken).ConfigureAwait(false)
            ?? _reservation;

    /// <summary>
    /// Reports what was spent, reserves the rest for so many days from now, and returns this object with the new end,
    /// which is never an earlier one. Amount and prices stay.
    /// </summary>
    /// <param name="days">1 to 366; the vendor may allow fewer.</param>
    /// <param name="cancellationToken">Cancels the call; the credits may have been renewed.</param>
    /// <exception cref="ArgumentOutOfRangeException">The days are out of range; nothing was sent.</exception>
    /// <exception cref="RequestRefusedException">Refused, for example with LeaseLimitReached as its error code.</exception>
    /// <exception cref="LicenseFileException">The lease cannot be stored; nothing was sent.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond; the next call asks for the same again.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public async Task<ReservedCredits> RenewAsync(int days = 7, CancellationToken cancellationToken = default)
    {
        Leases.CheckDays(days);
        _reservation = await Task.Run(
            () => Reservations.RenewAsync(_core, LeaseId, days, cancellationToken), cancellationToken).ConfigureAwait(false);
        return this;
    }

    /// <summary>
    /// Reports what was spent and returns the rest. From this call on, nothing more is spent. If the server does not
    /// respond, the receipt is kept and sent with the next contact; call this again to hear whether it has arrived.
    /// </summary>
    /// <exception cref="LicenseFileException">The receipt cannot be stored; the credits are still reserved.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond; the receipt is sent later.</exception>
    /// <exception cref="LicetServerException">The server responded with an error; the receipt is sent again later.</exception>
    public Task ReturnAsync(CancellationToken cancellationToken = default) =>
        Task.Run(() => Reservations.ReturnAsync(_core, LeaseId, cancellationToken), cancellationToken);

    /// <summary>What there is now; null if it was given back.</summary>
    private Reservation? Look()
    {
        try
        {
            if (_core.KeptReservation() is { } kept && kept.Lease.Id == LeaseId)
            {
                return _reservation = kept;
            }
        }
        catch (LicetException error)
        {
            _core.Config.Log($"The reserved credits were not looked at: {error.Message}");
        }
        return null;
    }
}
