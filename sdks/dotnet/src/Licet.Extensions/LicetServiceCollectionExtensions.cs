using System;
using Licet;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers the license client with a service collection.</summary>
public static class LicetServiceCollectionExtensions
{
    /// <summary>
    /// Adds one <see cref="LicenseClient"/> for the whole application, from these options, the settings file and
    /// the defaults, in that order. It is created when it is first asked for, and disposed with the provider: seats
    /// are given back, and events that wait are sent.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="configure">Sets the options that the code names, such as the public key.</param>
    /// <param name="settingsFolder">The folder of the settings file; by default the folder of the running program.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public static IServiceCollection AddLicet(
        this IServiceCollection services, Action<LicenseClientOptions> configure, string? settingsFolder = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(configure);
        return services.AddSingleton(_ =>
        {
            var options = new LicenseClientOptions();
            configure(options);
            return LicenseClient.FromSettings(options, settingsFolder);
        });
    }
}
