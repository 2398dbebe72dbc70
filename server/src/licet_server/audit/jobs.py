"""The background work of the audit log."""

from licet_server.audit.service.sealing import seal_events
from licet_server.kit.platform import Platform


async def seal(platform: Platform) -> int:
    """Put new events into the chains; answers how many."""
    return await seal_events(platform)
