using System.Security.Cryptography;

namespace Licet.Internal;

/// <summary>
/// Offline requests, their answers, and releases: how a machine that never has a connection is activated. What is handed
/// out is on the disk before, so that no number is used twice and nothing is used that was released.
/// </summary>
internal static class OfflineRequests
{
    private const string TokenType = "licet-req+jwt";
    private const int MaxBytes = 2048;
    private const long MaxCodeSeq = (1 << 24) - 1;

    /// <summary>This machine and what it has, while no other copy of the application changes that.</summary>
    /// <param name="Core">What every operation needs.</param>
    /// <param name="LicenseKey">The license key, in normal form.</param>
    /// <param name="Key">The key of this device.</param>
    /// <param name="Check">What license.bin says.</param>
    /// <param name="Held">The file of an offline request that is in use, if one is.</param>
    /// <param name="Kept">What is kept of requests.</param>
    /// <param name="Seq">The number of the newest request that this machine knows of.</param>
    private sealed record Holder(
        LicenseCore Core, string LicenseKey, DeviceKey Key, FileCheck Check, OfflineMarks? Held, KeptOffline Kept, long Seq)
    {
        /// <summary>The hash of the license key, unless it could be guessed from that.</summary>
        internal string? KeyHash =>
            LicenseKey.Length >= Internal.LicenseKey.MinProtectionLength ? Internal.LicenseKey.Hash(LicenseKey) : null;
    }

    /// <summary>The request that waits for an answer, or a new one.</summary>
    internal static Task<OfflineRequest> RequestAsync(LicenseCore core, bool renew, CancellationToken cancellationToken) =>
        HoldAsync(core, holder =>
        {
            var (kept, held) = (holder.Kept, holder.Held);
            var jti = core.FindBaseFile()?.File.Jti;
            if (kept.Pending is { } pending && !renew && pending.Nonce != held?.Nonce && IsOf(holder, pending, jti))
            {
                return new OfflineRequest(pending.Text, pending.Kind, core.Config.ProductId);
            }
            var used = holder.Check.Result.IsValid ? held : null;
            var kind = used is null ? OfflineRequestKind.Activate : OfflineRequestKind.Refresh;
            var made = Sign(holder, kind, jti, used?.Jti);
            (kept with { Seq = made.Seq, Pending = made }).Save(core.OfflinePath);
            return new OfflineRequest(made.Text, kind, core.Config.ProductId);
        }, cancellationToken);

    /// <summary>Installs the license.bin that answers the request which waits.</summary>
    internal static Task<LicenseResult> ApplyAsync(LicenseCore core, byte[] file, CancellationToken cancellationToken) =>
        HoldAsync(core, holder => Apply(holder, Encoding.ASCII.GetString(file)), cancellationToken);

    /// <summary>Takes the code that answers the request which waits.</summary>
    internal static Task<LicenseResult> ApplyAsync(LicenseCore core, string code, CancellationToken cancellationToken) =>
        HoldAsync(core, holder => Apply(holder, OfflineCode.Read(code)), cancellationToken);

    /// <summary>Stops using the license on this machine, and returns the proof of that.</summary>
    internal static Task<OfflineRelease> ReleaseAsync(LicenseCore core, CancellationToken cancellationToken) =>
        HoldAsync(core, holder =>
        {
            if (holder.Held is not { Jti: var file } held)
            {
                return holder.Kept.Released is { } before
                    ? new OfflineRelease(before.Text, before.Code, core.Config.ProductId)
                    : throw new LicenseFileException("This machine has no license that was activated offline.");
            }
            var made = Sign(holder, OfflineRequestKind.Release, held.IsBase ? file : null, file);
            var code = made.Seq > MaxCodeSeq ? null : CodeOf(holder, file, made.Seq);
            var released = new ReleasedFile(made.Seq, file, made.Text, code);
            new KeptOffline(made.Seq, Released: released).Save(core.OfflinePath);
            return new OfflineRelease(made.Text, code, core.Config.ProductId);
        }, cancellationToken);

    private static async Task<T> HoldAsync<T>(
        LicenseCore core, Func<Holder, T> work, CancellationToken cancellationToken)
    {
        if (core.Enrollment is not null)
        {
            throw new LicetConfigurationException(
                "A machine with an enrollment key cannot be activated offline. Set LicenseClientOptions.LicenseKey instead.");
        }
        var licenseKey = core.RequiredKey();
        using var turn = await LeaseTurn.WaitAsync(core, core.LeasePath, cancellationToken).ConfigureAwait(false);
        var key = core.Api.Proof.Key
            ?? throw new LicenseFileException($"Nothing can be signed on this machine. {core.Api.Proof.Fault}");
        var kept = KeptOffline.Load(core.OfflinePath);
        var check = core.CheckFile();
        var marks = check.File?.Offline;
        var isOwn = marks is { IsBound: true }
            || (check.File is { } file && file.Jkt == key.Jkt && file.HardwareIds.Contains(core.HardwareIdText));
        var held = marks is not null && isOwn && !marks.IsUnusable(kept) ? marks : null;
        // A damaged state must not let a number be used again that a file has.
        var seq = Math.Max(Math.Max(kept.Seq, kept.Released?.Seq ?? 0), marks?.Seq ?? 0);
        return work(new Holder(core, licenseKey, key, check, held, kept, seq));
    }

