"""The background work of archives."""

from licet_server.archives.service.archiving import archive_rows
from licet_server.archives.service.events import EVENTS
from licet_server.kit.platform import Platform


async def archive_events(platform: Platform) -> int:
    """Archive old events of the audit log; returns how many."""
    return await archive_rows(platform, EVENTS, platform.settings.keep_events)
