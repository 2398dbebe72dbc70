using System.Collections.Concurrent;
using System.Text.Json.Nodes;
using Status = Licet.LicenseValidationStatus;

namespace Licet.Internal;

/// <summary>The verdict on license.bin without asking the server.</summary>
/// <param name="Result">The result.</param>
/// <param name="File">The file, if it is trusted.</param>
/// <param name="RefusedKey">The license key of the file that a refusal has replaced, if it is known.</param>
/// <param name="Refused">The refusal that has replaced the file.</param>
/// <param name="Lease">The lease of a borrowed seat or of reserved credits that may be used, if there is one.</param>
/// <param name="Reservation">The reserved credits of the lease; null if it is one of a seat.</param>
/// <param name="IsByLease">Whether the lease decided, and not the file.</param>
internal sealed record FileCheck(
    LicenseResult Result, LicenseFile? File, string? RefusedKey = null, SignedRefusal? Refused = null,
    LeaseToken? Lease = null, Reservation? Reservation = null, bool IsByLease = false)
{
    /// <summary>Whether the server does not have to be asked, as it has to for the time of a test.</summary>
    internal bool IsSufficient => Result.IsValid && !IsByLease && File is { IsOnline: false, License.IsTest: false };

    /// <summary>Whether the application can start without the server, though it should ask it.</summary>
    internal bool SufficesForNow =>
        Lease is not null
        || (Result.IsValid && File is not null && LicenseTraits.Of(File.License.Type).Claim != SeatClaim.Session);
}

/// <summary>
/// What every operation of a client needs: this machine, its files, and signed verdicts. A result is
/// valid only if the product's private key signed it, either as license.bin or as a verdict for this very
/// request.
/// </summary>
internal sealed class LicenseCore
{
    private readonly Lazy<string> _hardwareId;
    private readonly Lazy<Enrollment?> _enrollment;
    private readonly ConcurrentDictionary<string, StateStore> _stores = new();
    private readonly ConcurrentDictionary<string, JournalFile> _journals = new();
    private volatile string? _keyHash;
    private volatile string? _licenseId;
    private volatile LicenseResult? _latest;

    internal LicenseCore(Config config, Api api)
    {
        (Config, Api) = (config, api);
        _hardwareId = new Lazy<string>(
            () => config.HardwareId
                ?? HardwareId.Find(config.ProductId, config.Places.StateFolder, new ThisMachine(), config.CiHardwareId).Value);
        _enrollment = new Lazy<Enrollment?>(
            () => config.EnrollmentKey is { } key
                ? new Enrollment(key, config.Places.StateFolder, this.HardwareIdText, config.Log)
                : null);
        _keyHash = config.PlaceKey is { } key ? LicenseKey.Hash(key) : null;
    }

    internal Config Config { get; }

    /// <summary>The enrollment of this machine; null without an enrollment key.</summary>
    internal Enrollment? Enrollment => _enrollment.Value;

    /// <summary>The license key that is set, or the token of this device, in normal form.</summary>
    internal string? NormalKey => Enrollment is { } enrollment ? enrollment.Token : Config.NormalKey;

    internal Api Api { get; }

    /// <summary>What names of files have of the license key: the one set, or that of the last license.bin.</summary>
    internal string Label =>
        Config.Places.IsNamed || _keyHash is not { } hash ? "" : $"-{LicenseKey.Label(hash)}";

    /// <summary>The state of the license key.</summary>
    internal StateStore Store
    {
        get
        {
            var (places, product) = (Config.Places, Config.ProductId);
            return _stores.GetOrAdd(
                StateStore.PathIn(places, product, Label),
                path => new StateStore(
                    path, StateStore.PathIn(places, product), HardwareIdText, product, Config.Log));
        }
    }

    /// <summary>Uses the state of the license key that was found, unless one is set.</summary>
    internal void IsAbout(string? keyHash) => _keyHash = Config.PlaceKey is null ? keyHash : _keyHash;

