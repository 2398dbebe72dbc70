namespace Licet.Internal;

/// <summary>Which results of a watch are news.</summary>
internal static class LicenseChange
{
    private static readonly IReadOnlyDictionary<string, string> NoMetadata = new Dictionary<string, string>();

    /// <summary>Whether status and terms are those of the result before.</summary>
    internal static bool IsSame(LicenseResult? before, LicenseResult result) =>
        before is not null && before.Status == result.Status && IsSame(before.License, result.License);

    private static bool IsSame(License? before, License? license) =>
        before is null || license is null
            ? ReferenceEquals(before, license)
            : Scalars(before) == Scalars(license)
                && AreSame(before.Features, license.Features)
                && AreSame(before.Entitlements, license.Entitlements)
                && AreSame(before.Metadata, license.Metadata);

    /// <summary>
    /// The terms without collections, which compare by identity, and without the license key, which only a file has,
    /// and the seat, which only a verdict has: both tell the same terms.
    /// </summary>
    private static License Scalars(License license) => license with
    {
        Key = null, Seat = null, Features = null, Entitlements = null, Metadata = NoMetadata,
    };

    private static bool AreSame<T>(IEnumerable<T>? before, IEnumerable<T>? items) =>
        before is null || items is null
            ? ReferenceEquals(before, items)
            : before.ToHashSet().SetEquals(items);
}
