using System.Net.Http;
using System.Net.Sockets;
using System.Security.Authentication;

namespace Licet.Internal;

/// <summary>The exceptions for requests without a response, so that a network problem never looks like an invalid license.</summary>
internal static class NetworkErrors
{
    internal static LicetNetworkException TimedOut(Uri url, Exception? cause = null) => new(
        LicetErrorCode.ServerTimeout,
        $"The license server {url.Host} did not respond in time. Check the connection and try again; a firewall may be "
        + "dropping the traffic.", cause);

    internal static LicetNetworkException Of(Exception error, Uri url, Uri? proxy)
    {
        var causes = Causes(error).ToList();
        var socket = causes.OfType<SocketException>().FirstOrDefault();
        var kind = (error as HttpRequestException)?.HttpRequestError ?? HttpRequestError.Unknown;
        if (kind == HttpRequestError.ProxyTunnelError
            || (proxy is not null && error is NotSupportedException)
            || (proxy is not null && (socket is not null || kind == HttpRequestError.NameResolutionError)
                && !causes.OfType<AuthenticationException>().Any()))
        {
            return new LicetNetworkException(
                LicetErrorCode.Proxy,
                $"The proxy {proxy?.Authority} for {url.Host} cannot be reached or refused: {Summary(error)}. Check "
                + "HTTPS_PROXY, HTTP_PROXY and NO_PROXY.", error);
        }
        if (kind == HttpRequestError.SecureConnectionError || causes.OfType<AuthenticationException>().Any())
        {
            return new LicetNetworkException(
                LicetErrorCode.Tls,
                $"The connection to {url.Host} is not trusted ({Summary(causes.OfType<AuthenticationException>().FirstOrDefault() ?? error)}). "
                + "If a company proxy or antivirus software intercepts TLS, install its CA certificate or name it in "
                + "the setting CaBundle; also check this computer's date. The license was not checked.", error);
        }
        return OfConnection(error, socket, kind, url);
    }

    private static LicetNetworkException OfConnection(
        Exception error, SocketException? socket, HttpRequestError kind, Uri url)
    {
        if (kind == HttpRequestError.NameResolutionError
            || socket?.SocketErrorCode is SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain)
        {
            return new LicetNetworkException(
                LicetErrorCode.Dns,
                $"The name {url.Host} of the license server cannot be resolved. Check the internet connection, the DNS "
                + "settings and the spelling of ServerBaseEndpoint.", error);
        }
        if (socket?.SocketErrorCode == SocketError.ConnectionRefused)
        {
            return new LicetNetworkException(
                LicetErrorCode.ServerRefused,
                $"{url.Host} refused the connection: nothing listens on that port. Check the port in "
                + "ServerBaseEndpoint, the firewall, and that the license server is running.", error);
        }
        if (kind == HttpRequestError.ConnectionError)
        {
            return new LicetNetworkException(
                LicetErrorCode.Network,
                $"Could not connect to the license server {url.Host}: {Summary(error)}. Check the internet connection "
                + "and the firewall.", error);
        }
        return new LicetNetworkException(
            LicetErrorCode.ConnectionLost,
            $"The connection to the license server {url.Host} was lost: {Summary(error)}. Try again; if the problem "
            + "persists, check for a firewall or proxy that cuts connections.", error);
    }

    private static IEnumerable<Exception> Causes(Exception error)
    {
        for (Exception? cause = error; cause is not null; cause = cause.InnerException)
        {
            yield return cause;
        }
    }

    private static string Summary(Exception error)
    {
        var text = error.Message.Trim().TrimEnd('.');
        return text[..Math.Min(200, text.Length)];
    }
}
