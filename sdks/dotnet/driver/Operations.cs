using System.Collections.Concurrent;

namespace Licet.Driver;

using Operation = Func<JsonElement, Task<JsonNode>>;

/// <summary>The operations of the protocol.</summary>
internal sealed class Operations
{
    private readonly DriverClock _clock = new();
    private readonly Dictionary<string, object> _things = new();
    private readonly Dictionary<string, JsonArray> _events = new();
    private readonly Dictionary<string, ConcurrentQueue<string>> _statuses = new();
    private readonly Dictionary<string, Operation> _operations;

    internal Operations() => _operations = new Dictionary<string, Operation>
    {
        ["reset"] = ResetAsync,
        ["set_clock"] = Now(SetClock),
        ["normal_form"] = Now(PureOperations.NormalForm),
        ["derive_key"] = Now(PureOperations.DeriveKey),
        ["compare_versions"] = Now(PureOperations.CompareVersions),
        ["sentence"] = Now(PureOperations.Say),
        ["release_allows"] = Now(request => new JsonObject
        {
            ["allowed"] = ComparableVersion.ReleaseAllows(request.Text("releaseVersion"), request.Text("appVersion")),
        }),
        ["hardware_id"] = Now(FindHardwareId),
        ["load_settings"] = Now(LoadSettings),
        ["verify_verdict"] = Now(VerifyVerdict),
        ["verify_update"] = Now(VerifyUpdate),
        ["prove_request"] = Now(ProveRequest),
        ["create_client"] = Now(CreateClient),
        ["identity"] = Now(request => Views.Of(Client(request).Identity())),
        ["install_file"] = Now(InstallFile),
        ["stored_file"] = Now(request => new JsonObject { ["text"] = Client(request).Core.ReadFile() }),
        ["verify_offline"] = Now(request => Views.Of(Client(request).ValidateOffline())),
        ["validate"] = async request => Views.Of(await Client(request).ValidateAsync()),
        ["validate_online"] = async request => Views.Of(await Client(request).ValidateOnlineAsync()),
        ["refresh"] = async request => Views.Of(await Client(request).RefreshAsync()),
        ["activate"] = ActivateAsync,
        ["deactivate"] = Done(request => Client(request).DeactivateAsync()),
        ["devices"] = async request => Views.Of(await Client(request).GetDevicesAsync()),
        ["release_device"] = async request => Views.Of(await Client(request).ReleaseDeviceAsync(
            new LicensedDevice(request.Text("device")!, null, null, null, null, false))),
        ["connect"] = ConnectAsync,
        ["session_state"] = Now(request => SessionState(request.Text("session")!)),
        ["disconnect"] = Done(request => Thing<LicenseSession>(request, "session").DisposeAsync().AsTask()),
        ["borrow"] = async request => Borrowed(await BorrowAsync(request)),
        ["borrowed_seat"] = async request => Borrowed(await Client(request).GetBorrowedSeatAsync()),
        ["renew"] = async request =>
        {
            var seat = await Thing<BorrowedSeat>(request, "borrowed").RenewAsync(request.Count("days")!.Value);
            return Views.Of(request.Text("borrowed"), seat);
        },
        ["return_seat"] = Done(request => Thing<BorrowedSeat>(request, "borrowed").ReturnAsync()),
        ["reserve"] = async request => Reserved(await Client(request).ReserveAsync(
            decimal.Parse(request.Text("credits")!, CultureInfo.InvariantCulture), request.Count("days")!.Value)),
        ["reserved_credits"] = async request => Reserved(await Client(request).GetReservedCreditsAsync()),
        ["report_credits"] = async request =>
        {
            var reserved = Thing<ReservedCredits>(request, "reserved");
            await reserved.ReportAsync();
            return Views.Of(request.Text("reserved"), reserved);
        },
        ["renew_credits"] = async request =>
        {
            var renewed = await Thing<ReservedCredits>(request, "reserved").RenewAsync(request.Count("days")!.Value);
            return Views.Of(request.Text("reserved"), renewed);
        },
        ["return_credits"] = Done(request => Thing<ReservedCredits>(request, "reserved").ReturnAsync()),
        ["check_code_group"] = Now(request => new JsonObject
        {
            ["right"] = LicenseClient.CheckCodeGroup(request.Count("index")!.Value, request.Text("text")!),
        }),
        ["offline_request"] = async request => Views.Of(
            await Client(request).RequestOfflineAsync(request.Flag("renew") is true), request.Text("deskUrl")),
        ["apply_offline_answer"] = async request => Views.Of(
            request.Text("code") is { } code
                ? await Client(request).ApplyOfflineAnswerAsync(code)
                : await Client(request).ApplyOfflineAnswerAsync(Encoding.UTF8.GetBytes(request.Text("file")!))),
        ["release_offline"] = async request => Views.Of(
            await Client(request).ReleaseOfflineAsync(), request.Text("deskUrl")),
        ["open"] = OpenAsync,
        ["license_state"] = Now(request =>
            Views.Of(request.Text("license")!, Thing<OpenLicense>(request, "license"))),
        ["release"] = Done(request => Thing<OpenLicense>(request, "license").ReleaseAsync()),
        ["close_license"] = Done(request => Thing<OpenLicense>(request, "license").DisposeAsync().AsTask()),
        ["consume"] = ConsumeAsync,
        ["balance"] = BalanceAsync,
        ["check_update"] = async request => Views.Of(
            await Client(request).CheckForUpdateAsync(request.Text("channel"), request.Text("platform"))),
        ["download"] = DownloadAsync,
        ["track"] = Now(Track),
        ["watch"] = Now(Watch),
        ["watch_state"] = Now(WatchState),
        ["close_watch"] = Done(request => Thing<LicenseWatch>(request, "watch").DisposeAsync().AsTask()),
        ["close"] = Done(request => Client(request).DisposeAsync().AsTask()),
    };

