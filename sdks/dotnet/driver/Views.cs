namespace Licet.Driver;

/// <summary>What the SDK returns, as JSON with the names of the API.</summary>
internal static class Views
{
    internal static JsonArray Texts(IEnumerable<string> texts) =>
        new(texts.Select(text => (JsonNode?)text).ToArray());

    internal static JsonNode? Time(DateTimeOffset? moment) =>
        moment?.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.FFFFFF'Z'", CultureInfo.InvariantCulture);

    internal static JsonNode? Amount(decimal? amount) => amount?.ToString(CultureInfo.InvariantCulture);

    internal static JsonObject Of(LicenseResult result) => new()
    {
        ["valid"] = result.IsValid,
        ["status"] = result.Status.ToString(),
        ["message"] = result.Message,
        ["source"] = result.Source.ToString().ToLowerInvariant(),
        ["license"] = result.License is { } license ? Of(license) : null,
        ["product"] = result.Product is { } product
            ? new JsonObject { ["id"] = product.Id, ["name"] = product.Name }
            : null,
        ["release"] = result.Release is { } release
            ? new JsonObject { ["id"] = release.Id, ["version"] = release.Version }
            : null,
        ["features"] = result.Features is { } features ? Texts(features) : null,
        ["entitlements"] = result is { IsValid: true, License: { } granted }
            ? Values(granted.Entitlements)
            : new JsonObject(),
        ["warnings"] = Texts(result.Warnings),
        ["checkedAt"] = Time(result.CheckedAt),
        ["refreshBy"] = Time(result.RefreshBy),
        ["graceEndsAt"] = Time(result.GraceEndsAt),
        ["leaseEndsAt"] = Time(result.LeaseEndsAt),
        ["serverStatus"] = result.ServerStatus,
        ["requestId"] = result.RequestId,
        ["cause"] = result.Cause is { } cause ? Of(cause) : null,
    };

    internal static JsonObject? Of(LicenseSeat? seat) => seat is null
        ? null
        : new JsonObject
        {
            ["kind"] = seat.Kind.ToString(),
            ["held"] = seat.Held,
            ["used"] = seat.Used,
            ["total"] = seat.Total,
        };

    internal static JsonObject Of(OfflineRequest made, string? deskUrl) => new()
    {
        ["kind"] = made.Kind.ToString(),
        ["text"] = made.Text,
        ["file"] = Encoding.UTF8.GetString(made.File),
        ["qrText"] = deskUrl is null ? null : made.QrText(new Uri(deskUrl)),
        ["code"] = (made as OfflineRelease)?.Code,
    };

    internal static JsonObject Of(LicetException error)
    {
        var view = new JsonObject { ["code"] = error.Code.ToString(), ["message"] = error.Message, ["hint"] = error.Hint };
        Add(view, "idempotencyKey", error.IdempotencyKey);
        if (error is OfflineCodeException mistyped)
        {
            Add(view, "group", mistyped.Group);
        }
        if (error is LicetServerException server)
        {
            Add(view, "httpStatus", server.HttpStatus);
            Add(view, "errorCode", server.ErrorCode);
            Add(view, "requestId", server.RequestId);
            Add(view, "retryAfter", server.RetryAfter?.TotalSeconds);
        }
        if (error is RequestRefusedException refused)
        {
            Add(view, "seatsUsed", refused.SeatsUsed);
            Add(view, "seatsTotal", refused.SeatsTotal);
            Add(view, "canRelease", refused.Code == LicetErrorCode.SeatsExhausted ? refused.CanRelease : null);
            Add(view, "cost", Amount(refused.Cost));
            Add(view, "balance", Amount(refused.Balance));
            Add(view, "replayed", refused.Code == LicetErrorCode.InsufficientBalance ? refused.Replayed : null);
            Add(view, "status", refused.Result?.Status.ToString());
        }
        if (error is OnlineRequiredException unasked)
        {
            Add(view, "status", unasked.Result.Status.ToString());
        }
        return view;
    }

    internal static JsonObject Of(string name, OpenLicense license) => new()
    {
        ["license"] = name,
        ["status"] = license.Status.ToString(),
        ["type"] = license.License.Type,
        ["features"] = license.Features is { } features ? Texts(features) : null,
        ["seat"] = Of(license.Seat),
        ["balance"] = Amount(license.Balance?.Amount),
        ["graceEndsAt"] = Time(license.GraceEndsAt),
        ["warnings"] = Texts(license.Warnings),
    };

