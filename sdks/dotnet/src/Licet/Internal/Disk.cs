using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;

namespace Licet.Internal;

/// <summary>A file is not used, because another user may have created it; the message says why.</summary>
internal sealed class RefusedFileException : IOException
{
    internal RefusedFileException(string reason) : base(reason) { }
}

/// <summary>
/// Opening every file that the SDK reads or writes. Another user of the machine may be able to create files in
/// the same folder. No file is therefore opened through a link, opening one never blocks, only regular files are
/// used, and files that the SDK changes must belong to this user and have no other name. A file is written under
/// a random name, then renamed; the rename replaces a link, never its target.
/// </summary>
internal static class Disk
{
    private const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode Readable = Private | UnixFileMode.GroupRead | UnixFileMode.OtherRead;
    private const UnixFileMode OthersMayWrite = UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;
    private const UnixFileMode Folder =
        Readable | UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute;
    private const int MaxLinks = 40;

    /// <summary>What Windows says of a file that another process has locked (ERROR_SHARING_VIOLATION).</summary>
    private const int IsLockedResult = unchecked((int)0x80070020);
    private const uint Root = 0;

    /// <summary>Whether an exception is the file system's.</summary>
    internal static bool IsFault(Exception error) =>
        error is IOException or UnauthorizedAccessException or System.Security.SecurityException
            or NotSupportedException;

    /// <summary>
    /// Returns the content of a file that was installed with the application, or null if it does not exist. It is
    /// trusted like the application's code, so links to it are followed.
    /// </summary>
    /// <exception cref="IOException">It cannot be read, is not a regular file, or is larger than the limit.</exception>
    internal static byte[]? ReadInstalled(string path, int limit) =>
        Read(() => Open(path, forWriting: false, throughLinks: true, Irregular), limit);