    internal string HardwareIdText => _hardwareId.Value;

    /// <summary>Returns the ID of a live session of the client, if it has one.</summary>
    internal Func<string?> LiveSession { get; set; } = () => null;

    /// <summary>The monotonic time before which a failed refresh is not repeated.</summary>
    internal TimeSpan NoRefreshBefore { get; set; }

    /// <summary>The client's latest result.</summary>
    internal LicenseResult? Latest => _latest;

    /// <summary>Raised when there is another result.</summary>
    internal event Action? Learned;

    /// <summary>The request whose answer is awaited in the background, if there is one.</summary>
    internal Task Unanswered { get; set; } = Task.CompletedTask;

    /// <summary>Makes this the client's latest result, and returns it.</summary>
    internal LicenseResult Learn(LicenseResult result)
    {
        _latest = result;
        Learned?.Invoke();
        return result;
    }

    /// <summary>Why license.bin could not be written, if so.</summary>
    internal string? UnwrittenFile { get; set; }

    /// <summary>Why a license.bin that exists is not used, if it is not.</summary>
    internal string? RefusedFile { get; private set; }

    /// <summary>The user name and the password, as fields of a request about the license.</summary>
    internal JsonObject WithCredentials(JsonObject fields)
    {
        fields["username"] = Config.Username;
        fields["password"] = Config.Password;
        return fields;
    }

    /// <summary>The user name and the password, as headers of a request without a body.</summary>
    internal IReadOnlyDictionary<string, string> CredentialHeaders()
    {
        var headers = new Dictionary<string, string>();
        if (Config.Username is { } username)
        {
            headers["X-License-Username"] = username;
        }
        if (Config.Password is { } password)
        {
            headers["X-License-Password"] = password;
        }
        return headers;
    }

    /// <summary>Evaluates license.bin, and a lease that is kept, without asking the server.</summary>
    /// <exception cref="LicetConfigurationException">The file is protected and no license key is set.</exception>
    /// <exception cref="LicenseFileException">license.bin exists but cannot be read.</exception>
    internal FileCheck CheckFile()
    {
        var check = WithLease(CheckFileOnly());
        return check with { Result = WithWarnings(check.Result) };
    }

    /// <summary>The end of the lease of a license key; null if this device has none that it may use.</summary>
    internal DateTimeOffset? LeaseEnd(string key) => CheckLease(key, null)?.Result.LeaseEndsAt;

    /// <summary>The borrowed seat that this device may use, if it has one.</summary>
    internal BorrowedSeat? BorrowedSeat() =>
        CheckFile() is { Lease: { } lease, Reservation: null }
            ? new BorrowedSeat(this, lease, KeptLease.Load(LeasePath).SessionId)
            : null;

    /// <summary>Where the lease of a borrowed seat is kept: next to the state.</summary>
    internal string LeasePath => NextToState(".lease");

    /// <summary>Where the lease of reserved credits is kept.</summary>
    internal string CreditsPath => NextToState(".credits");

    /// <summary>Where offline requests are kept.</summary>
    internal string OfflinePath => NextToState(".offline");

    /// <summary>The journal of reserved credits.</summary>
    internal JournalFile Journal =>
        _journals.GetOrAdd(NextToState(".journal"), path => new JournalFile(path, Config.Log));

    /// <summary>Whose leases this device may use.</summary>
    internal LeaseHolder Holder(string normalKey) =>
        new(Config.ProductId, normalKey, HardwareIdText, Api.Proof.KnownJkt);

    /// <summary>The lease that is kept, if it is this device's; whether it has ended is not looked at.</summary>
    internal LeaseToken? KeptToken() => KnownKey() is { } key ? KeptToken(key) : null;

    /// <summary>
    /// The reserved credits that are kept, if they are this device's and their journal counts; whether they have ended is
    /// not looked at.
    /// </summary>
    internal Reservation? KeptReservation() => KnownKey() is { } key ? KeptReservation(key) : null;

