using Licet.Internal;

namespace Licet;

/// <summary>
/// Checks the license of this application. Most applications need <see cref="OpenAsync"/> alone. Safe to share
/// between threads. Nothing is sent before a method is called. Dispose it at the end: sessions end, and events that
/// wait are sent.
/// </summary>
/// <example>
/// <code>
/// await using var client = LicenseClient.FromSettings(new LicenseClientOptions { PublicKey = "..." });
/// await using var license = await client.OpenAsync();
/// Console.WriteLine($"{license.License.Type}: {license.Seat}");
/// </code>
/// </example>
public sealed class LicenseClient : IAsyncDisposable, IDisposable
{
    private readonly LicenseCore _core;
    private readonly DailyCheck _dailyCheck;
    private readonly Telemetry _telemetry;
    private readonly List<LicenseSession> _sessions = new();
    private readonly List<LicenseWatch> _watches = new();
    private readonly Lazy<Task> _close;

    /// <summary>Creates a client from options alone; no settings file is read.</summary>
    /// <exception cref="LicetConfigurationException">An option is missing or invalid.</exception>
    public LicenseClient(LicenseClientOptions options)
        : this(Configuration.Create(options, SettingsFile.None, AppContext.BaseDirectory)) { }

    private LicenseClient(Config config)
    {
        _core = new LicenseCore(config, new Api(config));
        _dailyCheck = new DailyCheck(_core);
        _telemetry = new Telemetry(_core);
        _close = new Lazy<Task>(() => Task.Run(CloseAsync));
        _core.LiveSession = () => LiveSessions().FirstOrDefault(session => session.IsAlive && session.Id.Length > 0)?.Id;
    }

    /// <summary>This machine's hardware ID for this product; never empty.</summary>
    public string HardwareId => _core.HardwareIdText;

    internal LicenseCore Core => _core;

    /// <summary>
    /// Returns by what the license server knows this device. Makes the key of the device, in the state folder, if there
    /// is none yet.
    /// </summary>
    public DeviceIdentity Identity() => new(_core.Api.Proof.Key?.Jkt, _core.Api.Proof.Level, HardwareId);

    /// <summary>
    /// Creates a client from these options, the settings file and the defaults, in that order. The file is the
    /// first of <c>licet.json</c> and <c>appsettings.json</c> in the folder; its settings may be in a section
    /// <c>Licet</c>.
    /// </summary>
    /// <param name="options">The options of the code; they override the file.</param>
    /// <param name="folder">The folder of the file; by default the folder of the running program.</param>
    /// <exception cref="LicetConfigurationException">The file or an option is invalid; the message names it.</exception>
    public static LicenseClient FromSettings(LicenseClientOptions? options = null, string? folder = null)
    {
        var place = Path.GetFullPath(folder ?? AppContext.BaseDirectory);
        return new LicenseClient(
            Configuration.Create(options ?? new LicenseClientOptions(), SettingsFile.Read(place), place));
    }

    /// <summary>
    /// Validates the license; takes no seat, opens no session, charges no meter: see <see cref="OpenAsync"/>.
    /// An Offline license is validated by license.bin alone; if a server is set, it is also checked there in the
    /// background, at most once a day. Any other license is checked with the server; if it cannot be reached,
    /// license.bin is accepted during the grace period, which begins with a signed verdict.
    /// </summary>
    /// <exception cref="LicetConfigurationException">The file is protected and no license key is set.</exception>
    /// <exception cref="LicenseFileException">license.bin exists but cannot be read.</exception>
    /// <exception cref="RequestRefusedException">The machine has no token yet, and may not enroll.</exception>
    public async Task<LicenseResult> ValidateAsync(CancellationToken cancellationToken = default)
    {
        var result = await RunAsync(() => Validation.ValidateAsync(_core, null, cancellationToken), cancellationToken)
            .ConfigureAwait(false);
        _ = _dailyCheck.StartIfDue(result);
        return result;
    }

    /// <summary>Validates by license.bin and the state stored on this machine, without the network.</summary>
    /// <exception cref="LicetConfigurationException">The file is protected and no license key is set.</exception>
    /// <exception cref="LicenseFileException">license.bin exists but cannot be read.</exception>
    public LicenseResult ValidateOffline() => _core.ValidateOffline();

