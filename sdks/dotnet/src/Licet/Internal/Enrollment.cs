using System.Security.Cryptography;
using System.Text.Json.Nodes;

namespace Licet.Internal;

/// <summary>The server has signed that it does not know the token of this device.</summary>
internal sealed class UnknownTokenException : LicetException
{
    internal UnknownTokenException(string token, Action remember)
        : base(LicetErrorCode.LicenseRefused, "The server does not know the token of this device.") =>
        (Token, Remember) = (token, remember);

    internal string Token { get; }

    /// <summary>Remembers the refusal, for the case that the machine cannot enroll again.</summary>
    internal Action Remember { get; }
}

/// <summary>
/// Enrollment: a machine with an enrollment key gets a token, which is its license key from then on. The token works on
/// this machine alone. It is kept in the state folder and ends with the seat of the device. If it is lost or not known
/// any more, the machine enrolls again: it gets its seat back, or another one.
/// </summary>
internal sealed class Enrollment
{
    internal const string Variable = "LICET_ENROLLMENT_KEY";
    private const int MaxTokenBytes = 1024;

    private readonly string _path;
    private readonly Action<string> _log;
    private readonly SemaphoreSlim _enrolling = new(1);
    private volatile string? _token;

    /// <summary>It may still be on disk, in a folder that cannot be written to.</summary>
    private volatile string? _ended;

    internal Enrollment(string key, string folder, string hardwareId, Action<string> log)
    {
        (Key, _log) = (key, log);
        var material = Encoding.UTF8.GetBytes($"licet/enrollment/v1\0{key}\0{hardwareId}");
        var name = Convert.ToHexString(SHA256.HashData(material))[..16].ToLowerInvariant();
        _path = Path.Combine(folder, $"device-{name}.token");
    }

    internal string Key { get; }

    /// <summary>Whether the machine has just enrolled again, so that a refusal stands.</summary>
    internal bool IsAgain { get; set; }

    /// <summary>The token, in the normal form of license keys; null if there is none.</summary>
    internal string? Token => _token ?? Load();

    /// <summary>Reads the token, which another process may have replaced; without a file, keeps it.</summary>
    internal string? Load()
    {
        if (Read() is { } found && found != _ended)
        {
            _token = found;
        }
        return _token;
    }

    /// <summary>Enrolls this machine if it has an enrollment key and no token.</summary>
    internal static Task EnsureAsync(LicenseCore core, CancellationToken cancellationToken) =>
        core.Enrollment is { } enrollment && enrollment.Load() is null
            ? enrollment.EnrollAsync(core, null, cancellationToken)
            : Task.CompletedTask;

    /// <summary>Does something as an enrolled machine, which enrolls first if it has to.</summary>
    internal static async Task<T> WithTokenAsync<T>(
        LicenseCore core, Func<Task<T>> work, CancellationToken cancellationToken)
    {
        await EnsureAsync(core, cancellationToken).ConfigureAwait(false);
        return await WithKnownTokenAsync(core, work, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Does something; if the token of this device is not known, enrolls again and does it once more.</summary>
    internal static async Task<T> WithKnownTokenAsync<T>(
        LicenseCore core, Func<Task<T>> work, CancellationToken cancellationToken)
    {
        if (core.Enrollment is not { } enrollment)
        {
            return await work().ConfigureAwait(false);
        }
        var used = enrollment.Load();
        UnknownTokenException? unknown;
        try
        {
            return await work().ConfigureAwait(false);
        }
        catch (LicetException refusal) when (enrollment.IsUnknown(refusal))
        {
            unknown = refusal as UnknownTokenException;
        }
        try
        {
            await enrollment.EnrollAsync(core, unknown?.Token ?? used, cancellationToken).ConfigureAwait(false);
        }
        catch (RequestRefusedException)
        {
            unknown?.Remember();
            enrollment.Forget();
            throw;
        }
        enrollment.IsAgain = true;
        try
        {
            return await work().ConfigureAwait(false);
        }
        finally
        {
            enrollment.IsAgain = false;
        }
    }

    /// <summary>Whether a request was refused because the server does not know the token of this device.</summary>
    internal bool IsUnknown(LicetException refusal) =>
        refusal is UnknownTokenException
        || (refusal is RequestRefusedException { ErrorCode: "LicenseNotFound", HttpStatus: 404 } && Token is not null);

    /// <summary>Deletes the token, which has ended.</summary>
    internal void Forget()
    {
        Replace(null);
        Disk.Delete(_path);
    }

    /// <summary>Gets a token in place of a refused one, and keeps it: that of another process, or a new one.</summary>
    internal async Task EnrollAsync(LicenseCore core, string? refused, CancellationToken cancellationToken)
    {
        await _enrolling.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (Load() is not { } found || found == refused)
            {
                Keep(await RequestAsync(core, cancellationToken).ConfigureAwait(false));
            }
        }
        finally
        {
            _enrolling.Release();
        }
    }

    private async Task<string> RequestAsync(LicenseCore core, CancellationToken cancellationToken)
    {
        var fields = new JsonObject
        {
            ["enrollmentKey"] = Key,
            ["hardwareId"] = core.HardwareIdText,
            ["deviceName"] = core.Config.DeviceName,
            ["os"] = ThisMachine.OperatingSystemName,
            ["appVersion"] = core.Config.AppVersion,
            ["components"] = core.SentComponents(),
        };
        var options = new CallOptions { IsSuccess = status => status is 200 or 201 };
        var reply = await core.Api.CallAsync("/activations/enroll", fields, options, cancellationToken)
            .ConfigureAwait(false);
        return LicenseKey.InFile(reply.Body.Text("deviceToken"))
            ?? throw ServerErrors.NotOfAServer("the enrollment", reply.RequestId);
    }

    private void Replace(string? token)
    {
        _ended = _token ?? _ended;
        _token = token;
    }

    private void Keep(string token)
    {
        Replace(token);
        try
        {
            Disk.WriteOwn(_path, Encoding.ASCII.GetBytes(token));
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            _log(
                $"The token of this device cannot be stored in {Path.GetDirectoryName(_path)} ({error.Message}): after a "
                + "restart it enrolls again.");
        }
    }

    private string? Read()
    {
        try
        {
            return Disk.ReadOwn(_path, MaxTokenBytes) is { } raw
                ? LicenseKey.InFile(Encoding.ASCII.GetString(raw))
                : null;
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            _log($"The token of this device cannot be read: {error.Message}");
            return null;
        }
    }
}
