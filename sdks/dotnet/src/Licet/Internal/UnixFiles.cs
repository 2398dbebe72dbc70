using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Licet.Internal;

/// <summary>What is known of a file or folder, and never of what a link points to unless it was asked for.</summary>
/// <param name="IsLink">Whether it is a symbolic link.</param>
/// <param name="IsRegular">Whether it is a regular file.</param>
/// <param name="Links">How many names it has.</param>
/// <param name="Owner">The ID of the user who owns it.</param>
/// <param name="Mode">Its permissions.</param>
/// <param name="Identity">Differs from that of every other file.</param>
internal sealed record FileFacts(
    bool IsLink, bool IsRegular, uint Links, uint Owner, UnixFileMode Mode, (ulong, ulong, ulong) Identity);

/// <summary>System calls for files that the framework has not: owner, number of names, opening without links.</summary>
internal static class UnixFiles
{
    private const int FactsBytes = 256;
    private const int CurrentFolder = -100;
    private const int NotThroughLinks = 0x100;
    private const int TheHandleItself = 0x1000;
    private const uint BasicFacts = 0x7FF;
    private const int ReadWrite = 2;
    private const int ExclusivelyAtOnce = 2 | 4;
    private const int TypeMask = 0xF000;
    private const int RegularType = 0x8000;
    private const int LinkType = 0xA000;
    private const int MissingError = 2;
    private const int PermissionError = 13;
    private const int NoFolderError = 20;

    /// <summary>Whether this system has these calls in a known form.</summary>
    internal static bool IsSupported { get; } = OperatingSystem.IsLinux() || OperatingSystem.IsMacOS();

    internal static uint CurrentUser => GetEffectiveUser();

    /// <summary>The facts of a file, or of what it points to; null if there is none.</summary>
    /// <exception cref="IOException">They cannot be read.</exception>
    internal static FileFacts? Look(string path, bool throughLinks)
    {
        var (name, facts) = (Terminated(path), new byte[FactsBytes]);
        var failed = OperatingSystem.IsLinux()
            ? StatX(CurrentFolder, name, throughLinks ? 0 : NotThroughLinks, BasicFacts, facts)
            : (IsIntelMac, throughLinks) switch
            {
                (true, true) => StatIntel(name, facts),
                (true, false) => LStatIntel(name, facts),
                (false, true) => Stat(name, facts),
                (false, false) => LStat(name, facts),
            };
        if (failed == 0)
        {
            return Read(facts);
        }
        var error = Marshal.GetLastPInvokeError();
        return error is MissingError or NoFolderError ? null : throw Fault(error, path);
    }

    /// <summary>The facts of an open file.</summary>
    internal static FileFacts Look(SafeFileHandle file)
    {
        var facts = new byte[FactsBytes];
        var failed = OperatingSystem.IsLinux() ? StatX(file, new byte[1], TheHandleItself, BasicFacts, facts)
            : IsIntelMac ? FStatIntel(file, facts)
            : FStat(file, facts);
        return failed == 0 ? Read(facts) : throw Fault(Marshal.GetLastPInvokeError(), "an open file");
    }

    /// <summary>Opens a file that exists, without waiting for anything.</summary>
    internal static SafeFileHandle Open(string path, bool forWriting, bool throughLinks)
    {
        var flags = (forWriting ? ReadWrite : 0) | NeverBlock | CloseOnExec | (throughLinks ? 0 : NoLinks);
        var descriptor = Open(Terminated(path), flags);
        return descriptor >= 0
            ? new SafeFileHandle((IntPtr)descriptor, ownsHandle: true)
            : throw Fault(Marshal.GetLastPInvokeError(), path);
    }

    /// <summary>Locks an open file against other processes; false if another has locked it.</summary>
    internal static bool TryLock(SafeFileHandle file) => Lock(file, ExclusivelyAtOnce) == 0;

