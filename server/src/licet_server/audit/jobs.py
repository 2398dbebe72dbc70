"""The background work of the audit log."""

from licet_server.audit.service import sealing
from licet_server.kit.platform import Platform


async def seal_events(platform: Platform) -> int:
    """Add new events to the chains; returns how many."""
    return await sealing.seal_events(platform)
