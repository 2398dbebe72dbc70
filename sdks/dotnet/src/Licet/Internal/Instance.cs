using System.Security.Cryptography;
using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>
/// An instance ID: one for each running copy of an application, stored for reuse. A copy that is restarted
/// after a crash finds its ID and reclaims its seat; two running copies never share one. Each ID is in a
/// small file that is locked while the session is open; the operating system releases the lock however the
/// process ends. Copies of a machine or of the folder begin with the same ID: the server then replaces the
/// session of one by that of the other, and says so to the one that was replaced, which takes a new ID.
/// </summary>
internal sealed class Instance : IDisposable
{
    private const int MaxCopies = 1024;
    private static readonly Regex Stored = new(@"\A[0-9a-f]{32}\z");
    private readonly FileStream? _lock;
    private readonly string _host;

    internal Instance(string value, FileStream? held = null, string host = "") =>
        (Value, _lock, _host) = (value, held, host);

    internal string Value { get; private set; }

    /// <summary>Takes a new ID, which the next start finds, too, if the old one was stored.</summary>
    internal void Renew()
    {
        var stored = Random();
        try
        {
            if (_lock is not null)
            {
                _lock.Position = 0;
                Write(_lock, stored);
            }
        }
        catch (Exception error) when (Disk.IsFault(error) || error is ObjectDisposedException)
        {
            // The next start finds the old one, and hears of the other copy again.
        }
        Value = MixInHost(stored, _host);
    }

    public void Dispose() => _lock?.Dispose();

    /// <summary>
    /// Acquires the first stored ID in the folder, of this license key, that no running copy uses. If nothing can be stored, and
    /// in CI, where folders are restored from caches, it is a random one that is not reused.
    /// </summary>
    internal static Instance Acquire(string folder, string label, IMachine machine) =>
        (MachineKind.CiProject(machine) is null ? AcquireStored(folder, label, machine) : null) ?? new Instance(Random());

    private static Instance? AcquireStored(string folder, string label, IMachine machine)
    {
        try
        {
            folder = Disk.MakeFolder(folder);
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            return null;
        }
        for (var number = 1; number <= MaxCopies; number++)
        {
            var path = Path.Combine(folder, $"licet-instance{label}-{number}.lock");
            try
            {
                var held = Disk.OpenLocked(path);
                if (ReadOrCreate(held) is { } stored)
                {
                    var host = machine.HostName();
                    return new Instance(MixInHost(stored, host), held, host);
                }
                held.Dispose();
            }
            catch (Exception error) when (Disk.IsFault(error))
            {
                if (!Disk.IsTaken(path))
                {
                    return null;
                }
            }
        }
        return null;
    }

    /// <summary>The ID in a file, or a new one in an empty file; null if the file holds something else.</summary>
    private static string? ReadOrCreate(FileStream stream)
    {
        var buffer = new byte[64];
        var stored = Encoding.ASCII.GetString(buffer, 0, stream.Read(buffer, 0, buffer.Length));
        if (stored.Length > 0)
        {
            return Stored.IsMatch(stored) ? stored : null;
        }
        stored = Random();
        Write(stream, stored);
        return stored;
    }

    private static void Write(FileStream stream, string stored)
    {
        stream.Write(Encoding.ASCII.GetBytes(stored));
        stream.Flush();
    }

    // The file may be part of a container image, and its containers may run at the same time.
    private static string MixInHost(string stored, string host) =>
        Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes($"{stored}\0{host}")))
            .ToLowerInvariant()[..32];

    private static string Random() => Convert.ToHexString(RandomNumberGenerator.GetBytes(16)).ToLowerInvariant();
}
