using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>A request for a lease or its renewal that is sent again until it is answered.</summary>
/// <param name="IdempotencyKey">Identifies the request.</param>
/// <param name="Days">For how long the seat is borrowed, or the credits are reserved.</param>
/// <param name="SessionId">The session whose seat is borrowed.</param>
/// <param name="Seq">What is renewed; null if the request is for a new lease.</param>
/// <param name="Amount">How many credits are reserved.</param>
internal sealed record PendingLease(
    string IdempotencyKey, int Days, string? SessionId = null, int? Seq = null, decimal? Amount = null);

/// <summary>
/// What this machine keeps of a borrowed seat or of reserved credits, each in a file that only this user may read. It is
/// written before a request that changes it. Nothing in it is verified here.
/// </summary>
/// <param name="Token">The newest token of the lease.</param>
/// <param name="SessionId">The session whose seat was borrowed.</param>
/// <param name="Pending">The request whose answer has not come.</param>
/// <param name="Returning">The receipt of a lease that was given back and is not reported yet.</param>
/// <param name="Reported">How many lines of the journal the server has confirmed.</param>
internal sealed record KeptLease(
    string? Token = null, string? SessionId = null, PendingLease? Pending = null, string? Returning = null,
    int Reported = 0)
{
    private const int MaxBytes = 1 << 21;
    private static readonly KeptLease None = new();

    /// <summary>What is kept; nothing if the file is missing, damaged or cannot be read.</summary>
    internal static KeptLease Load(string path)
    {
        try
        {
            return Disk.ReadOwn(path, MaxBytes) is { } raw && JsonReading.ParseObject(raw) is { } kept ? Read(kept) : None;
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            return None;
        }
    }

    /// <summary>Replaces what is kept; a file of nothing is deleted.</summary>
    /// <exception cref="LicenseFileException">The file cannot be written.</exception>
    internal void Save(string path)
    {
        try
        {
            if (this == None)
            {
                Disk.Delete(path);
            }
            else
            {
                Disk.WriteOwn(path, Encoding.UTF8.GetBytes(ToJson().ToJsonString()));
            }
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            throw Unwritable(path, error);
        }
    }

    internal static LicenseFileException Unwritable(string path, Exception error) => new(
        $"{path} cannot be written, so nothing can be borrowed, reserved, spent or returned: {error.Message.TrimEnd('.')}. Check the "
        + "permissions of the folder, or choose another with StateFolder.", error);

    private static KeptLease Read(JsonElement kept) => new(
        kept.Text("token"), kept.Text("sessionId"),
        kept.Field("pending") is { } pending && pending.Text("idempotencyKey") is { } key && pending.Count("days") is { } days
            ? new PendingLease(
                key, days, pending.Text("sessionId"), pending.Count("seq"), Amounts.Read(pending.Text("amount")))
            : null,
        kept.Text("returning"),
        Math.Max(0, kept.Count("reported") ?? 0));

    private JsonObject ToJson() => Given(
        ("token", Token),
        ("sessionId", SessionId),
        ("pending", Pending is { } pending
            ? Given(
                ("idempotencyKey", pending.IdempotencyKey), ("days", pending.Days), ("sessionId", pending.SessionId),
                ("seq", pending.Seq), ("amount", pending.Amount is { } amount ? Amounts.Write(amount) : null))
            : null),
        ("returning", Returning),
        ("reported", Reported > 0 ? Reported : null));

    private static JsonObject Given(params (string Name, JsonNode? Value)[] fields) =>
        new(fields.Where(field => field.Value is not null).Select(field => KeyValuePair.Create(field.Name, field.Value)));
}
