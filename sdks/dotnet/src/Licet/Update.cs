namespace Licet;

/// <summary>A file of an update; pass it to <see cref="LicenseClient.DownloadAsync"/>.</summary>
/// <param name="Name">The file's name.</param>
/// <param name="Platform">The platform; null if the file is for all.</param>
/// <param name="SizeBytes">The size.</param>
/// <param name="Sha256">The SHA-256 in hexadecimal.</param>
/// <param name="Channel">The channel of the update.</param>
/// <param name="DownloadUrl">Works for about 15 minutes, for anyone who has it.</param>
public sealed record UpdateFile(
    string Name, string? Platform, long SizeBytes, string Sha256, string Channel, string DownloadUrl)
{
    /// <summary>The name, platform and size; not the address, which is a secret for a while.</summary>
    public override string ToString() => $"UpdateFile({Name}, {Platform ?? "all platforms"}, {SizeBytes} bytes)";
}

/// <summary>A newer release that the license would cover if its updates were renewed.</summary>
/// <param name="Version">Its version.</param>
/// <param name="Reason"><c>MaintenanceEnded</c>; a newer server may send others.</param>
/// <param name="RenewUrl">Where the vendor renews them; null if the vendor does not say.</param>
public sealed record NewerRelease(string Version, string Reason, string? RenewUrl);

/// <summary>The newest release of a channel that the license covers.</summary>
/// <param name="IsAvailable">Whether the release is newer than this application.</param>
/// <param name="Version">The version; null if the channel has no release.</param>
/// <param name="Channel">The channel.</param>
/// <param name="Notes">The release notes.</param>
/// <param name="PublishedAt">When it was published.</param>
/// <param name="ReleaseId">The release's ID.</param>
/// <param name="Files">The files for the requested platform; empty if no update is available.</param>
public sealed record Update(
    bool IsAvailable,
    string? Version,
    string Channel,
    string? Notes,
    DateTimeOffset? PublishedAt,
    string? ReleaseId,
    IReadOnlyList<UpdateFile> Files)
{
    /// <summary>A newer release that the license does not cover.</summary>
    public NewerRelease? Newer { get; init; }
}

/// <summary>How far a download is.</summary>
/// <param name="ReceivedBytes">The bytes received so far.</param>
/// <param name="TotalBytes">The size of the file.</param>
public readonly record struct DownloadProgress(long ReceivedBytes, long TotalBytes);