    internal Operation? Find(string name) => _operations.GetValueOrDefault(name);

    private static Operation Now(Func<JsonElement, JsonNode> operation) =>
        request => Task.FromResult(operation(request));

    private static Operation Done(Func<JsonElement, Task> operation) => async request =>
    {
        await operation(request);
        return new JsonObject();
    };

    private T Thing<T>(JsonElement request, string name) => (T)_things[request.Text(name)!];

    private LicenseClient Client(JsonElement request) => Thing<LicenseClient>(request, "client");

    private string Keep(string prefix, object thing)
    {
        var name = $"{prefix}-{_things.Count + 1}";
        _things[name] = thing;
        return name;
    }

    private async Task<JsonNode> ResetAsync(JsonElement request)
    {
        foreach (var thing in _things.Values.Reverse().OfType<IAsyncDisposable>())
        {
            await thing.DisposeAsync();
        }
        _things.Clear();
        _events.Clear();
        _statuses.Clear();
        _clock.Now = null;
        return new JsonObject();
    }

    private JsonNode SetClock(JsonElement request)
    {
        _clock.Now = request.Text("now") is { } now ? DateTimeOffset.Parse(now, CultureInfo.InvariantCulture) : null;
        return new JsonObject();
    }

    private static JsonNode FindHardwareId(JsonElement request)
    {
        var found = HardwareId.Find(
            request.Text("productId")!, request.Text("stateFolder")!, new Facts(request.GetProperty("facts")),
            request.Flag("ciHardwareId") ?? true);
        return new JsonObject { ["hardwareId"] = found.Value, ["source"] = found.Source.ToString() };
    }

    private static JsonNode LoadSettings(JsonElement request)
    {
        var read = SettingsFile.Read(request.Text("folder")!);
        var options = read.Values.Select(item => KeyValuePair.Create(
            char.ToLowerInvariant(item.Key[0]) + item.Key[1..],
            (JsonNode?)(item.Value switch
            {
                string[] texts => Views.Texts(texts),
                bool flag => flag,
                double number => number,
                _ => (string)item.Value,
            })));
        return new JsonObject { ["file"] = read.Name, ["options"] = new JsonObject(options) };
    }

