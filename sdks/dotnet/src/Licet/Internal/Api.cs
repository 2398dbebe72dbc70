using System.Diagnostics;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>How a call is made, where it differs from the usual.</summary>
internal sealed record CallOptions
{
    internal static readonly CallOptions Usual = new();

    internal HttpMethod Method { get; init; } = HttpMethod.Post;

    internal IReadOnlyDictionary<string, string> Headers { get; init; } = new Dictionary<string, string>();

    /// <summary>The HTTP statuses of a successful response.</summary>
    internal Func<int, bool> IsSuccess { get; init; } = status => status == 200;

    internal RetryPolicy Retries { get; init; } = RetryPolicy.Default;

    /// <summary>The time for the call, if less than the client's timeout.</summary>
    internal TimeSpan? Timeout { get; init; }

    /// <summary>Notes since when the call has been waiting for an answer.</summary>
    internal Waiting? Waiting { get; init; }
}

/// <summary>Since when a call has been waiting for an answer; pauses between attempts do not count.</summary>
internal sealed class Waiting
{
    private readonly object _lock = new();
    private TimeSpan? _since;

    /// <summary>How long it has been waiting; zero in a pause.</summary>
    internal TimeSpan Time
    {
        get
        {
            lock (_lock)
            {
                return _since is { } since ? Api.Monotonic - since : TimeSpan.Zero;
            }
        }
    }

    internal void Note(TimeSpan? since)
    {
        lock (_lock)
        {
            _since = since;
        }
    }
}

/// <summary>The outcome of a successful call.</summary>
/// <param name="Body">The JSON object of the response; undefined if it has none.</param>
/// <param name="RequestId">The request ID to give to the vendor's support.</param>
/// <param name="SentAt">The monotonic time at which the last attempt was sent.</param>
internal sealed record ApiReply(JsonElement Body, string? RequestId, TimeSpan SentAt);

/// <summary>API calls: headers, retries within one deadline, and typed exceptions.</summary>
internal sealed class Api : IDisposable
{
    internal const string Version = "0.2.0";
    private static readonly TimeSpan MinAttempt = TimeSpan.FromSeconds(0.1);
    private static readonly Stopwatch Stopwatch = Stopwatch.StartNew();

    private readonly Config _config;

    internal Api(Config config)
    {
        _config = config;
        Http = new Http(config);
        Proof = new DeviceProof(config);
    }

    internal Http Http { get; }

    internal DeviceProof Proof { get; }

    /// <summary>The time on a monotonic clock.</summary>
    internal static TimeSpan Monotonic => Stopwatch.Elapsed;

    internal static string UserAgent => $"licet-dotnet/{Version}";