    /// <summary>Whether a lease has not ended, by this machine's clock.</summary>
    internal bool IsRunning(LeaseToken lease) =>
        FileRules.AssessClock(lease.File, Context(Store.Seen, lease.File)).JudgedAt < lease.EndsAt;

    /// <summary>Evaluates license.bin with the token of this moment.</summary>
    internal LicenseResult ValidateOffline()
    {
        _ = Enrollment?.Load();
        return CheckFile().Result;
    }

    /// <summary>The result with what the settings file should not say, and what cannot be stored.</summary>
    internal LicenseResult WithWarnings(LicenseResult result)
    {
        var unproven = result.Status == Status.DeviceProofRequired ? Api.Proof.Fault : null;
        var problems = new[] { Store.Unwritten, UnwrittenFile, RefusedFile, unproven };
        var found = Config.Warnings.Concat(problems.OfType<string>());
        return result with { Warnings = result.Warnings.Union(found).ToArray() };
    }

    /// <summary>The text of license.bin; null if it does not exist or is refused.</summary>
    /// <exception cref="LicenseFileException">It cannot be read, and the server cannot be asked instead.</exception>
    internal string? ReadFile()
    {
        string? refused = null;
        string? newest = null;
        string? baseFile = null;
        foreach (var path in Config.Places.NewestFirst(Config.PlaceKey))
        {
            byte[]? raw = null;
            try
            {
                raw = ReadRaw(path);
            }
            catch (RefusedFileException reason)
            {
                refused = $"The license file {path} is not used: {reason.Message}.";
            }
            catch (Exception error) when (Disk.IsFault(error))
            {
                var problem = $"{path} cannot be read: {error.Message.TrimEnd('.')}. Check its permissions.";
                if (!Config.HasServer || (NormalKey is null && Enrollment is null))
                {
                    throw new LicenseFileException(problem, error);
                }
                refused = problem;
            }
            if (raw is null)
            {
                continue;
            }
            var text = Encoding.ASCII.GetString(raw);
            if (IsOfKey(text) && IsWithoutCode(text))
            {
                baseFile ??= text;
            }
            else if (IsOfKey(text))
            {
                if (Config.PlaceKey is { } own && path == Config.FileOf(own))
                {
                    Config.Places.Prefer(path);
                }
                RefusedFile = refused;
                return text;
            }
            newest ??= text;
        }
        RefusedFile = refused;
        return baseFile ?? newest;
    }

    /// <summary>The newest base file of the license key, or the one with this ID; null without one.</summary>
    internal (BaseFile File, string Text)? FindBaseFile(string? jti = null)
    {
        foreach (var path in Config.Places.NewestFirst(Config.PlaceKey))
        {
            try
            {
                if (ReadRaw(path) is { } raw && Encoding.ASCII.GetString(raw) is var text && BaseFile.IsBase(text)
                    && IsOfKey(text) && BaseFile.Open(text, Config.PublicKeys, Config.ProductId) is var found
                    && (NormalKey is null || found.File.NormalKey == NormalKey) && (jti ?? found.Jti) == found.Jti)
                {
                    return (found, text);
                }
            }
            catch (Exception error) when (error is RejectedTokenException || Disk.IsFault(error))
            {
                // It is none that this client could use.
            }
        }
        return null;
    }

    private byte[]? ReadRaw(string path) =>
        path == Config.Places.InstalledFile && path != Config.Places.LicenseFile
            ? Disk.ReadInstalled(path, Jose.MaxTokenBytes)
            : Disk.ReadLicense(path, Jose.MaxTokenBytes);

    /// <summary>Whether this is a base file that has no accepted code: any other file is used rather than that.</summary>
    private bool IsWithoutCode(string text)
    {
        try
        {
            return BaseFile.IsBase(text) && OpenFile(text, NormalKey).Offline is not { IsBound: true };
        }
        catch (RejectedTokenException)
        {
            return false;
        }
    }

