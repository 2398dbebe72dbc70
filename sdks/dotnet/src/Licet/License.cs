using System.Collections.ObjectModel;

namespace Licet;

/// <summary>What takes a seat of a license.</summary>
public enum SeatKind
{
    /// <summary>Seats are not counted.</summary>
    None,
    /// <summary>An activated device.</summary>
    Device,
    /// <summary>A live session.</summary>
    Session,
    /// <summary>The one machine that the license is bound to.</summary>
    Machine,
}

/// <summary>The seat of this device or session, and how many of the license are taken.</summary>
/// <param name="Kind">What takes a seat.</param>
/// <param name="Held">Whether this device or session holds one; null if that is not known.</param>
/// <param name="Used">Seats taken; null if that is not known.</param>
/// <param name="Total">How many the license has; null if seats are not counted.</param>
public sealed record LicenseSeat(SeatKind Kind, bool? Held = null, int? Used = null, int? Total = null);

/// <summary>A product.</summary>
/// <param name="Id">The product's ID.</param>
/// <param name="Name">Its name.</param>
public sealed record LicensedProduct(string Id, string? Name);

/// <summary>The release of a product that a license was issued for.</summary>
/// <param name="Id">The release's ID.</param>
/// <param name="Version">Its version.</param>
public sealed record LicensedRelease(string? Id, string? Version);

/// <summary>The terms of a license, from a signed file or a signed verdict.</summary>
public sealed record License
{
    /// <summary>The license's ID.</summary>
    public string Id { get; init; } = "";

    /// <summary>The license model, such as <c>Floating</c>; a newer server may know others.</summary>
    public string Type { get; init; } = "";

    /// <summary>The status on the server, such as <c>Active</c>.</summary>
    public string Status { get; init; } = "";

    /// <summary>The name that the vendor gave the license.</summary>
    public string? Name { get; init; }

    /// <summary>The end user: an email address or a user ID.</summary>
    public string? IssuedTo { get; init; }

    /// <summary>The vendor's name.</summary>
    public string? Issuer { get; init; }

    /// <summary>The end of the term and its grace; null if the license does not expire.</summary>
    public DateTimeOffset? ExpirationDate { get; init; }

    /// <summary><c>Online</c> or <c>Offline</c>.</summary>
    public string ActivationMode { get; init; } = "Online";

    /// <summary>The seat cap.</summary>
    public long? MaxActiveUsersCount { get; init; }

    /// <summary>The names of the granted features; null means not restricted.</summary>
    public IReadOnlyList<string>? Features { get; init; }

    /// <summary>
    /// The values of granted features by name (bool, long, double or string; true for a flag); null if
    /// not restricted, or if the server does not send values.
    /// </summary>
    public IReadOnlyDictionary<string, object>? Entitlements { get; init; }

    /// <summary>The vendor's own data.</summary>
    public IReadOnlyDictionary<string, string> Metadata { get; init; } =
        new ReadOnlyDictionary<string, string>(new Dictionary<string, string>());

    /// <summary>The license key; only if read from license.bin.</summary>
    public string? Key { get; init; }

    /// <summary>The seat at the time of the verdict, if the server said.</summary>
    public LicenseSeat? Seat { get; init; }

    /// <summary>The last publication of a release that it covers; null if no date limits them.</summary>
    public DateTimeOffset? UpdatesUntil { get; init; }

    /// <summary>The last publication of a release that it keeps after its term; null if it keeps none.</summary>
    public DateTimeOffset? FallbackUntil { get; init; }

    /// <summary>Whether its term and grace have ended, and it is valid for what it keeps.</summary>
    public bool InFallback { get; init; }

    /// <summary>Whether it is a license of a Test product.</summary>
    public bool IsTest { get; init; }

    /// <summary>The last publication of a release that it covers now; null if no date limits them.</summary>
    internal DateTimeOffset? CoversUntil =>
        InFallback && FallbackUntil is { } kept && (UpdatesUntil is null || kept < UpdatesUntil) ? kept : UpdatesUntil;

    /// <summary>
    /// The value of a feature; null if it is not granted. Names are compared without case. A feature
    /// without a value is true; a license that is not restricted grants every feature.
    /// </summary>
    public object? Entitlement(string feature)
    {
        var wanted = feature.Normalize();
        foreach (var (name, value) in Entitlements ?? new Dictionary<string, object>())
        {
            if (string.Equals(name.Normalize(), wanted, StringComparison.OrdinalIgnoreCase))
            {
                return value;
            }
        }
        return Features is null
            || Features.Any(name => string.Equals(name.Normalize(), wanted, StringComparison.OrdinalIgnoreCase))
            ? true
            : null;
    }

    /// <summary>The type, status and mode; no key and no name.</summary>
    public override string ToString() => $"License({Type}, {Status}, {ActivationMode})";
}
