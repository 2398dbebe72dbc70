namespace Licet.Internal;

/// <summary>The table in which the firmware of a PC describes it (SMBIOS), as Windows keeps it.</summary>
internal static class Smbios
{
    /// <summary>Bytes that Windows puts before the table.</summary>
    private const int Header = 8;
    private const byte System = 1;
    private static readonly Range Uuid = 8..24;
    private static readonly byte[] EndOfStrings = { 0, 0 };

    /// <summary>
    /// Finds the UUID of the board in the registry value <c>SMBiosData</c>, both as hexadecimal digits; null without one.
    /// </summary>
    internal static string? FindBoard(string? raw)
    {
        byte[] bytes;
        try
        {
            bytes = Convert.FromHexString(raw ?? "");
        }
        catch (FormatException)
        {
            return null;
        }
        var table = bytes.AsSpan(Math.Min(Header, bytes.Length));
        while (table.Length >= 4)
        {
            var length = table[1];
            if (length < 4 || length > table.Length)
            {
                return null;
            }
            if (table[0] == System && length >= Uuid.End.Value)
            {
                return Convert.ToHexString(table[Uuid]);
            }
            var end = table[length..].IndexOf(EndOfStrings);
            if (end < 0)
            {
                return null;
            }
            table = table[(length + end + EndOfStrings.Length)..];
        }
        return null;
    }
}
