using System.Security.Cryptography;

namespace Licet.Internal;

/// <summary>
/// The proofs of this device's key. Without a key that can be kept, requests go without one: only a license that asks
/// for proof is refused then.
/// </summary>
internal sealed class DeviceProof
{
    /// <summary>What a server's refusal is called, as an error code and as a status.</summary>
    private const string Refusal = nameof(LicenseValidationStatus.DeviceProofRequired);

    /// <summary>By how much a clock is off at least when its time is replaced by the server's.</summary>
    private static readonly TimeSpan NotableOffset = TimeSpan.FromMinutes(1);

    private readonly Config _config;
    private readonly string _path;
    private readonly Lazy<DeviceKey?> _key;
    private long _serverAhead;

    internal DeviceProof(Config config)
    {
        _config = config;
        _path = Path.Combine(config.Places.StateFolder, DeviceKeyFile.Name);
        _key = new Lazy<DeviceKey?>(() => Read(path => DeviceKeyFile.Load(path) ?? DeviceKeyFile.Create(path)));
    }

    /// <summary>
    /// The key of this device, which is made if there is none; null if it cannot be kept, and <see cref="Fault"/> says why.
    /// </summary>
    internal DeviceKey? Key => _key.Value;

    /// <summary>The thumbprint of the key that this device has already; makes none.</summary>
    internal string? KnownJkt => (_key.IsValueCreated ? Key : Read(DeviceKeyFile.Load))?.Jkt;

    /// <summary>Where the key is kept; null without one.</summary>
    internal DeviceKeyLevel? Level => Key is null ? null : DeviceKeyLevel.Software;

    /// <summary>Why this device has no key, in a sentence, if so.</summary>
    internal string? Fault { get; private set; }

    /// <summary>The time for the next proof: the server's, as far as it is known to differ.</summary>
    internal DateTimeOffset Now => Clock.After(_config.Now, TimeSpan.FromTicks(Interlocked.Read(ref _serverAhead)));

    /// <summary>
    /// Whether a proof was refused that a new one may replace, which has the server's time. Two copies of the application
    /// that start at once may overtake each other, so that the older proof is refused.
    /// </summary>
    internal bool SignsAgain(Reply reply)
    {
        if (Key is null || !IsRefusal(reply))
        {
            return false;
        }
        if (reply.Headers.Date is { } date && (date - Now).Duration() >= NotableOffset)
        {
            Interlocked.Exchange(ref _serverAhead, (date - _config.Now).Ticks);
        }
        return true;
    }

    private static bool IsRefusal(Reply reply) =>
        reply.Json is { } said && (said.Text("errorCode") == Refusal || said.Text("status") == Refusal);

    private DeviceKey? Read(Func<string, DeviceKey?> read)
    {
        try
        {
            return read(_path);
        }
        catch (Exception error) when (Disk.IsFault(error) || error is CryptographicException)
        {
            var fault = $"{_path} cannot be used as the key of this device: {error.Message.TrimEnd('.')}. Check the "
                + "permissions of the file and of its folder.";
            if (fault != Fault)
            {
                _config.Log(fault);
            }
            Fault = fault;
            return null;
        }
    }
}
