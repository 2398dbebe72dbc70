using System.Runtime.InteropServices;

namespace Licet.Internal;

/// <summary>Something that does not outlive the process, with what is done about it.</summary>
internal sealed class ExitTarget
{
    internal ExitTarget(Func<Task> end, Func<Task> giveBack) => (End, GiveBack) = (end, giveBack);

    /// <summary>Closes it: the process ends for certain.</summary>
    internal Func<Task> End { get; }

    /// <summary>Gives back what others wait for, at a signal that the process may survive.</summary>
    internal Func<Task> GiveBack { get; }
}

/// <summary>
/// Gives back the seats of open sessions, and stops watches, when the process ends without closing them: at a
/// normal end and at SIGTERM, which .NET reports as such; at SIGINT and SIGHUP seats are given back. The
/// application's own handlers are not replaced, and the default action of a signal still follows. Whether a
/// handler that comes later lets the process live cannot be known, so a signal closes nothing: a session that
/// survives connects again.
/// </summary>
internal static class ExitHooks
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(3);
    private static readonly HashSet<ExitTarget> Open = new();
    private static readonly List<PosixSignalRegistration> Registrations = new();
    private static bool _watchesExit;

    internal static void Add(ExitTarget target, bool handleSignals)
    {
        lock (Open)
        {
            Open.Add(target);
            if (!_watchesExit)
            {
                _watchesExit = true;
                AppDomain.CurrentDomain.ProcessExit += (_, _) => Release(target => target.End());
            }
            if (handleSignals && Registrations.Count == 0)
            {
                Registrations.AddRange(new[] { PosixSignal.SIGINT, PosixSignal.SIGHUP }.Select(Register).OfType<PosixSignalRegistration>());
            }
        }
    }

    internal static void Remove(ExitTarget target)
    {
        lock (Open)
        {
            Open.Remove(target);
        }
    }

    private static PosixSignalRegistration? Register(PosixSignal signal)
    {
        try
        {
            return PosixSignalRegistration.Create(signal, context =>
            {
                if (!context.Cancel)
                {
                    Release(target => target.GiveBack());
                }
            });
        }
        catch (PlatformNotSupportedException)
        {
            return null;
        }
    }

    private static void Release(Func<ExitTarget, Task> release)
    {
        ExitTarget[] targets;
        lock (Open)
        {
            targets = Open.ToArray();
        }
        // Not on this thread: the application may have a synchronization context that no longer runs.
        try
        {
            Task.Run(() => Task.WhenAll(targets.Select(release))).Wait(Limit);
        }
        catch (AggregateException)
        {
            // The client was disposed meanwhile; seats that were not given back time out.
        }
    }
}
