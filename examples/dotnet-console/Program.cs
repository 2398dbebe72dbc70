// Prints the SHA-256 of files; several at once need the feature "batch". The license key is in appsettings.json.
using System;
using System.IO;
using System.Security.Cryptography;
using Licet; // licet

try // licet
{
    await using var client = LicenseClient.FromSettings(Product.Options); // licet
    await using var license = await client.OpenAsync(); // licet
    if (args.Length > 1 && !license.HasFeature("batch")) // licet
    {
        Console.Error.WriteLine("The license is for one file at a time."); // licet
        return 1; // licet
    }
    foreach (var path in args)
    {
        using var file = File.OpenRead(path);
        using var sha = SHA256.Create();
        Console.WriteLine($"{Convert.ToHexString(await sha.ComputeHashAsync(file)).ToLowerInvariant()}  {path}");
    }
    return 0;
}
catch (LicetException error) // licet
{
    Console.Error.WriteLine(error.Message); // licet
    return 1; // licet
}
