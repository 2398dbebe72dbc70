using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>Semantic versions: which major versions a license covers.</summary>
internal static class SemanticVersion
{
    private const int MaxDigits = 9;
    private static readonly Regex Pattern = new(
        @"\Av?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?\z",
        RegexOptions.CultureInvariant);

    /// <summary>Whether a license for one release covers this version of the application: the major versions decide.</summary>
    internal static bool ReleaseAllows(string? release, string? application) =>
        MajorOf(release) is not { } licensed || MajorOf(application) is not { } running || running <= licensed;

    private static int? MajorOf(string? version)
    {
        var match = version is null ? Match.Empty : Pattern.Match(version.Trim());
        return match.Success && match.Groups[1].Length <= MaxDigits
            ? int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture)
            : null;
    }
}
