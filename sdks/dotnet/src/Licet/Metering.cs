namespace Licet;

/// <summary>How a license is charged.</summary>
public enum MeterMode
{
    /// <summary>By uses.</summary>
    Count,
    /// <summary>By tokens, at a price for each feature.</summary>
    Token,
}

/// <summary>A charge that was made.</summary>
/// <param name="FeatureName">The feature.</param>
/// <param name="Quantity">How often or how much it was used.</param>
/// <param name="Cost">The amount charged.</param>
/// <param name="Balance">The balance after the charge, or what remains of the reserved credits.</param>
/// <param name="LedgerEntryId">
/// The ID of the charge in the vendor's ledger; of reserved credits that of the lease and the number of the charge.
/// </param>
/// <param name="LicenseId">The license's ID.</param>
/// <param name="IdempotencyKey">The key of the charge; repeating the call with it charges nothing.</param>
/// <param name="Replayed">Whether an earlier attempt with the same key made the charge.</param>
/// <param name="Reserved">Whether reserved credits were charged, without the server.</param>
public sealed record Consumption(
    string FeatureName,
    int Quantity,
    decimal Cost,
    decimal Balance,
    string LedgerEntryId,
    string LicenseId,
    string IdempotencyKey,
    bool Replayed,
    bool Reserved = false);

/// <summary>The balance of a metered license, shared by all its devices.</summary>
/// <param name="LicenseId">The license's ID.</param>
/// <param name="Mode">How the license is charged.</param>
/// <param name="Amount">The balance.</param>
public sealed record MeterBalance(string LicenseId, MeterMode Mode, decimal Amount);
