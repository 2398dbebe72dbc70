"""The background work of telemetry."""

from licet_server.kit.platform import Platform
from licet_server.telemetry.service.forgetting import forget_old_events


async def forget_old_telemetry(platform: Platform) -> int:
    """Delete what is older than institutions keep it; answers how many rows."""
    return await forget_old_events(platform)