    /// <summary>Asks the server for a signed verdict and verifies it.</summary>
    /// <exception cref="LicetConfigurationException">No server or no license key is set.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public Task<LicenseResult> ValidateOnlineAsync(CancellationToken cancellationToken = default) => RunAsync(
        () => _core.Config.KeyFault is null
            ? Enrollment.WithTokenAsync(
                _core,
                () => Verdicts.RequestAsync(_core, _core.RequiredKey(), CallOptions.Usual, cancellationToken),
                cancellationToken)
            : Task.FromResult(_core.CheckFile().Result),
        cancellationToken);

    /// <summary>
    /// Fetches a new license.bin, verifies it, and replaces the file on disk atomically. For an Online license a
    /// signed verdict is requested, too: the grace period begins with it.
    /// </summary>
    /// <exception cref="LicetConfigurationException">No server or no license key is set.</exception>
    /// <exception cref="LicenseFileException">The file cannot be written.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    /// <exception cref="LicetServerException">
    /// The server responded with an error, or refused although the license is valid, for example with
    /// ActivationRequired.
    /// </exception>
    public Task<LicenseResult> RefreshAsync(CancellationToken cancellationToken = default) =>
        RunAsync(() => Refreshing.RefreshAsync(_core, cancellationToken), cancellationToken);

    /// <summary>
    /// Activates this device. It holds a seat until it is deactivated; one that already does keeps it. If the
    /// vendor approves devices first, the activation is pending and the device does not hold a seat yet.
    /// </summary>
    /// <param name="deviceName">Shown to the vendor in place of the configured name.</param>
    /// <param name="metadata">Strings shown to the vendor with the device.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="LicetConfigurationException">No server or no license key is set.</exception>
    /// <exception cref="RequestRefusedException">Refused, for example with SeatsExhausted.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public Task<Activation> ActivateAsync(
        string? deviceName = null, IReadOnlyDictionary<string, string>? metadata = null,
        CancellationToken cancellationToken = default) =>
        RunAsync(() => Activations.ActivateAsync(_core, deviceName, metadata, cancellationToken), cancellationToken);

    /// <summary>Releases the seat of this device. Does nothing if the device holds none.</summary>
    /// <exception cref="LicetConfigurationException">No server or no license key is set.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public Task DeactivateAsync(CancellationToken cancellationToken = default) =>
        Task.Run(() => Activations.DeactivateAsync(_core, cancellationToken), cancellationToken);

    /// <summary>
    /// Returns the devices that hold a seat, if the user may free one of them. They have no hardware IDs. Only a device
    /// may ask that holds a seat, or was refused one in the last 10 minutes.
    /// </summary>
    /// <exception cref="RequestRefusedException">
    /// The vendor does not let applications release devices, or this device may not ask; the message says why.
    /// </exception>
    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public Task<LicensedDevices> GetDevicesAsync(CancellationToken cancellationToken = default) =>
        RunAsync(() => Devices.ListAsync(_core, cancellationToken), cancellationToken);

    /// <summary>
    /// Releases the seat of another device for this one, and returns it: <see cref="LicensedDevice.SeatFreeAt"/> says when
    /// the seat is free, null if it is now. Then call <see cref="OpenAsync"/> again.
    /// </summary>
    /// <exception cref="RequestRefusedException">
    /// It may not be released, or no more devices may be at present; the message says why.
    /// </exception>
    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public Task<LicensedDevice> ReleaseDeviceAsync(
        LicensedDevice device, CancellationToken cancellationToken = default) =>
        RunAsync(() => Devices.ReleaseAsync(_core, device, cancellationToken), cancellationToken);

    /// <summary>
    /// Opens a live session, which holds a seat until it is disposed. Heartbeats are sent in the background. While this
    /// device has a borrowed seat, the session holds that one, and nothing is sent.
    /// </summary>
    /// <param name="callbacks">Called when the seat is lost and regained.</param>
    /// <param name="instanceId">
    /// Identifies this running copy of the application. By default a stored ID that is reused after a restart and
    /// never shared by two running copies.
    /// </param>
    /// <param name="cancellationToken">Cancels connecting.</param>
    /// <exception cref="LicetConfigurationException">No server or no license key is set.</exception>
    /// <exception cref="RequestRefusedException">Refused, for example with SeatsExhausted.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public Task<LicenseSession> ConnectAsync(
        SessionCallbacks? callbacks = null, string? instanceId = null, CancellationToken cancellationToken = default) =>
        RunAsync(() => ConnectAsync(callbacks, instanceId, null, cancellationToken), cancellationToken);

    /// <summary>
    /// Returns the seat that this device has borrowed, if it may use it now, also offline and after a restart. If the last
    /// one was returned without the server, the server is told now, quietly.
    /// </summary>
    /// <exception cref="LicetConfigurationException">The file is protected and no license key is set.</exception>
    /// <exception cref="LicenseFileException">license.bin exists but cannot be read.</exception>
    public Task<BorrowedSeat?> GetBorrowedSeatAsync(CancellationToken cancellationToken = default) => RunAsync(
        async () =>
        {
            var seat = _core.BorrowedSeat();
            await Leases.ReportQuietlyAsync(_core, cancellationToken).ConfigureAwait(false);
            return seat;
        },
        cancellationToken);

    /// <summary>
    /// Validates the license, takes the seat that its model needs, and returns it for use. Floating: a live
    /// session until it is disposed. Concurrent: this device is activated and keeps its seat, or a session, as
    /// <see cref="LicenseClientOptions.SeatMode"/> says. NodeLocked: the license is bound to this machine. Metered:
    /// the balance is read. A license with a sufficient license.bin is opened without the server.
    /// </summary>
    /// <remarks>
    /// What the client learns later is seen in the open license: its status, features, terms and seats are those of the
    /// latest check.
    /// </remarks>
    /// <param name="callbacks">Called when the seat of a session is lost and regained.</param>
    /// <param name="changed">
    /// Called with each result whose status or terms are not those of the one before. The license is then checked every
    /// hour, as by <see cref="Watch"/>.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="OnlineRequiredException">The license needs the server, which could not be asked.</exception>
    /// <exception cref="RequestRefusedException">The license may not be used, or a seat was refused.</exception>
    /// <exception cref="LicetConfigurationException">An option is missing, such as the server of a Floating license.</exception>
    /// <exception cref="LicenseFileException">license.bin exists but cannot be read.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond, and the model needs it.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public async Task<OpenLicense> OpenAsync(
        SessionCallbacks? callbacks = null, Action<LicenseResult>? changed = null,
        CancellationToken cancellationToken = default)
    {
        var given = callbacks ?? new SessionCallbacks();
        var learning = given with
        {
            Lost = loss =>
            {
                Opening.LearnReasonAsync(_core, loss).GetAwaiter().GetResult();
                given.Lost?.Invoke(loss);
            },
        };
        var opened = await RunAsync(
            () => Opening.OpenAsync(
                _core, cleanup => ConnectAsync(learning, null, cleanup, cancellationToken), cancellationToken),
            cancellationToken).ConfigureAwait(false);
        _ = _dailyCheck.StartIfDue(opened.Result);
        var watch = changed is null ? null : AddWatch(changed, LicenseWatch.DefaultInterval, opened.Result);
        return new OpenLicense(_core, opened, watch);
    }

    /// <summary>
    /// Charges the license's wallet for using a feature, exactly once. If the response is lost or the server is
    /// busy, the request is retried with the same idempotency key. Exceptions carry the key; pass it to another
    /// call to find out whether the charge was made. What <see cref="ReserveAsync"/> has set aside is charged first, without
    /// the server, as long as it covers the charge.
    /// </summary>
    /// <param name="feature">The feature that was used; 1 to 128 characters.</param>
    /// <param name="quantity">1 to 1,000,000,000.</param>
    /// <param name="idempotencyKey">
    /// Identifies the charge within the license; 1 to 128 characters, random by default. To charge exactly once
    /// even after a crash, store a key of your own before the call.
    /// </param>
    /// <param name="activationId">The activation of this device, to attribute the charge to it.</param>
    /// <param name="cancellationToken">Cancels the call; the charge may have been made.</param>
    /// <exception cref="ArgumentException">An argument is out of range; nothing was sent.</exception>
    /// <exception cref="LicetConfigurationException">No server or no license key is set.</exception>
    /// <exception cref="RequestRefusedException">Refused, for example with InsufficientBalance.</exception>
    /// <exception cref="LicenseFileException">
    /// The journal of reserved credits cannot be written, and no server is set; nothing was charged.
    /// </exception>
    /// <exception cref="LicetNetworkException">The server did not respond; the charge may have been made.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public Task<Consumption> ConsumeAsync(
        string feature, int quantity = 1, string? idempotencyKey = null, string? activationId = null,
        CancellationToken cancellationToken = default)
    {
        var charge = Charge.Create(feature, quantity, idempotencyKey, activationId);
        return RunAsync(() => Charges.ConsumeAsync(_core, charge, cancellationToken), cancellationToken);
    }

    /// <summary>
    /// Sets credits of a metered license aside for this device. Until the end, <see cref="ConsumeAsync"/> charges them
    /// without the server, also after a restart. If the answer to an earlier call was lost, this one finishes it, and
    /// returns what that one has reserved.
    /// </summary>
    /// <param name="credits">More than 0, with at most 6 decimal places; the vendor may allow less.</param>
    /// <param name="days">1 to 366; the vendor may allow fewer.</param>
    /// <param name="cancellationToken">Cancels the call; the credits may have been reserved.</param>
    /// <exception cref="ArgumentOutOfRangeException">An argument is out of range; nothing was sent.</exception>
    /// <exception cref="RequestRefusedException">
    /// Refused, for example with InsufficientBalance, or with LeaseLimitReached as its error code.
    /// </exception>
    /// <exception cref="LicetConfigurationException">No server or no license key is set.</exception>
    /// <exception cref="LicenseFileException">The reservation cannot be stored; nothing was sent.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond; the next call asks for the same again.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public Task<ReservedCredits> ReserveAsync(
        decimal credits, int days = 7, CancellationToken cancellationToken = default)
    {
        Reservations.CheckAmount(credits);
        Leases.CheckDays(days);
        return RunAsync(
            async () => new ReservedCredits(
                _core, await Reservations.ReserveAsync(_core, credits, days, cancellationToken).ConfigureAwait(false)),
            cancellationToken);
    }

    /// <summary>
    /// Returns the credits that this device has reserved, if it may spend them now, also offline and after a restart. Those
    /// that have ended, or were returned without the server, are reported to it now, quietly.
    /// </summary>
    /// <exception cref="LicetConfigurationException">The file is protected and no license key is set.</exception>
    /// <exception cref="LicenseFileException">license.bin exists but cannot be read.</exception>
    public Task<ReservedCredits?> GetReservedCreditsAsync(CancellationToken cancellationToken = default) => RunAsync(
        async () =>
        {
            var reserved = _core.CheckFile().Reservation is { } found ? new ReservedCredits(_core, found) : null;
            await Reservations.ReturnQuietlyAsync(_core, cancellationToken).ConfigureAwait(false);
            return reserved;
        },
        cancellationToken);

    /// <summary>
    /// Returns what this machine, which has no connection, asks for: that the license is activated on it, or that the file of
    /// an earlier request is renewed. Needs no server. Someone takes it to the offline desk, and brings the answer to
    /// <see cref="ApplyOfflineAnswerAsync(byte[], CancellationToken)"/>. Until then the next call returns the same request.
    /// </summary>
    /// <param name="renew">Whether a new request takes the place of one that has no answer yet.</param>
    /// <param name="cancellationToken">Cancels waiting for other copies of the application.</param>
    /// <exception cref="RequestRefusedException">What is set cannot be a license key.</exception>
    /// <exception cref="LicetConfigurationException">No license key is set, or the machine has an enrollment key.</exception>
    /// <exception cref="LicenseFileException">The request cannot be stored, or the key of this device cannot be used.</exception>
    public Task<OfflineRequest> RequestOfflineAsync(bool renew = false, CancellationToken cancellationToken = default) =>
        RunAsync(() => OfflineRequests.RequestAsync(_core, renew, cancellationToken), cancellationToken);

    /// <summary>Installs the answer to the last offline request, and returns what it says of the license.</summary>
    /// <param name="file">The content of license.bin.</param>
    /// <param name="cancellationToken">Cancels waiting for other copies of the application.</param>
    /// <exception cref="LicenseFileException">
    /// It is not the answer to this request, or cannot be stored; nothing changed.
    /// </exception>
    public Task<LicenseResult> ApplyOfflineAnswerAsync(byte[] file, CancellationToken cancellationToken = default) =>
        RunAsync(() => OfflineRequests.ApplyAsync(_core, file, cancellationToken), cancellationToken);

    /// <summary>Takes the code that answers the last offline request, and returns what it says of the license.</summary>
    /// <param name="code">What was typed; case, blanks and dashes do not matter.</param>
    /// <param name="cancellationToken">Cancels waiting for other copies of the application.</param>
    /// <exception cref="OfflineCodeException">
    /// A group was mistyped, or it is not the answer to this request; nothing changed.
    /// </exception>
    /// <exception cref="LicenseFileException">There is no base file for it, or it cannot be stored.</exception>
    public Task<LicenseResult> ApplyOfflineAnswerAsync(string code, CancellationToken cancellationToken = default) =>
        RunAsync(() => OfflineRequests.ApplyAsync(_core, code, cancellationToken), cancellationToken);

    /// <summary>
    /// Stops using the license that was activated offline, and returns the proof for the offline desk, which frees the seat.
    /// Called again, returns the same one.
    /// </summary>
    /// <exception cref="LicenseFileException">
    /// There is none, or the release cannot be stored; the license is still used.
    /// </exception>
    public Task<OfflineRelease> ReleaseOfflineAsync(CancellationToken cancellationToken = default) =>
        RunAsync(() => OfflineRequests.ReleaseAsync(_core, cancellationToken), cancellationToken);

    /// <summary>Returns whether a group of an answer code was typed correctly, to check while the user types.</summary>
    /// <param name="index">The group, 1 to 28.</param>
    /// <param name="text">Its five symbols, of the last group two; case, blanks and dashes do not matter.</param>
    public static bool CheckCodeGroup(int index, string text) => OfflineCode.IsGroup(index, text);

    /// <summary>Returns the balance of the license's wallet, whatever the license's status.</summary>
    /// <exception cref="LicetConfigurationException">No server or no license key is set.</exception>
    /// <exception cref="RequestRefusedException">The license is unknown or not metered.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public Task<MeterBalance> GetBalanceAsync(CancellationToken cancellationToken = default) =>
        RunAsync(() => Charges.BalanceAsync(_core, cancellationToken), cancellationToken);

    /// <summary>Checks for a release newer than the configured application version.</summary>
    /// <param name="channel">The release channel; <c>Stable</c> by default.</param>
    /// <param name="platform">Return only files for this platform and for all; by default every file.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="LicetConfigurationException">No server is set.</exception>
    /// <exception cref="UpdateException">The release is not signed as it is offered, or not for this application.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    public Task<Update> CheckForUpdateAsync(
        string? channel = null, string? platform = null, CancellationToken cancellationToken = default) =>
        RunAsync(() => Updates.CheckAsync(_core, channel, platform, cancellationToken), cancellationToken);

    /// <summary>
    /// Downloads a file of an update, verifies its SHA-256, and returns its path. It is downloaded into a hidden
    /// file next to the path, which is renamed after it is complete and verified. After an error or a crash, the
    /// next call resumes the download.
    /// </summary>
    /// <param name="file">A file of an update.</param>
    /// <param name="path">The file to write, or an existing folder to write the file to under its own name.</param>
    /// <param name="progress">Told the bytes received so far.</param>
    /// <param name="cancellationToken">Cancels the download; what was received is kept.</param>
    /// <exception cref="UpdateException">The file is damaged, or its address does not use https.</exception>
    /// <exception cref="RequestRefusedException">The file is no longer offered.</exception>
    /// <exception cref="LicetNetworkException">The server did not respond.</exception>
    /// <exception cref="LicetServerException">The server responded with an error.</exception>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public Task<string> DownloadAsync(
        UpdateFile file, string path, IProgress<DownloadProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        RunAsync(() => Downloads.DownloadAsync(_core, file, path, progress, cancellationToken), cancellationToken);

    /// <summary>
    /// Sends a usage event to the vendor. Does nothing unless <see cref="LicenseClientOptions.Telemetry"/> is on.
    /// Returns at once and never throws. Events are sent in the background every ten seconds, or as soon as 100
    /// wait; those that cannot be sent are kept for the next attempt, up to the latest 1,000.
    /// </summary>
    /// <param name="name">The event's name; cut to 100 characters.</param>
    /// <param name="properties">
    /// Up to 20 strings (cut to 500 characters), numbers and booleans. Others are converted to strings.
    /// </param>
    public void Track(string name, IReadOnlyDictionary<string, object?>? properties = null) =>
        _telemetry.Track(name, properties);

    /// <summary>
    /// Validates in the background, now and at each interval, and calls back with the first result and with each one
    /// whose status or terms are not those of the one before. The checks are those of <see cref="ValidateAsync"/>, so
    /// they take no seat; an Offline license is also checked with the server, once a day. What prevents a check is
    /// logged.
    /// </summary>
    /// <param name="changed">Called on a thread of the pool, one call at a time.</param>
    /// <param name="interval">The time between two checks; an hour by default.</param>
    /// <exception cref="ArgumentOutOfRangeException">The interval is not positive, or more than 30 days.</exception>
    /// <exception cref="ObjectDisposedException">The client was disposed.</exception>
    public LicenseWatch Watch(Action<LicenseResult> changed, TimeSpan? interval = null) =>
        AddWatch(changed, interval ?? LicenseWatch.DefaultInterval, null);

    private LicenseWatch AddWatch(Action<LicenseResult> changed, TimeSpan interval, LicenseResult? since)
    {
        lock (_watches)
        {
            if (_close.IsValueCreated)
            {
                throw new ObjectDisposedException(nameof(LicenseClient));
            }
            _watches.RemoveAll(old => old.IsClosed);
            var watch = new LicenseWatch(_core, RecheckAsync, changed, interval, since);
            _watches.Add(watch);
            return watch;
        }
    }

    /// <summary>Stops watches, ends open sessions, sends events that wait, and closes network connections.</summary>
    public async ValueTask DisposeAsync() => await _close.Value.ConfigureAwait(false);

    /// <summary>The same, and blocks meanwhile; prefer <see cref="DisposeAsync"/>.</summary>
    public void Dispose() => _close.Value.Wait();

    // The operations read and sync small files, which must not happen on a thread of the user interface.
    private static Task<T> RunAsync<T>(Func<Task<T>> operation, CancellationToken cancellationToken) =>
        Task.Run(operation, cancellationToken);

    private async Task<LicenseResult> RecheckAsync(CancellationToken cancellationToken)
    {
        var result = await Validation.ValidatePatientlyAsync(_core, cancellationToken).ConfigureAwait(false);
        if (_dailyCheck.StartIfDue(result) is { } check)
        {
            await check.WaitAsync(cancellationToken).ConfigureAwait(false);
            result = await Validation.ValidatePatientlyAsync(_core, cancellationToken).ConfigureAwait(false);
        }
        return result;
    }

    private async Task<LicenseSession> ConnectAsync(
        SessionCallbacks? callbacks, string? instanceId, Func<Task>? cleanup, CancellationToken cancellationToken)
    {
        var session = await LicenseSession.ConnectAsync(_core, instanceId, callbacks, cleanup, cancellationToken)
            .ConfigureAwait(false);
        lock (_sessions)
        {
            _sessions.RemoveAll(old => old.IsClosed);
            _sessions.Add(session);
        }
        return session;
    }

    private LicenseSession[] LiveSessions()
    {
        lock (_sessions)
        {
            return _sessions.ToArray();
        }
    }

    private async Task CloseAsync()
    {
        LicenseWatch[] watches;
        lock (_watches)
        {
            watches = _watches.ToArray();
        }
        await Task.WhenAll(watches.Select(watch => watch.DisposeAsync().AsTask())).ConfigureAwait(false);
        await Task.WhenAll(LiveSessions().Select(session => session.DisposeAsync().AsTask())).ConfigureAwait(false);
        await Task.WhenAll(_dailyCheck.CloseAsync(), _telemetry.CloseAsync()).ConfigureAwait(false);
        _core.Api.Dispose();
    }
}
