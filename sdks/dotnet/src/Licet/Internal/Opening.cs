using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>What was claimed for an open license.</summary>
internal sealed record Opened(
    LicenseResult Result, LicenseTraits Traits, Activation? Activation, LicenseSession? Session, MeterBalance? Balance);

/// <summary>Opening a license: validate, take the seat that its model needs, read its meter.</summary>
internal static class Opening
{
    /// <summary>Opens the license. A failure leaves no session open.</summary>
    /// <remarks>
    /// A first start does so in one request, but for a session and a balance. What its answer leaves open, as that of an
    /// older server does, is asked for in requests of its own.
    /// </remarks>
    /// <param name="core">What every operation needs.</param>
    /// <param name="connect">Opens a session that runs a cleanup after it is closed.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    internal static async Task<Opened> OpenAsync(
        LicenseCore core, Func<Func<Task>?, Task<LicenseSession>> connect, CancellationToken cancellationToken)
    {
        var result = await Validation.ValidateAsync(core, key => FirstRequest(core, key), cancellationToken)
            .ConfigureAwait(false);
        var wantsActivation = result is
        {
            Status: LicenseValidationStatus.ActivationRequired, Source: LicenseSource.Server,
        };
        if (!result.IsValid && !wantsActivation)
        {
            throw ServerErrors.Of(result);
        }
        // Without terms, the server wants an activated device and says no more.
        var traits = result.License is { } terms
            ? LicenseTraits.Of(terms.Type, terms.Seat?.Kind)
            : new LicenseTraits(SeatKind.Device);
        var (activation, session) = await ClaimAsync(core, traits, result, connect, cancellationToken).ConfigureAwait(false);
        try
        {
            if (!result.IsValid)
            {
                result = await Validation.ValidateAsync(core, null, cancellationToken).ConfigureAwait(false);
            }
            if (!result.IsValid)
            {
                throw ServerErrors.Of(result);
            }
            var balance = traits.Metered && result.Source == LicenseSource.Server
                ? await Charges.BalanceAsync(core, cancellationToken).ConfigureAwait(false)
                : null;
            return new Opened(result, traits, activation, session, balance);
        }
        catch when (session is not null)
        {
            await session.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Asks for the signed reason of a refusal, so that the open license shows it.</summary>
    internal static async Task LearnReasonAsync(LicenseCore core, LicetException error)
    {
        if (error is not RequestRefusedException { HttpStatus: not 0 })
        {
            return;
        }
        try
        {
            var options = new CallOptions { Retries = RetryPolicy.None };
            await Enrollment.WithKnownTokenAsync(
                core, () => Verdicts.RequestAsync(core, core.RequiredKey(), options, CancellationToken.None),
                CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is LicetException or ObjectDisposedException)
        {
            core.Config.Log($"The license was not checked again: {failure.Message}");
        }
    }

    /// <summary>The device's seat and license.bin, unless this device takes no seat that lasts.</summary>
    private static JsonObject? FirstRequest(LicenseCore core, string key)
    {
        if (ResolveSeatMode(core.Config) == SeatMode.Session)
        {
            return null;
        }
        var fields = new JsonObject { ["activate"] = true, ["os"] = ThisMachine.OperatingSystemName };
        if (Refreshing.WantsPlainFile(core, key))
        {
            fields["file"] = true;
        }
        return fields;
    }

    private static async Task<(Activation?, LicenseSession?)> ClaimAsync(
        LicenseCore core, LicenseTraits traits, LicenseResult result, Func<Func<Task>?, Task<LicenseSession>> connect,
        CancellationToken cancellationToken)
    {
        if (traits.Claim == SeatClaim.None)
        {
            return (null, null);
        }
        if (traits.Claim == SeatClaim.Session)
        {
            // The server has just been asked in vain, and only it can give a seat that was not borrowed before.
            return result.Cause is not null && result.LeaseEndsAt is null
                ? throw new OnlineRequiredException(result)
                : (null, await connect(null).ConfigureAwait(false));
        }
        if (IsHeld(result))
        {
            return (null, null);
        }
        return traits.Seat == SeatKind.Device && ResolveSeatMode(core.Config) == SeatMode.Session
            ? await ClaimSessionAsync(core, connect, cancellationToken).ConfigureAwait(false)
            : (await Activations.ActivateNowAsync(core, cancellationToken).ConfigureAwait(false), null);
    }

    /// <summary>Opens a session; if the license requires activated devices, this one is, for the same time.</summary>
    private static async Task<(Activation?, LicenseSession?)> ClaimSessionAsync(
        LicenseCore core, Func<Func<Task>?, Task<LicenseSession>> connect, CancellationToken cancellationToken)
    {
        try
        {
            return (null, await connect(null).ConfigureAwait(false));
        }
        catch (RequestRefusedException refusal) when (refusal.Code == LicetErrorCode.ActivationRequired)
        {
            // Activate it below.
        }
        var activation = await Activations.ActivateNowAsync(core, cancellationToken).ConfigureAwait(false);
        try
        {
            return (activation, await connect(() => Activations.DeactivateQuietlyAsync(core)).ConfigureAwait(false));
        }
        catch
        {
            await Activations.DeactivateQuietlyAsync(core).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Whether this device holds its seat, by the verdict or by a file that names the device.</summary>
    private static bool IsHeld(LicenseResult result) =>
        result.IsValid && (result.Source == LicenseSource.File || result.License?.Seat?.Held is true);

    /// <summary>Resolves Auto to a mode: short-lived machines would leave activations behind.</summary>
    private static SeatMode ResolveSeatMode(Config config)
    {
        if (config.SeatMode != SeatMode.Auto)
        {
            return config.SeatMode;
        }
        var machine = new ThisMachine();
        var ephemeral = MachineKind.CiProject(machine) is not null
            || (config.HardwareId is null && HardwareId.InEphemeralContainer(machine));
        return ephemeral ? SeatMode.Session : SeatMode.Activation;
    }
}
