using System.Net.Http.Headers;
using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>A response: its status, headers and body.</summary>
internal sealed record Reply(int Status, HttpResponseHeaders Headers, HttpContentHeaders ContentHeaders, byte[] Body)
{
    private static readonly Regex SaneId = new(@"\A[A-Za-z0-9_.:-]{1,128}\z");

    internal JsonElement? Json { get; } = JsonReading.ParseObject(Body);

    /// <summary>The request ID of the response, if it is well-formed.</summary>
    internal string? RequestId =>
        Headers.TryGetValues("X-Request-Id", out var values) && values.First() is var id && SaneId.IsMatch(id) ? id : null;
}

/// <summary>The exceptions for responses that are not a success.</summary>
internal static class ServerErrors
{
    internal const string CheckAddress = "Check that ServerBaseEndpoint is the API's address.";

    private const string EnrollmentHint =
        "Check LICET_ENROLLMENT_KEY or EnrollmentKey. Whoever manages the license makes enrollment keys, and sees until "
        + "when each is valid, for how many devices and from which networks.";

    private static readonly IReadOnlyDictionary<string, (LicetErrorCode Code, string Message)> Known =
        new Dictionary<string, (LicetErrorCode, string)>
        {
            ["LicenseNotFound"] = (LicetErrorCode.LicenseRefused,
                "The license key was not found for this product. Check the key for typing errors."),
            ["LicenseInvalid"] = (LicetErrorCode.LicenseRefused,
                "The license is revoked, suspended or, for charges, expired. Contact the vendor."),
            ["LicenseExpired"] = (LicetErrorCode.LicenseRefused,
                "The license has expired. Renew it with the vendor."),
            ["InvalidCredentials"] = (LicetErrorCode.LicenseRefused,
                "The user name or password is wrong. Check both and try again."),
            ["EnrollmentKeyInvalid"] = (LicetErrorCode.EnrollmentKeyInvalid,
                "The enrollment key of this installation is not accepted. Ask your administrator."),
            ["MaxActivationsReached"] = (LicetErrorCode.SeatsExhausted,
                "All seats of the license are taken{seats}. Deactivate a device that no longer needs its seat, or ask "
                + "the vendor for more seats."),
            ["MaxConcurrentSessionsReached"] = (LicetErrorCode.SeatsExhausted,
                "All seats of the license are in use{seats}. Close the application on another device, or ask the "
                + "vendor for more seats."),
            ["ActivationRequired"] = (LicetErrorCode.ActivationRequired,
                "This device does not hold a seat of the license. Activate it first."),
            ["PendingApproval"] = (LicetErrorCode.ApprovalPending,
                "The vendor has not approved this device yet. Try again once it is approved."),
            ["DeviceBlocked"] = (LicetErrorCode.DeviceBlocked,
                "The vendor has blocked this device. Ask the vendor to unblock it."),
            ["HardwareMismatch"] = (LicetErrorCode.HardwareMismatch,
                "The license is bound to another device. Ask the vendor to move it to this one."),
            ["DeviceProofRequired"] = (LicetErrorCode.DeviceProofRequired,
                "This device could not prove that it is the one with the license: its key is missing, or another. "
                + "Restore the application's data folder, or ask the vendor to free the device."),
            ["HardwareIdNotAccepted"] = (LicetErrorCode.LicenseRefused,
                "The vendor does not accept the hardware ID of this device, such as that of a CI project or a host "
                + "name. Use another device, or ask the vendor."),
            ["TrialAlreadyUsed"] = (LicetErrorCode.LicenseRefused,
                "This device has already used another trial of the product. Buy a license, or ask the vendor to "
                + "extend the first trial."),
            ["SessionNotFound"] = (LicetErrorCode.SessionLost,
                "The server has ended this session. Open a new one."),
            ["LeaseLimitReached"] = (LicetErrorCode.LeaseRefused,
                "No seat can be borrowed now, and no credits reserved: the license does not allow it for so long, or enough "
                + "is away. Ask the vendor."),
            ["LeaseNotFound"] = (LicetErrorCode.LeaseRefused,
                "This device has no borrowed seat or reserved credits that could be renewed or returned. Borrow or reserve "
                + "again."),
            ["LeaseForked"] = (LicetErrorCode.LeaseRefused,
                "What this device has borrowed or reserved was also used from a copy of its data folder, or the folder was "
                + "put back. Ask the vendor to allow this device again."),
            ["InsufficientBalance"] = (LicetErrorCode.InsufficientBalance,
                "The license's balance does not cover this charge{amounts}. Ask the vendor to add to it."),
            ["FeatureNotEntitled"] = (LicetErrorCode.FeatureNotEntitled,
                "The license does not include this feature. Ask the vendor for a license that does."),
            ["PricingNotConfigured"] = (LicetErrorCode.PricingNotConfigured,
                "This feature has no price. Check the feature's name, or ask the vendor to set a price."),
            ["NotMeteredLicense"] = (LicetErrorCode.NotMetered,
                "The license is not metered. Charge only MeteredToken and MeteredCount licenses."),
            ["WalletNotFound"] = (LicetErrorCode.WalletNotFound,
                "The server has no wallet for this metered license. Contact the vendor."),
            ["IdempotencyKeyReused"] = (LicetErrorCode.IdempotencyKeyReused,
                "This idempotency key was already used for another feature or quantity. Use a new key for a new charge."),
            ["ConcurrencyConflict"] = (LicetErrorCode.ConcurrencyConflict,
                "The license was charged concurrently. Try again with the same idempotency key."),
        };

