using System.Net.Http;
using System.Security.Cryptography;
using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>A charge to make. All attempts use the same idempotency key.</summary>
internal sealed record Charge(string Feature, int Quantity, string IdempotencyKey, string? ActivationId)
{
    private const int MaxQuantity = 1_000_000_000;
    private const int MaxNameLength = 128;

    /// <summary>Creates a charge, with a random 128-bit idempotency key unless one is given.</summary>
    /// <exception cref="ArgumentException">An argument is out of range.</exception>
    internal static Charge Create(string feature, int quantity, string? idempotencyKey, string? activationId)
    {
        var key = idempotencyKey ?? Convert.ToHexString(RandomNumberGenerator.GetBytes(16)).ToLowerInvariant();
        if (quantity is < 1 or > MaxQuantity)
        {
            throw new ArgumentOutOfRangeException(nameof(quantity), quantity, $"must be from 1 to {MaxQuantity}");
        }
        CheckName(feature, nameof(feature));
        CheckName(key, nameof(idempotencyKey));
        return new Charge(feature, quantity, key, activationId);
    }

    private static void CheckName(string text, string label)
    {
        ArgumentNullException.ThrowIfNull(text, label);
        if (text.Length is < 1 or > MaxNameLength)
        {
            throw new ArgumentException($"must have 1 to {MaxNameLength} characters", label);
        }
    }
}

/// <summary>Metering: charges made exactly once despite retries, and the balance.</summary>
internal static class Charges
{
    // Retrying is safe even if the charge was made: the idempotency key prevents a second charge.
    private static readonly RetryPolicy Retries = new(5, 2, error => error.Code is
        LicetErrorCode.Network or LicetErrorCode.Dns or LicetErrorCode.ServerRefused or LicetErrorCode.ConnectionLost
        or LicetErrorCode.ServerTimeout or LicetErrorCode.ServerUnavailable or LicetErrorCode.RateLimited
        or LicetErrorCode.ConcurrencyConflict);

    // No connection: the charge cannot have reached the server.
    private static readonly LicetErrorCode[] Unsent =
    {
        LicetErrorCode.Dns, LicetErrorCode.ServerRefused, LicetErrorCode.Network, LicetErrorCode.Proxy, LicetErrorCode.Tls,
    };

    /// <summary>Charges reserved credits, if there are enough for the charge, or else the wallet on the server.</summary>
    internal static async Task<Consumption> ConsumeAsync(
        LicenseCore core, Charge charge, CancellationToken cancellationToken)
    {
        try
        {
            var attempt = await Spending.TryAsync(core, charge, cancellationToken).ConfigureAwait(false);
            return attempt.Made
                ?? (attempt.Shortage is null
                    ? await ConsumeOnlineAsync(core, charge, Retries, cancellationToken).ConfigureAwait(false)
                    : await ConsumeBeyondAsync(core, charge, attempt.Shortage, cancellationToken).ConfigureAwait(false));
        }
        catch (LicetException error)
        {
            error.IdempotencyKey = charge.IdempotencyKey;
            throw;
        }
    }

    /// <summary>Charges the wallet for what reserved credits do not cover, if the server can be asked.</summary>
    private static async Task<Consumption> ConsumeBeyondAsync(
        LicenseCore core, Charge charge, RequestRefusedException shortage, CancellationToken cancellationToken)
    {
        if (!core.Config.HasServer)
        {
            throw shortage;
        }
        var wasSent = false;
        bool IsRetryable(LicetException error)
        {
            wasSent |= !Unsent.Contains(error.Code);
            return Retries.IsRetryable(error);
        }
        try
        {
            return await ConsumeOnlineAsync(core, charge, Retries with { IsRetryable = IsRetryable }, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (LicetNetworkException error) when (!wasSent && Unsent.Contains(error.Code))
        {
            core.Config.Log($"The server was not asked for a charge beyond the reserved credits: {error.Message}");
            throw shortage;
        }
    }

    private static async Task<Consumption> ConsumeOnlineAsync(
        LicenseCore core, Charge charge, RetryPolicy retries, CancellationToken cancellationToken)
    {
        var fields = core.WithCredentials(new JsonObject
        {
            ["licenseKey"] = core.RequiredKey(),
            ["featureName"] = charge.Feature,
            ["quantity"] = charge.Quantity,
            ["idempotencyKey"] = charge.IdempotencyKey,
            ["hardwareId"] = core.HardwareIdText,
            ["activationId"] = charge.ActivationId,
        });
        var options = new CallOptions { Retries = retries };
        var reply = await core.Api.CallAsync("/meter/consume", fields, options, cancellationToken).ConfigureAwait(false);
        return Read(core, reply, charge);
    }

    internal static async Task<MeterBalance> BalanceAsync(LicenseCore core, CancellationToken cancellationToken)
    {
        var fields = new JsonObject { ["licenseKey"] = core.RequiredKey(), ["hardwareId"] = core.HardwareIdText };
        var options = new CallOptions { Method = HttpMethod.Get, Headers = core.CredentialHeaders() };
        var reply = await core.Api.CallAsync("/meter/balance", fields, options, cancellationToken).ConfigureAwait(false);
        if (reply.Body.Text("licenseId") is not { } licenseId
            || reply.Body.Amount("balance") is not { } amount
            || reply.Body.Text("mode") is not ("Count" or "Token"))
        {
            throw ServerErrors.NotOfAServer("the balance", reply.RequestId);
        }
        return core.IsThisLicense(licenseId)
            ? new MeterBalance(licenseId, Enum.Parse<MeterMode>(reply.Body.Text("mode")!), amount)
            : throw ServerErrors.OfAnotherRequest("the balance", reply.RequestId);
    }

    private static Consumption Read(LicenseCore core, ApiReply reply, Charge charge)
    {
        var body = reply.Body;
        if (body.Amount("cost") is not { } cost
            || body.Amount("balance") is not { } balance
            || body.Text("ledgerEntryId") is not { } entry
            || body.Text("licenseId") is not { } licenseId)
        {
            throw ServerErrors.NotOfAServer("the charge", reply.RequestId);
        }
        return IsAbout(charge, body) && core.IsThisLicense(licenseId)
            ? new Consumption(
                body.Text("featureName")!, charge.Quantity, cost, balance, entry, licenseId, charge.IdempotencyKey,
                body.Flag("replayed") is true)
            : throw ServerErrors.OfAnotherRequest("the charge", reply.RequestId);
    }

    /// <summary>Whether a response is to this charge. Features are compared without case.</summary>
    private static bool IsAbout(Charge charge, JsonElement body) =>
        string.Equals(body.Text("featureName"), charge.Feature, StringComparison.OrdinalIgnoreCase)
        && body.Whole("quantity") == charge.Quantity
        && (body.Field("idempotencyKey") is null || body.Text("idempotencyKey") == charge.IdempotencyKey);
}
