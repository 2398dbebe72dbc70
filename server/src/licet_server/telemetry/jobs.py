"""The background work of telemetry."""

from licet_server.kit.work import Platform
from licet_server.telemetry import service


async def forget_old_telemetry(platform: Platform) -> int:
    """Delete what is older than institutions keep it; answers how many rows."""
    return await service.forget_old_events(platform)
