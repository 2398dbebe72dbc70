using System.Net;
using System.Net.Http;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace Licet.Internal;

/// <summary>
/// Sends requests within a deadline and a limit of size, without following redirects. Nothing of the
/// network is touched before the first request.
/// </summary>
internal sealed class Http : IDisposable
{
    private const int MaxReplyBytes = 4 << 20;
    private const int MaxBundleBytes = 16 << 20;
    private static readonly TimeSpan ConnectionLifetime = TimeSpan.FromMinutes(5);

    /// <summary>How long a server has to accept a connection.</summary>
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(3);

    private readonly Config _config;
    private readonly Lazy<HttpMessageInvoker> _invoker;
    private volatile bool _disposed;

    internal Http(Config config)
    {
        _config = config;
        _invoker = new Lazy<HttpMessageInvoker>(
            () => config.Handler is { } handler
                ? new HttpMessageInvoker(handler, disposeHandler: false)
                : new HttpMessageInvoker(CreateHandler(config)));
    }

    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    internal async Task<Reply> SendAsync(
        HttpRequestMessage request, TimeSpan timeout, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, typeof(LicenseClient));
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(timeout);
        var url = request.RequestUri!;
        try
        {
            using var response = await _invoker.Value.SendAsync(request, limit.Token).ConfigureAwait(false);
            var body = await ReadAsync(response, limit.Token).ConfigureAwait(false);
            return new Reply((int)response.StatusCode, response.Headers, response.Content.Headers, body);
        }
        catch (OperationCanceledException error) when (!cancellationToken.IsCancellationRequested)
        {
            throw NetworkErrors.TimedOut(url, error);
        }
        catch (Exception error) when (error is HttpRequestException or IOException or NotSupportedException)
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw NetworkErrors.Of(error, url, ProxyFor(url));
        }
    }

    public void Dispose()
    {
        _disposed = true;
        if (_invoker.IsValueCreated)
        {
            _invoker.Value.Dispose();
        }
    }

    private static async Task<byte[]> ReadAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        using var body = new MemoryStream();
        var stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            var chunk = new byte[16 * 1024];
            for (int read; (read = await stream.ReadAsync(chunk, cancellationToken).ConfigureAwait(false)) > 0;)
            {
                body.Write(chunk, 0, read);
                if (body.Length > MaxReplyBytes)
                {
                    throw ServerErrors.Unexpected(
                        "The response is too large to come from a license server.", null, (int)response.StatusCode);
                }
            }
        }
        return body.ToArray();
    }

    private Uri? ProxyFor(Uri url)
    {
        if (!_config.TrustEnvironment || _config.Handler is not null)
        {
            return null;
        }
        var proxy = HttpClient.DefaultProxy.GetProxy(url);
        return proxy == url ? null : proxy;
    }

    private static SocketsHttpHandler CreateHandler(Config config)
    {
        var handler = new SocketsHttpHandler
        {
            AllowAutoRedirect = false,
            UseCookies = false,
            UseProxy = config.TrustEnvironment,
            AutomaticDecompression = DecompressionMethods.None,
            // User names and passwords in headers may contain any character.
            RequestHeaderEncodingSelector = (_, _) => Encoding.UTF8,
            PooledConnectionLifetime = ConnectionLifetime,
            ConnectTimeout = ConnectTimeout,
        };
        if (config.CaBundle is { } bundle)
        {
            var authorities = ReadBundle(bundle);
            handler.SslOptions.RemoteCertificateValidationCallback =
                (_, certificate, chain, errors) => IsTrusted(certificate, chain, errors, authorities);
        }
        return handler;
    }

    private static X509Certificate2Collection ReadBundle(string path)
    {
        var authorities = new X509Certificate2Collection();
        try
        {
            var raw = Disk.ReadInstalled(path, MaxBundleBytes) ?? throw new FileNotFoundException("It does not exist");
            authorities.ImportFromPem(Encoding.UTF8.GetString(raw));
        }
        catch (Exception error) when (
            Disk.IsFault(error) || error is System.Security.Cryptography.CryptographicException or ArgumentException)
        {
            throw new LicetConfigurationException(
                $"CaBundle {path} cannot be read as PEM certificates: {error.Message}. Check the path and the file.", error);
        }
        return authorities.Count > 0
            ? authorities
            : throw new LicetConfigurationException($"CaBundle {path} contains no certificates.");
    }

    /// <summary>Trusts what the system trusts, and else what the bundle's authorities have issued.</summary>
    private static bool IsTrusted(
        X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors, X509Certificate2Collection authorities)
    {
        if (errors == SslPolicyErrors.None)
        {
            return true;
        }
        if (errors != SslPolicyErrors.RemoteCertificateChainErrors || certificate is not X509Certificate2 server)
        {
            return false;
        }
        using var own = new X509Chain();
        own.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        own.ChainPolicy.CustomTrustStore.AddRange(authorities);
        own.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        foreach (var element in chain?.ChainElements.Skip(1) ?? Enumerable.Empty<X509ChainElement>())
        {
            own.ChainPolicy.ExtraStore.Add(element.Certificate);
        }
        return own.Build(server);
    }
}
