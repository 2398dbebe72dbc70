"""Background jobs of telemetry."""

from licet_server.kit.platform import Platform
from licet_server.telemetry.service.purging import purge_old_events


async def purge_old_telemetry(platform: Platform) -> int:
    """Delete telemetry past its retention period; return how many rows."""
    return await purge_old_events(platform)
