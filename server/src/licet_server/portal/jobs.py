"""The background work of the portal."""

from licet_server.kit.work import Platform
from licet_server.portal import service


async def mail_access(platform: Platform) -> int:
    """Write the letters of those who asked to see their licenses; answers how many."""
    return await service.mail_access(platform)
