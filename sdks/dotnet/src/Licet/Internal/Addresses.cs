using System.Net;

namespace Licet.Internal;

/// <summary>Which addresses may be contacted: over TLS any, without it only this computer.</summary>
internal static class Addresses
{
    /// <summary>Whether nobody on the way can read or change what is sent to this URL.</summary>
    internal static bool IsProtected(string url) =>
        Uri.TryCreate(url, UriKind.Absolute, out var parsed)
        && parsed.Host.Length > 0
        && (parsed.Scheme == Uri.UriSchemeHttps || (parsed.Scheme == Uri.UriSchemeHttp && IsLoopback(parsed)));

    private static bool IsLoopback(Uri url) =>
        url.Host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(url.Host.Trim('[', ']'), out var address) && IPAddress.IsLoopback(address));
}
