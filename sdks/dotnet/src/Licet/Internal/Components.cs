using System.Collections.ObjectModel;
using System.Security.Cryptography;
using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>
/// The components of this machine, which recognize it when its hardware ID has changed. Each is 16 hexadecimal
/// digits of an HMAC keyed with the product ID, so no serial number leaves the machine. Every SDK has the same recipe.
/// </summary>
internal static class Components
{
    internal static readonly IReadOnlyDictionary<string, string> None =
        new ReadOnlyDictionary<string, string>(new Dictionary<string, string>());

    private const int Least = 2;
    private const int Deepest = 4;
    private const string Dmi = "/sys/class/dmi/id";
    private const string Block = "/sys/class/block";
    private const string HardwareKey = @"HARDWARE\DESCRIPTION\System";
    private const string SmbiosKey = @"SYSTEM\CurrentControlSet\Services\mssmbios\Data";

    private static readonly Regex Processor = new(@"^model name\s*:(.*)$", RegexOptions.Multiline);
    private static readonly Regex MacModel = new("\"model\"\\s*=\\s*<\"([^\"]+)\">");
    private static readonly Regex MacVolume = new(@"<key>VolumeUUID</key>\s*<string>([^<]+)</string>");
    private static readonly Regex Separators = new("[^!-~]+");
    private static readonly HashSet<string> Placeholders = new(StringComparer.Ordinal)
    {
        "uninitialized", "none", "unknown", "localhost", "default string", "to be filled by o.e.m.",
        "system manufacturer", "system product name", "system serial number", "not specified", "not applicable",
        "not available", "invalid", "00020003000400050006000700080009",
    };

    private static readonly Lazy<IReadOnlyDictionary<string, string>> OfThisMachine = new(() => Read(new ThisMachine()));

    /// <summary>
    /// Finds the components of a machine for one product; none if it has fewer than two. What cannot be read is left
    /// out. This machine is read once in each process.
    /// </summary>
    /// <param name="productId">The key of the HMAC.</param>
    /// <param name="machine">Replaces this machine in tests.</param>
    internal static IReadOnlyDictionary<string, string> Find(string productId, IMachine? machine = null)
    {
        var values = machine is null ? OfThisMachine.Value : Read(machine);
        if (values.Count < Least)
        {
            return None;
        }
        var key = Encoding.UTF8.GetBytes(productId);
        return values.ToDictionary(item => item.Key, item => Hash(key, $"{item.Key}:{item.Value}"));
    }

    /// <summary>Reads the components of a machine in clear; none in a container or a CI job.</summary>
    internal static IReadOnlyDictionary<string, string> Read(IMachine machine)
    {
        if (MachineKind.CiProject(machine) is not null || MachineKind.InContainer(machine))
        {
            return None;
        }
        var found = machine.Platform switch
        {
            "win32" => OnWindows(machine),
            "darwin" => OnMac(machine),
            _ => OnLinux(machine),
        };
        return found.Where(item => item.Value is not null)
            .ToDictionary(item => item.Name, item => item.Value!, StringComparer.Ordinal);
    }

