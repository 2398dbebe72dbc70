using System.Security.Cryptography;
using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>Where an application keeps license.bin and its state, by the conventions of each system.</summary>
/// <param name="LicenseFile">
/// Where license.bin is delivered by hand, and where every key's is stored if the application names the file.
/// </param>
/// <param name="InstalledFile">
/// A license.bin next to the application, read instead if it is newer; null if the application names the file.
/// </param>
/// <param name="StateFolder">
/// Where this machine's state is stored; by default never in a folder that several users share.
/// </param>
internal sealed record Places(string LicenseFile, string? InstalledFile, string StateFolder)
{
    private const string FileName = "license.bin";
    private static readonly Regex OfAKey = new(@"\Alicense-[0-9a-f]{8}\.bin\z");
    private static readonly Regex PlainName = new(@"\A[A-Za-z0-9][A-Za-z0-9_-]{0,63}\z");

    internal static Places Find(
        string? licenseFile, string? stateFolder, bool allUsers, string productId, string application)
    {
        var own = DataFolder(productId, allUsers: false) ?? application;
        if (licenseFile is null)
        {
            var shared = allUsers ? DataFolder(productId, allUsers: true) : null;
            return new Places(
                Path.Combine(shared ?? stateFolder ?? own, FileName), Path.Combine(application, FileName),
                stateFolder ?? own);
        }
        var file = Path.GetFullPath(licenseFile);
        var folder = Path.GetDirectoryName(file)!;
        return new Places(file, null, stateFolder ?? (CanWrite(folder) && !Disk.IsShared(folder) ? folder : own));
    }

    /// <summary>Whether the application names the file, which is then the one of every license key.</summary>
    internal bool IsNamed => InstalledFile is null;

    /// <summary>
    /// Where the license.bin of a key is stored: in a file of its own, unless the file is named. Clients of one
    /// folder with other keys leave it alone.
    /// </summary>
    internal string FileOf(string? key) =>
        key is null || IsNamed
            ? LicenseFile
            : Path.Combine(Folder, $"license-{LicenseKey.Label(LicenseKey.Hash(key))}.bin");

    /// <summary>The files that a client with this key reads; without one, those of all keys.</summary>
    internal IEnumerable<string> NewestFirst(string? key) =>
        new[] { FileOf(key), LicenseFile }
            .Concat(key is null ? FilesOfKeys() : Array.Empty<string>())
            .Concat(InstalledFile is null ? Array.Empty<string>() : new[] { InstalledFile })
            .Distinct()
            .OrderByDescending(ChangedAt)
            .ToArray();

    /// <summary>Lets a client without a key find this file before those of other keys.</summary>
    internal void Prefer(string own)
    {
        if (!FilesOfKeys().Any(other => other != own && ChangedAt(other) >= ChangedAt(own)))
        {
            return;
        }
        try
        {
            File.SetLastWriteTimeUtc(own, DateTime.UtcNow);
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            // It belongs to another user.
        }
    }

    private string Folder => Path.GetDirectoryName(LicenseFile)!;

    private IEnumerable<string> FilesOfKeys()
    {
        try
        {
            return IsNamed || !Directory.Exists(Folder)
                ? Array.Empty<string>()
                : Directory.GetFiles(Folder, "license-*.bin")
                    .Where(path => OfAKey.IsMatch(Path.GetFileName(path)))
                    .ToArray();
        }
        catch (Exception error) when (Disk.IsFault(error))
        {
            return Array.Empty<string>();
        }
    }

    /// <summary>The folder of one product: of this user, or of all; null if the user has no home.</summary>
    private static string? DataFolder(string productId, bool allUsers)
    {
        var folder = allUsers ? AllUsersBase() : UserBase();
        return string.IsNullOrEmpty(folder) ? null : Path.Combine(folder, "licet", FolderName(productId));
    }

    private static string UserBase()
    {
        if (OperatingSystem.IsMacOS())
        {
            var home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
            return home.Length > 0 ? Path.Combine(home, "Library", "Application Support") : "";
        }
        // On Linux this is $XDG_DATA_HOME or ~/.local/share.
        return Environment.GetFolderPath(
            Environment.SpecialFolder.LocalApplicationData, Environment.SpecialFolderOption.DoNotVerify);
    }

    private static string AllUsersBase() =>
        OperatingSystem.IsWindows() ? Environment.GetFolderPath(Environment.SpecialFolder.CommonApplicationData)
        : OperatingSystem.IsMacOS() ? "/Library/Application Support"
        : "/var/lib";

    private static string FolderName(string productId) =>
        PlainName.IsMatch(productId)
            ? productId
            : Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(productId))).ToLowerInvariant()[..32];

    /// <summary>Whether files can be created in a folder, which need not exist yet.</summary>
    private static bool CanWrite(string folder)
    {
        for (var place = folder; place is not null; place = Path.GetDirectoryName(place))
        {
            if (!Directory.Exists(place))
            {
                continue;
            }
            try
            {
                var probe = Path.Combine(place, $".licet-{Guid.NewGuid():N}.tmp");
                using (new FileStream(probe, FileMode.CreateNew, FileAccess.Write, FileShare.None, 1, FileOptions.DeleteOnClose))
                {
                    return true;
                }
            }
            catch (Exception error) when (Disk.IsFault(error))
            {
                return false;
            }
        }
        return false;
    }

    private static DateTime ChangedAt(string path) =>
        File.Exists(path) ? File.GetLastWriteTimeUtc(path) : DateTime.MinValue;
}
