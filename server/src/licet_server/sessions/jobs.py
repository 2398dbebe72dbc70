"""The background work of sessions."""

from licet_server.archives.service.archiving import archive_rows
from licet_server.kit.platform import Platform
from licet_server.sessions.service.archiving import SESSIONS
from licet_server.sessions.service.ending import end_expired_sessions
from licet_server.sessions.service.peaks import keep_peaks


async def reap(platform: Platform) -> int:
    """End the sessions that timed out, in batches. Returns how many.

    Their seats can be claimed without it; it frees the slots and records the events.
    """
    return await end_expired_sessions(platform)


async def archive_sessions(platform: Platform) -> int:
    """Archive sessions that ended long ago; return how many."""
    return await archive_rows(platform, SESSIONS, platform.settings.keep_sessions)


async def keep_session_peaks(platform: Platform) -> int:
    """Count sessions that last for days in the peaks of each, and delete old peaks."""
    return await keep_peaks(platform)