    private JsonNode VerifyVerdict(JsonElement request)
    {
        var asked = request.GetProperty("request");
        var config = Configuration.Create(
            ClientConfig.Read(request.GetProperty("config"), _clock), SettingsFile.None, AppContext.BaseDirectory);
        var matching = new VerdictRequest(
            asked.Text("productId")!, LicenseKey.NormalForm(asked.Text("licenseKey")!), asked.Text("hardwareId"),
            asked.Text("nonce")!, config.TestMode);
        var status = LicenseValidationStatus.SignatureMismatch;
        try
        {
            status = Verdict.Verify(request.Text("token"), config.PublicKeys, matching)
                .ToResult(_clock.GetLocalNow(), null).Status;
        }
        catch (RejectedTokenException)
        {
            // It is not accepted.
        }
        return new JsonObject { ["valid"] = status.AllowsRunning(), ["status"] = status.ToString() };
    }

    private JsonNode VerifyUpdate(JsonElement request)
    {
        var asked = request.GetProperty("request");
        var config = Configuration.Create(
            ClientConfig.Read(request.GetProperty("config"), _clock), SettingsFile.None, AppContext.BaseDirectory);
        var matching = new ReleaseRequest(
            config.ProductId, asked.Text("nonce")!, asked.Text("channel")!, asked.Text("platform"),
            asked.Text("currentVersion"), asked.Time("releasedAt"),
            asked.Text("licenseKey") is { } key ? LicenseKey.Hash(LicenseKey.NormalForm(key)) : null);
        var accepted = true;
        try
        {
            SignedRelease.Check(request.GetProperty("response"), config.PublicKeys, matching);
        }
        catch (RejectedTokenException)
        {
            accepted = false;
        }
        return new JsonObject { ["accepted"] = accepted };
    }

    private JsonNode ProveRequest(JsonElement request)
    {
        var key = DeviceKey.Read(Encoding.UTF8.GetBytes(request.GetProperty("key").GetRawText()))!;
        var body = request.Text("body") is { } text ? Encoding.UTF8.GetBytes(text) : null;
        var proof = key.Prove(request.Text("method")!, new Uri(request.Text("url")!), body, _clock.GetUtcNow());
        return new JsonObject { ["proof"] = proof, ["jkt"] = key.Jkt };
    }

    private JsonNode CreateClient(JsonElement request)
    {
        var options = ClientConfig.Read(request.GetProperty("config"), _clock);
        var client = request.Text("settingsFolder") is { } folder
            ? LicenseClient.FromSettings(options, folder)
            : new LicenseClient(options);
        return new JsonObject { ["client"] = Keep("client", client), ["hardwareId"] = client.HardwareId };
    }

    private JsonNode InstallFile(JsonElement request)
    {
        var core = Client(request).Core;
        var path = core.Config.Places.FileOf(core.Config.NormalKey);
        if (request.Text("text") is { } text)
        {
            Disk.WriteLicense(path, Encoding.UTF8.GetBytes(text));
        }
        else
        {
            File.Delete(path);
        }
        if (request.Text("keptVerdict") is { } kept)
        {
            core.Store.Update(state => state with { Verdict = kept });
        }
        return new JsonObject();
    }

    private async Task<JsonNode> ActivateAsync(JsonElement request)
    {
        var metadata = request.Field("metadata")?.EnumerateObject()
            .ToDictionary(item => item.Name, item => item.Value.GetString()!);
        var activation = await Client(request).ActivateAsync(request.Text("deviceName"), metadata);
        return new JsonObject
        {
            ["activationId"] = activation.Id,
            ["status"] = activation.Status.ToString(),
            ["seatsUsed"] = activation.SeatsUsed,
            ["seatsTotal"] = activation.SeatsTotal,
            ["activatedAt"] = Views.Time(activation.ActivatedAt),
        };
    }

    private async Task<JsonNode> ConnectAsync(JsonElement request)
    {
        var events = new JsonArray();
        void Happened(JsonObject what)
        {
            lock (events)
            {
                events.Add(what);
            }
        }
        var callbacks = new SessionCallbacks
        {
            Lost = error => Happened(new JsonObject { ["event"] = "lost", ["error"] = Views.Of(error) }),
            Regained = () => Happened(new JsonObject { ["event"] = "regained" }),
        };
        var session = await Client(request).ConnectAsync(callbacks, request.Text("instanceId"));
        var name = Keep("session", session);
        _events[name] = events;
        return SessionState(name);
    }

