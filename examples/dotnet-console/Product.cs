using Licet;

/// <summary>What the server calls this product. You can ship all of it; none of it can issue a license.</summary>
internal static class Product
{
    internal static readonly LicenseClientOptions Options = new()
    {
        ProductId = "01920000-0000-7000-8000-000000000001",
        PublicKeys = new[] { "MIIBojANBgkqhkiG9w0BAQ...", "MIIBojANBgkqhkiG9w0BAQ..." },
        ProductApiKey = "pk_...",
        ServerBaseEndpoint = "https://licenses.example.com/api",
    };
}
