using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>A request whose answer has not been installed; its base file is the one that a code would be for.</summary>
internal sealed record PendingRequest(string Text, string Nonce, long Seq, OfflineRequestKind Kind, string? Base);

/// <summary>The code that makes a base file one for this machine.</summary>
internal sealed record AcceptedCode(string Code, string Nonce, string Base, int EndsDay);

/// <summary>What this machine does not use any more.</summary>
internal sealed record ReleasedFile(long Seq, string File, string Text, string? Code);

/// <summary>
/// What this machine keeps of its offline requests, in a file that only this user may read. Nothing in it is verified here.
/// </summary>
/// <param name="Seq">The number of the last request; it never falls.</param>
/// <param name="Pending">The request that waits for an answer.</param>
/// <param name="Answer">The code that was typed.</param>
/// <param name="Released">The last release.</param>
internal sealed record KeptOffline(
    long Seq = 0, PendingRequest? Pending = null, AcceptedCode? Answer = null, ReleasedFile? Released = null)
{
    private const int MaxBytes = 1 << 16;
    private static readonly KeptOffline None = new();

    /// <summary>What is kept; nothing if the file is missing, damaged or cannot be read.</summary>
    internal static KeptOffline Load(string path)
    {
        try
        {
            return Disk.ReadOwn(path, MaxBytes) is { } raw && JsonReading.ParseObject(raw) is { } kept
                && kept.Whole("seq") is >= 0 and var seq
                ? new KeptOffline(
                    seq, PendingOf(kept.Field("pending")), AnswerOf(kept.Field("answer")), ReleasedOf(kept.Field("released")))
                : None;
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            return None;
        }
    }

    /// <summary>Replaces what is kept.</summary>
    /// <exception cref="LicenseFileException">The file cannot be written.</exception>
    internal void Save(string path)
    {
        try
        {
            Disk.WriteOwn(path, Encoding.UTF8.GetBytes(ToJson().ToJsonString()));
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            throw new LicenseFileException(
                $"{path} cannot be written, so nothing can be requested or released offline: {error.Message.TrimEnd('.')}. "
                + "Check the permissions of the folder, or choose another with StateFolder.", error);
        }
    }

    private static PendingRequest? PendingOf(JsonElement? kept) =>
        kept is { } pending && pending.Text("text") is { } text && pending.Text("nonce") is { } nonce
        && pending.Whole("seq") is >= 0 and var seq && Enum.TryParse<OfflineRequestKind>(pending.Text("kind"), out var kind)
            ? new PendingRequest(text, nonce, seq, kind, pending.Text("base"))
            : null;

    private static AcceptedCode? AnswerOf(JsonElement? kept) =>
        kept is { } answer && answer.Text("code") is { } code && answer.Text("nonce") is { } nonce
        && answer.Text("base") is { } jti && answer.Count("endsDay") is { } endsDay
            ? new AcceptedCode(code, nonce, jti, endsDay)
            : null;

    private static ReleasedFile? ReleasedOf(JsonElement? kept) =>
        kept is { } released && released.Whole("seq") is >= 0 and var seq && released.Text("file") is { } file
        && released.Text("text") is { } text
            ? new ReleasedFile(seq, file, text, released.Text("code"))
            : null;

    private JsonObject ToJson() => new()
    {
        ["seq"] = Seq,
        ["pending"] = Pending is { } pending
            ? new JsonObject
            {
                ["text"] = pending.Text, ["nonce"] = pending.Nonce, ["seq"] = pending.Seq,
                ["kind"] = pending.Kind.ToString(), ["base"] = pending.Base,
            }
            : null,
        ["answer"] = Answer is { } answer
            ? new JsonObject
            {
                ["code"] = answer.Code, ["nonce"] = answer.Nonce, ["base"] = answer.Base, ["endsDay"] = answer.EndsDay,
            }
            : null,
        ["released"] = Released is { } released
            ? new JsonObject
            {
                ["seq"] = released.Seq, ["file"] = released.File, ["text"] = released.Text, ["code"] = released.Code,
            }
            : null,
    };
}
