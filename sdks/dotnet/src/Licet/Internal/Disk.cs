using System.Security.Cryptography;

namespace Licet.Internal;

/// <summary>Atomic file replacement and bounded reads.</summary>
internal static class Disk
{
    /// <summary>Whether an exception is the file system's.</summary>
    internal static bool IsFault(Exception error) =>
        error is IOException or UnauthorizedAccessException or System.Security.SecurityException
            or NotSupportedException;

    /// <summary>Returns the content of a file, or null if the file does not exist.</summary>
    /// <exception cref="IOException">The file cannot be read or is larger than the limit.</exception>
    internal static byte[]? ReadLimited(string path, int limit)
    {
        try
        {
            using var stream = new FileStream(
                path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            var content = new byte[Math.Min(limit + 1L, stream.Length + 1)];
            var length = 0;
            for (int read; (read = stream.Read(content, length, content.Length - length)) > 0;)
            {
                length += read;
            }
            return length <= limit ? content[..length] : throw new IOException($"larger than {limit} bytes");
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    /// <summary>
    /// Replaces a file atomically and durably; creates missing folders. The mode of an existing file is kept,
    /// so that a file shared between users stays shared.
    /// </summary>
    /// <exception cref="IOException">The write failed; an existing file is unchanged.</exception>
    internal static void WriteAtomically(string path, byte[] content)
    {
        var target = Path.GetFullPath(path);
        if (File.Exists(target))
        {
            target = File.ResolveLinkTarget(target, returnFinalTarget: true)?.FullName ?? target;
        }
        var folder = Path.GetDirectoryName(target)!;
        Directory.CreateDirectory(folder);
        var random = Convert.ToHexString(RandomNumberGenerator.GetBytes(8)).ToLowerInvariant();
        var temporary = Path.Combine(folder, $".{Path.GetFileName(target)}.{random}.tmp");
        try
        {
            using (var stream = new FileStream(temporary, FileMode.CreateNew, FileAccess.Write, FileShare.None))
            {
                stream.Write(content);
                stream.Flush(flushToDisk: true);
            }
            if (!OperatingSystem.IsWindows() && File.Exists(target))
            {
                File.SetUnixFileMode(temporary, File.GetUnixFileMode(target));
            }
            File.Move(temporary, target, overwrite: true);
        }
        catch
        {
            Delete(temporary);
            throw;
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
}