    internal static JsonObject Of(string? name, BorrowedSeat? seat) => new()
    {
        ["borrowed"] = name,
        ["leaseId"] = seat?.LeaseId,
        ["seq"] = seat?.Seq,
        ["endsAt"] = Time(seat?.EndsAt),
    };

    internal static JsonObject Of(string? name, ReservedCredits? credits) => new()
    {
        ["reserved"] = name,
        ["leaseId"] = credits?.LeaseId,
        ["seq"] = credits?.Seq,
        ["amount"] = Amount(credits?.Amount),
        ["spent"] = Amount(credits?.Spent),
        ["remaining"] = Amount(credits?.Remaining),
        ["unreported"] = credits?.Unreported,
        ["endsAt"] = Time(credits?.EndsAt),
    };

    internal static JsonObject Of(DeviceIdentity identity) => new()
    {
        ["jkt"] = identity.Jkt,
        ["level"] = identity.Level?.ToString(),
        ["hardwareId"] = identity.HardwareId,
    };

    internal static JsonObject Of(LicensedDevice device) => new()
    {
        ["id"] = device.Id,
        ["deviceName"] = device.Name,
        ["os"] = device.OperatingSystem,
        ["lastSeenAt"] = Time(device.LastSeenAt),
        ["seatFreeAt"] = Time(device.SeatFreeAt),
        ["current"] = device.IsCurrent,
    };

    internal static JsonObject Of(LicensedDevices devices) => new()
    {
        ["items"] = new JsonArray(devices.Items.Select(Of).ToArray<JsonNode?>()),
        ["releasesLeft"] = devices.ReleasesLeft,
    };

    internal static JsonObject Of(Update update) => new()
    {
        ["updateAvailable"] = update.IsAvailable,
        ["version"] = update.Version,
        ["channel"] = update.Channel,
        ["releaseId"] = update.ReleaseId,
        ["notes"] = update.Notes,
        ["publishedAt"] = Time(update.PublishedAt),
        ["newer"] = update.Newer is { } newer
            ? new JsonObject
            {
                ["version"] = newer.Version, ["reason"] = newer.Reason, ["renewUrl"] = newer.RenewUrl?.ToString(),
            }
            : null,
        ["files"] = new JsonArray(update.Files.Select(Of).ToArray<JsonNode?>()),
    };

    private static JsonObject Of(UpdateFile file) => new()
    {
        ["name"] = file.Name,
        ["platform"] = file.Platform,
        ["sizeBytes"] = file.SizeBytes,
        ["sha256"] = file.Sha256,
        ["channel"] = file.Channel,
        ["downloadUrl"] = file.DownloadUrl,
    };

    private static JsonObject Of(License license) => new()
    {
        ["id"] = license.Id,
        ["type"] = license.Type,
        ["status"] = license.Status,
        ["name"] = license.Name,
        ["issuedTo"] = license.IssuedTo,
        ["issuer"] = license.Issuer,
        ["expirationDate"] = Time(license.ExpirationDate),
        ["activationMode"] = license.ActivationMode,
        ["maxActiveUsersCount"] = license.MaxActiveUsersCount,
        ["features"] = license.Features is { } features ? Texts(features) : null,
        ["entitlements"] = Values(license.Entitlements),
        ["metadata"] = new JsonObject(license.Metadata.Select(item => KeyValuePair.Create(item.Key, (JsonNode?)item.Value))),
        ["key"] = license.Key,
        ["updatesUntil"] = Time(license.UpdatesUntil),
        ["fallbackUntil"] = Time(license.FallbackUntil),
        ["inFallback"] = license.InFallback,
        ["test"] = license.IsTest,
        ["seat"] = Of(license.Seat),
    };

    private static JsonObject? Values(IReadOnlyDictionary<string, object>? values) => values is null
        ? null
        : new JsonObject(values.Select(item => KeyValuePair.Create(item.Key, (JsonNode?)(item.Value switch
        {
            bool flag => flag,
            long whole => whole,
            double number => number,
            _ => (string)item.Value,
        }))));

    private static void Add(JsonObject view, string name, JsonNode? value)
    {
        if (value is not null)
        {
            view[name] = value;
        }
    }
}
