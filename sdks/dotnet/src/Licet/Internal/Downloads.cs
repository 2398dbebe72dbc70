using System.Net.Http;
using System.Net.Http.Headers;
using System.Security.Cryptography;

namespace Licet.Internal;

/// <summary>Resumable downloads in chunks, verified by SHA-256.</summary>
internal static class Downloads
{
    private const int ChunkBytes = 1 << 20;
    private static readonly TimeSpan ChunkTimeout = TimeSpan.FromSeconds(60);
    private static readonly RetryPolicy Retries = new(5, 5, RetryPolicy.IsTransient);

    /// <summary>Downloads the missing part of the file, verifies the file, and renames it to its final name.</summary>
    internal static async Task<string> DownloadAsync(
        LicenseCore core, UpdateFile file, string path, IProgress<DownloadProgress>? progress,
        CancellationToken cancellationToken)
    {
        RequireProtected(file);
        var target = Directory.Exists(path) ? Path.Combine(path, PlainName(file)) : Path.GetFullPath(path);
        var real = Path.Combine(
            Disk.RealFolder(Path.GetDirectoryName(target)!, create: false), Path.GetFileName(target));
        string sha256;
        FileFacts? verified;
        var (partial, stream) = Disk.OpenPart(real, file.Sha256[..16]);
        await using (stream.ConfigureAwait(false))
        {
            var received = Math.Min(stream.Length, file.SizeBytes);
            stream.SetLength(received);
            stream.Position = received;
            while (received < file.SizeBytes)
            {
                (var chunk, file) = await NextChunkAsync(core, file, received, cancellationToken).ConfigureAwait(false);
                await stream.WriteAsync(chunk, cancellationToken).ConfigureAwait(false);
                received += chunk.Length;
                progress?.Report(new DownloadProgress(received, file.SizeBytes));
            }
            stream.Flush(flushToDisk: true);
            // What was received need not be what is on the disk.
            stream.Position = 0;
            sha256 = Convert.ToHexString(await SHA256.HashDataAsync(stream, cancellationToken).ConfigureAwait(false))
                .ToLowerInvariant();
            verified = Disk.MakeReadable(stream);
        }
        if (sha256 != file.Sha256)
        {
            Disk.Delete(partial);
            throw new UpdateException(
                LicetErrorCode.DamagedDownload,
                $"The SHA-256 of {file.Name} does not match, so the download was deleted. Download it again; if the "
                + "problem persists, a proxy may be changing downloads.");
        }
        return Disk.Publish(partial, real, verified)
            ? target
            : throw new UpdateException(
                LicetErrorCode.DamagedDownload,
                $"Another program has replaced {file.Name} during the download. Download it into a folder that only this "
                + "user can write to.");
    }

    /// <summary>Fetches the next chunk; returns it and the file with its current download URL.</summary>
    private static async Task<(byte[] Chunk, UpdateFile File)> NextChunkAsync(
        LicenseCore core, UpdateFile file, long start, CancellationToken cancellationToken)
    {
        try
        {
            return (await FetchAsync(core, file, start, cancellationToken).ConfigureAwait(false), file);
        }
        catch (LicetServerException error) when (error.Code == LicetErrorCode.ApiKeyRefused)
        {
            // The download URL has expired: get a new one for the same file.
        }
        catch (RequestRefusedException error) when (error.HttpStatus == 404)
        {
            throw Withdrawn(file, error.RequestId);
        }
        var update = await Updates.CheckAsync(core, file.Channel, file.Platform, cancellationToken).ConfigureAwait(false);
        var renewed = update.Files.FirstOrDefault(offered =>
            offered.Name == file.Name && offered.Platform == file.Platform && offered.Sha256 == file.Sha256)
            ?? throw Withdrawn(file, null);
        return (await FetchAsync(core, renewed, start, cancellationToken).ConfigureAwait(false), renewed);
    }

    private static Task<byte[]> FetchAsync(
        LicenseCore core, UpdateFile file, long start, CancellationToken cancellationToken)
    {
        var (url, end) = (new Uri(file.DownloadUrl), Math.Min(start + ChunkBytes, file.SizeBytes));
        return Api.RetryAsync(
            async timeout =>
            {
                using var request = new HttpRequestMessage(HttpMethod.Get, url);
                request.Headers.Range = new RangeHeaderValue(start, end - 1);
                request.Headers.TryAddWithoutValidation("User-Agent", Api.UserAgent);
                var reply = await core.Api.Http.SendAsync(request, timeout, cancellationToken).ConfigureAwait(false);
                return IsRequestedRange(reply, start, end, file.SizeBytes)
                    ? reply.Body
                    : throw ServerErrors.Of(reply, url, core.Config.Now, status => status == 200)
                        ?? ServerErrors.Unexpected(
                            "The response is not the requested part of the file. Check whether a proxy changes "
                            + "downloads.", reply.RequestId, reply.Status);
            },
            Retries, core.Config.Timeout > ChunkTimeout ? core.Config.Timeout : ChunkTimeout, cancellationToken);
    }

    private static bool IsRequestedRange(Reply reply, long start, long end, long size) =>
        reply.Body.Length == end - start
        && (reply.Status == 206
            ? reply.ContentHeaders.TryGetValues("Content-Range", out var ranges)
                && ranges.First() == $"bytes {start}-{end - 1}/{size}"
            : reply.Status == 200 && end - start == size);

    private static void RequireProtected(UpdateFile file)
    {
        if (!Addresses.IsProtected(file.DownloadUrl))
        {
            throw new UpdateException(
                LicetErrorCode.UntrustedUpdate,
                $"{file.Name} is not downloaded: its address does not use https. Check for an update again.");
        }
    }

    private static string PlainName(UpdateFile file) =>
        file.Name is "" or "." or ".." || file.Name.IndexOfAny(new[] { '/', '\\', '\0', ':' }) >= 0
            ? throw new ArgumentException(
                $"'{file.Name}' is not a valid file name here. Pass the path of the file instead of a folder.", nameof(file))
            : file.Name;

    private static RequestRefusedException Withdrawn(UpdateFile file, string? requestId) =>
        new(
            LicetErrorCode.DownloadWithdrawn,
            $"The vendor no longer offers {file.Name}. Check for an update again.", 404)
        {
            ErrorCode = "NotFound",
            RequestId = requestId,
        };
}
