namespace Licet.Internal;

/// <summary>Credits that this device has reserved, and what it has spent of them.</summary>
/// <param name="Token">The newest token.</param>
/// <param name="Journal">The charges so far.</param>
/// <param name="Reported">How many of them the server has confirmed.</param>
internal sealed record Reservation(ReservationToken Token, Journal Journal, int Reported)
{
    internal LeaseToken Lease => Token.Lease;

    /// <summary>What may still be spent.</summary>
    internal decimal Remaining => Token.Amount - Journal.End.Used;
}
