"""The background work of the portal."""

from licet_server.kit.platform import Platform
from licet_server.portal.service import access


async def mail_access(platform: Platform) -> int:
    """Write the requested portal access e-mails; returns how many."""
    return await access.mail_access(platform)
