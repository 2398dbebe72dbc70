using System.Text.RegularExpressions;
using Licet.Internal;

namespace Licet;

/// <summary>
/// The sentences for users as data, by code, so that applications can translate them. A sentence names its
/// values in braces: <c>{seatsUsed}</c> and <c>{seatsTotal}</c>, <c>{cost}</c> and <c>{balance}</c>,
/// <c>{retryAfterSeconds}</c>, <c>{group}</c> of a code, <c>{endsAt}</c> of the term, <c>{graceEndsAt}</c>, <c>{refreshBy}</c>,
/// <c>{status}</c> and <c>{errorCode}</c> of the server. A part in brackets is left out if one of its values is
/// not known, so each value should stand in one: <c>"Renew it[ by {refreshBy}]."</c>
/// </summary>
/// <remarks>
/// A language is named such as <c>de</c> or <c>de-AT</c>, which counts as <c>de</c>, or by the name of a
/// culture; null is the current UI culture. Numbers and times are written as in German or else as in English.
/// Nothing throws: an exception or a result without a sentence, because its code is not known or the language
/// is not one of <see cref="Languages"/>, gives its message, which is English; a code alone gives its English
/// sentence. Sentences that the application brings, in the language and by code, win over those of the package.
/// </remarks>
public static class Sentences
{
    // Errors that the code of the server tells more about.
    private static readonly LicetErrorCode[] ByServerCode =
    {
        LicetErrorCode.LeaseRefused, LicetErrorCode.LicenseRefused, LicetErrorCode.RequestRefused,
        LicetErrorCode.SeatsExhausted, LicetErrorCode.SessionLost,
    };

    private static readonly IReadOnlyDictionary<string, string> None = new Dictionary<string, string>();
    private static readonly Regex Amount = new(@"\A-?[0-9]+\.[0-9]+\z");

    /// <summary>The languages that the package has.</summary>
    public static IReadOnlyList<string> Languages { get; } = new[] { "en", "de" };

    /// <summary>The sentences of a language by code; none if the package does not have it.</summary>
    public static IReadOnlyDictionary<string, string> Of(string language) => Tag(language) switch
    {
        "en" => SentenceTable.English,
        "de" => SentenceTable.German,
        _ => None,
    };

    /// <summary>One or two sentences for the user about an exception.</summary>
    public static string For(
        LicetException error, string? language = null, IReadOnlyDictionary<string, string>? translations = null) =>
        Say(OfError(error), language, translations, null);

    /// <summary>One or two sentences for the user about the result of a validation.</summary>
    public static string For(
        LicenseResult result, string? language = null, IReadOnlyDictionary<string, string>? translations = null) =>
        Say(OfResult(result), language, translations, null);

    /// <summary>One or two sentences for the user about a code.</summary>
    /// <param name="code">
    /// The name of a <see cref="LicenseValidationStatus"/> or of a <see cref="LicetErrorCode"/>, or the
    /// <see cref="LicetServerException.ErrorCode"/> of the server.
    /// </param>
    /// <param name="language">The language; null is the current UI culture.</param>
    /// <param name="translations">Sentences that the application brings.</param>
    /// <param name="values">Values by name. Numbers and times are written as the language does, other text as it is.</param>
    public static string For(
        string code, string? language = null, IReadOnlyDictionary<string, string>? translations = null,
        IReadOnlyDictionary<string, object>? values = null)
    {
        var subject = SentenceTable.English.ContainsKey(code) || translations?.ContainsKey(code) is true
            ? new Subject(code)
            : new Subject("RequestRefused", ("errorCode", Sentence.Word(code)));
        return Say(subject, language, translations, values);
    }

    private static string Say(
        Subject subject, string? language, IReadOnlyDictionary<string, string>? translations,
        IReadOnlyDictionary<string, object>? values)
    {
        var tag = Tag(language ?? CultureInfo.CurrentUICulture.Name);
        if (translations?.TryGetValue(subject.Code, out var template) is not true
            && !Of(tag).TryGetValue(subject.Code, out template))
        {
            if (subject.Message is not null)
            {
                return subject.Message;
            }
            template = SentenceTable.English[subject.Code];
        }
        var texts = new Dictionary<string, string>();
        foreach (var (name, value) in subject.Values)
        {
            if (value is not null)
            {
                texts[name] = Write(value, tag);
            }
        }
        foreach (var (name, value) in values ?? new Dictionary<string, object>())
        {
            texts[name] = Write(value, tag);
        }
        var text = Sentence.Fill(template!, texts);
        return subject.Cause is { } cause ? $"{For(cause, tag, translations)} {text}" : text;
    }

    private static Subject OfResult(LicenseResult result) => new(
        result.Status.ToString(),
        ("endsAt", result.License?.ExpirationDate),
        ("graceEndsAt", result.GraceEndsAt),
        ("refreshBy", result.RefreshBy),
        ("status", result.ServerStatus is { } status ? Sentence.Word(status) : null))
    {
        Message = result.Message,
        // What prevented the check says what to do about it.
        Cause = result.Status == LicenseValidationStatus.OnlineRequired ? result.Cause : null,
    };

    private static Subject OfError(LicetException error)
    {
        var result = (error as OnlineRequiredException)?.Result ?? (error as RequestRefusedException)?.Result;
        if (result is not null)
        {
            return OfResult(result);
        }
        var (server, refused) = (error as LicetServerException, error as RequestRefusedException);
        var code = ByServerCode.Contains(error.Code) ? server?.ErrorCode : null;
        return new Subject(
            code ?? error.Code.ToString(),
            ("errorCode", server?.ErrorCode is { } sent ? Sentence.Word(sent) : null),
            ("retryAfterSeconds", server?.RetryAfter is { } wait && wait > TimeSpan.Zero
                ? (long)Math.Ceiling(wait.TotalSeconds)
                : null),
            ("seatsUsed", refused?.SeatsUsed),
            ("seatsTotal", refused?.SeatsTotal),
            ("group", (error as OfflineCodeException)?.Group),
            ("cost", refused?.Cost),
            ("balance", refused?.Balance))
        {
            Message = error.Message,
        };
    }

    private static string Tag(string language) => language.Split('-', '_')[0].ToLowerInvariant();

    private static string Write(object value, string language)
    {
        if (value is DateTime local)
        {
            value = new DateTimeOffset(local);
        }
        if (value is DateTimeOffset moment)
        {
            return language == "de"
                ? moment.UtcDateTime.ToString("dd.MM.yyyy 'um' HH:mm", CultureInfo.InvariantCulture) + " UTC"
                : Clock.Format(moment);
        }
        var text = Sentence.Plain(value);
        return language == "de" && Amount.IsMatch(text) ? text.Replace('.', ',') : text;
    }

    /// <summary>What a sentence is about.</summary>
    private sealed record Subject(string Code, params (string Name, object? Value)[] Values)
    {
        internal string? Message { get; init; }

        internal LicetException? Cause { get; init; }
    }
}
