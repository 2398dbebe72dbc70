using System.Security.Cryptography;
using System.Text.Json.Nodes;
using Status = Licet.LicenseValidationStatus;

namespace Licet.Internal;

/// <summary>Signed verdicts: asked for, verified, and remembered on this machine.</summary>
internal static class Verdicts
{
    /// <summary>Asks the server for a signed verdict, verifies and remembers it.</summary>
    internal static async Task<LicenseResult> RequestAsync(
        LicenseCore core, string key, CallOptions options, CancellationToken cancellationToken) =>
        (await AskAsync(core, key, options, null, cancellationToken).ConfigureAwait(false)).Result;

    /// <summary>
    /// Asks for a verdict and for more at once. Also returns the license.bin of the answer, which is still to be verified.
    /// </summary>
    internal static async Task<(LicenseResult Result, string? File)> AskAsync(
        LicenseCore core, string key, CallOptions options, JsonObject? more, CancellationToken cancellationToken)
    {
        var nonce = Base64Url.Encode(RandomNumberGenerator.GetBytes(24));
        var request = new VerdictRequest(
            core.Config.ProductId, key, core.HardwareIdText, nonce, core.Config.TestMode);
        var fields = core.WithCredentials(new JsonObject
        {
            ["licenseKey"] = key,
            ["hardwareId"] = core.HardwareIdText,
            ["deviceName"] = core.Config.DeviceName,
            ["appVersion"] = core.Config.AppVersion,
            ["deviceKeyLevel"] = core.Api.Proof.Level?.ToString(),
            ["components"] = core.SentComponents(),
            ["sessionId"] = core.LiveSession(),
            ["nonce"] = nonce,
            ["signed"] = true,
        });
        foreach (var (name, value) in more ?? new JsonObject())
        {
            fields[name] = value?.DeepClone();
        }
        var reply = await core.Api.CallAsync("/licenses/validate", fields, options, cancellationToken).ConfigureAwait(false);
        var token = reply.Body.Text("token");
        Verdict verdict;
        try
        {
            verdict = Verdict.Verify(token, core.Config.PublicKeys, request);
        }
        catch (RejectedTokenException reason)
        {
            var mismatch = core.Mismatch(
                $"The license server's response cannot be trusted: {reason.Message}. Check that the application has "
                + "the product's current public key and the right server address.", LicenseSource.Server);
            return (mismatch with { RequestId = reply.RequestId }, null);
        }
        if (verdict.Status == Status.LicenseNotFound
            && core.Enrollment is { } enrollment && !(enrollment.IsAgain && enrollment.Token == key))
        {
            throw new UnknownTokenException(key, () => Take(core, verdict, key, token!, reply));
        }
        var taken = Take(core, verdict, key, token!, reply);
        await Leases.ReportQuietlyAsync(core, cancellationToken).ConfigureAwait(false);
        await Reservations.ReturnQuietlyAsync(core, cancellationToken).ConfigureAwait(false);
        return taken;
    }

    /// <summary>Remembers a verdict and learns what it means.</summary>
    private static (LicenseResult Result, string? File) Take(
        LicenseCore core, Verdict verdict, string key, string token, ApiReply reply)
    {
        core.Expect(verdict.License);
        var now = core.Config.Now;
        Remember(core, verdict, key, token, now);
        var result = verdict.ToFreshResult(now + (verdict.ServerAhead(now) ?? TimeSpan.Zero), reply.RequestId);
        result = core.WithWarnings(result) with { LeaseEndsAt = result.IsValid ? core.LeaseEnd(key) : null };
        return (core.Learn(result), reply.Body.Text("file"));
    }

    private static void Remember(LicenseCore core, Verdict verdict, string key, string token, DateTimeOffset now)
    {
        var ahead = verdict.ServerAhead(now);
        var answer = new Answer(
            token, LicenseKey.Hash(key), verdict.IssuedAt, now + (ahead ?? TimeSpan.Zero), EffectOf(verdict),
            verdict.ClockOffset(now) is null);
        core.IsAbout(answer.KeyHash);
        core.Store.Update(old => old
            .WithAnswer(answer)
            .WithoutSilence()
            .WithNextCheck(answer.KeyHash, now + State.CheckInterval)
            with { ServerAhead = ahead ?? old.ServerAhead });
        if (answer.Effect == Effect.Refuses && !answer.IsAhead)
        {
            ReplaceFile(core, verdict, key, token);
        }
    }

    private static Effect EffectOf(Verdict verdict) =>
        verdict.Status.AllowsRunning() ? Effect.Confirms
        : verdict.Status is Status.ReleaseNotAllowed or Status.HardwareIdRequired or Status.DeviceProofRequired
            or Status.TestLicense ? Effect.Passes
        : Effect.Refuses;

    /// <summary>Puts a refusal in the place of the license.bin that it is about.</summary>
    private static void ReplaceFile(LicenseCore core, Verdict verdict, string key, string token)
    {
        try
        {
            if (core.ReadFile() is not { } text || !IsRefused(core, text, verdict, key))
            {
                return;
            }
            core.Store.Update(old => old.WithReplacedFile(
                core.NormalKey is null ? key : null,
                Jose.IsProtected(text) || (KeptVerdict.IsVerdict(text) && old.ProtectsFile)));
            Disk.WriteLicense(core.Config.FileOf(key), Encoding.ASCII.GetBytes(token));
        }
        catch (Exception error) when (error is LicenseFileException || Disk.IsFault(error))
        {
            core.Config.Log($"The refusal was not stored in the place of license.bin: {error.Message}");
        }
    }

    /// <summary>
    /// Whether a refusal is about this license.bin, and is newer. A refusal of one machine replaces only a
    /// file for machines: others may share any other.
    /// </summary>
    private static bool IsRefused(LicenseCore core, string text, Verdict verdict, string key)
    {
        if (KeptVerdict.IsVerdict(text))
        {
            return core.ReadKept(text)?.KeyHash == LicenseKey.Hash(key);
        }
        LicenseFile file;
        try
        {
            file = core.OpenFile(text, key);
        }
        catch (RejectedTokenException)
        {
            return false;
        }
        if (file.NormalKey != key || (file.IssuedAt > verdict.IssuedAt && !file.License.IsTest)
            || verdict.Status is Status.CredentialsRequired or Status.CredentialsInvalid)
        {
            return false;
        }
        return file.HardwareIds.Count > 0
            || verdict.Status is Status.LicenseNotFound or Status.Expired or Status.Revoked or Status.Suspended
                or Status.Unknown;
    }
}
