using System.Net.Http;

namespace Licet;

/// <summary>How a <see cref="LicenseClient"/> takes a seat of a Concurrent license.</summary>
public enum SeatMode
{
    /// <summary>
    /// A session in CI jobs and in containers without a machine ID of their own, which would leave
    /// activations behind; otherwise an activation.
    /// </summary>
    Auto,
    /// <summary>The device is activated and stays activated.</summary>
    Activation,
    /// <summary>A session is open while the license is.</summary>
    Session,
}

/// <summary>
/// The options of a <see cref="LicenseClient"/>. The product ID and a public key are required; what is null
/// is taken from the settings file, if one is read, and else has the default.
/// </summary>
public sealed class LicenseClientOptions
{
    /// <summary>The product's ID; required.</summary>
    public string? ProductId { get; set; }

    /// <summary>
    /// The product's RSA public key, PEM or Base64, at least 2048 bits; required, unless <see cref="PublicKeys"/>
    /// names several.
    /// </summary>
    public string? PublicKey { get; set; }

    /// <summary>Several public keys instead, for example one whose private key is kept offline; none by default.</summary>
    public IReadOnlyList<string>? PublicKeys { get; set; }

    /// <summary>The customer's license key, in any spelling; none by default.</summary>
    public string? LicenseKey { get; set; }

    /// <summary>
    /// An enrollment key (<c>licet_ek_...</c>), by which a machine gets a seat without a license key; by default what the
    /// environment variable LICET_ENROLLMENT_KEY says. A license key wins.
    /// </summary>
    public string? EnrollmentKey { get; set; }

    /// <summary>The product key (<c>pk_...</c>); required to contact the server.</summary>
    public string? ProductApiKey { get; set; }

    /// <summary>The server's address, ending in <c>/api</c>; required to contact the server.</summary>
    public string? ServerBaseEndpoint { get; set; }

    /// <summary>
    /// The path of license.bin, of one license key; by default the newest one of the key in the data folder of
    /// the user, or next to the application.
    /// </summary>
    public string? LicenseFile { get; set; }

    /// <summary>
    /// The folder for this machine's state, which clients with other license keys may share; by default the folder of <see cref="LicenseFile"/> if it is given,
    /// can be written to and is not open to all users, otherwise the data folder of the user.
    /// </summary>
    public string? StateFolder { get; set; }

    /// <summary>Whether license.bin is in the data folder of all users, which an installer creates; off by default.</summary>
    public bool? AllUsers { get; set; }

    /// <summary>The application's version, compared with the license's release; by default none is.</summary>
    public string? AppVersion { get; set; }

    /// <summary>
    /// When this release of the application was published: a constant of its build, which is compared with
    /// <see cref="License.UpdatesUntil"/>, and after the term with <see cref="License.FallbackUntil"/>. An update
    /// whose version cannot be compared with <see cref="AppVersion"/> must have been published later. Unknown by default.
    /// </summary>
    public DateTimeOffset? AppReleasedAt { get; set; }

    /// <summary>How long an Online license stays valid without the server; 7 days by default.</summary>
    public TimeSpan? GracePeriod { get; set; }

    /// <summary>
    /// The longest grace period that a settings file may ask for; by default any, with a warning above 7 days.
    /// </summary>
    public TimeSpan? MaxGracePeriod { get; set; }

    /// <summary>
    /// Whether a settings file alone may name the public key or extend the grace period, with a warning; on by
    /// default.
    /// </summary>
    public bool? TrustSettings { get; set; }

    /// <summary>A name of this machine, shown to the vendor; none by default.</summary>
    public string? DeviceName { get; set; }

    /// <summary>1 to 256 characters in place of the hardware ID that is detected by default.</summary>
    public string? HardwareId { get; set; }

    /// <summary>
    /// Whether the jobs of a CI project share a hardware ID, which anybody can pretend by an environment
    /// variable; on by default.
    /// </summary>
    public bool? CiHardwareId { get; set; }

    /// <summary>The user name, for licenses with credentials; none by default.</summary>
    public string? Username { get; set; }

    /// <summary>The password, for licenses with credentials; none by default.</summary>
    public string? Password { get; set; }

    /// <summary>
    /// The time for a call with all its attempts and pauses; 10 seconds by default. A start that could do
    /// without the server waits 2 seconds at most, a charge twice the timeout.
    /// </summary>
    public TimeSpan? Timeout { get; set; }

    /// <summary>Whether to request the protected form of license.bin; by default the form of the current file.</summary>
    public bool? ProtectFile { get; set; }

    /// <summary>A PEM bundle of additional certificate authorities; none by default.</summary>
    public string? CaBundle { get; set; }

    /// <summary>Whether to use HTTPS_PROXY and similar variables; on by default.</summary>
    public bool? TrustEnvironment { get; set; }

    /// <summary>How <see cref="LicenseClient.OpenAsync"/> takes a seat of a Concurrent license; Auto by default.</summary>
    public SeatMode? SeatMode { get; set; }

    /// <summary>Whether seats are given back when the process is ended by SIGINT, SIGTERM or SIGHUP; on by default.</summary>
    public bool? HandleSignals { get; set; }

    /// <summary>
    /// Whether licenses of Test products are accepted, which are
    /// <see cref="LicenseValidationStatus.TestLicense"/> otherwise; off by default, and nothing that a settings
    /// file can say. For the application's own tests, never in what is shipped.
    /// </summary>
    public bool? TestMode { get; set; }

    /// <summary>Whether <see cref="LicenseClient.Track"/> sends events to the vendor; off by default.</summary>
    public bool? Telemetry { get; set; }

    /// <summary>The clock for terms and grace periods, by default the system's. Waiting uses the real one.</summary>
    public TimeProvider? TimeProvider { get; set; }

    /// <summary>
    /// Sends the requests; the caller disposes it. By default the client has one of its own.
    /// </summary>
    public HttpMessageHandler? HttpMessageHandler { get; set; }

    /// <summary>
    /// Receives a line about what happened in the background, without secrets; by default nothing does.
    /// </summary>
    public Action<string>? Log { get; set; }
}