    /// <summary>Calls the API. Null fields are omitted; a GET has them in its query.</summary>
    /// <exception cref="LicetConfigurationException">No server is configured.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    internal async Task<ApiReply> CallAsync(
        string path, JsonObject fields, CallOptions options, CancellationToken cancellationToken)
    {
        RequireServer();
        var requestId = Convert.ToHexString(RandomNumberGenerator.GetBytes(16)).ToLowerInvariant();
        var given = fields.Where(field => field.Value is not null).ToList();
        var url = new Uri(_config.Endpoint + path + (options.Method == HttpMethod.Get ? Query(given) : ""));
        var content = options.Method == HttpMethod.Get ? null : Encode(given);
        async Task<Reply> SendAsync(TimeSpan limit)
        {
            using var request = Build(url, content, options, requestId);
            return await Http.SendAsync(request, limit, cancellationToken).ConfigureAwait(false);
        }
        return await RetryAsync(
            async timeout =>
            {
                var sentAt = Monotonic;
                options.Waiting?.Note(sentAt);
                Reply reply;
                try
                {
                    reply = await SendAsync(timeout).ConfigureAwait(false);
                    if (Proof.SignsAgain(reply))
                    {
                        var left = timeout - (Monotonic - sentAt);
                        sentAt = Monotonic;
                        reply = await SendAsync(left > MinAttempt ? left : MinAttempt).ConfigureAwait(false);
                    }
                }
                finally
                {
                    options.Waiting?.Note(null);
                }
                if (ServerErrors.Of(reply, url, _config.Now, options.IsSuccess) is { } failure)
                {
                    throw failure;
                }
                return new ApiReply(reply.Json ?? default, reply.RequestId ?? requestId, sentAt);
            },
            options.Retries, Shorter(options.Timeout, _config.Timeout), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Makes attempts until one succeeds, the policy gives up, or the time of the whole call is over. While other
    /// attempts are left, an attempt may take half of the time that is left.
    /// </summary>
    internal static async Task<T> RetryAsync<T>(
        Func<TimeSpan, Task<T>> attempt, RetryPolicy retries, TimeSpan timeout, CancellationToken cancellationToken)
    {
        var started = Monotonic;
        var deadline = started + timeout * retries.Budget;
        for (var number = 1; ; number++)
        {
            TimeSpan pause;
            try
            {
                var left = deadline - Monotonic;
                var share = Shorter(timeout, number < retries.Attempts ? left / 2 : left);
                return await attempt(share > MinAttempt ? share : MinAttempt).ConfigureAwait(false);
            }
            catch (LicetException failure)
            {
                if (retries.Pause(failure, number, deadline - Monotonic, RetryPolicy.Jitter()) is not { } wait)
                {
                    if (failure.Code == LicetErrorCode.ServerTimeout)
                    {
                        throw NetworkErrors.NoAnswerIn(Monotonic - started, failure);
                    }
                    throw;
                }
                pause = wait;
            }
            await Task.Delay(pause, cancellationToken).ConfigureAwait(false);
        }
    }

    public void Dispose() => Http.Dispose();

    internal void RequireServer()
    {
        if (_config.HasServer)
        {
            return;
        }
        var missing = _config.Endpoint is null ? "ServerBaseEndpoint" : "ProductApiKey";
        throw new LicetConfigurationException(
            $"{missing} is missing, so the license server cannot be contacted. Set LicenseClientOptions.{missing}, or "
            + $"{missing} in licet.json.");
    }

    private HttpRequestMessage Build(Uri url, byte[]? content, CallOptions options, string requestId)
    {
        var request = new HttpRequestMessage(options.Method, url);
        request.Headers.TryAddWithoutValidation("X-API-KEY", _config.ApiKey);
        request.Headers.TryAddWithoutValidation("X-Request-Id", requestId);
        request.Headers.TryAddWithoutValidation("Accept", "application/json");
        request.Headers.TryAddWithoutValidation("User-Agent", UserAgent);
        if (Proof.Key?.Prove(options.Method.Method, url, content, Proof.Now) is { } proof)
        {
            request.Headers.TryAddWithoutValidation("DPoP", proof);
        }
        foreach (var (name, value) in options.Headers)
        {
            request.Headers.TryAddWithoutValidation(name, value);
        }
        if (content is not null)
        {
            request.Content = new ByteArrayContent(content);
            request.Content.Headers.TryAddWithoutValidation("Content-Type", "application/json");
        }
        return request;
    }

    private static byte[] Encode(IEnumerable<KeyValuePair<string, JsonNode?>> fields)
    {
        using var buffer = new MemoryStream();
        using (var writer = new Utf8JsonWriter(buffer))
        {
            writer.WriteStartObject();
            foreach (var (name, value) in fields)
            {
                writer.WritePropertyName(name);
                value!.WriteTo(writer);
            }
            writer.WriteEndObject();
        }
        return buffer.ToArray();
    }

    private static string Query(IReadOnlyCollection<KeyValuePair<string, JsonNode?>> fields) =>
        fields.Count == 0
            ? ""
            : "?" + string.Join('&', fields.Select(field => $"{field.Key}={Uri.EscapeDataString(field.Value!.ToString())}"));

    private static TimeSpan Shorter(TimeSpan? left, TimeSpan right) => left < right ? left.Value : right;
}