    /// <summary>
    /// Returns the content of license.bin, or null if it does not exist. In a folder that others may write to, it has
    /// to belong to this user or to root.
    /// </summary>
    /// <exception cref="RefusedFileException">Neither this user nor an administrator has installed it.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    internal static byte[]? ReadLicense(string path, int limit) => Read(
        () =>
        {
            var real = InRealFolder(path, create: false);
            return Open(real, forWriting: false, throughLinks: false, found => Untrusted(found, real));
        }, limit);

    /// <summary>Returns the content of a file of this user, or null if it does not exist.</summary>
    /// <exception cref="RefusedFileException">The SDK has not written it for this user.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    internal static byte[]? ReadOwn(string path, int limit) => Read(
        () => Open(InRealFolder(path, create: false), forWriting: false, throughLinks: false, NotOwn), limit);

    /// <summary>
    /// Returns what was written once into a file of this user, or null if it does not exist. Such a file is never changed,
    /// so it may have another name: it has one while it is created.
    /// </summary>
    /// <exception cref="RefusedFileException">It is not a file of this user.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    internal static byte[]? ReadSecret(string path, int limit) => Read(
        () => Open(InRealFolder(path, create: false), forWriting: false, throughLinks: false, OfAnother), limit);

    /// <summary>Replaces a file that only this user may read, atomically; creates missing folders.</summary>
    /// <exception cref="IOException">The write failed; an existing file is unchanged.</exception>
    internal static void WriteOwn(string path, byte[] content) =>
        Replace(InRealFolder(path, create: true), content, Private);

    /// <summary>
    /// Creates a file that only this user may read, complete or not at all, unless there is something under this name,
    /// which stays; creates missing folders.
    /// </summary>
    /// <exception cref="IOException">The write failed.</exception>
    internal static void WriteOnce(string path, byte[] content) =>
        Place(InRealFolder(path, create: true), content, Private, PutOnce);

    /// <summary>
    /// Replaces license.bin atomically; creates missing folders. Other users may read it, unless the existing file
    /// says otherwise; they may never change it.
    /// </summary>
    /// <exception cref="RefusedFileException">
    /// Another user has put something in its place that cannot be replaced.
    /// </exception>
    /// <exception cref="IOException">The write failed; an existing file is unchanged.</exception>
    internal static void WriteLicense(string path, byte[] content)
    {
        var real = InRealFolder(path, create: true);
        var existing = Look(real, throughLinks: false);
        var refusal = existing is null ? null : Untrusted(existing, real);
        var mode = existing is not null && refusal is null ? existing.Mode : Readable;
        try
        {
            Replace(real, content, mode & ~OthersMayWrite);
        }
        catch (Exception error) when (refusal is not null && IsFault(error))
        {
            throw new RefusedFileException(refusal);
        }
    }

    /// <summary>Opens a file of this user that exists; others may read it meanwhile.</summary>
    /// <exception cref="RefusedFileException">The SDK has not written it for this user.</exception>
    /// <exception cref="IOException">It cannot be opened.</exception>
    internal static FileStream OpenOwn(string path, bool forWriting) => Open(
        InRealFolder(path, create: false), forWriting, throughLinks: false, NotOwn, FileShare.ReadWrite | FileShare.Delete);

    /// <summary>Opens a file of this user, locked against other processes; creates it if it does not exist.</summary>
    /// <exception cref="IOException">There is something else under this name, or another process has it.</exception>
    internal static FileStream OpenLocked(string path)
    {
        CreateIfMissing(path);
        if (!UnixFiles.IsSupported)
        {
            Accept(Look(path, throughLinks: false), NotOwn);
            return new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None);
        }
        var stream = Open(path, forWriting: true, throughLinks: false, NotOwn);
        if (UnixFiles.TryLock(stream.SafeFileHandle))
        {
            return stream;
        }
        stream.Dispose();
        throw new IOException("Another process has locked it.", IsLockedResult);
    }

    /// <summary>Whether an exception says that another process has locked a file, which it may soon unlock.</summary>
    internal static bool IsLocked(Exception error) => error is IOException { HResult: IsLockedResult };

    /// <summary>
    /// Opens the part of a download that is there already, or creates one. Only a part that this user has created,
    /// and no one else can write to, is continued.
    /// </summary>
    internal static (string Path, FileStream Stream) OpenPart(string target, string label)
    {
        var stem = Path.Combine(Path.GetDirectoryName(target)!, $".{Path.GetFileName(target)}.{label}");
        var path = $"{stem}.part";
        CreateIfMissing(path);
        try
        {
            var stream = Open(path, forWriting: true, throughLinks: false, NotOwn);
            if (!UnixFiles.IsSupported || (UnixFiles.Look(stream.SafeFileHandle).Mode & OthersMayWrite) == 0)
            {
                return (path, stream);
            }
            stream.Dispose();
            File.Delete(path);
        }
        catch (RefusedFileException)
        {
            path = $"{stem}.{RandomName()}.part";
        }
        return (path, Create(path));
    }

    /// <summary>
    /// Gives a finished file its name. Returns false if it is not the file that was open: another program has
    /// replaced it.
    /// </summary>
    internal static bool Publish(string path, string target, FileFacts? verified)
    {
        File.Move(path, target, overwrite: true);
        return verified is null || Look(target, throughLinks: false)?.Identity == verified.Identity;
    }

    /// <summary>Lets every user read a file that is open; returns its facts, where the system has them.</summary>
    internal static FileFacts? MakeReadable(FileStream stream)
    {
        SetMode(stream, Readable);
        return UnixFiles.IsSupported ? UnixFiles.Look(stream.SafeFileHandle) : null;
    }

    /// <summary>Creates a folder, if it is missing, that others may not write to; returns the real one.</summary>
    internal static string MakeFolder(string folder) => RealFolder(folder, create: true);

    /// <summary>A folder without the links on the way to it.</summary>
    /// <exception cref="RefusedFileException">A link on the way belongs neither to this user nor to root.</exception>
    internal static string RealFolder(string folder, bool create)
    {
        var absolute = Path.GetFullPath(folder);
        var real = Path.GetPathRoot(absolute)!;
        var rest = new Stack<string>(Parts(absolute[real.Length..]));
        for (var links = 0; rest.TryPop(out var part);)
        {
            var place = part == ".." ? Path.GetDirectoryName(real) ?? real : Path.Combine(real, part);
            var found = Look(place, throughLinks: false);
            if (found is null && create)
            {
                CreateFolder(place);
            }
            if (found is not { IsLink: true } || !UnixFiles.IsSupported)
            {
                real = place;
                continue;
            }
            if (++links > MaxLinks)
            {
                throw new RefusedFileException($"the links at {place} go round in circles");
            }
            if (found.Owner != Root && found.Owner != UnixFiles.CurrentUser)
            {
                throw new RefusedFileException($"{place} is a link of another user");
            }
            var target = new FileInfo(place).LinkTarget ?? throw new IOException($"{place} has changed");
            real = Path.IsPathRooted(target) ? "/" : real;
            foreach (var name in Parts(target))
            {
                rest.Push(name);
            }
        }
        return real;
    }

    /// <summary>Whether every user of the machine may write to a folder.</summary>
    internal static bool IsShared(string folder)
    {
        try
        {
            return UnixFiles.IsSupported && Look(folder, throughLinks: true)?.Mode.HasFlag(UnixFileMode.OtherWrite) == true;
        }
        catch (Exception error) when (IsFault(error))
        {
            return false;
        }
    }

    /// <summary>Whether a name is taken, also by a link that leads nowhere.</summary>
    internal static bool IsTaken(string path)
    {
        try
        {
            return Look(path, throughLinks: false) is not null;
        }
        catch (Exception error) when (IsFault(error))
        {
            return false;
        }
    }

    internal static void Delete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception error) when (IsFault(error))
        {
            // It is only a leftover.
        }
    }

    private static byte[]? Read(Func<FileStream> open, int limit)
    {
        try
        {
            using var stream = open();
            var content = new byte[Math.Min(limit + 1L, stream.Length + 1)];
            var length = 0;
            for (int read; (read = stream.Read(content, length, content.Length - length)) > 0;)
            {
                length += read;
            }
            return length <= limit ? content[..length] : throw new RefusedFileException($"it is larger than {limit} bytes");
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    private static FileStream Open(
        string path, bool forWriting, bool throughLinks, Func<FileFacts, string?> refusal, FileShare? share = null)
    {
        // Looking first keeps devices closed; looking again judges the file that was opened.
        Accept(Look(path, throughLinks), refusal);
        var access = forWriting ? FileAccess.ReadWrite : FileAccess.Read;
        if (!UnixFiles.IsSupported)
        {
            var usual = forWriting ? FileShare.None : FileShare.ReadWrite | FileShare.Delete;
            return new FileStream(path, FileMode.Open, access, share ?? usual);
        }
        SafeFileHandle handle = UnixFiles.Open(path, forWriting, throughLinks);
        try
        {
            Accept(UnixFiles.Look(handle), refusal);
            return new FileStream(handle, access);
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    private static void Accept(FileFacts? found, Func<FileFacts, string?> refusal)
    {
        if (refusal(found ?? throw new FileNotFoundException()) is { } reason)
        {
            throw new RefusedFileException(reason);
        }
    }

    private static FileFacts? Look(string path, bool throughLinks)
    {
        if (UnixFiles.IsSupported)
        {
            return UnixFiles.Look(path, throughLinks);
        }
        var found = new FileInfo(path);
        if (!found.Exists && !Directory.Exists(path) && found.LinkTarget is null)
        {
            return null;
        }
        return new FileFacts(
            !throughLinks && found.LinkTarget is not null,
            (found.Attributes & (FileAttributes.Directory | FileAttributes.Device)) == 0,
            1, Root, 0, default);
    }

    private static string? Irregular(FileFacts found) =>
        found.IsLink ? "it is a link; name the file that it points to"
        : found.IsRegular ? null
        : "it is not a regular file";

    private static string? NotOwn(FileFacts found) => OfAnother(found) ?? AlsoNamed(found);

    private static string? OfAnother(FileFacts found) =>
        Irregular(found)
        ?? (UnixFiles.IsSupported && found.Owner != UnixFiles.CurrentUser ? "it belongs to another user" : null);

    private static string? Untrusted(FileFacts found, string path)
    {
        var reason = Irregular(found) ?? AlsoNamed(found);
        if (reason is not null || !UnixFiles.IsSupported || found.Owner == Root || found.Owner == UnixFiles.CurrentUser)
        {
            return reason;
        }
        // Otherwise only the owner of the folder can have put it there.
        return Look(Path.GetDirectoryName(path)!, throughLinks: false) is { } folder && (folder.Mode & OthersMayWrite) == 0
            ? null
            : "it belongs to another user, and others may write to its folder";
    }

    // None at all: another process has just replaced the file.
    private static string? AlsoNamed(FileFacts found) =>
        found.Links > 1 ? "it has another name as well (a hard link)" : null;

    private static string InRealFolder(string path, bool create)
    {
        var absolute = Path.GetFullPath(path);
        return Path.Combine(RealFolder(Path.GetDirectoryName(absolute) ?? absolute, create), Path.GetFileName(absolute));
    }

    private static IEnumerable<string> Parts(string path) =>
        path.Split(
            new[] { Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar }, StringSplitOptions.RemoveEmptyEntries)
            .Where(part => part != ".").Reverse();

    private static void CreateFolder(string folder)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(folder);
        }
        else
        {
            Directory.CreateDirectory(folder, Folder);
        }
    }

    private static void CreateIfMissing(string path)
    {
        if (!IsTaken(path))
        {
            try
            {
                Create(path).Dispose();
            }
            catch (IOException) when (IsTaken(path))
            {
                // Another process was faster.
            }
        }
    }

    /// <summary>Creates a file that only this user may read.</summary>
    private static FileStream Create(string path)
    {
        var options = new FileStreamOptions
        {
            Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, Share = FileShare.None,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = Private;
        }
        return new FileStream(path, options);
    }

    private static void Replace(string path, byte[] content, UnixFileMode mode) =>
        Place(path, content, mode, (temporary, target) => File.Move(temporary, target, overwrite: true));

    private static void PutOnce(string temporary, string path)
    {
        try
        {
            // On Unix, the framework only looks whether the name is free, and another process may take it then.
            if (!UnixFiles.IsSupported || !UnixFiles.TryLink(temporary, path))
            {
                File.Move(temporary, path);
            }
        }
        catch (IOException) when (IsTaken(path))
        {
            // Another process was faster.
        }
        Delete(temporary);
    }

    private static void Place(string path, byte[] content, UnixFileMode mode, Action<string, string> put)
    {
        var temporary = Path.Combine(Path.GetDirectoryName(path)!, $".{Path.GetFileName(path)}.{RandomName()}.tmp");
        try
        {
            using (var stream = Create(temporary))
            {
                stream.Write(content);
                SetMode(stream, mode);
                stream.Flush(flushToDisk: true);
            }
            put(temporary, path);
        }
        catch
        {
            Delete(temporary);
            throw;
        }
    }

    private static void SetMode(FileStream stream, UnixFileMode mode)
    {
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(stream.SafeFileHandle, mode);
        }
    }

    private static string RandomName() => Convert.ToHexString(RandomNumberGenerator.GetBytes(8)).ToLowerInvariant();
}
