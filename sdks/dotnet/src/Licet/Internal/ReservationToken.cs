namespace Licet.Internal;

/// <summary>A lease of credits that the product's key signed.</summary>
/// <param name="Lease">What all leases have.</param>
/// <param name="Amount">How much may be spent.</param>
/// <param name="Prices">
/// The price of each feature, by its name as the vendor spells it; null if each use costs 1.
/// </param>
/// <param name="AnyFeature">Whether features without a name in the license may be charged, too, if each use costs 1.</param>
internal sealed record ReservationToken(
    LeaseToken Lease, decimal Amount, IReadOnlyDictionary<string, decimal>? Prices, bool AnyFeature)
{
    internal const string Credits = "Credits";

    /// <summary>Verifies a token and that it is this holder's; its end is not looked at.</summary>
    /// <exception cref="RejectedTokenException">The signature or a claim does not match.</exception>
    internal static ReservationToken Verify(string? text, IReadOnlyList<PublicKey> keys, LeaseHolder holder)
    {
        var (lease, claims) = LeaseToken.Verify(text, keys, holder, Credits);
        var amount = Amounts.Read(claims.Text("quantity")) ?? 0;
        RejectedTokenException.Require(amount > 0, "its claims are malformed: quantity");
        var prices = claims.Text("mode") switch
        {
            nameof(MeterMode.Token) => ReadPrices(Claims.RequiredObject(claims, "prices")),
            nameof(MeterMode.Count) => null,
            _ => throw new RejectedTokenException("its claims are malformed: mode"),
        };
        return new ReservationToken(lease, amount, prices, claims.Flag("anyFeature") is true);
    }

    /// <summary>The name and the price of a feature that may be charged; names are compared without case.</summary>
    internal (string Name, decimal Price)? Find(string feature)
    {
        if (Prices is not null)
        {
            return Prices.Keys.FirstOrDefault(name => IsSame(name, feature)) is { } name ? (name, Prices[name]) : null;
        }
        var license = Lease.File.License;
        return AnyFeature || license.Features?.Any(name => IsSame(name, feature)) is true ? (feature, 1) : null;
    }

    /// <summary>Whether two names are those of one feature for the server, which has to accept the journal.</summary>
    internal static bool IsSame(string name, string other) =>
        string.Equals(name, other, StringComparison.OrdinalIgnoreCase);

    private static IReadOnlyDictionary<string, decimal> ReadPrices(JsonElement claim)
    {
        var prices = new Dictionary<string, decimal>(StringComparer.Ordinal);
        foreach (var item in claim.EnumerateObject())
        {
            prices[item.Name] = Amounts.Read(item.Value.AsText())
                ?? throw new RejectedTokenException("its claims are malformed: prices");
        }
        return prices;
    }
}