    /// <summary>Whether a file is one of the license key that is set; if none is, any is.</summary>
    private bool IsOfKey(string text)
    {
        if (NormalKey is not { } key || Config.Places.IsNamed)
        {
            return true;
        }
        if (KeptVerdict.IsVerdict(text))
        {
            return ReadKept(text)?.KeyHash == LicenseKey.Hash(key);
        }
        try
        {
            return (OpenFile(text, key).NormalKey ?? key) == key;
        }
        catch (RejectedTokenException)
        {
            return false;
        }
    }

    /// <exception cref="RejectedTokenException">The text cannot be trusted.</exception>
    internal LicenseFile OpenFile(string text, string? normalKey)
    {
        if (BaseFile.IsBase(text))
        {
            return OpenBaseFile(text);
        }
        var file = LicenseFile.Open(text, Config.PublicKeys, Config.ProductId, normalKey);
        return file.License.Key is null && Enrollment is { } enrollment
            ? file with { NormalKey = normalKey ?? enrollment.Token }
            : file;
    }

    /// <summary>Opens a base file, which is one for this machine if it has an accepted code.</summary>
    /// <exception cref="RejectedTokenException">The text cannot be trusted.</exception>
    private LicenseFile OpenBaseFile(string text)
    {
        var opened = BaseFile.Open(text, Config.PublicKeys, Config.ProductId);
        var key = opened.File.NormalKey!;
        // Where the code is kept depends on the license key.
        IsAbout(LicenseKey.Hash(key));
        var answer = KeptOffline.Load(OfflinePath).Answer;
        return opened.BoundBy(
            answer, HardwareIdText, code => opened.IsAnsweredBy(code, answer!.Nonce, Holder(key)));
    }

    /// <summary>Whether license.bin is protected with a token that has ended, and cannot be opened.</summary>
    internal bool HasSealedFile()
    {
        try
        {
            return Enrollment is not null && ReadFile() is { } text && Jose.IsProtected(text);
        }
        catch (LicenseFileException)
        {
            return false;
        }
    }

    internal FileContext Context(State state, LicenseFile file) => new(
        NormalKey, HardwareIdText, file.Jkt is null ? null : Api.Proof.KnownJkt, Config.AppVersion, Config.AppReleasedAt,
        Config.TestMode, Config.Now, state, Config.Grace, ConfirmationIn(state, file), UnusableIn(file) ?? RefusalIn(state, file));

    internal Verdict? ReadKept(string? token) =>
        KeptVerdict.Read(token, Config.PublicKeys, Config.ProductId, HardwareIdText);

    /// <summary>The result for something that the product's key did not sign for this request.</summary>
    internal LicenseResult Mismatch(string message, LicenseSource source) =>
        WithWarnings(new LicenseResult(Status.SignatureMismatch, message) { Source = source, CheckedAt = Config.Now });

    /// <summary>Whether a response is about the license; true if its ID is not known yet.</summary>
    internal bool IsThisLicense(string licenseId) => _licenseId is null || _licenseId == licenseId;

    /// <summary>Remembers which license responses have to be about.</summary>
    internal void Expect(License? license) => _licenseId = license?.Id;

    /// <summary>The license key to send to the server after this check of the file.</summary>
    internal string? KeyForRequest(FileCheck local) =>
        NormalKey ?? (local.File is not null ? local.File.NormalKey : local.RefusedKey);

    /// <summary>The license key that is set or that license.bin contains, in normal form.</summary>
    internal string? KnownKey() => NormalKey ?? KeyForRequest(CheckFile());

