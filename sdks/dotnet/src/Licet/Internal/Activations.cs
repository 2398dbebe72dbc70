using System.Net.Http;
using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>Activations: seats that devices hold until they are deactivated.</summary>
internal static class Activations
{
    private static readonly TimeSpan QuietTimeout = TimeSpan.FromSeconds(2);

    /// <summary>Claims a seat for this device, or returns the activation that it has.</summary>
    internal static Task<Activation> ActivateAsync(
        LicenseCore core, string? deviceName, IReadOnlyDictionary<string, string>? metadata,
        CancellationToken cancellationToken) =>
        Enrollment.WithTokenAsync(
            core, () => ActivateOnceAsync(core, deviceName, metadata, cancellationToken), cancellationToken);

    private static async Task<Activation> ActivateOnceAsync(
        LicenseCore core, string? deviceName, IReadOnlyDictionary<string, string>? metadata,
        CancellationToken cancellationToken)
    {
        if (core.Latest is { Status: LicenseValidationStatus.TestLicense } refused)
        {
            throw ServerErrors.Of(refused);
        }
        var fields = Device(core);
        fields["deviceName"] = Configuration.AsLabel(deviceName) ?? core.Config.DeviceName;
        fields["os"] = ThisMachine.OperatingSystemName;
        fields["deviceKeyLevel"] = core.Api.Proof.Level?.ToString();
        fields["components"] = core.SentComponents();
        fields["appVersion"] = core.Config.AppVersion;
        fields["metadata"] = metadata is null
            ? null
            : new JsonObject(metadata.Select(item => KeyValuePair.Create(item.Key, (JsonNode?)item.Value)));
        var options = new CallOptions { IsSuccess = status => status is 200 or 201 or 202 };
        var reply = await core.Api.CallAsync("/activations", fields, options, cancellationToken).ConfigureAwait(false);
        var id = reply.Body.Text("activationId")
            ?? throw ServerErrors.NotOfAServer("the activation", reply.RequestId);
        var status = reply.Body.Text("status") switch
        {
            "Active" => ActivationStatus.Active,
            "Pending" => ActivationStatus.Pending,
            _ => ActivationStatus.Unknown,
        };
        return new Activation(
            id, status, reply.Body.Count("seatsUsed"), reply.Body.Count("seatsTotal"), reply.Body.Time("activatedAt"));
    }

    /// <summary>Activates this device, which must not have to wait for the vendor's approval.</summary>
    internal static async Task<Activation> ActivateNowAsync(LicenseCore core, CancellationToken cancellationToken)
    {
        var activation = await ActivateAsync(core, null, null, cancellationToken).ConfigureAwait(false);
        return activation.Status switch
        {
            ActivationStatus.Active => activation,
            ActivationStatus.Pending => throw ServerErrors.ApprovalPending(),
            _ => throw ServerErrors.Unexpected(
                "The server responded to the activation with a status that this version of the application does not "
                + "know. Update the application.", null),
        };
    }

    /// <summary>Releases the seat of this device, with which its token ends. Does nothing if it holds none.</summary>
    internal static Task DeactivateAsync(LicenseCore core, CancellationToken cancellationToken) =>
        DeactivateAsync(core, CallOptions.Usual, cancellationToken);

    /// <summary>Deactivates in one short attempt and logs failures.</summary>
    internal static async Task DeactivateQuietlyAsync(LicenseCore core)
    {
        try
        {
            var options = new CallOptions { Retries = RetryPolicy.None, Timeout = QuietTimeout };
            await DeactivateAsync(core, options, CancellationToken.None).ConfigureAwait(false);
        }
        catch (LicetException error)
        {
            core.Config.Log($"This device was not deactivated: {error.Message}");
        }
    }

    private static async Task DeactivateAsync(
        LicenseCore core, CallOptions options, CancellationToken cancellationToken)
    {
        // Without a token there is no seat to give back.
        if (core.Enrollment is { Token: null })
        {
            return;
        }
        options = options with { Method = HttpMethod.Delete, IsSuccess = status => status is 200 or 204 };
        try
        {
            await core.Api.CallAsync("/activations/current", Device(core), options, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (RequestRefusedException refusal)
            when (refusal.ErrorCode == "ActivationNotFound" || core.Enrollment?.IsUnknown(refusal) is true)
        {
            // It holds none.
        }
        core.Enrollment?.Forget();
    }

    private static JsonObject Device(LicenseCore core) => core.WithCredentials(new JsonObject
    {
        ["licenseKey"] = core.RequiredKey(),
        ["hardwareId"] = core.HardwareIdText,
    });
}
