using System.Security.Cryptography;
using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>
/// The state on disk, or in memory if it cannot be written. A missing or damaged state, or one from
/// another machine, is treated as empty and never throws. The file is authenticated with a key derived
/// from hardware ID and product ID; anyone who can run code on the machine can compute it, so what
/// grants or refuses something is kept as the server signed it.
///
/// What a state knows about the time is in a second file as well, which the states of all license keys share, so
/// that entering another key forgets no time that has passed. Of the two, the newer counts.
/// </summary>
internal sealed class StateStore
{
    private const int MaxBytes = 1 << 21;
    private static readonly TimeSpan WriteInterval = TimeSpan.FromMinutes(1);

    private readonly string _path;
    private readonly string _sharedPath;
    private readonly byte[] _key;
    private readonly Action<string> _log;
    private readonly object _lock = new();
    private State? _cached;
    private State? _onDisk;
    private State? _shared;

    internal StateStore(string path, string sharedPath, string hardwareId, string productId, Action<string> log)
    {
        (_path, _sharedPath, _log) = (path, sharedPath, log);
        _key = SHA256.HashData(Encoding.UTF8.GetBytes($"licet/state/v1\0{productId}\0{hardwareId}"));
    }

    /// <summary>Why the state is only in memory, in a sentence, if it is.</summary>
    internal string? Unwritten { get; private set; }

    /// <summary>The state as last loaded or stored by this process; does not read the disk.</summary>
    internal State Seen
    {
        get
        {
            lock (_lock)
            {
                return _cached ?? new State();
            }
        }
    }

    /// <summary>
    /// The state file of one product and license key; without a key, of what is known of the time. Products can
    /// share a folder, and so can clients of one product.
    /// </summary>
    internal static string PathIn(Places places, string productId, string label = "")
    {
        var product = Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(productId)))[..8].ToLowerInvariant();
        var stem = Path.GetFileNameWithoutExtension(places.LicenseFile);
        return Path.Combine(places.StateFolder, $"{stem}{label}-{product}.state");
    }

    internal State Load()
    {
        lock (_lock)
        {
            return LoadLocked();
        }
    }

    /// <summary>Applies a change to the current state and stores the result.</summary>
    internal State Update(Func<State, State> change)
    {
        lock (_lock)
        {
            var after = change(LoadLocked());
            _cached = after;
            if ((_onDisk is null || ShouldWrite(_onDisk, after)) && Write(_path, after))
            {
                (_onDisk, Unwritten) = (after, null);
            }
            var known = _shared ?? new State();
            var shared = known.WithClockOf(after);
            if (_sharedPath != _path && ShouldWrite(known, shared))
            {
                Write(_sharedPath, shared);
            }
            return after;
        }
    }

    private State LoadLocked()
    {
        _onDisk = Read(_path);
        var state = _onDisk is null ? _cached ?? new State() : Newer(_onDisk, _cached);
        if (_sharedPath == _path)
        {
            return state;
        }
        _shared = Read(_sharedPath);
        return state.WithClockOf(Newer(state, _shared));
    }

    private State? Read(string path)
    {
        try
        {
            if (Disk.ReadOwn(path, MaxBytes) is not { } raw)
            {
                return null;
            }
            if (JsonReading.ParseObject(raw) is { } envelope
                && envelope.Text("state") is { } body
                && envelope.Text("mac") is { } mac
                && CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(mac), Encoding.UTF8.GetBytes(Mac(body)))
                && JsonReading.ParseObject(Encoding.UTF8.GetBytes(body)) is { } stored)
            {
                return State.FromJson(stored);
            }
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            // Treated like a damaged one.
        }
        _log($"The state file {Path.GetFileName(path)} is damaged or from another machine; using an empty state.");
        return null;
    }

    private bool Write(string path, State state)
    {
        try
        {
            var body = State.ToJson(state);
            var envelope = new JsonObject { ["v"] = 4, ["state"] = body, ["mac"] = Mac(body) };
            Disk.WriteOwn(path, Encoding.UTF8.GetBytes(envelope.ToJsonString()));
            return true;
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            if (Unwritten is null)
            {
                Unwritten = $"Nothing can be stored in {Path.GetDirectoryName(_path)} ({error.Message}): after a "
                    + "restart there is no grace period. Set StateFolder to a folder that can be written to.";
                _log(Unwritten);
            }
            return false;
        }
    }

    private string Mac(string body) =>
        Convert.ToHexString(HMACSHA256.HashData(_key, Encoding.UTF8.GetBytes(body))).ToLowerInvariant();

    /// <summary>Whether to write: any change at once, but the passing of time only once a minute.</summary>
    private static bool ShouldWrite(State onDisk, State after) =>
        onDisk.HighWater is not { } before || after.HighWater is not { } now
            ? onDisk != after
            : (now - before).Duration() >= WriteInterval || !onDisk.SameExceptClock(after);

    /// <summary>The newer of the cached state and the one on disk, which another process may have written.</summary>
    private static State Newer(State onDisk, State? cached)
    {
        if (cached is null)
        {
            return onDisk;
        }
        var order = cached.Answers.CompareTo(onDisk.Answers);
        order = order != 0 ? order : Nullable.Compare(cached.Anchor, onDisk.Anchor);
        order = order != 0 ? order : Nullable.Compare(cached.HighWater, onDisk.HighWater);
        return order > 0 ? cached : onDisk;
    }
}