    /// <summary>The license key to send to the server, in normal form.</summary>
    /// <exception cref="RequestRefusedException">What is set cannot be a license key.</exception>
    /// <exception cref="LicetConfigurationException">No license key is set and license.bin has none.</exception>
    internal string RequiredKey() =>
        Config.KeyFault is not null ? throw ServerErrors.Of(CheckFile().Result)
        : KnownKey() ?? throw new LicetConfigurationException(
            "LicenseKey is missing, and there is no license.bin to read it from. Set LicenseClientOptions.LicenseKey, "
            + "or LicenseKey in the settings file.");

    private string NextToState(string extension) =>
        Path.ChangeExtension(StateStore.PathIn(Config.Places, Config.ProductId, Label), extension);

    /// <summary>Lets the lease decide where the file does not make the license valid.</summary>
    private FileCheck WithLease(FileCheck check)
    {
        if (KeyForRequest(check) is not { } key || CheckLease(key, check.Refused) is not { } found)
        {
            return check;
        }
        var (lease, reservation, result) = found;
        if (!result.IsValid)
        {
            return check.Result.Source == LicenseSource.None ? check with { Result = result, IsByLease = true } : check;
        }
        var held = check with { Lease = lease, Reservation = reservation };
        return check.Result.Status == Status.Valid
            ? held with { Result = check.Result with { LeaseEndsAt = lease.EndsAt } }
            : held with { Result = result, IsByLease = true };
    }

    /// <summary>Evaluates the lease that is kept; null if there is none of this device, or it has ended.</summary>
    private (LeaseToken Lease, Reservation? Reservation, LicenseResult Result)? CheckLease(
        string key, SignedRefusal? refused)
    {
        if (KeptToken(key) is { } seat && Evaluate(seat, "a seat is borrowed", refused) is { } seated)
        {
            return (seat, null, seated);
        }
        return KeptReservation(key) is { } credits && Evaluate(credits.Lease, "credits are reserved", refused) is { } result
            ? (credits.Lease, credits, result)
            : null;
    }

    private LicenseResult? Evaluate(LeaseToken lease, string held, SignedRefusal? refused)
    {
        var now = Config.Now;
        var state = Store.Update(old => WithReading(old, lease.File, now));
        var context = Context(state, lease.File);
        return FileRules.Evaluate(lease, held, context with { Refused = context.Refused ?? refused });
    }

    private Reservation? KeptReservation(string key)
    {
        var kept = KeptLease.Load(CreditsPath);
        try
        {
            return kept.Token is { } text
                && ReservationToken.Verify(text, Config.PublicKeys, Holder(key)) is var token
                && Journal.Load(token.Lease.Id, kept.Reported, token.Amount) is { } journal
                ? new Reservation(token, journal, kept.Reported)
                : null;
        }
        catch (RejectedTokenException)
        {
            return null;
        }
    }

    private LeaseToken? KeptToken(string key)
    {
        try
        {
            return KeptLease.Load(LeasePath).Token is { } token
                ? LeaseToken.Verify(token, Config.PublicKeys, Holder(key))
                : null;
        }
        catch (RejectedTokenException)
        {
            return null;
        }
    }

    private static State WithReading(State state, LicenseFile file, DateTimeOffset now)
    {
        var at = FileRules.TimeOf(file.License, file.IssuedAt, now, state);
        return state.WithAnchor(file.IssuedAt, at).WithClockReading(at);
    }

