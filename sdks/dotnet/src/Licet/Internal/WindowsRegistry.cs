using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Licet.Internal;

/// <summary>Values of the Windows registry, without a package for it.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsRegistry
{
    private const uint TextOrBytes = 0x0000_000A;
    private const uint Text = 1;
    private const int MaxBytes = 1 << 16;

    // Without this flag a 32-bit process reads another registry view that lacks the MachineGuid.
    private const uint View64 = 0x0001_0000;
    private static readonly IntPtr LocalMachine = new(unchecked((int)0x8000_0002));

    /// <summary>A value below HKEY_LOCAL_MACHINE; bytes as hexadecimal digits.</summary>
    internal static string? Read(string path, string name)
    {
        var buffer = new byte[MaxBytes];
        var size = (uint)buffer.Length;
        var failed = RegGetValue(LocalMachine, path, name, TextOrBytes | View64, out var type, buffer, ref size);
        return failed != 0 ? null
            : type == Text ? Encoding.Unicode.GetString(buffer, 0, (int)size)
            : Convert.ToHexString(buffer, 0, (int)size);
    }

    [DllImport("advapi32.dll", EntryPoint = "RegGetValueW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    private static extern int RegGetValue(
        IntPtr key, string path, string name, uint flags, out uint type, [Out] byte[] value, ref uint size);
}
