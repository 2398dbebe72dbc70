using Licet.Internal;

namespace Licet;

/// <summary>
/// A seat that this device has borrowed: until its end, the application needs no license server. Return it early with
/// <see cref="ReturnAsync"/>; at its end the server takes it back.
/// </summary>
/// <example>
/// <code>
/// var seat = await license.BorrowAsync(days: 14);
/// Console.WriteLine($"Works offline until {seat.EndsAt:d}.");
/// </code>
/// </example>
public sealed class BorrowedSeat
{
    private readonly LicenseCore _core;
    private volatile LeaseToken _lease;

    internal BorrowedSeat(LicenseCore core, LeaseToken lease, string? sessionId) =>
        (_core, _lease, SessionId) = (core, lease, sessionId);

    /// <summary>The lease's ID, as the vendor sees it.</summary>
    public string LeaseId => _lease.Id;

    /// <summary>1, and one more with each renewal.</summary>
    public int Seq => _lease.Seq;

    /// <summary>Until when the seat is borrowed, by the server's clock.</summary>
    public DateTimeOffset EndsAt => _lease.EndsAt;

    /// <summary>The session whose seat was borrowed, if that is known.</summary>
    internal string? SessionId { get; }

    /// <summary>Whether the seat may still be used by this machine's clock, and was not returned.</summary>
    internal bool IsHeld => _core.KeptToken()?.Id == LeaseId && _core.IsRunning(_lease);

    /// <summary>
    /// Borrows the seat for so many days from now, and returns this object with the new end, which is never an earlier
    /// one.
    /// </summary>
    /// <param name="days">1 to 366; the vendor may allow fewer.</param>
    /// <param name="cancellationToken">Cancels the call; the seat may have been renewed.</param>
    /// <exception cref="ArgumentOutOfRangeException">The days are out of range; nothing was sent.</exception>
    /// <exception cref="RequestRefusedException">Refused, for example with LeaseLimitReached as its error code.</exception>
    /// <exception cref="LicenseFileException">The lease cannot be stored; nothing was sent.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond; the next call asks for the same again.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public async Task<BorrowedSeat> RenewAsync(int days = 14, CancellationToken cancellationToken = default)
    {
        Leases.CheckDays(days);
        _lease = await Task.Run(() => Leases.RenewAsync(_core, LeaseId, days, cancellationToken), cancellationToken)
            .ConfigureAwait(false);
        return this;
    }

    /// <summary>
    /// Returns the seat. From this call on, this machine does not use it any more. If the server does not respond, the
    /// receipt is kept and sent with the next contact; call this again to hear whether it has arrived.
    /// </summary>
    /// <exception cref="LicenseFileException">The receipt cannot be stored; the seat is still borrowed.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond; the receipt is sent later.</exception>
    /// <exception cref="LicetServerException">The server responded with an error; the receipt is sent again later.</exception>
    public Task ReturnAsync(CancellationToken cancellationToken = default) =>
        Task.Run(() => Leases.ReturnAsync(_core, LeaseId, cancellationToken), cancellationToken);
}