    private static string Hash(byte[] key, string message) =>
        Convert.ToHexString(HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(message))).ToLowerInvariant()[..16];

    private static IEnumerable<(string Name, string? Value)> OnLinux(IMachine machine)
    {
        var (maker, product) = (Part(machine.Read($"{Dmi}/sys_vendor")), Part(machine.Read($"{Dmi}/product_name")));
        if (maker is null && product is null)
        {
            product = Part(machine.Read("/proc/device-tree/model"));
        }
        var root = RootDevice(machine);
        yield return ("osInstall", HardwareId.LinuxFiles.Select(path => Usable(machine.Read(path))).FirstOrDefault(id => id is not null));
        yield return ("board", Usable(machine.Read("/proc/device-tree/serial-number")));
        yield return ("model", Model(maker, product, Part(Inside(machine.Read("/proc/cpuinfo"), Processor))));
        yield return ("disk", root is null ? null : Drives(machine, root, 0).FirstOrDefault());
        yield return ("volume", Usable(Udev(machine, root, "ID_FS_UUID")));
    }

    /// <summary>The number of the device with the root file system, such as <c>259:2</c>.</summary>
    private static string? RootDevice(IMachine machine)
    {
        var root = (machine.Read("/proc/self/mountinfo") ?? "").Split('\n')
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .LastOrDefault(fields => fields.Length > 4 && fields[4] == "/");
        if (root is null || !root[2].StartsWith("0:", StringComparison.Ordinal))
        {
            return root?[2];
        }
        // A file system over several devices has a number of its own.
        var source = root.Skip(5).SkipWhile(field => field != "-").Skip(2).FirstOrDefault() ?? "";
        var name = source.StartsWith("/dev/", StringComparison.Ordinal) ? source["/dev/".Length..] : "";
        if (name.StartsWith("mapper/", StringComparison.Ordinal))
        {
            var mapped = name["mapper/".Length..];
            name = machine.Names(Block).FirstOrDefault(item =>
                item.StartsWith("dm-", StringComparison.Ordinal)
                && machine.Read($"{Block}/{item}/dm/name")?.Trim() == mapped) ?? "";
        }
        return name.Length == 0 || name.Contains('/') ? null : machine.Read($"{Block}/{name}/dev")?.Trim();
    }

    /// <summary>The serial numbers of the drives below a device.</summary>
    private static IEnumerable<string> Drives(IMachine machine, string number, int depth)
    {
        if (Usable(Udev(machine, number, "ID_SERIAL")) is { } own)
        {
            return new[] { own };
        }
        if (depth == Deepest)
        {
            return Array.Empty<string>();
        }
        var slaves = $"/sys/dev/block/{number}/slaves";
        return machine.Names(slaves).OrderBy(name => name, StringComparer.Ordinal)
            .Select(name => machine.Read($"{slaves}/{name}/dev")?.Trim()).OfType<string>()
            .SelectMany(below => Drives(machine, below, depth + 1));
    }

    /// <summary>What the system knows of a block device.</summary>
    private static string? Udev(IMachine machine, string? number, string name) => number is null
        ? null
        : (machine.Read($"/run/udev/data/b{number}") ?? "").Split('\n')
            .LastOrDefault(line => line.StartsWith($"E:{name}=", StringComparison.Ordinal))?[(name.Length + 3)..];

    private static IEnumerable<(string Name, string? Value)> OnWindows(IMachine machine)
    {
        var drive = machine.Environment("SystemDrive") is { Length: > 0 } named ? named.ToUpperInvariant() : "C:";
        yield return ("osInstall", Usable(machine.MachineGuid()));
        yield return ("board", Usable(Smbios.FindBoard(machine.Registry(SmbiosKey, "SMBiosData"))));
        yield return ("model", Model(
            Part(machine.Registry($@"{HardwareKey}\BIOS", "SystemManufacturer")),
            Part(machine.Registry($@"{HardwareKey}\BIOS", "SystemProductName")),
            Part(machine.Registry($@"{HardwareKey}\CentralProcessor\0", "ProcessorNameString"))));
        yield return ("volume", Usable(machine.Registry(@"SYSTEM\MountedDevices", $@"\DosDevices\{drive}")));
    }

    private static IEnumerable<(string Name, string? Value)> OnMac(IMachine machine)
    {
        var printed = machine.IoRegistry();
        yield return ("osInstall", Usable(Inside(machine.DiskUtility(), MacVolume)));
        yield return ("board", Usable(Inside(printed, HardwareId.PlatformUuid)));
        yield return ("model", Model(Part(Inside(printed, MacModel))));
    }

    private static string? Inside(string? text, Regex pattern) =>
        pattern.Match(text ?? "") is { Success: true } match ? match.Groups[1].Value : null;

    private static string? Model(params string?[] parts) =>
        string.Join('/', parts.OfType<string>()) is { Length: > 0 } model ? model : null;

    private static string? Part(string? raw) => Usable(raw, 2);

    /// <summary>The normal form of a text; null if it is unusable, such as zeros or a placeholder.</summary>
    private static string? Usable(string? raw, int least = 8)
    {
        // Only ASCII is left, which is lower case in the same way everywhere.
        var text = Separators.Replace(raw ?? "", " ").Trim(' ').ToLowerInvariant();
        var isNamed = text.Length >= least && text.Where(letter => !"-_.{} ".Contains(letter)).Distinct().Count() > 1;
        return isNamed && !Placeholders.Contains(text) ? text : null;
    }
}
