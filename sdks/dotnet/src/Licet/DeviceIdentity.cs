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
public sealed record DeviceIdentity(string? Jkt, DeviceKeyLevel? Level, string HardwareId);
