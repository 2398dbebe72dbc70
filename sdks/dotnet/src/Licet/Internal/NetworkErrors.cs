using System.Net.Http;
using System.Net.Sockets;
using System.Security.Authentication;

namespace Licet.Internal;

/// <summary>The exceptions for requests without a response, so that a network problem never looks like an invalid license.</summary>
internal static class NetworkErrors
{
    internal static LicetNetworkException TimedOut(Uri url, Exception? cause = null) => Fault(
        LicetErrorCode.ServerTimeout,
        Sentence.English("ServerTimeout"),
        $"{url.Host} did not respond; a firewall may be dropping the traffic.", cause);

    /// <summary>The exception for a server that was given this time to respond.</summary>
    internal static LicetNetworkException NoAnswerIn(TimeSpan time, Exception? cause = null)
    {
        var whole = Math.Max(1, (int)Math.Round(time.TotalSeconds));
        return new LicetNetworkException(
            LicetErrorCode.ServerTimeout,
            $"The license server did not respond within {(whole == 1 ? "a second" : $"{whole} seconds")}. Check your "
            + "internet connection, and try again.", cause)
        {
            Hint = "The server is overloaded or far away, or a firewall drops the traffic.",
        };
    }

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
            return Fault(
                LicetErrorCode.Proxy,
                Sentence.English("Proxy"),
                $"The proxy {proxy?.Authority} for {url.Host}: {Summary(error)}. Check HTTPS_PROXY, HTTP_PROXY and "
                + "NO_PROXY.", error);
        }
        if (kind == HttpRequestError.SecureConnectionError || causes.OfType<AuthenticationException>().Any())
        {
            return Fault(
                LicetErrorCode.Tls,
                Sentence.English("Tls"),
                $"{url.Host}: {Summary(causes.OfType<AuthenticationException>().FirstOrDefault() ?? error)}. If a company "
                + "proxy or antivirus software intercepts TLS, install its CA certificate or name it in the setting "
                + "CaBundle.", error);
        }
        return OfConnection(error, socket, kind, url);
    }

    private static LicetNetworkException OfConnection(
        Exception error, SocketException? socket, HttpRequestError kind, Uri url)
    {
        if (kind == HttpRequestError.NameResolutionError
            || socket?.SocketErrorCode is SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain)
        {
            return Fault(
                LicetErrorCode.Dns,
                Sentence.English("Dns"),
                $"The name {url.Host} does not resolve. Check the DNS settings and the spelling of ServerBaseEndpoint.",
                error);
        }
        if (socket?.SocketErrorCode == SocketError.ConnectionRefused)
        {
            return Fault(
                LicetErrorCode.ServerRefused,
                Sentence.English("ServerRefused"),
                $"{url.Host} refused the connection: nothing listens on that port. Check the port in "
                + "ServerBaseEndpoint, the firewall, and that the license server is running.", error);
        }
        if (kind == HttpRequestError.ConnectionError)
        {
            return Fault(
                LicetErrorCode.Network,
                Sentence.English("Network"),
                $"Connecting to {url.Host} failed: {Summary(error)}. Check the firewall.", error);
        }
        return Fault(
            LicetErrorCode.ConnectionLost,
            Sentence.English("ConnectionLost"),
            $"{url.Host}: {Summary(error)}. A firewall or a proxy may be cutting connections.", error);
    }

    private static LicetNetworkException Fault(
        LicetErrorCode code, string message, string hint, Exception? cause) => new(code, message, cause) { Hint = hint };

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
