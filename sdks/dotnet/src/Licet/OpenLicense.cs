using Licet.Internal;

namespace Licet;

/// <summary>
/// A license in use; see <see cref="LicenseClient.OpenAsync"/>. Disposing it ends a session and keeps the
/// seat of a device; <see cref="ReleaseAsync"/> gives back both.
/// </summary>
public sealed class OpenLicense : IAsyncDisposable, IDisposable
{
    private readonly LicenseCore _core;
    private readonly Opened _opened;
    private readonly LicenseWatch? _watch;
    private volatile MeterBalance? _balance;
    private volatile License? _license;
    private volatile bool _released;

    internal OpenLicense(LicenseCore core, Opened opened, LicenseWatch? watch) =>
        (_core, _opened, _watch, _balance, _license) = (core, opened, watch, opened.Balance, opened.Result.License);

    /// <summary>The client's latest result: of the opening, a watch, or any other check since then.</summary>
    public LicenseResult Result => _core.Latest ?? _opened.Result;

    /// <summary>Whether the application may go on running.</summary>
    public bool IsValid => Result.IsValid;

    /// <summary>The latest status: <c>GracePeriod</c> if the server could not be asked.</summary>
    public LicenseValidationStatus Status => Result.Status;

    /// <summary>The latest terms of the license; a refusal does not always have some.</summary>
    public License License => (_license = Result.License ?? _license) ?? new License();

    /// <summary>Problems that do not stop the application.</summary>
    public IReadOnlyList<string> Warnings => Result.Warnings;

    /// <summary>When the application has to reach the server again; null outside a grace period.</summary>
    public DateTimeOffset? GraceEndsAt =>
        Status == LicenseValidationStatus.GracePeriod ? Result.GraceEndsAt : null;

    /// <summary>The names of the granted features; null means not restricted. Empty if it is no longer valid.</summary>
    public IReadOnlyList<string>? Features => Result.Features;

    /// <summary>The live session, if the license is held by one.</summary>
    public LicenseSession? Session => _opened.Session;

    /// <summary>
    /// The balance of a metered license after the last charge made through this object; null if the license
    /// is not metered, or was opened without the server.
    /// </summary>
    public MeterBalance? Balance => _balance;

    /// <summary>
    /// The seat that this copy of the application holds, and how many are taken. The numbers are those of the latest
    /// verdict; a Floating seat is held as long as its session is alive.
    /// </summary>
    public LicenseSeat Seat
    {
        get
        {
            var (kind, claim) = (_opened.Traits.Seat, _opened.Traits.Claim);
            var (later, told) = (!ReferenceEquals(Result, _opened.Result), License.Seat ?? new LicenseSeat(kind));
            var seat = (later, _opened.Activation, Session) switch
            {
                (false, { } activation, _) => new LicenseSeat(kind, true, activation.SeatsUsed, activation.SeatsTotal),
                (false, _, { } session) => new LicenseSeat(kind, true, session.SeatsUsed, session.SeatsTotal),
                _ => told with { Kind = kind },
            };
            if (claim == SeatClaim.Session && Session is { } held)
            {
                return seat with { Held = held.IsAlive };
            }
            var refused = later && told.Held is false;
            return claim == SeatClaim.None
                ? seat
                : seat with { Held = !_released && !refused && Session is not { IsAlive: false } };
        }
    }

    /// <summary>Whether a feature may be used now. Names are compared without case.</summary>
    public bool HasFeature(string feature) => Result.HasFeature(feature);

    /// <summary>The value of a feature; null if it is not granted. See <see cref="License.Entitlement"/>.</summary>
    public object? Entitlement(string feature) => Result.Entitlement(feature);

    /// <summary>Charges a metered license exactly once; see <see cref="LicenseClient.ConsumeAsync"/>.</summary>
    public async Task<Consumption> ConsumeAsync(
        string feature, int quantity = 1, string? idempotencyKey = null, CancellationToken cancellationToken = default)
    {
        var charge = Charge.Create(feature, quantity, idempotencyKey, null);
        var made = await Task.Run(() => Charges.ConsumeAsync(_core, charge, cancellationToken), cancellationToken)
            .ConfigureAwait(false);
        if (_balance is { } before && made is { Replayed: false, Reserved: false })
        {
            _balance = before with { Amount = made.Balance };
        }
        return made;
    }

    /// <summary>Borrows the seat of the session; see <see cref="LicenseSession.BorrowAsync"/>.</summary>
    /// <exception cref="RequestRefusedException">Seats of this license are not borrowed, or this one is not.</exception>
    public Task<BorrowedSeat> BorrowAsync(int days = 14, CancellationToken cancellationToken = default)
    {
        Leases.CheckDays(days);
        return Session is { } session
            ? session.BorrowAsync(days, cancellationToken)
            : throw ServerErrors.Refused("LeaseLimitReached", "Seats of this license are not borrowed.");
    }

    /// <summary>Gives back the seat, that of an activated device included.</summary>
    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public async Task ReleaseAsync(CancellationToken cancellationToken = default)
    {
        await DisposeAsync().ConfigureAwait(false);
        if (_opened.Traits.Claim == SeatClaim.Activation)
        {
            await Task.Run(() => Activations.DeactivateAsync(_core, cancellationToken), cancellationToken)
                .ConfigureAwait(false);
        }
        _released = true;
    }

    /// <summary>Ends the session, if there is one. Takes a few seconds at most and throws nothing.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_watch is not null)
        {
            await _watch.DisposeAsync().ConfigureAwait(false);
        }
        if (Session is not null)
        {
            await Session.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Ends the session and blocks meanwhile; prefer <see cref="DisposeAsync"/>.</summary>
    public void Dispose()
    {
        _watch?.Dispose();
        Session?.Dispose();
    }
}
