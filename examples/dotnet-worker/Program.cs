// A service that compresses what is put into the folder "inbox" beside it.
using System;
using Licet; // licet
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

try // licet
{
    var builder = Host.CreateApplicationBuilder(args);
    builder.Services.AddLicet(Product.Configure); // licet
    builder.Services.AddHostedService<Compressor>();
    await builder.Build().RunAsync();
    return 0;
}
catch (LicetException error) // licet
{
    Console.Error.WriteLine(error.Message); // licet
    return 1; // licet
}