    /// <summary>The exception for a response; null if it is a success, which is a JSON object or 204.</summary>
    internal static LicetException? Of(Reply reply, Uri url, DateTimeOffset now, Func<int, bool> isSuccess) =>
        isSuccess(reply.Status) && (reply.Status == 204 || reply.Json is not null)
            ? null
            : OfIntermediary(reply, url) ?? OfServer(reply, url, now);

    /// <summary>The exception for a result that is not valid, with its message and cause.</summary>
    internal static LicetException Of(LicenseResult result)
    {
        if (result is { Status: LicenseValidationStatus.OnlineRequired }
            or { Status: LicenseValidationStatus.RefreshRequired, Cause: not null })
        {
            return new OnlineRequiredException(result);
        }
        var code = result.Status switch
        {
            LicenseValidationStatus.ActivationRequired => LicetErrorCode.ActivationRequired,
            LicenseValidationStatus.DeviceBlocked => LicetErrorCode.DeviceBlocked,
            LicenseValidationStatus.DeviceProofRequired => LicetErrorCode.DeviceProofRequired,
            LicenseValidationStatus.HardwareMismatch => LicetErrorCode.HardwareMismatch,
            LicenseValidationStatus.PendingApproval => LicetErrorCode.ApprovalPending,
            _ => LicetErrorCode.LicenseRefused,
        };
        var status = result.Source == LicenseSource.Server ? 200 : 0;
        return new RequestRefusedException(code, result.Message, status, result.Cause)
        {
            ErrorCode = result.Status.ToString(),
            Hint = result.Status == LicenseValidationStatus.TestLicense
                ? "The application's own tests accept licenses of Test products by TestMode = true."
                : "",
            RequestId = result.RequestId,
            Result = result,
        };
    }

    /// <summary>The exception for a device that the server has registered but the vendor has not approved.</summary>
    internal static RequestRefusedException ApprovalPending() =>
        new(LicetErrorCode.ApprovalPending, Known["PendingApproval"].Message, 202) { ErrorCode = "PendingApproval" };

    /// <summary>The exception for what this machine refuses without asking, as the server would.</summary>
    internal static RequestRefusedException Refused(string code, string? message = null) =>
        new(Known[code].Code, message ?? Known[code].Message, 0) { ErrorCode = code };

    /// <summary>The exception for a charge that this machine cannot pay for.</summary>
    internal static RequestRefusedException Insufficient(decimal cost, decimal left)
    {
        var (code, message) = Known["InsufficientBalance"];
        return new RequestRefusedException(code, message.Replace("{amounts}", AmountsOf(cost, left)), 0)
        {
            ErrorCode = "InsufficientBalance", Cost = cost, Balance = left,
        };
    }

    private static string AmountsOf(decimal? cost, decimal? left) =>
        cost is not null && left is not null
            ? string.Create(CultureInfo.InvariantCulture, $" ({cost} needed, {left} left)")
            : "";

    internal static LicetServerException Unexpected(
        string message, string? requestId, int status = 200, string hint = CheckAddress) =>
        new(LicetErrorCode.UnexpectedReply, message, status) { RequestId = requestId, Hint = hint };

    internal static LicetServerException NotOfAServer(string about, string? requestId) => Unexpected(
        $"The response about {about} does not come from a license server.", requestId);

    internal static LicetServerException OfAnotherRequest(string about, string? requestId) => Unexpected(
        $"The response about {about} is to another request.", requestId,
        hint: "Something between the application and the license server mixes up responses; check proxies.");

