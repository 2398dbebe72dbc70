namespace Licet.Internal;

/// <summary>What tells a file of a machine without a connection from others.</summary>
/// <param name="Jti">The file's ID.</param>
/// <param name="Nonce">That of the request which it answers; null for a base file.</param>
/// <param name="Seq">The number of that request.</param>
/// <param name="IsBound">Whether a base file has an accepted code.</param>
internal sealed record OfflineMarks(string Jti, string? Nonce, long Seq, bool IsBound = false)
{
    /// <summary>Whether it is a base file, which is valid only with a code that was made for this machine.</summary>
    internal bool IsBase => Nonce is null;

    /// <summary>Whether this machine may not use the file: a base file without a code, or one that was released.</summary>
    internal bool IsUnusable(KeptOffline kept) => IsBase ? !IsBound : Seq <= kept.Released?.Seq;

    /// <summary>Reads the request that a verified license.bin answers; null if it answers none.</summary>
    /// <exception cref="RejectedTokenException">Its claims are not those of an answer.</exception>
    internal static OfflineMarks? Read(JsonElement claims, LicenseFile file)
    {
        if (claims.Field("request") is null)
        {
            return null;
        }
        var request = Claims.RequiredObject(claims, "request");
        RejectedTokenException.Require(
            request.Text("nonce") is not null && request.Whole("seq") is not null, "its claims are malformed: request");
        RejectedTokenException.Require(
            file.NormalKey is not null && file.Jkt is not null && file.RefreshBy is not null,
            "it is not a whole answer to an offline request");
        return new OfflineMarks(Claims.RequiredText(claims, "jti"), request.Text("nonce"), request.Whole("seq")!.Value);
    }
}
