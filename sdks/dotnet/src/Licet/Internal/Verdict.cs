using Status = Licet.LicenseValidationStatus;

namespace Licet.Internal;

/// <summary>The request that a verdict must match.</summary>
internal sealed record VerdictRequest(
    string ProductId, string NormalKey, string? HardwareId, string Nonce, bool TestMode = false);

/// <summary>
/// The server's signed verdict, accepted only if every claim matches the request. The signature alone
/// would allow a relay to replay the verdict on another license; the nonce alone would allow a fake
/// server. The unsigned JSON around the token is never read.
/// </summary>
/// <param name="ServerStatus">The status as sent by the server.</param>
/// <param name="Status">The status as this version understands it.</param>
/// <param name="License">The license, if the verdict names it.</param>
/// <param name="IssuedAt">When the server signed it.</param>
/// <param name="ExpiresAt">When it expires.</param>
/// <param name="KeyHash">The hash of the license key that it is about.</param>
/// <param name="HardwareId">The machine that it is about.</param>
/// <param name="Nonce">The request that it is about.</param>
/// <param name="FollowsServer">Whether it is on an accepted test license, whose time is the server's.</param>
internal sealed record Verdict(
    string ServerStatus,
    Status Status,
    License? License,
    DateTimeOffset IssuedAt,
    DateTimeOffset ExpiresAt,
    string? KeyHash,
    string? HardwareId,
    string? Nonce,
    bool FollowsServer = false)
{
    internal const string TokenType = "verdict+jwt";
    private static readonly TimeSpan Leeway = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan MaxLifetime = TimeSpan.FromMinutes(15);

    /// <summary>Verifies a verdict token and matches its claims with the request.</summary>
    /// <exception cref="RejectedTokenException">The signature or a claim does not match.</exception>
    internal static Verdict Verify(string? token, IReadOnlyList<PublicKey> keys, VerdictRequest request)
    {
        RejectedTokenException.Require(token is not null, "the verdict is not signed");
        var verdict = Read(token!, keys, request.ProductId);
        RejectedTokenException.Require(verdict.Nonce == request.Nonce, "it is for another request (nonce)");
        RejectedTokenException.Require(
            verdict.KeyHash == LicenseKey.Hash(request.NormalKey), "it is for another license key");
        RejectedTokenException.Require(verdict.HardwareId == request.HardwareId, "it is for another machine");
        return verdict.License is not { IsTest: true } ? verdict
            : request.TestMode ? verdict with { FollowsServer = true }
            : verdict with { Status = Status.TestLicense };
    }

    /// <summary>
    /// Verifies a verdict of this product. What it is about (license key, machine, request) is left to the
    /// caller.
    /// </summary>
    /// <exception cref="RejectedTokenException">The signature or a claim does not match.</exception>
    internal static Verdict Read(string token, IReadOnlyList<PublicKey> keys, string productId)
    {
        var claims = Jose.Verify(token, keys, TokenType, needsKid: false);
        RejectedTokenException.Require(claims.Text("aud") == productId, "it is for another product");
        var (issuedAt, expiresAt) = (Claims.Epoch(claims, "iat"), Claims.Epoch(claims, "exp"));
        RejectedTokenException.Require(
            issuedAt < expiresAt && expiresAt - issuedAt <= MaxLifetime, "its lifetime is invalid");
        var serverStatus = Claims.RequiredText(claims, "status");
        var status = ReadStatus(claims, serverStatus);
        return new Verdict(
            serverStatus, status, ReadTerms(claims, status, issuedAt), issuedAt, expiresAt,
            claims.Text("licenseKeyHash"), Claims.OptionalText(claims, "hardwareId"), claims.Text("nonce"));
    }

    /// <summary>
    /// The server's time minus this machine's, positive if the clock is behind; null if the clock is within
    /// the verdict's lifetime and leeway.
    /// </summary>
    internal TimeSpan? ClockOffset(DateTimeOffset now) =>
        FollowsServer || (IssuedAt - now <= Leeway && now - ExpiresAt <= Leeway) ? null : IssuedAt - now;

    /// <summary>How far the server's clock is ahead, if its time is the license's.</summary>
    internal TimeSpan? ServerAhead(DateTimeOffset now) => FollowsServer ? IssuedAt - now : null;

    /// <summary>Converts a verdict to the application's result, as strictly as the clock allows.</summary>
    internal LicenseResult ToResult(DateTimeOffset now, string? requestId)
    {
        var tampered = Status.AllowsRunning() && ClockOffset(now) is not null;
        return new LicenseResult(
            tampered ? Status.ClockTampered : Status,
            tampered ? ClockMessage(now) : Messages.Of(Status, ServerStatus))
        {
            Source = LicenseSource.Server,
            License = License,
            CheckedAt = now,
            ServerStatus = Status == Status.Unknown ? ServerStatus : null,
            RequestId = requestId,
        };
    }

    /// <summary>
    /// The result for a verdict that has just arrived: up to a day off, a wrong clock only warns. The nonce
    /// shows that the verdict is new, so the time in it is right.
    /// </summary>
    internal LicenseResult ToFreshResult(DateTimeOffset now, string? requestId)
    {
        var result = ToResult(now, requestId);
        if (result.Status != Status.ClockTampered || ClockOffset(now) is not { } offset || offset.Duration() > State.MaxClockOffset)
        {
            return result;
        }
        var warning = FileRules.ClockWarning(offset, ClockGuard.IsQuarterHours(offset));
        return result with { Status = Status.Valid, Message = Messages.Of(Status.Valid), Warnings = new[] { warning } };
    }

    private static Status ReadStatus(JsonElement claims, string serverStatus)
    {
        var valid = claims.Flag("valid");
        RejectedTokenException.Require(valid is not null, "its claims are malformed: valid");
        var status = Messages.Read(serverStatus);
        RejectedTokenException.Require(
            status == Status.Unknown || status.AllowsRunning() == valid, "it contradicts itself (valid, status)");
        return status;
    }

    private static License? ReadTerms(JsonElement claims, Status status, DateTimeOffset issuedAt)
    {
        var seat = claims.Field("seat");
        if (!status.AllowsRunning())
        {
            return claims.Field("license") is { ValueKind: JsonValueKind.Object } raw
                ? Claims.ReadLicense(raw, seat: seat)
                : null;
        }
        var terms = Claims.ReadLicense(Claims.RequiredObject(claims, "license"), seat: seat);
        RejectedTokenException.Require(terms.Status == "Active", "it contradicts itself (license.status)");
        RejectedTokenException.Require(
            terms.ExpirationDate is not { } end || issuedAt - end < Leeway,
            "it contradicts itself (license.expirationDate)");
        return terms;
    }

    private string ClockMessage(DateTimeOffset now)
    {
        var offset = ClockOffset(now) ?? TimeSpan.Zero;
        var advice = ClockGuard.IsQuarterHours(offset)
            ? "The difference looks like a wrong time zone: correct the time zone."
            : "Correct the date and time.";
        return $"The license is valid, but this computer's clock ({Clock.Format(now)}) is {Clock.Format(offset)} "
            + $"{(offset > TimeSpan.Zero ? "behind" : "ahead of")} the license server's. {advice} Then try again.";
    }
}