    private static LicetException? OfIntermediary(Reply reply, Uri url)
    {
        if (reply.Status == 407)
        {
            return new LicetNetworkException(
                LicetErrorCode.Proxy,
                "The proxy of this computer wants a user name and a password. Ask your administrator.")
            {
                Hint = "The proxy requires authentication (407). Add the user name and password to HTTPS_PROXY, or "
                    + $"exempt {url.Host} from authentication.",
            };
        }
        var redirect = reply.Status is >= 300 and < 400;
        if (reply.Status != 511 && !redirect && !(reply.Status < 500 && IsHtml(reply)))
        {
            return null;
        }
        return new LicetNetworkException(
            LicetErrorCode.CaptivePortal,
            "A web page came instead of the license server's response. Hotel and guest networks do this until you sign "
            + "in: open a browser and sign in, then try again.")
        {
            Hint = $"{url.Authority} responded with {(redirect ? "a redirect" : "a web page")} (HTTP {reply.Status}). "
                + $"{CheckAddress} It needs https if the server requires it, and no web filter may block it.",
        };
    }

    private static bool IsHtml(Reply reply)
    {
        if (reply.ContentHeaders.TryGetValues("Content-Type", out var types)
            && types.Any(type => type.Contains("html", StringComparison.OrdinalIgnoreCase)))
        {
            return true;
        }
        var start = Encoding.ASCII.GetString(reply.Body, 0, Math.Min(200, reply.Body.Length)).TrimStart();
        return start.StartsWith("<!doctype html", StringComparison.OrdinalIgnoreCase)
            || start.StartsWith("<html", StringComparison.OrdinalIgnoreCase);
    }

    private static LicetException OfServer(Reply reply, Uri url, DateTimeOffset now)
    {
        var problem = reply.Json ?? default;
        var (code, host) = (problem.Text("errorCode"), url.Authority);
        var said = problem.Text("detail") is { } text && !text.Any(char.IsControl)
            ? text[..Math.Min(300, text.Length)]
            : "";
        var response = $"{host} responded with HTTP {reply.Status}{(said.Length > 0 ? $": {said}" : ".")}";
        LicetServerException error = reply.Status switch
        {
            429 => new LicetServerException(
                LicetErrorCode.RateLimited, "The license server is busy. Wait a moment, and try again.", 429)
            {
                Hint = response,
            },
            >= 500 => new LicetServerException(
                LicetErrorCode.ServerUnavailable, "The license server is not available. Try again later.", reply.Status)
            {
                Hint = response,
            },
            401 when code is not ("InvalidCredentials" or "EnrollmentKeyInvalid") => new LicetServerException(
                LicetErrorCode.ApiKeyRefused,
                "The license server does not accept this application. Contact the vendor.", 401)
            {
                Hint = $"{response} Check ProductApiKey; it may have been rotated.",
            },
            _ when code is not null => OfCode(code, problem, said, reply.Status),
            _ => Unexpected(
                "The response does not come from a license server. Contact the vendor.", null, reply.Status,
                $"{response} {CheckAddress}"),
        };
        (error.ErrorCode, error.RequestId, error.RetryAfter) = (code, reply.RequestId, RetryAfter(reply, now));
        return error;
    }

    private static RequestRefusedException OfCode(string code, JsonElement problem, string said, int status)
    {
        var (used, total) = (problem.Count("seatsUsed"), problem.Count("seatsTotal"));
        var (cost, balance) = (problem.Amount("cost"), problem.Amount("balance"));
        var isKnown = Known.TryGetValue(code, out var found);
        var (known, template) = isKnown
            ? found
            : (LicetErrorCode.RequestRefused, $"The license server refused the request ({code}).");
        var message = template
            .Replace("{seats}", used is not null && total is not null ? $" ({used} of {total})" : "")
            .Replace("{amounts}", AmountsOf(cost, balance));
        return new RequestRefusedException(known, said.Length > 0 ? said : message, status)
        {
            Hint = known == LicetErrorCode.EnrollmentKeyInvalid ? EnrollmentHint
                : isKnown ? "" : $"The server's error code is {code}.",
            SeatsUsed = known == LicetErrorCode.SeatsExhausted ? used : null,
            SeatsTotal = known == LicetErrorCode.SeatsExhausted ? total : null,
            CanRelease = known == LicetErrorCode.SeatsExhausted && problem.Flag("canRelease") is true,
            EndReason = known == LicetErrorCode.SessionLost ? problem.Text("endReason") : null,
            Cost = known == LicetErrorCode.InsufficientBalance ? cost : null,
            Balance = known == LicetErrorCode.InsufficientBalance ? balance : null,
            Replayed = known == LicetErrorCode.InsufficientBalance && problem.Flag("replayed") is true,
        };
    }

    private static TimeSpan? RetryAfter(Reply reply, DateTimeOffset now)
    {
        var value = reply.Headers.RetryAfter;
        return value?.Delta ?? (value?.Date is { } date ? (date > now ? date - now : TimeSpan.Zero) : null);
    }
}
