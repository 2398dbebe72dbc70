using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>
/// Validates the options of the code and of a settings file. What the code names wins over the file, and
/// the file over the default. Whom to trust should be named by the code, since the end user can edit the
/// file: a file that alone names a public key or a longer grace period is followed with a warning, unless
/// the code turns TrustSettings off.
/// </summary>
internal static class Configuration
{
    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan DefaultGrace = TimeSpan.FromDays(7);
    private static readonly TimeSpan MaxTimeout = TimeSpan.FromMinutes(10);
    private const double MaxGraceDays = 36_500;
    private const int MaxLabelLength = 256;
    private const int MaxVersionLength = 100;
    private static readonly Regex UpToApi = new(@"\A(.*?//[^/]+(?:/.*?)?/api)(?:/|\z)", RegexOptions.IgnoreCase);

    /// <exception cref="LicetConfigurationException">An option is missing or invalid.</exception>
    internal static Config Create(LicenseClientOptions options, SettingsFile settings, string folder)
    {
        var productId = Required(options.ProductId ?? settings.Get<string>("ProductId"), "ProductId");
        var (key, fault) = ReadKey(options.LicenseKey ?? settings.Get<string>("LicenseKey"));
        var warnings = TrustWarnings(options, settings).ToList();
        if (warnings.Count > 0 && options.TrustSettings is false)
        {
            throw new LicetConfigurationException($"{warnings[0]} The application does not accept this.");
        }
        var grace = GracePeriod(options, settings, warnings);
        var protects = options.ProtectFile ?? settings.Get<bool?>("ProtectFile");
        if (protects is true && key?.Length < LicenseKey.MinProtectionLength)
        {
            protects = false;
            warnings.Add(
                $"ProtectFile is off: a license key with fewer than {LicenseKey.MinProtectionLength} characters cannot "
                + "protect a license file.");
        }
        var config = new Config
        {
            ProductId = productId,
            PublicKeys = TrustedKeys(options, settings),
            NormalKey = key,
            KeyFault = fault,
            EnrollmentKey = key is null && fault is null ? EnrollmentKey(options, settings) : null,
            ApiKey = HeaderValue("ProductApiKey", options.ProductApiKey ?? settings.Get<string>("ProductApiKey")),
            Endpoint = CheckEndpoint(options.ServerBaseEndpoint ?? settings.Get<string>("ServerBaseEndpoint")),
            Places = Places.Find(
                options.LicenseFile ?? settings.Get<string>("LicenseFile"),
                options.StateFolder ?? settings.Get<string>("StateFolder"),
                options.AllUsers ?? settings.Get<bool?>("AllUsers") ?? false, productId, folder),
            AppVersion = AsLabel(options.AppVersion ?? settings.Get<string>("AppVersion"), MaxVersionLength),
            AppReleasedAt = options.AppReleasedAt,
            Grace = grace,
            DeviceName = AsLabel(options.DeviceName ?? settings.Get<string>("DeviceName")),
            HardwareId = CheckHardwareId(options.HardwareId),
            CiHardwareId = options.CiHardwareId ?? true,
            Username = AsLabel(options.Username),
            Password = CheckPassword(options.Password),
            Timeout = CheckTimeout(options.Timeout, settings.Get<double?>("TimeoutSeconds")),
            ProtectFile = protects,
            CaBundle = options.CaBundle ?? settings.Get<string>("CaBundle"),
            TrustEnvironment = options.TrustEnvironment ?? settings.Get<bool?>("TrustEnvironment") ?? true,
            SeatMode = options.SeatMode ?? ReadSeatMode(settings.Get<string>("SeatMode")),
            HandleSignals = options.HandleSignals ?? settings.Get<bool?>("HandleSigterm") ?? true,
            TestMode = options.TestMode ?? false,
            Telemetry = options.Telemetry ?? settings.Get<bool?>("Telemetry") ?? false,
            Time = options.TimeProvider ?? TimeProvider.System,
            Handler = options.HttpMessageHandler,
            Log = Guarded(options.Log),
            Warnings = warnings,
        };
        warnings.ForEach(config.Log);
        return config;
    }

