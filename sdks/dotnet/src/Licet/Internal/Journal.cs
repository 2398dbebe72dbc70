using System.Collections.Immutable;

namespace Licet.Internal;

/// <summary>How far a journal goes, as a receipt says it.</summary>
/// <param name="Lines">The number of the last line; 0 for none.</param>
/// <param name="Used">The sum of the costs up to it.</param>
/// <param name="Head">Its hash; for none that of the lease's ID.</param>
internal sealed record JournalMark(int Lines, decimal Used, string Head);

/// <summary>The charges of reserved credits: a chain of lines that begins with the ID of the lease.</summary>
internal sealed class Journal
{
    private readonly ImmutableList<Entry> _entries;
    private readonly ImmutableDictionary<string, JournalLine> _byKey;

    internal Journal(string leaseId)
        : this(leaseId, ImmutableList<Entry>.Empty, ImmutableDictionary.Create<string, JournalLine>(StringComparer.Ordinal)) { }

    private Journal(string leaseId, ImmutableList<Entry> entries, ImmutableDictionary<string, JournalLine> byKey) =>
        (LeaseId, _entries, _byKey) = (leaseId, entries, byKey);

    internal string LeaseId { get; }

    /// <summary>Where the chain ends.</summary>
    internal JournalMark End => MarkAt(_entries.Count);

    /// <summary>The text of the last line; null if there is none.</summary>
    internal string? LastText => _entries.Count == 0 ? null : _entries[^1].Text;

    /// <summary>The chain with one more line.</summary>
    /// <exception cref="RejectedTokenException">The text does not continue the chain.</exception>
    internal Journal With(string text)
    {
        var end = End;
        var line = JournalLine.Read(text) ?? throw new RejectedTokenException($"line {end.Lines + 1} is no charge");
        RejectedTokenException.Require(
            line.Number == end.Lines + 1 && line.Previous == end.Head, $"line {end.Lines + 1} does not follow the one before");
        var mark = new JournalMark(line.Number, end.Used + line.Cost, JournalLine.Hash(text));
        // A key that is there twice was charged once.
        return new Journal(
            LeaseId, _entries.Add(new Entry(text, mark)), _byKey.ContainsKey(line.Key) ? _byKey : _byKey.Add(line.Key, line));
    }

    /// <summary>The charge with this idempotency key; null if there is none.</summary>
    internal JournalLine? Find(string key) => _byKey.GetValueOrDefault(key);

    /// <summary>The chain up to a line.</summary>
    internal JournalMark MarkAt(int lines) =>
        lines == 0 ? new JournalMark(0, 0, JournalLine.Hash(LeaseId)) : _entries[lines - 1].Mark;

    /// <summary>The lines after one, up to another.</summary>
    internal IEnumerable<string> Texts(int after, int upTo) =>
        _entries.GetRange(after, upTo - after).Select(entry => entry.Text);

    private sealed record Entry(string Text, JournalMark Mark);
}
