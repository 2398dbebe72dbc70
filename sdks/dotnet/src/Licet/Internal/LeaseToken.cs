namespace Licet.Internal;

/// <summary>Whose lease a token has to be.</summary>
/// <param name="ProductId">The product.</param>
/// <param name="NormalKey">The license key, in normal form.</param>
/// <param name="HardwareId">This machine.</param>
/// <param name="Jkt">The thumbprint of this device's key; null if it has none.</param>
internal sealed record LeaseHolder(string ProductId, string NormalKey, string HardwareId, string? Jkt);

/// <summary>A lease that the product's key signed: a seat or credits that this device has until an end.</summary>
/// <param name="Text">The token.</param>
/// <param name="Id">The lease's ID.</param>
/// <param name="Seq">1, and one more with each renewal.</param>
/// <param name="File">What it grants, in the form of a license.bin.</param>
/// <param name="EndsAt">The end of the lease.</param>
internal sealed record LeaseToken(string Text, string Id, int Seq, LicenseFile File, DateTimeOffset EndsAt)
{
    internal const string TokenType = "lease+jwt";
    private const string Seat = "Seat";

    /// <summary>Verifies the token of a seat and that it is this holder's; its end is not looked at.</summary>
    /// <exception cref="RejectedTokenException">The signature or a claim does not match.</exception>
    internal static LeaseToken Verify(string? text, IReadOnlyList<PublicKey> keys, LeaseHolder holder) =>
        Verify(text, keys, holder, Seat).Lease;

    /// <summary>Verifies what all kinds of leases have in common; the claims are for those of one kind.</summary>
    /// <exception cref="RejectedTokenException">The signature or a claim does not match.</exception>
    internal static (LeaseToken Lease, JsonElement Claims) Verify(
        string? text, IReadOnlyList<PublicKey> keys, LeaseHolder holder, string kind)
    {
        RejectedTokenException.Require(text is not null, "the lease is not signed");
        var claims = Jose.Verify(text!, keys, TokenType, needsKid: true);
        RejectedTokenException.Require(claims.Text("aud") == holder.ProductId, "it belongs to another product");
        RejectedTokenException.Require(claims.Text("kind") == kind, $"it is no lease of the kind {kind}");
        RejectedTokenException.Require(
            claims.Text("licenseKeyHash") == LicenseKey.Hash(holder.NormalKey), "it is for another license key");
        RejectedTokenException.Require(claims.Text("hardwareId") == holder.HardwareId, "it is for another machine");
        var (seq, end) = (claims.Count("seq"), Claims.Epoch(claims, "exp"));
        RejectedTokenException.Require(seq is >= 1 && claims.Has("nbf"), "its claims are malformed: seq, nbf");
        var file = LicenseFile.Read(claims, isProtected: false) with { NormalKey = holder.NormalKey };
        RejectedTokenException.Require(
            file.Jkt is not null && file.Jkt == holder.Jkt, "it is for another device key");
        return (new LeaseToken(text!, Claims.RequiredText(claims, "jti"), seq!.Value, file, end), claims);
    }

    /// <summary>Returns this token of an answer, which has to renew the one that is kept, if one is.</summary>
    /// <exception cref="RejectedTokenException">It does not.</exception>
    internal LeaseToken Follow(LeaseToken? kept)
    {
        RejectedTokenException.Require(
            kept is null || Text == kept.Text || (Id == kept.Id && Seq > kept.Seq && EndsAt >= kept.EndsAt),
            "it is not newer than the one of this machine");
        return this;
    }
}
