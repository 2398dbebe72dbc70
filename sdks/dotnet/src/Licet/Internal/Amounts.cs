using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>Amounts of credits as text: plain decimals of at most six places, without exponent and trailing zeros.</summary>
internal static class Amounts
{
    private const int MaxDigits = 24;
    private static readonly Regex Plain = new(@"\A(0|[1-9][0-9]*)(\.[0-9]{0,5}[1-9])?\z", RegexOptions.CultureInvariant);

    /// <summary>Reads an amount; null if the text is not exactly one.</summary>
    internal static decimal? Read(string? text) =>
        text is { Length: <= MaxDigits } && Plain.IsMatch(text)
            ? decimal.Parse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture)
            : null;

    /// <summary>Writes an amount, which has at most six places.</summary>
    internal static string Write(decimal amount) => amount.ToString("0.######", CultureInfo.InvariantCulture);

    /// <summary>Whether an amount has at most six places and can be written in full.</summary>
    internal static bool IsPlain(decimal amount) => amount >= 0 && Read(Write(amount)) == amount;

    /// <summary>What a quantity costs; null if that is more than any amount.</summary>
    internal static decimal? Cost(decimal price, int quantity)
    {
        try
        {
            var cost = price * quantity;
            return IsPlain(cost) ? cost : null;
        }
        catch (OverflowException)
        {
            return null;
        }
    }
}
