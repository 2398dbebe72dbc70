namespace Licet.Internal;

/// <summary>The components that a license.bin names, and how many of them a machine with another hardware ID has to have.</summary>
internal sealed record MachineMatch(IReadOnlyDictionary<string, string> Components, long AtLeast)
{
    /// <summary>Reads the claims of a file; null if it is for its hardware IDs alone.</summary>
    /// <exception cref="RejectedTokenException">They are malformed.</exception>
    internal static MachineMatch? Read(JsonElement claims)
    {
        var components = Claims.ReadTexts(claims, "components");
        if (claims.Field("machineMatch") is null)
        {
            return null;
        }
        var match = Claims.RequiredObject(claims, "machineMatch");
        var (atLeast, of) = (match.Whole("atLeast") ?? 0, match.Whole("of") ?? 0);
        RejectedTokenException.Require(
            of is >= 2 and <= 8 && atLeast * 2 > of && atLeast <= of, "its claims are malformed: machineMatch");
        return components.Count >= of ? new MachineMatch(components, atLeast) : null;
    }

    /// <summary>Whether a machine has enough of the components.</summary>
    internal bool Fits(IReadOnlyDictionary<string, string> machine) =>
        Components.Count(item => machine.TryGetValue(item.Key, out var value) && value == item.Value) >= AtLeast;
}
