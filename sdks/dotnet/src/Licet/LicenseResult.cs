namespace Licet;

/// <summary>What decided a validation.</summary>
public enum LicenseSource
{
    /// <summary>Nothing: there is no license on this machine, and the server did not say.</summary>
    None,
    /// <summary>license.bin.</summary>
    File,
    /// <summary>The server's signed verdict.</summary>
    Server,
}

/// <summary>The result of a validation.</summary>
public sealed record LicenseResult
{
    internal LicenseResult(LicenseValidationStatus status, string message)
    {
        Status = status;
        Message = message;
    }

    /// <summary>The status.</summary>
    public LicenseValidationStatus Status { get; init; }

    /// <summary>One or two sentences to show to the user.</summary>
    public string Message { get; init; }

    /// <summary>Whether the application may run.</summary>
    public bool IsValid => Status.AllowsRunning();

    /// <summary>What decided.</summary>
    public LicenseSource Source { get; init; }

    /// <summary>The license, if it is known.</summary>
    public License? License { get; init; }

    /// <summary>The product, if license.bin decided.</summary>
    public LicensedProduct? Product { get; init; }

    /// <summary>The release, if license.bin decided.</summary>
    public LicensedRelease? Release { get; init; }

    /// <summary>The time of the validation, by this machine's clock.</summary>
    public DateTimeOffset CheckedAt { get; init; }

    /// <summary>When license.bin has to be refreshed.</summary>
    public DateTimeOffset? RefreshBy { get; init; }

    /// <summary>When the grace period of an Online license ends.</summary>
    public DateTimeOffset? GraceEndsAt { get; init; }

    /// <summary>When the seat that this device has borrowed ends; null if it has none, or may not use it.</summary>
    public DateTimeOffset? LeaseEndsAt { get; init; }

    /// <summary>Problems that do not stop the application, such as a clock in the wrong time zone.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = Array.Empty<string>();

    /// <summary>The exception that prevented the check with the server, if there was one.</summary>
    public LicetException? Cause { get; init; }

    /// <summary>The status sent by the server, if this version does not know it.</summary>
    public string? ServerStatus { get; init; }

    /// <summary>The request ID to give to the vendor's support.</summary>
    public string? RequestId { get; init; }

    /// <summary>The last publication of a release that the license covers; null if no date limits them.</summary>
    public DateTimeOffset? UpdatesUntil => License?.UpdatesUntil;

    /// <summary>Whether the term has ended, and the license is valid for the releases that it keeps.</summary>
    public bool InFallback => License is { InFallback: true };

    /// <summary>
    /// Whether the license covers a release that was published then, whatever its version. Two dates are
    /// compared, and no clock. False without a license.
    /// </summary>
    public bool Covers(DateTimeOffset publishedAt) =>
        License is { } license && !(publishedAt > license.CoversUntil);

    /// <summary>The granted features; null if not restricted, empty if the result is not valid.</summary>
    public IReadOnlyList<string>? Features =>
        IsValid && License is not null ? License.Features : Array.Empty<string>();

    /// <summary>Whether a feature may be used now. Names are compared without case.</summary>
    public bool HasFeature(string feature) => Entitlement(feature) is not null;

    /// <summary>The value of a feature, null if it may not be used now. See <see cref="License.Entitlement"/>.</summary>
    public object? Entitlement(string feature) => IsValid ? License?.Entitlement(feature) : null;

    /// <summary>The status and the message.</summary>
    public override string ToString() => $"{Status}: {Message}";
}
