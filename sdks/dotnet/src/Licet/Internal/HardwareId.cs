using System.Security.Cryptography;
using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>
/// The hardware ID: one per machine and product, stable and never empty. It is <c>h1</c> (the version of
/// this algorithm), a letter for its source, a dash and 40 hex digits of an HMAC keyed with the product
/// ID, so two products cannot match their users. Sources: <c>m</c> the operating system's machine ID;
/// <c>j</c> the project of a CI job; <c>c</c> the machine ID in a container image; <c>n</c> the host
/// name; <c>s</c> a random ID stored on this machine because there was no other source.
/// </summary>
internal sealed record HardwareId(string Value, char Source)
{
    private const string StoredName = "licet-device-id";
    internal static readonly string[] LinuxFiles = { "/etc/machine-id", "/var/lib/dbus/machine-id" };
    private static readonly Regex Placeholder = new(@"\A(?:(.)\1*|uninitialized|none|unknown|localhost)\z");
    private static readonly Regex GeneratedHostName = new(@"\A(?:[0-9a-f]{12}|.*-[a-z0-9]{8,10}-[a-z0-9]{5}|localhost|)\z");
    internal static readonly Regex PlatformUuid = new("\"IOPlatformUUID\"\\s*=\\s*\"([^\"]+)\"");

    /// <summary>Determines the hardware ID of a machine for one product.</summary>
    /// <param name="productId">The key of the HMAC.</param>
    /// <param name="folder">Where to store a random ID if necessary; it does not have to be writable.</param>
    /// <param name="machine">The machine.</param>
    /// <param name="ofCiProject">Whether the jobs of a CI project share one.</param>
    internal static HardwareId Find(string productId, string folder, IMachine machine, bool ofCiProject = true)
    {
        var project = ofCiProject ? MachineKind.CiProject(machine) : null;
        // A hosted CI runner is a new machine for each job and would take a seat each time.
        var (source, raw) = project is not null ? ('j', project) : Identify(machine, folder);
        var key = SHA256.HashData(Encoding.UTF8.GetBytes($"licet/hardware-id/v1\0{productId}"));
        var digest = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes($"{source}:{raw}"));
        return new HardwareId($"h1{source}-{Convert.ToHexString(digest).ToLowerInvariant()[..40]}", source);
    }

    /// <summary>Whether this is a container without a machine ID mounted from outside.</summary>
    internal static bool InEphemeralContainer(IMachine machine) =>
        MachineKind.InContainer(machine)
        && (LinuxFiles.FirstOrDefault(path => Normalize(machine.Read(path)) is not null) is not { } file
            || !MachineKind.IsMounted(machine, file));

    private static (char Source, string Raw) Identify(IMachine machine, string folder)
    {
        if (MachineKind.InContainer(machine))
        {
            var path = LinuxFiles.FirstOrDefault(file => Normalize(machine.Read(file)) is not null);
            // If mounted from the host, it identifies the host. Otherwise all containers of the image share
            // it, which the vendor can see by the letter.
            return path is null
                ? Fallback(machine, folder)
                : (MachineKind.IsMounted(machine, path) ? 'm' : 'c', Normalize(machine.Read(path))!);
        }
        return MachineId(machine) is { } found ? ('m', found) : Fallback(machine, folder);
    }

    private static string? MachineId(IMachine machine) => machine.Platform switch
    {
        "win32" => Normalize(machine.MachineGuid()),
        "darwin" => PlatformUuid.Match(machine.IoRegistry() ?? "") is { Success: true } match
            ? Normalize(match.Groups[1].Value)
            : null,
        _ => LinuxFiles.Select(path => Normalize(machine.Read(path))).FirstOrDefault(found => found is not null),
    };

    private static (char Source, string Raw) Fallback(IMachine machine, string folder)
    {
        var path = Path.Combine(folder, StoredName);
        if (ReadStored(path) is { } stored)
        {
            return ('s', stored);
        }
        var hostName = machine.HostName().Trim().ToLowerInvariant();
        if (!GeneratedHostName.IsMatch(hostName))
        {
            return ('n', hostName);
        }
        var created = Convert.ToHexString(RandomNumberGenerator.GetBytes(16)).ToLowerInvariant();
        try
        {
            Disk.WriteOwn(path, Encoding.ASCII.GetBytes(created));
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            return ('n', hostName.Length > 0 ? hostName : "nameless");
        }
        return ('s', ReadStored(path) ?? created);
    }

    private static string? ReadStored(string path)
    {
        try
        {
            return Disk.ReadOwn(path, 256) is { } raw ? Normalize(Encoding.ASCII.GetString(raw)) : null;
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            return null;
        }
    }

    /// <summary>Normalizes an identifier; null if it is unusable, such as zeros or a placeholder.</summary>
    private static string? Normalize(string? raw)
    {
        var text = (raw ?? "").Trim().Trim('\0').ToLowerInvariant();
        return text.Length >= 8 && !Placeholder.IsMatch(text.Replace("-", "")) ? text : null;
    }
}
