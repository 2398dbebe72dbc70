namespace Licet.Internal;

internal enum SeatClaim
{
    None,
    Activation,
    Session,
}

/// <summary>What is particular to a license model; a server may know models that are not listed.</summary>
internal sealed record LicenseTraits(SeatKind Seat, bool Metered = false)
{
    /// <summary>How an application gets a seat.</summary>
    internal SeatClaim Claim => Seat switch
    {
        SeatKind.Device or SeatKind.Machine => SeatClaim.Activation,
        SeatKind.Session => SeatClaim.Session,
        _ => SeatClaim.None,
    };

    /// <summary>Whether license.bin is valid only on the devices that it names.</summary>
    internal bool FileNamesDevice => Claim == SeatClaim.Activation;

    /// <summary>The traits of a model; of an unknown one, only the seat kind told by the server is known.</summary>
    internal static LicenseTraits Of(string model, SeatKind? told = null) => model switch
    {
        "Perpetual" or "Trial" or "Subscription" => new LicenseTraits(SeatKind.None),
        "Floating" => new LicenseTraits(SeatKind.Session),
        "Concurrent" => new LicenseTraits(SeatKind.Device),
        "NodeLocked" => new LicenseTraits(SeatKind.Machine),
        "MeteredToken" or "MeteredCount" => new LicenseTraits(SeatKind.None, Metered: true),
        _ => new LicenseTraits(told ?? SeatKind.None),
    };
}
