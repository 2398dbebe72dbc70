using System.Net.Http;
using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>The devices that hold a seat, of which the application may free one: "free another device".</summary>
internal static class Devices
{
    /// <summary>Lists the devices that hold a seat.</summary>
    internal static async Task<LicensedDevices> ListAsync(LicenseCore core, CancellationToken cancellationToken)
    {
        var options = new CallOptions { Method = HttpMethod.Get, Headers = core.CredentialHeaders() };
        var reply = await core.Api.CallAsync("/activations", Fields(core), options, cancellationToken)
            .ConfigureAwait(false);
        var read = reply.Body.Field("items") is { ValueKind: JsonValueKind.Array } items
            ? items.EnumerateArray().Select(Read).ToArray()
            : new LicensedDevice?[] { null };
        var known = read.OfType<LicensedDevice>().ToArray();
        return known.Length == read.Length
            ? new LicensedDevices(Array.AsReadOnly(known), reply.Body.Count("releasesLeft"))
            : throw ServerErrors.NotOfAServer("the devices", reply.RequestId);
    }

    /// <summary>Releases the seat of a device.</summary>
    internal static async Task<LicensedDevice> ReleaseAsync(
        LicenseCore core, LicensedDevice device, CancellationToken cancellationToken)
    {
        var path = $"/activations/{Uri.EscapeDataString(device.Id)}/release";
        var fields = core.WithCredentials(Fields(core));
        var reply = await core.Api.CallAsync(path, fields, CallOptions.Usual, cancellationToken).ConfigureAwait(false);
        return Read(reply.Body) is { } released && released.Id == device.Id
            ? released
            : throw ServerErrors.NotOfAServer("the device", reply.RequestId);
    }

    // A machine that was refused a token has its enrollment key alone.
    private static JsonObject Fields(LicenseCore core) => new()
    {
        ["licenseKey"] = core.Enrollment is { Token: null } enrollment ? enrollment.Key : core.RequiredKey(),
        ["hardwareId"] = core.HardwareIdText,
    };

    private static LicensedDevice? Read(JsonElement item) =>
        item.ValueKind == JsonValueKind.Object && item.Text("id") is { } id
            ? new LicensedDevice(
                id, item.Text("deviceName"), item.Text("os"), item.Time("lastSeenAt"), item.Time("seatFreeAt"),
                item.Flag("current") is true)
            : null;
}