    /// <summary>The enrollment key of the options, the settings file or the environment.</summary>
    private static string? EnrollmentKey(LicenseClientOptions options, SettingsFile settings) =>
        new[]
        {
            options.EnrollmentKey, settings.Get<string>("EnrollmentKey"),
            Environment.GetEnvironmentVariable(Enrollment.Variable),
        }.FirstOrDefault(key => !string.IsNullOrWhiteSpace(key))?.Trim();

    /// <summary>The normal form of the key that is given, or why it has none: what people enter.</summary>
    private static (string? Key, string? Fault) ReadKey(string? given)
    {
        try
        {
            return (given is null ? null : LicenseKey.NormalForm(given), null);
        }
        catch (LicetConfigurationException fault)
        {
            return (null, fault.Message);
        }
    }

    /// <summary>Returns the server's address without a trailing slash.</summary>
    /// <exception cref="LicetConfigurationException">It is not an absolute URL that ends in /api.</exception>
    internal static string? CheckEndpoint(string? value)
    {
        if (value is null)
        {
            return null;
        }
        var text = value.Trim();
        text = text.EndsWith('/') ? text[..^1] : text;
        var shown = text[..Math.Min(200, text.Length)];
        if (!Uri.TryCreate(text, UriKind.Absolute, out var url)
            || (url.Scheme != Uri.UriSchemeHttp && url.Scheme != Uri.UriSchemeHttps)
            || url.Host.Length == 0 || url.Port == 0
            || text.Any(symbol => symbol is '?' or '#' || char.IsWhiteSpace(symbol)))
        {
            throw new LicetConfigurationException(
                "ServerBaseEndpoint must be an absolute URL that ends in /api, for example "
                + $"https://licenses.example.com/api. It is '{shown}'.");
        }
        if (url.UserInfo.Length > 0)
        {
            throw new LicetConfigurationException(
                "ServerBaseEndpoint must not contain a user name or password. Remove them; it must be an absolute "
                + "URL that ends in /api.");
        }
        if (!url.AbsolutePath.EndsWith("/api", StringComparison.OrdinalIgnoreCase))
        {
            var found = UpToApi.Match(shown);
            throw new LicetConfigurationException(
                $"ServerBaseEndpoint must end in /api. It is '{shown}'; try "
                + $"'{(found.Success ? found.Groups[1].Value : shown + "/api")}'.");
        }
        return Addresses.IsProtected(text)
            ? text
            : throw new LicetConfigurationException(
                $"ServerBaseEndpoint must use https: {url.Host} is not this computer, and anybody on the way could "
                + "read and change what http carries.");
    }

    private static IReadOnlyList<PublicKey> TrustedKeys(LicenseClientOptions options, SettingsFile settings)
    {
        var named = NamesKey(options);
        var one = named ? options.PublicKey : settings.Get<string>("PublicKey");
        var several = named ? options.PublicKeys : settings.Get<string[]>("PublicKeys");
        if (one is not null && several is not null)
        {
            throw new LicetConfigurationException(
                "PublicKey and PublicKeys set the same option. Name every key in PublicKeys, and remove PublicKey.");
        }
        return several is not null
            ? PublicKey.LoadAll(several)
            : new[] { PublicKey.Load(Required(one, "PublicKey")) };
    }

    private static bool NamesKey(LicenseClientOptions options) =>
        options.PublicKey is not null || options.PublicKeys is not null;

    private static IEnumerable<string> TrustWarnings(LicenseClientOptions options, SettingsFile settings)
    {
        if (!NamesKey(options) && (settings.Values.ContainsKey("PublicKey") || settings.Values.ContainsKey("PublicKeys")))
        {
            yield return $"The public key comes from {settings.Name}, and whoever can edit that file can replace it "
                + "and sign licenses. Name the key in the application's code (PublicKeys).";
        }
        if (options.GracePeriod is null && options.MaxGracePeriod is null
            && settings.Get<double?>("GracePeriodDays") is { } days && days > DefaultGrace.TotalDays)
        {
            yield return $"{settings.Name} extends the grace period to {days} days. Name GracePeriod or "
                + "MaxGracePeriod in the application's code.";
        }
    }

