namespace Licet.Driver;

/// <summary>The configuration of a client, as the suite names it.</summary>
internal static class ClientConfig
{
    internal static LicenseClientOptions Read(JsonElement config, TimeProvider clock) => new()
    {
        ProductId = config.Text("productId"),
        PublicKey = config.Text("publicKey"),
        PublicKeys = config.Field("publicKeys")?.EnumerateArray().Select(key => key.GetString()!).ToArray(),
        LicenseKey = config.Text("licenseKey"),
        EnrollmentKey = config.Text("enrollmentKey"),
        ProductApiKey = config.Text("productApiKey"),
        ServerBaseEndpoint = config.Text("serverBaseEndpoint"),
        LicenseFile = config.Text("licenseFile"),
        StateFolder = config.Text("stateFolder"),
        AppVersion = config.Text("appVersion"),
        AppReleasedAt = config.Time("appReleasedAt"),
        DeviceName = config.Text("deviceName"),
        GracePeriod = config.Number("gracePeriodDays") is { } days ? TimeSpan.FromDays(days) : null,
        Timeout = config.Number("timeoutSeconds") is { } seconds ? TimeSpan.FromSeconds(seconds) : null,
        ProtectFile = config.Flag("protectFile"),
        CaBundle = config.Text("caBundle"),
        TrustEnvironment = config.Flag("trustEnvironment"),
        SeatMode = config.Text("seatMode") is { } mode ? Enum.Parse<SeatMode>(mode, ignoreCase: true) : null,
        TestMode = config.Flag("testMode"),
        Telemetry = config.Flag("telemetry"),
        HardwareId = config.Text("hardwareId"),
        CiHardwareId = config.Flag("ciHardwareId"),
        Username = config.Text("username"),
        Password = config.Text("password"),
        TrustSettings = config.Flag("trustSettings"),
        TimeProvider = clock,
    };
}
