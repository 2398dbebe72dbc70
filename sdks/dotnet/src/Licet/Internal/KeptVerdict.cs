namespace Licet.Internal;

/// <summary>
/// Signed verdicts that are kept on this machine: the last confirmation, and a refusal in the place of
/// license.bin. A kept verdict is verified each time it is read, so nothing that is written on this
/// machine, and no file of another machine, can take its place.
/// </summary>
internal static class KeptVerdict
{
    /// <summary>Whether this claims to be a verdict. Verifies nothing.</summary>
    internal static bool IsVerdict(string text) => Jose.TypeOf(text) == Verdict.TokenType;

    /// <summary>Reads a kept verdict; null if it was not signed for this product and this machine.</summary>
    internal static Verdict? Read(
        string? token, IReadOnlyList<PublicKey> keys, string productId, string hardwareId)
    {
        if (token is null)
        {
            return null;
        }
        try
        {
            var verdict = Verdict.Read(token, keys, productId);
            return verdict.HardwareId == hardwareId && !string.IsNullOrEmpty(verdict.KeyHash) ? verdict : null;
        }
        catch (RejectedTokenException)
        {
            return null;
        }
    }

    /// <summary>The result for a refusal in the place of license.bin.</summary>
    internal static LicenseResult RefusalResult(Verdict kept, DateTimeOffset now)
    {
        var finding = FileRules.Refusal(kept.ServerStatus);
        return new LicenseResult(finding.Status, finding.Message)
        {
            Source = LicenseSource.File,
            License = kept.License,
            CheckedAt = now,
            ServerStatus = finding.Status == LicenseValidationStatus.Unknown ? kept.ServerStatus : null,
        };
    }
}