    /// <summary>The grace period: of the code, else of the file up to the code's ceiling, else 7 days.</summary>
    private static TimeSpan GracePeriod(LicenseClientOptions options, SettingsFile settings, List<string> warnings)
    {
        var ceiling = options.MaxGracePeriod;
        if (options.GracePeriod < TimeSpan.Zero || ceiling < TimeSpan.Zero)
        {
            throw new LicetConfigurationException("GracePeriod and MaxGracePeriod must not be negative.");
        }
        if (options.GracePeriod is { } named)
        {
            return named > ceiling
                ? throw new LicetConfigurationException("GracePeriod must not be longer than MaxGracePeriod.")
                : named;
        }
        var days = settings.Get<double?>("GracePeriodDays");
        if (days is < 0 or >= MaxGraceDays)
        {
            throw new LicetConfigurationException("GracePeriodDays must be 0 or more days.");
        }
        var asked = days is { } stated ? TimeSpan.FromDays(stated) : DefaultGrace;
        if (asked <= ceiling || ceiling is null)
        {
            return asked;
        }
        if (days is not null)
        {
            warnings.Add(
                $"{settings.Name} asks for a grace period of {days} days; the application allows {ceiling.Value.TotalDays}.");
        }
        return ceiling.Value;
    }

    private static string Required(string? value, string label) =>
        string.IsNullOrWhiteSpace(value)
            ? throw new LicetConfigurationException(
                $"{label} is missing. Set LicenseClientOptions.{label}, or {label} in licet.json; the product's page "
                + "in the dashboard shows it.")
            : value;

    /// <summary>A text that only has to be shown: without what cannot be sent, and cut.</summary>
    internal static string? AsLabel(string? text, int length = MaxLabelLength)
    {
        var shown = string.Concat((text ?? "").EnumerateRunes().Select(sign => IsControl(sign) ? " " : sign.ToString()));
        var cut = string.Concat(shown.Trim().EnumerateRunes().Take(length));
        return cut.Length > 0 ? cut : null;
    }

    private static bool IsControl(Rune sign) => Rune.IsControl(sign) || sign == Rune.ReplacementChar;

    private static string? CheckPassword(string? value) =>
        value is null || value == (AsLabel(value) ?? "")
            ? value
            : throw new LicetConfigurationException(
                $"Password must not have blanks around it, line breaks, or more than {MaxLabelLength} characters. "
                + "Enter it again.");

    private static string? HeaderValue(string label, string? value)
    {
        var text = value?.Trim();
        return text is null || (text.Length > 0 && text.All(symbol => symbol is >= ' ' and <= '~'))
            ? text
            : throw new LicetConfigurationException(
                $"{label} is empty or contains characters that are not allowed. Copy it again from the product's "
                + "page in the dashboard.");
    }

    private static TimeSpan CheckTimeout(TimeSpan? named, double? stated)
    {
        var timeout = named
            ?? (stated is { } seconds ? TimeSpan.FromSeconds(Math.Clamp(seconds, -1, 100_000)) : DefaultTimeout);
        return timeout > TimeSpan.Zero && timeout <= MaxTimeout
            ? timeout
            : throw new LicetConfigurationException("TimeoutSeconds must be more than 0 and at most 600 seconds.");
    }

    private static string? CheckHardwareId(string? value) =>
        value is null || (value.Length is >= 1 and <= 256 && !value.Any(char.IsControl))
            ? value
            : throw new LicetConfigurationException("HardwareId must have 1 to 256 printable characters.");

    private static SeatMode ReadSeatMode(string? stated) =>
        stated is null ? SeatMode.Auto
        : Enum.GetValues<SeatMode>().Where(mode => stated.Equals(mode.ToString(), StringComparison.OrdinalIgnoreCase))
            .Cast<SeatMode?>().FirstOrDefault()
        ?? throw new LicetConfigurationException(
            $"SeatMode must be one of {string.Join(", ", Enum.GetNames<SeatMode>())}.");

    /// <summary>A log that never lets the application's exceptions into the SDK.</summary>
    private static Action<string> Guarded(Action<string>? log) => line =>
    {
        try
        {
            log?.Invoke(line);
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // Nothing else could report it.
        }
    };
}
