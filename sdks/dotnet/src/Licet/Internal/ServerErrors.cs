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

    private static readonly IReadOnlyDictionary<string, LicetErrorCode> Known = new Dictionary<string, LicetErrorCode>
    {
        ["LicenseNotFound"] = LicetErrorCode.LicenseRefused,
        ["LicenseInvalid"] = LicetErrorCode.LicenseRefused,
        ["LicenseExpired"] = LicetErrorCode.LicenseRefused,
        ["InvalidCredentials"] = LicetErrorCode.LicenseRefused,
        ["EnrollmentKeyInvalid"] = LicetErrorCode.EnrollmentKeyInvalid,
        ["MaxActivationsReached"] = LicetErrorCode.SeatsExhausted,
        ["MaxConcurrentSessionsReached"] = LicetErrorCode.SeatsExhausted,
        ["ActivationRequired"] = LicetErrorCode.ActivationRequired,
        ["PendingApproval"] = LicetErrorCode.ApprovalPending,
        ["DeviceBlocked"] = LicetErrorCode.DeviceBlocked,
        ["HardwareMismatch"] = LicetErrorCode.HardwareMismatch,
        ["DeviceProofRequired"] = LicetErrorCode.DeviceProofRequired,
        ["HardwareIdNotAccepted"] = LicetErrorCode.LicenseRefused,
        ["TrialAlreadyUsed"] = LicetErrorCode.LicenseRefused,
        ["SessionNotFound"] = LicetErrorCode.SessionLost,
        ["LeaseLimitReached"] = LicetErrorCode.LeaseRefused,
        ["LeaseNotFound"] = LicetErrorCode.LeaseRefused,
        ["LeaseForked"] = LicetErrorCode.LeaseRefused,
        ["InsufficientBalance"] = LicetErrorCode.InsufficientBalance,
        ["FeatureNotEntitled"] = LicetErrorCode.FeatureNotEntitled,
        ["PricingNotConfigured"] = LicetErrorCode.PricingNotConfigured,
        ["NotMeteredLicense"] = LicetErrorCode.NotMetered,
        ["WalletNotFound"] = LicetErrorCode.WalletNotFound,
        ["IdempotencyKeyReused"] = LicetErrorCode.IdempotencyKeyReused,
        ["ConcurrencyConflict"] = LicetErrorCode.ConcurrencyConflict,
    };

    private static readonly IReadOnlyDictionary<string, string> Hints = new Dictionary<string, string>
    {
        ["EnrollmentKeyInvalid"] =
            "Check LICET_ENROLLMENT_KEY or EnrollmentKey. Whoever manages the license makes enrollment keys, and sees "
            + "until when each is valid, for how many devices and from which networks.",
        ["IdempotencyKeyReused"] =
            "The key was used for another feature or quantity. Use a new key for a new charge.",
        ["ConcurrencyConflict"] = "Try again with the same idempotency key.",
        ["NotMeteredLicense"] = "Charge only MeteredToken and MeteredCount licenses.",
        ["PricingNotConfigured"] = "Check the name of the feature; the product's page has its price.",
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
        new(LicetErrorCode.ApprovalPending, Sentence.English("PendingApproval"), 202) { ErrorCode = "PendingApproval" };

    /// <summary>The exception for what this machine refuses without asking, as the server would.</summary>
    internal static RequestRefusedException Refused(string code, string? message = null) =>
        new(Known[code], message ?? Sentence.English(code), 0) { ErrorCode = code };

    /// <summary>The exception for a charge that this machine cannot pay for.</summary>
    internal static RequestRefusedException Insufficient(decimal cost, decimal left) =>
        new(LicetErrorCode.InsufficientBalance, Sentence.English("InsufficientBalance", ("cost", cost), ("balance", left)), 0)
        {
            ErrorCode = "InsufficientBalance", Cost = cost, Balance = left,
        };

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
        return new LicetNetworkException(LicetErrorCode.CaptivePortal, Sentence.English("CaptivePortal"))
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
        var retryAfter = RetryAfter(reply, now);
        LicetServerException error = reply.Status switch
        {
            429 => new LicetServerException(LicetErrorCode.RateLimited, Busy(retryAfter), 429) { Hint = response },
            >= 500 => new LicetServerException(
                LicetErrorCode.ServerUnavailable, Sentence.English("ServerUnavailable"), reply.Status)
            {
                Hint = response,
            },
            401 when code is not ("InvalidCredentials" or "EnrollmentKeyInvalid") => new LicetServerException(
                LicetErrorCode.ApiKeyRefused, Sentence.English("ApiKeyRefused"), 401)
            {
                Hint = $"{response} Check ProductApiKey; it may have been rotated.",
            },
            _ when code is not null => OfCode(code, problem, said, reply.Status),
            _ => Unexpected(
                Sentence.English("UnexpectedReply"), null, reply.Status, $"{response} {CheckAddress}"),
        };
        (error.ErrorCode, error.RequestId, error.RetryAfter) = (code, reply.RequestId, retryAfter);
        return error;
    }

    private static RequestRefusedException OfCode(string code, JsonElement problem, string said, int status)
    {
        var (used, total) = (problem.Count("seatsUsed"), problem.Count("seatsTotal"));
        var (cost, balance) = (problem.Amount("cost"), problem.Amount("balance"));
        var isKnown = Known.TryGetValue(code, out var found);
        var known = isKnown ? found : LicetErrorCode.RequestRefused;
        var message = Sentence.English(
            isKnown ? code : "RequestRefused", ("seatsUsed", used), ("seatsTotal", total), ("cost", cost),
            ("balance", balance), ("errorCode", Sentence.Word(code)));
        return new RequestRefusedException(known, said.Length > 0 ? said : message, status)
        {
            Hint = isKnown ? Hints.GetValueOrDefault(code, "") : $"The server's error code is {code}.",
            SeatsUsed = known == LicetErrorCode.SeatsExhausted ? used : null,
            SeatsTotal = known == LicetErrorCode.SeatsExhausted ? total : null,
            CanRelease = known == LicetErrorCode.SeatsExhausted && problem.Flag("canRelease") is true,
            EndReason = known == LicetErrorCode.SessionLost ? problem.Text("endReason") : null,
            Cost = known == LicetErrorCode.InsufficientBalance ? cost : null,
            Balance = known == LicetErrorCode.InsufficientBalance ? balance : null,
            Replayed = known == LicetErrorCode.InsufficientBalance && problem.Flag("replayed") is true,
        };
    }

    private static string Busy(TimeSpan? retryAfter) => Sentence.English(
        "RateLimited",
        ("retryAfterSeconds", retryAfter is { } wait && wait > TimeSpan.Zero ? (long)Math.Ceiling(wait.TotalSeconds) : null));

    private static TimeSpan? RetryAfter(Reply reply, DateTimeOffset now)
    {
        var value = reply.Headers.RetryAfter;
        return value?.Delta ?? (value?.Date is { } date ? (date > now ? date - now : TimeSpan.Zero) : null);
    }
}
