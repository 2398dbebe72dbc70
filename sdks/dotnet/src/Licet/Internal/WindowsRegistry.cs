using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Licet.Internal;

/// <summary>The one value of the Windows registry that is read, without a package for it.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsRegistry
{
    private const uint OnlyText = 0x0000_0002;

    // Without this flag a 32-bit process reads another registry view that lacks the value.
    private const uint View64 = 0x0001_0000;
    private static readonly IntPtr LocalMachine = new(unchecked((int)0x8000_0002));

    internal static string? MachineGuid()
    {
        var buffer = new char[256];
        var size = (uint)(buffer.Length * sizeof(char));
        var failed = RegGetValue(
            LocalMachine, @"SOFTWARE\Microsoft\Cryptography", "MachineGuid", OnlyText | View64, IntPtr.Zero, buffer,
            ref size);
        return failed == 0 ? new string(buffer, 0, (int)size / sizeof(char)) : null;
    }

    [DllImport("advapi32.dll", EntryPoint = "RegGetValueW", CharSet = CharSet.Unicode, ExactSpelling = true)]
    private static extern int RegGetValue(
        IntPtr key, string path, string name, uint flags, IntPtr type, [Out] char[] value, ref uint size);
}