    private FileCheck CheckFileOnly()
    {
        if (Config.KeyFault is { } fault)
        {
            return new FileCheck(
                new LicenseResult(Status.LicenseNotFound, fault) { CheckedAt = Config.Now }, null);
        }
        var text = ReadFile();
        var name = Path.GetFileName(Config.Places.LicenseFile);
        if (text is null)
        {
            return NoFile(RefusedFile ?? $"The license file {Config.Places.LicenseFile} does not exist.");
        }
        if (KeptVerdict.IsVerdict(text))
        {
            return CheckRefusal(text, name);
        }
        if (Jose.IsProtected(text) && NormalKey is null && Enrollment is null)
        {
            throw new LicetConfigurationException(
                $"{name} is protected and needs its license key. Set LicenseClientOptions.LicenseKey, or LicenseKey in "
                + "the settings file.");
        }
        LicenseFile file;
        try
        {
            file = OpenFile(text, NormalKey);
        }
        catch (RejectedTokenException) when (Jose.IsProtected(text) && Enrollment is not null)
        {
            return NoFile($"{name} was made for an earlier enrollment.");
        }
        catch (RejectedTokenException reason)
        {
            return new FileCheck(
                Mismatch(
                    $"{name} is not a license file for this application: {reason.Message}. Install the license.bin "
                    + "issued for this product.", LicenseSource.File), null);
        }
        Expect(file.License);
        IsAbout(file.NormalKey is { } key ? LicenseKey.Hash(key) : null);
        var now = Config.Now;
        var state = Store.Update(old => WithReading(old, file, now));
        return new FileCheck(FileRules.Evaluate(file, Context(state, file)), file);
    }

    private FileCheck NoFile(string reason) => new(
        new LicenseResult(
            Status.LicenseNotFound,
            $"{reason} Install license.bin, or enter a license key and connect to the license server.")
        {
            CheckedAt = Config.Now,
        },
        null);

    /// <summary>Evaluates a signed refusal in the place of license.bin.</summary>
    private FileCheck CheckRefusal(string text, string name)
    {
        if (ReadKept(text) is not { } refusal || refusal.Status.AllowsRunning())
        {
            return new FileCheck(
                Mismatch(
                    $"{name} is not a license file for this application and this machine. Install the license.bin "
                    + "issued for this product.", LicenseSource.File), null);
        }
        if (NormalKey is { } key && LicenseKey.Hash(key) != refusal.KeyHash)
        {
            return NoFile($"{name} belongs to another license key.");
        }
        IsAbout(refusal.KeyHash);
        var state = Store.Load();
        var known = state.RefusedKey;
        var now = FileRules.TimeOf(refusal.License, refusal.IssuedAt, Config.Now, state);
        return new FileCheck(
            KeptVerdict.RefusalResult(refusal, now), null,
            known is not null && LicenseKey.Hash(known) == refusal.KeyHash ? known : null,
            new SignedRefusal(refusal.KeyHash!, refusal.ServerStatus, refusal.IssuedAt));
    }

    /// <summary>
    /// What the last verdict confirmed, if the server signed it for this machine. A token says nothing of the license, so
    /// the file of an enrolled device has to name the same.
    /// </summary>
    private Confirmation? ConfirmationIn(State state, LicenseFile file) =>
        ReadKept(state.Verdict) is { } kept && kept.Status.AllowsRunning()
        && (file.License.Key is not null || kept.License is null || kept.License.Id == file.License.Id)
            ? new Confirmation(kept.KeyHash!, kept.IssuedAt)
            : null;

    /// <summary>
    /// What decides about a file that this machine may not use: a base file without a code, or one that was released. The
    /// status of the license says more.
    /// </summary>
    private SignedRefusal? UnusableIn(LicenseFile file) =>
        file.Offline is { } marks && file.License.Status == "Active" && marks.IsUnusable(KeptOffline.Load(OfflinePath))
            ? new SignedRefusal(LicenseKey.Hash(file.NormalKey!), nameof(Status.ActivationRequired), file.IssuedAt)
            : null;

    /// <summary>The last refusal of the file's license key, if the server signed it for this machine.</summary>
    private SignedRefusal? RefusalIn(State state, LicenseFile file) =>
        file.NormalKey is { } key && state.RefusalOf(LicenseKey.Hash(key)) is { } refusal
        && ReadKept(refusal.Token) is { } kept && !kept.Status.AllowsRunning()
            ? new SignedRefusal(kept.KeyHash!, kept.ServerStatus, kept.IssuedAt)
            : null;
}