    private Task<BorrowedSeat> BorrowAsync(JsonElement request)
    {
        var days = request.Count("days")!.Value;
        return request.Text("license") is null
            ? Thing<LicenseSession>(request, "session").BorrowAsync(days)
            : Thing<OpenLicense>(request, "license").BorrowAsync(days);
    }

    private JsonNode Borrowed(BorrowedSeat? seat) => Views.Of(seat is null ? null : Keep("borrowed", seat), seat);

    private JsonNode Reserved(ReservedCredits? credits) =>
        Views.Of(credits is null ? null : Keep("reserved", credits), credits);

    private JsonNode SessionState(string name)
    {
        var session = (LicenseSession)_things[name];
        var events = _events[name];
        lock (events)
        {
            return new JsonObject
            {
                ["session"] = name,
                ["alive"] = session.IsAlive,
                ["seatsUsed"] = session.SeatsUsed,
                ["seatsTotal"] = session.SeatsTotal,
                ["events"] = JsonNode.Parse(events.ToJsonString()),
            };
        }
    }

    private JsonNode Watch(JsonElement request)
    {
        var statuses = new ConcurrentQueue<string>();
        var watch = Client(request).Watch(
            result => statuses.Enqueue(result.Status.ToString()),
            TimeSpan.FromSeconds(request.Number("intervalSeconds")!.Value));
        var name = Keep("watch", watch);
        _statuses[name] = statuses;
        return new JsonObject { ["watch"] = name };
    }

    private JsonNode WatchState(JsonElement request) =>
        new JsonObject { ["statuses"] = Views.Texts(_statuses[request.Text("watch")!]) };

    private async Task<JsonNode> OpenAsync(JsonElement request)
    {
        var license = await Client(request).OpenAsync();
        return Views.Of(Keep("license", license), license);
    }

    private async Task<JsonNode> ConsumeAsync(JsonElement request)
    {
        var (feature, key) = (request.Text("featureName")!, request.Text("idempotencyKey"));
        var quantity = request.Whole("quantity") is { } given ? (int)Math.Clamp(given, int.MinValue, int.MaxValue) : 1;
        var charge = request.Text("license") is not null
            ? await Thing<OpenLicense>(request, "license").ConsumeAsync(feature, quantity, key)
            : await Client(request).ConsumeAsync(feature, quantity, key, request.Text("activationId"));
        return new JsonObject
        {
            ["featureName"] = charge.FeatureName,
            ["quantity"] = charge.Quantity,
            ["cost"] = Views.Amount(charge.Cost),
            ["balance"] = Views.Amount(charge.Balance),
            ["ledgerEntryId"] = charge.LedgerEntryId,
            ["licenseId"] = charge.LicenseId,
            ["idempotencyKey"] = charge.IdempotencyKey,
            ["replayed"] = charge.Replayed,
            ["reserved"] = charge.Reserved,
        };
    }

    private async Task<JsonNode> BalanceAsync(JsonElement request)
    {
        var balance = await Client(request).GetBalanceAsync();
        return new JsonObject
        {
            ["licenseId"] = balance.LicenseId,
            ["mode"] = balance.Mode.ToString(),
            ["balance"] = Views.Amount(balance.Amount),
        };
    }

    private async Task<JsonNode> DownloadAsync(JsonElement request)
    {
        var item = request.GetProperty("file");
        var file = new UpdateFile(
            item.Text("name")!, item.Text("platform"), item.Whole("sizeBytes")!.Value, item.Text("sha256")!,
            item.Text("channel")!, item.Text("downloadUrl")!);
        return new JsonObject { ["path"] = await Client(request).DownloadAsync(file, request.Text("path")!) };
    }

    private JsonNode Track(JsonElement request)
    {
        var properties = request.Field("properties")?.EnumerateObject().ToDictionary(item => item.Name, Property);
        Client(request).Track(request.Text("name") ?? "", properties);
        return new JsonObject();
    }

    private static object? Property(JsonProperty item) => item.Value.ValueKind switch
    {
        JsonValueKind.Null => null,
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        JsonValueKind.Number => item.Value.TryGetInt64(out var whole) ? whole : item.Value.GetDouble(),
        JsonValueKind.String => item.Value.GetString(),
        _ => item.Value.GetRawText(),
    };
}
