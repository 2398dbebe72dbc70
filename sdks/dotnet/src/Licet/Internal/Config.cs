using System.Net.Http;

namespace Licet.Internal;

/// <summary>A complete, consistent configuration, validated once and then immutable.</summary>
internal sealed record Config
{
    internal string ProductId { get; init; } = "";
    internal IReadOnlyList<PublicKey> PublicKeys { get; init; } = Array.Empty<PublicKey>();
    internal string? NormalKey { get; init; }

    /// <summary>Why the license key that is given cannot be one; then there is no <see cref="NormalKey"/>.</summary>
    internal string? KeyFault { get; init; }

    /// <summary>The enrollment key, unless a license key is given.</summary>
    internal string? EnrollmentKey { get; init; }
    internal string? ApiKey { get; init; }
    internal string? Endpoint { get; init; }
    internal Places Places { get; init; } = new("", null, "");
    internal string? AppVersion { get; init; }
    internal DateTimeOffset? AppReleasedAt { get; init; }
    internal TimeSpan Grace { get; init; }
    internal string? DeviceName { get; init; }
    internal string? HardwareId { get; init; }
    internal bool CiHardwareId { get; init; }
    internal string? Username { get; init; }
    internal string? Password { get; init; }
    internal TimeSpan Timeout { get; init; }
    internal bool? ProtectFile { get; init; }
    internal string? CaBundle { get; init; }
    internal bool TrustEnvironment { get; init; }
    internal SeatMode SeatMode { get; init; }
    internal bool HandleSignals { get; init; }
    internal bool TestMode { get; init; }
    internal bool Telemetry { get; init; }
    internal TimeProvider Time { get; init; } = TimeProvider.System;
    internal HttpMessageHandler? Handler { get; init; }
    internal Action<string> Log { get; init; } = _ => { };

    /// <summary>What the settings file says that only the code should.</summary>
    internal IReadOnlyList<string> Warnings { get; init; } = Array.Empty<string>();

    internal bool HasServer => Endpoint is not null && ApiKey is not null;

    internal DateTimeOffset Now => Time.GetLocalNow();

    /// <summary>Omits everything: it contains secrets.</summary>
    public override string ToString() => nameof(Config);
}
