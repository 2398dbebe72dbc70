using System.Numerics;

namespace Licet.Internal;

/// <summary>
/// A code that is typed in place of a file: 68 bytes as 109 symbols of Crockford's base32, in 28 groups with a check symbol
/// each, which finds every wrong symbol and every swap of neighbors in its group.
/// </summary>
/// <param name="Number">A number below 2^24: the end of an answer, or the number of a release.</param>
/// <param name="Signature">What was signed with it.</param>
internal sealed record OfflineCode(int Number, byte[] Signature)
{
    private const string Alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private const int Version = 1;
    private const int Length = 68;
    private const int NumberLength = 3;
    private const int Groups = 28;

    /// <summary>Symbols of a group before its check symbol; the last group has one.</summary>
    private const int GroupLength = 4;
    private const int Symbols = 109;

    /// <summary>The order of the powers of 2 in GF(32), whose polynomial is x^5 + x^2 + 1.</summary>
    private const int Order = 31;
    private const int Polynomial = 0b100101;

    /// <summary>Whether a group, 1 to 28, was typed correctly.</summary>
    internal static bool IsGroup(int index, string text)
    {
        var values = ValuesOf(text);
        return index is >= 1 and <= Groups && values.Length == SizeOf(index) && Fits(index, values);
    }

    /// <summary>Reads what was typed.</summary>
    /// <exception cref="OfflineCodeException">A group is wrong or missing, or this is another kind of code.</exception>
    internal static OfflineCode Read(string text)
    {
        var values = ValuesOf(text);
        var number = BigInteger.Zero;
        var at = 0;
        for (var index = 1; index <= Groups; index++)
        {
            var group = values.Skip(at).Take(SizeOf(index)).ToArray();
            if (group.Length < SizeOf(index) || !Fits(index, group))
            {
                throw new OfflineCodeException(index);
            }
            number = group.SkipLast(1).Aggregate(number, (sum, value) => (sum << 5) + value);
            at += SizeOf(index);
        }
        if (values.Length > at)
        {
            throw new OfflineCodeException(Groups);
        }
        var bytes = (number >> 1).ToByteArray(isUnsigned: true, isBigEndian: true);
        if (bytes.Length != Length || bytes[0] != Version || !number.IsEven)
        {
            throw new OfflineCodeException(null);
        }
        return new OfflineCode((bytes[1] << 16) | (bytes[2] << 8) | bytes[3], bytes[(1 + NumberLength)..]);
    }

    /// <summary>The letters of the code, in groups with dashes between.</summary>
    internal string Write()
    {
        var head = new[] { (byte)Version, (byte)(Number >> 16), (byte)(Number >> 8), (byte)Number };
        var rest = new BigInteger(head.Concat(Signature).ToArray(), isUnsigned: true, isBigEndian: true) << 1;
        var values = new int[Symbols];
        for (var at = Symbols - 1; at >= 0; at--)
        {
            values[at] = (int)(rest & Order);
            rest >>= 5;
        }
        return string.Join('-', Enumerable.Range(1, Groups).Select(index =>
        {
            var group = values.Skip((index - 1) * GroupLength).Take(GroupLength).ToArray();
            return string.Concat(group.Append(CheckOf(index, group)).Select(value => Alphabet[value]));
        }));
    }

    private static int SizeOf(int index) => (index < Groups ? GroupLength : 1) + 1;

    /// <summary>The values of the symbols that were typed; -1 for what is none.</summary>
    private static int[] ValuesOf(string text) =>
        text.Where(symbol => !char.IsWhiteSpace(symbol) && char.GetUnicodeCategory(symbol) != UnicodeCategory.DashPunctuation)
            .Select(symbol => Alphabet.IndexOf(Meant(symbol)))
            .ToArray();

    private static char Meant(char symbol) => symbol switch
    {
        'I' or 'L' or 'i' or 'l' => '1',
        'O' or 'o' => '0',
        >= 'a' and <= 'z' => (char)(symbol - 'a' + 'A'),
        _ => symbol,
    };

    private static bool Fits(int index, int[] group) =>
        !group.Contains(-1) && CheckOf(index, group[..^1]) == group[^1];

    /// <summary>The check symbol that makes the sum of a group, each symbol times a power of 2, its number.</summary>
    private static int CheckOf(int index, int[] group)
    {
        var missing = index;
        for (var at = 0; at < group.Length; at++)
        {
            missing ^= TimesPower(group[at], at + 1);
        }
        return TimesPower(missing, Order - group.Length - 1);
    }

    /// <summary>A value of GF(32) times a power of 2.</summary>
    private static int TimesPower(int value, int power)
    {
        for (var count = 0; count < power; count++)
        {
            value <<= 1;
            value = value > Order ? value ^ Polynomial : value;
        }
        return value;
    }
}
