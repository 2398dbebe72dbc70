namespace Licet.Internal;

/// <summary>A token cannot be trusted; the message names the failed check.</summary>
internal sealed class RejectedTokenException : Exception
{
    internal RejectedTokenException(string message)
        : base(message) { }

    internal static void Require(bool holds, string failure)
    {
        if (!holds)
        {
            throw new RejectedTokenException(failure);
        }
    }
}
