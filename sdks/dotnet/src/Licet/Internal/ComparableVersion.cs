using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>
/// A version, ordered: numbers with dots, as many as it likes, missing ones being 0. After two or more
/// there may be a pre-release, which sorts as in semantic versioning: <c>2024-11-22</c> is a date.
/// </summary>
internal sealed class ComparableVersion : IComparable<ComparableVersion>
{
    private const string Identifiers = @"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*";
    private static readonly Regex Pattern = new(
        $@"\Av?([0-9]+(?:\.[0-9]+)*)(?:-({Identifiers}))?(?:\+{Identifiers})?\z", RegexOptions.CultureInvariant);

    private readonly string[] _numbers;
    private readonly string[] _preRelease;

    private ComparableVersion(string[] numbers, string[] preRelease) => (_numbers, _preRelease) = (numbers, preRelease);

    /// <summary>Parses a version; null if it is not comparable.</summary>
    internal static ComparableVersion? Parse(string? version)
    {
        var match = version is null ? Match.Empty : Pattern.Match(version.Trim());
        var numbers = match.Groups[1].Value.Split('.');
        var preRelease = match.Groups[2].Success ? match.Groups[2].Value.Split('.') : Array.Empty<string>();
        var isDate = numbers.Length == 1 && preRelease.Length > 0;
        return match.Success && !isDate ? new ComparableVersion(numbers, preRelease) : null;
    }

    /// <summary>
    /// Whether a license for one release covers this version of the application: every version up to the end of
    /// its major one, the first number. Versions that are not comparable do not restrict.
    /// </summary>
    internal static bool ReleaseAllows(string? release, string? application) =>
        Parse(release) is not { } covered || Parse(application) is not { } running
        || CompareNumbers(running.NumberAt(0), covered.NumberAt(0)) <= 0;

    /// <inheritdoc/>
    public int CompareTo(ComparableVersion? other)
    {
        ArgumentNullException.ThrowIfNull(other);
        for (var index = 0; index < Math.Max(_numbers.Length, other._numbers.Length); index++)
        {
            var order = CompareNumbers(NumberAt(index), other.NumberAt(index));
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

    private string NumberAt(int index) => index < _numbers.Length ? _numbers[index] : "0";

    private static int CompareIdentifiers(string left, string right)
    {
        var (leftIsNumber, rightIsNumber) = (left.All(char.IsAsciiDigit), right.All(char.IsAsciiDigit));
        return leftIsNumber && rightIsNumber ? CompareNumbers(left, right)
            : leftIsNumber != rightIsNumber ? (leftIsNumber ? -1 : 1)
            : string.CompareOrdinal(left, right);
    }

    /// <summary>Compares numbers of any size.</summary>
    private static int CompareNumbers(string left, string right)
    {
        var (first, second) = (left.TrimStart('0'), right.TrimStart('0'));
        return first.Length != second.Length ? first.Length.CompareTo(second.Length) : string.CompareOrdinal(first, second);
    }
}
