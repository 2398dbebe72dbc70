namespace Licet;

/// <summary>A device that holds a seat of the license.</summary>
/// <param name="Id">Identifies its activation.</param>
/// <param name="Name">The name that the application sent, if it did.</param>
/// <param name="OperatingSystem">Its operating system, if that is known.</param>
/// <param name="LastSeenAt">When the server last heard of it, exact to an hour.</param>
/// <param name="SeatFreeAt">
/// When its seat is free if it is released: at the end of the license.bin that it has; null if at once.
/// </param>
/// <param name="IsCurrent">Whether it is this device.</param>
public sealed record LicensedDevice(
    string Id, string? Name, string? OperatingSystem, DateTimeOffset? LastSeenAt, DateTimeOffset? SeatFreeAt,
    bool IsCurrent);

/// <summary>The devices that hold a seat.</summary>
/// <param name="Items">The devices, the longest unseen first, at most 100.</param>
/// <param name="ReleasesLeft">How many more may be released from inside applications at present.</param>
public sealed record LicensedDevices(IReadOnlyList<LicensedDevice> Items, int? ReleasesLeft);
