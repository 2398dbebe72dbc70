"""Use cases of sessions, and the counts that other features ask for."""

from licet_server.sessions.service.devices import (
    block_device,
    deactivate_device,
    free_own_device,
    release_device,
)
from licet_server.sessions.service.ending import force_disconnect, tidy_up
from licet_server.sessions.service.reading import (
    LicenseSessions,
    SessionStatistics,
    list_sessions,
    live_counts,
    session_statistics,
)
from licet_server.sessions.service.runtime import ConnectRequest, Sessions

__all__ = [
    "ConnectRequest",
    "LicenseSessions",
    "SessionStatistics",
    "Sessions",
    "block_device",
    "deactivate_device",
    "force_disconnect",
    "free_own_device",
    "list_sessions",
    "live_counts",
    "release_device",
    "session_statistics",
    "tidy_up",
]