    /// <summary>Gives a file another name; false if that is taken, or the file system has no links.</summary>
    internal static bool TryLink(string path, string name) => Link(Terminated(path), Terminated(name)) == 0;

    private static bool IsIntelMac =>
        OperatingSystem.IsMacOS() && RuntimeInformation.ProcessArchitecture == Architecture.X64;

    private static int NeverBlock => OperatingSystem.IsMacOS() ? 0x4 : 0x800;

    private static int CloseOnExec => OperatingSystem.IsMacOS() ? 0x1000000 : 0x80000;

    private static int NoLinks =>
        OperatingSystem.IsMacOS() ? 0x100
        : RuntimeInformation.ProcessArchitecture is Architecture.Arm or Architecture.Arm64 or Architecture.Armv6
            or Architecture.Ppc64le ? 0x8000
        : 0x20000;

    private static FileFacts Read(byte[] facts)
    {
        uint At32(int offset) => BitConverter.ToUInt32(facts, offset);
        ushort At16(int offset) => BitConverter.ToUInt16(facts, offset);
        ulong At64(int offset) => BitConverter.ToUInt64(facts, offset);
        return OperatingSystem.IsLinux()
            ? Read(At16(28), At32(16), At32(20), (At32(136), At32(140), At64(32)))
            : Read(At16(4), At16(6), At32(16), (At32(0), 0, At64(8)));
    }

    private static FileFacts Read(int mode, uint links, uint owner, (ulong, ulong, ulong) identity) => new(
        (mode & TypeMask) == LinkType, (mode & TypeMask) == RegularType, links, owner, (UnixFileMode)(mode & 0xFFF), identity);

    private static byte[] Terminated(string path) =>
        path.Contains('\0', StringComparison.Ordinal)
            ? throw new IOException("The path contains a null character.")
            : Encoding.UTF8.GetBytes(path + '\0');

    private static Exception Fault(int error, string path)
    {
        var message = Marshal.GetPInvokeErrorMessage(error);
        return error switch
        {
            MissingError or NoFolderError => new FileNotFoundException(message, path),
            PermissionError => new UnauthorizedAccessException(message),
            _ => new IOException(message),
        };
    }

    [DllImport("libc", EntryPoint = "geteuid")]
    private static extern uint GetEffectiveUser();

    [DllImport("libc", EntryPoint = "open", SetLastError = true)]
    private static extern int Open(byte[] path, int flags);

    [DllImport("libc", EntryPoint = "link", SetLastError = true)]
    private static extern int Link(byte[] path, byte[] name);

    [DllImport("libc", EntryPoint = "flock", SetLastError = true)]
    private static extern int Lock(SafeFileHandle file, int operation);

    [DllImport("libc", EntryPoint = "statx", SetLastError = true)]
    private static extern int StatX(int folder, byte[] path, int flags, uint mask, byte[] facts);

    [DllImport("libc", EntryPoint = "statx", SetLastError = true)]
    private static extern int StatX(SafeFileHandle file, byte[] path, int flags, uint mask, byte[] facts);

    [DllImport("libc", EntryPoint = "stat", SetLastError = true)]
    private static extern int Stat(byte[] path, byte[] facts);

    [DllImport("libc", EntryPoint = "lstat", SetLastError = true)]
    private static extern int LStat(byte[] path, byte[] facts);

    [DllImport("libc", EntryPoint = "fstat", SetLastError = true)]
    private static extern int FStat(SafeFileHandle file, byte[] facts);

    [DllImport("libc", EntryPoint = "stat$INODE64", SetLastError = true)]
    private static extern int StatIntel(byte[] path, byte[] facts);

    [DllImport("libc", EntryPoint = "lstat$INODE64", SetLastError = true)]
    private static extern int LStatIntel(byte[] path, byte[] facts);

    [DllImport("libc", EntryPoint = "fstat$INODE64", SetLastError = true)]
    private static extern int FStatIntel(SafeFileHandle file, byte[] facts);
}
