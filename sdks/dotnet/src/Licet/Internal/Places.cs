using System.Security.Cryptography;
using System.Text.RegularExpressions;

namespace Licet.Internal;

/// <summary>Where an application keeps license.bin and its state, by the conventions of each system.</summary>
/// <param name="LicenseFile">Where license.bin is stored.</param>
/// <param name="InstalledFile">A license.bin next to the application, read instead if it is newer.</param>
/// <param name="StateFolder">
/// Where this machine's state is stored; by default never in a folder that several users share.
/// </param>
/// <param name="EarlierFile">
/// Where a client with this state folder stored license.bin up to version 0.2, read until there is one in its place.
/// </param>
internal sealed record Places(string LicenseFile, string? InstalledFile, string StateFolder, string? EarlierFile = null)
{
    private const string FileName = "license.bin";
    private static readonly Regex PlainName = new(@"\A[A-Za-z0-9][A-Za-z0-9_-]{0,63}\z");

    internal static Places Find(
        string? licenseFile, string? stateFolder, bool allUsers, string productId, string application)
    {
        var own = DataFolder(productId, allUsers: false) ?? application;
        if (licenseFile is null)
        {
            // Clients of one product are told apart by their state folders, and so are their licenses.
            var shared = allUsers ? DataFolder(productId, allUsers: true) : null;
            var (place, earlier) = (Path.Combine(shared ?? stateFolder ?? own, FileName), Path.Combine(own, FileName));
            return new Places(
                place, Path.Combine(application, FileName), stateFolder ?? own,
                shared is null && earlier != place ? earlier : null);
        }
        var file = Path.GetFullPath(licenseFile);
        var folder = Path.GetDirectoryName(file)!;
        return new Places(file, null, stateFolder ?? (CanWrite(folder) && !Disk.IsShared(folder) ? folder : own));
    }

    /// <summary>license.bin and the one next to the application, which comes first if it is newer.</summary>
    internal IEnumerable<string> NewestFirst()
    {
        var own = EarlierFile is not null && !Disk.IsTaken(LicenseFile) ? EarlierFile : LicenseFile;
        return InstalledFile is null || InstalledFile == own ? new[] { own }
            : ChangedAt(InstalledFile) > ChangedAt(own) ? new[] { InstalledFile, own }
            : new[] { own, InstalledFile };
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
