using Microsoft.Extensions.DependencyInjection;

namespace Licet.Tests;

public sealed class RegistrationTests
{
    [Test]
    public void Adds_one_client_for_the_application()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(
            folder.File("appsettings.json"),
            "{ \"Licet\": { \"ProductId\": \"01920000-0000-7000-8000-000000000001\", /* of the product */ } }");
        var services = new ServiceCollection();
        services.AddLicet(options => options.PublicKey = Vectors.Read("files.json").Text("publicKey"), folder.Path);
        var registered = services.Single(service => service.ServiceType == typeof(LicenseClient));
        Assert.That(registered.Lifetime, Is.EqualTo(ServiceLifetime.Singleton));
        using var client = (LicenseClient)registered.ImplementationFactory!(null!);
        Assert.That(client.HardwareId, Does.StartWith("h1"));
    }
}
