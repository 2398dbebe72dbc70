using System.Runtime.InteropServices;

namespace Licet.Internal;

/// <summary>
/// Gives back the seats of open sessions when the process ends without closing them: at a normal end and
/// at SIGTERM, which .NET reports as such, and at SIGINT and SIGHUP. The application's own handlers are
/// not replaced, and the default action of a signal still follows. Whether a handler that comes later lets
/// the process live cannot be known, so a signal closes no session: one that survives connects again.
/// </summary>
internal static class ExitHooks
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(3);
    private static readonly HashSet<LicenseSession> Open = new();
    private static readonly List<PosixSignalRegistration> Registrations = new();
    private static bool _watchesExit;

    internal static void Add(LicenseSession session, bool handleSignals)
    {
        lock (Open)
        {
            Open.Add(session);
            if (!_watchesExit)
            {
                _watchesExit = true;
                AppDomain.CurrentDomain.ProcessExit += (_, _) => Release(session => session.DisposeAsync().AsTask());
            }
            if (handleSignals && Registrations.Count == 0)
            {
                Registrations.AddRange(new[] { PosixSignal.SIGINT, PosixSignal.SIGHUP }.Select(Register).OfType<PosixSignalRegistration>());
            }
        }
    }

    internal static void Remove(LicenseSession session)
    {
        lock (Open)
        {
            Open.Remove(session);
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
                    Release(session => session.ReturnSeatAsync());
                }
            });
        }
        catch (PlatformNotSupportedException)
        {
            return null;
        }
    }

    private static void Release(Func<LicenseSession, Task> release)
    {
        LicenseSession[] sessions;
        lock (Open)
        {
            sessions = Open.ToArray();
        }
        // Not on this thread: the application may have a synchronization context that no longer runs.
        try
        {
            Task.Run(() => Task.WhenAll(sessions.Select(release))).Wait(Limit);
        }
        catch (AggregateException)
        {
            // The client was disposed meanwhile; seats that were not given back time out.
        }
    }
}
