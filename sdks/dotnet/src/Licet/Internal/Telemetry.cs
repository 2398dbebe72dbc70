using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>
/// Usage events sent to the vendor, off by default. Never blocks the application and writes nothing to
/// disk. Events that cannot be sent are retried later; when too many wait, the oldest are dropped.
/// </summary>
internal sealed class Telemetry
{
    private const int MaxQueued = 1000;
    private const int MaxBatch = 100;

    // Of the 64 kB of a request; the license key and the hardware ID take the rest.
    private const int MaxBatchBytes = 62 * 1024;
    private const int MaxNameLength = 100;
    private const int MaxKeyLength = 50;
    private const int MaxValueLength = 500;
    private const int MaxProperties = 20;
    private const double MaxNumber = 1e18;
    private static readonly TimeSpan SendInterval = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan MaxPause = TimeSpan.FromHours(1);

    private readonly LicenseCore _core;
    private readonly LinkedList<string> _queue = new();
    private readonly SemaphoreSlim _batchReady = new(0);
    private readonly CancellationTokenSource _closing = new();
    private Task? _sender;

    internal Telemetry(LicenseCore core) => _core = core;

    /// <summary>Queues an event. Never throws.</summary>
    internal void Track(string name, IReadOnlyDictionary<string, object?>? properties)
    {
        if (!_core.Config.Telemetry || !_core.Config.HasServer || CreateEvent(name, properties) is not { } json)
        {
            return;
        }
        lock (_queue)
        {
            _queue.AddLast(json);
            if (_queue.Count > MaxQueued)
            {
                _queue.RemoveFirst();
            }
            if (_queue.Count == MaxBatch)
            {
                _batchReady.Release();
            }
            _sender ??= _closing.IsCancellationRequested ? null : Task.Run(SendUntilEmptyAsync);
        }
    }

    /// <summary>Sends the queued events, for at most two seconds.</summary>
    internal async Task CloseAsync()
    {
        Task? sender;
        lock (_queue)
        {
            _closing.Cancel();
            sender = _sender;
        }
        using var limit = new CancellationTokenSource(CloseTimeout);
        try
        {
            if (sender is not null)
            {
                await sender.WaitAsync(limit.Token).ConfigureAwait(false);
            }
            await SendAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // What could not be sent in time is dropped.
        }
    }

    private async Task SendUntilEmptyAsync()
    {
        while (true)
        {
            await WaitAsync(_batchReady, SendInterval).ConfigureAwait(false);
            if (_closing.IsCancellationRequested)
            {
                return;
            }
            var pause = await SendAsync(CancellationToken.None).ConfigureAwait(false);
            if (pause is { } wait)
            {
                await WaitAsync(null, wait).ConfigureAwait(false);
            }
            lock (_queue)
            {
                if (_queue.Count == 0)
                {
                    _sender = null;
                    return;
                }
            }
        }
    }

    private async Task WaitAsync(SemaphoreSlim? signal, TimeSpan duration)
    {
        try
        {
            await (signal?.WaitAsync(duration, _closing.Token) ?? Task.Delay(duration, _closing.Token))
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // Closing sends at once.
        }
    }

    /// <summary>Sends the queued events; returns how long to wait before trying again, null if nothing is left.</summary>
    private async Task<TimeSpan?> SendAsync(CancellationToken cancellationToken)
    {
        var options = new CallOptions { IsSuccess = status => status == 202, Retries = RetryPolicy.None };
        while (TakeBatch() is { Count: > 0 } batch)
        {
            var fields = new JsonObject
            {
                ["licenseKey"] = _core.NormalKey,
                ["hardwareId"] = _core.HardwareIdText,
                ["events"] = new JsonArray(batch.Select(json => JsonNode.Parse(json)).ToArray()),
            };
            try
            {
                await _core.Api.CallAsync("/telemetry", fields, options, cancellationToken).ConfigureAwait(false);
            }
            catch (LicetException error) when (RetryPolicy.IsTransient(error))
            {
                PutBack(batch);
                var asked = (error as LicetServerException)?.RetryAfter ?? TimeSpan.Zero;
                return asked < SendInterval ? SendInterval : asked < MaxPause ? asked : MaxPause;
            }
            catch (LicetException error)
            {
                _core.Config.Log($"{batch.Count} events were refused: {error.Message}");
            }
            catch (ObjectDisposedException)
            {
                return null;
            }
        }
        return null;
    }

    /// <summary>Removes and returns the oldest events that one request may contain.</summary>
    private List<string> TakeBatch()
    {
        var (batch, room) = (new List<string>(), MaxBatchBytes);
        lock (_queue)
        {
            while (batch.Count < MaxBatch && _queue.First is { } first && Encoding.UTF8.GetByteCount(first.Value) < room)
            {
                _queue.RemoveFirst();
                batch.Add(first.Value);
                room -= Encoding.UTF8.GetByteCount(first.Value) + 1;
            }
        }
        return batch;
    }

    private void PutBack(List<string> batch)
    {
        lock (_queue)
        {
            foreach (var json in Enumerable.Reverse(batch).Take(MaxQueued - _queue.Count))
            {
                _queue.AddFirst(json);
            }
        }
    }

    /// <summary>Builds an event that the server accepts; null if the name is empty or it is too large to be sent.</summary>
    private string? CreateEvent(string name, IReadOnlyDictionary<string, object?>? properties)
    {
        var eventName = Cut((name ?? "").Replace("\0", "").Trim(), MaxNameLength);
        if (eventName.Length == 0)
        {
            return null;
        }
        var sent = new JsonObject();
        foreach (var (key, value) in properties ?? new Dictionary<string, object?>())
        {
            var cut = Cut(key.Replace("\0", ""), MaxKeyLength);
            if (cut.Length > 0 && value is not null && sent.Count < MaxProperties)
            {
                sent[cut] = Property(value);
            }
        }
        var json = new JsonObject
        {
            ["name"] = eventName,
            ["occurredAt"] = _core.Config.Now.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.ffffff'Z'", CultureInfo.InvariantCulture),
            ["properties"] = sent,
        }.ToJsonString();
        return Encoding.UTF8.GetByteCount(json) < MaxBatchBytes ? json : null;
    }

    private static JsonNode Property(object value) => value switch
    {
        bool flag => flag,
        byte or short or ushort or int or uint or long => Whole(Convert.ToInt64(value, CultureInfo.InvariantCulture)),
        float or double when Convert.ToDouble(value, CultureInfo.InvariantCulture) is var number
            && Math.Abs(number) < MaxNumber => number,
        decimal number when Math.Abs(number) < (decimal)MaxNumber => number,
        _ => Cut((Convert.ToString(value, CultureInfo.InvariantCulture) ?? "").Replace("\0", ""), MaxValueLength),
    };

    private static JsonNode Whole(long value) =>
        Math.Abs((double)value) < MaxNumber ? value : value.ToString(CultureInfo.InvariantCulture);

    private static string Cut(string text, int length)
    {
        if (text.Length <= length)
        {
            return text;
        }
        return text[..(char.IsHighSurrogate(text[length - 1]) ? length - 1 : length)];
    }
}
