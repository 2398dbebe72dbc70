"""The background work of connectors."""

from licet_server.connectors.service import linking, purging, settling
from licet_server.connectors.service.settling import Settling
from licet_server.kit.platform import Platform


async def work_off_events(platform: Platform, settling_with: Settling) -> int:
    """Read pending events, and work on the orders that are due; returns how many of both."""
    linked = await linking.link_pending(platform)
    return linked + await settling.settle_due(platform, settling_with)


async def purge_event_bodies(platform: Platform) -> int:
    """Delete the texts of old events; returns how many."""
    return await purging.purge_bodies(platform)