    /// <summary>Whether a request is still one of this machine, its license key and its base file.</summary>
    private static bool IsOf(Holder holder, PendingRequest pending, string? jti)
    {
        try
        {
            var parts = pending.Text.Split('.');
            var header = JsonReading.ParseClaims(Base64Url.Decode(parts[0]));
            var claims = JsonReading.ParseClaims(Base64Url.Decode(parts.ElementAtOrDefault(1) ?? ""));
            return header.Field("jwk") is { } jwk && holder.Key.Matches(jwk)
                && claims.Text("aud") == holder.Core.Config.ProductId
                && claims.Text("hardwareId") == holder.Core.HardwareIdText
                && claims.Text("licenseKeyHash") == holder.KeyHash
                && claims.Text("base") == jti;
        }
        catch (RejectedTokenException)
        {
            return false;
        }
    }

    private static PendingRequest Sign(Holder holder, OfflineRequestKind kind, string? jti, string? file)
    {
        var config = holder.Core.Config;
        var (nonce, seq) = (Base64Url.Encode(RandomNumberGenerator.GetBytes(16)), holder.Seq + 1);
        string Text(string? deviceName, string? appVersion) => holder.Key.Sign(TokenType, writer =>
        {
            writer.WriteString("aud", config.ProductId);
            writer.WriteString("kind", kind.ToString());
            Write(writer, "licenseKeyHash", holder.KeyHash);
            writer.WriteString("hardwareId", holder.Core.HardwareIdText);
            Write(writer, "deviceName", deviceName);
            Write(writer, "appVersion", appVersion);
            writer.WriteString("nonce", nonce);
            writer.WriteNumber("seq", seq);
            writer.WriteNumber("iat", Math.Max(0, config.Now.ToUnixTimeSeconds()));
            Write(writer, "base", jti);
            Write(writer, "file", file);
        });
        // What only helps people goes first where all of it is too long.
        var texts = new[] { (config.DeviceName, config.AppVersion), (null, config.AppVersion), (null, null) }
            .Select(names => Text(names.Item1, names.Item2));
        return new PendingRequest(texts.SkipWhile(text => text.Length > MaxBytes).First(), nonce, seq, kind, jti);
    }

    private static void Write(Utf8JsonWriter writer, string name, string? value)
    {
        if (value is not null)
        {
            writer.WriteString(name, value);
        }
    }

    private static string CodeOf(Holder holder, string file, long seq)
    {
        var lines = string.Join(
            '\n', "licet-release-code", holder.Core.Config.ProductId, LicenseKey.Hash(holder.LicenseKey),
            holder.Core.HardwareIdText, holder.Key.Jkt, file, seq.ToString(CultureInfo.InvariantCulture));
        return new OfflineCode((int)seq, holder.Key.SignText(lines)).Write();
    }

    private static LicenseResult Apply(Holder holder, string text)
    {
        var (core, kept) = (holder.Core, holder.Kept);
        var marks = ReadAnswer(holder, text);
        var isPending = kept.Pending is { } pending && pending.Nonce == marks.Nonce && pending.Seq == marks.Seq;
        if (holder.Held?.Jti != marks.Jti)
        {
            if (!isPending)
            {
                throw NotAccepted("it answers another request than the last one of this machine");
            }
            Refreshing.Install(core, text, holder.LicenseKey);
        }
        if (isPending)
        {
            (kept with { Pending = null, Answer = null }).Save(core.OfflinePath);
        }
        return core.CheckFile().Result;
    }

    /// <summary>What is particular to a license.bin that answers a request of this machine.</summary>
    private static OfflineMarks ReadAnswer(Holder holder, string text)
    {
        LicenseFile file;
        try
        {
            file = holder.Core.OpenFile(text, holder.LicenseKey);
        }
        catch (RejectedTokenException reason)
        {
            throw NotAccepted(reason.Message);
        }
        var reasons = new[]
        {
            file.Offline is null or { IsBase: true } ? "it is not made for an offline request" : null,
            file.NormalKey == holder.LicenseKey ? null : "it belongs to another license key",
            file.HardwareIds.SequenceEqual(new[] { holder.Core.HardwareIdText }) && file.Jkt == holder.Key.Jkt
                ? null
                : "it is for another machine",
            file.Offline?.IsUnusable(holder.Kept) is true ? "it was released on this machine" : null,
        };
        return reasons.OfType<string>().FirstOrDefault() is { } found ? throw NotAccepted(found) : file.Offline!;
    }

    private static LicenseResult Apply(Holder holder, OfflineCode given)
    {
        var (core, kept, code) = (holder.Core, holder.Kept, given.Write());
        if (core.FindBaseFile() is null)
        {
            throw new LicenseFileException(
                "There is no base file on this machine that a code could be for. Install it, or the answer as a file.");
        }
        var isAgain = kept.Answer?.Code == code;
        var (nonce, jti) = isAgain ? (kept.Answer!.Nonce, kept.Answer.Base) : (kept.Pending?.Nonce, kept.Pending?.Base);
        if (nonce is null || jti is null || core.FindBaseFile(jti) is not { } found
            || !found.File.IsAnsweredBy(code, nonce, core.Holder(holder.LicenseKey)))
        {
            throw new OfflineCodeException(null);
        }
        if (!isAgain)
        {
            var accepted = new AcceptedCode(code, nonce, jti, given.Number);
            (kept with { Pending = null, Answer = accepted }).Save(core.OfflinePath);
        }
        // A newer application may bring another base file.
        Refreshing.Install(core, found.Text, holder.LicenseKey);
        return core.CheckFile().Result;
    }

    private static LicenseFileException NotAccepted(string reason) => new($"This answer cannot be used: {reason}.");
}
