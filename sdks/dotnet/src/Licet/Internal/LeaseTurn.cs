namespace Licet.Internal;

/// <summary>
/// The turn of one copy of the application to change a lease, while the others wait: two renewals at once look to the
/// server like a copied folder.
/// </summary>
internal static class LeaseTurn
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    /// <summary>Waits for the turn, at most as long as the client's calls may take.</summary>
    /// <exception cref="LicenseFileException">Another copy keeps the turn, or the file of the lock cannot be opened.</exception>
    internal static async Task<IDisposable> WaitAsync(LicenseCore core, string leasePath, CancellationToken cancellationToken)
    {
        for (var started = Api.Monotonic; ;)
        {
            try
            {
                return Take(leasePath);
            }
            catch (Exception error) when (Disk.IsFault(error))
            {
                if (!Disk.IsLocked(error) || Api.Monotonic - started > core.Config.Timeout)
                {
                    throw KeptLease.Unwritable(LockOf(leasePath), error);
                }
            }
            await Task.Delay(Pause, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Takes the turn at once.</summary>
    /// <exception cref="IOException">Another copy has it, or the file of the lock cannot be opened.</exception>
    internal static IDisposable Take(string leasePath)
    {
        Disk.MakeFolder(Path.GetDirectoryName(leasePath)!);
        return Disk.OpenLocked(LockOf(leasePath));
    }

    private static string LockOf(string leasePath) => $"{leasePath}.lock";
}
