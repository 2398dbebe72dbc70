namespace Licet.Internal;

/// <summary>
/// The journal on disk: the ID of the lease, then a line for each charge, each ended by a newline. A charge is on the disk
/// before it is confirmed. A last line without a newline was therefore not, and is left out. Lines that this process has
/// read are not read again, as long as the last of them is still in its place.
/// </summary>
internal sealed class JournalFile
{
    private const int MaxBytes = 1 << 28;
    private static readonly Encoding Strict = new UTF8Encoding(false, throwOnInvalidBytes: true);

    private readonly string _path;
    private readonly Action<string> _log;
    private readonly object _lock = new();
    private Journal? _known;
    private long _length;
    private string? _fault;

    internal JournalFile(string path, Action<string> log) => (_path, _log) = (path, log);

    /// <summary>The journal of a lease; null if there is none that counts, which is logged.</summary>
    /// <param name="leaseId">The lease.</param>
    /// <param name="reported">How many lines it has at least.</param>
    /// <param name="amount">What its lines cost at most; null if that is not known.</param>
    internal Journal? Load(string leaseId, int reported = 0, decimal? amount = null)
    {
        lock (_lock)
        {
            try
            {
                using var stream = Disk.OpenOwn(_path, forWriting: false);
                var journal = Read(stream, leaseId);
                RejectedTokenException.Require(journal.End.Lines >= reported, "lines are missing that were reported");
                RejectedTokenException.Require(!(journal.End.Used > amount), "it has spent more than was reserved");
                _fault = null;
                return journal;
            }
            catch (Exception error) when (Disk.IsFault(error) || error is RejectedTokenException or DecoderFallbackException)
            {
                Forget();
                var fault = $"Reserved credits are not used: their journal {Path.GetFileName(_path)} cannot be: {error.Message}";
                if (fault != _fault)
                {
                    _log(fault);
                }
                _fault = fault;
                return null;
            }
        }
    }

    /// <summary>Begins the journal of a lease, unless it was begun before.</summary>
    /// <exception cref="LicenseFileException">It cannot be written.</exception>
    internal Journal Create(string leaseId)
    {
        lock (_lock)
        {
            if (Disk.IsTaken(_path) && Load(leaseId) is { } begun)
            {
                return begun;
            }
            Forget();
            try
            {
                Disk.WriteOwn(_path, Encoding.UTF8.GetBytes($"{leaseId}\n"));
            }
            catch (Exception error) when (Disk.IsFault(error))
            {
                throw KeptLease.Unwritable(_path, error);
            }
            return new Journal(leaseId);
        }
    }

    /// <summary>
    /// Adds a line to the journal as it was loaded; it is on the disk when this returns. No other copy may write meanwhile.
    /// </summary>
    /// <exception cref="LicenseFileException">It cannot be written.</exception>
    internal Journal Append(Journal journal, string text)
    {
        var longer = journal.With(text);
        lock (_lock)
        {
            try
            {
                using var stream = Disk.OpenOwn(_path, forWriting: true);
                RejectedTokenException.Require(Read(stream, journal.LeaseId).End == journal.End, "it has changed");
                var end = _length;
                Forget();
                stream.SetLength(end);
                stream.Position = end;
                try
                {
                    stream.Write(Encoding.UTF8.GetBytes($"{text}\n"));
                    stream.Flush(flushToDisk: true);
                }
                catch
                {
                    stream.SetLength(end); // the charge was not made
                    throw;
                }
                (_known, _length) = (longer, stream.Length);
                return longer;
            }
            catch (Exception error) when (Disk.IsFault(error) || error is RejectedTokenException or DecoderFallbackException)
            {
                throw KeptLease.Unwritable(_path, error);
            }
        }
    }

    /// <summary>Deletes the journal of a lease that is over.</summary>
    internal void Delete()
    {
        lock (_lock)
        {
            Forget();
            Disk.Delete(_path);
        }
    }

    private void Forget() => (_known, _length) = (null, 0);

    private Journal Read(FileStream stream, string leaseId)
    {
        var journal = _known is { } known && known.LeaseId == leaseId && EndsWith(stream, known.LastText) ? known : null;
        var start = journal is null ? 0 : _length;
        RejectedTokenException.Require(stream.Length <= MaxBytes, "it is too large");
        var rest = ReadAt(stream, start, (int)(stream.Length - start));
        var length = Array.LastIndexOf(rest, (byte)'\n') + 1;
        var lines = Strict.GetString(rest, 0, length).Split('\n')[..^1];
        if (journal is null)
        {
            RejectedTokenException.Require(lines.FirstOrDefault() == leaseId, "it is of another reservation");
            (journal, lines) = (new Journal(leaseId), lines[1..]);
        }
        journal = lines.Aggregate(journal, (chain, text) => chain.With(text));
        (_known, _length) = (journal, start + length);
        return journal;
    }

    /// <summary>Whether the last line that is known is still where it was.</summary>
    private bool EndsWith(FileStream stream, string? last)
    {
        if (last is null)
        {
            return false;
        }
        var bytes = Encoding.UTF8.GetBytes($"{last}\n");
        return stream.Length >= _length && ReadAt(stream, _length - bytes.Length, bytes.Length).SequenceEqual(bytes);
    }

    private static byte[] ReadAt(FileStream stream, long position, int length)
    {
        var bytes = new byte[length];
        stream.Position = position;
        stream.ReadExactly(bytes);
        return bytes;
    }
}
