namespace Licet.Internal;

/// <summary>
/// The device key on disk, which only this user may read. Copies of the application that start at the same time take the
/// one that was made first. A key that cannot be kept is none: the next start would have another.
/// </summary>
internal static class DeviceKeyFile
{
    internal const string Name = "device-key.json";
    private const int MaxBytes = 4096;

    /// <summary>The key in this file; null if there is none.</summary>
    /// <exception cref="IOException">It cannot be read, or is not a key.</exception>
    internal static DeviceKey? Load(string path) =>
        Disk.ReadSecret(path, MaxBytes) is not { } raw
            ? null
            : DeviceKey.Read(raw) ?? throw new RefusedFileException("it does not contain a P-256 key");

    /// <summary>Makes the key of this file, unless there is one by now, and returns what is kept.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    internal static DeviceKey Create(string path)
    {
        Disk.WriteOnce(path, DeviceKey.Create().ToJwk());
        return Load(path) ?? throw new IOException("it was deleted again");
    }
}
