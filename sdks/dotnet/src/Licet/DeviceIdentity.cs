namespace Licet;

/// <summary>Where the private key of a device is kept.</summary>
public enum DeviceKeyLevel
{
    /// <summary>In a file that only its user may read.</summary>
    Software,
    /// <summary>In the key store of the operating system.</summary>
    OS,
    /// <summary>In hardware, which does not give it out.</summary>
    Hardware,
}

/// <summary>By what the license server knows this device.</summary>
/// <param name="Jkt">
/// The RFC 7638 thumbprint of its key, as the dashboard shows it; null if the key cannot be kept or read.
/// </param>
/// <param name="Level">Where the key is kept; null without one.</param>
/// <param name="HardwareId">Its hardware ID; never empty.</param>
public sealed record DeviceIdentity(string? Jkt, DeviceKeyLevel? Level, string HardwareId)
{
    /// <summary>The names of the components by which this machine can be recognized when its hardware ID has changed.</summary>
    public IReadOnlyList<string> Components { get; init; } = Array.Empty<string>();

    /// <summary>Whether both are the same device.</summary>
    public bool Equals(DeviceIdentity? other) =>
        other is not null
        && (Jkt, Level, HardwareId) == (other.Jkt, other.Level, other.HardwareId)
        && Components.SequenceEqual(other.Components);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Jkt, Level, HardwareId);
}
