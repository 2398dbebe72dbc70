using System.Numerics;
using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>A semantic version, ordered by precedence.</summary>
internal sealed class SemanticVersion : IComparable<SemanticVersion>
{
    private static readonly Regex Pattern = new(
        @"\Av?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?\z",
        RegexOptions.CultureInvariant);

    private readonly BigInteger[] _numbers;
    private readonly string[] _preRelease;

    private SemanticVersion(BigInteger[] numbers, string[] preRelease) =>
        (_numbers, _preRelease) = (numbers, preRelease);

    /// <summary>Parses a version; null if it is not a semantic one.</summary>
    internal static SemanticVersion? Parse(string? version)
    {
        var match = version is null ? Match.Empty : Pattern.Match(version.Trim());
        if (!match.Success)
        {
            return null;
        }
        var numbers = new[] { 1, 2, 3 }
            .Select(group => BigInteger.Parse(match.Groups[group].Value, CultureInfo.InvariantCulture)).ToArray();
        var preRelease = match.Groups[4].Success ? match.Groups[4].Value[1..].Split('.') : Array.Empty<string>();
        return new SemanticVersion(numbers, preRelease);
    }

    /// <summary>Whether a license for one release covers this version of the application: the major versions decide.</summary>
    internal static bool ReleaseAllows(string? release, string? application)
    {
        var (licensed, running) = (Parse(release), Parse(application));
        return licensed is null || running is null
            || licensed._numbers[0] > MaxMajor || running._numbers[0] > MaxMajor
            || running._numbers[0] <= licensed._numbers[0];
    }

    private static readonly BigInteger MaxMajor = 999_999_999;

    /// <inheritdoc/>
    public int CompareTo(SemanticVersion? other)
    {
        ArgumentNullException.ThrowIfNull(other);
        for (var index = 0; index < _numbers.Length; index++)
        {
            var order = _numbers[index].CompareTo(other._numbers[index]);
            if (order != 0)
            {
                return order;
            }
        }
        if (_preRelease.Length == 0 || other._preRelease.Length == 0)
        {
            return (_preRelease.Length == 0).CompareTo(other._preRelease.Length == 0); // a release comes last
        }
        foreach (var (left, right) in _preRelease.Zip(other._preRelease))
        {
            var order = CompareIdentifiers(left, right);
            if (order != 0)
            {
                return order;
            }
        }
        return _preRelease.Length.CompareTo(other._preRelease.Length);
    }

    private static int CompareIdentifiers(string left, string right)
    {
        var (leftIsNumber, rightIsNumber) = (IsNumber(left), IsNumber(right));
        if (leftIsNumber && rightIsNumber)
        {
            return BigInteger.Parse(left, CultureInfo.InvariantCulture)
                .CompareTo(BigInteger.Parse(right, CultureInfo.InvariantCulture));
        }
        return leftIsNumber != rightIsNumber ? (leftIsNumber ? -1 : 1) : string.CompareOrdinal(left, right);
    }

    private static bool IsNumber(string identifier) => identifier.Length > 0 && identifier.All(char.IsAsciiDigit);
}
