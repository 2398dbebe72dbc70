using Licet;

/// <summary>What the server calls this product. You can ship all of it; none of it can issue a license.</summary>
internal static class Product
{
    internal static void Configure(LicenseClientOptions options)
    {
        options.ProductId = "01920000-0000-7000-8000-000000000001";
        options.PublicKeys = new[] { "MIIBojANBgkqhkiG9w0BAQ...", "MIIBojANBgkqhkiG9w0BAQ..." };
        options.ProductApiKey = "pk_...";
        options.ServerBaseEndpoint = "https://licenses.example.com/api";
    }
}
